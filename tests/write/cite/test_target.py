"""What was typed, and the place it means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Lines
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.write.cite.model import Uncitable
from pincite.write.cite.target import find_symbol_target, find_target
from pincite.write.cite.text_search import MOST, find_places, list_files

CODE = "import os\n\n\nLIMIT = 250\n\n\nclass Server:\n    def start(self):\n        return LIMIT\n"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    """A folder with a few files."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text(CODE)
    (tmp_path / "src/crlf.py").write_bytes(b"one = 1\r\ntwo = 2\r\nthree = 3\r\n")
    (tmp_path / "src/picture.png").write_bytes(b"\x89PNG\0\0LIMIT = 250")
    (tmp_path / "src/table.dat").write_bytes(b"a\0b\n")
    (tmp_path / "src/latin.txt").write_bytes(b"caf\xe9 LIMIT\n")
    (tmp_path / "empty.txt").write_text("\n\n")
    with Root(str(tmp_path)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("src/app.py:4", 4, 4),
        ("src/app.py:4-9", 4, 9),
        ("src/app.py:4–9", 4, 9),
        ("src/app.py:4:12", 4, 4),
        ("./src/../src/app.py:4", 4, 4),
        ("src/app.py#L4", 4, 4),
        ("src/app.py#L4-L9", 4, 9),
        ("src/app.py#L4-9", 4, 9),
        ("src/app.py#L4C3-L9C1", 4, 9),
        ("LIMIT = 250", 4, 4),
        ("    def start(self):\n        return LIMIT", 8, 9),
        ("def start(self):\n        return LIMIT\n", 8, 9),
        ("def start(self):\r\n        return LIMIT", 8, 9),
        ("src/app.py::Server", 7, 9),
        ("src/app.py::Server.start", 8, 9),
        ("src/app.py::Server::start", 8, 9),
        ("src/app.py::start", 8, 9),
    ],
)
def test_forms(root: Root, typed: str, first: int, last: int) -> None:
    target = find_target(root, typed)
    assert (target.path, target.lines) == ("src/app.py", Lines(first, last))
    assert target.text == tuple(CODE.split("\n")[first - 1 : last])
    assert len(target.digest) == 64


def test_lines_are_those_of_the_file_however_they_end(root: Root) -> None:
    assert find_target(root, "two = 2\nthree").lines == Lines(2, 3)
    assert find_target(root, "src/crlf.py:2").text == ("two = 2",)


def test_a_symbol_keeps_its_full_name_and_the_line_of_it(root: Root) -> None:
    target = find_target(root, "src/app.py::start")
    assert (target.symbol, target.telling) == ("Server.start", 8)


def test_a_line_that_begins_a_definition_has_a_name(root: Root) -> None:
    assert find_symbol_target(root, find_target(root, "src/app.py:8")).symbol == "Server.start"
    with pytest.raises(Uncitable, match="no definition begins there"):
        find_symbol_target(root, find_target(root, "src/app.py:9"))


def test_a_path_alone_is_the_whole_file(root: Root) -> None:
    assert find_target(root, "src/app.py").lines is None


