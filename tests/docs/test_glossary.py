"""The glossary has every public class that a module of another room imports; every class name means one thing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SOURCE = TOP / "src"
PAGE = TOP / "docs" / "explanation" / "glossary.md"
ROW = re.compile(r"\| `(\w+)` \| `([a-z_/]+)` \| (\S.*\S) \|")
# Class names that occur twice, with the reason.
TWICE = {"Citation": "core.model has the engine's noun; the specification of retrieval names the class in search.model"}


@cache
def modules() -> dict[str, tuple[ast.Module, bool]]:
    """Every module of the package by its dotted name, and whether it is a folder's `__init__`."""
    found = {}
    for path in sorted((SOURCE / "pincite").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        folder = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if folder else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path)), folder
    return found


def room(module: str) -> str:
    """The room of a module: a folder of the package, or a folder or module of `domains` and `doors`."""
    parts = module.split(".")[1:]
    return "/".join(parts[:2] if parts[:1] in (["domains"], ["doors"]) else parts[:1])


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What a module defines at its top, also under `if TYPE_CHECKING`."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from statements(node.body)
            yield from statements(node.orelse)


@cache
def classes() -> dict[str, list[str]]:
    """The public classes by name, with the modules that define them."""
    found: dict[str, list[str]] = {}
    for module, (tree, _) in modules().items():
        for node in statements(tree.body):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    return found


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """What a module imports from others: local name to module and name there."""
    tree, folder = modules()[module]
    base = module.split(".") if folder else module.split(".")[:-1]
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = base[: len(base) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            found.update({alias.asname or alias.name: (source, alias.name) for alias in node.names})
    return found


def home(module: str, name: str, depth: int = 0) -> str | None:
    """The module that defines a class which this one defines or passes on."""
    if module in classes().get(name, ()):
        return module
    if module not in modules() or f"{module}.{name}" in modules() or depth > 5 or name not in imports(module):
        return None
    return home(*imports(module)[name], depth + 1)


@cache
def crossing() -> set[tuple[str, str]]:
    """The public classes that a module of another room uses, each with the room it lives in."""
    found = set()
    for module, (tree, _) in modules().items():
        used = [*imports(module).values()]
        aliases = {local: f"{source}.{name}" for local, (source, name) in imports(module).items()}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
                used.append((aliases[node.value.id], node.attr))
        for source, name in used:
            where = home(source, name)
            if where is not None and room(module) not in ("", room(where)):
                found.add((name, room(where)))
    return found


def rows() -> list[tuple[str, str, str]]:
    """The rows of the glossary: name, room, line."""
    table = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    found = [ROW.fullmatch(line) for line in table]
    assert all(found), [line for line, row in zip(table, found, strict=True) if row is None]
    return [(row[1], row[2], row[3]) for row in found if row is not None]


def test_every_noun_that_crosses_a_room_is_in_the_glossary() -> None:
    assert len(crossing()) > 100
    assert sorted(crossing() - {(name, where) for name, where, _ in rows()}) == []


def test_every_name_in_the_glossary_is_a_class_of_that_room() -> None:
    known = {(name, room(module)) for name, found in classes().items() for module in found}
    assert [row for row in rows() if row[:2] not in known] == []


def test_the_glossary_is_in_order_and_says_one_line_of_each() -> None:
    names = [(name.casefold(), where) for name, where, _ in rows()]
    assert names == sorted(set(names))
    assert [line for _, _, line in rows() if len(line) > 110 or not line.endswith(".")] == []


def test_no_class_name_means_two_things() -> None:
    twice = {name: found for name, found in classes().items() if len(found) > 1}
    assert twice.keys() == TWICE.keys(), twice
