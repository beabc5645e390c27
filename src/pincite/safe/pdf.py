"""The text of a PDF that may come from anyone: read by a child process that can do nothing else, and only for so long.
Where a PDF has none, the program ocrmypdf recognises it, if it is installed and the user asks for it.

The child is started by exec with a clean environment, gets the bytes as an open nameless file, and lowers its limits
before it looks at them. Whatever becomes of it, this process goes on with a text or with a named trouble.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ..core.errors import PinciteError, UsageError
from ..core.libraries import describe_missing
from ..core.limits import LIMITS, Limits
from ..papers.model import PdfText
from .child import ChildFailed, ChildLate, collect, find_program
from .escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

READING = 7
"""Raised whenever the same bytes would give another text."""

_HEADER = 1024
_FRAME = 16 * 1024 * 1024
"""Room for labels, outline and frames beside the text."""
_MEGABYTE = 1024 * 1024
_TROUBLES = {
    "encrypted": "the PDF is encrypted; save a copy without a password",
    "damaged": "the PDF is damaged; save or download it again",
    "too-large": "the PDF is too large; split it",
    "too-slow": "the PDF took too long to read; save it anew, or split it",
    "too-much-memory": "the PDF needs too much memory to read; save it anew, or split it",
    "crashed": "the PDF made its reader fail; save it anew with another program",
    "no-extractor": describe_missing("pypdfium2"),
}


class PdfTrouble(PinciteError):
    """No text can be had of a PDF; `kind` is one of a few words, the message says what and what to do."""

    def __init__(self, kind: str, reason: str = "") -> None:
        self.kind = kind if kind in _TROUBLES else "crashed"
        self.reason = reason
        what, _, remedy = _TROUBLES[self.kind].partition("; ")
        said = f"{what} ({escape_text(reason)})" if reason else what
        super().__init__(f"{said}; {remedy}" if remedy else said)


class _Answer(msgspec.Struct, array_like=True):
    kind: str
    held: msgspec.Raw


def find_extractor() -> str | None:
    """The folder that holds the extractor, without loading it; None where it is not installed."""
    from importlib.util import find_spec

    try:
        spec = find_spec("pypdfium2_raw")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.origin or not sys.executable:
        return None
    return os.path.dirname(os.path.dirname(os.path.abspath(spec.origin)))


@cache
def extractor_version() -> str:
    """Which extractor would read now, and how; empty where none is installed."""
    folder = find_extractor()
    if folder is None:
        return ""
    try:
        with open(os.path.join(folder, "pypdfium2_raw", "version.json"), "rb") as stream:
            built = msgspec.json.decode(stream.read(1 << 16), type=dict[str, object])
    except (OSError, ValueError):
        built = {}
    return f"{READING} pdfium " + ".".join(str(built.get(part, "?")) for part in ("major", "minor", "build", "patch"))


def read_pdf(data: bytes, limits: Limits = LIMITS) -> PdfText:
    """The text of each page of a PDF, its labels, outline and metadata; raises PdfTrouble."""
    bounds = (limits.pdf_memory, limits.pdf_seconds, limits.pdf_pages, limits.pdf_text_bytes)
    command = make_command("pdf_child.py", data, bounds, limits)
    try:
        answer = run_reader(command, data, limits.pdf_seconds, 5 * limits.pdf_text_bytes + _FRAME, limits)
    except OverflowError:
        raise PdfTrouble("too-large", f"its text exceeds the limit of {limits.pdf_text_bytes} bytes") from None
    text = decode_answer(answer, PdfText, limits)
    count = len(text.pages)
    if (text.labels and len(text.labels) != count) or not all(0 <= entry.page < count for entry in text.outline):
        raise PdfTrouble("crashed", "its reader's answer is broken")
    return text


def make_command(script: str, data: bytes, bounds: Sequence[int], limits: Limits) -> list[str]:
    """What starts a child that reads a PDF; raises PdfTrouble where it need not be started."""
    if len(data) > limits.pdf_bytes:
        raise PdfTrouble("too-large", f"{len(data)} bytes, the limit is {limits.pdf_bytes}")
    if b"%PDF" not in data[:_HEADER]:
        raise PdfTrouble("damaged", "it is empty" if not data else "it does not begin as a PDF does")
    folder = find_extractor()
    if folder is None:
        raise PdfTrouble("no-extractor")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
    return [sys.executable, "-I", "-S", path, folder, *map(str, bounds)]


def run_reader(command: list[str], given: bytes, seconds: int, most: int, limits: Limits) -> bytes:
    """What the child answers, whole; raises PdfTrouble where it does not, OverflowError where it says too much."""
    late = PdfTrouble("too-slow", f"the limit is {seconds} seconds")
    try:
        answer, code, complaint = collect(command, {"LC_ALL": "C"}, seconds, given, most)
    except ChildLate:
        raise late from None
    except ChildFailed as error:
        raise PdfTrouble("crashed", str(error)) from None
    if code == -signal.SIGXCPU:
        raise late
    if code:
        raise _death(code, complaint, limits)
    return answer


def _death(code: int, complaint: str, limits: Limits) -> PdfTrouble:
    """What the end of a child means that did not answer."""
    # The extractor ends itself without a word when memory is refused; what is broken inside traps or says so.
    if "MemoryError" in complaint or "bad_alloc" in complaint or (code == -signal.SIGABRT and not complaint):
        return PdfTrouble("too-much-memory", f"the limit is {limits.pdf_memory // _MEGABYTE} MB")
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return PdfTrouble("crashed", f"ended by {name}")
    return PdfTrouble("crashed", complaint or f"ended with code {code}")


def decode_answer(answer: bytes, kind: type[T], limits: Limits) -> T:
    """What an answer holds. The child read hostile bytes, so its words are held to their shape too."""
    try:
        parts = msgspec.msgpack.decode(answer, type=_Answer)
        if parts.kind:
            reason = msgspec.msgpack.decode(parts.held, type=str)
        else:
            return msgspec.msgpack.decode(parts.held, type=kind)
    except (ValueError, RecursionError):
        raise PdfTrouble("crashed", "its reader's answer is broken") from None
    if parts.kind == "too-much-memory":
        reason = f"the limit is {limits.pdf_memory // _MEGABYTE} MB"
    raise PdfTrouble(parts.kind, reason)


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
        made, code, complaint = collect(command, _ocr_environment(), limits.ocr_seconds, data, limits.pdf_bytes)
    except OverflowError:
        raise UsageError(f"ocrmypdf gives more than {limits.pdf_bytes // _MEGABYTE} MB; split the PDF") from None
    except ChildFailed as error:
        raise UsageError(f"no text was recognised: {error}") from None
    if code or not made.startswith(b"%PDF"):
        complaint = complaint.strip().rpartition("\n")[2]
        raise UsageError(f"no text was recognised: ocrmypdf ended with code {code} ({escape_text(complaint)})")
    return made


def _ocr_environment() -> dict[str, str]:
    """What ocrmypdf needs to find the programs it starts, and nothing else of ours."""
    folders = (folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder))
    kept = {name: value for name in ("TMPDIR", "TESSDATA_PREFIX") if (value := os.environ.get(name))}
    return {"PATH": os.pathsep.join(folders), "LC_ALL": "C.UTF-8", **kept}
