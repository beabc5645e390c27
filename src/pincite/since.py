"""What a change could have affected: the part of a report that is left with `--since`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from .model import Report


def touched_by(report: Report, changed: set[str], every: bool) -> Report:
    """The report without the citations a change could not have affected."""
    if report.document in changed:
        kept = report.verdicts
    else:
        papers = {name[:7] for path in changed if (name := path.rpartition("/")[2]).startswith("REF-")}
        from .resolve import BIBLIOGRAPHIES

        names = {path.rpartition("/")[2] for path in changed}
        listed = any(path.lower().endswith(BIBLIOGRAPHIES) for path in changed)
        kept = tuple(
            verdict
            for verdict in report.verdicts
            if (source := verdict.citation.source).key in changed
            or (source.scheme == "symbol" and source.key.partition("::")[0] in changed)
            or (source.scheme == "ref" and source.key in papers)
            or (source.scheme == "bibliography" and listed)
            # A name that stood for one file may stand for two now.
            or (source.scheme == "section" and source.key.rpartition("/")[2] in names)
        )
    held = sum(not (verdict.findings or verdict.silenced) for verdict in kept)
    if not every:
        kept = tuple(verdict for verdict in kept if verdict.findings or verdict.silenced)
    malformed = report.malformed if report.document in changed else ()
    return replace(report, verdicts=kept, held=held, malformed=malformed)
