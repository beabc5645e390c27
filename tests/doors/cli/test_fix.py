"""`pincite fix`, as its user meets it: a patch by default, questions on request, and nothing silently left out."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.errors import Unreadable
from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Place,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.doors.cli.fix_dialogue import Dialogue, EndOfAnswers, show_side_by_side
from pincite.doors.cli.main import main
from pincite.engine.repair.dry_run import OfferedEdit
from pincite.engine.repair.fix import DocumentFixes, Fixer

PINCITE = [sys.executable, "-m", "pincite"]
BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
SCHEMA = json.loads(files("pincite").joinpath("schemas/fix-1.schema.json").read_text(encoding="utf-8"))
Ran = tuple[int, str, str]


@pytest.fixture
def moved(make_repository: Callable[..., Any]) -> Any:
    """Two documents that cite lines which moved, and one heading that is written otherwise."""
    repo = make_repository()
    texts = {
        "docs/a.md": "One. 【F:src/app.py†L3】\r\n\r\nTwo `src/app.py:9`.\r\nend",
        "docs/b.md": "Three. 【F:src/app.py†L5】\n\nFour. 【F:src/app.py†L20】\n",
        "docs/c.md": "Five. [notes.md, §first steps]\n",
        "notes.md": "# First Steps\n",
    }
    repo.commit({"src/app.py": BODY, **texts})
    repo.commit({"src/app.py": "# one\n# two\n" + BODY.replace("prepare(20)", "prepare(99)")})
    return repo


@pytest.fixture
def pincite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command within this process: (folder, *arguments, answers) -> exit code, output, errors."""

    def run(path: Path, *arguments: str, answers: str | bytes | None = None) -> Ran:
        from io import BytesIO, TextIOWrapper

        monkeypatch.chdir(path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        given = answers.encode() if isinstance(answers, str) else answers or b""
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run


def read(repo: Any) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((repo.path / "docs").iterdir())}


def test_the_default_is_a_patch_and_changes_nothing(moved: Any, pincite: Callable[..., Ran]) -> None:
    before = read(moved)
    done = subprocess.run([*PINCITE, "fix"], cwd=moved.path, capture_output=True, check=False)
    assert (done.returncode, read(moved)) == (0, before)
    assert done.stderr.decode().splitlines() == [
        "3 citations in 2 documents can be fixed: run again with --write.",
        "2 need a reader: --interactive asks about each, --unsafe shows all.",
    ]
    subprocess.run(["git", "apply"], cwd=moved.path, input=done.stdout, check=True)
    assert read(moved) == {
        "a.md": "One. 【F:src/app.py†L5】\r\n\r\nTwo `src/app.py:11`.\r\nend".encode(),
        "b.md": "Three. 【F:src/app.py†L7】\n\nFour. 【F:src/app.py†L20】\n".encode(),
        "c.md": before["c.md"],
    }
    assert pincite(moved.path, "fix", "docs/a.md")[2] == "Nothing to fix. Looked at 2 citations in 1 document.\n"


def test_writing_applies_the_safe_ones_once(moved: Any, pincite: Callable[..., Ran]) -> None:
    code, out, err = pincite(moved.path, "fix", "--write")
    assert (code, "+One. 【F:src/app.py†L5】\r\n" in out) == (0, True)
    assert err.startswith("Fixed 3 citations in 2 documents.\n2 need a reader")
    after = read(moved)
    assert b"L5" in after["a.md"] and "§first steps".encode() in after["c.md"]
    code, out, err = pincite(moved.path, "fix", "--write")
    assert (code, out, read(moved)) == (0, "", after)
    assert err.startswith("Nothing to fix without a reader. Looked at ")


