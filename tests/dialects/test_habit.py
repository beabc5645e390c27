"""Citations written from habit (ruling C7): found in running text, and nothing that only looks alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Malformed, Place, SourceRef, Span
from pincite.dialects import habit
from pincite.text.document import Document

PARENTHESES = [
    ("Quality improves (Smith et al., 2023).", "(Smith et al., 2023)"),
    ("Both agree (Smith & Jones, 2020; Doe, 2021a, p. 4).", "(Smith & Jones, 2020; Doe, 2021a, p. 4)"),
    ("It is known (see Smith 2023).", "(see Smith 2023)"),
    ("It is known (Smith 2023, 12–14).", "(Smith 2023, 12–14)"),
    ("It is known (Smith 2024, 45).", "(Smith 2024, 45)"),
    ("The transformer (Vaswani et al., 2017) has no recurrence.", "(Vaswani et al., 2017)"),
    ("Memory cells help (Hochreiter and Schmidhuber, 1997).", "(Hochreiter and Schmidhuber, 1997)"),
    (
        "As others found (e.g., Müller, 2019; García-López et al., 2020).",
        "(e.g., Müller, 2019; García-López et al., 2020)",
    ),
    ("This was shown before (cf. O’Neil, 2016, pp. 20-25).", "(cf. O’Neil, 2016, pp. 20-25)"),
    ("Small worlds (van der Berg, 2001) are everywhere.", "(van der Berg, 2001)"),
    ("Updates of the parameters (MacKay, 1992) converge.", "(MacKay, 1992)"),
    ("People avoid algorithms (Dietvorst, Simmons, & Massey, 2015).", "(Dietvorst, Simmons, & Massey, 2015)"),
    ("Transformative learning (Mezirow, 1991, 2000) is slow.", "(Mezirow, 1991, 2000)"),
    ("Deaths fell (World Health Organization, 2023).", "(World Health Organization, 2023)"),
    ("Deaths fell (WHO, 2023).", "(WHO, 2023)"),
    ("A long line that is folded (Smith et al.,\n2023) goes on.", "(Smith et al.,\n2023)"),
    ("Tool use rose (Garcia, 2022, p. 1631, Table 5).", "(Garcia, 2022, p. 1631, Table 5)"),
    ("- An item with a claim (Zook et al., 2017)", "(Zook et al., 2017)"),
    ("> A quoted claim (Seaver, 2017).", "(Seaver, 2017)"),
    ("| Method | faster (Zhang et al., 2020) |", "(Zhang et al., 2020)"),
    ("Organized anarchies (Cohen & March, 1974) decide oddly.", "(Cohen & March, 1974)"),
    ("A critic in the loop (Song et al., 2026, Appendix D.4) helps.", "(Song et al., 2026, Appendix D.4)"),
    ("**Bold claim** (Ananny, 2016).", "(Ananny, 2016)"),
    ("Probability (Bayes, 1863) is old.", "(Bayes, 1863)"),
    ("Engagement is essential (Jenkins, 2008; Jenkins, 2014).", "(Jenkins, 2008; Jenkins, 2014)"),
]
NARRATIVES = [
    ("Smith (2023) shows that it works.", "Smith (2023)"),
    ("As noted by Smith et al. (2023), it works.", "Smith et al. (2023)"),
    ("This extends Smith and Jones (2020).", "Smith and Jones (2020)"),
    ("O'Neil (2019) argues otherwise.", "O'Neil (2019)"),
    ("Later van der Berg (2001) disagreed.", "van der Berg (2001)"),
    ("However, Yang and Chang (2022) found the opposite.", "Yang and Chang (2022)"),
    ("In Rennie et al. (2003) the weights are counted.", "Rennie et al. (2003)"),
    ("Following Knuth (1974), we measure first.", "Knuth (1974)"),
    ("The rule is due to Breiman (2001, p. 12).", "Breiman (2001, p. 12)"),
    ("See Zawacki-Richter et al. (2019) for a review.", "Zawacki-Richter et al. (2019)"),
    ("The heuristic found in\nBelkina et al. (2019) is simple.", "Belkina et al. (2019)"),
    ("Devlin et al.’s (2019) model is large.", "Devlin et al.’s (2019)"),
    ("Lamport (1978, 1979) orders events.", "Lamport (1978, 1979)"),
    ("- Kinoshita (2023) studied eight closures.", "Kinoshita (2023)"),
    ('They write: "Martinez (2023) surveyed the staff".', "Martinez (2023)"),
    ("In Java, Gosling (1995) saw a simpler language.", "Gosling (1995)"),
    ("Page et al. (2021) revise the statement.", "Page et al. (2021)"),
]
NUMBERS = [
    ("Retrieval reduces hallucination [1].", ["[1]"]),
    ("Several studies [1, 2] agree.", ["[1, 2]"]),
    ("Others [3-5] do not.", ["[3-5]"]),
    ("The method is fast [12], but not exact.", ["[12]"]),
    ("As shown in [1], it works.", ["[1]"]),
    ("In [4] it was shown that it works.", ["[4]"]),
    ("It was described in [2, 3] before.", ["[2, 3]"]),
    ("It is known [1][2].", ["[1]", "[2]"]),
    ("It is known.[3] And so on.", ["[3]"]),
    ("A folded line that ends in a claim\n[7]. The next sentence.", ["[7]"]),
    ("Smith and Jones [8] disagree with Doe [9].", ["[8]", "[9]"]),
    ("Costs fell by 40% [6].", ["[6]"]),
    ("(see also [11])", ["[11]"]),
    ("It is *important* [2].", ["[2]"]),
    ("- an item with a claim [5]", ["[5]"]),
    ("A claim [1–3]; another [4; 7].", ["[1–3]", "[4; 7]"]),
]
NEGATIVES = [
    # Dates, versions, products, places, titles.
    *("Python (2023) is here.", "Copyright (2023) by us.", "Released (2021) and forgotten.", "Windows Server (2019)"),
    *("(Since 2019)", "(c) 2020 Somebody", "It was out (May 2023).", "Weeks (ISO 8601, 2019) begin on Monday."),
    *("As drawn (Fig. 3, 2020).", "HTTP (RFC 9110, 2022) says so.", "(version 2023)", "(Q3 2024)", "January (2020)"),
    *("Section (2020)", "It was held (Berlin, 2019).", "KubeCon in Denmark (2018) was good.", "(PyCon, 2019)"),
    *("We met (Friday, 2020).", "(EuroPython 2019)", "Two systems (Windows and Linux, 2020).", "(Python 2023)"),
    *("The Matrix (1999) is a film.", "*Inception* (2010)", "- Inception (2010)", "- Kubernetes (2014): orchestration"),
    *("The Rise of Worse is Better (1991)", "University of Wisconsin-Madison (2020)", "the Bauhaus (1919)"),
    *("A book (Addison-Wesley, 1994) on it.", "Shapes: Image (1920, 1080, 3)", "Visual Studio (2019) is needed."),
    *("See foo(1) and bar(2020).", "Use Date(2020).", "It runs on node 20 (2023-10-01).", "1.2 (2023)", "(2023)"),
    *("The limit (2048) is fixed.", "Returns Foo (2001 bytes).", "IPv6 (1998)"),
    *("(GPLv3, 2007)", "We ship it (Winter, 1980)."),
    *("A version (v2.0.1, 2020) of it.", "About 2000 (see Table 2019).", "(Updated 2024)", "Copyright (c) 2020 Smith"),
    *("Summer of Code (2019)", "Birth (née Smith) 1920", "TypeScript (2012) was new."),
    *("**Rust** (2015)", "(Ubuntu 2020)"),
    *("A sponsor via Acmely (2024-2026).", "np.take(a, [2, 3], axis=2)", '"unsigned char [20]" is now gone.'),
    # Entries of lists of references.
    *("- Hovy, D., & Spruit, S. L. (2016). The social impact.", "1. Smith et al. (2020). *A title*. Journal."),
    *("[1] Smith, J. (2020). A title.", "[1] https://example.org/a", "A claim.\n[2] Smith, A title."),
    *(".. [1] Smith, a title", "| Smith (2024) | Narrative |"),
    # Links, footnotes, task lists, headings, code, comments, frontmatter.
    *("See [1](https://example.org).", "See [text][1].", "A claim [1].\n\n[1]: https://example.org\n", "![1](a.png)"),
    *("A claim[^1].\n\n[^1]: Smith et al. (2020) say so.", "A claim [^2]."),
    *("- [x] done\n- [ ] open", "# On Smith (2023)"),
    *("## It is so (Smith et al., 2023)", "Smith et al. (2023)\n===================\n", "`(Smith et al., 2023)`"),
    *("```\nas shown [1]\n```\n", "[Smith et al. (2023)](https://example.org)", "[as Smith (2023) says][a]\n\n[a]: b"),
    *("<!-- as Smith et al. (2023) say -->", '<img alt="as Smith et al. (2023) say">'),
    *("---\ntitle: as shown [1]\n---\n"),
    *("Text.\n\n    as shown [1] in code\n", "[a](b 'Smith et al. (2023) say')"),
    *("see Chapters [2][under] and [4][pin]"),
    # Indexes, intervals, lists of numbers, logs, menus.
    *("a[1]", "the value argv[1] is", "items[0]", "f(x)[1]", "m[1][2]", "a value in [1, 10]", "the interval [1, 2]"),
    *("the range [1, 10] is", "between [1, 5]", "x in [0, 1]"),
    *("on [0, 1] and", "half open [1, 2)", "the list [1, 2, 3]"),
    *("array([[1, 2],\n       [3, 4]])", "returns [1]", "[1] started", "[12] worker ready", "In [1]: x", "Out[1]: 2"),
    *("Press [1] to go on.", "Timeout in seconds [30]:", "the shape [3, 4] is", "a [2020] b", "error [1234] here"),
    *("x = [1]", "print [1, 2]", "frame reindexed by [1,3]", "It is 5 [1, 2]]"),
    *("- [1]", "| [1] | a |", "[1, 2]", "pid[1]: x"),
]  # fmt: skip


def read(text: str, path: str = "x.md") -> list[Citation]:
    found = list(habit.extract(Document(path, text)))
    assert not any(isinstance(item, Malformed) for item in found)
    return [item for item in found if isinstance(item, Citation)]


@pytest.mark.parametrize(("text", "raw"), PARENTHESES)
def test_authors_and_year_in_parentheses(text: str, raw: str) -> None:
    assert [(item.raw, item.source) for item in read(text)] == [(raw, SourceRef("habit", "author-year-parenthesis"))]


@pytest.mark.parametrize(("text", "raw"), NARRATIVES)
def test_a_year_in_parentheses_after_authors(text: str, raw: str) -> None:
    assert [(item.raw, item.source) for item in read(text)] == [(raw, SourceRef("habit", "author-year-narrative"))]


@pytest.mark.parametrize(("text", "raws"), NUMBERS)
def test_numbers_in_brackets(text: str, raws: list[str]) -> None:
    assert [(item.raw, item.source.key) for item in read(text)] == [(raw, "numeric") for raw in raws]


@pytest.mark.parametrize("text", NEGATIVES)
def test_what_only_looks_alike(text: str) -> None:
    assert [item.raw for item in read(text)] == []


def test_more_is_refused_than_found() -> None:
    assert len(NEGATIVES) >= len(PARENTHESES) + len(NARRATIVES) + len(NUMBERS) >= 57


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.rst", "It does that [1]_ and more.\n"),
        ("x.rst", "An example::\n\n    as shown [1] here\n\n"),
        ("x.rst", ".. code-block:: text\n\n   as Smith et al. (2023) say\n\n"),
        ("x.rst", "On Smith et al. (2023)\n~~~~~~~~~~~~~~~~~~~~~~\n"),
        ("x.rst", "See `Smith et al. (2023) <https://example.org>`_ for it.\n"),
        ("x.rst", "The call ``as shown [1] there`` is code.\n"),
        ("x.adoc", "----\nas shown [1] here\n----\n"),
        ("x.adoc", "== On Smith et al. (2023)\n"),
        ("x.org", "#+begin_src text\nas shown [1] here\n#+end_src\n"),
        ("x.org", "* On Smith et al. (2023)\n"),
    ],
)
def test_other_markup_has_its_own_code_links_and_headings(path: str, text: str) -> None:
    assert read(text, path) == []


@pytest.mark.parametrize("path", ["x.md", "x.rst", "x.txt", "x.adoc", "x.org", "-"])
def test_running_text_is_the_same_in_every_markup(path: str) -> None:
    text = "It is so (Smith et al., 2023), as shown [1].\n\nSmith (2023) shows\nit.\n"
    assert [item.raw for item in read(text, path)] == ["(Smith et al., 2023)", "[1]", "Smith (2023)"]


def test_line_ends_do_not_matter() -> None:
    text = "It is so (Smith et al., 2023).\r\n\r\nAs shown [1].\r\n"
    assert [item.raw for item in read(text)] == ["(Smith et al., 2023)", "[1]"]


def test_a_text_after_code_and_comments_is_read_again() -> None:
    text = "<!-- [1] -->\n```\n[1]\n```\nAs shown [1].\n\n1. item\n\n    which is so [2]\n"
    assert [item.raw for item in read(text)] == ["[1]", "[2]"]


def test_it_points_nowhere_and_moves_nowhere() -> None:
    text = "It is so (Smith et al., 2023)."
    (item,) = read(text)
    assert habit.repoint(Document("x.md", text), item, Place("a.py", Lines(1, 1))) is None


@pytest.mark.parametrize("form", ["author-year-parenthesis", "numeric", "author-year-narrative"])
def test_a_form_can_be_written(form: str) -> None:
    source = SourceRef("habit", form)
    assert [item.source for item in read(habit.render(Citation("habit", Span(0, 0), "", source)))] == [source]


def test_it_is_for_projects_with_a_corpus_and_gives_way_to_every_other_dialect() -> None:
    assert (habit.NAME, habit.RANK, habit.NEEDS) == ("habit", 90, "whitelist")


PIECES = (
    *("(Smith", " et al.,", " 2023)", "Smith", " (2023)", " and Jones", " & Doe"),
    *(", J.", "; ", ", p. 4", "(see ", "[1]", "[1, 2]"),
    *("[^1]", "[1]: x\n", "](", "[", "]", "(", ")", "<", ">", "<!--"),
    *("-->", "`", "```\n", "\n", "\n\n", "    ", "# ", "- ", "| "),
    *("::\n", "====\n", "----\n", "word ", "in ", "19", "20", ".", ",", "é", "É", "\0", "\r", "\r\n", "’s", "---\n"),
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=40).map("".join)


@given(text=TEXTS, path=st.sampled_from(("x.md", "x.rst", "x.adoc", "x.org", "x.txt")))
@settings(max_examples=300, deadline=None)
def test_whatever_the_text_what_is_found_stands_there(text: str, path: str) -> None:
    at = 0
    for item in read(text, path):
        assert at <= item.span.start < item.span.end
        assert text[item.span.start : item.span.end] == item.raw
        assert re.search(r"\d", item.raw)
        assert any(opener in text.encode() for opener in habit.OPENERS)
        at = item.span.end


SHAPES = {
    "parentheses": lambda n: "(" * n + "A 2020)",
    "open citations": lambda n: "(Smith et al., 2023" * n,
    "citations": lambda n: "It is (Smith et al., 2023). " * n,
    "narratives": lambda n: "so Smith and Jones (2020) say " * n,
    "names": lambda n: "Aa, B. " * n + "(2020)",
    "names and years": lambda n: ("Aa, B. C. " * 15 + "(2020) ") * (n // 15),
    "capitals": lambda n: "Aa " * n + "(2020)",
    "particles": lambda n: "van de " * n + "(2020)",
    "numbers": lambda n: "as shown [1] " * n,
    "rows of numbers": lambda n: "as shown " + "[1]" * n,
    "long lists": lambda n: "as shown [" + "1, " * n + "1]",
    "definitions": lambda n: "as shown [1]\n\n[2]: x\n" * n,
    "comments": lambda n: "<!-- as shown [1] " * n,
    "tags": lambda n: "<a as shown [1] " * n,
    "brackets": lambda n: "[" * n + "as shown [1]",
    "one line": lambda n: "word " * n + "as shown [1]" * (n // 10),
    "indented lines": lambda n: "\n\n    as shown [1]" * n,
    "cells": lambda n: "| Smith (2020) " * n,
    "blank lines": lambda n: " " * n + "as shown [1]\n" + "\n" * n,
    "years": lambda n: "(Aa 2020, 2020, 2020, " * n,
    "locators": lambda n: "(Aa 2020" + ", p. 1" * n + ")",
}


@pytest.mark.parametrize("path", ["x.md", "x.rst", "x.adoc"])
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text_and_no_faster(in_proportion: Callable[..., bool], shape: str, path: str) -> None:
    """Eight times the text costs about eight times the time, also where the text was made to cost more."""
    make = SHAPES[shape]
    assert in_proportion(lambda text: list(habit.extract(Document(path, text))), make(500), make(4_000), 8)


def test_a_text_without_hits_costs_little_more_than_searching_it() -> None:
    """Ordinary prose with calls, versions and years is passed over, not parsed."""
    text = "The call `f(x)` returns (a, b) since version 2.1 (stable), see the list in chapter 3 of 2019. " * 3_000

    def cost(work: object) -> float:
        best = 1e9
        for _ in range(5):
            start = process_time()
            assert callable(work)
            work()
            best = min(best, process_time() - start)
        return best

    document = Document("x.md", text)
    assert document.prose and list(habit.extract(document)) == []
    assert cost(lambda: list(habit.extract(document))) <= 25 * max(cost(lambda: re.findall(r"\([a-z]", text)), 0.001)


QUOTED_FORMS = [
    "“Quality improves (Smith et al., 2023)” [REF-001].",
    "“Quality improves [1] and [12, 13] it stays” [REF-001].",
    "> Smith (2023) shows that it works [REF-001]",
    "> Quality improves [1].\n> — [REF-001]",
    "As [REF-001] says: “Quality improves (Smith et al., 2023) all the time”.",
    "“Quality improves (Smith et al., 2023)” [@doe2020].",
    "“Quality improves [1] by a lot”[^1] it says.\n\n[^1]: [REF-001]",
]


@pytest.mark.parametrize("text", QUOTED_FORMS)
def test_what_a_quoted_paper_cites_is_its_own(text: str) -> None:
    assert list(habit.extract(Document("x.md", text))) == []


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("> Quality improves (Smith et al., 2023).", "(Smith et al., 2023)"),
        ("“Quality improves a lot” (Smith et al., 2023) [REF-001].", "(Smith et al., 2023)"),
        ("“Quality improves a lot” [REF-001]. It does [1].", "[1]"),
        ("“Quality improves (Smith et al., 2023)” is what we say.", "(Smith et al., 2023)"),
        ("It stays, “Quality improves (Smith et al., 2023) [REF-001].", "(Smith et al., 2023)"),
    ],
)
def test_what_stands_beside_a_quote_is_still_reported(text: str, raw: str) -> None:
    assert [item.raw for item in habit.extract(Document("x.md", text))] == [raw]
