"""What can be written where the cursor is: a path of the repository, lines of a file, a paper, an entry."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from ...core.errors import Refused
from ...papers.evidence import PaperEvidence
from ...safe.escape import escape_text
from ...sources import World
from ...text.lines import join
from ...write.cite.text_search import list_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...project.project import Project
    from .positions import TextIndex

TRIGGERS = [":", "/", "†", "L", "-", "@", "#"]
_MOST = 200
_WIDTH = 160
_REACH = 400
"""Characters before the cursor that are looked at."""
_CONTEXTS = (
    ("lines", re.compile(r"【F:(?P<path>[^【】†\r\n]{1,300})†(?P<typed>[L\d\-–]{0,20})\Z"), "L"),
    ("paths", re.compile(r"【F:(?P<typed>[^【】†\r\n]{0,300})\Z"), ""),
    ("papers", re.compile(r"\[(?P<typed>R(?:E(?:F(?:-[\w\-]{0,40})?)?)?)\Z"), ""),
    ("entries", re.compile(r"\[(?:[^\[\]\r\n]{0,200}[;\s])?-?@(?P<typed>[\w:.#$%&+?<>~/\-]{0,100})\Z"), ""),
    ("paths", re.compile(r"\bpath:[ \t]+[\"']?(?P<typed>[^\s\"'{},]{0,300})\Z"), ""),
    ("lines", re.compile(r"(?<![\w./\-])(?P<path>[\w./\-]{1,300}\.\w{1,12})(?::|#L)(?P<typed>[\d\-]{0,20})\Z"), ""),
    ("paths", re.compile(r"(?<![\w./:\-])(?P<typed>[\w.\-]{1,80}/[\w./\-]{0,300})\Z"), ""),
)
"""What may be written behind some characters: each kind with what comes before the cursor, and a mark for lines."""


class CompletionContext(Struct, frozen=True):
    """What is being written, and what is there of it."""

    kind: str
    typed: str
    path: str = ""
    mark: str = ""
    """What stands before the number of a line."""


def find_context(before: str) -> CompletionContext | None:
    """What may be written behind the text of a line; None where nothing is offered."""
    tail = before[-_REACH:]
    for kind, pattern, mark in _CONTEXTS:
        match = pattern.search(tail)
        if match is not None:
            return CompletionContext(kind, match["typed"], match.groupdict().get("path") or "", mark)
    return None


def complete(project: Project, key: str, text: TextIndex, place: types.Position) -> types.CompletionList | None:
    """What is offered at a position of a document."""
    offset = text.offset(place)
    row = text.place(offset).line
    context = find_context(text.text[text.starts[row] : offset])
    if context is None:
        return None
    replaced = text.range(offset - len(context.typed), offset)
    found: list[types.CompletionItem] = []
    cut = False
    for item in _list_items(project, key, context):
        if len(found) == _MOST:
            cut = True
            break
        new = item.insert_text or item.label
        item.text_edit, item.filter_text, item.insert_text = types.TextEdit(replaced, new), new, None
        found.append(item)
    return types.CompletionList(is_incomplete=cut, items=found)


def _list_items(project: Project, key: str, context: CompletionContext) -> Iterator[types.CompletionItem]:
    if context.kind == "paths":
        yield from _list_paths(project, context.typed)
    elif context.kind == "lines":
        yield from _list_lines(project, key, context)
    else:
        with closing(World(project.root, project.git, project.config.repository, project.config.corpus)) as world:
            yield from _list_papers(world, context)


def _list_paths(project: Project, typed: str) -> Iterator[types.CompletionItem]:
    """The files whose paths begin so, and then those whose names do."""
    files = list_files(project.root, project.git())
    near = [path for path in files if path.startswith(typed)]
    known = set(near)
    named = [path for path in files if path not in known and path.rpartition("/")[2].startswith(typed)] if typed else []
    for number, path in enumerate((*near, *named)):
        if escape_text(path) == path:
            yield types.CompletionItem(path, kind=types.CompletionItemKind.File, sort_text=f"{number:06}")


def _list_lines(project: Project, key: str, context: CompletionContext) -> Iterator[types.CompletionItem]:
    """The definitions of a file, by the lines that they span."""
    from ... import symbols

    folder = key.rpartition("/")[0]
    path = next((one for one in (context.path, join(folder, context.path)) if project.root.is_file(one)), "")
    if not path:
        return
    try:
        found = symbols.outline(path, project.root.read(path))
    except Refused:
        return
    mark = context.mark
    for symbol in found:
        lines = f"{mark}{symbol.first}" + (f"-{mark}{symbol.last}" if symbol.last != symbol.first else "")
        about = types.CompletionItemLabelDetails(description=escape_text(f"{symbol.kind} {symbol.name}", _WIDTH))
        yield types.CompletionItem(
            lines,
            label_details=about,
            detail=escape_text(f"{symbol.kind} {symbol.name}", _WIDTH),
            kind=types.CompletionItemKind.Reference,
            sort_text=f"{symbol.first:09}",
        )


def _list_papers(world: World, context: CompletionContext) -> Iterator[types.CompletionItem]:
    """Papers of the corpus by id, or entries of the bibliographies by key."""
    corpus = world.corpus()
    if corpus is None:
        return
    if context.kind == "papers":
        for identity in corpus.ids:
            paper = corpus.find(identity)
            title = paper.paper.title if isinstance(paper, PaperEvidence) else ""
            yield _make_paper_item(identity, title)
        return
    for entry in corpus.list_entries():
        if entry.id.startswith(context.typed):
            yield _make_paper_item(entry.id, entry.title)


def _make_paper_item(name: str, title: str) -> types.CompletionItem:
    shown = escape_text(title, _WIDTH)
    return types.CompletionItem(name, detail=shown or None, kind=types.CompletionItemKind.Reference)
