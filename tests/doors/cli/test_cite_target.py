"""`pincite cite TARGET`: what it prints holds, what it adds is read there, what would not hold is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
CODE = "import os\n\nLIMIT = 250\n\n\nclass Server:\n    def start(self):\n        return LIMIT\n"
MEMORY = "---\nid: limits\ncitations: []\n---\nThe limit is fixed.\n"
GUIDE = "# Guide\n\nThe limit is 250. It is fixed.\n\n| what | value |\n|---|---|\n| limit | 250 |\n"


@pytest.fixture
def cite(tmp_path: Path, make_repository: Any, in_folder: Run) -> Run:
    """Runs the command in a repository with one commit: arguments -> exit code, output, errors."""
    repository = make_repository(".")
    repository.git("remote", "add", "origin", "git@github.com:acme/tool.git")
    repository.commit(
        {"src/app.py": CODE, "docs/guide.md": GUIDE, ".serena/memories/limits.md": MEMORY, ".gitignore": "built/\n"}
    )
    return lambda *words: in_folder("cite", *words)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (("src/app.py:3",), "【F:src/app.py†L3】"),
        (("src/app.py:6-8",), "【F:src/app.py†L6-L8】"),
        (("LIMIT = 250",), "【F:src/app.py†L3】"),
        (("src/app.py::Server.start",), "【F:src/app.py†L7-L8】"),
        (("src/app.py:3", "--style", "colon"), "src/app.py:3"),
        (("src/app.py:6-8", "--style", "link"), "[src/app.py:6-8](src/app.py#L6-L8)"),
        (("src/app.py:6-8", "--style", "cite"), "[cite:file](src/app.py:6-8)"),
        (("src/app.py", "--style", "cite"), "[cite:file](src/app.py)"),
        (("src/app.py:3", "--style", "frontmatter"), "- path: src/app.py\n  line: 3\n  snippet: LIMIT = 250"),
    ],
)
def test_printed(cite: Run, words: tuple[str, ...], written: str) -> None:
    assert cite(*words) == (0, written + "\n", "")


def test_a_definition_by_its_name(cite: Run, in_folder: Run, tmp_path: Path) -> None:
    assert cite("src/app.py::start", "--style", "cite")[1] == "[cite:function](src/app.py::Server.start)\n"
    assert cite("src/app.py:7", "--style", "symbol")[1] == "src/app.py::Server.start\n"
    (tmp_path / "note.md").write_text(f"It starts. {cite('src/app.py::start', '--style', 'symbol')[1]}")
    assert "1 citation in 1 document: it holds" in in_folder("check", "note.md")[1]


def test_a_permalink_names_the_commit_that_holds_it(cite: Run, tmp_path: Path) -> None:
    code, text, errors = cite("src/app.py:6-8", "--style", "permalink")
    assert code == 0 and "push it" in errors
    assert text.startswith("https://github.com/acme/tool/blob/") and text.endswith("/src/app.py#L6-L8\n")
    (tmp_path / "src/app.py").write_text("# moved\n" + CODE)
    code, text, errors = cite("src/app.py:7-9", "--style", "permalink")
    assert (code, text) == (1, "") and "src/app.py:6-8" in errors and "commit your changes first" in errors
    (tmp_path / "new.py").write_text("x = 1\n")
    assert "not in the commit" in cite("new.py:1", "--style", "permalink")[2]
    (tmp_path / "pincite.toml").write_text('repository = "other/name"\n')
    assert "github.com/other/name/blob" in cite("docs/guide.md:3", "--style", "permalink")[1]


def test_a_permalink_from_a_folder_inside_the_repository(cite: Run, tmp_path: Path) -> None:
    text = cite("app.py:3", "--style", "permalink", "--root", "src")[1]
    assert text.endswith("/src/app.py#L3\n")


@pytest.mark.parametrize(
    ("remotes", "said"), [((), "no remote"), (("git@github.com:a/b.git", "https://github.com/c/d"), "several")]
)
def test_a_permalink_needs_to_know_the_repository(
    make_repository: Any, in_folder: Run, remotes: tuple[str, ...], said: str
) -> None:
    repository = make_repository(".")
    for number, url in enumerate(remotes):
        repository.git("remote", "add", f"r{number}", url)
    repository.commit({"a.py": "x = 1\n"})
    code, _, errors = in_folder("cite", "a.py:1", "--style", "permalink")
    assert code == 1 and said in errors and "pincite.toml" in errors


def test_links_are_written_for_where_one_stands(
    cite: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_folder: Run
) -> None:
    monkeypatch.chdir(tmp_path / "docs")
    assert in_folder("cite", "../src/app.py:3", "--style", "link")[1] == "[src/app.py:3](../src/app.py#L3)\n"
    assert in_folder("cite", "src/app.py:3", "--style", "bracket")[1] == "【F:src/app.py†L3】\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("src/app.py:4-5",), "white space"),
        (("src/app.py:99",), "8 lines"),
        (("src/app.py:8-3",), "src/app.py:3-8"),
        (("src/app.py:0",), "counted from 1"),
        (("src/appp.py:3",), "did you mean src/app.py?"),
        (("../elsewhere.py:3",), "outside the root"),
        (("/etc/passwd:1",), "outside the root"),
        (("src",), "a folder"),
        (("src/app.py",), "--style bracket cites lines"),
        (("no such words",), "not found"),
        (("src/app.py::nothing",), "defines no nothing"),
        (("src/app.py:3", "--into", "docs/guide.md"), "--at LINE"),
        (("src/app.py:3", "--into", "docs/guide.md", "--at", "2"), "blank"),
        (("src/app.py:3", "--into", "docs/guide.md", "--at", "7"), "table"),
        (("src/app.py:3", "--into", "docs/guide.md", "--after", "gone"), "does not hold"),
        (("docs/guide.md:3", "--into", "docs/guide.md", "--at", "3"), "no evidence for itself"),
    ],
)
def test_refused(tmp_path: Path, cite: Run, words: tuple[str, ...], said: str) -> None:
    code, text, errors = cite(*words)
    assert (code, text) == (1, "") and errors.startswith("pincite: ") and said in errors
    assert (tmp_path / "docs/guide.md").read_text() == GUIDE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("src/app.py:3", "--style", "inline"), "not known for a TARGET"),
        (("src/app.py:3", "--hit", "1"), "TARGET goes without"),
        (("src/app.py:3", "--at", "3"), "--into"),
        (("src/app.py:3", "--into", "docs/guide.md", "--at", "3", "--after", "x"), "give one"),
        (("src/app.py:3", "--into", "docs/none.md"), "no such document"),
        (("--into", "docs/guide.md"), "go with a TARGET"),
        (("LIMIT", "--in", "nowhere"), "no such file or folder"),
        (("src/app.py:3", "--into", ".serena/memories/limits.md", "--at", "5"), "frontmatter"),
    ],
)
def test_misused(cite: Run, words: tuple[str, ...], said: str) -> None:
    code, text, errors = cite(*words)
    assert (code, text) == (2, "") and said in errors


def test_words_found_twice_are_listed_with_the_commands_that_choose(cite: Run) -> None:
    code, text, errors = cite("LIMIT", "--style", "colon")
    assert (code, text) == (1, "")
    assert errors == (
        "pincite: 'LIMIT': found 2 times in the 4 files here; say which\n"
        "  src/app.py:3: LIMIT = 250\n    pincite cite --style colon src/app.py:3\n"
        "  src/app.py:8: return LIMIT\n    pincite cite --style colon src/app.py:8\n"
    )
    answer = json.loads(cite("LIMIT", "--format", "json")[1])
    assert (answer["refused"], [place["lines"] for place in answer["places"]]) == ("text-ambiguous", [[3, 3], [8, 8]])


def test_what_is_kept_about_citations_is_no_place(cite: Run, in_folder: Run, tmp_path: Path) -> None:
    words = "    def start(self):"
    for name in ("pincite.lock", ".pincite/notes.txt", "known.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {words}\n")
    (tmp_path / "pincite.toml").write_text('baseline = "known.txt"\n')
    assert cite(words) == (0, "【F:src/app.py†L7】\n", "")
    (tmp_path / "other.txt").write_text(words)
    assert "found 2 times" in cite(words)[2]


def test_words_that_are_only_alike_are_shown_and_not_cited(cite: Run) -> None:
    code, text, errors = cite("limit  = 250")
    assert (code, text) == (1, "") and "src/app.py:3: LIMIT = 250" in errors and "pincite cite" not in errors


def test_json(cite: Run) -> None:
    answer = json.loads(cite("src/app.py::Server", "--format", "json")[1])
    assert (answer["schema"], answer["text"]) == ("pincite.cite-target/1", "【F:src/app.py†L6-L8】")
    assert (answer["path"], answer["lines"], answer["symbol"]) == ("src/app.py", [6, 8], "Server")
    assert (answer["style"], len(answer["digest"])) == ("bracket", 64)


def test_what_git_ignores_is_cited_with_a_warning(cite: Run, tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    (tmp_path / "built/a.py").write_text("x = 1\n")
    code, text, errors = cite("built/a.py:1")
    assert (code, text) == (0, "【F:built/a.py†L1】\n") and "others will not have it" in errors


def test_odd_names(cite: Run, tmp_path: Path) -> None:
    for name in ("-dash.py", "a b.py", "ünï.py", "a#L3.py", "100%.py", 'it\'s "x".py', "a[1].py"):
        (tmp_path / name).write_text("x = 1\n")
        code, text, _ = cite("--style", "link", "--", f"{name}:1")
        assert code == 0 and "](" in text, name
    code, text, errors = cite("--style", "colon", "a b.py:1")
    assert (code, text) == (1, "") and "use --style bracket" in errors
    (tmp_path / "esc\x1b[31m.py").write_text("x = 1\n")
    assert "\x1b" not in "".join(map(str, cite("esc\x1b[31m.py:1")))


def test_into_a_memory(cite: Run, tmp_path: Path, in_folder: Run) -> None:
    memory = tmp_path / ".serena/memories/limits.md"
    code, text, errors = cite("src/app.py:3", "--into", ".serena/memories/limits.md", "--dry-run")
    assert code == 0 and memory.read_text() == MEMORY and "nothing was written" in errors
    again = cite("src/app.py:3", "--into", ".serena/memories/limits.md")
    assert again == (0, text, "")
    item = "citations:\n  - path: src/app.py\n    line: 3\n    snippet: LIMIT = 250\n"
    assert memory.read_text() == MEMORY.replace("citations: []\n", item)
    code, text, errors = cite("LIMIT = 250", "--into", ".serena/memories/limits.md")
    assert (code, text) == (0, "") and "cites it already" in errors
    (tmp_path / "src/app.py").write_text("# above\n" + CODE)
    assert cite("LIMIT = 250", "--into", ".serena/memories/limits.md")[1].endswith(
        "-    line: 3\n+    line: 4\n     snippet: LIMIT = 250\n ---\n The limit is fixed.\n"
    )
    assert memory.read_text() == MEMORY.replace("citations: []\n", item.replace("3", "4"))
    assert in_folder("check", ".serena")[0] == 0


def test_into_keeps_every_other_byte(cite: Run, tmp_path: Path) -> None:
    memory = tmp_path / ".serena/memories/windows.md"
    old = b"\xef\xbb\xbf---\r\nid: w  # kept\r\n---\r\nBody without an end"
    memory.write_bytes(old)
    os.chmod(memory, 0o640)
    assert cite("src/app.py:6-8", "--into", ".serena/memories/windows.md")[0] == 0
    added = b'citations:\r\n  - path: src/app.py\r\n    line: 6\r\n    snippet: "class Server:"\r\n'
    assert memory.read_bytes() == old.replace(b"---\r\nBody", added + b"---\r\nBody")
    assert memory.stat().st_mode & 0o777 == 0o640


def test_into_prose(cite: Run, tmp_path: Path, in_folder: Run) -> None:
    guide = tmp_path / "docs/guide.md"
    assert cite("src/app.py:3", "--into", "docs/guide.md", "--after", "limit is 250")[0] == 0
    again = cite("src/app.py:3", "--into", "docs/guide.md", "--after", "limit is 250")
    assert again == (0, "", "docs/guide.md cites it already; nothing was changed\n")
    assert cite("src/app.py:8", "--into", "docs/guide.md", "--at", "3", "--style", "link")[0] == 0
    assert cite("src/app.py:1", "--into", "docs/guide.md", "--after", "limit |", "--style", "colon")[0] == 0
    assert guide.read_text() == GUIDE.replace(
        "250. It is fixed.", "250. 【F:src/app.py†L3】 It is fixed. [src/app.py:8](../src/app.py#L8)"
    ).replace("| 250 |", "| 250 src/app.py:1 |")
    assert "3 citations in 1 document: all hold" in in_folder("check", "docs")[1]


def test_into_says_what_it_did_to_programs(cite: Run) -> None:
    answer = json.loads(cite("src/app.py:3", "--into", "docs/guide.md", "--at", "3", "--format", "json")[1])
    assert (answer["into"]["document"], answer["into"]["changed"], answer["into"]["written"]) == (
        "docs/guide.md",
        True,
        True,
    )
    assert "+The limit is 250. It is fixed. 【F:src/app.py†L3】" in answer["into"]["diff"]


def test_frontmatter_is_for_markdown(cite: Run, tmp_path: Path) -> None:
    (tmp_path / "docs/other.txt").write_text("Words.\n")
    code, _, errors = cite("src/app.py:3", "--into", "docs/other.txt", "--style", "frontmatter")
    assert code == 1 and "only markdown" in errors


def test_outside_a_repository(tmp_path: Path, in_folder: Run) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "pincite.toml").write_text("")
    assert in_folder("cite", "x = 1") == (0, "【F:a.py†L1】\n", "")
    code, _, errors = in_folder("cite", "a.py:1", "--style", "permalink")
    assert code == 1 and "not in a git repository" in errors


def test_grammars_are_loaded_only_for_names(cite: Run, tmp_path: Path) -> None:
    heavy = ("tree_sitter", "pincite.domains.retrieval.service", "asyncio")
    code = (
        "import sys\nfrom pincite.doors.cli.main import main\n"
        "try:\n    main(['cite', 'src/app.py:3'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "【F:src/app.py†L3】\n[]\n"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        (".git/notes.md", b"The limit is 250.\n", "git's own"),
        ("docs/binary.md", b"The limit is 250.\n\0\n", "binary"),
        ("docs/latin.md", b"The limit is 250, caf\xe9.\n", "not UTF-8"),
    ],
)
def test_only_text_outside_git_is_added_to(cite: Run, tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    code, out, errors = cite("src/app.py:3", "--into", name, "--at", "1")
    assert (code, out) == (2, "") and reason in errors
    assert (tmp_path / name).read_bytes() == data


def test_a_permalink_to_a_whole_file_that_was_changed_since_the_commit_is_refused(cite: Run, tmp_path: Path) -> None:
    assert cite("src/app.py", "--style", "permalink")[0] == 0
    (tmp_path / "src/app.py").write_text(CODE + "MORE = 1\n")
    code, out, errors = cite("src/app.py", "--style", "permalink")
    assert (code, out) == (1, "") and "differs from the commit" in errors


def test_no_second_frontmatter_goes_before_toml(cite: Run, tmp_path: Path) -> None:
    text = '+++\ntitle = "Limits"\n+++\nThe limit is fixed.\n'
    (tmp_path / ".serena/memories/toml.md").write_text(text)
    code, out, errors = cite("src/app.py:3", "--into", ".serena/memories/toml.md")
    assert (code, out) == (1, "") and "its frontmatter is TOML" in errors
    assert (tmp_path / ".serena/memories/toml.md").read_text() == text


def test_a_function_of_a_shell_with_colons_in_its_name(cite: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("ns::fn() {\n  echo hi\n}\n")
    assert cite("a.sh::ns::fn") == (0, "【F:a.sh†L1-L3】\n", "")
    assert cite("a.sh::ns::fn", "--style", "symbol") == (0, "a.sh::ns::fn\n", "")


def test_a_link_to_a_file_is_no_second_place(cite: Run, tmp_path: Path) -> None:
    (tmp_path / "alias.py").symlink_to("src/app.py")
    assert cite("LIMIT = 250") == (0, "【F:src/app.py†L3】\n", "")
    assert cite("LIMIT = 250", "--in", "alias.py") == (0, "【F:alias.py†L3】\n", "")


def test_a_path_with_a_dot_before_it_is_the_same_in_a_memory(cite: Run, tmp_path: Path) -> None:
    memory = tmp_path / ".serena/memories/limits.md"
    text = MEMORY.replace("[]", "\n- path: ./src/app.py\n  line: 3\n  snippet: LIMIT = 250")
    memory.write_text(text)
    code, out, errors = cite("src/app.py:3", "--into", ".serena/memories/limits.md")
    assert (code, out) == (0, "") and "cites it already" in errors
    memory.write_text(text.replace("line: 3", "line: 2"))
    assert cite("src/app.py:3", "--into", ".serena/memories/limits.md")[0] == 0
    assert memory.read_text() == text


def test_what_proves_a_citation_is_let_go_where_it_is_refused(cite: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.write.cite.proof import Proof

    closed: list[int] = []
    close = Proof.close
    monkeypatch.setattr(Proof, "close", lambda proof: closed.append(1) or close(proof))
    assert cite("src/app.py:3", "--into", "docs/guide.md", "--after", "no such words")[0] == 1
    assert closed == [1]
