"""Figures in words, and words that claim something alone: `Ten-hour outage`, `Twelve outages`, `Insecure.`"""

from __future__ import annotations

import re

from ...text.number_words import NUMBER_WORDS, TENS

_WORDS = [*(word for word, value in NUMBER_WORDS.items() if value > 1), "hundred"]
_TENS = "|".join(TENS)
_NUMBER = rf"(?:(?:{_TENS})-one|(?:(?:{_TENS})-)?(?:{'|'.join(_WORDS)}))"
COMPOUND = (
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
_HYPHENATED = re.compile(rf"\b{_NUMBER}-(?!(?:{COMPOUND}|{'|'.join(_WORDS)}|one)\b)[a-z]{{2,}}", re.IGNORECASE)
_COUNTED = re.compile(
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
ANSWER = re.compile(
    r"\W*(?:yes|no|nope|yep|yeah|indeed|absolutely|certainly|never|always|definitely|exactly|correct|true|false"
    r"|of course|not at all|it (?:is|does|did|was|has|can)|they (?:are|do|did|were|have|can))\b",
    re.IGNORECASE,
)
"""How a sentence begins that answers the question before it."""


def has_worded_figure(text: str) -> bool:
    """Whether a text has a figure in words that counts or measures something."""
    return _HYPHENATED.search(text) is not None or _COUNTED.search(text) is not None


def dates_an_event(text: str, date: re.Pattern[str]) -> bool:
    """Whether a few words say when something happened: `Mid-2019 bankruptcy`."""
    return date.search(text) is not None and _EVENT.search(text) is not None


def is_verdict(word: str) -> bool:
    """Whether a word alone says of something what it is like."""
    return _VERDICT.fullmatch(word) is not None
