"""Where a sentence ends, as far as quotes and their citations need to know it."""

from __future__ import annotations

import re

# Words whose stop ends no sentence: abbreviations, and initials.
_WORDS = (
    r"Fig fig Dr Mr Mrs Ms Prof St e\.g i\.e cf Cf al vs approx ca p pp ch chap Ch Chap sec Sec no No vol Vol ed"
    " eds Eq eq Art Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec [A-Z]"
)
_SHORTENED = "".join(rf"(?<!\b{word})" for word in _WORDS.split())
STOP = re.compile(
    rf"(?:{_SHORTENED}[.!?](?=[\s)\]])(?!\s{{1,3}}[a-zß-ÿ])|[。！？](?!\Z))"
    r"(?!\s{1,3}(?:[Ss]ee(?: also)?|[Cc]f\.?|[Ff]rom|[Ii]n|[Ss]ource:?)\s{0,3}\Z)"
    r"|\n[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)"
)
"""The end of a sentence: not in front of a small letter, nor where nothing but `See` leads to the citation."""
