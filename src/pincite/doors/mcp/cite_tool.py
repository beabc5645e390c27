"""`cite`: a citation that was read back and holds, of a target or of what a receipt covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...core.model import Lines, Obstacle
from ...engine.read_receipts import ReadReceipt
from ...safe.escape import escape_text
from ...sources import World
from ...text.evidence import Evidence
from ...write.cite.cited_place import CitePlaceRequest, cite_place
from ...write.cite.model import STYLES, Uncitable
from ...write.cite.proof import Proof
from .handles import PREFIX, SCHEME
from .jobs import JobResult
from .show_tool import number_lines

if TYPE_CHECKING:
    from ...project.project import Project
    from .workspace import Workspace

_MOST_LINES = 60
"""Lines of the cited place that an answer repeats; the receipt covers these, since others were not shown."""
_WIDEST = 160


def cite_target(workspace: Workspace, target: str, style: str, within: str) -> JobResult:
    """The citation of a target, with the lines that it cites; where several are meant, all of them."""
    if style and style not in STYLES:
        raise UsageError(f"style {style!a} is not known; choose from: {', '.join(STYLES)}")
    with workspace.open() as project:
        if target.startswith((PREFIX, SCHEME)):
            target = _find_receipt_target(workspace, project, target)
        folder = workspace.find_key(project, within) if within else None
        # An empty key is the root itself.
        within_key = folder if folder is None else folder or "."
        proof = Proof(project.root, project.config, project.git)
        try:
            cited = cite_place(project, proof, CitePlaceRequest(target, style or "bracket", within=within_key))
        except Uncitable as refusal:
            if refusal.kind == "path-blocked":
                raise UsageError(f"{target}: outside the root; only what lies below it can be cited") from None
            if not refusal.places:
                raise
            return _list_candidates(workspace, refusal)
        finally:
            proof.close()
        place = cited.target
        fields: dict[str, Any] = {"citation": cited.text, "path": escape_text(place.path)}
        evidence = World(project.root, project.git).file(place.path)
    if place.lines is None or not isinstance(evidence, Evidence) or evidence.digest != place.digest:
        return JobResult(escape_text(cited.text), fields)
    shown = Lines(place.lines.first, min(place.lines.last, place.lines.first + _MOST_LINES - 1))
    receipt = workspace.receipts.mint(ReadReceipt(place.path, place.digest, shown))
    rows = [escape_text(row) for row in cited.text.split("\n")]
    rows += [f"  {row}" for row in number_lines(evidence, place.lines, _MOST_LINES)]
    fields |= {"lines": [place.lines.first, place.lines.last], "receipt": receipt}
    covers = "" if shown == place.lines else f" for lines {shown.text}; `show` the others"
    return JobResult("\n".join([*rows, f"receipt {receipt}{covers}"]), fields, receipt)


def _find_receipt_target(workspace: Workspace, project: Project, handle: str) -> str:
    """What a receipt covers as a target; raises UsageError where it is not known, or the file changed since."""
    (receipt,) = workspace.receipts.find_all([handle])
    evidence = World(project.root, project.git).file(receipt.path)
    if isinstance(evidence, Obstacle) or evidence.digest != receipt.digest:
        raise UsageError(f"{receipt.path} changed since it was retrieved; search or show again")
    return f"{receipt.path}#L{receipt.lines.first}-L{receipt.lines.last}"


def _list_candidates(workspace: Workspace, refusal: Uncitable) -> JobResult:
    """The places that may be meant, each as the target to call again with."""
    rows, found = [workspace.conceal(str(refusal))], []
    for place in refusal.places:
        target = f"{place.path}:{place.lines.text}"
        rows.append(f"  {escape_text(target)}  │ {escape_text(place.line, _WIDEST)}")
        found.append({"target": escape_text(target), "line": escape_text(place.line, _WIDEST)})
    if refusal.more:
        rows.append(f"  and {refusal.more:,} more; give more words, or `within`")
    return JobResult("\n".join(rows), {"candidates": found})
