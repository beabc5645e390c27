"""What in a report says something that could be true or false, by its form alone.

Running text claims; a heading, a caption or the title of a source mostly names something. It claims where it has a
figure or a verb: that is known by its form and by what stands on both sides of it, so that `Lessons learned in
production` and `Memory leaks in browsers` stay names. What claims nothing by its form is not judged, and is counted.
"""

from __future__ import annotations

import re

from ...text.number_words import NUMBER_WORDS, TENS

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[0-9][0-9.,]*|&|\+|:")
_FEWEST_WORDS = 3

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
_WORDS = [*(word for word, value in NUMBER_WORDS.items() if value > 1), "hundred"]
_TENS = "|".join(TENS)
_NUMBER = rf"(?:(?:{_TENS})-one|(?:(?:{_TENS})-)?(?:{'|'.join(_WORDS)}))"
_COMPOUND = (
    "bit|byte|way|phase|factor|tier|star|step|part|pass|stage|level|layer|dimensional|d|point|body|sided|column"
    "|letter|digit|pane|party|class"
)
"""What a number names with a hyphen before it: `64-bit`, `two-phase commit`."""
_ENUMERATED = (
    "ways|reasons|facts|findings|steps|tips|things|lessons|questions|rules|types|kinds|examples|points|methods|approaches"
    "|options|models|layers|pillars|principles|parts|phases|stages|levels|views|perspectives|ideas|themes|sections|notes"
    "|schools|theories|definitions|cases|sources|papers|studies|strategies|alternatives|candidates|designs|variants"
    "|takeaways|conclusions|problems|challenges|goals|criteria|factors|dimensions|engines|databases|systems|tools"
)
"""What a heading counts that only says how it goes on: `Three ways to fail`."""
_HYPHENATED = re.compile(rf"\b{_NUMBER}-(?!(?:{_COMPOUND}|{'|'.join(_WORDS)}|one)\b)[a-z]{{2,}}", re.IGNORECASE)
_COUNTED_IN_WORDS = re.compile(
    # Examples: `three people`, `two large outages`; not `top five reasons`.
    rf"""
    (?<![\w-])(?<!top\ )(?<!big\ )(?:zero|{_NUMBER})\           # a number in words
    (?:(?!{_ENUMERATED})[a-z]+\ )?(?!(?:{_ENUMERATED})\b)       # one word between, and nothing that a heading counts
    (?:[a-z]{{2,}}s|people|men|women|children|percent|downtime)\b(?!['’])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EVENT = re.compile(
    r"\b(?:bankruptc(?:y|ies)|insolvency|outages?|crash(?:es)?|fines?|breach(?:es)?|lawsuits?|collapse|deaths?|scandals?"
    r"|recalls?|layoffs|hacks?|leaks?|arrests?|convictions?|bans?|acquisition|merger|takeover|shutdown|closure"
    r"|explosions?|fires?|accidents?|attacks?|data loss|disasters?|resignation)\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"(?:in|un|non-?)?(?:secure|safe|stable|reliable|correct|valid|true|false|wrong|right|broken|fast|slow|faster|slower"
    r"|fastest|slowest|dead|bankrupt|illegal|legal|toxic|lethal|flawed|corrupt|obsolete|abandoned|deprecated|maintained"
    r"|supported|proven|tested|expensive|cheap|free|proprietary|vulnerable|available|usable|readable|likely|scalable"
    r"|effective|efficient|complete|consistent|accurate|compatible|fixed|solved|confirmed|refuted|impossible)"
    r"|\w{3,}(?:ous|ful|less)|un\w{3,}(?:ed|able)",
    re.IGNORECASE,
)
"""Words that say of something alone what it is like."""
ANSWER = re.compile(
    r"\W*(?:yes|no|nope|yep|yeah|indeed|absolutely|certainly|never|always|definitely|exactly|correct|true|false"
    r"|of course|not at all|it (?:is|does|did|was|has|can)|they (?:are|do|did|were|have|can))\b",
    re.IGNORECASE,
)
"""How a sentence begins that answers the question before it."""
STOPS = ".!?…。！？"
"""What ends a sentence."""
FULL_STOPS = (".", "!", "。", "！")
"""What makes a sentence of a heading."""
CLOSING = ")]}\"'”’»*_~ \t"
"""What may stand behind its stop."""
WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")
LABELS = ("heading", "label", "code", "front", "source")
"""Kinds of places where something is named rather than said."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
_INTRODUCES = re.compile(r"\b(?:following|as follows|below|these|here)\b[^.]*:\Z", re.IGNORECASE)
_TOLD_BY_ASKING = re.compile(r"\b(?:know|knew|aware|heard|reali[sz]ed?|noticed?) (?:that )?", re.IGNORECASE)
_LONGEST_OPENING = 200
_WORDS_IN_OPENING = 12
_WORDS_WITH_STOP, _WORDS_WITHOUT, _WORDS_IN_CELL = 2, 3, 4
_WORDS_IN_HEADING = 4

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"""
    \b(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ][0-9:.]+Z?)?            # 2024-05-03, 2024-05-03T10:00Z
      |[0-9]{{1,2}}(?:st|nd|rd|th)?\ {_MONTH}(?:\ [0-9]{{4}})?          # 3rd May 2024
      |{_MONTH}\ [0-9]{{1,2}}(?:,?\ [0-9]{{4}})?                        # May 3, 2024
      |{_MONTH}\ [0-9]{{4}}                                             # May 2024
      |(?:(?:1[5-9]|2[01])[0-9]{{2}})(?:[–/-][0-9]{{2,4}})?s?           # 2024, 1990s, 2023/24
      |q[1-4])                                                          # Q3
    (?![\w%]|[.,][0-9])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATED = re.compile(
    r"\W*(?:date|dated|accessed|retrieved|published|updated|generated|as of|last (?:updated|modified|changed))\W*",
    re.IGNORECASE,
)
# Numbers that name: of a section, a table, a version, a model, a place in a list.
_NAMING = re.compile(
    rf"""
      (?-i:\A\W*(?:[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{0,4}}[.):]?|[IVXivx]{{1,5}}[.):])(?=\s+["“‘(]?[A-Z]))  # 2.1 Results
    | \b(?:section|chapter|part|table|figure|fig|step|phase|level|type|appendix|no|number|version|v|top|page|p|rfc|iso
        |question|q|stage|day|week|grade|class|category|group|item|note|example|case|listing|equation|eq|vol|volume
        |issue)s?\.?\ ?\#?[0-9][0-9.]*(?![0-9%])                                                        # Table 3
    | \b(?!(?:usd|eur|gbp|jpy|chf|cny|inr|aud|cad)(?![a-z]))[A-Za-z]+-?[0-9][\w.-]*                     # GPT-4
    | \#[0-9]+                                                                                          # #12
    | \b[0-9]+[A-Za-z]?-(?:{_COMPOUND})\b                                                                # 3-way
    | \b[0-9]+-(?-i:[A-Z])\w*                                                                           # 2-D
    | \b[0-9]+-in-[0-9]+                                                                                # 2-in-1
    | (?-i:\b[A-Z]\w*\ [0-9]+(?:\.[0-9]+){{1,3}}\b(?![0-9,%]))                                          # Python 3.11
    | \A[0-9]{{1,2}}\ (?:\w+\ )?(?:ways|reasons|facts|findings|steps|tips|things|lessons|questions|rules|types|kinds
        |examples|points|methods)\b                                                                     # 7 good reasons
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NAME_AND_NUMBER = re.compile(r"\b[A-Z]\w*\ [0-9]{1,2}\Z")
_LISTED = re.compile(
    # Examples: `doi:10.1000/182`, `12(3)`, `pp. 4–9`.
    r"""
    \bdoi:?\s*\S+|\b10\.[0-9]{4,9}/\S+|\barxiv:?\s*\S+|\bis[bs]n:?\s*[0-9Xx -]+|\b[0-9]+\s*\([0-9]+\)
    |\bpp?\.?\s*[0-9]+(?:\s*[–-]\s*[0-9]+)?|\b[0-9]+\s*[–-]\s*[0-9]+\b(?!\s*%)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNITS = (
    r"%|‰|percent|per cent|pct|percentage points?|million|billion|trillion|thousand|hundred|dozen|times|fold|bytes?"
    r"|[kKMGTP]i?[bB]|bits?|[kMG]?bps|ms|µs|ns|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[kcmµn]?m|metres?"
    r"|meters?|miles?|feet|km/h|mph|[kmµ]?g|tonnes?|tons?|pounds?|litres?|liters?|[kMG]?W|[kMG]Wh|[kM]?Hz|°[CF]|degrees"
    r"|users?|people|persons|patients|deaths|dead|cases|points|dollars|euros|USD|EUR"
)
_QUANTITY = re.compile(
    # A run of digits is begun once and read whole: a page of nothing else takes no longer than its length.
    rf"(?<![0-9.,])[0-9][0-9.,]*+\s?(?:{_UNITS})(?![\w])"
    r"|[$€£¥₹]\s?[0-9]|\b[0-9]{1,3}(?:[,'’\u00a0\u202f ][0-9]{3})+\b"
    r"|[0-9](?:\s?[×x])(?![\w])|\b[0-9]+\s+(?:of|in|out\s+of)\s+(?:every\s+)?[0-9]+\b|[０-９]+"
    r"|(?<![0-9٠-٩.,])[0-9٠-٩][0-9٠-٩.,]*+\s?[%٪]"
)
_WORDED = re.compile(
    # Examples: `half of`, `doubled`.
    r"""
    \b(?:percent|per\ cent|millions?|billions?|trillions?|thousands?|hundreds|dozens|half\ of|majority\ of
    |two\ thirds
    |thirds|quarters?\ of|most\ of|all\ of|none\ of|never|always|twice|doubled|tripled|halved|tenfold)\b
    |百分之|[0-9]\s?[万億亿千]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(r"[=(){}\[\];<>$|\\`]|::|->")
_SIGNS_IN_PROSE = 3
_COUNTED = re.compile(r"(?<![\w.,/-])[0-9][0-9.,]*\s+(?!pages\b|pp\b|edn?\b|vols?\b)[a-z]{2,}")
_DIGIT = re.compile(r"\d")


def reads_as_sentence(text: str, fewest: int = _FEWEST_WORDS) -> bool:
    """Whether a verb stands between the words of a line as in a sentence; what asks, or tells to do, does not claim."""
    words = [word.casefold().replace("’", "'") for word in _TOKEN.findall(text)]
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


def _dates_an_event(text: str) -> bool:
    """Whether a few words say when something happened: `Mid-2019 bankruptcy`."""
    return _DATE.search(text) is not None and _EVENT.search(text) is not None


def is_claim(text: str, kind: str) -> bool:
    """Whether a sentence says something that could be true or false."""
    bare = text.rstrip(CLOSING)
    if kind in LABELS:
        return _names_a_fact(bare, kind)
    words = WORD.findall(bare)
    if bare.endswith(("?", "？")):
        told = _TOLD_BY_ASKING.search(bare)
        return has_figure(bare) or (told is not None and reads_as_sentence(bare[told.end() :]))
    opening = bare.endswith((":", "：")) and _INTRODUCES.search(bare[-_LONGEST_OPENING:]) is not None
    if opening and len(words) <= _WORDS_IN_OPENING and not has_figure(bare):
        return reads_as_sentence(bare.partition(" that ")[2])
    if len(_WIDE.findall(bare[:200])) > _WORDS_IN_CELL:
        return True
    if not any(sign.isalpha() for sign in bare):
        return kind in ("text", "entry") and bool(words) and _DIGIT.search(_DATE.sub(" ", bare)) is not None
    if bare.endswith((".", "!", "…")):
        return len(words) >= _WORDS_WITH_STOP or (
            kind in ("text", "entry") and _VERDICT.fullmatch(words[0]) is not None
        )
    if not WORD.search(_DATE.sub(" ", bare)):
        return False
    if len(words) >= (_WORDS_IN_CELL if kind == "cell" else _WORDS_WITHOUT):
        return True
    if reads_as_sentence(bare, _WORDS_WITHOUT if kind == "cell" else _WORDS_WITH_STOP):
        return True
    # The short cells of a row are read together.
    return kind != "cell" and (has_figure(bare) or _says_of_a_label(bare) or _dates_an_event(bare))


def has_figure(text: str) -> bool:
    """Whether a text has a figure that is neither a date nor the number of something."""
    if any(figure.search(text) for figure in (_QUANTITY, _WORDED, _HYPHENATED, _COUNTED_IN_WORDS)):
        return True
    return _DIGIT.search(_NAMING.sub(" ", _DATE.sub(" ", text))) is not None


def is_row_claim(cells: list[str], listing: bool) -> bool:
    """Whether the short cells of a row say something together; the number of a row does not."""
    said = [cell for cell in cells if WORD.search(cell)]
    if (len(said) > 1 or listing) and said and said[0].rstrip(".").isdecimal():
        said = said[1:]
    if listing:
        return any(_names_a_fact(cell, "source") or not any(map(str.isalpha, _DATE.sub("x", cell))) for cell in said)
    figures = any(_DIGIT.search(_DATE.sub(" ", cell)) or has_figure(cell) for cell in said)
    return figures or (len(said) > 1 and sum(len(WORD.findall(cell)) for cell in said) >= _WORDS_IN_CELL)


def _says_of_a_label(text: str) -> bool:
    """Whether a short line is a label with a value behind its colon; the day of a report is none."""
    label, colon, value = text.partition(":")
    if not colon or not WORD.search(label) or not WORD.search(value):
        return False
    return not (_DATED.fullmatch(label) and not WORD.search(_DATE.sub(" ", value)))


def _names_a_fact(text: str, kind: str) -> bool:
    """Whether a heading, caption, title or line of code claims something: by a figure, a verb, or a stop."""
    words = WORD.findall(text)
    if not words or text.endswith(("?", "？")):
        return bool(words) and has_figure(text)
    if kind == "source":
        listed = _DATE.sub(" ", _LISTED.sub(" ", text))
        return any(form.search(listed) for form in (_QUANTITY, _WORDED, _COUNTED)) or reads_as_sentence(text)
    if kind == "front" and len(words) < _WORDS_WITHOUT and not _QUANTITY.search(text):
        return False
    if kind == "code" and not _reads_as_prose(text):
        return False
    if has_figure(_NAME_AND_NUMBER.sub(" ", text)) and (any(sign.isalpha() for sign in text) or _QUANTITY.search(text)):
        return True
    if text.endswith(FULL_STOPS) and len(words) >= _WORDS_IN_HEADING and kind != "code":
        return True
    return reads_as_sentence(text) or (kind != "code" and _dates_an_event(text))


def _reads_as_prose(text: str) -> bool:
    """Whether a line of code is made of words rather than of code."""
    signs = len(_CODE.findall(text))
    words = sum(word.isalpha() for word in WORD.findall(text))
    if _QUANTITY.search(text) is not None:
        return words >= _WORDS_WITH_STOP and signs <= _SIGNS_IN_PROSE
    return words >= _WORDS_WITHOUT and not signs
