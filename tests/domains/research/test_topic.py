"""Topics: where their files are, and which one somebody means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.domains.research.model import EXTRACT, GROUND, SEARCH, STAGES
from pincite.domains.research.topic import Topic, find_topic, topic_named, topics
from pincite.safe.files import Root


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    for name in ("tides", "b-2.x", "Gezeiten_ä"):
        (tmp_path / f".research/{name}/agent-outputs").mkdir(parents=True)
    (tmp_path / ".research/.hidden").mkdir()
    (tmp_path / ".research/with space").mkdir()
    (tmp_path / ".research/file").write_text("no folder")
    (tmp_path / ".research/tides/agent-outputs/search-agent.json").write_text("{}")
    (tmp_path / ".research/tides/report.md").write_text("# Tides")
    with Root(str(tmp_path)) as opened:
        yield opened


def test_topics_are_the_folders_with_a_name(root: Root) -> None:
    assert [topic.name for topic in topics(root)] == ["Gezeiten_ä", "b-2.x", "tides"]


def test_no_topics_without_a_folder(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as empty:
        assert topics(empty) == []
        with pytest.raises(UsageError, match=r"there is none below \.research yet"):
            find_topic(empty, "tides")


@pytest.mark.parametrize(
    "given",
    [
        "tides",
        ".research/tides",
        ".research/tides/",
        "./.research/tides/agent-outputs",
        ".research/tides/agent-outputs/search-agent.json",
        ".research/tides/report.md",
        ".research/tides/not-there-yet.md",
    ],
)
def test_a_topic_is_found_by_name_folder_and_file(root: Root, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.path)
    assert find_topic(root, given).folder == ".research/tides"
    monkeypatch.chdir("/")
    assert find_topic(root, given).name == "tides"
    if "/" in given:
        assert find_topic(root, f"{root.path}/{given}").name == "tides"


def test_a_path_counts_from_the_working_folder_first(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(f"{root.path}/.research/tides")
    assert find_topic(root, "report.md").name == "tides"
    assert find_topic(root, "../b-2.x/").name == "b-2.x"


@pytest.mark.parametrize(
    "given",
    ["", "nowhere", "..", ".", "../tides", ".research", ".research/.hidden", ".research/file", "file", "/etc/passwd"]
    + ["tides\0", "a" * 3000, "tides\n", ".research/../../x", "~/tides"],
)
def test_what_is_no_topic_is_refused_with_those_that_are(
    root: Root, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root.path)
    with pytest.raises(UsageError, match=r"no such topic; there are: Gezeiten_ä, b-2\.x, tides"):
        find_topic(root, given)


@pytest.mark.parametrize("name", ["with space", ".hidden"])
def test_a_folder_whose_name_cannot_be_a_topic_is_told_why(root: Root, name: str) -> None:
    with pytest.raises(UsageError, match=f"'{name}' is no name of a topic"):
        find_topic(root, name)


def test_a_link_out_of_the_root_is_no_topic(root: Root, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (Path(root.path) / ".research/linked").symlink_to(outside)
    assert "linked" not in [topic.name for topic in topics(root)]
    with pytest.raises(UsageError):
        find_topic(root, "linked")


def test_keys_of_a_topic(root: Root) -> None:
    topic = find_topic(root, "tides")
    assert topic.path(SEARCH) == ".research/tides/agent-outputs/search-agent.json"
    assert topic.path(EXTRACT) == ".research/tides/agent-outputs/citation-extractor.yaml"
    assert (topic.has(SEARCH), topic.has(GROUND)) == (True, False)
    assert (topic.report, topic.report_html) == (".research/tides/report.md", ".research/tides/report.html")
    assert topic.snapshots == ".research/tides/snapshots"
    assert topic.attestations == ".research/tides/attestations.yaml"


@pytest.mark.parametrize("ending", ["yaml", "yml"])
def test_two_files_of_one_stage_are_refused(root: Root, ending: str) -> None:
    (Path(root.path) / f".research/tides/agent-outputs/search-agent.{ending}").write_text("results: []")
    topic = find_topic(root, "tides")
    with pytest.raises(UsageError, match=rf"search-agent\.{ending} and .*search-agent\.json; keep one of them"):
        topic.path(SEARCH)
    assert topic.path(GROUND).endswith("claim-grounding-mapper.yaml")


def test_a_new_topic_has_the_files_to_write() -> None:
    topic = topic_named("new-topic")
    assert topic == Topic("new-topic", ".research/new-topic")
    assert [topic.path(stage) for stage in STAGES] == [
        f".research/new-topic/agent-outputs/{name}.yaml"
        for name in ("search-agent", "citation-extractor", "source-validator", "claim-grounding-mapper")
    ]


@pytest.mark.parametrize("name", ["", ".x", "-x", "a/b", "a b", "a\\b", "x" * 101, "a\n", "..", "a:b", "é!"])
def test_names_that_cannot_be_topics(name: str) -> None:
    with pytest.raises(UsageError, match="is no name of a topic"):
        topic_named(name)
