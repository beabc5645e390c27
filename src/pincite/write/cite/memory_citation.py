"""Citations into the frontmatter of a memory: one item more, or one that is there already brought up to date.

Text is spliced in where it belongs and the result is read again: if anything but the item concerned would read
differently, nothing is changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...dialects.memory import UNCLOSED, is_unclosed
from ...text.document import Document, is_in_memories
from ...text.frontmatter_edit import (
    append_to,
    apply,
    end_of_line,
    insert_into,
    line_break,
    replace_value,
    start_of_line,
)
from ...text.lines import join
from ...text.memory_head import MemoryCitation, read_head
from ...text.yaml import FrontmatterError, Mapping, Scalar, YamlList, is_null, load
from .model import Uncitable
from .writer import fields_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...core.model import Citation
    from ...text.frontmatter_edit import Change
    from ...text.memory_head import MemoryHead
    from ...text.yaml import Node

    Cited = tuple[str, int | None, str | None]

_DASH = re.compile(r"-[ \t]*\Z")
_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*(?:[\r\n]|\Z)")


def is_memory(text: str, path: str, memories: str) -> bool:
    """Whether a document keeps its citations in its frontmatter: it lies where memories do, or has such a list."""
    document = Document(path, text, False, memories)
    if not document.is_markdown:
        return False
    if is_in_memories(path, memories):
        return True
    try:
        tree = read_tree(document)
    except Uncitable:
        return False
    return isinstance(tree, Mapping) and "citations" in tree.values and _is_list(tree.values["citations"])


def add_citation(text: str, path: str, citation: Citation) -> str:
    """The memory with the citation in its list; the same text where it is there already.

    An item of the same path with the same line or the same snippet is updated. Raises Uncitable where the frontmatter
    cannot be read, or is written in a way that cannot be changed without changing more.
    """
    document = Document(path, text)
    if not document.is_markdown:
        raise Uncitable("place-unfit", f"{path}: only markdown has frontmatter; use another style")
    cited = _get_wanted_fields(citation)
    tree = read_tree(document)
    if tree is None and _TOML.match(text):
        raise Uncitable("place-unfit", f"{path}: its frontmatter is TOML, which holds no citations; use another style")
    if tree is None:
        return _with_frontmatter(text, citation)
    if not isinstance(tree, Mapping):
        raise Uncitable("place-unfit", f"{path}: the frontmatter is no map of keys; correct it first")
    head = read_head(tree)
    if head.problems:
        line = document.position(head.problems[0].start)[0]
        raise Uncitable("place-unfit", f"{path}:{line}: {head.problems[0].message}; correct it first")
    held = tree.values.get("citations")
    if held is not None and not _is_list(held):
        raise Uncitable("place-unfit", f"{path}: its `citations` belong to another tool; use another style")
    if any(_get_cited_fields(entry) == cited for entry in head.citations):
        return text
    same = _duplicate(head, cited)
    if same is not None:
        tries = [_plan_item_changes(text, same, citation)]
    else:
        tries = _additions(text, tree, citation)
    for changes in tries:
        new = apply(text, changes)
        if _reads_as(new, path, head, cited, same):
            return new
    raise Uncitable(
        "place-unfit", f"{path}: the frontmatter is written in a way that cannot be added to; add the item by hand"
    )


def read_tree(document: Document) -> Node | None:
    """The frontmatter; None where there is none. Raises Uncitable where it cannot be read."""
    span = document.frontmatter
    if span is None:
        if is_unclosed(document.text):
            raise Uncitable("place-unfit", f"{document.path}: {UNCLOSED}; close it first")
        return None
    try:
        return load(document.text[span.start : span.end], span.start, 2)
    except FrontmatterError as error:
        raise Uncitable("place-unfit", f"{document.path}: {error}; correct it first") from None


def _is_list(node: Node) -> bool:
    """Whether `citations` is ours to add to: empty, or a list of maps with a path."""
    if isinstance(node, YamlList):
        return all(isinstance(item, Mapping) and "path" in item.values for item in node.items)
    return is_null(node)


def _get_wanted_fields(citation: Citation) -> Cited:
    line = None if citation.lines is None else citation.lines.first
    return citation.source.key, line, None if citation.quote is None else citation.quote.exact


def _get_cited_fields(entry: MemoryCitation) -> Cited:
    """What an item cites: `./src/x.py` is `src/x.py`."""
    path = entry.path if entry.path.startswith("/") else join("", entry.path)
    return path, entry.line, entry.snippet or None


def _duplicate(head: MemoryHead, cited: Cited) -> MemoryCitation | None:
    """The item that cites the same: the same words of the file, else the same line of it."""
    path, *wanted = cited
    same = [entry for entry in head.citations if _get_cited_fields(entry)[0] == path]
    for at in (1, 0):
        for entry in same:
            if wanted[at] is not None and (entry.line, entry.snippet)[at] == wanted[at]:
                return entry
    return None


def _plan_item_changes(text: str, entry: MemoryCitation, citation: Citation) -> list[Change]:
    """The changes that give an item its line and snippet; what is right stays as it is written."""
    _, line, snippet = _get_wanted_fields(citation)
    written = dict(fields_of(citation))
    changes: list[Change] = []
    behind = "path"
    for key, old, new in (("line", entry.line, line), ("snippet", entry.snippet, snippet)):
        node = entry.node.values.get(key)
        if new is not None and old != new:
            if isinstance(node, Scalar) and node.style not in ("|", ">"):
                changes.append(replace_value(text, node, new))
            elif node is None:
                changes.append(insert_into(text, entry.node, behind, key, written[key]))
        if node is not None:
            behind = key
    return changes


def _additions(text: str, tree: Mapping, citation: Citation) -> list[list[Change]]:
    """The ways to add an item, the best first; each is tried until one reads as intended."""
    fields = fields_of(citation)
    flow = "{" + ", ".join(f"{key}: {value}" for key, value in fields) + "}"
    held = tree.values.get("citations")
    end = line_break(text)
    if held is None:
        if tree.flow:
            return [[append_to(text, tree, "citations", f"[{flow}]")]]
        block = end + _rows(fields, 2, 2, end)
        start, stop, new = append_to(text, tree, "citations", block)
        return [[(start, stop, new.replace("citations: ", "citations:", 1))]]
    if not isinstance(held, YamlList) or not held.items:
        return [_first_item(text, tree, held, fields, flow)]
    last = held.items[-1]
    if held.flow:
        return [[(last.end, last.end, f", {flow}")]]
    dash, gap = _dash(text, held.items[0])
    column = dash - start_of_line(text, dash)
    at, front = end_of_line(text, last.end), start_of_line(text, dash)
    rows = _rows(fields, column, gap, end)
    # Behind the last one; and before the first, where the last ends in a block that would swallow what follows.
    return [[(at, at, end + rows)], [(front, front, rows + end)]]


def _first_item(text: str, tree: Mapping, held: Node, fields: list[tuple[str, str]], flow: str) -> list[Change]:
    """The changes that make a list of one item of `citations:`, `citations: ~` or `citations: []`."""
    bare = not isinstance(held, YamlList) or not text[held.start + 1 : held.end - 1].strip()
    if isinstance(held, YamlList) and (tree.flow or not bare):
        return [(held.start + 1, held.start + 1, flow)]
    if tree.flow:
        return [(held.start, held.end, f" [{flow}]" if held.start == held.end else f"[{flow}]")]
    colon = held.start if held.start == held.end else text.rfind(":", 0, held.start) + 1
    at, end = end_of_line(text, held.end), line_break(text)
    return [(colon, held.end, ""), (at, at, end + _rows(fields, 2, 2, end))]


def _rows(fields: list[tuple[str, str]], column: int, gap: int, end: str) -> str:
    """An item as lines, without the last line's end: the dash at `column`, the keys `gap` columns further."""
    (key, value), *rest = fields
    first = f"{' ' * column}-{' ' * (gap - 1)}{key}: {value}"
    return end.join([first, *(f"{' ' * (column + gap)}{name}: {written}" for name, written in rest)])


