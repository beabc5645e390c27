"""How a run is summed up in words, the same in every format that has a sentence for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.model import Outcome
from ..safe.escape import escape_text
from ..text.lines import format_count

if TYPE_CHECKING:
    from ..core.model import HiddenFindings, Summary

_NAMED = 3
"""Documents that a sentence names."""
_BY_GRAVITY = tuple(outcome.label for outcome in sorted(Outcome, reverse=True) if outcome)


def headline(summary: Summary) -> str:
    """The run in one sentence; a run over nothing says that nothing was checked."""
    documents = format_count(summary.documents, "document")
    if not summary.citations:
        where = f"No citations found in {documents}" if summary.documents else "No documents found"
        return f"{where}: nothing was checked."
    outcomes = summary.outcomes
    held = outcomes.get("holds", 0)
    if held == summary.citations:
        said = "it holds" if held == 1 else "all hold"
    else:
        parts = [f"{held:,} {'holds' if held == 1 else 'hold'}"]
        parts += [f"{outcomes[label]:,} {label}" for label in _BY_GRAVITY if outcomes.get(label)]
        said = ", ".join(parts)
    return f"{format_count(summary.citations, 'citation')} in {documents}: {said}"


def asides(summary: Summary) -> str:
    """What the headline leaves out: malformed, unreadable, ignored and known; empty where there is none."""
    return ", ".join(
        f"{number:,} {words}"
        for number, words in (
            (summary.malformed, "malformed"),
            (summary.unreadable, "document unreadable" if summary.unreadable == 1 else "documents unreadable"),
            (summary.ignored, "ignored by a comment"),
            (summary.known, "known from the baseline"),
            (summary.accepted, "accepted by a reader"),
            (summary.skipped, "skipped below a code fence that is never closed"),
            (summary.unread, "looks like a citation and was not read (--skipped says why)"),
        )
        if number
    )


def promise(summary: Summary, command: str) -> str:
    """What `fix` does, in one sentence; `command` is marked as code."""
    return f"{summary.fixable:,} can be repaired: {command} does it"


def hiding(summary: Summary) -> str:
    """What this change keeps from being reported, as one sentence; empty where it hides nothing, or was not asked."""
    hidden = summary.hidden
    if not hidden:
        return ""
    parts = []
    if hidden.documents:
        parts.append(f"excludes {format_count(len(hidden.documents), 'document')} ({_first(hidden.documents)})")
    if hidden.ignored:
        parts.append(f"ignores {format_count(hidden.ignored, 'finding')}")
    if hidden.baselined:
        parts.append(f"adds {format_count(hidden.baselined, 'finding')} to the baseline")
    if hidden.accepted:
        parts.append(f"accepts {format_count(hidden.accepted, 'citation')} as still true")
    if hidden.locked:
        number = "1 lock entry" if len(hidden.locked) == 1 else f"{len(hidden.locked):,} lock entries"
        parts.append(f"changes {number} ({_first(hidden.locked)})")
    if hidden.settings:
        parts.append(f"alters the settings {', '.join(hidden.settings)}")
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"This change {listed} (compared with {escape_text(hidden.since)})"


def _first(names: tuple[str, ...]) -> str:
    """The first few of some names."""
    more = ", …" if len(names) > _NAMED else ""
    return ", ".join(escape_text(name) for name in names[:_NAMED]) + more


def hidden_parts(hidden: HiddenFindings) -> dict[str, str | int | tuple[str, ...]]:
    """The same as data, under the names that every format uses."""
    return {
        "since": hidden.since,
        "excluded_documents": hidden.documents,
        "ignored_findings": hidden.ignored,
        "baselined_findings": hidden.baselined,
        "accepted_citations": hidden.accepted,
        "lock_entries": hidden.locked,
        "settings": hidden.settings,
    }


def mark(summary: Summary) -> str:
    """`✗` where something is wrong, `⚠` for warnings, `✓` where citations hold, `–` where nothing was seen to."""
    if summary.exit_code or summary.errors or summary.malformed:
        return "✗"
    if summary.warnings or summary.hidden:
        return "⚠"
    return "✓" if summary.outcomes.get("holds", 0) else "–"
