"""A small repository to show, and a site of it; without the extra there is nothing to test."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support_web import Web

collect_ignore_glob = [] if find_spec("starlette") and find_spec("jinja2") else ["test_*.py", "*/test_*.py"]

CODE = """LIMIT = 40


def measure(depth):
    if depth > LIMIT:
        raise ValueError(depth)
    return depth * 2
"""
DOCUMENT = """# Gauge

The limit is 40 【F:src/gauge.py†L1】.

Depths beyond it are refused (`src/gauge.py:5-6`), and nothing stands here 【F:src/gone.py†L3】.
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with a source file and a document: two citations hold, one is missing."""
    top = tmp_path / "repository"
    (top / "src").mkdir(parents=True)
    (top / "docs").mkdir()
    (top / "src" / "gauge.py").write_text(CODE)
    (top / "docs" / "a.md").write_text(DOCUMENT)
    (top / "pincite.toml").write_text("")
    return top


@pytest.fixture
def web(repository: Path) -> Iterator[Web]:
    """A site of the repository."""
    from support_web import open_web

    with open_web(repository) as web:
        yield web
