"""Lists of web sources: files, addresses and research topics."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.source_list import SourceList, parse_list, read_sources
from pincite.store.shared.web_records import NewSource
from support_topics import copy_lanternfish, run_stages

LIST = b"""\xef\xbb\xbf# Sources of a project
https://a.example/plain

{"url": "https://a.example/quoted", "quote": "some words", "cited_in": "repo:a.md", "more": 1}
{"url": "https://a.example/bare"}
  https://b.example/spaces-around  \r
"""


def test_lines_and_objects() -> None:
    assert parse_list(LIST, "list.txt") == SourceList(
        (
            NewSource("https://a.example/plain", "", "list.txt"),
            NewSource("https://a.example/quoted", "some words", "repo:a.md"),
            NewSource("https://a.example/bare", "", "list.txt"),
            NewSource("https://b.example/spaces-around", "", "list.txt"),
        )
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"url": 1}', "Expected `str`"),
        (b'{"quote": "x"}', "missing required field `url`"),
        (b'{"url": "https://a.example/"', "Input data was truncated"),
        (b"https://a.example/\xff", "it is not UTF-8"),
    ],
)
def test_lines_that_cannot_be_read_are_named(line: bytes, reason: str) -> None:
    found = parse_list(b"https://a.example/\n" + line + b"\n", "list")
    assert [one.url for one in found.sources] == ["https://a.example/"]
    ((place, why),) = found.refused
    assert place == "list:2"
    assert reason in why


@pytest.mark.parametrize(
    ("line", "shown", "reason"),
    [
        ("ftp://x.example/a", "ftp://x.example/a", "only HTTPS is fetched; use the page's https:// address"),
        ("not a url", "not a url", "there are spaces, control characters or backslashes in it; write it without"),
        (
            '{"url": "https://user:s3cret@a.example/p?token=s3cret", "quote": "x"}',
            "https://a.example/p?…",
            "there is a user name in it; remove everything up to the @",
        ),
    ],
)
def test_addresses_that_nobody_can_visit_are_named_with_their_line(line: str, shown: str, reason: str) -> None:
    found = parse_list(f"https://a.example/?kept=1\n{line}\n".encode(), "list")
    assert [one.url for one in found.sources] == ["https://a.example/?kept=1"]
    assert found.refused == ((f"list:2: {shown}", reason),)
    if line.startswith("{"):
        (alone,) = read_sources(["https://user:s3cret@a.example/p?token=s3cret"])
        assert alone == SourceList((), ((shown, reason),))


def test_files_and_addresses(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(LIST)
    found = list(read_sources([str(tmp_path / "list"), "https://c.example/"]))
    assert [len(one.sources) for one in found] == [4, 1]
    assert found[1].sources == (NewSource("https://c.example/"),)


def test_research_topics(tmp_path: Path) -> None:
    copy_lanternfish(tmp_path)
    run_stages(tmp_path)
    (found,) = read_sources([str(tmp_path)])
    assert found.place == f"{tmp_path}:.research/lanternfish"
    assert found.refused == ()
    assert len(found.sources) >= 3
    assert all(one.url.startswith("https://") and one.quote and one.cited_in == found.place for one in found.sources)
    (stage,) = (tmp_path / ".research/lanternfish/agent-outputs").glob("source-validator.*")
    stage.write_text("validated_citations: [\n")
    (found,) = read_sources([str(tmp_path)])
    # What cannot be read is named, and nothing that was cited there before is dropped.
    assert (found.sources, found.place, len(found.refused)) == ((), "", 1)
    stage.unlink()
    (found,) = read_sources([str(tmp_path)])
    assert (found.sources, found.refused) == ((), ())
    assert found.place


def test_what_is_nowhere_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file or folder"):
        list(read_sources([str(tmp_path / "none")]))
    with pytest.raises(UsageError, match=r"\Aftp://a.example/\?…: there is no such file or folder"):
        list(read_sources(["ftp://user:s3cret@a.example/?token=s3cret"]))
    with pytest.raises(UsageError, match="there is no research topic"):
        list(read_sources([str(tmp_path)]))
