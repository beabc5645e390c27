"""
There is no file at the cited path.

Why: the file was deleted, renamed, or never existed. A folder, device or pipe at the path counts as no file.

Example: `【F:src/old.py†L3】` after `git rm src/old.py` gives `File not found: src/old.py`.

Remedy: point the citation at the file's new place (`pincite fix` does it where the text is unchanged and git
knows where it went, `--interactive` also where it was edited), or remove it.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.model import Citation, Finding, Obstacle, Outcome, Severity
from ..wording import NewPlace, format_place, shorten_lines

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """The reason in the words of the memory format."""
    return f"File not found: {found.detail or citation.source.key}"


def add_new_name(finding: Finding, path: str, compared: bool) -> Finding:
    """The same, with the name that git knows the file by now; `compared` says that the cited text was looked for."""
    known = f"git knows it as {path} now"
    if compared:
        known = f"{known}, where the cited text does not stand unchanged"
    # What was found by what the author saw says more.
    return finding if finding.detail.startswith(known) else replace(finding, detail=known)


def add_deletion(finding: Finding, commit: str) -> Finding:
    """The same, with the commit that deleted the file."""
    return replace(finding, detail=f"it was deleted in {commit[:7]}")


def add_edited_lines(finding: Finding, then: Sequence[str], now: Sequence[str], since: str, to: NewPlace) -> Finding:
    """The same, with the place in another file where the cited lines stand, edited."""
    return replace(
        finding,
        detail=f"what it said stands at {format_place(to.place)} now, edited {since}",
        edit=to.edit,
        then=shorten_lines(then),
        now=shorten_lines(now),
        place=to.place,
    )