def test_what_needs_a_reader_is_listed_beside_a_patch_that_applies(moved: Any, pincite: Callable[..., Ran]) -> None:
    code, out, err = pincite(moved.path, "fix", "--unsafe", "docs/c.md")
    assert code == 0
    assert "needs a reader:\n  docs/c.md:1: [notes.md, §first steps] -> [notes.md, §First Steps]\n" in err
    assert "1 citation in 1 document can be fixed" in err
    subprocess.run(["git", "apply", "--check"], cwd=moved.path, input=out.encode(), check=True)
    pincite(moved.path, "fix", "--unsafe", "--write", "docs/c.md")
    assert read(moved)["c.md"] == "Five. [notes.md, §First Steps]\n".encode()


def test_the_object_for_programs_keeps_to_its_schema(moved: Any, pincite: Callable[..., Ran]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for arguments in ((), ("--unsafe",), ("--write",), ("--write",)):
        code, out, _ = pincite(moved.path, "fix", "--format", "json", *arguments)
        found = json.loads(out)
        Draft202012Validator(SCHEMA).validate(found)
        if not arguments:
            first, _, third = found["documents"]
            edit = first["edits"][0]
            assert (code, first["document"], first["written"], third["edits"][0]["made"]) == (
                0,
                "docs/a.md",
                False,
                False,
            )
            assert (edit["old"], edit["new"]) == ("【F:src/app.py†L3】", "【F:src/app.py†L5】")
            assert (edit["line"], edit["start"], edit["safety"], edit["made"]) == (1, 5, "safe", True)
            assert found["summary"]["unfollowed"] == {}
            assert (found["summary"]["fixed"], found["summary"]["reader"]) == (3, 2)
        elif arguments == ("--write",):
            assert {one["document"]: one["written"] for one in found["documents"]}["docs/c.md"] is False
    assert [one["document"] for one in found["documents"]] == ["docs/b.md", "docs/c.md"]


def test_a_line_that_would_hide_an_edited_neighbour_is_left_to_a_reader(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "Both. 【F:src/app.py†L3】【F:src/app.py†L20】\n"})
    edited = "# first\n" + BODY.replace("step_10 = prepare(10)\n", "").replace("prepare(20)", "prepare(99)")
    repo.commit({"src/app.py": edited})
    code, out, err = pincite(repo.path, "fix", "--write")
    assert (code, out) == (0, "")
    assert "left: a.md:1: 【F:src/app.py†L3】: its line also cites 【F:src/app.py†L20】 (Edited since " in err
    assert "1 needs a reader" in err
    before = (repo.path / "a.md").read_text()
    code, out, err = pincite(repo.path, "fix", "--unsafe", "--write")
    assert (out, (repo.path / "a.md").read_text()) == ("", before)
    assert "1 needs a reader: --interactive asks about each.\n" in err
    code, out, err = pincite(repo.path, "fix", "--interactive", answers="y\n")
    assert "note: a.md:1 also cites 【F:src/app.py†L20】, whose evidence changed" in err
    assert (repo.path / "a.md").read_text() == "Both. 【F:src/app.py†L4】【F:src/app.py†L20】\n"


def test_an_edited_neighbour_that_moved_is_rewritten_with_its_line_by_a_reader(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "Both. 【F:src/app.py†L3】【F:src/app.py†L20】\n"})
    repo.commit({"src/app.py": "# first\n" + BODY.replace("prepare(20)", "prepare(99)")})
    code, out, err = pincite(repo.path, "fix", "--write")
    assert (code, out) == (0, "")
    assert "2 need a reader" in err
    pincite(repo.path, "fix", "--unsafe", "--write")
    assert (repo.path / "a.md").read_text() == "Both. 【F:src/app.py†L4】【F:src/app.py†L21】\n"


def test_a_line_that_would_read_like_an_older_one_waits_for_a_commit(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    """Fixed together, `:5` would be followed a second time, to a place it never cited."""
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "- src/app.py:3\n- src/app.py:5\n"})
    repo.commit({"src/app.py": "# 1\n# 2\n" + BODY})
    _, _, err = pincite(repo.path, "fix", "--write")
    assert (repo.path / "a.md").read_text() == "- src/app.py:3\n- src/app.py:7\n"
    assert "its new line reads like an older one; commit the other fixes first" in err
    assert pincite(repo.path, "fix", "--write")[1] == ""
    repo.commit()
    pincite(repo.path, "fix", "--write")
    assert (repo.path / "a.md").read_text() == "- src/app.py:5\n- src/app.py:7\n"
    repo.commit()
    assert pincite(repo.path, "fix", "--write")[1] == ""


