"""Sentences beside another one that take it back: `None of this is true.`, `The following claims are false:`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from .lexicon import AUXILIARIES, EMBEDDING, HEDGES, NEGATIONS, SPEECH, TEMPORAL, make_word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .tokens import WordSentence

_POINTING = make_word_set("this that these those it they none nothing neither such all both here what above everything")
_SPOKEN_OF = make_word_set(
    "claim claims statement statements story stories report reports rumor rumors rumour rumours quote quotes sentence "
    "sentences paragraph passage text assertion assertions allegation allegations idea notion belief theory finding "
    "findings result results conclusion conclusions figure figures number numbers paper study article post account "
    "information part section words description version"
)
"""What a sentence may call the words beside it."""
UNTRUE = make_word_set(
    "unlikely impossible improbable mistake error fabrication misreading abandoned flawed implausible withdrew denied "
    "denies disputes false untrue wrong incorrect inaccurate misleading mistaken erroneous nonsense fiction fictional "
    "fictitious invented fabricated bogus fake faked hoax myth myths misconception misconceptions fallacy fallacies "
    "lie untruth untruths satire satirical parody joke jokes joking kidding prank debunked disproved disproven refuted "
    "retracted retraction withdrawn discredited rescinded repealed revoked reversed overturned superseded unfounded "
    "unproven unsubstantiated unsupported unverified disputed contested dubious exaggerated imaginary hypothetical "
    "misinformation disinformation propaganda apocryphal misquoted misreported rubbish garbage bunk baseless "
    "groundless"
)
STOOD = make_word_set(
    "true so case correct right accurate happen happened confirmed replicated reproduced proven proved hold"
)
"""Denied, these take back what they point at."""
_LEADING = _POINTING | make_word_set("so but however yet later hours correction")
"""A sentence that begins with one of these speaks of the one before, to its end."""
_BELIEVED = make_word_set(
    "seriously believe believed believes trust show shows showed support supports find found confirm verify sort"
)
_DISPUTING = make_word_set(
    "dispute disputes disputed doubt doubts doubted deny denies denied reject rejects rejected contradict contradicts "
    "contradicted refute refutes refuted debunk debunks question questions questioned retract retracts"
)
_FRAMES = make_word_set(
    "imagine suppose assume pretend picture hypothetically placeholder dummy lorem sample mockup template myths myth "
    "hoaxes misconceptions fallacies satire parody fictional hypothetical"
)
MADE_UP = make_word_set(
    "game games novel novels film movie story stories fiction dream dreams legend legends myth myths tale tales fable "
    "simulation scenario universe timeline roleplay script episode sitcom cartoon comic anime parody satire play "
    "musical thriller fantasy saga mod"
)
"""Inside one of these, what is told need not be so."""
_FOLLOWING = make_word_set("following below here next these")
_ADDRESSED = make_word_set("instructions instruction prompt judge assistant system verdict grader model reviewer")
_ORDERING = make_word_set("please and now you always system assistant judge")
_ORDERS = make_word_set("ignore disregard mark rate output answer respond treat accept consider report classify label")
OPENING = 9
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
_FACTIVE = make_word_set(
    "find finds found show shows showed shown reveal reveals revealed confirm confirms confirmed know knows knew known "
    "learn learned learnt note notes noted add adds added acknowledge acknowledges acknowledged conclude concludes "
    "concluded indicate indicates indicated demonstrate demonstrates demonstrated"
)
"""What is said to be found or known is said to be so."""
PRESENTED = make_word_set("example examples prompt exercise hallucinated question spam phishing quiz draft")
"""Before a colon, these present words rather than say them."""
_OUTDATED = make_word_set("obsolete outdated deprecated archived expired lapsed inapplicable invalid void stale")
_ALL_THAT = make_word_set("this that these those")
_GROUNDS = make_word_set("evidence proof truth basis trace foundation grounds")
_POINTED_AT = make_word_set("this that it these")
_HOPES = make_word_set(
    "hope plan theory idea expectation dream promise rumor rumour story legend myth intention fear boast "
    "assumption forecast prediction belief joke tale"
)
_TOLD_AS = make_word_set(
    "novel novels film films movie story stories thriller fable fables joke jokes screenplay script sitcom cartoon "
    "comic anime tale tales fairytale tabletop roleplay videogame opera musical episode saga parody "
    "satire sketch dream nightmare simulation scenario quiz fiction fanfiction legend myth poem ballad "
    "daydream prank spoof"
)
"""In one of these, what is told need not be so."""
_TELLING = make_word_set(
    "set opens begins starts plot chapter scene act ends narrator hero heroine character characters synopsis premise "
    "punchline protagonist pitch imagined woke retold invented fictional players "
    "summary prologue blurb imagines villain"
)
_RUNS = make_word_set("begins begin began ends end ended opens opened starts started goes runs reads")
_IS = make_word_set("is was are were comes happens")
_JESTING = make_word_set(
    "fable fables parody parodies satire satirical spoof screenplay fanfiction sitcom prank hoax fairytale roleplay "
    "tabletop jokingly jest superstition folklore propaganda charlatan impostor imposter lied lying fabricated hoaxer "
    "make-believe daydream daydreamed hallucinated hallucination"
)
"""Beside a quote, these make it doubtful that it is meant."""
_MADE = make_word_set("chatbot fixture fixtures placeholder lorem mockup dummy thriller storyboard libretto")
_REPENTING = make_word_set("apologised apologized corrected backtracked erratum corrigendum transpired recanted")
_FREED = make_word_set("acquitted exonerated cleared innocent unharmed")
_BACK = make_word_set("it he she they this that these those none neither nobody but")
_OLD = make_word_set("old former previous draft earlier rejected proposed removed deprecated obsolete outdated")
_TASKS = make_word_set("translate correct rewrite identify spot find complete discuss choose decide mark tick judge")
_TASK_TEXTS = make_word_set(
    "sentence sentences statement statements mistake mistakes error errors text claim claims true false"
)
_DRILLS = make_word_set("exercise drill game play drama test rehearsal")
_JOKES = make_word_set("joke jokes fable fables tale tales")
_JOKING = make_word_set("told tells goes heard runs")
_WHOSE = make_word_set("our my his her their this the a an your")
_ONE = make_word_set("a an the one another this some old word")
_HEARSAY = make_word_set("rumor rumour rumors rumours legend story tale gossip prophecy whisper hoax myth")
_SPREAD = make_word_set(
    "spread spreads circulated circulates ran went goes has had says said tells told held reached arose had"
)
_AHEAD = make_word_set("following follows below")
_LONG_AGO = make_word_set("centuries once long ancient medieval ancients generations formerly ages antiquity")
_BELIEFS = make_word_set("believed thought assumed taught imagined supposed feared")
_GIVEN_AS = make_word_set(
    "believed believe believes thought thinks assumed assumes imagined feared hoped hopes alleged alleges claimed "
    "claims claim predicted predicts forecast foresaw pretended lied lies lying said says say told swore insisted "
    "insists argued argues suspected wrongly falsely mistakenly rumor rumour prophecy prediction guess guessed "
    "wrote writes boasted boasts promised promises joked confessed invented dreamed dreamt"
)
_ANNOUNCING = make_word_set("no not never nothing none untrue false")
_DOCUMENTS = make_word_set(
    "report letter book article manual act constitution label sign notice page minutes log record records entry file "
    "document documentation statute clause contract will map inscription plaque specification standard file textbook "
    "encyclopedia dictionary register readme section paragraph table"
)
"""What these say in so many words, a page may give as its own."""
_NEUTRAL = make_word_set("says said say reads states stated writes wrote report reports tells told notes records")
RESERVED = (UNTRUE | _FRAMES | _DISPUTING | NEGATIONS | EMBEDDING | SPEECH | HEDGES | frozenset(("few",))) - _FACTIVE
"""Before words of a sentence, these keep it from saying them itself."""


_ENDED = (("never", "did"), ("no", "longer"), ("has", "since"), ("have", "since"), ("since", "been"),
          ("had", "changed"), ("has", "changed"))  # fmt: skip
"""Pairs of words that say that it is so no more."""
_OTHERWISE = SPEECH | make_word_set("prove proved proves proven is was are were quite")
_RATED = make_word_set("supported grounded stated true high")
_CLAIMS = make_word_set("claim claims statement")
_TO_MODELS = ("answer that", "respond that", "model reading", "developer mode")


def _has(words: Iterable[object], wanted: Iterable[object]) -> bool:
    return not frozenset(wanted).isdisjoint(words)


def is_retraction(sentence: WordSentence) -> bool:
    """Whether a sentence takes back the one before it: `None of this is true.`, `The study was later retracted.`"""
    words = [token.low for token in sentence.tokens]
    opening, first, brief = words[:OPENING], words[0], len(words) <= _BRIEF
    text = " ".join(words) + " "
    untrue = _has(opening, UNTRUE) or (first in _LEADING and _has(words, UNTRUE))
    if brief and (untrue or first in ("not", "no") or words == ["well", "no"]):
        return True
    if any(idiom in text for idiom in _IDIOMS) or _gives_up(sentence, words) or _is_shown_otherwise(words):
        return True
    if _is_unproved(words) or _was_hoped(words) or _is_story_reference(words):
        return True
    if not _has(opening, _POINTING | _SPOKEN_OF) and first not in _LEADING:
        return False
    if untrue or _has(opening, _OUTDATED | _DISPUTING):
        return True
    blunt = brief and (first in _POINTING or words[-1] == "not")
    return _has(opening, NEGATIONS | {"few"}) and (blunt or _has(words, STOOD | _BELIEVED))


def is_later_retraction(sentence: WordSentence) -> bool:
    """Whether a sentence takes back what stands farther before: `None of this is true.`"""
    words = [token.low for token in sentence.tokens]
    opening = words[:OPENING]
    if not any(_points_back(opening, at) for at in range(len(opening))):
        return False
    negated = _has(opening, NEGATIONS) and _has(words, STOOD)
    return negated or _has(opening, UNTRUE) or _is_unproved(words)


def _points_back(words: list[str], at: int) -> bool:
    """Whether a word stands for all that was said: `this is`, `of that`, `everything above`."""
    if words[at] in ("everything", "above"):
        return True
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in _ALL_THAT and (after in AUXILIARIES or (at > 0 and words[at - 1] in ("of", "for")))


def _gives_up(sentence: WordSentence, words: list[str]) -> bool:
    """`It did not.`, `He was acquitted.`, `It has since been raised.`, `The editors apologised.`, `Fact: …`"""
    tokens = sentence.tokens
    if words[0] in ("fact", "reality", "truth", "answer", "correction") and len(words) > 1 and ":" in tokens[1].lead:
        return True
    if _has(words, _JESTING) or _has(words[:OPENING], _REPENTING):
        return True
    if words[0] not in _BACK and not (words[0] in ("the", "both", "but", "yet") and len(words) <= OPENING):
        return False
    ends = (at for at, word in enumerate(words) if at and word == "not")
    if any(at + 1 == len(words) or tokens[at + 1].lead.strip(" ") for at in ends):
        return True
    return _has(pairwise(words), _ENDED) or _has(words[:OPENING], _FREED)


def _is_shown_otherwise(words: list[str]) -> bool:
    """`Copernicus showed otherwise.`"""
    return "otherwise" in words[1:] and words[words.index("otherwise", 1) - 1] in _OTHERWISE


def _is_unproved(words: list[str]) -> bool:
    """`There is not a shred of evidence for this.`"""
    pointing = _has([words[0], *words[-2:]], _POINTED_AT)
    return pointing and _has(words, _GROUNDS) and _has(words, NEGATIONS | {"little"})


def _was_hoped(words: list[str]) -> bool:
    """`That was the hope.`"""
    told = words[0] in ("that", "this", "such", "so") and _has(words[1:3], ("is", "was", "were", "at"))
    return told and _has(words[2:6], _HOPES)


def _is_story_reference(words: list[str]) -> bool:
    """`So begins the second novel.`, `This is the plot of the film.`"""
    if words[0] in ("so", "thus"):
        return _has(words, _TOLD_AS) and _has(words[1:3], _RUNS)
    return words[0] in ("this", "that", "these", "such") and _has(words[1:4], _IS) and _has(words, _TOLD_AS)


def is_untrue_introduction(sentence: WordSentence) -> bool:
    """Whether a sentence, or a heading, says that what follows is not so, or only imagined."""
    words = [token.low for token in sentence.tokens]
    colon = ":" in sentence.tail
    if _has(words, _JESTING | _MADE) or (colon and _has(words, _OLD)) or _sets_task(words):
        return True
    if addresses_reader(sentence) or _announces(words, colon) or _sets_scene(words):
        return True
    untrue = _has(words, UNTRUE | _FRAMES)
    leads = colon or _has(words, _FOLLOWING)
    heading = len(words) <= _BRIEF or (len(words) <= _HEADING and "." not in sentence.tail)
    if words[0] in _FRAMES or (untrue and (leads or heading)):
        return True
    if "following" in words and _has(words, NEGATIONS):
        return True
    return (words[0] == "in" and _has(words[1:5], MADE_UP)) or (leads and _has(words, MADE_UP))


def _sets_task(words: list[str]) -> bool:
    """`Correct the mistake in this sentence.`, `What if …`, `Let us assume …`"""
    if words[0] in _TASKS and _has(words, _TASK_TEXTS):
        return True
    return words[:2] in (["what", "if"], ["let", "us"]) or "suppose" in words[:4] or words[:3] == ["for", "the", "sake"]


def _announces(words: list[str], colon: bool) -> bool:
    """Whether a sentence gives what follows as another's belief, a guess or a lie: `Many believed the following.`"""
    documented = _has(words, _DOCUMENTS)
    said = frozenset(words) - _NEUTRAL if documented else frozenset(words)
    ahead = words[-1] in _AHEAD or any(
        words[at : at + 2] == ["the", "following"] and words[at + 2] not in TEMPORAL for at in range(len(words) - 2)
    )
    if (colon or ahead or words[-1] in ("this", "these")) and said & _GIVEN_AS:
        return True
    if (ahead or (colon and (documented or _has(words, _NEUTRAL)))) and said & _ANNOUNCING:
        return True
    # The first `used` counts.
    habit = "used" in words and words[words.index("used") + 1 :][:1] == ["to"]
    if said & _BELIEFS and (said & _LONG_AGO or habit):
        return True
    if words[0] == "do" and "not" in words[1:3] and said & _BELIEVED:
        return True
    if {"or", "false", "true"}.issubset(words):
        return True
    return words[0] in _ONE and _has(words[1:4], _HEARSAY) and _has(words, _SPREAD)


