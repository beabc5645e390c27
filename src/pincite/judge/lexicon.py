"""The few words whose meaning the offline judge knows; everything else is compared, not understood."""

from __future__ import annotations


def make_word_set(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())


ARTICLES = make_word_set("a an the")
DETERMINERS = ARTICLES | make_word_set("this that these those his her its their our my your some another 's")
AUXILIARIES = make_word_set(
    "is are was were be been being am has have had do does did will would shall should can could may might must"
)
PREPOSITIONS = make_word_set(
    "of in on at by for with from into over under between through against during after across around along behind "
    "near within without among upon via per beside above below toward towards onto off out up down about as since "
    "till"
)
PRONOUNS = make_word_set("i you he she it we they him her them us me this these those who which one that what there")
FUNCTION = (
    ARTICLES
    | DETERMINERS
    | AUXILIARIES
    | PREPOSITIONS
    | PRONOUNS
    | make_word_set(
        "to and or but nor so if than then not no yes also too very just only more most much many such any all each "
        "both either neither own same other others how when where why while because although though however therefore "
        "thus hence here whom whose whether unless except once again ever never yet still even quite rather now get "
        "got gets getting let may well like really maybe perhaps mine yours ours theirs hers itself himself herself "
        "themselves myself yourself ourselves something anything nothing everything someone anyone everyone something "
        "oh ok 's '"
    )
)
"""Words that carry grammar rather than content."""

NEGATIONS = make_word_set(
    "not no never none nobody nothing neither nor without nowhere cannot hardly barely scarcely seldom rarely"
)
# Under these, a weaker phrase does not follow from a stronger one: nothing may be dropped beside them.
STRONG = NEGATIONS | make_word_set(
    "any only when few fewer less little if unless whether than too before avoid avoids avoided prevent prevents "
    "prevented lack lacks lacked deny denies denied fail fails failed refuse refuses refused doubt doubts doubted "
    "exactly anyone anybody anything whoever whatever whenever wherever ban bans banned forbid forbids forbidden "
    "prohibit prohibits prohibited stop stops stopped mere merely solely always unlike except otherwise "
    "impossible unable unlikely zero precisely forget forgot refrain reject rejects rejected exclude excludes "
    "excluding excluded"
)
# These reach over the phrase they open, not over the rest of the sentence.
WEAK = make_word_set(
    "all every each least most majority minority half average mean total number rate percentage proportion "
    "fraction everyone everybody everything first last next best worst both sole entire entirely many"
)
DOWNWARD = STRONG | WEAK
HEDGES = make_word_set(
    "may might could would should must perhaps maybe possibly probably likely unlikely allegedly supposedly "
    "reportedly purportedly seemingly apparently potentially presumably hopefully theoretically hypothetically "
    "almost nearly barely hardly partially partly virtually practically falsely mistakenly wrongly usually "
    "generally often sometimes occasionally frequently mostly mainly largely primarily typically formerly "
    "previously temporarily rarely seldom originally initially conceivably ostensibly arguably questionably "
    "doubtfully"
)
# An embedding word before the match: what follows is not said by the quote itself.
EMBEDDING = HEDGES | make_word_set(
    "if whether unless suppose supposing assuming provided imagine pretend dream dreamed dreamt dreams wish "
    "wishes wished want wants wanted plan plans planned hope hopes hoped intend intends intended expect expects "
    "expected deny denies denied doubt doubts doubted refuse refuses refused fail fails failed false untrue wrong "
    "myth myths rumor rumors rumour rumours seem seems seemed appear appears appeared try tries tried attempt "
    "attempts attempted propose proposes proposed predict predicts predicted fear fears feared request requests "
    "requested demand demands demanded order orders ordered forbid forbids forbade ask asks asked fiction "
    "fictional story legend legends novel prevent prevents prevented avoid avoids avoided not no never neither "
    "nor none without instead rather than until till before lest can or like pretends pretended theory hypothesis "
    "case"
)
# What someone says, thinks or finds: at most implied, unless the claim says who.
SPEECH = make_word_set(
    "say says said saying tell tells told claim claims claimed claiming report reports reported state states "
    "stated believe believes believed think thinks thought argue argues argued suggest suggests suggested "
    "announce announces announced according note notes noted add adds added explain explains explained insist "
    "insists insisted warn warns warned estimate estimates estimated find finds found show shows showed shown "
    "conclude concludes concluded reveal reveals revealed confirm confirms confirmed know knows knew known "
    "indicate indicates indicated allege alleges alleged assert asserts asserted maintain maintains maintained "
    "acknowledge acknowledges acknowledged admit admits admitted write writes wrote feel feels felt hear hears "
    "heard learn learned learnt suspect suspects suspected assume assumes assumed consider considers considered "
    "declare declares declared consensus opinion view"
)
DISCOURSE = make_word_set(
    "also however therefore thus moreover furthermore meanwhile indeed additionally besides consequently "
    "accordingly similarly likewise nevertheless nonetheless finally actually certainly clearly interestingly "
    "notably importantly fortunately unfortunately hence"
)
TEMPORAL = make_word_set(
    "century year years month months day days week weeks decade morning evening night afternoon summer winter "
    "spring autumn today yesterday"
)
CUTTING = make_word_set(
    "or nor except excluding unless if until till though although whether not never only but according allegedly "
    "supposedly reportedly rather instead least maybe perhaps possibly probably provided assuming would could "
    "might may"
)
"""After the match, these take something back."""
FREE = make_word_set("a an the that also and")
"""What a claim may add or leave out without saying more or less."""
# Under these the narrower follows from the wider.
REVERSING = NEGATIONS | make_word_set(
    "few fewer less if unless lack lacks lacked avoid avoids avoided prevent prevents prevented deny denies "
    "denied refuse refuses refused doubt doubts doubted than before too any unable impossible"
)
UNIVERSAL = make_word_set("every all each everyone")
LISTED = make_word_set(
    "including include includes such like among especially particularly eg e.g etc more others other many so"
)
