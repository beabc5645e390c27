"""`pincite hook claude`: what blocks, what only tells, and what must never block."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.doors.cli.main import main
from pincite.doors.hooks import command as hook_command
from pincite.doors.hooks.call import Replacement, read_object
from pincite.doors.hooks.clients.claude import read_call
from pincite.doors.hooks.edited_text import apply_replacements, changed_lines, written_lines

Hook = Callable[..., tuple[int, str, str]]
TOP = Path(__file__).resolve().parents[3]
GAUGE = 'LIMIT = 100\n\n\ndef add(amount):\n    """Add to the gauge."""\n    return min(amount, LIMIT)\n'
GOOD, DEAD = "The limit is 100. 【F:src/gauge.py†L1】\n", "It subtracts. 【F:src/gauge.py†L40-L44】\n"
SNIPPET = '---\ncitations:\n  - path: src/gauge.py\n    line: {line}\n    snippet: "{snippet}"\n---\nBody.\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project without git: one source, one document with a dead citation in its second line."""
    (tmp_path / "src").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "pincite.toml").write_text('exclude = ["drafts/*"]\n')
    (tmp_path / "src/gauge.py").write_text(GAUGE)
    (tmp_path / "docs/a.md").write_text("First.\n" + DEAD + "Last.\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def hook(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hook:
    """Calls the hook from another folder: input, words -> exit code, output, errors."""
    monkeypatch.chdir("/")

    def run(said: object, *words: str) -> tuple[int, str, str]:
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with pytest.raises(SystemExit) as ended:
            main(["hook", "claude", *words])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run


def call(tree: Path, tool: str, path: str = "docs/a.md", event: str = "PreToolUse", **given: object) -> dict[str, Any]:
    named = {"file_path": str(tree / path), **given}
    return {"session_id": "s", "hook_event_name": event, "cwd": str(tree), "tool_name": tool, "tool_input": named}


def write(tree: Path, content: str, path: str = "docs/new.md", event: str = "PreToolUse") -> dict[str, Any]:
    return call(tree, "Write", path, event, content=content)


def edit(tree: Path, old: str, new: str, event: str = "PreToolUse", **more: object) -> dict[str, Any]:
    return call(tree, "Edit", "docs/a.md", event, old_string=old, new_string=new, **more)


def test_a_dead_citation_is_blocked_before_it_is_written(hook: Hook, tree: Path) -> None:
    code, out, err = hook(write(tree, GOOD + DEAD))
    assert (code, out) == (2, "")
    assert err.startswith(
        "pincite: docs/new.md would cite what is not there.\n"
        "- line 2: 【F:src/gauge.py†L40-L44】\n"
        "  Line 40 exceeds file length (6 lines) (line-out-of-range)\n"
        "Nothing was written. Correct the text and write it again: "
    )
    assert not (tree / "docs/new.md").exists()


@pytest.mark.parametrize(
    "content",
    [
        DEAD,
        "No such file 【F:src/no.py†L1】.\n",
        "Out of it 【F:../../etc/passwd†L1】.\n",
        "Backwards 【F:src/gauge.py†L5-L2】.\n",
        "Past the end 【F:src/gauge.py†L5-L90】.\n",
        SNIPPET.format(line=1, snippet="LIMIT = 250"),
        SNIPPET.format(line=0, snippet="LIMIT = 100"),
    ],
)
def test_what_is_dead_blocks(hook: Hook, tree: Path, content: str) -> None:
    assert hook(write(tree, content))[0] == 2


@pytest.mark.parametrize("content", ["", "Nothing is cited.\n", GOOD, SNIPPET.format(line=1, snippet="LIMIT = 100")])
def test_what_holds_passes_silently(hook: Hook, tree: Path, content: str) -> None:
    assert hook(write(tree, content)) == (0, "", "")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SNIPPET.format(line=4, snippet="LIMIT = 100"), "write instead: path: src/gauge.py line: 1 snippet"),
        ("It is blank. 【F:src/gauge.py†L2】\n", "blank-range"),
    ],
)
def test_what_moved_or_proves_nothing_is_told(hook: Hook, tree: Path, content: str, said: str) -> None:
    code, out, err = hook(write(tree, content))
    assert (code, err) == (0, "")
    told = json.loads(out)["hookSpecificOutput"]
    assert told["hookEventName"] == "PreToolUse"
    assert said in told["additionalContext"]
    assert "permissionDecision" not in told


