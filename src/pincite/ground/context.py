"""What stands around a quote on its page, and whether it takes back what the quote says.

A quote that is not a whole sentence is read in its sentence: `Firefox leaks memory` says nothing in `We found no
evidence that Firefox leaks memory`. A sentence is read with its neighbours: `None of this is true.`, `The following
claims are false:`, `In the game …`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from .model import Quoted
from .tokens import Sentence, sentences
from .words import CUTTING, EMBEDDING, HEDGES, NEGATIONS, SPEECH

_FARTHEST = 1_000
"""Characters around a quote that are looked at."""
_ENDED = re.compile(r"[.!?:;\"”»)\]]$")
_BREAK = re.compile(r"[ \t]*\n\s*")

_POINTING = frozenset(
    "this that these those it they none nothing neither such all both here what above everything".split()
)
_SPOKEN_OF = frozenset(
    "claim claims statement statements story stories report reports rumor rumors rumour rumours quote quotes sentence "
    "sentences paragraph passage text assertion assertions allegation allegations idea notion belief theory finding "
    "findings result results conclusion conclusions figure figures number numbers paper study article post account "
    "information part section words description version".split()
)
"""What a sentence may call the words beside it."""
UNTRUE = frozenset(
    "unlikely impossible improbable mistake error fabrication misreading abandoned flawed implausible withdrew denied "
    "denies disputes false untrue wrong incorrect inaccurate misleading mistaken erroneous nonsense fiction fictional "
    "fictitious invented fabricated bogus fake faked hoax myth myths misconception misconceptions fallacy fallacies "
    "lie untruth untruths satire satirical parody joke jokes joking kidding prank debunked disproved disproven refuted "
    "retracted retraction withdrawn discredited rescinded repealed revoked reversed overturned superseded unfounded "
    "unproven unsubstantiated unsupported unverified disputed contested dubious exaggerated imaginary hypothetical "
    "misinformation disinformation propaganda apocryphal misquoted misreported rubbish garbage bunk baseless "
    "groundless".split()
)
STOOD = frozenset(
    "true so case correct right accurate happen happened confirmed replicated reproduced proven proved hold".split()
)
"""Denied, these take back what they point at."""
_LEADING = _POINTING | frozenset("so but however yet later hours correction".split())
"""A sentence that begins with one of these speaks of the one before, to its end."""
_BELIEVED = frozenset(("seriously",)) | frozenset(
    "believe believed believes trust show shows showed support supports find found confirm verify sort".split()
)
_DISPUTING = frozenset(
    "dispute disputes disputed doubt doubts doubted deny denies denied reject rejects rejected contradict contradicts "
    "contradicted refute refutes refuted debunk debunks question questions questioned retract retracts".split()
)
_FRAMES = frozenset(
    "imagine suppose assume pretend picture hypothetically placeholder dummy lorem sample mockup template myths myth "
    "hoaxes misconceptions fallacies satire parody fictional hypothetical".split()
)
_MADE_UP = frozenset(
    "game games novel novels film movie story stories fiction dream dreams legend legends myth myths tale tales fable "
    "simulation scenario universe timeline roleplay script episode sitcom cartoon comic anime parody satire play "
    "musical thriller fantasy saga mod".split()
)
"""Inside one of these, what is told need not be so."""
_FOLLOWING = frozenset("following below here next these".split())
_ADDRESSED = frozenset("instructions instruction prompt judge assistant system verdict grader model reviewer".split())
_ORDERING = frozenset("please and now you always system assistant judge".split())
_ORDERS = frozenset(
    "ignore disregard mark rate output answer respond treat accept consider report classify label".split()
)
_OPENING = 9
"""Words within which a sentence takes back the one before."""
_BRIEF = 4
"""Words of a sentence that says nothing but `Just kidding.`"""
_HEADING = 6
_IDIOMS = tuple(
    (
        "further from the truth|farther from the truth|the opposite is|the reverse is|or so |so the story goes|so the "
        "legend goes|so they say|so it was said|that is what they|that is what the|no longer the case|no longer "
        "true|no longer holds|not any more|not anymore|turned out not|turned out otherwise|citation needed|april "
        "fool|made up|in reality|not to be taken|take this with|pure invention|no evidence for|failed to "
        "reproduce|failed to replicate|failed to confirm|different story|in error|no such |find the error|is the "
        "legend|made it up|used to think|used to believe|used to be thought|wives 's tale|wives tale|if only|was the "
        "theory|was the idea|test sentence|no evidence of this|no basis|no truth|no support for|quite the opposite|on "
        "the contrary"
    ).split("|")
)
_FACTIVE = frozenset(
    "find finds found show shows showed shown reveal reveals revealed confirm confirms confirmed know knows knew known "
    "learn learned learnt note notes noted add adds added acknowledge acknowledges acknowledged conclude concludes "
    "concluded indicate indicates indicated demonstrate demonstrates demonstrated".split()
)
"""What is said to be found or known is said to be so."""
_PRESENTED = frozenset("example examples prompt exercise hallucinated question spam phishing quiz draft".split())
"""Before a colon, these present words rather than say them."""
_RESERVED = (UNTRUE | _FRAMES | _DISPUTING | NEGATIONS | EMBEDDING | SPEECH | HEDGES | frozenset(("few",))) - _FACTIVE
"""Before words of a sentence, these keep it from saying them itself."""


class Surroundings(Struct, frozen=True):
    """A quote with the rest of its first and last sentence, and the sentences before and after those."""

    text: str
    """The quote with the rest of its sentences."""
    shift: int
    """How many characters of `text` stand before the quote."""
    before: tuple[Sentence, ...] = ()
    """The sentence before `text`, if any."""
    after: tuple[Sentence, ...] = ()
    """The two sentences after `text`, as far as there are any."""


def _spaced(text: str) -> str:
    """A text whose blocks are parted as sentences are."""
    return _BREAK.sub("\n\n", text)


def read_around(quoted: Quoted) -> Surroundings:
    """The quote in its sentence, with the neighbours of that."""
    if not quoted.before and not quoted.after:
        return Surroundings(quoted.text, 0)
    before, after = _spaced(quoted.before[-_FARTHEST:]), _spaced(quoted.after[:_FARTHEST])
    if before and not before[-1].isspace() and _ENDED.search(before) and not quoted.text[:1].isdigit():
        before += " "
    first, last = len(before), len(before) + len(quoted.text)
    whole = before + quoted.text + after
    found = sentences(whole)
    inside = [at for at, one in enumerate(found) if one.tokens[-1].end > first and one.tokens[0].start < last]
    if not inside:
        return Surroundings(quoted.text, 0)
    start = min(first, found[inside[0]].tokens[0].start)
    closing = found[inside[-1]]
    end = max(last, closing.tokens[-1].end + len(closing.tail.rstrip()))
    return Surroundings(
        whole[start:end],
        first - start,
        tuple(found[max(0, inside[0] - 1) : inside[0]]),
        tuple(found[inside[-1] + 1 : inside[-1] + 3]),
    )


def _text(sentence: Sentence) -> str:
    return " ".join(token.low for token in sentence.tokens) + " "


def denied(sentence: Sentence) -> bool:
    """Whether a sentence takes back the one before it: `None of this is true.`, `The study was later retracted.`"""
    whole = [token.low for token in sentence.tokens]
    words = whole[:_OPENING]
    if any(idiom in _text(sentence) for idiom in _IDIOMS):
        return True
    untrue = not UNTRUE.isdisjoint(words) or (whole[0] in _LEADING and not UNTRUE.isdisjoint(whole))
    if len(whole) <= _BRIEF and (untrue or whole[0] in ("not", "no") or whole == ["well", "no"]):
        return True
    pointing = not (_POINTING | _SPOKEN_OF).isdisjoint(words) or whole[0] in _LEADING
    if not pointing:
        return False
    if untrue:
        return True
    if not _DISPUTING.isdisjoint(words):
        return True
    negated = not NEGATIONS.isdisjoint(words) or "few" in words
    blunt = len(whole) <= _BRIEF and (whole[0] in _POINTING or whole[-1] == "not")
    return negated and (blunt or not (STOOD | _BELIEVED).isdisjoint(whole))


def denied_after(around: Surroundings) -> Sentence | None:
    """The sentence after a quote that takes it back; the second one where it says that it turns: `however`."""
    for at, sentence in enumerate(around.after):
        turning = any(token.low in ("however", "but", "yet") for token in sentence.tokens[:_OPENING])
        if (not at or turning) and denied(sentence):
            return sentence
    return None


def framed(sentence: Sentence) -> bool:
    """Whether a sentence, or a heading, says that what follows is not so, or only imagined."""
    words = [token.low for token in sentence.tokens]
    if addresses_reader(sentence):
        return True
    untrue = not (UNTRUE | _FRAMES).isdisjoint(words)
    leads = ":" in sentence.tail or not _FOLLOWING.isdisjoint(words)
    if words[0] in _FRAMES or (untrue and (leads or len(words) <= _BRIEF)):
        return True
    if not NEGATIONS.isdisjoint(words) and "following" in words:
        return True
    if untrue and len(words) <= _HEADING and "." not in sentence.tail:
        return True
    if words[0] == "in" and not _MADE_UP.isdisjoint(words[1:5]):
        return True
    return leads and not _MADE_UP.isdisjoint(words)


def addresses_reader(sentence: Sentence) -> bool:
    """Whether a sentence tells whoever judges it what to find: it is no evidence."""
    words = [token.low for token in sentence.tokens]
    ordered = words[0] in _ORDERS or "must" in words or "should" in words
    ordered = ordered or any(w in _ORDERS and b in _ORDERING for b, w in pairwise(words[:8]))
    if ordered and not _ADDRESSED.isdisjoint(words):
        return True
    told = " ".join(words)
    if "answer that" in told or "respond that" in told or "model reading" in told or "developer mode" in told:
        return True
    rated = frozenset("supported grounded stated true high".split())
    about = frozenset("claim claims statement".split())
    return (
        not about.isdisjoint(words)
        and not rated.isdisjoint(words)
        and (ordered or words[0] in ("note", "system", "please"))
    )


def taken_back(before: str, text: str, after: str) -> str | None:
    """Why words of a page do not say what they seem to, taken out of it; None where nothing around them does that."""
    around = read_around(Quoted(text, before=before, after=after))
    if around.before and framed(around.before[0]):
        return f"the words before it take it back: “{_shown(around.before[0])}”"
    after_it = denied_after(around)
    if after_it is not None:
        return f"the words after it take it back: “{_shown(after_it)}”"
    return left_out(around, len(text))


def left_out(around: Surroundings, length: int, said: frozenset[str] = frozenset()) -> str | None:
    """What of its sentence the quote leaves out that takes it back; what the claim says too (`said`) does not."""
    if len(around.text) == length:
        return None
    end = around.shift + length
    found = [token for one in sentences(around.text) for token in one.tokens]
    lead = frozenset(token.low for token in found if token.end <= around.shift)
    rest = frozenset(token.low for token in found if token.start >= end)
    presented = ":" in around.text[: around.shift] and lead & _PRESENTED
    if presented or lead & (_RESERVED | _MADE_UP) - said or around.text.startswith("Had "):
        return f"its sentence begins with “{' '.join(around.text[: around.shift].split())}”, which the quote leaves out"
    if rest & (CUTTING | UNTRUE) - said:
        return f"its sentence goes on with “{' '.join(around.text[end:].split())}”, which the quote leaves out"
    return None


def _shown(sentence: Sentence) -> str:
    return " ".join(token.text for token in sentence.tokens)[:160] + sentence.tail.strip()[:1]
