"""Titles of reStructuredText."""

from __future__ import annotations

import pytest

from pincite.search.passages.rst import outline, read


def titles(text: str) -> list[tuple[int, str]]:
    return [(one.level, one.title) for one in outline(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Title\n=====\n", [(1, "Title")]),
        (
            "Title\n=====\n\nSub\n---\n\nSubsub\n~~~~~~\n\nSub\n---\n",
            [(1, "Title"), (2, "Sub"), (3, "Subsub"), (2, "Sub")],
        ),
        ("=====\nTitle\n=====\n\nPart\n====\n", [(1, "Title"), (2, "Part")]),
        ("=======\n Title\n=======\n", [(1, "Title")]),
        ("A longer title\n====\n", [(1, "A longer title")]),
        ("ab\n--\n", [(1, "ab")]),
        (".. _label:\n\n``code`` here\n^^^^^^^^^^^^^\n", [(1, "``code`` here")]),
        ("A\n=\n\r\nB\r\n=\r\n", [(1, "A"), (1, "B")]),
        ("A\n=\nB\n-\n", [(1, "A"), (2, "B")]),
    ],
)
def test_a_title_is_one(text: str, found: list[tuple[int, str]]) -> None:
    assert titles(text) == found


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Text\n\n----\n\nText\n",
            "----\n",
            "====\n====\n",
            "Title\n===\n",
            "::\n\n    Title\n    =====\n",
            "  Title\n=====\n",
        ),
        *(
            "Two lines\nof text\n=======\n",
            "=====  =====\na      b\n=====  =====\n",
            "+---+\n| a |\n+---+\n",
            "Title\n=-=-=\n",
        ),
    ],
)
def test_what_only_looks_like_a_title(text: str) -> None:
    assert titles(text) == []


def test_passages_begin_at_the_line_above_the_title() -> None:
    text = "Intro.\n\n=====\nTitle\n=====\n\nText.\n\nSub\n---\n\nMore.\n"
    found = [(text[one.start : one.end], one.first, one.headings) for one in read(text).passages]
    assert found == [
        ("Intro.", 1, ()),
        ("=====\nTitle\n=====\n\nText.", 3, ("Title",)),
        ("Sub\n---\n\nMore.", 9, ("Title", "Sub")),
    ]