def test_strict_settings_block_on_warnings(hook: Hook, tree: Path) -> None:
    (tree / "docs/page.md").write_text("# One heading\n")
    content = "See [docs/page.md, §one Heading].\n"
    assert hook(write(tree, content))[0] == 0
    (tree / "pincite.toml").write_text("strict = true\n")
    assert hook(write(tree, content))[0] == 2


def test_only_the_lines_of_an_edit_count(hook: Hook, tree: Path) -> None:
    assert hook(edit(tree, "First.", "The very first.")) == (0, "", "")
    assert hook(edit(tree, "Last.", DEAD.strip()))[0] == 2
    assert hook(edit(tree, "It subtracts.", "It also subtracts."))[0] == 2
    assert hook(edit(tree, DEAD, "")) == (0, "", "")
    assert hook(edit(tree, "L40-L44】", "L1】")) == (0, "", "")


def test_edits_that_the_tool_refuses_itself_are_left_to_it(hook: Hook, tree: Path) -> None:
    assert hook(edit(tree, "not there", DEAD)) == (0, "", "")
    assert hook(edit(tree, "", DEAD)) == (0, "", "")


def test_several_edits_follow_one_another(hook: Hook, tree: Path) -> None:
    steps = [("First.", "Second."), ("Second.", DEAD.strip())]
    edits = [{"old_string": old, "new_string": new} for old, new in steps]
    code, _, err = hook(call(tree, "MultiEdit", edits=edits))
    assert code == 2
    assert "- line 1: " in err and "- line 2: " not in err


def test_an_edit_may_make_a_new_file(hook: Hook, tree: Path) -> None:
    assert hook(call(tree, "Edit", "docs/new.md", old_string="", new_string=DEAD))[0] == 2


def test_an_edit_of_windows_lines(hook: Hook, tree: Path) -> None:
    (tree / "docs/a.md").write_bytes(("First.\nAgain.\n" + DEAD).replace("\n", "\r\n").encode())
    assert hook(edit(tree, "First.\nAgain.", "First.\nOnce more.")) == (0, "", "")
    assert hook(edit(tree, "First.\nAgain.", "First.\n" + DEAD))[0] == 2


def test_frontmatter_that_an_edit_breaks_elsewhere(hook: Hook, tree: Path) -> None:
    folder = tree / ".serena/memories"
    folder.mkdir(parents=True)
    text = SNIPPET.format(line=1, snippet="LIMIT = 100")
    (folder / "m.md").write_text(text)
    broken = call(tree, "Edit", ".serena/memories/m.md", old_string="---\nBody.", new_string="Body.")
    assert hook(broken)[0] == 2
    (folder / "m.md").write_text(text.replace("---\nBody.", "Body.\nMore."))
    still = call(tree, "Edit", ".serena/memories/m.md", old_string="More.", new_string="Less.")
    assert hook(still)[0] == 0


def test_after_the_file_is_written(hook: Hook, tree: Path) -> None:
    code, _, err = hook(write(tree, "ignored", "docs/a.md", "PostToolUse"))
    assert code == 2
    assert err.startswith("pincite: docs/a.md cites what is not there.\n- line 2: ")
    assert "Correct the file: " in err
    assert hook(edit(tree, "x", "First.", "PostToolUse")) == (0, "", "")
    assert hook(edit(tree, "x", "It subtracts.", "PostToolUse"))[0] == 2
    before = edit(tree, "x", "It subtracts.", "PostToolUse")
    before["tool_response"] = {"originalFile": (tree / "docs/a.md").read_text(encoding="utf-8")}
    assert hook(before) == (0, "", "")
    assert hook(write(tree, "", "docs/never.md", "PostToolUse")) == (0, "", "")


@pytest.mark.parametrize(
    "path",
    ["src/gauge.py", "drafts/x.md", "../outside.md", "/etc/x.md", "node_modules/a/README.md", ".aiwg/reports/r.md"],
)
def test_what_pincite_would_not_check_is_not_ours(hook: Hook, tree: Path, path: str) -> None:
    assert hook(write(tree, DEAD, path)) == (0, "", "")


def test_links_out_of_the_root_are_not_ours(hook: Hook, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "o.md").write_text(DEAD, encoding="utf-8")
    (tree / "docs/link.md").symlink_to(outside / "o.md")
    (tree / "out").symlink_to(outside)
    assert hook(call(tree, "Edit", "docs/link.md", old_string="It", new_string="That")) == (0, "", "")
    assert hook(write(tree, DEAD, "out/o.md")) == (0, "", "")


