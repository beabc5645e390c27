"""How credible a source is: where its score begins, and every step from there, in words."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from .stage_values import day_of, months_before

if TYPE_CHECKING:
    from ...pages.model import Page
    from .source_kinds import HostKind

LOWEST, HIGHEST = 1, 10
PREFERRED = 9
"""From this score on, an old page needs no warning."""
_YOUNG, _OLD = 6, 24
"""Months."""
_LINKS = re.compile(r"\blinks?\b", re.IGNORECASE)
_FEWEST_LINKS = 2
_INSECURE = -2
_BODIES = {"government": "government bodies", "education": "educational institutions"}


class Credibility(Struct, frozen=True):
    """A score from 1 to 10, and how it came about."""

    score: int
    lines: tuple[str, ...]
    """The arithmetic, one step a line: `base 9: …`, `+1 …`, `±0 …`, `= 10 …`; a line of warning may follow."""
    kind: str
    """Of the source; where the page decided, what it is."""


def score(
    source: HostKind,
    page: Page | None,
    verified: bool | None,
    references: bool | None,
    on: date,
    insecure: str = "",
) -> Credibility:
    """The credibility of a page as it was `on` the day it was retrieved, so that years later it is still the same."""
    base, kind, why = _score_base(source, page)
    cited = {None: (0, "references: unknown"), True: (1, "several references"), False: (-2, "no references")}
    steps = [_score_age(page, on), _score_author(page, verified), cited[references]]
    if insecure:
        steps.append((_INSECURE, f"redirected over {insecure}, which is not https"))
    total = base + sum(change for change, _ in steps)
    final = min(max(total, LOWEST), HIGHEST)
    signs = {1: "+", 0: "±", -1: "−"}
    lines = [f"base {base}: {why}"]
    lines += [f"{signs[(change > 0) - (change < 0)]}{abs(change)} {text}" for change, text in steps]
    bound = f" ({total}, at most {HIGHEST})" if total > HIGHEST else f" ({total}, at least {LOWEST})"
    lines.append(f"= {final}{bound if total != final else ''}")
    if steps[0][0] < 0 and final < PREFERRED:
        lines.append(f"warning: older than 2 years, which only a source of {PREFERRED} or more should be")
    return Credibility(final, tuple(lines), kind)


def author_verified(source: HostKind, page: Page | None, attested: str = "") -> tuple[bool | None, str, str]:
    """Whether the author of a page is verified, why, and who it is; `attested` is `NAME, attested by WHOM on DAY`."""
    if attested:
        return True, attested, attested.partition(", attested by ")[0]
    author = page.author.value if page is not None and page.author is not None else ""
    if source.organisation:
        stands = f"{source.organisation} stands behind {source.rule.removeprefix('.') or source.host} ({source.called})"
        if source.how == "suffix":
            bodies = _BODIES.get(source.kind, source.called)
            stands = f"{source.organisation} has a name under {source.rule}, which only {bodies} get"
        return True, stands, author or source.organisation
    if page is None:
        return None, "the page was not read", ""
    if page.author is None:
        if page.kind == "html" and not page.needs_script:
            return False, "the page names no author", ""
        made = "script" if page.needs_script else "plain text" if page.kind == "text" else page.kind
        return None, f"a page of {made} does not say in its metadata who wrote it", ""
    if page.author_confirmed is None:
        return None, f"{author} ({page.author.place}) is named once; nothing else on the page confirms it", author
    return True, f"{author}: {page.author.place}, confirmed by {page.author_confirmed.place}", author


def has_references(page: Page | None) -> tuple[bool | None, str]:
    """Whether a page refers to sources of its own, and where that shows."""
    if page is None:
        return None, "the page was not read"
    number = page.references
    where = f" ({page.references_from})" if page.references_from else ""
    if number is None:
        return None, f"whether the page refers to sources is unknown{where}"
    if number <= 0:
        return False, "the page refers to no sources"
    if number < _FEWEST_LINKS and (not page.references_from or _LINKS.search(page.references_from)):
        return False, f"the page has one link to another site{where}; {_FEWEST_LINKS} are needed"
    return True, f"{number} references{where}" if number > 1 else f"1 reference{where}"


def _score_base(source: HostKind, page: Page | None) -> tuple[int, str, str]:
    """Where the score begins, the kind of source, and both in words."""
    if source.base is not None:
        where = source.rule.removeprefix(".") if source.how != "suffix" else source.rule
        return source.base, source.kind, f"{source.called} ({where})"
    where = source.host or "an address without a name"
    scores = source.pages
    if page is None:
        return scores.unseen, source.kind, f"{source.called} ({where}), page not read"
    signed = page.author is not None
    if page.signed_kind == "technical":
        number, what = (scores.signed_technical if signed else scores.unsigned_technical), "technical page"
    elif page.signed_kind == "forum":
        return scores.forum, "forum", f"forum ({where})"
    else:
        number, what = (scores.signed if signed else scores.unsigned), "blog" if page.signed_kind == "blog" else "page"
    what = f"{'signed' if signed else 'unsigned'} {what}"
    return number, what, f"{what} ({where})"


def _score_age(page: Page | None, on: date) -> tuple[int, str]:
    if page is None:
        return 0, "age: the page was not read"
    said = page.published.value if page.published is not None else ""
    published = day_of(said)
    if published is None:
        return 0, "publication date unknown"
    if (published - on).days > 1:
        return 0, f"publication date {said} lies after the day it was retrieved ({on})"
    step = _step(published, on)
    if step > 0 and page.changed_last:
        return 0, f"publication date unknown (last changed {said})"
    other = day_of(page.date_other)
    if page.date_unsure and (step > 0 if other is None else _step(other, on) != step):
        return 0, f"publication date unsure: {page.date_unsure}"
    if step > 0:
        return 1, f"younger than 6 months (published {said}, retrieved {on})"
    if step < 0:
        return -1, f"older than 2 years (published {said}, retrieved {on})"
    return 0, f"between 6 months and 2 years old (published {said}, retrieved {on})"


def _step(published: date, on: date) -> int:
    if published > months_before(on, _YOUNG):
        return 1
    return -1 if published < months_before(on, _OLD) else 0


def _score_author(page: Page | None, verified: bool | None) -> tuple[int, str]:
    if verified:
        return 1, "verified author"
    if page is None:
        return 0, "author: the page was not read"
    if page.author is not None:
        return 0, "author named, not verified"
    # Only a page whose metadata can be read can be said to name no author.
    return (-1, "no author") if page.kind == "html" and not page.needs_script else (0, "author not known")
