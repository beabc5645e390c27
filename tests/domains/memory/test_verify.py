"""The verification algorithm, step by step, in its own words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.domains.memory.load import load_all, load_memory
from pincite.domains.memory.model import MemoryResult
from pincite.domains.memory.verify import Verifier
from pincite.safe.files import Root

from .conftest import Write


def _verify(repo: Path, write: Write, text: str) -> MemoryResult:
    write("m.md", text)
    with Root(str(repo)) as root:
        memory = load_memory(root, ".serena/memories/m.md")
        assert memory.error == ""
        return Verifier(root).verify(memory)


def _citation(rows: str) -> str:
    return "---\ncitations:\n  - " + rows.replace("\n", "\n    ") + "\n---\n"


@pytest.mark.parametrize(
    "rows",
    [
        "path: src/app.py",
        "path: src/app.py\nline: 98",
        "path: src/app.py\nline: 1\nsnippet: line 1",
        "path: ./src/app.py\nline: 1\nsnippet: ine",
        "path: src/../src/app.py\nline: 1",
        "path: src/app.py\nsnippet: not there at all",
        "path: src/binary\nsnippet: x",
        "path: src/app.py\nline: 2\nsnippet: ''",
    ],
)
def test_valid(repo: Path, write: Write, rows: str) -> None:
    write("/src/binary", b"\xff\xfe\x00")
    result = _verify(repo, write, _citation(rows))
    assert result.stale == ()
    assert result.holds == (True,)
    assert result.confidence == 1.0


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("path: ../x", "Path traversal blocked: ../x"),
        ("path: /etc/passwd\nline: 1", "Path traversal blocked: /etc/passwd"),
        ("path: src/../../x", "Path traversal blocked: src/../../x"),
        ("path: out/passwd\nline: 1", "Path traversal blocked: out/passwd"),
        ("path: src/gone.py\nline: 0", "File not found: src/gone.py"),
        ("path: src", "File not found: src"),
        ("path: src\nline: 1", "File not found: src"),
        ("path: src/binary\nline: 0", "Cannot read file: not UTF-8 (byte 0xff at offset 0)"),
        ("path: src/app.py\nline: 0", "Invalid line number: 0 (must be >= 1)"),
        ("path: src/app.py\nline: -3", "Invalid line number: -3 (must be >= 1)"),
        ("path: src/app.py\nline: 102", "Line 102 exceeds file length (98 lines)"),
        ("path: src/empty\nline: 1", "Line 1 exceeds file length (0 lines)"),
        ("path: src/one\nline: 2", "Line 2 exceeds file length (1 lines)"),
        ("path: src/app.py\nline: 2\nsnippet: nope", "Snippet mismatch at line 2. Expected 'nope', got 'line 2'"),
    ],
)
def test_stale(repo: Path, write: Write, rows: str, reason: str) -> None:
    write("/src/binary", b"\xff\x00")
    write("/src/empty", b"")
    write("/src/one", b"x\x0c\xc2\x85y\n")
    os.symlink("/etc", repo / "out")
    result = _verify(repo, write, _citation(rows))
    assert [stale.mismatch_reason for stale in result.stale] == [reason]
    assert not result.valid
    assert result.confidence == 0.0


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_m7_line_ends_of_the_source_do_not_matter(repo: Path, write: Write, end: bytes) -> None:
    write("/src/ends", end.join([b"\xef\xbb\xbffirst", b"second", b""]))
    result = _verify(repo, write, _citation("path: src/ends\nline: 2\nsnippet: second"))
    assert result.valid


def test_m6_a_snippet_without_a_line_is_a_warning(repo: Path, write: Write) -> None:
    result = _verify(repo, write, _citation("path: src/app.py\nsnippet: line 7"))
    assert result.valid
    (warning,) = result.warnings
    assert warning.startswith("src/app.py: Snippet without a line")


def test_confidence_is_the_share_that_holds(repo: Path, write: Write) -> None:
    result = _verify(
        repo, write, "---\nconfidence: 0.9\ncitations:\n  - path: src/app.py\n  - path: a\n  - path: b\n---\n"
    )
    assert (result.valid_count, result.total) == (1, 3)
    assert result.confidence == 1 / 3


@pytest.mark.parametrize(("head", "confidence"), [("", 0.5), ("confidence: 0.8\n", 0.8), ("confidence:\n", 0.5)])
def test_m11_without_citations_confidence_is_kept(repo: Path, write: Write, head: str, confidence: float) -> None:
    result = _verify(repo, write, f"---\nid: x\n{head}---\n")
    assert result.total == 0
    assert result.confidence == confidence


def test_all_at_once_gives_what_one_by_one_gives(repo: Path, write: Write) -> None:
    write("/src/odd.py", "a\r\n \r\nlast")
    for name, rows in {
        "a": "path: src/app.py\nline: 1\nsnippet: line 1",
        "b": "path: src/app.py\nline: 2\nsnippet: nowhere",
        "c": "path: src/app.py\n  - path: src/gone.py\n  - path: src/app.py\nline: 100000",
        "d": "path: src/odd.py\nline: 2",
        "e": "path: src/odd.py\nline: 3\nsnippet: last",
        "f": "path: src/app.py\nsnippet: line 1\nother: 1",
        "g": "path: ../x\nline: 1",
    }.items():
        write(f"{name}.md", _citation(rows).replace("\n      - ", "\n  - "))
    with Root(str(repo)) as root:
        memories = load_all(root, ".serena/memories").cited
        together = Verifier(root).verify_all(memories)
        alone = [Verifier(root).verify(memory) for memory in memories]
    assert together == alone
    assert [result.holds for result in together] == [
        (True,),
        (False,),
        (True, False, False),
        (True,),
        (True,),
        (True,),
        (False,),
    ]
    assert [bool(result.warnings) for result in together] == [False, False, False, True, False, True, False]


def test_a_source_is_read_once_however_many_cite_it(repo: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        write(f"{number}.md", _citation(f"path: src/app.py\nline: {number + 1}\nsnippet: line {number % 2 + 1}"))
    read: list[str] = []
    really = Root.read

    def note(self: Root, key: str, limit: int | None = None) -> bytes:
        read.append(key)
        return really(self, key, limit)

    with Root(str(repo)) as root:
        memories = load_all(root, ".serena/memories").cited
        monkeypatch.setattr(Root, "read", note)
        results = Verifier(root).verify_all(memories)
    assert [result.valid for result in results] == [True, True, False, False]
    assert read == ["src/app.py"]