def test_a_relative_path_is_read_from_the_agents_folder(hook: Hook, tree: Path) -> None:
    said = write(tree, DEAD) | {"cwd": str(tree / "docs")}
    said["tool_input"]["file_path"] = "new.md"
    assert hook(said)[0] == 2


def test_other_tools_and_events_pass(hook: Hook, tree: Path) -> None:
    assert hook(call(tree, "Bash", command="rm -rf /")) == (0, "", "")
    assert hook({"hook_event_name": "Stop", "cwd": str(tree)}) == (0, "", "")
    assert hook({"hook_event_name": "Stop", "cwd": str(tree)}, "--changed") == (0, "", "")


BROKEN: list[object] = [
    b"",
    b"{",
    b"[1]",
    b"null",
    b"\xff\xfe",
    b'{"hook_event_name": "PreToolUse"',
    b"[" * 100_000,
    {},
    {"hook_event_name": "PreToolUse"},
    {"hook_event_name": "PreToolUse", "cwd": 7},
    {"hook_event_name": "PreToolUse", "cwd": "/"},
    {"hook_event_name": ["PreToolUse"], "cwd": "/"},
    {"hook_event_name": "Unheard", "cwd": "/"},
    {"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Write"},
    {"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Write", "tool_input": []},
    {"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Write", "tool_input": {"file_path": "/a.md"}},
    {"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Write", "tool_input": {"file_path": None}},
    {"hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Edit", "tool_input": {"file_path": "/a.md"}},
    {
        "hook_event_name": "PreToolUse",
        "cwd": "/",
        "tool_name": "MultiEdit",
        "tool_input": {"file_path": "/a.md", "edits": [1]},
    },
    {
        "hook_event_name": "PreToolUse",
        "cwd": "/no/such/folder",
        "tool_name": "Write",
        "tool_input": {"file_path": "/a.md", "content": ""},
    },
    {
        "hook_event_name": "PreToolUse",
        "cwd": "relative",
        "tool_name": "Write",
        "tool_input": {"file_path": "/a.md", "content": ""},
    },
    {
        "hook_event_name": "PreToolUse",
        "cwd": "/",
        "tool_name": "Write",
        "tool_input": {"file_path": "/a\0.md", "content": ""},
    },
]


@pytest.mark.parametrize("said", BROKEN, ids=range(len(BROKEN)))
def test_input_that_cannot_be_used_blocks_nothing(hook: Hook, said: object) -> None:
    code, out, err = hook(said)
    assert (code, out) == (1, "")
    assert err.startswith("pincite: ") and err.count("\n") == 1


