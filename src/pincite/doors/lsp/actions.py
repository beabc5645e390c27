"""What can be done about a problem: repair it, choose among candidates, accept it, or ignore it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...checks import READER_DECIDES
from ...core.errors import Refused, UsageError
from ...core.model import Edit, Outcome
from ...engine.candidates import list_candidate_edits
from ...engine.repair.edits import fitting
from ...report._problems import format_repair, problems, repairable, withheld
from ...safe.escape import escape_text
from ...text.lines import format_count
from .diagnostics import find_finding, find_range
from .evidence_lookup import read_document
from .ignore_comments import make_ignore_edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...core.model import Report
    from ...project.project import Project
    from ...report._problems import ReportedProblem
    from ...text.document import Document
    from .positions import TextIndex

FIX_ALL = "source.fixAll.pincite"
ACCEPT = "pincite.accept"
REASON = "read again in the editor, still true"
"""The reason of an acceptance where the client asks its user for none."""
_WIDTH = 120


class ActionMaker:
    """The actions for one version of one buffer."""

    def __init__(self, uri: str, version: int | None, text: TextIndex, report: Report, is_tried: bool) -> None:
        self._uri = uri
        self._version = version
        self._text = text
        self._report = report
        self._is_tried = is_tried
        """Whether safe edits were tried out; before that none is offered as safe."""

    def list_actions(
        self, project: Project, wanted: types.Range, only: Sequence[str], versioned: bool
    ) -> list[types.CodeAction]:
        """The actions for the problems that a range touches, of the kinds that are asked for."""
        found: list[types.CodeAction] = []
        if wants_kind(only, types.CodeActionKind.QuickFix):
            start, end = self._text.offset(wanted.start), self._text.offset(wanted.end)
            document = read_document(project, self._report.document, self._text.text)
            for problem in problems(self._report):
                if problem.line:
                    at = self._text.start_of(problem.line, problem.column)
                    if at <= end and start <= at + len(problem.raw):
                        found += self._list_for(project, document, problem, versioned)
        if wants_kind(only, FIX_ALL) and (edits := self.list_safe_edits()):
            title = f"pincite: make {format_count(len(edits), 'safe repair')} in this file"
            found.append(types.CodeAction(title, kind=FIX_ALL, edit=self._change(edits, versioned)))
        return found

    def list_safe_edits(self) -> list[Edit]:
        """The edits that `pincite fix` would make; none before they were tried out."""
        if not self._is_tried:
            return []
        edits = (problem.edit for problem in problems(self._report) if repairable(problem))
        return fitting(len(self._text.text), (edit for edit in edits if edit is not None))

    def _list_for(
        self, project: Project, document: Document, problem: ReportedProblem, versioned: bool
    ) -> list[types.CodeAction]:
        shown = types.Diagnostic(
            find_range(problem, self._text), escape_text(problem.message), code=problem.check, source="pincite"
        )

        def make(title: str, edits: Iterable[Edit], preferred: bool = False) -> types.CodeAction:
            change = self._change(list(edits), versioned)
            kind, said = types.CodeActionKind.QuickFix, escape_text(title, 2 * _WIDTH)
            return types.CodeAction(said, kind=kind, diagnostics=[shown], is_preferred=preferred or None, edit=change)

        found = []
        if problem.edit is not None:
            new = escape_text(format_repair(problem), _WIDTH)
            if repairable(problem) and self._is_tried:
                found.append(make(f"Repair: {new}", [problem.edit], True))
            else:
                why = withheld(problem) or "not yet compared with history"
                found.append(make(f"Change to {new} (needs a reader: {why})", [problem.edit]))
        finding = find_finding(problem)
        if finding is not None and problem.verdict is not None and problem.outcome is Outcome.AMBIGUOUS:
            try:
                candidates = list_candidate_edits(project, document, problem.verdict, finding)
            except (Refused, UsageError):
                candidates = []
            found += [make(f"Choose {name} (needs a reader)", [edit]) for name, edit in candidates]
        if problem.check in READER_DECIDES and problem.verdict is not None:
            found.append(self._offer_acceptance(problem, shown))
        ignored = make_ignore_edit(document, problem.line, problem.check)
        if ignored is not None:
            found.append(make(f"Ignore {problem.check} on this line", [ignored]))
        return found

    def _offer_acceptance(self, problem: ReportedProblem, shown: types.Diagnostic) -> types.CodeAction:
        title = "Accept: I read the evidence again and it is still true"
        named = {
            "uri": self._uri,
            "line": problem.line,
            "column": problem.column,
            "raw": problem.raw,
            "reason": REASON,
        }
        command = types.Command(title, ACCEPT, arguments=[named])
        return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[shown], command=command)

    def _change(self, edits: Iterable[Edit], versioned: bool) -> types.WorkspaceEdit:
        return make_workspace_edit({self._uri: (self._version, self._text, list(edits))}, versioned)


def make_workspace_edit(
    edits: dict[str, tuple[int | None, TextIndex, list[Edit]]], versioned: bool
) -> types.WorkspaceEdit:
    """Edits of several files, with the versions that they are made for where the client can look at those."""
    made = {
        uri: (version, [types.TextEdit(text.range_of(edit.span), edit.replacement) for edit in some])
        for uri, (version, text, some) in edits.items()
    }
    if not versioned:
        return types.WorkspaceEdit(changes={uri: some for uri, (_, some) in made.items()})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version), some)
            for uri, (version, some) in made.items()
        ]
    )


def wants_kind(only: Sequence[str], kind: str) -> bool:
    """Whether a client that asks for some kinds of actions, or for any, asks for this one."""
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)
