"""What the server asks of a child process, and the child process itself: `python -m pincite.doors.lsp.background_work`.

It reads one request on standard input, writes one answer to standard output, and ends.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing, suppress

from msgspec import Struct
from msgspec.msgpack import decode, encode

from ...core.errors import Conflict, PinciteError, UsageError
from ...core.model import Report
from ...engine.citing_index import CitingReference

MODULE = __name__ if __name__ != "__main__" else "pincite.doors.lsp.background_work"
_NICER = 5
"""How far the editor and the user's builds go first."""
_MOST_REQUEST = 256 * 1024 * 1024


class HistoryRequest(Struct, frozen=True, tag="history"):
    """Check a text with history, and try its safe edits out."""

    root: str
    key: str
    text: bytes


class IndexRequest(Struct, frozen=True, tag="index"):
    """Check all documents, and list what they cite."""

    root: str


class AcceptRequest(Struct, frozen=True, tag="accept"):
    """Record that a citation of a document on disk is still true."""

    root: str
    key: str
    line: int
    column: int
    raw: str
    reason: str


BackgroundRequest = HistoryRequest | IndexRequest | AcceptRequest


def main() -> None:
    """Answer the request on standard input; what cannot be answered ends with one line on standard error."""
    with suppress(OSError):
        os.nice(_NICER)
    try:
        request = decode(sys.stdin.buffer.read(_MOST_REQUEST), type=BackgroundRequest)
        sys.stdout.buffer.write(encode(_answer(request)))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(0)
    except (PinciteError, OSError, ValueError, MemoryError, RecursionError) as error:
        sys.stderr.write(f"{error or type(error).__name__}\n".encode("utf-8", "replace").decode())
        sys.exit(1)


def _answer(request: BackgroundRequest) -> Report | list[CitingReference] | str:
    if isinstance(request, HistoryRequest):
        return _check(request)
    return _list_references(request) if isinstance(request, IndexRequest) else _accept(request)


def _check(request: HistoryRequest) -> Report:
    from ...engine.draft import check_draft
    from ...project.project import open_project

    with open_project(request.root, option="") as project:
        return check_draft(project, request.text.decode(), request.key, promises=True).report


def _list_references(request: IndexRequest) -> list[CitingReference]:
    from ...engine.citing_index import build_citing_index
    from ...project.project import open_project

    with open_project(request.root, option="") as project:
        index = build_citing_index(project)
    return [reference for path in index.paths() for reference in index.find(path)]


def _accept(request: AcceptRequest) -> str:
    """Record an acceptance; what was done, in words."""
    from ...engine.acceptance_writer import AcceptanceWriter, AcceptAnswer, normalize_reason
    from ...engine.named_citations import NamedCitation
    from ...engine.run import Request, Run
    from ...engine.settings import merge_settings
    from ...project.project import open_project

    reason = normalize_reason(request.reason)
    with open_project(request.root, option="") as project:
        asked = Request((request.key,), merge_settings(project.config), every=True, afresh=True)
        run = Run(project.root, asked)
        report = next(iter(run.reports()), Report(request.key))
        at = (request.line, request.column, request.raw)
        named = [one for one in report.verdicts if (one.line, one.column, one.citation.raw) == at]
        if not named:
            raise Conflict(f"{request.key}: no such citation at line {request.line}; save the document and try again")
        with closing(run.engine()) as engine:
            writer = AcceptanceWriter(project.root, engine)
            result = writer.accept(NamedCitation(request.key, named[0]), reason)
            if result.answer is AcceptAnswer.REFUSED:
                raise UsageError(f"not accepted: {result.why}")
            writer.write()
        run.close()
    return f"recorded in {result.file}; commit it" if result.file else f"{result.answer.value}: {result.why}"


if __name__ == "__main__":
    main()