def test_trouble_of_our_own_blocks_nothing(hook: Hook, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "pincite.toml").write_text("nonsense = [")
    assert hook(write(tree, DEAD))[0] == 1
    (tree / "pincite.toml").write_text('baseline = "gone.txt"\n')
    assert hook(write(tree, DEAD))[0] == 1
    (tree / "pincite.toml").unlink()
    (tree / "docs/a.md").write_bytes(b"\xff\xfe\x00")
    said = edit(tree, "a", "b") | {"cwd": str(tree / "docs")}
    assert hook(said)[0] in (0, 1)
    monkeypatch.setattr(hook_command, "_MOST_INPUT", 10)
    assert hook(write(tree, DEAD))[0] == 1
    for words in (["hook", "claude", "--bogus"], ["hook", "nobody"], ["hook"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code != 2


def test_the_reason_is_short_and_safe_to_show(hook: Hook, tree: Path) -> None:
    content = "".join(f"Line {n}. 【F:src/no-{n}\x1b[31m.py†L1】\n" for n in range(1, 200))
    code, _, err = hook(write(tree, content + DEAD * 200))
    assert code == 2
    assert err.count("\n") <= 30
    assert "\x1b" not in err
    assert " more; `pincite check` lists all once the file is written\n" in err


def test_files_of_the_same_name_are_named(hook: Hook, repository: Any) -> None:
    repository.commit({"src/deep/gauge.py": GAUGE})
    code, _, err = hook(write(repository.path, "There 【F:src/gauge.py†L1】.\n"))
    assert code == 2
    assert "  files of that name: src/deep/gauge.py\n" in err


def test_when_the_agent_stops(hook: Hook, repository: Any) -> None:
    old = "Old and dead 【F:src/gauge.py†L77】.\n"
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": old + GOOD})
    said = {"hook_event_name": "Stop", "cwd": str(repository.path)}
    assert hook(said, "--changed") == (0, "", "")
    repository.write("docs/b.md", DEAD)
    code, _, err = hook(said, "--changed")
    assert code == 2
    assert "docs/b.md:1: src/gauge.py:40-44\n" in err and "L77" not in err
    assert hook(said | {"stop_hook_active": True}, "--changed") == (0, "", "")
    (repository.path / "docs/b.md").unlink()
    repository.write("src/gauge.py", GAUGE.replace("100", "250"))
    code, out, _ = hook(said, "--changed")
    assert code == 0
    assert "pincite affected" in json.loads(out)["systemMessage"]


def test_nothing_is_written(hook: Hook, repository: Any) -> None:
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": GOOD})
    before = sorted(
        path.relative_to(repository.path) for path in repository.path.rglob("*") if ".git/" not in str(path)
    )
    hook(write(repository.path, DEAD))
    hook({"hook_event_name": "Stop", "cwd": str(repository.path)}, "--changed")
    after = sorted(path.relative_to(repository.path) for path in repository.path.rglob("*") if ".git/" not in str(path))
    assert after == before


def test_settings_install_what_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    for words, events in (([], ["PreToolUse"]), (["--changed"], ["PreToolUse", "Stop"])):
        with pytest.raises(SystemExit) as ended:
            main(["hook", "claude", "--print-settings", *words])
        hooks = json.loads(capsys.readouterr().out)["hooks"]
        assert not ended.value.code
        assert list(hooks) == events
        assert hooks["PreToolUse"][0]["matcher"] == "Write|Edit|MultiEdit"
        assert hooks["PreToolUse"][0]["hooks"][0]["command"] == "pincite hook claude"


@pytest.mark.parametrize("path", ["src/gauge.bin", "drafts/x.md"])
def test_what_is_no_document_costs_little(tree: Path, path: str) -> None:
    code = (
        "import sys\nfrom pincite.doors.cli.main import main\n"
        "try:\n    main(['hook', 'claude'])\n"
        "except SystemExit as end:\n    print(end.code, *sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(write(tree, DEAD, path)),
        env={**os.environ, "PYTHONPATH": str(TOP / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    ended, *modules = done.stdout.split()
    assert ended == "0"
    heavy = ("run", "pipeline", "extract", "resolve", "verify", "store", "report", "follow", "affected", "repair")
    assert [name for name in modules if name.startswith(tuple(f"pincite.{part}" for part in heavy))] == []
    assert "pincite.doors.hooks.call" in modules and "asyncio" not in modules and "logging" not in modules


WORDS = st.text(alphabet="ab\r\n ", max_size=12)
EDITS = st.lists(st.builds(Replacement, WORDS, WORDS, st.booleans()), max_size=4).map(tuple)


@settings(max_examples=50)
@given(WORDS, EDITS)
def test_changed_lines_are_lines_of_the_result_and_none_where_nothing_changed(
    text: str, edits: tuple[Replacement, ...]
) -> None:
    new = apply_replacements(text, edits)
    if new is not None:
        count = len(new.splitlines()) + 1
        assert all(1 <= number <= count for number in changed_lines(text, new) | written_lines(new, edits))
    assert changed_lines(text, text) == frozenset()


@settings(max_examples=50)
@given(st.binary(max_size=40))
def test_reading_a_call_refuses_politely(data: bytes) -> None:
    with pytest.raises(UsageError):
        read_call(read_object(data))


def test_edits_that_would_fill_memory_are_refused() -> None:
    grow = (Replacement("a", "a" * 1000, True),) * 9
    with pytest.raises(UsageError, match="larger than"):
        apply_replacements("a", grow)


def test_an_edit_that_the_tool_will_refuse_is_not_judged(hook: Hook, tree: Path) -> None:
    (tree / "docs/a.md").write_text("Same.\nSame.\n")
    assert hook(edit(tree, "Same.\n", DEAD)) == (0, "", "")
    assert hook(edit(tree, "Same.\n", DEAD, replace_all=True))[0] == 2
    twice = {"edits": [{"old_string": "Same.", "new_string": DEAD}]}
    assert hook(call(tree, "MultiEdit", **twice)) == (0, "", "")


@pytest.mark.parametrize("there", [True, False])
def test_what_is_written_through_a_link_out_of_the_root_is_not_ours(
    hook: Hook, tree: Path, tmp_path_factory: pytest.TempPathFactory, there: bool
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.md"
    if there:
        outside.write_text("Nothing.\n")
    (tree / "docs/out.md").symlink_to(outside)
    (tree / "docs/in.md").symlink_to("a.md")
    assert hook(write(tree, DEAD, "docs/out.md")) == (0, "", "")
    assert hook(write(tree, DEAD, "docs/in.md"))[0] == 2
