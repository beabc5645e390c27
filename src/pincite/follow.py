"""What became of the cited text since it was cited, and the edit that follows it.

A citation without a snippet has a witness all the same: the commit that last touched the citing line. What stood at the
cited place in that commit is what the author saw. This compares it with what stands there now, looks for it
elsewhere, and turns findings into answers: unchanged, moved, edited, deleted, ambiguous, or not known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import repair, verify
from .errors import Unreadable
from .evidence import Evidence
from .extract import get_dialect
from .limits import LIMITS
from .model import Citation, Edit, Finding, Lines, Obstacle, Outcome, Pages, Place, Severity
from .text import decode, join, shorten, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .document import Document
    from .resolve import World
    from .resolve.history import History

    Row = tuple[Citation, Evidence | Obstacle, list[Finding]]

_PAST_END = ("line-out-of-range", "range-past-end")
_LONGEST_DIFF = 400
# Asking history for a name costs a pass over it the first time, so `localhost:80` and `example.com:443` do not.
_LIKE_A_FILE = re.compile(r".*/|[^/]*\.(?!(?:com|org|net|io|dev|local)\Z)[A-Za-z][A-Za-z0-9]{0,7}\Z")


class Follower:
    """Follows the citations of one document after another; without history it still follows snippets."""

    def __init__(self, history: History | None = None) -> None:
        self.history = history
        self._then: dict[str, list[str] | None] = {}
        self._ahead: dict[str, list[tuple[Row, str, str | None]]] = {}

    def existed(self, key: str) -> bool:
        """Whether a file of that path was ever part of the repository; what looks like a host is not asked for."""
        return self.history is not None and _LIKE_A_FILE.match(key) is not None and self.history.existed(key)

    def follow(self, document: Document, rows: list[Row], world: World) -> None:
        """Replace each row's findings by what following its evidence shows."""
        if self.history is not None:
            if document.path not in self._ahead:
                self.look_ahead([(document, rows)])
            self._compare(document, world)
        for citation, evidence, findings in rows:
            for index, finding in enumerate(findings):
                if finding.check == "snippet-mismatch" and isinstance(evidence, Evidence):
                    findings[index] = _snippet(document, citation, evidence, finding)
                elif finding.check == "snippet-without-line" and isinstance(evidence, Evidence):
                    findings[index] = _line_for_snippet(document, citation, evidence, finding)
                elif finding.check == "quote-elsewhere" and isinstance(evidence, Evidence):
                    findings[index] = _on_its_page(document, citation, evidence, finding)
                elif finding.check == "lines-moved" and finding.edit is None and isinstance(evidence, Evidence):
                    findings[index] = _by_its_id(document, citation, evidence, finding)
                elif finding.check == "heading-altered" and isinstance(evidence, Evidence):
                    findings[index] = _with(finding, edit=_retitled(citation, evidence))
                elif finding.check == "file-not-found" and finding.edit is None:
                    findings[index] = self._renamed(document, citation, finding, world, None)

    def look_ahead(self, block: Sequence[tuple[Document, list[Row]]]) -> None:
        """Ask history once about all that is cited in these documents, so that `follow` finds its answers at hand."""
        history = self.history
        if history is None:
            return
        self._ahead = {document.path: [] for document, _ in block}
        known = [found for document, rows in block for found in _witnessed(history, document, rows)]
        blobs = history.blob_ids([pair for _, _, pair in known])
        changed: list[str] = []
        for (document, row, pair), blob in zip(known, blobs, strict=True):
            evidence = row[1]
            if blob is not None:
                if isinstance(evidence, Evidence):
                    evidence.blob = evidence.blob or history.blob_id(evidence.data)
                    if evidence.blob == blob:
                        continue
                changed.append(blob)
            self._ahead[document].append((row, pair[0], blob))
        history.foresee(changed)

    def _compare(self, document: Document, world: World) -> None:
        """Compare the cited lines with what their authors saw, where the file is not what it was then."""
        for row, commit, blob in self._ahead.pop(document.path, ()):
            citation, evidence, findings = row
            then = self._lines(blob) if blob is not None else None
            if then is None:
                if not findings:
                    what = "The cited file was not there" if blob is None else "The cited file cannot be read as text"
                    message = f"{what} in {commit[:7]}, when it was cited"
                    findings.append(verify.finding("drift-unknown", message))
            elif isinstance(evidence, Obstacle):
                findings[0] = self._renamed(document, citation, findings[0], world, (then, commit))
            elif (finding := _drifted(document, citation, evidence, then, commit, findings)) is not None:
                findings[:] = [
                    found for found in findings if found.check not in _PAST_END and found.check != "blank-range"
                ]
                findings.append(finding)

    def _lines(self, blob: str) -> list[str] | None:
        """The lines of an old version; None where it is no text."""
        if blob not in self._then:
            if len(self._then) > 256:
                self._then.clear()
            data = self.history.text_of(blob) if self.history is not None else None
            try:
                self._then[blob] = None if data is None else split_lines(decode(data))
            except Unreadable:
                self._then[blob] = None
        return self._then[blob]

    def _renamed(
        self, document: Document, citation: Citation, finding: Finding, world: World, seen: tuple[list[str], str] | None
    ) -> Finding:
        """The citation at the file's new name, if git knows one and the cited text is there."""
        if self.history is None or finding.check != "file-not-found":
            return finding
        key = join("", citation.source.key)
        path = self.history.renamed(key)
        if path is None:
            commit = self.history.vanished_in(key)
            return finding if commit is None else _with(finding, detail=f"it was deleted in {commit[:7]}")
        place = _in_renamed(citation, path, world, seen)
        if place is None:
            return _with(finding, detail=f"git knows it as {path} now, where the cited text does not stand unchanged")
        lines = f":{_range(place.lines)}" if place.lines else ""
        return _moved(document, citation, "file-renamed", f"Renamed to {path}{lines}, unchanged", place, finding)