def test_silenced_findings_are_not_fixed(moved: Any, pincite: Callable[..., Ran]) -> None:
    moved.write(
        "docs/a.md", "One. 【F:src/app.py†L3】 <!-- pincite: ignore all meant so -->\r\n\r\nTwo `src/app.py:9`.\r\nend"
    )
    moved.git("checkout", "-q", "HEAD~1")
    moved.commit()
    moved.write("src/app.py", "# one\n" + BODY)
    before = read(moved)
    _, out, err = pincite(moved.path, "fix", "--ignore", "lines-moved", "docs")
    assert out == "" and "Nothing to fix" in err and "silenced findings left alone." in err
    pincite(moved.path, "check", "--baseline", "known.txt", "--update-baseline", "docs/b.md")
    moved.write("pincite.toml", 'baseline = "known.txt"\n')
    _, out, err = pincite(moved.path, "fix", "--write", "docs/a.md", "docs/b.md")
    after = read(moved)
    assert after["b.md"] == before["b.md"]
    assert after["a.md"].splitlines()[0] == before["a.md"].splitlines()[0]
    assert b"src/app.py:10" in after["a.md"]
    assert "silenced finding" in err


def test_check_fixes_first_and_reports_what_remains(moved: Any, pincite: Callable[..., Ran]) -> None:
    code, out, err = pincite(moved.path, "check", "--fix", "--format", "json")
    found = json.loads(out)
    assert "Fixed 3 citations in 2 documents." in err
    assert code == found["summary"]["exit_code"]
    assert found["summary"]["moved"] == 0
    assert {one["raw"] for one in found["citations"] if one["outcome"] == "mismatch"} >= {"【F:src/app.py†L20】"}
    assert b"L5" in read(moved)["a.md"]
    code, _, err = pincite(moved.path, "check", "--fix", "-")
    assert (code, "`pincite fix - --write`" in err) == (2, True)


def test_check_since_fixes_only_what_a_change_could_have_affected(moved: Any, pincite: Callable[..., Ran]) -> None:
    moved.commit({"docs/d.md": "More.\n"})
    assert pincite(moved.path, "check", "--fix", "--since", "HEAD~1")[0] == 0
    assert b"L3" in read(moved)["a.md"]
    pincite(moved.path, "check", "--fix", "--since", "HEAD~2")
    assert b"L5" in read(moved)["a.md"]


def test_standard_input_is_printed_fixed(tmp_path: Path, pincite: Callable[..., Ran]) -> None:
    (tmp_path / "app.py").write_text("# new\n" + BODY)
    memory = (
        "---\r\ncitations:\r\n  - path: app.py\r\n    line: 3 # here\r\n    snippet: step_3 = prepare(3)\r\n---\r\n"
    )
    code, out, err = pincite(tmp_path, "fix", "-", "--write", answers=memory)
    assert (code, out) == (0, memory.replace("line: 3", "line: 4"))
    assert err == "Fixed 1 citation in 1 document.\n"
    assert "+    line: 4 # here\r\n" in pincite(tmp_path, "fix", "-", "--stdin-name", "m.md", answers=memory)[1]
    assert pincite(tmp_path, "fix", "-", "--write", answers="Plain.\r")[1] == "Plain.\r"


def test_a_draft_is_followed_by_the_name_it_goes_by(moved: Any, pincite: Callable[..., Ran]) -> None:
    """Lines of it that are committed have a witness; new ones were written against what is there now."""
    draft = "New. 【F:src/app.py†L3】\nThree. 【F:src/app.py†L5】\n"
    code, out, _ = pincite(moved.path, "fix", "-", "--stdin-name", "docs/b.md", "--write", answers=draft)
    assert (code, out) == (0, "New. 【F:src/app.py†L3】\nThree. 【F:src/app.py†L7】\n")


