"""What is known of the documents follows the files."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support_web import Web, open_web


@pytest.fixture
def web(repository: Path) -> Iterator[Web]:
    """A site whose documents are checked by a real child process."""
    with open_web(repository, by_child=True) as web:
        yield web


def test_a_changed_source_changes_the_verdict(web: Web, repository: Path) -> None:
    before = web.site.documents.version
    (repository / "src" / "gone.py").write_text("a = 1\nb = 2\nc = 3\n")
    web.wait(lambda: web.get("/index.json").json()["outcomes"] == {"holds": 3})
    assert web.site.documents.version > before


def test_ids_stay_when_lines_move(web: Web, repository: Path) -> None:
    document = repository / "docs" / "a.md"
    before = web.id_of("【F:src/gone.py†L3】")
    document.write_text("One line more.\n\n" + document.read_text())
    web.wait(lambda: web.get("/index.json") and web.site.documents.find(before).line == 7)


def test_a_document_that_is_gone_is_forgotten(web: Web, repository: Path) -> None:
    (repository / "docs" / "a.md").unlink()
    web.wait(lambda: web.get("/index.json").json()["documents"] == [])


def test_a_failed_check_says_why_and_the_last_verdicts_stay(web: Web, repository: Path) -> None:
    (repository / "pincite.toml").write_text("dialects = ['none-such']\n")
    web.wait(lambda: web.get("/index.json").json()["error"])
    record = web.get("/index.json").json()
    assert "none-such" in record["error"] and record["outcomes"] == {"holds": 2, "missing": 1}
    (repository / "pincite.toml").write_text("")
    web.wait(lambda: not web.get("/index.json").json()["error"])


def test_a_large_server_has_a_child_process_that_stays(web: Web, repository: Path) -> None:
    ballast = bytearray(400 * 1024 * 1024)
    ballast[::4096] = b"x" * len(ballast[::4096])
    pid = web.site.keeper._worker.pid
    os.kill(pid, signal.SIGKILL)
    web.wait(lambda: web.get("/index.json") and web.site.keeper._worker.pid not in (None, pid))
    fresh = web.site.keeper._worker.pid
    (repository / "docs" / "b.md").write_text("Once more 【F:src/gauge.py†L1】.\n")
    web.wait(lambda: len(web.get("/index.json").json()["documents"]) == 2)
    assert web.site.keeper._worker.pid == fresh and ballast


def test_a_child_process_that_is_killed_is_replaced(web: Web, repository: Path) -> None:
    os.kill(web.site.keeper._worker.pid, signal.SIGKILL)
    (repository / "docs" / "b.md").write_text("Once more 【F:src/gauge.py†L1】.\n")
    web.wait(lambda: len(web.get("/index.json").json()["documents"]) == 2 and not web.site.keeper.error)


def test_a_check_that_finds_the_same_changes_nothing(web: Web, repository: Path) -> None:
    before = web.site.documents.version
    source = repository / "src" / "gauge.py"
    looked = web.site.keeper._looked
    # Written anew with the same text: what rests on it is checked again.
    source.write_text(source.read_text())
    web.wait(lambda: web.get("/index.json") and web.site.keeper._looked > looked + 2)
    assert web.site.documents.version == before
