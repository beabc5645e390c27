"""Whether a few words read like a sentence: a subject with a verb behind it, by their form alone.

Headings, captions and cells mostly name something. A verb is known by its form and by what stands on both sides of it,
so that `Lessons learned in production` and `Memory leaks in browsers` stay names.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[0-9][0-9.,]*|&|\+|:")
_FEWEST = 3

_ASKS = frozenset("how why what when where which who whose whom whether to if".split())
_PRONOUNS = frozenset(
    "i we you he she it they nobody nothing no-one everyone everybody everything someone somebody something anyone"
    " anybody anything there none".split()
)
_DETERMINERS = frozenset(
    "the a an this that these those our my your his her its their some every each all no any most many few several"
    " both another".split()
)
_NOT_BEHIND = frozenset(
    "of in on for and or by with from to at as versus vs per between across during under over within without & + than"
    " against about into towards toward via through after before since until near".split()
)
_BEHIND_VERB = frozenset(
    "of in on for by with from to at as after before since until during under over without against into through near"
    " again yesterday today down up out off away back not never".split()
)
_FINITE = frozenset(
    "is are was were isn't aren't wasn't weren't has had hasn't hadn't cannot can't will won't would wouldn't"
    " does doesn't did didn't don't haven't must should could couldn't shouldn't shall might became becomes".split()
)
_MODAL = frozenset("may can".split())
_PAST = frozenset(
    "ate began bit blew broke brought bought came chose died drank drew drove fell fled flew forbade forgot fought"
    " froze gave got grew hid knew lied lost met ran rang rose sank sang sent shook shot shrank sold sought spoke spent"
    " stole stood struck sued swam swore taught threw took told went woke won wore wrote burnt slept".split()
)
_PAST_OR_ATTRIBUTE = frozenset("built cut fed found held hit kept led made paid said shut".split())
"""`Tools built in Rust` are named, `Study found errors` is a sentence."""
_VERBS = (
    "abandon accelerate accuse acquire admit affect allow announce approve arrest attack ban beat become betray block"
    " break bribe burn buy cause cheat claim close collapse confess confirm contain contradict convict corrupt cost"
    " crash create cure damage deceive decline decrease defraud delete deny deserve despise destroy die discriminate"
    " dominate double drive drop drown eat embezzle enable exceed exploit explode expose fail fall flee forbid force"
    " gain give grow halve harm hate hide ignore improve include increase indicate induce infect inhibit injure invade"
    " invent jail kill know launch leak lie lose love lower make murder need oppose outperform overtake own pay poison"
    " pollute prevent produce prohibit protect prove provide punish raise reach receive reduce refuse reject release"
    " remain remove replace require resign reveal rise ruin save scare sell send shrink sink sleep slow smoke soar"
    " spread steal stink stop store suffer suggest support surge swim take tell threaten treat trigger triple vanish"
    " violate want warn waste weaken win worsen"
).split()
_PLURAL_VERBS = frozenset(
    "affect allow avoid burn cause cheat contain create cure deserve despise destroy die eat exceed exploit fail hate"
    " harm ignore improve include infect invade kill know lie leak lose love make need oppose outperform poison prevent"
    " produce protect reduce refuse reject remain require ruin sell send spread steal stink suffer swim threaten"
    " violate want waste worsen have do".split()
)
_PLURALS = frozenset("people women men children police teachers they we".split())
_ATTRIBUTES = frozenset(
    "accepted adopted applied asked associated attached based cited collected compared completed concerned connected"
    " considered consulted contained covered defined deprecated described discussed distributed embedded employed"
    " encountered examined excluded expected explained explored featured fixed given hosted identified included"
    " integrated introduced involved learned limited linked listed managed measured mentioned needed observed obtained"
    " offered oriented planned presented proposed provided published recommended red related reported required"
    " retrieved reviewed revisited selected shared simplified started studied suggested summarised summarized supported"
    " tested updated used validated accessed archived visited modified generated dated speed need seed feed breed"
    " hundred indeed embed exceed speeds proceed succeed attested rejected grounded".split()
)
"""What is done to a thing that a heading or an entry names, and words that end as such."""
_MASS = frozenset("data work research software code evidence information material text literature".split())
_ADJECTIVES = ("al", "ic", "ive", "ous", "ful", "able", "ible", "ary", "ing", "est", "ed", "ly", "less")
_PLAIN = frozenset("main major minor key first second third last new old other best common open known own same".split())
_YEAR = re.compile(r"(?:1[5-9]|20|21)[0-9]{2}\Z")


def reads_as_sentence(text: str, fewest: int = _FEWEST) -> bool:
    """Whether a verb stands between the words of a line as in a sentence; what asks, or tells to do, does not claim."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    if sum(word[0].isalpha() for word in words) < fewest or words[0] in _ASKS:
        return False
    if words[0] in _PRONOUNS or words[:2] == ["no", "one"]:
        return True
    for at in range(1, len(words)):
        if words[at - 1] == ":" and words[at] in _ASKS:
            return False
        if _is_verb(words, at):
            return True
    return False


