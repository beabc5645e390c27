"""A small repository to serve, and servers of it as processes; without the extra there is nothing to test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support_mcp import ServerProcess

collect_ignore_glob = [] if find_spec("mcp") else ["test_*.py"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with a source file and a document, of whose citations one holds."""
    from support_mcp import CODE, DOCUMENT

    top = tmp_path / "repository"
    (top / "src").mkdir(parents=True)
    (top / "docs").mkdir()
    (top / "src" / "gauge.py").write_text(CODE)
    (top / "docs" / "a.md").write_text(DOCUMENT)
    (top / "pincite.toml").write_text("")
    return top


@pytest.fixture
def start(repository: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Starts servers of the repository, and ends them with the test."""
    from support_mcp import ServerProcess

    running: list[ServerProcess] = []

    def begin(*options: str, **environment: str) -> ServerProcess:
        running.append(ServerProcess(repository, *options, **environment))
        return running[-1]

    yield begin
    for server in running:
        server.kill()
