"""Where source code defines a name, told by the shape of the line: any language, and no grammar needed."""

from __future__ import annotations

import re

from .terms import places

_MOST_LOOKED = 30
"""Places of a name that are looked at."""
_LONGEST_LINE = 1000
STRONG = 2
"""A declaration, or an assignment at the margin."""
WEAK = 1
"""A key or an assignment inside something else."""

_DECLARING = (
    r"def|class|function\*?|fn|func|fun|struct|enum|union|trait|interface|type|typedef|const|constexpr|let|var|val|static"
    r"|contract|library|event|error|modifier|mod|module|namespace|record|macro_rules!|macro|sub|proc|procedure|object"
    r"|protocol|actor|define|table|view|trigger|extension|schema|job|target|resource|variable|output|message|service|rpc"
    r"|readonly|data class|local|export|declare"
)
# What may stand between the keyword and the name: a receiver, `if not exists`, an owner, an opening quote.
_KEYWORD = re.compile(
    r"(?:^|[\s(,{;!#])(?:" + _DECLARING + r")[ \t]+(?:\([^()\n]{0,120}\)[ \t]*|if not exists[ \t]+|mut[ \t]+|self[.]"
    r"|(?:[A-Za-z_]\w{0,60}[.:]{1,2}){1,3}|\"|')?\Z",
    re.IGNORECASE,
)
_BEFORE_NAME = frozenset(" \t).:\"'")
"""What that ends in; most uses of a name have something else before them."""
_TYPED = re.compile(r"[ \t]*+(?:[\w<>\[\],.?*&:@]{1,120}+[ \t]++[*&]*+){1,7}\Z")
_STATEMENT = re.compile(
    r"[ \t]*+(?:(?:return|new|await|throw|else|if|elif|case|yield|import|from|use|using|package|delete|typeof|in|of"
    r"|not|and|or|assert|raise|echo|print|while|for|switch|include|require|goto|do|with|when|emit|revert|expect|exec|call"
    r"|select|where|insert|update|set)\b|//|#|\*|--|/\*|<!--)"
)
_MODIFIED = re.compile(
    # Example: `  public static "`.
    r"""
    [ \t]*+(?:(?:export|default|pub|public|private|protected|internal|static|final|abstract|async|override|readonly
    |get|set|declare)[ \t]+|-[ \t]+)*["']?\Z
    """,
    re.VERBOSE,
)
_KEYED = re.compile(
    r"[\"']?[ \t]*(?:\[[^\]\n]{0,40}\])?[ \t]*(?::=|\?=|=(?![=>~])|:(?![:=])|:[ \t]*[\w<>\[\], .|]{1,80}=)"
)
_BODIED = re.compile(r"[ \t]*(?:<[^<>\n]{0,80}>)?\(")
_BORROWING = ("//", "#!", "* ", "import", "from", "use ")


def definition(text: str, name: str) -> tuple[int, int]:
    """How surely a file defines a name, and the offset at which it does so best; (0, -1) where it does not."""
    best, where = 0, -1
    for at in places(text, name, _MOST_LOOKED):
        end = at + len(name)
        start = max(text.rfind("\n", 0, at) + 1, at - _LONGEST_LINE)
        stop = text.find("\n", end, end + _LONGEST_LINE)
        sure = defines(text[start : stop if stop >= 0 else end + _LONGEST_LINE], at - start, end - start)
        if sure > best:
            best, where = sure, at
            if best == STRONG:
                break
    return best, where


def defines(line: str, at: int, end: int) -> int:
    """How surely a line defines the name that stands at `at` up to `end`: 0 not at all."""
    before, after = line[:at], line[end:]
    if before[-1:] in _BEFORE_NAME and _KEYWORD.search(before[-200:]) and not before.lstrip().startswith(_BORROWING):
        return STRONG
    if _MODIFIED.match(before):
        if _KEYED.match(after):
            # What is keyed at the margin is the file's own; deeper it may be an argument.
            return STRONG if at < 2 else WEAK
        if _BODIED.match(after) and after.rstrip().endswith(("{", ":")) and not _STATEMENT.match(line):
            return STRONG
    if _BODIED.match(after) and len(before) < 300 and _TYPED.match(before) and not _STATEMENT.match(before):
        return 0 if line.rstrip().endswith(";") and "=" in after else STRONG
    return 0
