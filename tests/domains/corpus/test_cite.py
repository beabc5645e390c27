"""From a claim to a citation: the right page or none, quotes word for word, and never a source that says otherwise."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.domains.corpus.cite import LONGEST_CLAIM, NO_SOURCE, cite, cite_quote, with_citation
from pincite.domains.corpus.paper_pieces import join_lines
from pincite.domains.corpus.relevance import read_claim, relevance
from pincite.domains.corpus.search import PaperLibrary, citation_of
from pincite.project.config import CorpusSettings
from pincite.safe.files import Root
from pincite.sources import World

CLAIMS = json.loads(Path(__file__).with_name("claims.json").read_text())
QUOTED = """---
title: Sleep and memory
total_pages: 20
key_quotes:
  - quote: "Sleep after learning consolidates declarative memory."
    page: 7
    section: Results
  - quote: "Naps of ninety minutes restore attention in shift workers."
    page: 99
---

# REF-005: Sleep and memory

## Notes

Sleep deprivation impairs working memory in adults over 60.
"""


def _wrapped(page: str) -> str:
    return "\n".join(row for line in page.split("\n") for row in textwrap.wrap(line, 70))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, make_pdf: Callable[..., bytes]) -> Iterator[PaperLibrary]:
    top = tmp_path_factory.mktemp("project")
    folder = top / ".aiwg/research/corpus"
    folder.mkdir(parents=True)
    for ref, paper in CLAIMS["papers"].items():
        (folder / f"{ref}-x.md").write_text(f"---\ntitle: {paper['title']}\ntotal_pages: {len(paper['pages'])}\n---\n")
        (folder / f"{ref}-x.pdf").write_bytes(make_pdf([_wrapped(page) for page in paper["pages"]]))
    (folder / "REF-005-sleep.md").write_text(QUOTED)
    with Root(str(top)) as root:
        corpus = World(root, lambda: None, corpus=CorpusSettings()).any_corpus()
        assert corpus is not None
        with PaperLibrary(corpus, root) as opened:
            yield opened


@pytest.mark.parametrize("claim", CLAIMS["unsupported"])
def test_a_claim_that_no_paper_supports_gets_no_citation(library: PaperLibrary, claim: str) -> None:
    answer = cite(library, claim)
    assert [(found.citation, join_lines(found.text)) for found in answer.found] == []
    assert answer.message == NO_SOURCE
    assert answer.text.rstrip(".").endswith("[citation needed]")


def test_what_papers_support_is_cited_on_its_page(library: PaperLibrary) -> None:
    missed = []
    for claim, ref, page in CLAIMS["supported"]:
        answer = cite(library, claim)
        if not answer.found:
            missed.append(claim)
            continue
        # Finding nothing is allowed to happen; citing the wrong paper or page is not.
        assert (answer.found[0].ref, answer.found[0].page) == (ref, page), claim
    assert len(missed) <= 0.1 * len(CLAIMS["supported"]), missed


def test_the_shortest_passage_that_says_it_is_given(library: PaperLibrary) -> None:
    found = cite(library, "Two-factor authentication blocked 96% of bulk phishing attempts").found[0]
    assert join_lines(found.text) == "Two-factor authentication blocked 96% of bulk phishing attempts."
    assert found.citation == "[REF-020, p.3]"
    assert found.file == ".aiwg/research/corpus/REF-020-x.pdf"
    assert found.page_valid is True


def test_key_quotes_are_cited_with_their_declared_page(library: PaperLibrary) -> None:
    found = cite(library, "Sleep after learning consolidates declarative memory").found[0]
    assert (found.citation, found.kind, found.section) == ("[REF-005, p.7]", "quote", "Results")


def test_a_page_that_the_paper_does_not_have_is_not_cited(library: PaperLibrary) -> None:
    found = cite(library, "Naps of ninety minutes restore attention in shift workers").found[0]
    assert (found.citation, found.page, found.page_valid) == ("[REF-005]", "", False)


def test_more_than_one_citation_on_request(library: PaperLibrary) -> None:
    claim = "Drip irrigation increases maize yield"
    assert len(cite(library, claim, 1).found) == 1
    several = cite(library, claim, 5).found
    assert [found.ref for found in several] == ["REF-003"] * len(several)
    assert len({join_lines(found.text) for found in several}) == len(several)


@pytest.mark.parametrize(
    ("quote", "refusal", "part"),
    [
        ("Readers notice such drift after about 4000 words", "quote-altered", "4000"),
        ("Consistency did affect reading speed", "quote-altered", "not"),
        ("Zebras are known to write excellent compilers in winter", "quote-absent", "No paper"),
        (
            "We recruited 32 participants through a university mailing list."
            " Participants preferred consistent passages in 71% of all comparisons.",
            "quote-stitched",
            "2 places of REF-001",
        ),
        ("…", "quote-too-short", "too short"),
        ("the", "quote-too-short", "too short"),
    ],
)
def test_quotes_that_do_not_stand_there_are_refused(library: PaperLibrary, quote: str, refusal: str, part: str) -> None:
    answer = cite_quote(library, "A claim.", quote)
    assert (answer.found, answer.refusal) == ((), refusal)
    assert part in answer.message
    assert answer.text == "A claim [citation needed]."


def test_a_quote_is_cited_on_the_page_where_it_stands(library: PaperLibrary) -> None:
    answer = cite_quote(library, "Readers notice drift.", "Readers notice such drift after about 400 words")
    assert [found.citation for found in answer.found] == ["[REF-001, p.1]"]
    assert answer.text == "Readers notice drift [REF-001, p.1]."


@pytest.mark.parametrize("quote", ["It is", "by up to"])
def test_a_few_common_words_are_nobodys(library: PaperLibrary, quote: str) -> None:
    """They stand in every paper; a receipt for them would cover whole pages."""
    assert cite_quote(library, "x", quote).refusal == "quote-too-short"


def test_a_kept_quote_without_pdf_is_cited(library: PaperLibrary) -> None:
    found = cite_quote(library, "x", "Sleep after learning consolidates").found[0]
    assert (found.citation, found.kind) == ("[REF-005, p.7]", "quote")


@pytest.mark.parametrize("text", ["x" * (LONGEST_CLAIM + 1), "word " * 200_000, "", " \n\t"])
def test_claims_and_quotes_that_are_none_are_refused(library: PaperLibrary, text: str) -> None:
    with pytest.raises(UsageError):
        cite(library, text)
    with pytest.raises(UsageError):
        cite_quote(library, "A claim", text)


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_claim_and_a_quote(library: PaperLibrary, text: str) -> None:
    if text.split():
        assert cite(library, text).found or cite(library, text).refusal == "no-source"
        answer = cite_quote(library, text, text)
        assert bool(answer.found) != bool(answer.refusal)


def test_a_long_claim_takes_no_more_than_its_share(library: PaperLibrary, in_proportion: Callable[..., bool]) -> None:
    def claim(words: int) -> str:
        return " ".join(f"drip{number} irrigation maize" for number in range(words))[:LONGEST_CLAIM]

    assert in_proportion(lambda text: cite(library, text), claim(16), claim(128), 8)


def test_an_empty_corpus_answers_too(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        corpus = World(root, lambda: None, corpus=CorpusSettings()).any_corpus()
        assert corpus is not None
        with PaperLibrary(corpus, root) as library:
            assert cite(library, "Voice consistency improves quality").refusal == "no-source"
            assert cite_quote(library, "x", "Voice consistency improves quality").refusal == "quote-absent"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("So it is", "So it is [X]"),
        ("So it is.", "So it is [X]."),
        ("Is it?", "Is it [X]?"),
        ("And so ...", "And so ... [X]"),
    ],
)
def test_the_citation_stands_before_the_final_mark(claim: str, text: str) -> None:
    assert with_citation(claim, "[X]") == text


@pytest.mark.parametrize(
    ("allowed", "page", "section", "citation"),
    [
        ("page bracket", "15", "", "[REF-043, p.15]"),
        ("page bracket", "15-16", "", "[REF-043, pp.15-16]"),
        ("page bracket", "iv", "", "[REF-043, p.iv]"),
        ("page bracket", "", "Results", "[REF-043]"),
        ("page section bracket", "", "Results", "[REF-043, Section Results]"),
        ("bracket", "15", "Results", "[REF-043]"),
        ("parenthesis", "15", "", "(REF-043)"),
        ("page bracket", "1](https://e.org) [", "", "[REF-043]"),
        ("page section bracket", "", "A](x) [REF-001", "[REF-043]"),
        ("page section bracket", "", "A\nB", "[REF-043]"),
        ("page bracket", "3, 7", "", "[REF-043]"),
    ],
)
def test_citations_take_the_most_precise_form_allowed(allowed: str, page: str, section: str, citation: str) -> None:
    assert citation_of(frozenset(allowed.split()), "REF-043", page, section) == citation


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Tea improves sleep quality", "Tea does not improve sleep quality."),
        ("Tea does not improve sleep quality", "Tea improves sleep quality."),
        ("Tea improves sleep quality", "Whether tea improves sleep quality is open."),
        ("Tea improves sleep quality", "Does tea improve sleep quality?"),
        ("Tea improves sleep quality", "Tea worsens sleep quality."),
        ("Tea improves sleep quality by 3%", "Tea improves sleep quality by 4%."),
        ("Tea improves sleep quality by 3%", "Tea improves sleep quality by 3 points."),
        ("Tea beats Coffee in trials", "Coffee beats Tea in trials."),
        ("Tea cost at least 30 euros here", "Tea cost at most 30 euros here."),
        ("Tea cost 30 euros here", "Tea cost more than 30 euros here."),
        ("All patients drank green tea", "Most patients drank green tea."),
        ("Tea improves sleep quality", "Tea improves mood, but coffee improves sleep quality."),
        ("Patients stopped drinking tea before bed", "Patients stopped drinking tea after bed."),
    ],
)
def test_what_says_the_contrary_is_not_relevant(claim: str, sentence: str) -> None:
    assert relevance(read_claim(claim), [sentence], [], {}) == 0.0


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Tea improves sleep quality", "In our trial, tea improved the quality of sleep."),
        ("Tea improved sleep quality by 3%", "Tea improved sleep quality by 3 percent."),
        ("Sleep quality is improved by tea", "Tea improves sleep quality."),
        ("Tea cost more than 1,000 euros here", "Tea cost over 1000 euros here."),
        ("Tea does not improve sleep quality", "Tea didn\u2019t improve sleep quality."),
    ],
)
def test_what_says_the_same_is_relevant(claim: str, sentence: str) -> None:
    assert relevance(read_claim(claim), [sentence], [], {}) == 1.0
