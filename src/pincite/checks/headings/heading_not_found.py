"""
The cited file has no such heading.

Why: the heading was renamed or removed, or it stands in another file. White space, emphasis marks, backticks and the
addresses of links do not matter; a heading that differs in upper and lower case or punctuation alone is reported as
`heading-altered`. `§3.2` is the heading that begins with this number. In code, headings are definitions: `§Gauge.read`.

Example: `[guide.md, §Instaling]` of a file that has `# Installing` gives `No heading 'Instaling' in guide.md; the
nearest is 'Installing'`.

Remedy: cite the heading by the words it has now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.limits import LIMITS
from ...core.model import Citation, Finding, Outcome, Severity
from ...text.lines import shorten
from ._headings import look

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

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
