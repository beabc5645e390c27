"""Remarks that may be dropped: `In conclusion,` before a sentence, `, a terrier,` or `, which is made of brass,` in it.

A remark that gives a condition, a time, a source, or says that the thing is no more or never was, changes what the
sentence says. What is not known to be plain counts as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import CUTTING, DETERMINERS, DISCOURSE, EMBEDDING, HEDGES, NEGATIONS, SPEECH, make_word_set
from .retractions import UNTRUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

_DOUBTING = make_word_set("i we perhaps maybe possibly probably allegedly supposedly reportedly apparently")
_ENDED = make_word_set(
    "demolished destroyed cancelled canceled closed abolished removed ceased doubt doubts turned failed stopped "
    "vanished dissolved scrapped struck vetoed rejected flooded drained burned burnt broken lost extinct defunct "
    "obsolete outdated cleared acquitted pardoned quashed annulled void voided expired lapsed suspended banned "
    "outlawed lifted sunk razed wrecked bombed discontinued shelved postponed blocked halted overruled replaced "
    "deleted disabled dismissed disproved evicted exonerated formerly ruined torn undone"
)
"""These say that it is so no more, or was not."""
_CONDITIONS = make_word_set("unless except excluding if provided though although but whenever given once")
_BOUNDING = make_word_set(
    "only solely merely applies apply applied holds hold held far claims claim claimed alleges alleged says say said "
    "disputes contested uncertain unclear unconfirmed doubtful questioned forged supposed depends depending partly may "
    "might could would until till when while exaggeration"
)
"""These say where or when it holds, or who says so."""
REALITY = make_word_set(
    "figment forgery forgeries invention imagined character pseudonym decoy sham impostor imposter pretender fraud "
    "legend legendary mythical rumoured rumored alleged purported mock simulated staged counterfeit replica fable "
    "fairy fantasy novel satirical spoof fictionalised fictionalized creation puppet dream dreamt simulation joke"
)
"""These say that the thing is not, or not what it is called."""
_TAKING_BACK = UNTRUE | _CONDITIONS | _ENDED | _DOUBTING | NEGATIONS | _BOUNDING | REALITY
_CHANGING = (
    _TAKING_BACK | HEDGES | make_word_set("after before since during then now later today still assuming pending")
)
"""In a remark without a verb of its own, these say when or whether it is so."""
_PLAIN = make_word_set(
    "born known called named founded located based situated written published built designed created owned directed "
    "led headed composed produced established discovered released introduced invented developed nicknamed dubbed "
    "titled entitled pronounced formed aged married opened edited compiled painted launched spelled abbreviated"
)
"""Participles that tell about a thing where it comes from and what it is called."""
_SAYING = make_word_set(
    "hold holds held joke jokes joked rule ruled rules swear swears swore hope hopes hoped guess bet"
)
_LEADING = make_word_set("such including like especially particularly also")
_PHRASES = frozenset(
    (
        "in conclusion|in summary|in sum|in short|in brief|in fact|in addition|in addition to this|in addition to that|"
        "in particular|in contrast|in comparison|in other words|in turn|in the end|in any case|in any event|"
        "in this way|"
        "in the same way|in this sense|in essence|in closing|on the one hand|on the other hand|on top of that|"
        "on top of this|on the contrary|on a related note|as a result|as a consequence|as expected|as usual|as such|"
        "as mentioned|as mentioned above|as mentioned earlier|as mentioned before|as noted|as noted above|"
        "as noted earlier|as stated|as stated above|as stated earlier|as we have seen|as we saw|as can be seen|"
        "as you can see|as we know|for example|for instance|for this reason|for that reason|"
        "for these reasons|of course|"
        "of note|after all|above all|all in all|all the same|all told|first of all|at the same time|at last|"
        "by the way|by contrast|by comparison|by extension|to begin with|to start with|to conclude|to summarize|"
        "to summarise|to sum up|to recap|to be clear|to be sure|to be fair|to be precise|to put it simply|"
        "to put it another way|to this end|to that end|that said|that is to say|that being said|this said|"
        "having said that|with that said|with that in mind|with this in mind|being said|put simply|simply put|"
        "put another way|put differently|broadly speaking|needless to say|what is more|last but not least|"
        "last of all|even so|even more|not only that|be that as it may|taken together|all things considered|"
        "in the meantime|one more thing|again and again|once again|then again|and yet|and so|and then|note|"
        "first|second|third|next|again|still|then|besides|together|well|yes|plus|too|also|else|in return|"
        "it turned out|as it turned out|not least|more to the point|no wonder|along the way"
    ).split("|")
)
_COMMENTS = make_word_set(
    "surprising unsurprising interesting importan notab remarkab significan striking incidental similar equal "
    "consequent according additional final last first second third ultimate unfortunate fortunate sad lucki happi "
    "curious ironic amazing admitted understandab natural obvious clear undoubted certain actual basic "
    "specific crucial "
    "telling odd strange regrettab thankful predictab plain famous simp"
)
"""Words, without `-ly` and the like, that say how something is taken and not how far it is so."""
_BEFORE_COMMENTS = make_word_set("more most very not quite even equally")
_ORDINALS = {"#1": "first", "#2": "second", "#3": "third"}
_REMARKS = make_word_set(
    "it is was should be must can has been worth noted noting mentioning mentioned stressed remembered emphasized "
    "emphasised important interesting also to note that further"
)
_REMARKED = make_word_set("noted mentioning mentioned noting stressed remembered emphasized emphasised note")
"""`It should be noted that` says nothing about what follows."""
_LONGEST_REMARK = 7
_SIDE_NOTES = make_word_set("despite unlike besides thanks along alongside together owing due")
"""These begin a remark before the sentence that takes nothing from it: `Despite the rain,`."""
_LONGEST_NOTE = 10


def takes_back(words: Sequence[JudgeToken]) -> bool:
    """Whether a remark on what was said takes it back: `, which turned out to be false`, `, which is not so`."""
    return not _TAKING_BACK.isdisjoint([token.low for token in words])


def only_names(words: Sequence[JudgeToken]) -> bool:
    """Whether a remark between commas says no more than who or what it is: `, a terrier,`, `, born in Oslo,`."""
    if not _CHANGING.isdisjoint([token.low for token in words]):
        return False
    first = words[0]
    if len(words) > 1 and (first.low in _LEADING or first.low in _PLAIN):
        return True
    named = first.low in DETERMINERS or first.text[:1].isupper() or first.kind == "n"
    return named and words[-1].low not in SPEECH and words[-1].low not in _SAYING


def leads(words: Sequence[JudgeToken]) -> bool:
    """Whether words only lead over to what follows, or remark on it."""
    lows = [_ORDINALS.get(token.low, token.low) for token in words]
    if lows[:1] in (["and"], ["but"], ["so"]):
        lows = lows[1:] or lows
    if not lows or " ".join(lows) in _PHRASES or DISCOURSE.issuperset(lows):
        return bool(lows)
    # `Interestingly`
    told = lows[-1].endswith("ly") and any(lows[-1].removesuffix(one) in _COMMENTS for one in ("ally", "tly", "ly"))
    return told and _BEFORE_COMMENTS.issuperset(lows[:-1])


def notes(words: Sequence[JudgeToken]) -> bool:
    """Whether words name what it happened with, or in spite of: `Despite the rain,`."""
    barring = EMBEDDING | SPEECH | CUTTING | NEGATIONS
    short = 0 < len(words) <= _LONGEST_NOTE and words[0].low in _SIDE_NOTES
    return short and not any(token.kind != "w" or token.low in barring for token in words)


def remarks(words: Sequence[JudgeToken]) -> bool:
    """Whether words are `It should be noted that` and its like."""
    lows = [token.low for token in words]
    if not lows or lows[0] != "it" or lows[-1] != "that" or len(lows) > _LONGEST_REMARK:
        return False
    return not _REMARKED.isdisjoint(lows) and _REMARKS.issuperset(lows)