def _witnessed(history: History, document: Document, rows: list[Row]) -> list[tuple[str, Row, tuple[str, str]]]:
    """The rows that have a commit to compare with, each with its document and with commit and path of what was cited.

    Where history cannot name a commit, that becomes a finding.
    """
    asked = [row for row in rows if _has_witness(*row)]
    if not asked:
        return []
    # Where a citation runs over several lines, its place stands on the last one.
    citing = [document.line_of(row[0].span.end - 1) for row in asked]
    known: list[tuple[str, Row, tuple[str, str]]] = []
    blob = history.blob_id(document.text.encode("utf-8", "surrogatepass"))
    for row, witness in zip(asked, history.witnesses(document.path, citing, blob), strict=True):
        if history.is_commit(witness):
            known.append((document.path, row, (witness, _path(row[0], row[1]))))
        elif history.is_unknown(witness) and not row[2]:
            message = "What the cited lines said when they were cited is not in this clone's history"
            row[2].append(verify.finding("drift-unknown", message))
    return known


def _path(citation: Citation, evidence: Evidence | Obstacle) -> str:
    """The cited file from the root; an address of a branch names one too."""
    if isinstance(evidence, Evidence) and evidence.source.scheme == "file":
        return join("", evidence.source.key)
    return join("", citation.source.key)


def _has_witness(citation: Citation, evidence: Evidence | Obstacle, findings: list[Finding]) -> bool:
    """Whether history can add to what is known: lines without a snippet, in a file or one that was renamed."""
    if citation.lines is None or citation.quote is not None or citation.dialect == "memory":
        return False
    if isinstance(evidence, Obstacle):
        return evidence.kind == "file-not-found" and citation.source.scheme == "file"
    if evidence.source.scheme != "file":
        # What an address pins to a commit cannot change.
        return False
    if citation.dialect == "footnote" and verify.passage_line(citation, evidence) is not None:
        # Its id is made from the passage's words: they are what they were.
        return False
    return not findings or all(
        finding.outcome <= Outcome.UNCHECKED or finding.check in _PAST_END for finding in findings
    )


def _drifted(
    document: Document, citation: Citation, evidence: Evidence, then: list[str], commit: str, findings: list[Finding]
) -> Finding | None:
    """What happened to the cited lines between then and now; None where nothing did."""
    lines = citation.lines
    if lines is None or lines.first < 1:
        return None
    before = then[lines.first - 1 : lines.last]
    after = evidence.block(lines)
    if before == after:
        return _reworded(citation, evidence, then, commit) if citation.dialect == "footnote" else None
    if not before:
        # What was cited was not there then; that it is there now shows nothing.
        message = f"Line {lines.first} was not there in {commit[:7]}, when it was cited"
        return None if findings else verify.finding("drift-unknown", message)
    since = f"since {commit[:7]}, when it was cited"
    past_end = any(finding.check in _PAST_END for finding in findings)
    if lines.last > len(then):
        # A range that ran past the end when it was cited: only what there was can be compared, none of it followed.
        same = past_end or after[: len(before)] == before
        return None if same else verify.finding("lines-edited", f"Edited {since}", _diff(before, after))
    found = repair.find_block(then, lines, evidence.lines)
    if found.certain is not None:
        place = Place(_path(citation, evidence), found.certain)
        return _moved(
            document, citation, "lines-moved", f"Moved to L{_range(found.certain, 'L')}, unchanged {since}", place, None
        )
    if past_end:
        return None
    if found.places:
        places = "\n".join(f"  {_path(citation, evidence)}:{_range(place)}" for place in found.places)
        return verify.finding("lines-ambiguous", f"Changed {since}; the old text stands at several places", places)
    diff = _diff(before, after)
    if repair.was_deleted(then, lines, evidence.lines):
        return verify.finding(
            "lines-deleted", f"Deleted {since}", "\n".join(f"-{line}" for line in before[: LIMITS.diff_lines])
        )
    return verify.finding("lines-edited", f"Edited {since}", diff)


