"""The fourth stage: claims and their citations, a judge between them, and confidences that nobody raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.domains.research.attestations import Attestations, ClaimAttestation
from pincite.domains.research.grounding import (
    ClaimCandidate,
    candidates,
    given_number,
    ground,
    read_claims,
    read_mapped_claims,
)
from pincite.domains.research.model import GROUND, Aborted, Details, GroundedClaim, ValidatedCitation
from pincite.domains.research.stage_runner import ground_topic, validate_topic
from pincite.judge.offline import Offline

pytestmark = pytest.mark.usefixtures("foreseeable")
QUOTES = ("The moon raises two tides a day.", "The harbour is 14 metres deep at low water.", "Salmon climb the weir.")


def validated(quote: str, at: int, ok: bool = True, **more: Any) -> ValidatedCitation:
    checks = Details(True, True, True, None, "A", True, True)
    url = f"https://p{at}.example/"
    reason = None if ok else "quote_found is false"
    return ValidatedCitation(
        more.get("claim", quote), quote, url, "secondary", "T", "2026-05-02", ok, 7, checks, reason, more.get("given")
    )


CITATIONS = [validated(quote, at) for at, quote in enumerate(QUOTES, 1)]


def judged(
    made: Any, wanted: Sequence[ClaimCandidate], citations: Sequence[ValidatedCitation] = CITATIONS, **more: Any
) -> Any:
    return ground(wanted, citations, made.Literal(), more.get("attestations", Attestations()))


def test_stated_implied_and_not_shown(made: Any) -> None:
    found = judged(
        made,
        [
            ClaimCandidate("The moon raises two tides a day.", 1),
            ClaimCandidate("The harbour is very deep at low water.", 2),
            ClaimCandidate("Trout are unhappy.", 3),
        ],
    )
    assert [(one.claim_id, one.confidence, one.citation_id) for one in found.grounded] == [
        (1, "high", 1),
        (2, "medium", 2),
    ]
    assert [(one.rejected_id, one.verdict, one.citation_id) for one in found.rejected] == [(1, "not shown", 3)]
    assert found.grounded[0].reasons[0].spans and found.rejected[0].reasons
    assert found.grounded[0].citation_url == "https://p1.example/" and found.grounded[0].citation_quote == QUOTES[0]


def test_another_citation_that_carries_a_claim_is_taken(made: Any) -> None:
    found = judged(made, [ClaimCandidate("The moon raises two tides a day.", 3)])
    (one,) = found.grounded
    assert (one.citation_id, one.reasons[-1].rule, given_number(one)) == (1, "another-citation", 3)


def test_a_claim_of_a_citation_that_is_not_validated(made: Any) -> None:
    citations = [validated(QUOTES[0], 1, False), *CITATIONS[1:]]
    found = judged(
        made, [ClaimCandidate(QUOTES[0], 1), ClaimCandidate("No one.", 0), ClaimCandidate("No two.", 9)], citations
    )
    assert [one.verdict for one in found.rejected] == ["not validated"] * 3
    assert "quote_found is false" in found.rejected[0].reasons[0].text
    assert [one.citation_id for one in found.rejected] == [1, 0, 0]
    assert [given_number(one) for one in found.rejected] == [1, 0, 9]


def test_a_citation_that_is_not_validated_carries_no_claim(made: Any) -> None:
    citations = [validated(QUOTES[0], 1, False), *CITATIONS[1:]]
    assert judged(made, [ClaimCandidate(QUOTES[0], 2)], citations).grounded == ()


@pytest.mark.parametrize(
    ("claim", "given", "becomes"),
    [
        ("The moon raises two tides a day.", "medium", "medium"),
        ("The moon raises two tides a day.", "high", "high"),
        ("The moon raises two tides a day.", "low", "rejected"),
        ("The moon often raises two tides a day.", "high", "medium"),
        ("The moon often raises two tides a day.", "low", "rejected"),
        ("The moon raises 7 tides a day.", "high", "rejected"),
        ("Nobody knows anything.", "high", "rejected"),
        ("Nobody knows anything.", "medium", "rejected"),
    ],
)
def test_a_given_confidence_is_never_raised_and_never_silently_lowered(
    made: Any, claim: str, given: str, becomes: str
) -> None:
    found = judged(made, [ClaimCandidate(claim, 1, given)])
    assert [one.confidence for one in found.grounded] == ([] if becomes == "rejected" else [becomes])
    (one,) = (*found.grounded, *found.rejected)
    assert one.given_confidence == given
    told = made.Literal().assess(claim, QUOTES[0]).level
    assert len(found.disagreements) == int(told != given)
    assert all(f"the input says {given}" in line and told in line for line in found.disagreements)


def test_a_claim_that_its_input_calls_low_says_why_it_is_rejected(made: Any) -> None:
    (one,) = judged(made, [ClaimCandidate(QUOTES[0], 1, "low")]).rejected
    assert (one.verdict, one.reasons[-1].rule) == ("not shown", "given-confidence")


def test_an_attest_claim(made: Any) -> None:
    signed = Attestations(
        claims=tuple(
            ClaimAttestation(claim, QUOTES[0], "Jo", "2026-05-03")
            for claim in ("Nobody knows.", "The moon raises 7 tides a day.")
        )
    )
    wanted = [
        ClaimCandidate("Nobody knows.", 1),
        ClaimCandidate("Nobody knows.", 2),
        ClaimCandidate("The moon raises 7 tides a day.", 1),
        ClaimCandidate("Nobody knows.", 1, "high"),
        ClaimCandidate("Nobody knows.", 1, "low"),
    ]
    found = judged(made, wanted, attestations=signed)
    assert [(one.confidence, one.attested) for one in found.grounded] == [
        ("medium", "attested by Jo on 2026-05-03")
    ] * 2
    assert [(one.verdict, one.citation_id) for one in found.rejected] == [
        ("not shown", 2),
        ("contradicted", 1),
        ("not shown", 1),
    ]


def test_claims_of_citations(made: Any) -> None:
    assert candidates([validated("q", 1, claim="c", given="medium")]) == [ClaimCandidate("c", 1, "medium")]


MAPPING = """grounded_claims:
  - {claim_id: 1, claim: "The moon raises two tides a day.", citation_id: 1, citation_url: "https://tides.example/moon",
     citation_quote: "The moon raises two tides a day.", confidence: medium}
  - {claim_id: 2, claim: "The harbour is deep at low water.", citation_id: 3, citation_url: "https://harbour.example/depth",
     citation_quote: "The harbour is 14 metres deep at low water.", confidence: high}
  - {claim_id: 3, claim: "Salmon climb the weir in autumn.", citation_id: 1, citation_url: "https://tides.example/moon",
     citation_quote: "The moon raises two tides a day.", confidence: high}
  - {claim_id: 4, claim: "The weir is made of stone.", citation_id: 5, citation_url: "https://weir.example/fish",
     citation_quote: "Salmon climb the weir in autumn.", confidence: high}
  - {claim_id: 5, claim: "A ladder of 9 pools helps them.", citation_id: 6, citation_url: "https://weir.example/fish",
     citation_quote: "A ladder of 9 pools helps them.", confidence: low}
  - {claim_id: 7, claim: "Ships of 200 metres can turn in it.", citation_id: 4,
     citation_url: "https://harbour.example/depth", citation_quote: "Ships of 200 metres can turn in it.",
     confidence: high}
  - {claim_id: 8, claim: "Nothing carries this.", citation_id: 44, citation_url: "https://weir.example/fish",
     citation_quote: "Salmon climb the weir in autumn.", confidence: high}
  - {claim_id: 9, claim: "A ladder of 9 pools helps.", citation_id: 6, citation_url: "https://weir.example/fish",
     citation_quote: "A ladder of 9 pools helps them.", confidence: high}
