"""Words to the places that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.model import Lines
from pincite.safe.files import Root
from pincite.write.cite.model import CandidatePlace
from pincite.write.cite.text_search import LARGEST, MOST, find_alike, find_places


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def test_files_that_are_too_large_are_counted_and_others_are_not(tmp_path: Path, root: Root) -> None:
    """Whoever finds nothing is told how much was not looked at."""
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(LARGEST + 1)
    (tmp_path / "binary.txt").write_bytes(b"words\0")
    (tmp_path / "other.txt").write_bytes(b"\xffwords")
    (tmp_path / "out.txt").symlink_to("/etc/hostname")
    found = find_places(root, ["large.txt", "binary.txt", "other.txt", "out.txt", "gone.txt"], "words")
    assert (found.places, found.skipped) == ([], 1)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_words_over_two_lines_are_found_however_lines_end(tmp_path: Path, root: Root, ending: str) -> None:
    (tmp_path / "a.txt").write_bytes("zero\nsay one\ntwo more\nend\n".replace("\n", ending).encode())
    assert find_places(root, ["a.txt"], "one\ntwo").places == [CandidatePlace("a.txt", Lines(2, 3), "say one")]
    assert find_places(root, ["a.txt"], "One two").places == []
    assert find_alike(root, ["a.txt"], "One two") == CandidatePlace("a.txt", Lines(2, 3), "say one")


def test_one_line_is_one_place_and_many_are_counted(tmp_path: Path, root: Root) -> None:
    (tmp_path / "a.txt").write_text("word word\n" * (MOST + 4))
    found = find_places(root, ["a.txt"], "word")
    assert [place.lines.first for place in found.places] == list(range(1, MOST + 1))
    assert found.more == 4


def test_a_snippet_of_a_memory_is_no_evidence(tmp_path: Path, root: Root) -> None:
    (tmp_path / "m.md").write_text("---\ncitations:\n  - path: a\n    snippet: 'the words'\n---\nHere the words are.\n")
    assert [place.lines for place in find_places(root, ["m.md"], "the words").places] == [Lines(6, 6)]


@pytest.mark.parametrize("words", ["", " ", "\n\n"])
def test_nothing_is_nowhere(tmp_path: Path, root: Root, words: str) -> None:
    (tmp_path / "a.txt").write_text("a \n\n b\n")
    assert find_places(root, ["a.txt"], words).places == []
    assert find_alike(root, ["a.txt"], words) is None
