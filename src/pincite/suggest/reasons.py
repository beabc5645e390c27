"""Why a citation is suggested, in a sentence a reader can check."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rank import Candidate

_LONGEST = 60
_MOST_ALSO = 4
_MOST_TIES = 2


def reason_for(one: Candidate) -> str:
    """What ties the sentence to the file, the strongest first, and what the lines themselves hold of it."""
    ties: list[str] = []
    named: list[str] = []
    for kind, term, _ in sorted(one.why, key=lambda sign: -sign[2]):
        said = _TIES.get(kind)
        if said is not None and len(ties) < _MOST_TIES and not any(term in other or other in term for other in named):
            ties.append(said.format(_quoted(term)))
            named.append(term)
    hits = one.narrowed.hits if one.narrowed is not None else ()
    values = [hit.term for hit in hits if hit.kind == "number"]
    if values:
        ties.append(
            f"the lines hold the value {values[0]}"
            if len(values) == 1
            else f"the lines hold the values {_list(values)}"
        )
    told = ("use", "definition", "literal")
    also = [hit.term for hit in hits if hit.kind in told and not any(hit.term in other for other in named)]
    if also and not values:
        ties.append(f"the lines also name {_list([_quoted(term) for term in also])}")
    return ", and ".join(dict.fromkeys(ties)) if ties else "the lines hold what the sentence names"


_TIES = {
    "path": "the sentence names the file ({})",
    "definition": "{} is defined there",
    "one of definitions": "{} is defined there, as in a few other files",
    "literal": "{} stands there",
    "target": "{} is what the command runs, and it is set there",
    "script": "the command {} runs it",
    "use": "{} is used there and in few other files",
    "around path": "what stands before the sentence names the file ({})",
    "around definition": "{}, named before the sentence, is defined there",
}


def _quoted(term: str) -> str:
    short = term if len(term) <= _LONGEST else term[: _LONGEST - 1] + "…"
    return f"`{' '.join(short.split())}`"


def _list(terms: list[str]) -> str:
    return ", ".join(terms[:_MOST_ALSO])
