"""The HTML report: one page, the statistics first, evidence beside expectation, filters without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.model import Finding, Outcome, Report, Severity, SilencedBy, Summary, Verdict

Render = Callable[..., str]


def finding(check: str = "lines-edited", detail: str = "", **more: Any) -> Finding:
    return Finding(check, Outcome.MISMATCH, Severity.WARNING, "Changed", detail, **more)


def page_of(render: Render, cite: Any, *findings: Finding, excerpt: tuple[str, ...] = ()) -> str:
    verdicts = tuple(
        Verdict(cite("a.py:3", "a.py", 3), line, 1, (one,), None, excerpt) for line, one in enumerate(findings, 1)
    )
    return render("html", [Report("docs/a.md", verdicts)], Summary(1, len(verdicts), {"mismatch": len(verdicts)}))


def columns(page: str) -> list[str]:
    """What stands under `expected` and `there now`."""
    return re.findall(r"</figcaption>(?:<pre>|<p[^>]*>)(.*?)</", page.partition("<h2>Problems")[2], re.DOTALL)


def test_the_page_needs_nothing_else(render: Render, sample: Any) -> None:
    page = render("html", *sample)
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")
    assert "default-src 'none'" in page
    assert not re.search(r"<script|https?://|url\(|@import|\son[a-z]+=", page)


def test_the_statistics_come_before_the_problems(render: Render, sample: Any) -> None:
    page = render("html", *sample)
    parts = ("17 citations in 3 documents", "By check", "By document", "By folder", "<h2>Problems", "<section")
    assert sorted(parts, key=page.index) == list(parts)


def test_problems_stand_under_their_documents_which_the_table_leads_to(render: Render, sample: Any) -> None:
    page = render("html", *sample)
    sections = re.findall(r'<section class="[^"]*" id="(d[0-9]+)">\n<h3><code>([^<]*)', page)
    assert sections == [("d0", ".serena/memories/auth.md"), ("d1", "docs/guide.md"), ("d2", "notes/latin1.md")]
    for place, document in sections:
        assert f'<a href="#{place}"><code>{document}</code></a>' in page


def test_a_diff_is_two_columns(render: Render, cite: Any) -> None:
    page = page_of(render, cite, finding(detail=" same\n-old <b>\n+new &\nwhy: it moved\n  a.py:4"))
    assert columns(page) == ["same\nold &lt;b&gt;", "same\nnew &amp;"]
    assert "<pre>why: it moved\n  a.py:4</pre>" in page


def test_a_quote_stands_beside_the_words_of_the_paper(render: Render, cite: Any) -> None:
    page = page_of(render, cite, finding(detail="quoted  said so\npaper   said no"))
    assert columns(page) == ["said so", "said no"]


def test_without_a_diff_what_was_cited_stands_beside_what_is_there(render: Render, cite: Any) -> None:
    page = page_of(render, cite, finding(then=("\tdef a():",)), excerpt=("x = 1",))
    assert columns(page) == ["    def a():", "x = 1"]
    deleted = page_of(render, cite, finding(detail="-gone"))
    assert columns(deleted) == ["gone", "nothing"]
    assert columns(page_of(render, cite, finding(detail="it was deleted in 1a2b3c4"), excerpt=("x = 1",))) == []


def test_every_severity_and_check_has_a_button_and_a_rule(render: Render, sample: Any) -> None:
    page = render("html", *sample)
    buttons = re.findall(r'<input class="filter" type="radio" name="show" id="show-([a-z0-9]+)"( checked)?>', page)
    assert buttons[:3] == [("all", " checked"), ("error", ""), ("warning", "")]
    chosen = [name for name, _ in buttons[1:]]
    for name in chosen:
        rule = f"#show-{name}:checked ~ section:not(.{name}), #show-{name}:checked ~ section article:not(.{name})"
        assert rule in page
        assert re.search(rf'<article class="(?:[a-z0-9]+ )*{name}\b', page)
    labels = re.findall(r'<label for="show-c[0-9]+">([a-z-]+) ([0-9]+)</label>', page)
    assert ("lines-edited", "2") in labels
    # A section has the classes of all its problems, so that it goes where none of them stays.
    for section in re.findall(r"<section.*?</section>", page, re.DOTALL):
        own = set(re.findall(r'<section class="([^"]*)"', section)[0].split())
        assert own == {name for found in re.findall(r'<article class="([^"]*)"', section) for name in found.split()}


def test_what_could_not_be_checked_is_counted_and_not_listed(render: Render, sample: Any) -> None:
    page = render("html", *sample)
    assert "opaque-source" in page.partition("<h2>Problems")[0]
    assert "opaque-source" not in page.partition("<section")[2]


def test_what_is_silenced_is_not_on_the_page(render: Render, cite: Any) -> None:
    silent = finding(silenced_by=SilencedBy.COMMENT)
    verdict = Verdict(cite("a.py:3", "a.py", 3), 1, 1, silenced=(silent,))
    page = render("html", [Report("docs/a.md", (verdict,), ignored=1)], Summary(1, 1, {"mismatch": 1}, ignored=1))
    assert "1 ignored by a comment" in page
    assert "<section" not in page


def test_quiet_leaves_what_fails(render: Render, sample: Any) -> None:
    page = render("html", *sample, quiet=True)
    assert "lines-moved" not in page and "file-not-found" in page


def test_long_tables_are_folded(render: Render, cite: Any) -> None:
    reports = [
        Report(f"d{number:02}/a.md", (Verdict(cite("a.py:3", "a.py", 3), 1, 1, (finding(),)),)) for number in range(25)
    ]
    page = render("html", reports, Summary(25, 25, {"mismatch": 25}))
    assert page.count("<details><summary>5 more documents</summary>") == 1
    assert page.count("<details><summary>5 more folders</summary>") == 1


@pytest.mark.parametrize("documents", [1, 1000])
def test_ten_thousand_problems_take_time_and_room_in_proportion(
    render: Render, cite: Any, in_proportion: Callable[..., bool], documents: int
) -> None:
    def make(number: int) -> list[Report]:
        each = max(number // documents, 1)
        one = finding(detail="-old\n+new")
        verdicts = tuple(Verdict(cite("a.py:3", "a.py", 3), line, 1, (one,)) for line in range(1, each + 1))
        return [Report(f"folder/{document % 50}/{document}.md", verdicts) for document in range(number // each)]

    def write(number: int) -> str:
        return render("html", make(number), Summary(documents, number, {"mismatch": number}))

    small, large = len(write(1_000)), len(write(10_000))
    assert large < 11 * small
    assert in_proportion(write, 1_000, 10_000, 10)
