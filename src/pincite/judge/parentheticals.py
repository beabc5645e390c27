"""Which remarks inside a sentence only say more about what is named: `, a terrier,`, `, which was built in 1932,`.

A remark that gives a condition, a time, a source, or says that the thing is no more or never was, changes what the
sentence says. What is not known to be plain counts as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import DETERMINERS, HEDGES, NEGATIONS, SPEECH
from .retractions import UNTRUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken


def _row(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DOUBTING = _row("i we perhaps maybe possibly probably allegedly supposedly reportedly apparently")
_ENDED = _row(
    "demolished destroyed cancelled canceled closed abolished removed ceased doubt doubts turned failed stopped "
    "vanished dissolved scrapped struck vetoed rejected flooded drained burned burnt broken lost extinct defunct "
    "obsolete outdated cleared acquitted pardoned quashed annulled void voided expired lapsed suspended banned "
    "outlawed lifted sunk razed wrecked bombed discontinued shelved postponed blocked halted overruled replaced "
    "deleted disabled dismissed disproved evicted exonerated formerly ruined torn undone"
)
"""These say that it is so no more, or was not."""
_CONDITIONS = _row("unless except excluding if provided though although but whenever given once")
_BOUNDING = _row(
    "only solely merely applies apply applied holds hold held far claims claim claimed alleges alleged says say said "
    "disputes contested uncertain unclear unconfirmed doubtful questioned forged supposed depends depending partly may "
    "might could would until till when while exaggeration"
)
"""These say where or when it holds, or who says so."""
REALITY = _row(
    "figment forgery forgeries invention imagined character pseudonym decoy sham impostor imposter pretender fraud "
    "legend legendary mythical rumoured rumored alleged purported mock simulated staged counterfeit replica fable "
    "fairy fantasy novel satirical spoof fictionalised fictionalized creation puppet dream dreamt simulation joke"
)
"""These say that the thing is not, or not what it is called."""
_TAKING_BACK = UNTRUE | _CONDITIONS | _ENDED | _DOUBTING | NEGATIONS | _BOUNDING | REALITY
_CHANGING = _TAKING_BACK | HEDGES | _row("after before since during then now later today still assuming pending")
"""In a remark without a verb of its own, these say when or whether it is so."""
_PLAIN = _row(
    "born known called named founded located based situated written published built designed created owned directed "
    "led headed composed produced established discovered released introduced invented developed nicknamed dubbed "
    "titled entitled pronounced formed aged married opened edited compiled painted launched spelled abbreviated"
)
"""Participles that tell about a thing where it comes from and what it is called."""
_SAYING = _row("hold holds held joke jokes joked rule ruled rules swear swears swore hope hopes hoped guess bet")
_LEADING = _row("such including like especially particularly also")


def takes_back(words: Sequence[JudgeToken]) -> bool:
    """Whether a remark on what was said takes it back: `, which turned out to be false`, `, which is not so`."""
    return not _TAKING_BACK.isdisjoint([token.low for token in words])


def only_names(words: Sequence[JudgeToken]) -> bool:
    """Whether a remark between commas says no more than who or what it is: `, a terrier,`, `, born in Oslo,`."""
    if not _CHANGING.isdisjoint([token.low for token in words]):
        return False
    first = words[0]
    if first.low in _LEADING and len(words) > 1:
        return True
    if first.low in _PLAIN and len(words) > 1:
        return True
    named = first.low in DETERMINERS or first.text[:1].isupper() or first.kind == "n"
    return named and words[-1].low not in SPEECH and words[-1].low not in _SAYING
