"""Quotes looked up by processes that may die of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pincite.core.web import Exchange, Visit
from pincite.fleet import quote_checks
from pincite.fleet.page_check import PageQuestion, find_quotes
from pincite.fleet.quote_checks import QuoteChecks
from pincite.store.shared.web_records import QuoteFinding, SourceQuote

URL = "https://a.example/"
WORDS = "The harbour is fourteen metres deep at low water."


def make_visit(body: bytes, media: str = "text/html") -> Visit:
    """A visit to a page."""
    return Visit(URL, "2026-01-02T03:04:05Z", (Exchange(URL, 200, "OK", (("Content-Type", media),), body),))


def look(body: bytes, *quotes: str, media: str = "text/html") -> list[tuple[str, str]]:
    """State and nearest passage of quotes, found in this process."""
    headers = (("Content-Type", media),)
    question = PageQuestion(URL, URL, "2026-01-02T03:04:05Z", headers, body, quotes)
    return [(one.state, one.nearest) for one in find_quotes(question)]


@pytest.fixture(scope="module")
def checks() -> Iterator[QuoteChecks]:
    """One process."""
    with QuoteChecks(1) as found:
        yield found


def test_what_stands_there_and_what_does_not() -> None:
    body = f"<title>Harbour</title><p>{WORDS} Ships can turn in it.".encode()
    near = WORDS.replace("fourteen", "nine")
    (holds, altered, absent) = look(body, WORDS, near, "Salmon climb every autumn weir.")
    assert holds == ("holds", "")
    assert (altered[0], "fourteen metres" in altered[1]) == ("missing", True)
    assert absent[0] == "missing"


def test_what_cannot_be_read_is_unchecked(make_pdf: Callable[..., bytes]) -> None:
    assert look(b"\x89PNG\r\n", WORDS, media="image/png")[0][0] == "unchecked"
    scripted = b"<div id=root></div><noscript>You need to enable JavaScript</noscript><script src=a.js></script>"
    assert look(scripted, WORDS) == [("unchecked", "the page shows its text only in a browser that runs scripts")]
    assert look(make_pdf([WORDS]), WORDS, media="application/pdf") == [("holds", "")]
    assert look(b"%PDF-1.7 broken", WORDS, media="application/pdf")[0][0] == "unchecked"


def test_quotes_go_through_a_process(checks: QuoteChecks) -> None:
    quotes = [SourceQuote(number, WORDS if number % 2 else "Never said anywhere here.") for number in range(1200)]
    found = checks.check(make_visit(f"<p>{WORDS}".encode()), quotes)
    assert [one.id for one in found] == list(range(1200))
    assert found[1] == QuoteFinding(1, "holds")
    assert found[0].state == "missing"


def test_hostile_pages_hurt_nobody(checks: QuoteChecks) -> None:
    quote = [SourceQuote(1, WORDS)]
    for body in (b"<div>" * 200_000, b"<p>" + b"a " * 500_000, bytes(range(256)) * 1000, b"&" * 300_000, b""):
        (found,) = checks.check(make_visit(body), quote)
        assert found.state in ("missing", "unchecked")
    (found,) = checks.check(make_visit(f"<p>{WORDS}".encode()), quote)
    assert found.state == "holds"


def test_a_page_that_takes_too_long_is_unchecked() -> None:
    with QuoteChecks(1, seconds=0.01) as checks:
        (found,) = checks.check(make_visit(b"<p>words"), [SourceQuote(1, WORDS)])
    assert found == QuoteFinding(1, "unchecked", "reading the page takes more than 0.01 s")


def test_a_process_that_dies_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quote_checks, "_MODULE", "pincite.no_such_module")
    with QuoteChecks(1) as checks:
        (found,) = checks.check(make_visit(b"<p>words"), [SourceQuote(1, WORDS)])
    assert found == QuoteFinding(1, "unchecked", "reading the page failed")
