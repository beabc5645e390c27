"""`pincite research ground`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from ...core.errors import Missing, UsageError
from ...project.documents import root_key
from ...text.lines import format_count
from . import research_kit as research
from .kit import format_option, print_json, say
from .research_kit import Ink

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.research.grounding import ClaimCandidate, Grounding
    from ...domains.research.model import Aborted, GroundedClaim, RejectedClaim
    from ...domains.research.stages import TopicContext

_SCHEMA = "pincite.research-ground/1"


class _Signing(NamedTuple):
    """What a person signs on the command line."""

    accept: tuple[str, ...]
    reject: tuple[str, ...]
    by: str


@click.command("ground")
@click.argument("topic")
@click.option("--claims", metavar="FILE", help="Ground these instead: one claim a line, or YAML with `claims`.")
@click.option("--accept", multiple=True, metavar="ID", help="Vouch for a claim that is not shown, or only implied.")
@click.option("--reject", multiple=True, metavar="ID", help="Reject a claim that counts as grounded.")
@click.option("--by", metavar="NAME", help="With --accept and --reject: who has read the quote.")
@research.judge_options
@format_option()
@research.at_topics
def ground(
    topic: str,
    claims: str | None,
    accept: tuple[str, ...],
    reject: tuple[str, ...],
    by: str | None,
    wishes: research.JudgeWishes,
    format_: str,
    root: str | None,
) -> None:
    """Say which claims their quotes support: high (stated), medium (strongly implied) or low, which is rejected.

    Every decision carries its reasons. A confidence given in the input is never raised and never silently lowered.
    Claims come from the validated citations, or from a mapping that is already in the stage's file. Five grounded
    claims are needed, high or medium; with --least high, five that are high or for which a person vouches.

    Exit code: 0 enough claims are grounded, 1 a rule or a threshold is broken (nothing is written), 2 a file cannot be
    read.
    """
    from ...domains.research.grounding import Grounding
    from ...domains.research.model import GROUND, Aborted
    from ...domains.research.stage_runner import ground_topic

    signing = _Signing(accept, reject, (by or "").strip())
    if bool(accept or reject) != bool(signing.by):
        raise click.UsageError(
            "--accept needs --by NAME, as does --reject, and --by needs --accept or --reject: a person has to sign"
        )
    work = research.open_work(topic, root, wishes)
    wanted, origin = _claims(work, claims) if claims is not None else (None, "")
    failed: Aborted | None = None
    try:
        if signing.by:
            _sign(work, wanted, signing)
        found, _ = ground_topic(work, wanted, origin)
    except Aborted as error:
        failed, found = error, research.salvage_result(error, Grounding, _SCHEMA, work, format_)
    if format_ == "json":
        print_json(_json(work, found, failed))
    else:
        research.emit(_lines(found, Ink()))
    spent = getattr(work.judge, "spent", None)
    if spent is not None:
        say(f"judge {work.judge.name}: {spent}", err=True)
    research.tell_trust(work)
    if failed is not None:
        research.refuse(failed, "json")
    if format_ == "text":
        click.echo(f"written: {work.topic.path(GROUND)}")


def _claims(work: TopicContext, path: str) -> tuple[list[ClaimCandidate], str]:
    from ...domains.research.grounding import claims_file

    key = root_key(work.root, path)
    try:
        return claims_file(work, key), key
    except Missing as error:
        raise UsageError(f"{path}: there is no such file") from error


def _sign(work: TopicContext, wanted: list[ClaimCandidate] | None, wishes: _Signing) -> None:
    """Record that a person has read what these claims rest on."""
    from ...domains.research.attestations import attest_claim, reject_claim
    from ...domains.research.signed_claims import judge_signable, sign_claim

    claims = judge_signable(work, wanted)
    accepted = [claims.find_acceptable(number) for number in wishes.accept]
    rejected = [claims.find_rejectable(number) for number in wishes.reject]
    # The numbers move up when one is accepted: what was signed has to be seen.
    for read in accepted:
        attest_claim(work.root, work.topic.attestations, sign_claim(read, wishes.by))
        say(f"attested: {read.claim}", err=True)
    for read in rejected:
        reject_claim(work.root, work.topic.attestations, sign_claim(read, wishes.by))
        say(f"rejected: {read.claim}", err=True)


def _json(work: TopicContext, found: Grounding, failed: Aborted | None) -> dict[str, object]:
    from ...domains.research.audit_result import count_levels

    return {
        "schema": _SCHEMA,
        "topic": work.topic.name,
        "judge": work.judge.name,
        "grounded_claims": found.grounded,
        "rejected_claims": found.rejected,
        "disagreements": found.disagreements,
        **dict(zip(("high", "medium", "attested"), count_levels(found.grounded), strict=True)),
        "aborted": research.aborted_json(failed),
    }


def _lines(found: Grounding, ink: Ink) -> Iterator[str]:
    from ...domains.research.audit_result import count_levels

    for claim in found.grounded:
        style = "good" if claim.confidence == "high" else "warn"
        yield f"{claim.claim_id:>3}  {ink(f'✓ {claim.confidence:<6}', style)}  {ink(claim.claim)}"
        yield from _rests_on(claim, claim.confidence == "medium", claim.attested, ink)
    for one in found.rejected:
        yield f" {f'R{one.rejected_id}':>2}  {ink(f'✗ {one.verdict}', 'bad')}  {ink(one.claim)}"
        yield from _rests_on(one, one.verdict == "not shown" and one.given_confidence != "low", "", ink)
    for line in found.disagreements:
        yield f"{ink('disagreement', 'warn')}  {ink(line)}"
    total = len(found.grounded) + len(found.rejected)
    rests = f": {research.tell_medium(*count_levels(found.grounded))}" if found.grounded else ""
    yield ink(f"{len(found.grounded)} of {format_count(total, 'claim')} grounded{rests}", "bold")


def _rests_on(claim: GroundedClaim | RejectedClaim, doubtful: bool, attested: str, ink: Ink) -> Iterator[str]:
    """What was judged, why, and what a person can do about it."""
    from ...domains.research.grounding import make_claim_handle

    quote = claim.citation_quote
    if claim.citation_id:
        yield f"     {ink(f'citation {claim.citation_id}', 'dim')}  {ink(claim.citation_url, 'place')}"
    for reason in claim.reasons:
        words = " … ".join(quote[start:end] for start, end in reason.spans[:6])
        said = f": “{words}”" if words and words not in reason.text else ""
        yield f"     {ink(reason.rule, 'dim')}  {ink(reason.text + said)}"
    if attested:
        yield f"     {ink(attested, 'warn')}"
    elif doubtful:
        yield f"     {ink(f'needs a reader: --accept {make_claim_handle(claim.claim, quote)} --by NAME', 'place')}"
    yield ""
