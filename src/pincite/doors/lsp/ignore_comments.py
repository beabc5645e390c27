"""The comment that silences a check on one line, in the form that its file reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Edit, Safety, Span
from ...text.ignore_comments import ignores, is_silenced
from ...text.shown_code import ASCIIDOC, ORG, TEX
from ...text.source_comments import find_family

if TYPE_CHECKING:
    from ...text.document import Document

_MARKS = {
    "# {}": "hash shell ruby elixir data python",
    "// {}": "c java go csharp script rust swift php sass",
    "/* {} */": "style",
    "-- {}": "sql lua haskell ada",
    "; {}": "lisp",
    "% {}": "erlang",
    "(* {} *)": "ocaml",
    "! {}": "fortran",
}
_FORM_OF = {family: form for form, families in _MARKS.items() for family in families.split()}
_MARKUP = {TEX: "% {}", ASCIIDOC: "// {}", ORG: "# {}"}
_HTML = "<!-- {} -->"


def make_ignore_edit(document: Document, line: int, check: str) -> Edit | None:
    """The edit that adds the comment behind a line; None where it would not be read as one there."""
    offset = document.starts[line - 1]
    end = offset + len(document.line_of(offset))
    comment = " " + _choose_form(document, offset).format(f"pincite: ignore {check}")
    changed = document.reread(document.written[:end] + comment + document.written[end:], document.reads_code)
    if not is_silenced(ignores(changed), line, check):
        return None
    return Edit(Span(end, end), comment, Safety.UNSAFE)


def _choose_form(document: Document, offset: int) -> str:
    front = document.frontmatter
    if front is not None and offset < front.end:
        return "# {}"
    family = find_family(document.path)
    if family:
        return _FORM_OF.get(family, _HTML)
    path = document.path.lower()
    return next((form for endings, form in _MARKUP.items() if path.endswith(endings)), _HTML)