def _dash(text: str, item: Node) -> tuple[int, int]:
    """Where the dash of a list's first item is, and how far behind it the item's keys begin."""
    same_line = _DASH.search(text, start_of_line(text, item.start), item.start)
    if same_line is not None:
        return same_line.start(), item.start - same_line.start()
    return text.rfind("-", 0, item.start), 2


def _with_frontmatter(text: str, citation: Citation) -> str:
    """The text below frontmatter of its own."""
    end = line_break(text)
    head = end.join(("---", "citations:", _rows(fields_of(citation), 2, 2, end), "---", ""))
    return head + ("" if not text or text.startswith(("\n", "\r")) else end) + text


def _reads_as(new: str, path: str, before: MemoryHead, cited: Cited, same: MemoryCitation | None) -> bool:
    """Whether the new text says what the old one did and cites this, and nothing else is different."""
    try:
        tree = read_tree(Document(path, new))
    except Uncitable:
        return False
    if not isinstance(tree, Mapping):
        return False
    after = read_head(tree)
    if after.problems or read_meaning(after.node, ("citations",)) != read_meaning(before.node, ("citations",)):
        return False
    was, now = ([_get_cited_fields(entry) for entry in head.citations] for head in (before, after))
    if same is None:
        return now in ([*was, cited], [cited, *was])
    at = next(at for at, entry in enumerate(before.citations) if entry is same)
    path, line, snippet = was[at]
    was[at] = path, line if cited[1] is None else cited[1], snippet if cited[2] is None else cited[2]
    times = [[read_meaning(entry.node.values.get("verified")) for entry in head.citations] for head in (before, after)]
    return was == now and times[0] == times[1]


def read_meaning(node: object, without: Collection[str] = ()) -> object:
    """What a tree says, places aside; at the top, some keys are left out."""
    if isinstance(node, Scalar):
        return node.text, bool(node.style)
    if isinstance(node, Mapping):
        return {key: read_meaning(value) for key, value in node.values.items() if key not in without}
    return [read_meaning(item) for item in getattr(node, "items", ())]
