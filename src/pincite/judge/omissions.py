"""What the quote says and the claim leaves out, where leaving it out says more: may, some of, if, claims that, in mice.

Dropping a word is harmless far more often than not: `in the park` may go. What may not go is what the sentence says
about its own statement: how sure it is, on what condition, of how many, on whose word, in which world.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.stems import base
from .comparison import Finding, doubt
from .containment import key
from .lexicon import AUXILIARIES, FUNCTION, HEDGES, NEGATIONS, make_word_set
from .model import NOT_SHOWN, Reason
from .retractions import STOOD, UNTRUE, addresses_reader
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Callable

    from .comparison import Comparison
    from .numbers import JudgeToken


def _family(words: str) -> frozenset[str]:
    """Words by what their forms share."""
    return frozenset(base(word) for word in words.split())


_MODALS = make_word_set("may might could would should")
_WILLING = make_word_set("can possible must if")
_DOUBTS = make_word_set(
    "possibly probably likely perhaps maybe allegedly reportedly supposedly apparently potentially presumably "
    "purportedly ostensibly hypothetically conceivably"
)
_INTENTS = _family(
    "plan expect intend hope aim try attempt seek want propose consider design threaten schedule wish suppose mean vow "
    "appear seem"
)
_GUESSES = _family(
    "suspect suggest speculate hypothesize theorize whether unclear rumor fear imagine suppose dream pretend assume "
    "predict wonder question"
)
_PROPOSED = _family("propose consider")
_VOICES = _family(
    "say tell claim report state believe think argue announce allege assert maintain insist warn estimate write accuse "
    "accord contend note add explain deny dispute suspect"
)
_PARTIAL_VOICES = _family("claim allege accuse believe argue insist contend maintain assert deny dispute think suspect")
_CONDITIONS = make_word_set("if unless except excluding")
_GIVEN = make_word_set("provided providing assuming")
"""Before `that`, these are conditions."""
_WHEN = make_word_set("when whenever only without could would not long")
_BOUND_ONLY = make_word_set("if when in for on to with after under among by at")
_TURNS = make_word_set("but although though")
_FAILINGS = NEGATIONS | make_word_set("fail failed fails only")
_PARTS = make_word_set("some few half part most many several fraction minority third quarter")
_SOME = make_word_set("some several certain")
_QUANTITIES = make_word_set("some few several many most half part partly any among")
_TRIED_ON = make_word_set(
    "mice rats mouse rat animals vitro rodents monkeys zebrafish pigs cells patients adults children women men infants "
    "teenagers adolescents participants volunteers students smokers"
)
_INTO = make_word_set("in among for with on over")
_TOGETHER = _family("associate link correlate correlation association tie relate coincide follow")
_CAUSES = _family(
    "cause lead because due result trigger prevent make reduce increase lower raise improve protect drive produce "
    "boost cut harm help induce"
)
_BECAUSE = _family("because cause due result trigger lead thanks owing")
_LEADS_TO = _BECAUSE | _family(
    "since make prompt force drive produce therefore so thus bring induce create after from by kill reason responsible "
    "contribute give for as over"
)
_WORLDS = make_word_set(
    "novel game fiction fictional story legend legends myth myths mythology film movie dream universe satire parody "
    "hypothetical screenplay comic anime episode hoax simulation demo drill scenario fictitious dummy sample musical "
    "portrays portrayed depicts depicted"
)
_TOLD = make_word_set("character characters plot scene player players series show protagonist book")
_RELATIVES = make_word_set(
    "successor predecessor rival daughter son father mother wife husband widow brother sister nephew niece cousin "
    "critic opponent enemy friend assistant student pupil teacher ally partner subsidiary competitor owner founder "
    "biographer deputy spokesman spokeswoman lawyer employee colleague descendant ancestor neighbour neighbor"
)
_FOUND_TO_BE = AUXILIARIES | make_word_set("proved turned to")
_NEAR, _FAR = 4, 8
_MOST_AFTER = 0.8
"""The part of the shared words that must follow a voice for it to speak them."""


_OWNING = make_word_set("'s of his her its their")
_LIMITS = make_word_set(
    "nearly almost fake former ex deputy partially partly planned alleged proposed semi would acting vice assistant "
    "unofficial draft interim provisional tentative attempted failed unsuccessful aspiring prospective pseudo mock "
    "counterfeit unfinished mostly largely virtually practically potential suspected supposed honorary imitation "
    "hypothetical purported presumed abandoned cancelled canceled quasi nominally ostensibly seemingly barely apparent"
)
"""Before a word, these take something from it."""
_NOT_LIMITED = make_word_set("to of by in on at from with for than as that")
_LIMITING_PHRASES = tuple(
    phrase.split()
    for phrase in (
        "on paper|in theory|in principle|at best|at worst|at times|on average|in part|for the most part|for now|"
        "for the time being|legend has it|so the story goes|in his view|in her view|in their view|in my view|"
        "in our view|give or take|apart from|aside from|all but|with the exception|some say|it is said|"
        "it was claimed|to some extent|up to a point|in name only|more or less|in most cases|in some cases"
    ).split("|")
)
_OPENERS = HEDGES | make_word_set("ideally formerly sometimes officially nominally legally untreated unofficially")
_INVERTED = make_word_set("had were should")
_WISHED = make_word_set("would could might")


def _leads(pair: Comparison, at: int, reach: int) -> bool:
    """Whether a shared word stands at most so far behind a place."""
    place = bisect_right(pair.shared, at)
    return place < len(pair.shared) and pair.shared[place] <= at + reach


def _is_in_shared_clause(pair: Comparison, at: int) -> bool:
    """Whether a shared word stands between the same semicolons as a place."""
    cuts = [place for place, token in enumerate(pair.sentence) if place and ";" in token.lead]
    return any(bisect_right(cuts, place) == bisect_right(cuts, at) for place in pair.shared)


def _leads_most(pair: Comparison, at: int) -> bool:
    """Whether the words that both share stand behind a place."""
    return len(pair.shared) - bisect_right(pair.shared, at) >= _MOST_AFTER * len(pair.shared)


def _following(pair: Comparison, at: int, reach: int = 1) -> list[str]:
    return [other.low for other in pair.sentence[at + 1 : at + 1 + reach]]


def _is_hedge(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`may`, `probably`, `plans to`, `suspects that` before what the claim says outright."""
    word = base(token.low)
    if token.low in _MODALS and pair.said.isdisjoint(_WILLING) and not (at and token.text == "May"):
        return _leads(pair, at, _NEAR)
    if token.low in _DOUBTS and _leads(pair, at, _NEAR):
        return True
    intended = word in _INTENTS and ("to" in _following(pair, at, _FAR) or word in _PROPOSED)
    if intended and _leads(pair, at, _NEAR + 1):
        return True
    return word in _GUESSES and _leads(pair, at, _NEAR + 2) and _leads_most(pair, at)


