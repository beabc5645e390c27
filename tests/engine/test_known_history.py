"""What a run learns from history is there for the next one, and only where a run may keep anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.store.cache_folder import root_cache_path

BODY = "".join(f"step_{at} = prepare({at})\n" for at in range(1, 41))


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    repo = make_repository()
    repo.commit({"a.py": BODY, "doc.md": "See a.py:20 there.\n"})
    # Both lines near the cited one are others now, so that history has to be asked.
    repo.commit({"a.py": "# top\n" + BODY.replace("step_19 ", "old_19 ").replace("step_21 ", "old_21 ")})
    return repo


def check(path: Path, cache: bool) -> tuple[set[str], list[str]]:
    """What is kept after a check, and what it said."""
    with Root(str(path)) as root:
        run = Run(root, Request(cache=cache))
        said = [finding.message for report in run.reports() for one in report.verdicts for finding in one.findings]
        folder = Path(root_cache_path(root))
    return {one.name for one in folder.iterdir()} if folder.is_dir() else set(), said


def test_both_are_kept(repo: Any) -> None:
    kept, said = check(repo.path, True)
    assert {"history", "trails"} <= kept
    assert said and said[0].startswith("Moved to L21,")


def test_nothing_is_kept_without_a_cache(repo: Any) -> None:
    kept, said = check(repo.path, False)
    assert kept == set()
    assert said and said[0].startswith("Moved to L21,")
