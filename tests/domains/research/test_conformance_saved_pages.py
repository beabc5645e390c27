"""Every case of `conformance/saved-page/`: a file in which a page was saved, and what adding it to a topic must say.

A case is a folder with the file and an `expected.yaml`:

    title     what the case shows
    file      the saved page, and `changed`, the day of its last change
    url       what the user gives as its address, and `saved`, the day
    quotes    what is quoted from it, each with a claim
    holds     `url`, `day`, `day_from`, `form`, and a part of the `note`, if the page is entered
    refused   a part of why it is not (`|` between two ways to say it), and of the `nearest` passage
"""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincite.core.errors import PinciteError
from pincite.domains.research.model import Aborted
from pincite.domains.research.new_topic import create_topic
from pincite.domains.research.saved_files import read_saved_file
from pincite.domains.research.source_adding import QuotedClaim, SourceRequest, add_saved
from pincite.domains.research.stages import TopicContext
from pincite.domains.research.topic import find_topic
from pincite.project.config import ResearchSettings
from pincite.safe.files import Root
from pincite.store.warc import Snapshots

CASES = Path(__file__).resolve().parents[3] / "conformance" / "saved-page"
FOLDERS = sorted(path.parent for path in CASES.glob("*/expected.yaml"))


def expected(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
    return found


def state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(folder: Path, tmp_path: Path) -> None:
    """The page is entered with its address and day, and found again; or it is refused, and nothing is written."""
    case = expected(folder)
    path = tmp_path / case["file"]
    if (folder / case["file"]).exists():
        shutil.copy(folder / case["file"], path)
        day = datetime.fromisoformat(case.get("changed", "2026-05-01")).replace(tzinfo=UTC).timestamp()
        os.utime(path, (day, day))
    with Root(str(tmp_path)) as root:
        create_topic(root, "case")
        topic = find_topic(root, "case")
        before = state(tmp_path / topic.folder)
        work = TopicContext(root, topic, ResearchSettings(), offline=True)
        quoted = tuple(QuotedClaim(f"Claim {at}.", quote) for at, quote in enumerate(case["quotes"]))

        def add() -> tuple[Any, Any]:
            found = read_saved_file(str(path), case.get("url", ""), case.get("saved", ""), str(tmp_path))
            return found, add_saved(work, SourceRequest("", quoted), found)

        if "refused" in case:
            with pytest.raises(PinciteError) as refused:
                add()
            assert any(part in str(refused.value) for part in case["refused"].split("|")), refused.value
            if "nearest" in case:
                assert isinstance(refused.value, Aborted) and isinstance(refused.value.result, tuple)
                assert case["nearest"] in refused.value.result[-1].nearest
            assert state(tmp_path / topic.folder) == before
            return
        found, added = add()
        holds = case["holds"]
        assert (added.url, added.accessed, found.day_from, found.form) == tuple(
            holds[name] for name in ("url", "day", "day_from", "form")
        )
        assert holds.get("note", "") in added.saved and path.name in added.saved
        kept = Snapshots(root, topic.snapshots).find(holds["url"])
        assert kept is not None and kept.sealed and kept.visit == found.visit
        assert [one.state for one in added.quotes] == ["added"] * len(quoted)


def test_most_cases_are_refusals() -> None:
    refused = sum("refused" in expected(folder) for folder in FOLDERS)
    assert len(FOLDERS) >= 40 and refused >= 0.6 * len(FOLDERS), f"{refused} of {len(FOLDERS)}"