def test_paths_are_read_from_where_one_stands_first(root: Root, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("other = 1\n")
    assert find_target(root, "app.py:1", folder="src").path == "src/app.py"
    assert find_target(root, "../app.py:1", folder="src").path == "app.py"
    assert find_target(root, "src/app.py:1", folder="src").path == "src/app.py"
    assert find_target(root, f"{tmp_path}/app.py:1", folder="src").path == "app.py"


@pytest.mark.parametrize(
    ("typed", "kind", "said"),
    [
        ("src/app.py:0", "line-invalid", "counted from 1"),
        ("src/app.py:3-0", "line-invalid", "counted from 1"),
        ("src/app.py:9-4", "line-invalid", "src/app.py:4-9"),
        ("src/app.py:10", "line-out-of-range", "9 lines"),
        ("src/app.py:8-10", "range-past-end", "9 lines"),
        ("src/app.py:999999999", "line-out-of-range", "9 lines"),
        ("src/app.py:5-6", "blank-range", "is 7"),
        ("src/ap.py:3", "file-not-found", "src/app.py"),
        ("app.py:3", "file-not-found", "src/app.py"),
        ("nowhere/else.rs", "file-not-found", "--in ."),
        ("src", "file-not-found", "a folder"),
        ("src:3", "file-not-found", "a folder"),
        (".", "file-not-found", "a folder"),
        ("../app.py:3", "path-blocked", "outside the root"),
        ("/etc/passwd:1", "path-blocked", "outside the root"),
        ("src/picture.png:1", "file-unreadable", "not UTF-8"),
        ("src/table.dat:1", "file-unreadable", "binary"),
        ("src/latin.txt:1", "file-unreadable", "0xe9"),
        ("empty.txt", "blank-range", "empty"),
        ("empty.txt:1", "blank-range", "white space"),
        ("src/app.py::Servers", "symbol-not-found", "Server"),
        ("empty.txt::name", "symbol-unchecked", "cite lines"),
        ("LIMIT", "text-ambiguous", "2 times"),
        ("limit  =\n250", "text-not-found", "case and white space"),
        ("self.value", "text-not-found", "PATH:LINE"),
        ("gone.py", "file-not-found", "--in ."),
        ("no such words here", "text-not-found", "PATH:LINE"),
        ("  \n ", "text-not-found", "nothing to cite"),
        ("", "text-not-found", "nothing to cite"),
        ("a\0b:3", "text-not-found", "not found"),
        ("\ud800", "text-not-found", "not found"),
    ],
)
def test_refusals(root: Root, typed: str, kind: str, said: str) -> None:
    with pytest.raises(Uncitable) as refused:
        find_target(root, typed)
    assert (refused.value.kind, refused.value.exit_code) == (kind, 1)
    assert said in str(refused.value)


def test_a_missing_grammar_is_said_not_raised(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite import symbols
    from pincite.core.errors import Unreadable

    def lack(*_: Any) -> Any:
        raise Unreadable("pip install 'pincite[symbols]'")

    monkeypatch.setattr(symbols, "find", lack)
    with pytest.raises(Uncitable, match="pip install") as refused:
        find_target(root, "src/app.py::Server")
    assert refused.value.kind == "symbol-unchecked"


def test_two_definitions_of_one_name_are_listed(root: Root, tmp_path: Path) -> None:
    (tmp_path / "src/two.py").write_text("class A:\n    def run(self): ...\n\n\nclass B:\n    def run(self): ...\n")
    with pytest.raises(Uncitable) as refused:
        find_target(root, "src/two.py::run")
    assert refused.value.kind == "symbol-ambiguous"
    assert [(one.symbol, one.lines) for one in refused.value.places] == [("A.run", Lines(2, 2)), ("B.run", Lines(6, 6))]


def test_words_that_look_like_a_path_are_words_where_that_is_said(root: Root, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("see gone.py:3 for more\n")
    assert find_target(root, "gone.py:3", only_words=True).path == "notes.txt"


def test_a_dotted_name_is_words(root: Root, tmp_path: Path) -> None:
    (tmp_path / "src/dots.py").write_text("self.value = os.path\n")
    assert find_target(root, "self.value").path == "src/dots.py"


def test_two_readings_are_never_guessed(root: Root, tmp_path: Path) -> None:
    (tmp_path / "src/app.py:4").write_text("odd = 1\n")
    with pytest.raises(Uncitable, match="#L") as refused:
        find_target(root, "src/app.py:4")
    assert refused.value.kind == "target-ambiguous"
    assert find_target(root, "src/app.py:4#L1").path == "src/app.py:4"
    assert find_target(root, "src/app.py#L4").lines == Lines(4, 4)


def test_links_that_lead_out_are_refused(root: Root, tmp_path: Path) -> None:
    os.symlink("/etc/passwd", tmp_path / "src/out")
    with pytest.raises(Uncitable) as refused:
        find_target(root, "src/out:1")
    assert refused.value.kind in ("path-blocked", "file-not-found", "text-not-found")
    assert "root:" not in str(refused.value)


def test_git_directories_cannot_be_cited(root: Root, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("[remote]\n")
    with pytest.raises(Uncitable, match="no such file"):
        find_target(root, ".git/config:1")


def test_places_beyond_nine_are_counted(root: Root, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("again and again\n" * 30)
    with pytest.raises(Uncitable, match="30 times") as refused:
        find_target(root, "again")
    assert (len(refused.value.places), refused.value.more) == (MOST, 21)


def test_a_folder_or_a_file_narrows(root: Root, tmp_path: Path) -> None:
    (tmp_path / "copy.py").write_text(CODE)
    with pytest.raises(Uncitable):
        find_target(root, "LIMIT = 250")
    assert find_target(root, "LIMIT = 250", within="src").path == "src/app.py"
    assert find_target(root, "LIMIT = 250", within="copy.py").path == "copy.py"
    assert find_target(root, "LIMIT = 250", without=["copy.py"]).path == "src/app.py"


def test_snippets_of_memories_are_no_evidence(root: Root, tmp_path: Path) -> None:
    memory = "---\ncitations:\n  - path: src/app.py\n    line: 4\n    snippet: LIMIT = 250\n---\nIt is.\n"
    (tmp_path / "memory.md").write_text(memory)
    assert find_target(root, "LIMIT = 250").path == "src/app.py"


def test_what_git_ignores_is_not_searched(make_repository: Any) -> None:
    repository = make_repository()
    repository.commit({"a.py": "needle = 1\n", ".gitignore": "built/\n"})
    repository.write("built/a.py", "needle = 1\n")
    repository.write("new.py", "fresh = 1\n")
    with Root(str(repository.path)) as opened:
        git = Git.find(opened.path)
        assert find_target(opened, "needle = 1", lambda: git).path == "a.py"
        assert find_target(opened, "fresh = 1", lambda: git).path == "new.py"
        assert find_target(opened, "built/a.py:1", lambda: git).path == "built/a.py"


def test_looking_is_linear(root: Root, tmp_path: Path, in_proportion: Any) -> None:
    def look(size: int) -> None:
        (tmp_path / "big.txt").write_text("a " * size + "b\n" + "a  a\n" * size)
        files = list_files(root, None)
        find_places(root, files, "a a a a c")
        with pytest.raises(Uncitable):
            find_target(root, "A  a A a a C", within="big.txt")

    assert in_proportion(look, 4000, 32000, 8)
