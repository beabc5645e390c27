"""Where reports and logs are kept: below the project's `.aiwg` folder, where the project has one or a corpus."""

from __future__ import annotations

from time import gmtime, localtime, strftime
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from ...core.errors import PinciteError, Refused
from ...safe.write import append, create
from .entries import CitationTally
from .report_json import to_json
from .validation import VALID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...safe.files import Root
    from .validation import ValidatedDocument, Validator

REPORTS = ".aiwg/reports/citation-audit"
LOGS = ".aiwg/logs/citation-validation"
EXTENSIONS = {"text": "txt", "markdown": "md", "json": "json", "sarif": "sarif", "html": "html"}
_TRIES = 100


def are_reports_wanted(root: Root, validator: Validator) -> bool:
    """Whether the project wants reports and logs: it has the folder for them, or a corpus."""
    return root.stat(".aiwg") is not None or validator.engine.world.has_corpus()


def today() -> str:
    """The date here, as reports write it."""
    return strftime("%Y-%m-%d", localtime())


def describe_refusal(error: PinciteError) -> str:
    """Why something was not written, in words."""
    words = {"path-blocked": "it leads outside the root", "file-not-found": "it is no folder"}
    known = words.get(error.kind) if isinstance(error, Refused) else None
    return f"{error}: {known}" if known else str(error)


def keep_report(root: Root, date: str, format_: str, text: str) -> str:
    """Keep a report of an audit; gives its key. Raises PinciteError where it cannot be written."""
    stem = f"{REPORTS}/{date}-{strftime('%H%M%S', localtime())}"
    data = text.encode(errors="backslashreplace")
    for number in range(1, _TRIES):
        key = f"{stem}{f'-{number}' if number > 1 else ''}.{EXTENSIONS[format_]}"
        if root.stat(key) is None:
            create(root, key, data)
            return key
    raise Refused(f"{stem}: too many reports of one second; nothing was written")


def log_validation(
    root: Root, date: str, auditor: str, strict: bool, code: int, documents: Sequence[ValidatedDocument]
) -> str:
    """Add one line about a validation to the log of the day; gives the log's key. Raises PinciteError."""
    key = f"{LOGS}/{date}.jsonl"
    line = {
        "time": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
        "date": date,
        "auditor": auditor,
        "strict": strict,
        "exit_code": code,
        "documents": [
            {
                "document": document.document,
                "error": document.error,
                **asdict(CitationTally().count(document.details)),
                "problems": [
                    {"ref_id": result.ref_id, "status": result.status, "line": result.line, "column": result.column}
                    for result in document.results
                    if result.status != VALID
                ],
            }
            for document in documents
        ],
    }
    append(root, key, to_json(line, -1).encode())
    return key
