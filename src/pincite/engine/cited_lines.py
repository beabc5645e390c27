"""Which lines of its evidence a citation means: those it names, a definition, a section, or the rule of a target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..checks import find_heading
from ..core.model import Lines
from ..text.evidence import SymbolEvidence
from ..text.lines import decode, line_starts, position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model import Citation
    from ..text.evidence import Evidence

_MOST_HEADED = 40
"""Lines that are taken for the beginning of a section, and for a rule."""
_MOST_SEARCHED = 20_000
"""Lines of a file in which a rule is looked for."""
_NUMBER = re.compile(r"[\d.]{1,20}\Z")


def find_cited_lines(citation: Citation, evidence: Evidence) -> Lines | None:
    """The lines that a citation means; None where it means the file, or where they cannot be told."""
    if isinstance(evidence, SymbolEvidence):
        return evidence.cited
    if citation.lines is not None:
        return citation.lines
    if not evidence.data:
        return None
    if citation.section:
        return _find_section(evidence, citation.section)
    if citation.source.scheme == "target":
        return _find_rule(evidence.lines, citation.source.key)
    return None


def _find_section(evidence: Evidence, title: str) -> Lines | None:
    """The lines of a section from its heading on; None where no heading reads like that."""
    from ..search import passages

    path = evidence.source.key
    kind = passages.find_kind(path)
    if kind is None or kind in passages.WITHOUT_HEADINGS:
        return None
    text = decode(evidence.data)
    starts = line_starts(text)
    rows = [(position(starts, one.start)[0], one.title) for one in passages.outline(kind, text, path)]
    wanted = {_fold(title), _fold(title.partition(", §")[0]), _fold(find_heading(evidence, title).altered)} - {""}
    first = next((row for row, name in rows if _fold(name) in wanted), 0)
    if not first and _NUMBER.match(title):
        first = next((row for row, name in rows if re.match(rf"\W{{0,3}}{re.escape(title)}(?![\d.]*\d)", name)), 0)
    if not first:
        return None
    last = min((row for row, _ in rows if row > first), default=len(evidence.lines) + 1) - 1
    return Lines(first, max(first, min(last, first + _MOST_HEADED - 1)))


def _fold(title: str) -> str:
    return " ".join(re.sub(r"[*_`~]", "", title).casefold().split())


def _find_rule(lines: Sequence[str], key: str) -> Lines | None:
    """The lines that define what a command names, such as `make lint (in docs)`; None where they are not plain."""
    name = re.escape(key.partition(" (")[0].rpartition(" ")[2])
    forms = (
        # `lint: src`, `"lint": "ruff"`, `lint = "ruff"`, `[testenv:lint]`, `def lint(session)`, `lint *args:`
        rf"(?:[^\s:=#][^:=#]*\s)?{name}(?:\s[^:=#]*)?:(?!=)|\s*[\"']?{name}[\"']?\s*[:=](?!=)"
        rf"|\[[^\]]*\b{name}\]|def {name}\("
    )
    defines = re.compile(forms)
    for number, line in enumerate(lines[:_MOST_SEARCHED], 1):
        if len(line) < 1000 and defines.match(line) and not line.startswith(".PHONY"):
            depth = len(line) - len(line.lstrip())
            last = number
            for below in lines[number : number + _MOST_HEADED]:
                if below.strip() and len(below) - len(below.lstrip()) <= depth:
                    break
                last += 1
            while last > number and not lines[last - 1].strip():
                last -= 1
            return Lines(number, last)
    return None