def _reworded(citation: Citation, evidence: Evidence, then: list[str], commit: str) -> Finding | None:
    """What happened to a passage that its id named then and names no longer: its first line alone is what it was."""
    lines = verify.passage_then(citation, evidence, then)
    if lines is None or citation.lines is None:
        return None
    before = then[lines.first - 1 : lines.last]
    first = citation.lines.first
    after = evidence.block(Lines(first, first + len(before) - 1))
    message = f"The passage was edited since {commit[:7]}, when it was cited"
    return verify.finding("lines-edited", message, _diff(before, after))


def _in_renamed(citation: Citation, path: str, world: World, seen: tuple[list[str], str] | None) -> Place | None:
    """Where the cited text stands in the renamed file, unchanged."""
    lines = citation.lines
    if lines is None and citation.quote is None:
        if citation.source.scheme != "section":
            return Place(path, None) if world.exists(path) is None else None
        there = world.file(path)
        return (
            Place(path, None) if isinstance(there, Evidence) and verify.has_heading(there, citation.section) else None
        )
    evidence = world.file(path)
    if isinstance(evidence, Obstacle):
        return None
    now = evidence.lines
    if citation.quote is not None:
        if lines is not None and 1 <= lines.first <= len(now) and citation.quote.exact in now[lines.first - 1]:
            return Place(path, lines)
        certain = repair.find_quote(citation.quote.exact, now).certain
        return Place(path, certain) if certain is not None else None
    if seen is None or lines is None or lines.first < 1 or lines.last > len(seen[0]):
        return None
    if seen[0][lines.first - 1 : lines.last] == now[lines.first - 1 : lines.last]:
        return Place(path, lines)
    certain = repair.find_block(seen[0], lines, now).certain
    return Place(path, certain) if certain is not None else None


def _snippet(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """A snippet that left its line: found on one other line, on several, or on none."""
    if citation.quote is None:
        return finding
    found = repair.find_quote(citation.quote.exact, evidence.lines)
    if found.certain is not None:
        place = Place(citation.source.key, found.certain)
        message = f"{finding.message}. It stands on line {found.certain.first}"
        return _moved(document, citation, "snippet-moved", message, place, finding)
    if found.places:
        return _with(
            finding, detail="the snippet stands on lines " + ", ".join(str(place.first) for place in found.places)
        )
    return finding


def _line_for_snippet(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The missing line of a snippet that stands on exactly one."""
    found = repair.find_quote(citation.quote.exact, evidence.lines) if citation.quote is not None else repair.Found()
    if found.certain is None:
        return finding
    place = Place(citation.source.key, found.certain)
    return _with(finding, edit=get_dialect(citation.dialect).repoint(document, citation, place))


def _by_its_id(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The line of a passage that its id was found by."""
    line = verify.passage_line(citation, evidence)
    if line is None:
        return finding
    place = Place(citation.source.key, Lines(line, line))
    return _with(finding, edit=get_dialect(citation.dialect).repoint(document, citation, place))


def _retitled(citation: Citation, evidence: Evidence) -> Edit | None:
    """The heading as it stands."""
    from .extract.section import retitle

    title = verify.heading_title(citation, evidence)
    return None if title is None else retitle(citation, title)


def _on_its_page(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The page on which the quoted words stand, where it is one."""
    pages = verify.standing_pages(citation, evidence)
    if len(pages) != 1 or (citation.quote is not None and citation.quote.others):
        # Of several quotes one may stand where the citation says.
        return finding
    place = Place(citation.source.key, None, Pages(pages[0], pages[0]))
    return _with(finding, edit=get_dialect(citation.dialect).repoint(document, citation, place))


def _moved(
    document: Document, citation: Citation, check: str, message: str, place: Place, was: Finding | None
) -> Finding:
    """A moved finding with its edit; for dialects whose own rules call this stale it stays an error."""
    dialect = get_dialect(citation.dialect)
    finding = verify.finding(check, message)
    severity = Severity.ERROR if getattr(dialect, "MOVED_IS_STALE", False) else finding.severity
    return _with(
        finding, severity=severity, edit=dialect.repoint(document, citation, place), detail=was.detail if was else ""
    )


def _with(finding: Finding, **changes: object) -> Finding:
    from msgspec.structs import replace

    return replace(finding, **changes)


def _range(lines: Lines | None, prefix: str = "") -> str:
    if lines is None:
        return ""
    return f"{lines.first}" if lines.first == lines.last else f"{lines.first}-{prefix}{lines.last}"


def _diff(before: list[str], after: list[str]) -> str:
    """A short unified diff of the cited lines."""
    from difflib import unified_diff

    old, new = ([shorten(line, LIMITS.shown_chars) for line in lines[:_LONGEST_DIFF]] for lines in (before, after))
    rows = list(unified_diff(old, new, lineterm="", n=1))[2:] or ["  (the difference is further along the lines)"]
    shown = [row for row in rows if not row.startswith("@@")]
    more = len(shown) - LIMITS.diff_lines
    return "\n".join(shown[: LIMITS.diff_lines] + ([f"… {more} more lines"] if more > 0 else []))
