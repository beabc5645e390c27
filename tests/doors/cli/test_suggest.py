"""`pincite suggest`: what it prints, what it writes, and when it says nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

Suggest = Callable[..., tuple[int, str, str]]
TEXT = "# Limits\n\nA call is made again at most 5 times (`MAX_RETRIES`).\n\nAll is well with it today.\n"
CITED = TEXT.replace("(`MAX_RETRIES`).", "(`MAX_RETRIES`). 【F:src/limits.py†L2】")


@pytest.fixture
def suggest(in_folder: Callable[..., tuple[int, str, str]]) -> Suggest:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "suggest")


@pytest.fixture(autouse=True)
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/limits.py").write_text('"""Limits."""\nMAX_RETRIES = 5\n')
    (tmp_path / "a.md").write_text(TEXT)
    return tmp_path


def test_what_is_printed(tmp_path: Path, suggest: Suggest) -> None:
    code, out, err = suggest("a.md")
    assert code == 0
    assert out.splitlines() == [
        "a.md:3  medium",
        "  A call is made again at most 5 times (`MAX_RETRIES`).",
        "  【F:src/limits.py†L2】",
        "    2 │ MAX_RETRIES = 5",
        "  because `MAX_RETRIES` is defined there, and the lines hold the value 5",
        "",
    ]
    assert err == "1 suggestion for 2 sentences without a citation; --write puts them in, --interactive asks.\n"
    assert (tmp_path / "a.md").read_text() == TEXT


def test_json(suggest: Suggest) -> None:
    code, out, _ = suggest("--format", "json")
    told = json.loads(out)
    assert (code, told["schema"], told["style"]) == (0, "pincite.suggest/1", "bracket")
    (document,) = told["documents"]
    (one,) = document["suggestions"]
    assert document["document"] == "a.md" and document["sentences"] == 2
    assert (one["citation"], one["path"], one["first"], one["last"]) == (
        "【F:src/limits.py†L2】",
        "src/limits.py",
        2,
        2,
    )
    assert one["confidence"] == "medium" and one["evidence"] == ["MAX_RETRIES = 5"]


def test_written_once(tmp_path: Path, suggest: Suggest) -> None:
    code, _, err = suggest("a.md", "--write")
    assert code == 0 and err.endswith("Added 1 citation to 1 document.\n")
    assert (tmp_path / "a.md").read_text() == CITED
    code, out, err = suggest("a.md", "--write")
    assert (code, out) == (0, "") and "Nothing to suggest" in err
    assert (tmp_path / "a.md").read_text() == CITED


def test_what_was_written_holds(tmp_path: Path, suggest: Suggest, in_folder: Suggest) -> None:
    suggest("a.md", "--write", "--style", "link")
    assert "(src/limits.py#L2)" in (tmp_path / "a.md").read_text()
    assert in_folder("check", "a.md")[0] == 0


@pytest.mark.parametrize(("answer", "after"), [("y\n", CITED), ("n\n", TEXT), ("q\n", TEXT), ("", TEXT)])
def test_asking(tmp_path: Path, suggest: Suggest, monkeypatch: pytest.MonkeyPatch, answer: str, after: str) -> None:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO(answer))
    code, out, _ = suggest("a.md", "--interactive")
    assert code == 0 and "Cite it?" in out
    assert (tmp_path / "a.md").read_text() == after


def test_nothing_to_suggest_is_said(tmp_path: Path, suggest: Suggest) -> None:
    (tmp_path / "a.md").write_text("All is well with it today.\n")
    code, out, err = suggest()
    assert (code, out) == (0, "")
    assert err.startswith("Nothing to suggest: none of 1 sentence without a citation in 1 document")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# Nothing\n", "no sentence in 1 document states a fact and lacks a citation"),
        (CITED.partition("All is")[0], "no sentence in 1 document states a fact and lacks a citation"),
        (None, "there are no documents"),
    ],
)
def test_why_there_is_nothing(tmp_path: Path, suggest: Suggest, text: str | None, why: str) -> None:
    (tmp_path / "a.md").unlink() if text is None else (tmp_path / "a.md").write_text(text)
    assert suggest() == (0, "", f"Nothing to suggest: {why}.\n")


def test_how_many_are_shown_is_said(tmp_path: Path, suggest: Suggest) -> None:
    (tmp_path / "src/limits.py").write_text("MAX_RETRIES = 5\nMAX_ENTRIES = 250\n")
    (tmp_path / "a.md").write_text(TEXT + "\nIt keeps at most 250 entries (`MAX_ENTRIES`).\n")
    assert "At most" not in suggest("a.md")[2]
    assert suggest("a.md", "--most", "1")[2].splitlines()[-1] == (
        "At most 1 for a document, up to 1 left out: --most N changes that, 0 shows all."
    )
    (tmp_path / "b.md").write_text(TEXT)
    code, out, err = suggest()
    assert code == 0 and out.count("【F:") == 3
    assert err.splitlines()[-1] == "At most 10 for a document: --most N changes that."
    assert "At most" not in suggest("--most", "0")[2]


def test_what_cannot_be_read_is_named(tmp_path: Path, suggest: Suggest) -> None:
    (tmp_path / "b.md").write_bytes(b"\xff\xfe\x00")
    code, out, err = suggest()
    assert code == 2 and "【F:src/limits.py†L2】" in out
    assert "b.md: cannot be read: UTF-16" in err


def test_refusals(suggest: Suggest) -> None:
    assert suggest("none.md")[0] == 2
    assert suggest("--interactive", "--format", "json")[0] == 2
    assert suggest("--style", "none")[0] == 2


def test_nothing_invisible_is_printed(tmp_path: Path, suggest: Suggest) -> None:
    (tmp_path / "src/limits.py").write_text("MAX_RETRIES = 5 # \x1b[31m\u202e\n")
    code, out, _ = suggest("a.md")
    assert code == 0 and "\x1b" not in out and "\u202e" not in out and "\\u{1b}" in out
