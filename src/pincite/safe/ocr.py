"""Text for PDFs that have none: the program ocrmypdf, where it is installed and the user asks for it."""

from __future__ import annotations

import os

from ..core.errors import UsageError
from ..core.limits import LIMITS, Limits
from .child import ChildFailed, collect, find_program
from .escape import escape_text

_MEGABYTE = 1024 * 1024


def recognise_text(data: bytes, anew: bool, limits: Limits = LIMITS) -> bytes:
    """A PDF of the same pages with text that was recognised on them; raises UsageError where there is none to be had.

    With `anew` the text that is there is replaced, because it is not what the pages show.
    """
    program = find_program("ocrmypdf")
    if program is None:
        raise UsageError(
            "--ocr needs the program ocrmypdf, which is not installed; install it with your package manager"
        )
    how = "--force-ocr" if anew else "--skip-text"
    command = [program, "--quiet", how, "--output-type", "pdf", "--jobs", "1", "-", "-"]
    try:
        made, code, complaint = collect(command, _environment(), limits.ocr_seconds, data, limits.pdf_bytes)
    except OverflowError:
        raise UsageError(f"ocrmypdf gives more than {limits.pdf_bytes // _MEGABYTE} MB; split the PDF") from None
    except ChildFailed as error:
        raise UsageError(f"no text was recognised: {error}") from None
    if code or not made.startswith(b"%PDF"):
        complaint = complaint.strip().rpartition("\n")[2]
        raise UsageError(f"no text was recognised: ocrmypdf ended with code {code} ({escape_text(complaint)})")
    return made


def _environment() -> dict[str, str]:
    """What ocrmypdf needs to find the programs it starts, and nothing else of ours."""
    folders = (folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder))
    kept = {name: value for name in ("TMPDIR", "TESSDATA_PREFIX") if (value := os.environ.get(name))}
    return {"PATH": os.pathsep.join(folders), "LC_ALL": "C.UTF-8", **kept}
