"""What a sentence may begin with that says nothing about what follows: `In conclusion,`, `Interestingly,`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import CUTTING, DISCOURSE, EMBEDDING, NEGATIONS, SPEECH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

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
_COMMENTS = frozenset(
    "surprising unsurprising interesting importan notab remarkab significan striking incidental similar equal "
    "consequent according additional final last first second third ultimate unfortunate fortunate sad lucki happi "
    "curious ironic amazing admitted understandab natural obvious clear undoubted certain actual basic "
    "specific crucial "
    "telling odd strange regrettab thankful predictab plain famous simp".split()
)
"""Words, without `-ly` and the like, that say how something is taken and not how far it is so."""
_BEFORE_COMMENTS = frozenset("more most very not quite even equally".split())
_ORDINALS = {"#1": "first", "#2": "second", "#3": "third"}
_REMARKS = frozenset(
    "it is was should be must can has been worth noted noting mentioning mentioned stressed remembered emphasized "
    "emphasised important interesting also to note that further".split()
)
_REMARKED = frozenset("noted mentioning mentioned noting stressed remembered emphasized emphasised note".split())
"""`It should be noted that` says nothing about what follows."""
_LONGEST_REMARK = 7
_SIDE_NOTES = frozenset("despite unlike besides thanks along alongside together owing due".split())
"""These begin a remark before the sentence that takes nothing from it: `Despite the rain,`."""
_LONGEST_NOTE = 10


def comments(low: str) -> bool:
    """Whether a word says how something is told: `interestingly`."""
    if not low.endswith("ly"):
        return False
    return any(low.endswith(ending) and low.removesuffix(ending) in _COMMENTS for ending in ("ally", "tly", "ly"))


def leads(words: Sequence[JudgeToken]) -> bool:
    """Whether words only lead over to what follows, or remark on it."""
    lows = [_ORDINALS.get(token.low, token.low) for token in words]
    if lows and lows[0] in ("and", "but", "so"):
        lows = lows[1:] or lows
    if " ".join(lows) in _PHRASES or (lows and all(low in DISCOURSE for low in lows)):
        return True
    if lows and comments(lows[-1]):
        return all(low in _BEFORE_COMMENTS for low in lows[:-1])
    return False


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
