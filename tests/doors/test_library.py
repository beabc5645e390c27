"""pincite as a library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import pincite


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("Yes. 【F:code.py†L1】 No. 【F:code.py†L9】 Bad. 【F:code.py†L2-L1】\n")
    (tmp_path / "code.py").write_text("one\ntwo\n")
    return tmp_path


def test_check_gives_every_citation(tree: Path) -> None:
    result = pincite.check(root=tree)
    assert [(verdict.citation.raw, verdict.outcome) for verdict in result.verdicts] == [
        ("【F:code.py†L1】", pincite.Outcome.HOLDS),
        ("【F:code.py†L9】", pincite.Outcome.MISSING),
    ]
    assert [defect.malformed.raw for defect in result.malformed] == ["【F:code.py†L2-L1】"]
    assert (result.ok, result.exit_code, result.summary.citations) == (False, 1, 2)
    assert not (tree / ".pincite").exists()


def test_evidence_that_holds_was_seen(tree: Path) -> None:
    from hashlib import sha256

    seen = pincite.check(root=tree).verdicts[0].seen
    assert seen is not None
    assert (seen.path, seen.digest) == ("code.py", sha256(b"one\ntwo\n").hexdigest())
    assert seen.retrieved > 1_700_000_000


def test_paths_choose_documents(tree: Path) -> None:
    (tree / "b.md").write_text("Yes. 【F:code.py†L2】\n")
    assert pincite.check([tree / "b.md"], root=tree).ok
    with pytest.raises(pincite.PinciteError, match="outside the root"):
        pincite.check(["/etc"], root=tree)


def test_settings_can_be_given(tree: Path) -> None:
    result = pincite.check(root=tree, config=pincite.Config(ignore=("line-out-of-range", "malformed-citation")))
    assert result.ok


def test_importing_costs_nothing_heavy() -> None:
    code = "import sys, pincite; print(sorted({'click', 'yaml', 'msgspec', 'subprocess'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_public_is_there() -> None:
    assert all(getattr(pincite, name) is not None for name in pincite.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        _ = pincite.nothing  # type: ignore[attr-defined]
