"""Finding memories: what counts, what is entered, what an id means (M3, M9, M13)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.domains.memory.load import find_memory, folder_key, list_keys, load_all, load_memory
from pincite.safe.files import Root

from .conftest import Write

FOLDER = ".serena/memories"
CITED = "---\ncitations:\n  - path: src/app.py\n---\n"


def test_m3_recursive_but_not_into_hidden_or_linked_folders(repo: Path, write: Write, tmp_path: Path) -> None:
    write("a.md", CITED)
    write("deep/er/b.md", CITED)
    write(".hidden/c.md", CITED)
    write("d.txt", CITED)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "e.md").write_text(CITED)
    os.symlink(outside, repo / FOLDER / "linked")
    os.symlink(repo / FOLDER / "deep", repo / FOLDER / "inside")
    with Root(str(repo)) as root:
        assert list_keys(root, FOLDER) == [f"{FOLDER}/a.md", f"{FOLDER}/deep/er/b.md"]


def test_m3_a_readme_is_a_memory_only_if_it_cites(repo: Path, write: Write) -> None:
    write("README.md", "# How citations work here\n")
    write("sub/README.md", CITED)
    with Root(str(repo)) as root:
        assert [memory.key for memory in load_all(root, FOLDER).all] == [f"{FOLDER}/sub/README.md"]


def test_m13_the_id_wins_over_the_file_name(repo: Path, write: Write) -> None:
    write("file.md", "---\nid: name\n---\n")
    write("name.md", "---\nid: other\n---\n")
    with Root(str(repo)) as root:
        assert find_memory(root, FOLDER, "name").key == f"{FOLDER}/file.md"
        assert find_memory(root, FOLDER, "file").key == f"{FOLDER}/file.md"
        assert find_memory(root, FOLDER, "name.md").key == f"{FOLDER}/name.md"


def test_m13_a_duplicate_id_names_both_files(repo: Path, write: Write) -> None:
    write("a.md", "---\nid: same\n---\n")
    write("b.md", "---\nid: same\n---\n")
    with Root(str(repo)) as root:
        (clash,) = load_all(root, FOLDER).clashes
        assert clash.keys == (f"{FOLDER}/a.md", f"{FOLDER}/b.md")
        with pytest.raises(UsageError, match=r"a\.md and .*b\.md"):
            find_memory(root, FOLDER, "same")


def test_plain_notes_do_not_clash(repo: Path, write: Write) -> None:
    write("a/index.md", "notes")
    write("b/index.md", "notes")
    with Root(str(repo)) as root:
        assert load_all(root, FOLDER).clashes == ()


def test_a_literal_path_comes_first(repo: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("/notes/a.md", CITED)
    write("x.md", "---\nid: notes/a.md\n---\n")
    monkeypatch.chdir(repo / "src")
    with Root(str(repo)) as root:
        assert find_memory(root, FOLDER, "notes/a.md").key == "notes/a.md"
        assert find_memory(root, FOLDER, "../notes/a.md").key == "notes/a.md"
        assert find_memory(root, FOLDER, str(repo / "notes/a.md")).key == "notes/a.md"


@pytest.mark.parametrize("name", ["", "gone", "a\0b", "../../src/app", "/", "."])
def test_what_is_no_memory(repo: Path, name: str) -> None:
    with Root(str(repo)) as root, pytest.raises(UsageError):
        find_memory(root, FOLDER, name)


def test_a_file_outside_the_root_is_refused(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(CITED)
    with Root(str(repo)) as root, pytest.raises(UsageError, match="Path traversal blocked"):
        find_memory(root, FOLDER, str(tmp_path / "secret.md"))


def test_a_link_that_leads_out_is_not_read(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(CITED)
    os.symlink(tmp_path / "secret.md", repo / FOLDER / "leak.md")
    with Root(str(repo)) as root:
        memory = load_memory(root, f"{FOLDER}/leak.md")
        assert memory.error == f"Path traversal blocked: {FOLDER}/leak.md"
        assert memory.data == b""


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"---\na: \xff\n---\n", "Cannot read file: not UTF-8 (byte 0xff at offset 7)"),
        (b"---\na: 1\na: 2\n---\n", "line 3: key 'a' is given twice"),
        (b"---\ncitations:\n  - path: a\n", "line 1: the frontmatter is opened by --- and never closed"),
        (b"---\r\nconfidence: 3\r\n---\r\n", "line 2: confidence: expected a number from 0.0 to 1.0, got 3"),
    ],
)
def test_what_cannot_be_parsed_says_why(repo: Path, write: Write, data: bytes, reason: str) -> None:
    write("a.md", data)
    with Root(str(repo)) as root:
        memory = load_memory(root, f"{FOLDER}/a.md")
    assert memory.error == reason
    assert memory.head is None


def test_a_byte_order_mark_is_no_obstacle(repo: Path, write: Write) -> None:
    write("a.md", b"\xef\xbb\xbf" + CITED.encode())
    with Root(str(repo)) as root:
        assert load_memory(root, f"{FOLDER}/a.md").cited


def test_m9_the_folder_is_relative_to_the_root_or_inside_it(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Root(str(repo)) as root:
        assert folder_key(root, ".serena/memories/") == FOLDER
        assert folder_key(root, str(repo / FOLDER)) == FOLDER
        assert folder_key(root, ".") == ""
        for outside in (str(tmp_path), "..", "/"):
            with pytest.raises(UsageError, match="outside the repo root"):
                folder_key(root, outside)
        for missing in ("none", "src/app.py", str(repo / "none")):
            with pytest.raises(UsageError, match="no such memories folder"):
                folder_key(root, missing)


def test_memories_at_the_root_itself(repo: Path, write: Write) -> None:
    write("/top.md", CITED)
    with Root(str(repo)) as root:
        assert [memory.key for memory in load_all(root, "").all] == ["top.md"]
        assert find_memory(root, "", "top").key == "top.md"
