"""A topic that is begun: two files that load, or a refusal that changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import PinciteError, UsageError
from pincite.domains.research.model import EXTRACT, SEARCH
from pincite.domains.research.new_topic import create_topic
from pincite.domains.research.stage_file import load
from pincite.domains.research.topic import find_topic
from pincite.safe.files import Root


def test_its_files_load_and_hold_nothing(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        topic = create_topic(root, "gezeiten-2026_ü")
        for stage, rule in ((SEARCH, "too-few-results"), (EXTRACT, "too-few-extracted")):
            loaded = load(root, topic.path(stage), stage)
            assert loaded.items == () and [one.rule for one in loaded.problems] == [rule]
        assert find_topic(root, "gezeiten-2026_ü").has(EXTRACT)


def test_snapshots_that_are_there_are_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".research/tides/snapshots").mkdir(parents=True)
    with Root(str(tmp_path)) as root:
        assert create_topic(root, "tides").name == "tides"


@pytest.mark.parametrize("place", [".research", ".research/tides", ".research/tides/agent-outputs"])
def test_a_file_in_the_way_is_not_replaced(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    with Root(str(tmp_path)) as root, pytest.raises(PinciteError):
        create_topic(root, "tides")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", ["", "..", "a/b", "-a", "a b", "a\n", "x" * 101])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with Root(str(tmp_path)) as root, pytest.raises(UsageError, match="no name of a topic"):
        create_topic(root, name)
    assert not list(tmp_path.iterdir())
