"""
The cited file has no such heading.

Why: the heading was renamed or removed, or it stands in another file. White space, emphasis marks, backticks and the
addresses of links do not matter; a heading that differs in upper and lower case or punctuation alone is reported as
`heading-altered`. `§3.2` is the heading that begins with this number. In code, headings are definitions: `§Gauge.read`.

Example: `[guide.md, §Instaling]` of a file that has `# Installing` gives `No heading 'Instaling' in guide.md; the
nearest is 'Installing'`.

Remedy: cite the heading by the words it has now.
"""

from collections.abc import Sequence

from ...core.limits import LIMITS
from ...core.model import Citation, Finding, Obstacle, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.lines import shorten
from ..files import file_ambiguous
from ._headings import look

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a heading that the file does not have in any spelling."""
    if not citation.section:
        return None
    answer = look(evidence, citation.section)
    if answer.there or answer.altered or answer.unknown:
        return None
    title = shorten(citation.section, LIMITS.shown_chars)
    near = f"; the nearest is {shorten(answer.near, LIMITS.shown_chars)!r}" if answer.near else ""
    return Finding("heading-not-found", OUTCOME, SEVERITY, f"No heading {title!r} in {evidence.source.key}{near}")


def ask_namesakes(citation: Citation, found: Obstacle, files: Sequence[Evidence | Obstacle]) -> Obstacle:
    """That the heading is missing where none of several files of the cited name has it; else that they are several."""
    for file in files:
        answer = look(file, citation.section) if not isinstance(file, Obstacle) else None
        if answer is None or answer.there or answer.altered or answer.unknown:
            return found
    return Obstacle("heading-not-found", file_ambiguous.message(citation, found)) if files else found


def message(citation: Citation, found: Obstacle) -> str:
    """The heading, and the files of which none has it."""
    return f"No heading {citation.section[:200]!r}; {found.detail}"
