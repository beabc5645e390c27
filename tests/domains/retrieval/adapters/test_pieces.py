"""Finding the place of a piece in the text it was cut from."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.retrieval.adapters import langchain
from pincite.domains.retrieval.adapters.pieces import OriginalText, OriginalTexts, plain_path

TEXT = "one two\n\nthree 𝄞 four\n    five\none two\n"
words = st.text(st.sampled_from("ab \n\r\t𝄞é\u00a0"), max_size=40)


@pytest.mark.parametrize(
    ("piece", "stated", "found"),
    [
        ("three 𝄞 four", None, (9, 21)),
        ("three 𝄞 four", 9, (9, 21)),
        ("three 𝄞 four", 3, (9, 21)),
        ("one two", None, None),
        ("one two", 31, (31, 38)),
        ("one two", 0, (0, 7)),
        ("one two", 5, None),
        ("four\nfive", None, (17, 30)),
        ("  three  \n𝄞 four\n five ", None, (9, 30)),
        ("one  two", None, None),
        ("four six", None, None),
        ("", 3, None),
        (" \n", None, None),
        ("wo\n\nthr", None, (5, 12)),
        ("wo thr", None, (5, 12)),
        ("three", 10**30, (9, 14)),
    ],
)
def test_places(piece: str, stated: int | None, found: tuple[int, int] | None) -> None:
    assert OriginalText(TEXT).find(piece, stated) == found


def test_line_ends_counted_as_one() -> None:
    text = "a\r\nb\r\nsame\r\n\rc\r\nsame\r\nd"
    opened = text.replace("\r\n", "\n").replace("\r", "\n")
    original = OriginalText(text)
    for start in (opened.index("same"), opened.rindex("same")):
        found = original.find("same", start)
        assert found is not None and text[found[0] : found[1]] == "same"
    assert original.find("same", opened.index("same")) == (text.index("same"), text.index("same") + 4)
    assert original.find("same", opened.rindex("same")) == (text.rindex("same"), text.rindex("same") + 4)
    assert original.find("same\nd", opened.index("same\nd")) == (text.index("same\r\nd"), len(text))


def test_words_are_those_of_the_document() -> None:
    given_text = "# A\r\n\r\nfirst line\r\n    indented\r\n"
    hit = langchain.hits(
        [{"page_content": "first line\nindented", "metadata": {"source": "a.md", "Header 1": "A"}}],
        read=lambda path: given_text,
    )[0]
    assert hit.chunk.content == "first line\r\n    indented"
    assert given_text[hit.chunk.start_offset : hit.chunk.end_offset] == hit.chunk.content


def test_byte_order_mark_is_no_word() -> None:
    hit = langchain.hits(
        [{"page_content": "\ufeffone", "metadata": {"source": "a.md", "start_index": 0}}], read=lambda path: "one two"
    )[0]
    assert (hit.chunk.start_offset, hit.chunk.end_offset, hit.chunk.content) == (0, 3, "one")


@given(words, words, words)
def test_what_stands_once_is_found_there(before: str, piece: str, after: str) -> None:
    text = before + piece + after
    found = OriginalText(text).find(piece, None)
    only = text.find(piece) == text.rfind(piece) and bool(piece)
    if only:
        assert found == (text.find(piece), text.find(piece) + len(piece))
    else:
        assert found is None


@given(words, words, st.none() | st.integers(-3, 50))
def test_what_is_found_is_the_same_words(text: str, piece: str, stated: int | None) -> None:
    found = OriginalText(text).find(piece, stated if stated is None or stated >= 0 else None)
    if found is not None:
        assert 0 <= found[0] < found[1] <= len(text)
        assert text[found[0] : found[1]].split() == piece.split() or not piece.split()


@given(words, st.data())
def test_offsets_of_opened_text_lead_to_the_same_characters(text: str, data: st.DataObject) -> None:
    opened = text.replace("\r\n", "\n").replace("\r", "\n")
    start = data.draw(st.integers(0, len(opened)))
    end = data.draw(st.integers(start, len(opened)))
    piece = opened[start:end]
    found = OriginalText(text).find(piece, start)
    assert bool(found) == bool(piece)
    if found:
        got = text[found[0] : found[1]]
        assert got.replace("\r\n", "\n").replace("\r", "\n") == piece


@given(st.text(max_size=30), st.none() | st.text(max_size=10))
def test_any_path_is_taken(path: str, root: str | None) -> None:
    assert isinstance(plain_path(path, root), str)
    assert isinstance(plain_path("file://" + path, root), str)


def test_time_grows_with_the_document(in_proportion: Callable[..., bool]) -> None:
    def work(size: object) -> object:
        assert isinstance(size, int)
        original = OriginalText("a " * size)
        return original.find("a " * (size // 2) + "b", 3), original.find("a\n" * (size // 2) + "b", None)

    assert in_proportion(work, 40_000, 400_000, 10)


def test_no_more_is_held_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.core.limits import Limits
    from pincite.domains.retrieval.adapters import pieces

    monkeypatch.setattr(pieces, "LIMITS", Limits(cached_source_bytes=25))
    asked: list[str] = []

    def read(path: str) -> str:
        asked.append(path)
        return "x" * 10

    originals = OriginalTexts(read)
    for path in ("a", "b", "a", "c", "c", "a"):
        assert originals.find(path) is not None
    assert asked == ["a", "b", "c", "a"]
