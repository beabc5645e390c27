"""A refresh: what became of pages, and of the quotes taken from them."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.domains.research.page_fetching import _diff
from pincite.domains.research.stages import validate
from pincite.pages.model import Page


def refresh(made: Any, bed: Any, answers: dict[str, Any], rows: Any = None) -> Any:
    work = bed.work(made.Fetching(answers, at=made.NOW), refresh=True)
    return validate(work, [made.citation(*row) for row in rows or made.ROWS])


def test_nothing_changed(made: Any, held: Any) -> None:
    found = refresh(made, held, made.PAGES)
    assert [(one.url, one.state, one.before, one.now) for one in found.changes] == [
        (url, "same", "2026-05-01", "2026-09-01") for url in made.PAGES
    ]
    assert [one.quotes for one in found.changes] == [((at, True, ""), (at + 1, True, "")) for at in (1, 3, 5)]
    assert all(one.validated and one.evidence.retrieved == made.NOW for one in found.citations)


def test_a_page_that_differs_outside_of_its_text_is_the_same(made: Any, held: Any) -> None:
    found = refresh(made, held, made.PAGES | {made.TIDES: made.PAGES[made.TIDES] + b"<!-- made today -->"})
    assert (found.changes[0].state, found.changes[0].lines) == ("same", ())


def test_changed_lines_and_the_quotes_that_survived(made: Any, held: Any) -> None:
    text = "The moon raises two tides a day. It pulls the water under it hardest."
    found = refresh(made, held, made.PAGES | {made.TIDES: made.html("On tides", [text, "--new words"])})
    change = found.changes[0]
    assert (change.state, change.more) == ("changed", 0)
    assert f"- {made.MOON}" in change.lines and f"+ {text}" in change.lines and "+ --new words" in change.lines
    assert change.quotes[0] == (1, True, "")
    number, survived, there = change.quotes[1]
    assert (number, survived) == (2, False)
    assert "It pulls the water under it hardest" in there
    assert [one.evidence.availability for one in found.citations[:2]] == ["snapshot", "archived"]
    assert [one.validated for one in found.citations] == [True] * 6


@pytest.mark.parametrize("gone", ["status", "trouble"])
def test_a_page_that_is_gone(made: Any, held: Any, gone: str) -> None:
    answer = (
        made.visit(made.TIDES, b"", made.NOW, 404) if gone == "status" else FetchFailure("unresolved", "leads nowhere")
    )
    found = refresh(made, held, made.PAGES | {made.TIDES: answer})
    change = found.changes[0]
    assert (change.state, change.before) == ("gone" if gone == "status" else "not reached", "2026-05-01")
    assert ("404 Not Found" if gone == "status" else "leads nowhere") in change.now
    assert [survived for _, survived, _ in change.quotes] == [False if gone == "status" else None] * 2
    assert "its snapshot stays" in change.quotes[0][2]
    assert [one.evidence.availability for one in found.citations] == ["archived"] * 2 + ["snapshot"] * 4


def test_a_page_that_never_was(made: Any, bed: Any) -> None:
    found = refresh(made, bed, {made.TIDES: made.PAGES[made.TIDES], made.WEIR: FetchFailure("timeout", "too slow")})
    states = {one.url: one for one in found.changes}
    assert (states[made.TIDES].state, states[made.TIDES].now) == ("new", "2026-09-01")
    assert states[made.TIDES].quotes[0] == (1, True, "")
    assert (states[made.WEIR].state, states[made.WEIR].now) == ("not reached", "too slow")
    assert "no snapshot" in states[made.WEIR].quotes[0][2]


def test_the_page_before_is_the_one_before_the_refresh(made: Any, held: Any) -> None:
    # Another page now leads to this one as well: the copy that came with it is none from before.
    old = "https://old.example/moon"
    new = made.html("On tides", ["The moon is made of something else now."])
    answers = made.PAGES | {made.TIDES: new, old: made.visit(made.TIDES, new, made.NOW, via=old)}
    rows = [(made.MOON, made.MOON, made.TIDES), ("The moon.", "The moon is made of", old)]
    found = refresh(made, held, answers, rows)
    assert [(one.state, one.before) for one in found.changes] == [("changed", "2026-05-01"), ("new", "")]


def test_what_cannot_be_read_any_more(made: Any, held: Any) -> None:
    image = made.visit(made.TIDES, b"\x89PNG\r\n\x1a\n\0\0", made.NOW, headers=(("Content-Type", "image/png"),))
    found = refresh(made, held, made.PAGES | {made.TIDES: image})
    assert found.changes[0].state == "changed"
    assert found.changes[0].quotes[0] == (1, None, "the page can no longer be read")
    assert found.citations[0].evidence.availability == "archived"


def test_a_page_that_now_needs_scripts_tells_nothing_of_its_quotes(made: Any, held: Any) -> None:
    page = b'<body><div id="root"></div><noscript>Please enable JavaScript.</noscript><script src="a.js"></script>'
    change = refresh(made, held, made.PAGES | {made.TIDES: page}).changes[0]
    assert (change.state, [survived for _, survived, _ in change.quotes]) == ("changed", [None, None])
    assert "scripts" in change.quotes[0][2]


def test_a_declared_omission_survives_nothing(made: Any, held: Any) -> None:
    found = refresh(made, held, made.PAGES, [("It is so.", "The moon … two tides a day.", made.TIDES)])
    assert found.changes[0].quotes[0][:2] == (1, False)


def test_many_changes_are_cut(made: Any, held: Any) -> None:
    page = made.html("On tides", [f"Line {at} of it." for at in range(50)])
    change = refresh(made, held, made.PAGES | {made.TIDES: page}).changes[0]
    assert len(change.lines) + change.more == 51
    assert change.more > 0
    assert all(len(line) <= 170 for line in change.lines)


def test_of_long_pages_only_so_much_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.domains.research.page_fetching._MOST", 100)
    rows = [f"line {at % 90}" for at in range(20_000)]
    lines = _diff(Page("text", ("\n".join(rows),)), Page("text", ("\n".join(reversed(rows)),)))
    assert 0 < len(lines) <= 200
