"""Days of other things than publication: what the words before a date, and around it, say."""

from __future__ import annotations

import pytest

from pincite.pages.labels import CHANGED, OTHER, PUBLISHED, meaning_of
from pincite.pages.model import Page
from pincite.pages.read import read_html

URL = "https://journal.example/a"


def read(body: str, head: str = "", seen: str = "") -> Page:
    html = f"<html lang=en-GB><head>{head}</head><body><article><h1>Tides of the bay</h1>{body}</article></body></html>"
    return read_html(html.encode(), "utf-8", URL, "", seen)


def day(page: Page) -> str:
    return page.published.value if page.published is not None and not page.changed_last else ""


@pytest.mark.parametrize(
    "label",
    [
        *(
            "Received",
            "Accepted",
            "Accessed",
            "Retrieved",
            "Retracted",
            "Event date:",
            "Event:",
            "Register by",
            "Apply by",
        ),
        *("Deadline:", "Valid until", "Expires", "Starts", "Closing date:", "Member since", "Eingereicht am"),
        *("Anmeldeschluss:", "Gültig bis", "Date limite :", "Fecha límite:", "Scadenza:"),
    ],
)
@pytest.mark.parametrize(
    "shape", ["<p>{} 3 May 2020</p>", "<p>{} <time>3 May 2020</time></p>", "<dl><dt>{}</dt><dd>3 May 2020</dd></dl>"]
)
def test_the_day_of_something_else_is_no_day_of_publication(label: str, shape: str) -> None:
    assert day(read(shape.format(label) + "<p>Water comes and goes.</p>")) == ""


def test_of_several_labelled_days_the_one_of_publication_is_taken() -> None:
    line = "<p>Received: 3 May 2020 / Accepted: 9 June 2020 / Published: 1 July 2020</p>"
    assert day(read(line)) == "2020-07-01"
    assert day(read("<p>Updated: 5 May 2020 Published: 3 May 2020</p>")) == "2020-05-03"


@pytest.mark.parametrize(
    "line", ["3 May 2020 – 5 May 2020", "Tuesday, 5 May 2020, 6:00 pm – 8:00 pm", "from 3 May 2020 to 9 May 2020"]
)
def test_a_span_of_days_or_hours_is_an_event(line: str) -> None:
    assert day(read(f"<p>{line}</p><p>Come and see.</p>")) == ""


@pytest.mark.parametrize("line", ["News & Events | 3 May 2020", "By Jo Doe, 3 May 2020", "3 May 2020, 10:15"])
def test_words_of_headings_and_bylines_are_no_labels(line: str) -> None:
    assert day(read(f"<p>{line}</p><p>Water comes and goes.</p>")) == "2020-05-03"


def test_the_last_word_that_tells_counts() -> None:
    assert meaning_of("last updated 04 jun 2020, originally published ") == PUBLISHED
    assert meaning_of("published; updated ") == CHANGED
    assert meaning_of("published by us. register by ") == OTHER
    assert meaning_of("jo doe ") == ""


@pytest.mark.parametrize(
    "head",
    [
        "",
        '<meta property="article:published_time" content="2031-05-03">',
        '<script type="application/ld+json">{"@type":"Article","datePublished":"2031-05-03"}</script>',
    ],
)
def test_a_day_after_the_snapshot_is_none_of_publication(head: str) -> None:
    page = read("<p>3 May 2031</p><p>Water comes and goes.</p>", head, seen="2030-01-31")
    assert page.published is None
    assert day(read("<p>3 May 2031</p>", head, seen="2031-05-02")) == "2031-05-03"


def test_behind_a_day_to_come_the_day_of_publication_is_found() -> None:
    assert day(read("<p>3 May 2031</p><p>Posted 1 January 2030</p>", seen="2030-01-31")) == "2030-01-01"


@pytest.mark.parametrize(
    "tag",
    [
        '<meta property="dc:date" content="2020-05-03">',
        '<meta property="dcterms:issued" content="2020-05-03">',
        '<meta name="DC.date.issued" content="2020-05-03">',
        '<span property="dc:date dc:created" content="2020-05-03T10:00:00+02:00">then</span>',
        '<span property="schema:datePublished" content="2020-05-03">then</span>',
    ],
)
def test_rdfa_is_read(tag: str) -> None:
    assert day(read(f"{tag}<p>Water comes and goes.</p>")) == "2020-05-03"


def test_of_two_days_in_rdfa_none_is_taken() -> None:
    both = "".join(f'<p property="dc:date" content="2020-05-0{n}">Text {n}</p>' for n in (3, 4))
    assert day(read(both)) == ""


def test_metadata_and_text_that_disagree_are_unsure() -> None:
    head = '<script type="application/ld+json">{"@type":"Article","datePublished":"2021-02-01"}</script>'
    for line in (
        "Published 3 May 2019",
        "3 May 2019",
        "By Jo Doe, in our office | 3 May 2019 10:15 | Tides and weather",
    ):
        page = read(f"<p>{line}</p><p>Water comes and goes.</p>", head)
        assert (day(page), page.date_other) == ("2021-02-01", "2019-05-03"), line
        assert "2019-05-03" in page.date_unsure


def test_a_tag_that_says_date_and_nothing_more_is_unsure() -> None:
    page = read("<p>Water comes and goes.</p>", '<meta name="date" content="2020-05-03">')
    assert day(page) == "2020-05-03"
    assert "not that it is the day of publication" in page.date_unsure


def test_a_day_below_the_title_is_believed_before_a_time_elsewhere() -> None:
    page = read("<p>Published 3 May 2019</p><p>Text.</p><p>More.</p><div><time>9 June 2020</time></div>")
    assert day(page) == "2019-05-03"
    assert page.date_other == "2020-06-09"
