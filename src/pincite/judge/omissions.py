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
from .containment import key
from .lexicon import AUXILIARIES, FUNCTION, NEGATIONS
from .model import NOT_SHOWN, Reason
from .retractions import STOOD, UNTRUE, addresses_reader
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .numbers import JudgeToken
    from .tokens import WordSentence


def _make_word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _family(words: str) -> frozenset[str]:
    """Words by what their forms share."""
    return frozenset(base(word) for word in words.split())


_MODALS = _make_word_set("may might could would should")
_DOUBTS = _make_word_set(
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
_CONDITIONS = _make_word_set("if unless except excluding")
_GIVEN = _make_word_set("provided providing assuming")
"""Before `that`, these are conditions."""
_WHEN = _make_word_set("when whenever only without could would not long")
_BOUND_ONLY = _make_word_set("if when in for on to with after under among by at")
_TURNS = _make_word_set("but although though")
_FAILINGS = NEGATIONS | _make_word_set("fail failed fails only")
_PARTS = _make_word_set("some few half part most many several fraction minority third quarter")
_SOME = _make_word_set("some several certain")
_QUANTITIES = _make_word_set("some few several many most half part partly any among")
_TRIED_ON = _make_word_set(
    "mice rats mouse rat animals vitro rodents monkeys zebrafish pigs cells patients adults children women men infants "
    "teenagers adolescents participants volunteers students smokers"
)
_INTO = _make_word_set("in among for with on over")
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
_WORLDS = _make_word_set(
    "novel game fiction fictional story legend legends myth myths mythology film movie dream universe satire parody "
    "hypothetical screenplay comic anime episode hoax simulation demo drill scenario fictitious dummy sample musical "
    "portrays portrayed depicts depicted"
)
_TOLD = _make_word_set("character characters plot scene player players series show protagonist book")
_RELATIVES = _make_word_set(
    "successor predecessor rival daughter son father mother wife husband widow brother sister nephew niece cousin "
    "critic opponent enemy friend assistant student pupil teacher ally partner subsidiary competitor owner founder "
    "biographer deputy spokesman spokeswoman lawyer employee colleague descendant ancestor neighbour neighbor"
)
_NEAR, _FAR = 4, 8
_MOST_AFTER = 0.8
"""The part of the shared words that must follow a voice for it to speak them."""


class _View(Struct, frozen=True):
    """A claim and the sentence that holds most of it."""

    sentence: Sequence[JudgeToken]
    lows: frozenset[str]
    """The claim's words."""
    bases: frozenset[str]
    """The claim's words without their inflection."""
    keys: frozenset[str]
    shared: tuple[int, ...]
    """Places of the sentence with a content word of the claim."""
    parts: tuple[int, ...]
    """Where a semicolon begins another part of the sentence."""

    def leads(self, at: int, reach: int) -> bool:
        """Whether a shared word stands at most so far behind a place."""
        place = bisect_right(self.shared, at)
        return place < len(self.shared) and self.shared[place] <= at + reach

    def beside(self, at: int) -> bool:
        """Whether a shared word stands in the same clause as a place."""
        part = bisect_right(self.parts, at)
        first = self.parts[part - 1] if part else 0
        end = self.parts[part] if part < len(self.parts) else len(self.sentence)
        return bisect_right(self.shared, end - 1) > bisect_right(self.shared, first - 1)

    def mostly_after(self, at: int) -> bool:
        """Whether the words that both share stand behind a place."""
        return len(self.shared) - bisect_right(self.shared, at) >= _MOST_AFTER * len(self.shared)


def _find_hedge(view: _View) -> int | None:
    """`may`, `probably`, `plans to`, `suspects that` before what the claim says outright."""
    if view.lows & (_MODALS | _DOUBTS) or view.bases & (_INTENTS | _GUESSES):
        return None
    willing = bool(view.lows & {"can", "possible", "must", "if"})
    for at, token in enumerate(view.sentence):
        word = base(token.low)
        following = [other.low for other in view.sentence[at + 1 : at + 1 + _FAR]]
        month = at and token.text == "May"
        if token.low in _MODALS and not willing and not month and view.leads(at, _NEAR):
            return at
        if token.low in _DOUBTS and view.leads(at, _NEAR):
            return at
        intended = word in _INTENTS and ("to" in following or word in _PROPOSED)
        if intended and view.leads(at, _NEAR + 1):
            return at
        if word in _GUESSES and view.leads(at, _NEAR + 2) and view.mostly_after(at):
            return at
    return None


def _find_attribution(view: _View) -> int | None:
    """`Critics claim that`, `according to`: the claim does not say whose word it is."""
    if view.bases & _VOICES:
        return None
    for at, token in enumerate(view.sentence):
        word = base(token.low)
        spoken = word in _VOICES and at + 1 < len(view.sentence) and view.sentence[at + 1].low == "that"
        voiced = spoken or word in _PARTIAL_VOICES or token.low == "according"
        if voiced and view.leads(at, _FAR) and view.mostly_after(at):
            return at
    return None


def _find_condition(view: _View) -> int | None:
    """`if`, `unless`, `except`, `only when`, and a sentence that begins with `Without` or `Under`."""
    if view.lows & (_CONDITIONS | _WHEN | _GIVEN | {"absence"}):
        return None
    for at, token in enumerate(view.sentence):
        after = view.sentence[at + 1].low if at + 1 < len(view.sentence) else ""
        if not view.beside(at):
            continue
        if token.low in _CONDITIONS or (token.low == "only" and (not after or after in _BOUND_ONLY)):
            return at
        if (token.low in _GIVEN and (after == "that" or not at)) or (token.low == "as" and after == "long"):
            return at
        if token.low == "absence" and after == "of":
            return at
    opener = view.sentence[0].low
    return 0 if opener in ("without", "under") and opener not in view.lows else None


def _find_contrast(view: _View) -> int | None:
    """`but not in children`, `although it failed`."""
    if view.lows & (_FAILINGS | _TURNS | {"while", "however", "despite", "till"}):
        return None
    cut = False
    for at, token in enumerate(view.sentence):
        following = view.sentence[at + 1 : at + 1 + _NEAR]
        if cut and token.low in _TURNS and any(other.low in _FAILINGS for other in following):
            return at
        cut = cut or (token.low not in FUNCTION and key(token) not in view.keys)
    return None


def _find_partitive(view: _View) -> int | None:
    """`some of the samples`, `three of the sixteen regions`."""
    if view.lows & (_QUANTITIES | NEGATIONS):
        return None
    for at, token in enumerate(view.sentence[:-1]):
        counted = token.low in _PARTS or (token.kind == "n" and not token.unit and token.low not in view.lows)
        if not at and token.low == "of" and _of_some(view):
            return at
        whole = token.low == "part" and at and view.sentence[at - 1].low == "a"
        if counted and not whole and view.sentence[at + 1].low == "of" and view.leads(at, _NEAR + 1):
            return at
        if token.low in _SOME and view.leads(at, 2):
            return at
    return None


def _of_some(view: _View) -> bool:
    """Whether a sentence begins with how many there are and goes on with how many of them it speaks of."""
    numbers = [token for token in view.sentence if token.kind == "n" and not token.unit]
    return len(numbers) > 1 and numbers[0].value > numbers[1].value and numbers[1].low not in view.lows


def _find_choice(view: _View) -> int | None:
    """`either copper or aluminium` for one of them, `Wi-Fi or Ethernet` for both."""
    if "or" in view.lows or view.lows & NEGATIONS:
        return None
    words = [token.low for token in view.sentence]
    for at, word in enumerate(words):
        if word == "or" and 0 < at < len(words) - 1:
            left, right = at - 1 in view.shared, at + 1 in view.shared or at + 2 in view.shared
            if "either" in words or (left and right and "and" in view.lows):
                return at
    return None


def _find_study_population(view: _View) -> int | None:
    """`in mice`, `among women over sixty`."""
    for at, token in enumerate(view.sentence):
        before = view.sentence[max(0, at - _NEAR) : at]
        if token.low in _TRIED_ON and key(token) not in view.keys and any(other.low in _INTO for other in before):
            return at
    return None


def _find_correlation(view: _View) -> int | None:
    """`is associated with` where the claim says that it causes, or nothing of the kind where it says `because`."""
    if view.bases & _TOGETHER:
        return None
    if view.bases & _CAUSES:
        found = next((at for at, token in enumerate(view.sentence) if base(token.low) in _TOGETHER), None)
        if found is not None:
            return found
    if view.bases & _BECAUSE and not any(base(token.low) in _LEADS_TO for token in view.sentence):
        return view.shared[0]
    return None


def _find_relative(view: _View) -> int | None:
    """`The successor of Abbot Hugh` where the claim says `Abbot Hugh`."""
    for at, token in enumerate(view.sentence[:-1]):
        if token.low in _RELATIVES and key(token) not in view.keys and view.sentence[at + 1].low == "of":
            return at if view.leads(at, _NEAR) else None
    return None


def _find_untrue_report(view: _View) -> int | None:
    """`The rumour that … turned out to be unfounded`."""
    for at, token in enumerate(view.sentence):
        before = [other.low for other in view.sentence[max(0, at - 3) : at]]
        said = any(word in AUXILIARIES or word in ("proved", "turned", "to") for word in before)
        doubted = token.low in UNTRUE and said and not any(word in NEGATIONS for word in before)
        if doubted and not view.lows & (UNTRUE | NEGATIONS):
            return at
    return None


def _find_owner(view: _View) -> int | None:
    """`Oracle's partner` where the claim says `Oracle`."""
    if view.lows & {"'s", "of", "his", "her", "its", "their"}:
        return None
    for at, (mark, owned) in enumerate(pairwise(view.sentence[1:])):
        if mark.low == "'s" and at in view.shared and owned.low not in FUNCTION and key(owned) not in view.keys:
            return at + 2
    return None


def _find_fiction(view: _View) -> int | None:
    """`in the novel`, `a common myth`: the claim speaks of the world."""
    if view.lows & (_WORLDS | _TOLD):
        return None
    for at, token in enumerate(view.sentence):
        if token.low in _WORLDS and at and view.mostly_after(at):
            return at
    return None


def _find_denying_remark(view: _View) -> int | None:
    """`, which is not true`, `, which turned out to be false`."""
    for at, token in enumerate(view.sentence):
        if token.low == "which" and has_mark_before(token):
            rest = {other.low for other in view.sentence[at + 1 :]} - view.lows
            if rest & UNTRUE or (rest & NEGATIONS and rest & STOOD):
                return at
    return None


_RULES = (
    ("taken-back", _find_denying_remark, "the quote takes it back in the words after “{}”"),
    ("hedge-dropped", _find_hedge, "the quote says “{}”, the claim says it outright"),
    ("world-dropped", _find_fiction, "the quote tells of a “{}”, the claim of the world"),
    ("voice-dropped", _find_attribution, "the quote reports it (“{}”), the claim does not say whose word it is"),
    ("condition-dropped", _find_condition, "the quote says “{}”, the claim says it without that condition"),
    ("turn-dropped", _find_contrast, "the quote goes on with “{}”, the claim stops before"),
    ("part-dropped", _find_partitive, "the quote says it of “{}” of them, the claim of all"),
    ("choice-dropped", _find_choice, "the quote leaves open which (“{}”), the claim does not"),
    ("subjects-dropped", _find_study_population, "the quote says it of “{}”, the claim in general"),
    ("cause-added", _find_correlation, "the claim says that it is a cause, the quote (“{}”) does not"),
    ("untrue", _find_untrue_report, "the quote says that it is “{}”"),
    ("owner-taken", _find_relative, "the quote speaks of the “{}” of what the claim speaks of"),
    ("owner-taken", _find_owner, "the quote speaks of the “{}” of what the claim speaks of"),
)


def find_dropped_reserve(
    claim: Sequence[JudgeToken], sentence: WordSentence, quote: Iterable[WordSentence]
) -> tuple[str, Reason] | None:
    """The first reserve of the sentence that the claim leaves out."""
    if any(addresses_reader(one) for one in quote):
        tokens = sentence.tokens
        text = "the quote tells its reader what to find: that is no evidence"
        return NOT_SHOWN, Reason("instruction", text, ((tokens[0].start, tokens[-1].end),))
    keys = frozenset(key(token) for token in claim)
    words = sentence.tokens
    view = _View(
        words,
        frozenset(token.low for token in claim),
        frozenset(base(token.low) for token in claim),
        keys,
        tuple(at for at, token in enumerate(words) if token.low not in FUNCTION and key(token) in keys),
        tuple(at for at, token in enumerate(words) if at and ";" in token.lead),
    )
    if not view.shared:
        return None
    for rule, find, says in _RULES:
        at = find(view)
        if at is not None:
            token = words[at]
            return NOT_SHOWN, Reason(rule, says.format(token.text), ((token.start, token.end),))
    return None
