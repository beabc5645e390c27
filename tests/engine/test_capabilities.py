"""The engine asks a dialect what it can do, never what it is called."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pincite
from pincite.dialects import Capabilities, dialects, get_capabilities

ENGINE = Path(pincite.__file__).parent / "engine"
NAMES = {dialect.NAME for dialect in dialects()}


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_knows_no_dialect_by_name(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert not node.module.startswith("dialects."), f"line {node.lineno} imports one dialect"
        elif isinstance(node, ast.Compare):
            asked = {part.attr for part in ast.walk(node.left) if isinstance(part, ast.Attribute)}
            given = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            assert not (asked & {"dialect", "NAME"} and given & NAMES), f"line {node.lineno} compares a name"


def test_a_capability_is_an_attribute_of_the_module() -> None:
    assert get_capabilities("footnote").names_passages
    assert get_capabilities("memory").moved_is_stale
    assert get_capabilities("key").without == (b"bibliography:",)


def test_of_an_unknown_dialect_the_defaults_hold() -> None:
    assert get_capabilities("no-such-dialect") == Capabilities()
