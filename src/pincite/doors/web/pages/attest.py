"""A person signs: that a quote supports a claim, that it does not, or who wrote a page. The change is shown first."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import Missing
from ....domains.research.attestations import (
    AuthorAttestation,
    attest_author,
    attest_claim,
    load_attestations,
    reject_claim,
    render_attestations,
)
from ....domains.research.signed_claims import judge_signable, sign_author, sign_claim
from ....engine.repair.patch import patch_between
from ....text.lines import decode, shorten
from ..records import Redirect
from ..routes import ActionRoute, PageRoute, Refusal
from ..topic_view import find_other_judge, open_topic_of

if TYPE_CHECKING:
    from ....domains.research.attestations import ClaimAttestation
    from ....domains.research.model import GroundedClaim, RejectedClaim
    from ....domains.research.stages import TopicContext
    from ..routes import PageContext

_ACCEPT, _REJECT = "accept", "reject"


class SigningQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person would sign. With a name, the page shows what would be written."""

    topic: str
    claim: str = ""
    """The short name of a claim; or else `url`."""
    word: str = _ACCEPT
    """Of a claim: `accept`, the quote supports it, or `reject`, it does not."""
    url: str = ""
    """The page whose author a person vouches for."""
    author: str = ""
    by: str = ""
    """The name that signs."""
    note: str = ""


class SigningForm(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person signs, and the state of the file that they saw."""

    topic: str
    by: str
    digest: str
    """The digest of the file as the page showed it; empty where there was none."""
    claim: str = ""
    word: str = _ACCEPT
    url: str = ""
    author: str = ""
    note: str = ""


class SigningPreview(Struct, frozen=True):
    """What signing would write."""

    topic: str
    claim: str
    """The short name of the claim; empty where a page is meant."""
    word: str
    said: str
    """The claim in words; empty where a page is meant."""
    quote: str
    url: str
    author: str
    by: str
    note: str
    file: str
    digest: str
    """The digest of the file as it is now; empty where there is none."""
    diff: tuple[str, ...]
    """How the file would change; empty before a name is given."""


def preview_signing(context: PageContext, query: SigningQuery) -> SigningPreview:
    """What would be signed, and how the file would change."""
    _require_one_subject(query)
    with open_topic_of(context.site, query.topic) as work:
        said, quote = "", ""
        if query.claim:
            found = _find_claim(work, query)
            said, quote = found.claim, found.citation_quote
        key = work.topic.attestations
        old = _read(work)
        diff: tuple[str, ...] = ()
        if query.by:
            known = load_attestations(work.root, key)
            entry = _make_entry(work, query)
            if isinstance(entry, AuthorAttestation):
                changed = known.add_author(entry)
            elif query.word == _REJECT:
                changed = known.add_rejection(entry)
            else:
                changed = known.add_claim(entry)
            new = render_attestations(key, changed)
            diff = tuple(patch_between(key, decode(old or b""), decode(new)))
        return SigningPreview(
            work.topic.name,
            query.claim,
            query.word,
            said,
            quote,
            query.url,
            query.author,
            query.by,
            query.note,
            key,
            _digest(old),
            diff,
        )


def sign(context: PageContext, form: SigningForm) -> Redirect:
    """Write what a person signs; refused where the file is not as the page showed it."""
    _require_one_subject(form)
    site = context.site
    with site.writing, open_topic_of(site, form.topic) as work:
        if _digest(_read(work)) != form.digest:
            raise Refusal(409, f"{work.topic.attestations} changed since it was shown; look at the change again")
        entry = _make_entry(work, form)
        if isinstance(entry, AuthorAttestation):
            attest_author(work.root, work.topic.attestations, entry)
        elif form.word == _REJECT:
            reject_claim(work.root, work.topic.attestations, entry)
        else:
            attest_claim(work.root, work.topic.attestations, entry)
        name = work.topic.name
    site.look_again()
    return Redirect(context.links.page("topic", topic=name))


def _require_one_subject(given: SigningQuery | SigningForm) -> None:
    if bool(given.claim) == bool(given.url):
        raise Refusal(422, "name a claim or a page: one of `claim` and `url`")
    if given.word not in (_ACCEPT, _REJECT):
        raise Refusal(422, f"word: expected {_ACCEPT} or {_REJECT}")


def _make_entry(work: TopicContext, given: SigningQuery | SigningForm) -> AuthorAttestation | ClaimAttestation:
    if given.url:
        return sign_author(work, given.url, given.author, given.by, given.note)
    return sign_claim(_find_claim(work, given), given.by, given.note)


def _find_claim(work: TopicContext, given: SigningQuery | SigningForm) -> GroundedClaim | RejectedClaim:
    judge = find_other_judge(work)
    if judge:
        option = f"--{given.word} {shorten(given.claim, 40)} --by NAME --judge …"
        raise Refusal(409, f"judged by {judge}; type `pincite research ground {work.topic.name} {option}`")
    claims = judge_signable(work)
    return claims.find_rejectable(given.claim) if given.word == _REJECT else claims.find_acceptable(given.claim)


def _read(work: TopicContext) -> bytes | None:
    try:
        return work.root.read(work.topic.attestations)
    except Missing:
        return None


def _digest(data: bytes | None) -> str:
    return sha256(data).hexdigest() if data is not None else ""


PAGES = (
    PageRoute(
        "attest",
        "/research/{topic}/attest",
        "What signing for a claim or an author would write",
        SigningQuery,
        SigningPreview,
        preview_signing,
        "attest.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "sign", "/research/{topic}/attest", "Sign for a claim or for the author of a page", SigningForm, Redirect, sign
    ),
)