def test_contradictions_are_refused(moved: Any, pincite: Callable[..., Ran]) -> None:
    assert pincite(moved.path, "fix", "--interactive", "--format", "json")[0] == 2
    assert pincite(moved.path, "fix", "--interactive", "-")[0] == 2
    assert pincite(moved.path, "fix", "-", "docs")[0] == 2


def test_a_document_that_cannot_be_written_is_named(
    moved: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(root: object, key: str, old: bytes, new: bytes) -> None:
        raise Unreadable(f"{key}: cannot be written (No space left on device)")

    monkeypatch.setattr("pincite.safe.write.replace", refuse)
    code, _, err = pincite(moved.path, "fix", "--write")
    assert (code, "docs/a.md: cannot be written" in err, "2 documents could not be written." in err) == (2, True, True)
    code, out, _ = pincite(moved.path, "check", "--fix", "docs/b.md")
    assert (code, "lines-moved" in out) == (2, True)


def test_a_document_that_changes_meanwhile_is_fixed_as_it_is_now(
    moved: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    fix = Fixer.fix

    def slow(self: Fixer, offers: DocumentFixes, *rest: Any) -> Any:
        made = fix(self, offers, *rest)
        if offers.document == "docs/b.md" and b"More" not in (moved.path / "docs/b.md").read_bytes():
            moved.write("docs/b.md", b"More.\n\n" + (moved.path / "docs/b.md").read_bytes())
        return made

    monkeypatch.setattr(Fixer, "fix", slow)
    assert pincite(moved.path, "fix", "--write")[0] == 0
    assert read(moved)["b.md"] == "More.\n\nThree. 【F:src/app.py†L7】\n\nFour. 【F:src/app.py†L20】\n".encode()


CODE = "import os\n\n\nclass Reader:\n    def read(self):\n        return 1\n\n    def b(self): ...\n\n\ndef b(): ...\n"
NAMED = {
    "a line that defines": ("See `src/app.py:5`.", "See `src/app.py::Reader.read`."),
    "in prose": ("See src/app.py:5, and so on.", "See src/app.py::Reader.read, and so on."),
    "all of a definition": ("See `src/app.py:4-8`.", "See `src/app.py::Reader`."),
    "from a folder": ("See `../src/app.py#L4`.", "See `../src/app.py::Reader`."),
    "a cite link": ("See [cite:file](src/app.py:5).", "See [cite:function](src/app.py::Reader.read)."),
    "a class": ("See [cite:file](src/app.py:4).", "See [cite:class](src/app.py::Reader)."),
    "a line inside": ("See `src/app.py:6`.", ""),
    "part of a definition": ("See `src/app.py:4-5`.", ""),
    "a list of lines": ("See `src/app.py:4, 5`.", ""),
    "another dialect": ("See. 【F:src/app.py†L5】", ""),
    "a link": ("See [it](../src/app.py#L5).", ""),
    "a blank line": ("See `src/app.py:2`.", ""),
    "no code": ("See `notes.txt:1`.", ""),
}


@pytest.mark.parametrize("name", NAMED)
def test_definitions_are_cited_by_name_where_that_is_the_same(
    name: str, tmp_path: Path, pincite: Callable[..., Ran]
) -> None:
    pytest.importorskip("tree_sitter")
    before, after = NAMED[name]
    for path, text in (("src/app.py", CODE), ("notes.txt", "def read():\n"), ("docs/a.md", before + "\n")):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert pincite(tmp_path, "fix", "--to-symbols", "--write", "docs")[0] == 0
    assert (tmp_path / "docs/a.md").read_text() == (after or before) + "\n"
    assert pincite(tmp_path, "check", "docs")[0] == 0
    assert pincite(tmp_path, "fix", "--to-symbols", "docs")[1] == ""


def test_a_name_is_offered_only_where_the_line_is_known_to_be_the_one(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    """What moved is followed first; what may have moved keeps its line."""
    pytest.importorskip("tree_sitter")
    repo = make_repository()
    repo.commit({"src/app.py": CODE, "a.md": "See `src/app.py:5`.\n"})
    repo.commit({"src/app.py": "import re\n" + CODE})
    pincite(repo.path, "fix", "--to-symbols", "--write")
    assert (repo.path / "a.md").read_text() == "See `src/app.py:6`.\n"
    pincite(repo.path, "fix", "--to-symbols", "--write")
    assert (repo.path / "a.md").read_text() == "See `src/app.py::Reader.read`.\n"


def test_without_the_grammars_there_is_a_remedy(
    moved: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.symbols.at_hand", lambda: False)
    code, out, err = pincite(moved.path, "fix", "--to-symbols")
    assert (code, out) == (2, "")
    assert "pip install 'pincite[symbols]'" in err


def test_what_is_locked_follows(moved: Any, pincite: Callable[..., Ran]) -> None:
    moved.git("checkout", "-q", "HEAD~1")
    assert pincite(moved.path, "lock", "docs/b.md")[0] == 0
    moved.git("add", "-A")
    moved.git("commit", "-q", "-m", "lock")
    moved.write("src/app.py", "# one\n" + BODY)
    assert pincite(moved.path, "fix", "--write", "docs/b.md")[0] == 0
    assert "†L6】" in (moved.path / "docs/b.md").read_text()
    kept = (moved.path / "pincite.lock").read_text()
    assert "src/app.py:6" in kept and "src/app.py:21" in kept and "src/app.py:5" not in kept
    assert pincite(moved.path, "lock", "--check", "docs/b.md")[0] == 0


ANSWERS = {
    "each": ("y\nn\ny\ny\ny\n", (True, False, True, True, True)),
    "all safe ones of a document": ("a\na\nn\nn\n", (True, True, True, False, False)),
    "done with a document": ("d\ny\nn\ny\n", (False, False, True, False, True)),
    "stop": ("y\nq\n", (True, False, False, False, False)),
    "stop at once": ("q\n", (False, False, False, False, False)),
    "end of input": ("y\n", (False, False, False, False, False)),
    "end after a document": ("y\ny\n", (True, True, False, False, False)),
    "words and nonsense": ("yes\nno\nhuh\n\nALL\nno\nno\n", (True, False, True, False, False)),
    "nothing": ("", (False, False, False, False, False)),
    "only nonsense": ("x\n" * 100, (False, False, False, False, False)),
    "long": ("y" * 9000 + "\nq\n", (False, False, False, False, False)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_obeyed(name: str, moved: Any, pincite: Callable[..., Ran]) -> None:
    answers, expected = ANSWERS[name]
    code, out, err = pincite(moved.path, "fix", "--interactive", answers=answers)
    after = b"".join(read(moved).values())
    marks = ("【F:src/app.py†L5】\r", "src/app.py:11", "†L7】", "†L22】", "§First")
    assert (code, tuple(mark.encode() in after for mark in marks)) == (0, expected)
    assert "[y,n,a,d,q,?]" in out
    fixed = sum(expected)
    assert (f"Fixed {fixed} citation" in err) == bool(fixed)


def test_bytes_that_are_no_answer_are_no_answer(moved: Any, pincite: Callable[..., Ran]) -> None:
    code, _, err = pincite(moved.path, "fix", "-i", answers=b"\xff\xfe\n\x00\n")
    assert (code, "5 not asked about." in err) == (0, True)


def at_terminal(path: Path, keys: list[bytes], *arguments: str, columns: int = 120) -> tuple[int, str]:
    """Run on a pseudo-terminal, pressing one key at each question; gives the exit code and what was seen."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    surroundings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    child = subprocess.Popen(
        [*PINCITE, "fix", "--interactive", *arguments],
        cwd=path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=surroundings | {"TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    asked = 0
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if seen.count(b"?] ") > asked:
            asked += 1
            # What is typed before the question is thrown away: wait until the terminal takes single keys.
            while termios.tcgetattr(ours)[3] & termios.ICANON:
                pass
            os.write(ours, keys.pop(0) if keys else b"q")
    os.close(ours)
    return child.wait(), seen.decode().replace("\r\n", "\n")


def test_single_keys_answer_on_a_terminal(moved: Any) -> None:
    code, seen = at_terminal(moved.path, [b"y", b"\x1b[A", b"n", b"q"])
    assert code == 0
    assert "y - make this change" in seen
    assert "\x1b[31;1mL3\x1b[0m】" in seen and "\x1b[32;1mL5\x1b[0m】" in seen
    assert "Fixed 1 citation in 1 document." in seen
    assert read(moved)["a.md"] == "One. 【F:src/app.py†L5】\r\n\r\nTwo `src/app.py:9`.\r\nend".encode()


def test_the_end_of_a_terminal_writes_nothing_more(moved: Any) -> None:
    before = read(moved)
    code, seen = at_terminal(moved.path, [b"y", b"\x04"])
    assert (code, read(moved)) == (0, before)
    assert "5 not asked about." in seen
    code, _ = at_terminal(moved.path, [b"y", b"\x03"])
    assert (code, read(moved)) == (130, before)


def change(then: tuple[str, ...], now: tuple[str, ...]) -> DocumentFixes:
    """A document whose one citation needs a reader."""
    raw = "src/app.py:3"
    citation = Citation("path-line", Span(4, 16), raw, SourceRef("file", "src/app.py"), Lines(3, 3))
    edit = Edit(Span(4, 16), "src/app.py:5", Safety.UNSAFE)
    place = Place("src/app.py", Lines(5, 5))
    finding = Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Edited", "", edit, then, now, place)
    verdict = Verdict(citation, 1, 5, (finding,))
    return DocumentFixes("a.md", f"See {raw}.\n".encode(), (OfferedEdit(verdict, finding, edit),))


def asked(offers: DocumentFixes, width: int, color: bool = False, keys: str = "y") -> str:
    seen: list[str] = []
    waiting = list(keys)
    Dialogue(lambda: waiting.pop(0), seen.append, width, color).choose(offers)
    return "".join(seen)


THEN = ("def read(path, mode='r'):", "\treturn open(path, mode)")
NOW = ("def read(path, mode='rb'):", "\treturn open(path, mode)", "    # 漢字 wide")


@pytest.mark.parametrize(
    ("name", "width", "color"), [("wide", 110, False), ("narrow", 60, False), ("coloured", 110, True)]
)
def test_old_and_new_evidence_are_shown(
    name: str, width: int, color: bool, snapshot: Callable[[str, str], None]
) -> None:
    snapshot(f"fix-asking-{name}", asked(change(THEN, NOW), width, color))


def test_evidence_that_did_not_change_is_shown_once() -> None:
    seen = asked(change(THEN, ()), 120)
    assert "the evidence, unchanged at src/app.py:5:\n  def read(path, mode='r'):\n" in seen
    assert seen.count("def read") == 1


def test_evidence_cannot_reach_the_terminal() -> None:
    hostile = ("\x1b]0;title\x07 \u202e\r\n" + "x" * 5000, "漢" * 300)
    for width in (20, 99, 100, 133):
        seen = asked(change(hostile, ("\x9b31m", *("a\t" * 40,) * 100)), width)
        assert not any(char in seen for char in "\x1b\x07\u202e\x9b\r\t")


def test_columns_stay_in_their_place() -> None:
    rows = show_side_by_side(("漢字" * 40, "e\u0301" * 90, "plain"), ("字" * 90, "x"), 101, False)
    assert all(" │ " in row or row.endswith(" │") for row in rows[:-1])
    from pincite.text.terminal.cells import lay

    for row in rows:
        cells: list[str] = []
        assert lay(cells, 0, row.partition("│")[0]) <= 50


def test_comparing_takes_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    def work(size: int) -> object:
        return show_side_by_side(("a b " * size,), ("b b a " * size,), 120, True)

    assert in_proportion(work, 100, 1000, 10)


def test_a_line_that_another_document_cites_is_rewritten_by_a_reader_only(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    """Also where that document is none of those that were asked for."""
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": "It is 【F:src/app.py†L3】.\n", "b.md": "\nSee docs/a.md:1.\n"})
    repo.commit({"src/app.py": "# 1\n" + BODY})
    for arguments in (("--write",), ("--write", "--unsafe", "docs"), ("--write", "docs/a.md")):
        code, out, err = pincite(repo.path, "fix", *arguments)
        assert (code, out) == (0, "")
        assert err.startswith("left: docs/a.md:1: 【F:src/app.py†L3】: b.md:2 cites this line, which would then be ")
        assert "reported as edited; --interactive makes it anyway\n" in err
        assert "1 needs a reader: --interactive asks about each.\n" in err
    pincite(repo.path, "fix", "--interactive", answers="y\n")
    assert (repo.path / "docs/a.md").read_text() == "It is 【F:src/app.py†L4】.\n"


def test_of_many_that_are_left_out_some_are_named(
    make_repository: Callable[..., Any], pincite: Callable[..., Ran]
) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "".join(f"- src/app.py:{number}\n" for number in range(2, 30))})
    repo.commit({"src/app.py": "# 1\n" + BODY})
    code, _, err = pincite(repo.path, "fix", "--write")
    rows = err.splitlines()
    reason = "its new line reads like an older one; commit the other fixes first"
    assert (code, rows[0]) == (0, f"left: 27 at a.md:1, a.md:2, a.md:3 and 24 more: {reason}")
    assert rows[1] == "Fixed 1 citation in 1 document."


def test_nobody_is_asked_for_ever() -> None:
    with pytest.raises(EndOfAnswers):
        asked(change(THEN, NOW), 80, keys="x" * 50)


def test_check_names_the_command_that_makes_its_repairs(moved: Any, pincite: Callable[..., Ran]) -> None:
    for given, typed in (
        ((), "pincite fix --write"),
        (("docs/a.md",), "pincite fix --write docs/a.md"),
        (("--since", "HEAD~1", "docs"), "pincite fix --write --since HEAD~1 docs"),
        (("--select", "lines-moved"), "pincite fix --write --select lines-moved"),
    ):
        out = pincite(moved.path, "check", *given)[1]
        number = next(row.split()[0] for row in out.splitlines() if f"can be repaired: `{typed}` does it" in row)
        _, _, err = pincite(moved.path, *typed.split()[1:])
        assert f"Fixed {number} citation" in err
        moved.git("checkout", "--", "docs")


def test_a_draft_is_promised_what_is_made(moved: Any, pincite: Callable[..., Ran]) -> None:
    text = (moved.path / "docs/a.md").read_text()
    out = pincite(moved.path, "check", "-", "--stdin-name", "docs/a.md", answers=text)[1]
    assert "2 can be repaired: `pincite fix --write --stdin-name docs/a.md -` does it" in out
    _, fixed, _ = pincite(moved.path, "fix", "--write", "--stdin-name", "docs/a.md", "-", answers=text)
    assert fixed.count("app.py†L5") + fixed.count("app.py:11") == 2


def test_what_the_baseline_knows_is_neither_promised_nor_made(moved: Any, pincite: Callable[..., Ran]) -> None:
    pincite(moved.path, "check", "--baseline", "known.txt", "--update-baseline")
    assert "can be repaired" not in pincite(moved.path, "check", "--baseline", "known.txt")[1]
    assert "Nothing to fix" in pincite(moved.path, "fix", "--baseline", "known.txt")[2]