def _is_attribution(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`Critics claim that`, `according to`: the claim does not say whose word it is."""
    word = base(token.low)
    spoken = word in _VOICES and _following(pair, at) == ["that"]
    voiced = spoken or word in _PARTIAL_VOICES or token.low == "according"
    return voiced and _leads(pair, at, _FAR) and _leads_most(pair, at)


def _is_condition(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`if`, `unless`, `except`, `only when`."""
    after = "".join(_following(pair, at))
    found = (
        token.low in _CONDITIONS
        or (token.low == "only" and (not after or after in _BOUND_ONLY))
        or (token.low in _GIVEN and (after == "that" or not at))
        or (token.low, after) in (("as", "long"), ("absence", "of"))
    )
    return found and _is_in_shared_clause(pair, at)


def _is_bounding_opener(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """A sentence that begins with `Without` or `Under`."""
    return not at and token.low in ("without", "under") and token.low not in pair.said


def _is_contrast(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`but not in children`, `although it failed`."""
    if token.low not in _TURNS or _FAILINGS.isdisjoint(_following(pair, at, _NEAR)):
        return False
    words = zip(pair.sentence[:at], pair.sentence_keys, strict=False)
    return any(other.low not in FUNCTION and word not in pair.keys for other, word in words)


def _is_partitive(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`some of the samples`, `three of the sixteen regions`."""
    after = _following(pair, at)
    if not after:
        return False
    if not at and token.low == "of" and _is_of_some(pair):
        return True
    counted = token.low in _PARTS or (token.kind == "n" and not token.unit and token.low not in pair.said)
    whole = token.low == "part" and at and pair.sentence[at - 1].low == "a"
    if counted and not whole and after == ["of"] and _leads(pair, at, _NEAR + 1):
        return True
    return token.low in _SOME and _leads(pair, at, 2)


def _is_of_some(pair: Comparison) -> bool:
    """Whether a sentence begins with how many there are and goes on with how many of them it speaks of."""
    numbers = [token for token in pair.sentence if token.kind == "n" and not token.unit]
    return len(numbers) > 1 and numbers[0].value > numbers[1].value and numbers[1].low not in pair.said


def _is_choice(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`either copper or aluminium` for one of them, `Wi-Fi or Ethernet` for both."""
    if token.low != "or" or not 0 < at < len(pair.sentence) - 1:
        return False
    both = at - 1 in pair.shared and (at + 1 in pair.shared or at + 2 in pair.shared)
    return any(other.low == "either" for other in pair.sentence) or (both and "and" in pair.said)


def _is_study_population(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`in mice`, `among women over sixty`."""
    before = pair.sentence[max(0, at - _NEAR) : at]
    return (
        token.low in _TRIED_ON and pair.sentence_keys[at] not in pair.keys and any(one.low in _INTO for one in before)
    )


def _is_correlation(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`is associated with` where the claim says that it causes."""
    return base(token.low) in _TOGETHER and bool(pair.bases & _CAUSES)


def _has_no_cause(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """Nothing of the kind where the claim says `because`."""
    if at != pair.shared[0] or not pair.bases & _BECAUSE:
        return False
    return not any(base(other.low) in _LEADS_TO for other in pair.sentence)


def _is_untrue_report(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`The rumour that … turned out to be unfounded`."""
    before = {other.low for other in pair.sentence[max(0, at - 3) : at]}
    return token.low in UNTRUE and bool(before & _FOUND_TO_BE) and before.isdisjoint(NEGATIONS)


def _is_relative(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`The successor of Abbot Hugh` where the claim says `Abbot Hugh`."""
    related = token.low in _RELATIVES and pair.sentence_keys[at] not in pair.keys
    return related and _following(pair, at) == ["of"] and _leads(pair, at, _NEAR)


def _is_owned(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`Oracle's partner` where the claim says `Oracle`."""
    owned = at > 1 and pair.sentence[at - 1].low == "'s" and at - 2 in pair.shared
    return owned and token.low not in FUNCTION and pair.sentence_keys[at] not in pair.keys


def _is_fiction(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`in the novel`, `a common myth`: the claim speaks of the world."""
    return token.low in _WORLDS and at > 0 and _leads_most(pair, at)


def _is_denying_remark(pair: Comparison, at: int, token: JudgeToken) -> bool:
    """`, which is not true`, `, which turned out to be false`."""
    if token.low != "which" or not has_mark_before(token):
        return False
    rest = {other.low for other in pair.sentence[at + 1 :]} - pair.said
    return bool(rest & UNTRUE or (rest & NEGATIONS and rest & STOOD))


class _Reserve(Struct, frozen=True):
    """A way to say less than the claim does."""

    rule: str
    is_said: Callable[[Comparison, int, JudgeToken], bool]
    """Whether a word of the sentence says so."""
    text: str
    words: frozenset[str] = frozenset()
    """With one of these words, the claim says so too."""
    family: frozenset[str] = frozenset()
    """The same, in any form."""


_NOT_SAID = "the quote says “{}”, the claim says it "
_OWNER = "the quote speaks of the “{}” of what the claim speaks of"
_CAUSE = "the claim says that it is a cause, the quote (“{}”) does not"
_CONDITIONAL = _CONDITIONS | _WHEN | _GIVEN | {"absence"}
_RESERVES = (
    _Reserve("taken-back", _is_denying_remark, "the quote takes it back in the words after “{}”"),
    _Reserve("hedge-dropped", _is_hedge, _NOT_SAID + "outright", _MODALS | _DOUBTS, _INTENTS | _GUESSES),
    _Reserve("world-dropped", _is_fiction, "the quote tells of a “{}”, the claim of the world", _WORLDS | _TOLD),
    _Reserve("voice-dropped", _is_attribution, "the quote reports it (“{}”), the claim does not say whose word it is",
             family=_VOICES),
    _Reserve("condition-dropped", _is_condition, _NOT_SAID + "without that condition", _CONDITIONAL),
    _Reserve("condition-dropped", _is_bounding_opener, _NOT_SAID + "without that condition", _CONDITIONAL),
    _Reserve("turn-dropped", _is_contrast, "the quote goes on with “{}”, the claim stops before",
             _FAILINGS | _TURNS | {"while", "however", "despite", "till"}),
    _Reserve("part-dropped", _is_partitive, "the quote says it of “{}” of them, the claim of all",
             _QUANTITIES | NEGATIONS),
    _Reserve("choice-dropped", _is_choice, "the quote leaves open which (“{}”), the claim does not",
             NEGATIONS | {"or"}),
    _Reserve("subjects-dropped", _is_study_population, "the quote says it of “{}”, the claim in general"),
    _Reserve("cause-added", _is_correlation, _CAUSE, family=_TOGETHER),
    _Reserve("cause-added", _has_no_cause, _CAUSE, family=_TOGETHER),
    _Reserve("untrue", _is_untrue_report, "the quote says that it is “{}”", UNTRUE | NEGATIONS),
    _Reserve("owner-taken", _is_relative, _OWNER),
    _Reserve("owner-taken", _is_owned, _OWNER, _OWNING),
)  # fmt: skip


def find_dropped_reserve(pair: Comparison) -> Finding | None:
    """The first reserve of the sentence that the claim leaves out."""
    if any(addresses_reader(one) for one in pair.quote):
        start, end = pair.sentence[0], pair.sentence[-1]
        text = "the quote tells its reader what to find: that is no evidence"
        return NOT_SHOWN, Reason("instruction", text, ((start.start, end.end),))
    for one in _RESERVES if pair.shared else ():
        if pair.said.isdisjoint(one.words) and pair.bases.isdisjoint(one.family):
            for at, token in enumerate(pair.sentence):
                if one.is_said(pair, at, token):
                    return doubt(one.rule, one.text.format(token.text), token)
    return None


def find_dropped_limit(pair: Comparison) -> Finding | None:
    """`Acting director`, `nearly full`, `on paper`: words that say how far it is so."""
    hedged = not pair.said.isdisjoint(HEDGES)
    for token, following in pairwise(() if hedged else pair.sentence):
        past = token.low in ("former", "ex") and not pair.said.isdisjoint(("was", "were", "had"))
        if token.low not in _LIMITS or past or token.low in pair.said or key(token) in pair.content:
            continue
        if following.low not in _NOT_LIMITED and key(following) in pair.content:
            text = f"the quote says “{token.text} {following.text}”, the claim does not"
            return doubt("limit-dropped", text, token, following)
    limited = hedged or not pair.said.isdisjoint(_LIMITS)
    return (None if limited else _find_limiting_phrase(pair)) or _find_limiting_opener(pair)


def _find_limiting_phrase(pair: Comparison) -> Finding | None:
    lows = [token.low for token in pair.sentence]
    found = [
        (at, phrase)
        for phrase in _LIMITING_PHRASES
        if phrase[0] in lows and not pair.said.issuperset(phrase)
        for at in range(len(lows))
        if lows[at : at + len(phrase)] == phrase
    ]
    if not found:
        return None
    at, phrase = min(found, key=lambda one: one[0])
    words = pair.sentence[at : at + len(phrase)]
    text = f"the quote says “{' '.join(token.text for token in words)}”, the claim does not"
    return doubt("limit-dropped", text, words[0], words[-1])


def _find_limiting_opener(pair: Comparison) -> Finding | None:
    """`Ideally, …` and `Had the levee held, …`."""
    first, said = pair.sentence[0], pair.said
    cut = len(pair.sentence) > 1 and "," in pair.sentence[1].lead
    bounded = cut and first.low in _OPENERS and said.isdisjoint(_OPENERS)
    wished = any(token.low in _WISHED for token in pair.sentence) and said.isdisjoint(_WISHED)
    if not bounded and not (first.low in _INVERTED and wished):
        return None
    return doubt("limit-dropped", f"the quote begins with “{first.text}”, the claim does not", first)
