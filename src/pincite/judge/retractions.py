"""Sentences beside another one that take it back: `None of this is true.`, `The following claims are false:`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from .lexicon import AUXILIARIES, EMBEDDING, HEDGES, NEGATIONS, SPEECH, TEMPORAL

if TYPE_CHECKING:
    from .tokens import WordSentence

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
MADE_UP = frozenset(
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
_FACTIVE = frozenset(
    "find finds found show shows showed shown reveal reveals revealed confirm confirms confirmed know knows knew known "
    "learn learned learnt note notes noted add adds added acknowledge acknowledges acknowledged conclude concludes "
    "concluded indicate indicates indicated demonstrate demonstrates demonstrated".split()
)
"""What is said to be found or known is said to be so."""
PRESENTED = frozenset("example examples prompt exercise hallucinated question spam phishing quiz draft".split())
"""Before a colon, these present words rather than say them."""
_OUTDATED = frozenset("obsolete outdated deprecated archived expired lapsed inapplicable invalid void stale".split())
_ALL_THAT = frozenset("this that these those".split())
_GROUNDS = frozenset("evidence proof truth basis trace foundation grounds".split())
_POINTED_AT = frozenset("this that it these".split())
_HOPES = frozenset(
    "hope plan theory idea expectation dream promise rumor rumour story legend myth intention fear boast "
    "assumption forecast prediction belief joke tale".split()
)
_TOLD_AS = frozenset(
    "novel novels film films movie story stories thriller fable fables joke jokes screenplay script sitcom cartoon "
    "comic anime tale tales fairytale tabletop roleplay videogame opera musical episode saga parody "
    "satire sketch dream nightmare simulation scenario quiz fiction fanfiction legend myth poem ballad "
    "daydream prank spoof".split()
)
"""In one of these, what is told need not be so."""
_TELLING = frozenset(
    "set opens begins starts plot chapter scene act ends narrator hero heroine character characters synopsis premise "
    "punchline protagonist pitch imagined woke retold invented fictional players "
    "summary prologue blurb imagines villain".split()
)
_RUNS = frozenset("begins begin began ends end ended opens opened starts started goes runs reads".split())
_IS = frozenset("is was are were comes happens".split())
_JESTING = frozenset(
    "fable fables parody parodies satire satirical spoof screenplay fanfiction sitcom prank hoax fairytale roleplay "
    "tabletop jokingly jest superstition folklore propaganda charlatan impostor imposter lied lying fabricated hoaxer "
    "make-believe daydream daydreamed hallucinated hallucination".split()
)
"""Beside a quote, these make it doubtful that it is meant."""
_MADE = frozenset("chatbot fixture fixtures placeholder lorem mockup dummy thriller storyboard libretto".split())
_REPENTING = frozenset("apologised apologized corrected backtracked erratum corrigendum transpired recanted".split())
_FREED = frozenset("acquitted exonerated cleared innocent unharmed".split())
_BACK = frozenset("it he she they this that these those none neither nobody but".split())
_OLD = frozenset("old former previous draft earlier rejected proposed removed deprecated obsolete outdated".split())
_TASKS = frozenset(
    "translate correct rewrite identify spot find complete discuss choose decide mark tick judge".split()
)
_TASK_TEXTS = frozenset(
    "sentence sentences statement statements mistake mistakes error errors text claim claims true false".split()
)
_DRILLS = frozenset("exercise drill game play drama test rehearsal".split())
_JOKES = frozenset("joke jokes fable fables tale tales".split())
_JOKING = frozenset("told tells goes heard runs".split())
_WHOSE = frozenset("our my his her their this the a an your".split())
_ONE = frozenset("a an the one another this some old word".split())
_HEARSAY = frozenset("rumor rumour rumors rumours legend story tale gossip prophecy whisper hoax myth".split())
_SPREAD = frozenset(
    "spread spreads circulated circulates ran went goes has had says said tells told held reached arose had".split()
)
_AHEAD = frozenset("following follows below".split())
_LONG_AGO = frozenset("centuries once long ancient medieval ancients generations formerly ages antiquity".split())
_BELIEFS = frozenset("believed thought assumed taught imagined supposed feared".split())
_GIVEN_AS = frozenset(
    "believed believe believes thought thinks assumed assumes imagined feared hoped hopes alleged alleges claimed "
    "claims claim predicted predicts forecast foresaw pretended lied lies lying said says say told swore insisted "
    "insists argued argues suspected wrongly falsely mistakenly rumor rumour prophecy prediction guess guessed "
    "wrote writes boasted boasts promised promises joked confessed invented dreamed dreamt".split()
)
_ANNOUNCING = frozenset("no not never nothing none untrue false".split())
_DOCUMENTS = frozenset(
    "report letter book article manual act constitution label sign notice page minutes log record records entry file "
    "document documentation statute clause contract will map inscription plaque specification standard file textbook "
    "encyclopedia dictionary register readme section paragraph table".split()
)
"""What these say in so many words, a page may give as its own."""
_NEUTRAL = frozenset("says said say reads states stated writes wrote report reports tells told notes records".split())
RESERVED = (UNTRUE | _FRAMES | _DISPUTING | NEGATIONS | EMBEDDING | SPEECH | HEDGES | frozenset(("few",))) - _FACTIVE
"""Before words of a sentence, these keep it from saying them itself."""


def _text(sentence: WordSentence) -> str:
    return " ".join(token.low for token in sentence.tokens) + " "


def is_retraction(sentence: WordSentence) -> bool:
    """Whether a sentence takes back the one before it: `None of this is true.`, `The study was later retracted.`"""
    whole = [token.low for token in sentence.tokens]
    words = whole[:OPENING]
    if any(idiom in _text(sentence) for idiom in _IDIOMS):
        return True
    untrue = not UNTRUE.isdisjoint(words) or (whole[0] in _LEADING and not UNTRUE.isdisjoint(whole))
    if len(whole) <= _BRIEF and (untrue or whole[0] in ("not", "no") or whole == ["well", "no"]):
        return True
    if (
        _gives_up(sentence, whole)
        or _is_shown_otherwise(whole)
        or _is_unproved(whole)
        or _was_hoped(whole)
        or _is_story_reference(whole)
    ):
        return True
    pointing = not (_POINTING | _SPOKEN_OF).isdisjoint(words) or whole[0] in _LEADING
    if not pointing:
        return False
    if untrue or not _OUTDATED.isdisjoint(words):
        return True
    if not _DISPUTING.isdisjoint(words):
        return True
    negated = not NEGATIONS.isdisjoint(words) or "few" in words
    blunt = len(whole) <= _BRIEF and (whole[0] in _POINTING or whole[-1] == "not")
    return negated and (blunt or not (STOOD | _BELIEVED).isdisjoint(whole))


def is_later_retraction(sentence: WordSentence) -> bool:
    """Whether a sentence takes back what stands farther before: `None of this is true.`"""
    whole = [token.low for token in sentence.tokens]
    words = whole[:OPENING]
    if not any(_points_back(words, at) for at in range(len(words))):
        return False
    negated = not NEGATIONS.isdisjoint(words) and not STOOD.isdisjoint(whole)
    return negated or not UNTRUE.isdisjoint(words) or _is_unproved(whole)


def _points_back(words: list[str], at: int) -> bool:
    """Whether a word stands for all that was said: `this is`, `of that`, `everything above`."""
    if words[at] in ("everything", "above"):
        return True
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in _ALL_THAT and (after in AUXILIARIES or (at > 0 and words[at - 1] in ("of", "for")))


def _gives_up(sentence: WordSentence, words: list[str]) -> bool:
    """`It did not.`, `He was acquitted.`, `It has since been raised.`, `The editors apologised.`, `Fact: …`"""
    headed = words[0] in ("fact", "reality", "truth", "answer", "correction") and len(words) > 1
    if headed and ":" in sentence.tokens[1].lead:
        return True
    if not _JESTING.isdisjoint(words) or not _REPENTING.isdisjoint(words[:OPENING]):
        return True
    subject = words[0] in _BACK or (words[0] in ("the", "both", "but", "yet") and len(words) <= OPENING)
    if not subject:
        return False
    ends = [
        at for at in range(1, len(words)) if words[at] == "not" and (at + 1 == len(words) or _cut(sentence, at + 1))
    ]
    if ends or ("never", "did") in pairwise(words) or ("no", "longer") in pairwise(words):
        return True
    changed = not {
        ("has", "since"),
        ("have", "since"),
        ("since", "been"),
        ("had", "changed"),
        ("has", "changed"),
    }.isdisjoint(pairwise(words))
    return changed or not _FREED.isdisjoint(words[:OPENING])


def _cut(sentence: WordSentence, at: int) -> bool:
    return bool(sentence.tokens[at].lead.strip(" "))


def _is_shown_otherwise(words: list[str]) -> bool:
    """`Copernicus showed otherwise.`"""
    if "otherwise" not in words[1:]:
        return False
    before = words[words.index("otherwise", 1) - 1]
    return before in SPEECH or before in ("prove", "proved", "proves", "proven", "is", "was", "are", "were", "quite")


def _is_unproved(words: list[str]) -> bool:
    """`There is not a shred of evidence for this.`"""
    if NEGATIONS.isdisjoint(words) and "little" not in words:
        return False
    return not _GROUNDS.isdisjoint(words) and not _POINTED_AT.isdisjoint([words[0], *words[-2:]])


def _was_hoped(words: list[str]) -> bool:
    """`That was the hope.`"""
    return (
        words[0] in ("that", "this", "such", "so")
        and not {"is", "was", "were", "at"}.isdisjoint(words[1:3])
        and not _HOPES.isdisjoint(words[2:6])
    )


def _is_story_reference(words: list[str]) -> bool:
    """`So begins the second novel.`, `This is the plot of the film.`"""
    if _TOLD_AS.isdisjoint(words):
        return False
    if words[0] in ("so", "thus"):
        return not _RUNS.isdisjoint(words[1:3])
    return words[0] in ("this", "that", "these", "such") and not _IS.isdisjoint(words[1:4])


def is_untrue_introduction(sentence: WordSentence) -> bool:
    """Whether a sentence, or a heading, says that what follows is not so, or only imagined."""
    words = [token.low for token in sentence.tokens]
    if not _JESTING.isdisjoint(words) or not _MADE.isdisjoint(words) or _sets_task(words):
        return True
    if ":" in sentence.tail and not _OLD.isdisjoint(words):
        return True
    if addresses_reader(sentence) or _announces(words, ":" in sentence.tail) or _sets_scene(words):
        return True
    untrue = not (UNTRUE | _FRAMES).isdisjoint(words)
    leads = ":" in sentence.tail or not _FOLLOWING.isdisjoint(words)
    if words[0] in _FRAMES or (untrue and (leads or len(words) <= _BRIEF)):
        return True
    if not NEGATIONS.isdisjoint(words) and "following" in words:
        return True
    if untrue and len(words) <= _HEADING and "." not in sentence.tail:
        return True
    if words[0] == "in" and not MADE_UP.isdisjoint(words[1:5]):
        return True
    return leads and not MADE_UP.isdisjoint(words)


def _sets_task(words: list[str]) -> bool:
    """`Correct the mistake in this sentence.`, `What if …`, `Let us assume …`"""
    if words[0] in _TASKS and not _TASK_TEXTS.isdisjoint(words):
        return True
    return words[:2] in (["what", "if"], ["let", "us"]) or "suppose" in words[:4] or words[:3] == ["for", "the", "sake"]


def _announces(words: list[str], colon: bool) -> bool:
    """Whether a sentence gives what follows as another's belief, a guess or a lie: `Many believed the following.`"""
    said = frozenset(words)
    if not _DOCUMENTS.isdisjoint(said):
        said -= _NEUTRAL
    ahead = words[-1] in _AHEAD or any(
        pair == ("the", "following") and words[at + 2 : at + 3] and words[at + 2] not in TEMPORAL
        for at, pair in enumerate(pairwise(words))
    )
    if (colon or ahead or words[-1] in ("this", "these")) and said & _GIVEN_AS:
        return True
    told = colon and not (_DOCUMENTS | _NEUTRAL).isdisjoint(words)
    if (ahead or told) and said & _ANNOUNCING:
        return True
    if said & _BELIEFS and (said & _LONG_AGO or _text_of(words).startswith("used to ")):
        return True
    if words[0] == "do" and "not" in words[1:3] and said & _BELIEVED:
        return True
    if "or" in words and "false" in words and "true" in words:
        return True
    return words[0] in _ONE and not _HEARSAY.isdisjoint(words[1:4]) and not _SPREAD.isdisjoint(words)


def _text_of(words: list[str]) -> str:
    at = words.index("used") if "used" in words else len(words)
    return " ".join(words[at:]) + " "


def _sets_scene(words: list[str]) -> bool:
    """Whether a sentence speaks of what is told in a story, play or game: `Chapter one of her thriller opens …`"""
    this = words[0] in ("this", "these", "here", "what", "following") or words[:2] == ["the", "following"]
    this = this and not {"is", "are", "was", "were", "comes", "follows"}.isdisjoint(words[1:5])
    if this and not (_TOLD_AS | _DRILLS).isdisjoint(words):
        return True
    works = [at for at, word in enumerate(words) if word in _TOLD_AS]
    if not works:
        return False
    if not _JOKES.isdisjoint(words) and not _JOKING.isdisjoint(words):
        return True
    inside = any(
        words[at - back] == "in" and words[at - back + 1] in _WHOSE for at in works for back in (2, 3) if at >= back
    )
    return inside or not _TELLING.isdisjoint(words)


def addresses_reader(sentence: WordSentence) -> bool:
    """Whether a sentence tells its judge what to find: it is no evidence."""
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