def _sets_scene(words: list[str]) -> bool:
    """Whether a sentence speaks of what is told in a story, play or game: `Chapter one of her thriller opens …`"""
    this = words[0] in ("this", "these", "here", "what", "following") or words[:2] == ["the", "following"]
    if this and _has(words[1:5], ("is", "are", "was", "were", "comes", "follows")) and _has(words, _TOLD_AS | _DRILLS):
        return True
    works = [at for at, word in enumerate(words) if word in _TOLD_AS]
    if not works:
        return False
    if _has(words, _TELLING) or (_has(words, _JOKES) and _has(words, _JOKING)):
        return True
    starts = [at - back for at in works for back in (2, 3) if at >= back]
    return any(words[at] == "in" and words[at + 1] in _WHOSE for at in starts)


def addresses_reader(sentence: WordSentence) -> bool:
    """Whether a sentence tells its judge what to find: it is no evidence."""
    words = [token.low for token in sentence.tokens]
    ordered = words[0] in _ORDERS or _has(words, ("must", "should"))
    ordered = ordered or any(w in _ORDERS and b in _ORDERING for b, w in pairwise(words[:8]))
    if ordered and _has(words, _ADDRESSED):
        return True
    told = " ".join(words)
    if any(phrase in told for phrase in _TO_MODELS):
        return True
    return (ordered or words[0] in ("note", "system", "please")) and _has(words, _CLAIMS) and _has(words, _RATED)