rejected_claims:
  - {rejected_id: 1, claim: "Fish dream.", verdict: "not shown", citation_id: 5, citation_url: "https://weir.example/fish"}
"""


def test_a_mapping_of_somebody_else_is_judged(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    held.file(GROUND).write_text(MAPPING)
    found, _ = ground_topic(held.work(offline=True))
    assert [(one.claim_id, one.confidence, one.given_confidence, one.citation_id) for one in found.grounded] == [
        (1, "medium", "medium", 1),
        (2, "medium", "high", 3),
        (3, "high", "high", 5),
        (4, "high", "high", 4),
        (5, "high", "high", 6),
    ]
    assert [(one.claim, one.verdict, one.given_confidence) for one in found.rejected] == [
        ("The weir is made of stone.", "not shown", "high"),
        ("A ladder of 9 pools helps them.", "not shown", "low"),
        ("Nothing carries this.", "not validated", "high"),
        ("Fish dream.", "not shown", None),
    ]
    assert len(found.disagreements) == 4


def test_judging_a_mapping_twice_gives_the_same_bytes(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    held.file(GROUND).write_text(MAPPING)
    first, _ = ground_topic(held.work(offline=True))
    bytes_ = held.file(GROUND).read_bytes()
    again, _ = ground_topic(held.work(offline=True))
    assert held.file(GROUND).read_bytes() == bytes_
    assert (again.grounded, again.rejected) == (first.grounded, first.rejected)


def test_what_was_judged_follows_every_rule(made: Any, held: Any) -> None:
    from pincite.domains.research.stage_check import check

    validate_topic(held.work(offline=True))
    held.file(GROUND).write_text(MAPPING)
    ground_topic(held.work(offline=True))
    assert [problem.message for problem in check(held.work().root, "tides").problems if problem.severity == 2] == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("confidence: medium", "confidence: certain", "unknown-confidence|'certain'"),
        ("claim_id: 2", "claim_id: two", "claim_id"),
        ("grounded_claims:", "claims:", "grounded_claims"),
        ("claim_id: 2", "claim_id: 1", "claim_id 1"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_refused(made: Any, held: Any, old: str, new: str, rule: str) -> None:
    validate_topic(held.work(offline=True))
    text = MAPPING.replace(old, new, 1)
    held.file(GROUND).write_text(text)
    with pytest.raises(Aborted, match=rule) as caught:
        ground_topic(held.work(offline=True))
    assert caught.value.exit_code == 1
    assert held.file(GROUND).read_text() == text


def test_our_own_file_is_no_mapping_of_somebody_else(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    ground_topic(held.work(offline=True))
    assert read_mapped_claims(held.work()) == (None, "source-validator")


def test_claims_of_a_file_are_taken_from_it_again(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    (held.top / "claims.txt").write_text("".join(f"{row[0]}\n" for row in made.ROWS[1:]))
    work = held.work(offline=True)
    found, _ = ground_topic(work, read_claims((held.top / "claims.txt").read_text(), "claims.txt"), "claims.txt")
    assert [one.claim for one in found.grounded] == [row[0] for row in made.ROWS[1:]]
    first = held.file(GROUND).read_bytes()
    ground_topic(held.work(offline=True))
    assert held.file(GROUND).read_bytes() == first
    (held.top / "claims.txt").write_text("Something else.\n")
    with pytest.raises(UsageError, match=r"claims\.txt: changed since.*--claims claims\.txt"):
        ground_topic(held.work(offline=True))
    (held.top / "claims.txt").unlink()
    found, _ = ground_topic(held.work(offline=True))
    assert [one.claim for one in found.grounded] == [row[0] for row in made.ROWS[1:]]


def test_no_file_is_read_because_a_mapping_names_it(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    (held.top / ".env").write_text("PASSWORD=secret words\n")
    held.file(GROUND).write_text("made: {claims_from: .env, claims: guessed}\n" + MAPPING)
    with pytest.raises(UsageError, match=r"\.env: changed"):
        ground_topic(held.work(offline=True))
    assert "secret" not in held.file(GROUND).read_text()


def test_files_of_claims() -> None:
    lines = "# what we want to say\n- The first.\nThe second.\n\n"
    assert read_claims(lines, "c") == [ClaimCandidate("The first."), ClaimCandidate("The second.")]
    yaml = "claims:\n  - The first.\n  - {claim: The second., citation_id: 2, confidence: medium, section: Two}\n"
    assert read_claims(yaml, "c") == [ClaimCandidate("The first."), ClaimCandidate("The second.", 2, "medium", "Two")]
    assert read_claims('{"claims": ["The first."]}', "c") == [ClaimCandidate("The first.")]
    assert read_claims("", "c") == []


@pytest.mark.parametrize(
    "text",
    [
        "claims: 5",
        "claims: none of them",
        "claims: {a: b}",
        "claims: [5]",
        "claims: [[a]]",
        "claims:\n  - {claim: a, citation_id: two}",
        "claims:\n  - {claim: a, citation_id: -1}",
        "claims:\n  - {claim: a, confidence: certain}",
        "claims:\n  - {claim: a, section: ''}",
        "claims:\n  - {claim: ''}",
        "claims:\n  - {citation_id: 1}",
        'claims:\n  - "\\e[31mred"',
        "claims: [",
        "{",
        "a claim with \x1b[31m in it",
        "claims: " + "[" * 400,
    ],
)
def test_what_is_no_file_of_claims(text: str) -> None:
    with pytest.raises(UsageError, match=r"^c\.txt: "):
        read_claims(text, "c.txt")


def test_too_few_claims_leave_what_was_there(made: Any, held: Any) -> None:
    validate_topic(held.work(offline=True))
    held.file(GROUND).write_text(MAPPING)
    before = held.state()
    with pytest.raises(Aborted, match=r"claim-grounding-mapper: 4 claims; at least 5 claims needed\. Reword") as caught:
        ground_topic(held.work(offline=True), [ClaimCandidate(row[0]) for row in made.ROWS[:4]], "c.txt")
    assert isinstance(caught.value.result.grounded[0], GroundedClaim)  # type: ignore[attr-defined]
    assert held.state() == before


def test_a_claim_without_a_citation_is_told_what_denies_it(made: Any) -> None:
    found = ground([ClaimCandidate("The moon raises three tides a day.")], CITATIONS, Offline(), Attestations())
    assert [(one.verdict, one.citation_id) for one in found.rejected] == [("contradicted", 1)]


def test_what_its_own_source_denies_needs_another_that_says_it() -> None:
    hinted = [
        validated("The moon raises three tides a day.", 1),
        validated("In May the moon raises two tides a day.", 2),
    ]
    (one,) = ground([ClaimCandidate("The moon raises two tides a day.", 1)], hinted, Offline(), Attestations()).rejected
    assert (one.verdict, one.citation_id) == ("contradicted", 1)


def test_one_claim_written_five_times_is_one(made: Any, bed: Any) -> None:
    bed.given([(made.MOON, made.MOON, made.TIDES)] * 5)
    work = bed.work(made.Fetching())
    validate_topic(work)
    with pytest.raises(Aborted, match="1 claim; at least 5 claims needed"):
        ground_topic(work)
