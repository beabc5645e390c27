"""Between stages: what is compared, what is paired, and how it grows."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.domains.research.model import (
    EXTRACT,
    GROUND,
    SEARCH,
    VALIDATE,
    Details,
    ExtractedCitation,
    GroundedClaim,
    SearchResult,
    StageProblem,
    ValidatedCitation,
)
from pincite.domains.research.stage_file import StageFile, load_bytes
from pincite.domains.research.stage_joins import join
from pincite.domains.research.stage_writer import dump

DAY = "2026-10-20"


def page(number: int) -> str:
    return f"https://a.example/{number}"


def citation(number: int, of: int | None = None) -> ExtractedCitation:
    return ExtractedCitation(
        f"claim {number}", f"quote {number}", page(number if of is None else of), "primary", "t", DAY
    )


def validated(one: ExtractedCitation, passed: bool = True) -> ValidatedCitation:
    details = Details(True, True, True, None, "A", True, True)
    words = (one.claim, one.quote, one.source_url, one.source_type, one.page_title, one.accessed_date)
    return ValidatedCitation(*words, passed, 9, details, None if passed else "no", one.confidence, one.section)


def loaded(stage: str, items: list) -> StageFile:
    return load_bytes(dump(stage, items), f"{stage}.yaml", stage)


def joined(**stages: list) -> list[StageProblem]:
    names = {"search": SEARCH, "extract": EXTRACT, "validate": VALIDATE, "ground": GROUND}
    return list(join({names[name]: loaded(names[name], items) for name, items in stages.items()}))


RESULTS = [SearchResult(n, "t", page(n), "s", "primary", DAY) for n in range(1, 5)]
CITATIONS = [citation(n) for n in range(1, 5)]


def test_nothing_to_say_where_all_is_as_it_was() -> None:
    claims = [GroundedClaim(n, f"c{n}", n, page(n), f"quote {n}", "high") for n in range(1, 5)]
    assert joined(search=RESULTS, extract=CITATIONS, validate=list(map(validated, CITATIONS)), ground=claims) == []


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("https://a.example/1/", page(1)),
        ("https://www.a.example/1", page(1)),
        ("https://A.example/1#top", page(1)),
        ("https://a.example:443/1", page(1)),
        ("https://a.example/one", ""),
        ("https://a.example/1?x=1", ""),
    ],
)
def test_an_address_that_nearly_was_found_is_hinted_at(url: str, hint: str) -> None:
    (problem,) = joined(search=RESULTS, extract=[*CITATIONS, replace(citation(9), source_url=url)])
    assert (problem.rule, problem.path) == ("url-not-in-results", "extracted_citations[4].source_url")
    assert (hint in problem.remedy) if hint else ("write it as it is there" not in problem.remedy)


def test_changed_citations_are_paired_with_what_they_were() -> None:
    after = [
        validated(replace(CITATIONS[3], quote="quote four")),
        validated(CITATIONS[1]),
        validated(replace(CITATIONS[0], claim="claim one", page_title="T")),
        validated(citation(7)),
    ]
    found = [(problem.rule, problem.path) for problem in joined(extract=CITATIONS, validate=after, search=RESULTS)]
    assert found == [
        ("citation-changed", "validated_citations[0].quote"),
        ("citation-changed", "validated_citations[2].claim"),
        ("citation-changed", "validated_citations[2].page_title"),
        ("citation-added", "validated_citations[3].claim"),
        ("citation-lost", "extracted_citations[2].claim"),
    ]


def test_a_citation_that_was_extracted_twice_is_validated_twice() -> None:
    twice = [CITATIONS[0], CITATIONS[0], CITATIONS[1]]
    once = [validated(CITATIONS[0]), validated(CITATIONS[1])]
    assert [problem.rule for problem in joined(search=RESULTS, extract=twice, validate=once)] == ["citation-lost"]
    assert joined(search=RESULTS, extract=twice, validate=[*once, once[0]]) == []
    more = joined(search=RESULTS, extract=twice, validate=[*once, once[0], once[0]])
    assert [problem.rule for problem in more] == ["citation-added"]


def test_confidence_is_compared_for_the_same_claim_alone() -> None:
    given = [replace(one, confidence="medium") for one in CITATIONS]
    checked = list(map(validated, given))
    claims = [GroundedClaim(1, "claim 1", 1, page(1), "quote 1", "high")]
    claims.append(GroundedClaim(2, "another claim", 1, page(1), "quote 1", "high"))
    claims.append(GroundedClaim(3, "a third", 1, page(1), "quote 1", "high", given_confidence="low"))
    problems = joined(search=RESULTS, extract=given, validate=checked, ground=claims)
    assert [(problem.rule, problem.path) for problem in problems] == [
        ("confidence-raised", "grounded_claims[0].confidence"),
        ("confidence-raised", "grounded_claims[2].confidence"),
    ]


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(4)), st.lists(st.integers(0, 3), max_size=4, unique=True))
def test_order_never_matters_and_nothing_lost_is_missed(order: list[int], left: list[int]) -> None:
    after = [validated(CITATIONS[at], at % 2 == 0) for at in order if at in left]
    lost = [problem.path for problem in joined(search=RESULTS, extract=CITATIONS, validate=after)]
    assert lost == [f"extracted_citations[{at}].claim" for at in range(4) if at not in left]


def test_joining_grows_with_the_stages() -> None:
    """Many citations of which each one was changed are paired in time that grows with them."""

    def seconds(number: int) -> float:
        before = loaded(EXTRACT, [citation(n, 1) for n in range(number)])
        after = loaded(VALIDATE, [validated(replace(citation(n, 1), quote=f"other {n}")) for n in range(number)])
        best = 1e9
        for _ in range(3):
            start = process_time()
            assert sum(1 for _ in join({EXTRACT: before, VALIDATE: after})) == number + 1
            best = min(best, process_time() - start)
        return best

    seconds(50)
    assert seconds(1200) < 25 * max(seconds(150), 0.002)