def _is_verb(words: list[str], at: int) -> bool:
    """Whether a word is the verb of the one before it."""
    word, before = words[at], words[at - 1]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in _FINITE:
        return bool(following)
    if before in _NOT_BEHIND or before in _DETERMINERS or before == ":" or not before[0].isalpha():
        return False
    if word in _MODAL:
        return following[:1].isalpha() and following not in _NOT_BEHIND
    determined = words[0] in _DETERMINERS and at > 1
    if word in _PAST:
        return not before.endswith("ing") and (not before.endswith("ly") or at > 1)
    plural = before in _PLURALS or (before.endswith("s") and not before.endswith("ss"))
    if word in _PLURAL_VERBS and plural:
        return bool(following) or determined
    object_follows = bool(following) and following not in _NOT_BEHIND and following != ":"
    if word == "left" or word in _PAST_OR_ATTRIBUTE:
        return determined or (word != "left" and object_follows)
    if word in _FORMS and (object_follows or (determined and following != "of")):
        return True
    if word.endswith("ed"):
        return _is_past(words, at, determined, plural)
    return _is_present(word, before, following, determined, words[0].endswith("ing"))


def _is_past(words: list[str], at: int, determined: bool, plural: bool) -> bool:
    """Whether a word in -ed says what became of the one before it, and is no attribute of either neighbour."""
    word, before = words[at], words[at - 1]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in _ATTRIBUTES or "-" in word or before in _MASS or before.endswith(("ing", "ly")):
        return False
    if following and following[0].isalpha() and following not in _BEHIND_VERB and following not in _DETERMINERS:
        return determined and before not in _PLAIN and not before.endswith(_ADJECTIVES)
    return not plural or determined or any(_YEAR.match(one) for one in words)


def _is_present(word: str, before: str, following: str, determined: bool, gerund: bool) -> bool:
    """Whether a word in -s has a subject before it and something behind it that no noun has."""
    if not word.endswith("s") or word.endswith(("ss", "us", "is", "'s")) or word in _NOT_BEHIND or not following:
        return False
    if before.endswith("s") or before in _PLAIN or before.endswith(_ADJECTIVES):
        return False
    if following in _DETERMINERS or following in _PRONOUNS:
        return not gerund
    return determined and following[0].isalpha() and following not in _NOT_BEHIND


def _forms(verb: str) -> tuple[str, str]:
    """The forms of a regular verb that have a subject: `kills`, `killed`."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied"
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "z")) else "s"
    doubled = verb.endswith(("p", "n")) and verb[-2] in "aeiou" and verb not in _UNDOUBLED
    stem = verb + verb[-1] if doubled else verb
    return verb + ending, f"{stem}d" if verb.endswith("e") else f"{stem}ed"


_UNDOUBLED = frozenset(
    ("gain", "own", "weaken", "worsen", "contain", "leak", "help", "remain", "abandon", "poison", "threaten")
)
_FORMS = frozenset(form for verb in _VERBS for form in _forms(verb))
