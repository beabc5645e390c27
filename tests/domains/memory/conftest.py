"""A small repository with memories."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest


class Write(Protocol):
    """Puts a file into the repository."""

    def __call__(self, name: str, text: str | bytes) -> Path: ...


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one source file of 98 lines and an empty memories folder."""
    root = tmp_path / "repo"
    (root / ".serena/memories").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src/app.py").write_text("".join(f"line {number}\n" for number in range(1, 99)))
    return root


@pytest.fixture
def write(repo: Path) -> Write:
    """Write a memory by name, or any file by a path with a slash in front."""

    def put(name: str, text: str | bytes) -> Path:
        path = repo / name[1:] if name.startswith("/") else repo / ".serena/memories" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return put
