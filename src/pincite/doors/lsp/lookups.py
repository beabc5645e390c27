"""Answers about one place of a file: what it cites, and who cites it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...core.model import Report
from ...engine.citing_index import list_references
from ...safe.escape import escape_text
from .evidence_lookup import find_evidence, read_document
from .hover import describe_verdict
from .locations import FilePlace, uri_of
from .positions import range_of_lines
from .references import find_touching, make_lenses, make_locations, map_references

if TYPE_CHECKING:
    from ...core.model import Verdict
    from ...engine.citing_index import CitingReference
    from ...project.project import Project
    from .evidence_lookup import CitedEvidence
    from .open_files import OpenFile
    from .references import CitedLines
    from .server import CitationServer

_MOST_LINKS = 5000


async def make_hover(server: CitationServer, file: OpenFile, position: types.Position) -> types.Hover | None:
    """The verdict on the citation at a position, with what it cites."""
    report, verdict = file.report, file.verdict_at(file.text.offset(position))
    if report is None or verdict is None or file.place is None:
        return None
    evidence, is_final = await _find_evidence(server, file, verdict), file.history_done.is_set()
    said = describe_verdict(report, verdict, evidence, is_final)
    hover = server.client_capabilities.text_document
    kinds = hover.hover.content_format if hover is not None and hover.hover is not None else None
    kind = types.MarkupKind.PlainText if kinds and types.MarkupKind.Markdown not in kinds else types.MarkupKind.Markdown
    return types.Hover(types.MarkupContent(kind, said), file.text.range_of(verdict.citation.span))


async def _find_evidence(server: CitationServer, file: OpenFile, verdict: Verdict) -> CitedEvidence | None:
    place, text = file.place, file.text.text
    if place is None:
        return None

    def find(project: Project) -> CitedEvidence | None:
        return find_evidence(project, read_document(project, place.key, text), verdict)

    found: CitedEvidence | None = await server.look(place.root, find)
    return found


async def find_definition(
    server: CitationServer, file: OpenFile, position: types.Position
) -> list[types.Location] | None:
    """Where the evidence of the citation at a position stands: where it moved to, else where it is cited."""
    verdict = file.verdict_at(file.text.offset(position))
    if verdict is None or file.place is None:
        return None
    root = file.place.root
    moved = [finding.place for finding in verdict.findings if finding.place is not None]
    if verdict.citation.source.scheme == "mirror":
        # The file of another repository is nowhere below the root.
        return None
    if moved:
        return [types.Location(uri_of(root, place.path), range_of_lines(place.lines)) for place in moved]
    evidence = await _find_evidence(server, file, verdict)
    if evidence is None or not evidence.path:
        return None
    return [types.Location(uri_of(root, evidence.path), range_of_lines(evidence.lines))]


def list_links(server: CitationServer, file: OpenFile) -> list[types.DocumentLink]:
    """Every citation of a file that is there, as a link to its lines."""
    client = server.client_capabilities.text_document
    shows = client is not None and client.document_link is not None and client.document_link.tooltip_support
    links = []
    for verdict in file.report.verdicts[:_MOST_LINKS] if file.report is not None and file.is_current else ():
        citation, seen = verdict.citation, verdict.seen
        if file.place is None or seen is None or citation.source.scheme in ("chunk", "permalink", "mirror"):
            continue
        line = f"#L{citation.lines.first}" if citation.lines is not None else ""
        target = uri_of(file.place.root, seen.path) + line
        tooltip = escape_text(f"{seen.path}{line}") if shows else None
        links.append(types.DocumentLink(file.text.range_of(citation.span), target, tooltip))
    return links


async def find_references(
    server: CitationServer, file: OpenFile, position: types.Position
) -> list[types.Location] | None:
    """Who cites what the citation at a position cites, or else who cites the line at the position."""
    place = file.place
    if place is None:
        return None
    index = await server.citing.wait(place.root)
    verdict = file.verdict_at(file.text.offset(position))
    if verdict is not None and (cited := list_references(Report(place.key, (verdict,)))):
        return await _locate(server, place.root, index.find(cited[0].path, cited[0].lines))
    row = position.line + 1
    return await _locate(server, place.root, find_touching(await _map_cited(server, file), row, row))


async def list_lenses(server: CitationServer, file: OpenFile) -> list[types.CodeLens] | None:
    """The cited lines of a file."""
    if file.place is None:
        return None
    if server.citing.get(file.place.root) is None:
        # The client is asked to ask again once there is an index.
        server.citing.begin(file.place.root)
        return []
    return make_lenses(file.uri, await _map_cited(server, file), len(file.text.starts))


async def _map_cited(server: CitationServer, file: OpenFile) -> list[CitedLines]:
    """The citations of a file, with the lines that they mean in the buffer."""
    place, text = file.place, file.text.text
    index = server.citing.get(place.root) if place is not None else None
    if place is None or index is None or not (references := index.find(place.key)):
        return []
    found: list[CitedLines] = await server.look(
        place.root, lambda project: map_references(project, place.key, text, references)
    )
    return found


async def _locate(server: CitationServer, root: str, found: list[CitingReference]) -> list[types.Location]:
    documents = {one.document for one in found}
    texts = {key: file.text for key in documents if (file := server.files.find(FilePlace(root, key))) is not None}
    encoding = server.encoding
    made: list[types.Location] = await server.look(
        root, lambda project: make_locations(project, found, encoding, texts)
    )
    return made
