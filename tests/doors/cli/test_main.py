"""The command line, as a user meets it: output, exit codes, messages; never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.cli.main import main

MEMORY = "path: src/app.py\nline: 2\nsnippet: line_2"
FLOW = "{path: src/app.py, line: 2}"
PINCITE = [sys.executable, "-m", "pincite"]
CODE = "".join(f"line_{number} = measure({number})\n" for number in range(1, 11))


def pincite(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, within this process: starting one takes far longer than what is asked of it."""
    streams = {name: TextIOWrapper(BytesIO(), encoding="utf-8") for name in ("stdin", "stdout", "stderr")}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        patch.setenv("NO_COLOR", "1")
        patch.delenv("FORCE_COLOR", raising=False)
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
    said = []
    for name in ("stdout", "stderr"):
        streams[name].flush()
        said.append(streams[name].buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), *said)


def started(path: Path, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the command in a folder, as a shell does."""
    return subprocess.run(
        [*PINCITE, *arguments],
        cwd=path,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NO_COLOR": "1"} | environment,
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text(CODE)
    (tmp_path / "good.md").write_text("Said. 【F:src/app.py†L2】\n")
    (tmp_path / "bad.md").write_text("Said. 【F:src/app.py†L20】\n")
    return tmp_path


def test_exit_codes(tree: Path) -> None:
    assert started(tree, "check", "good.md").returncode == 0
    assert started(tree, "check").returncode == 1
    assert started(tree, "check", "none.md").returncode == 2
    (tree / "odd.md").write_bytes(b"\xff [cite:file](a.py:1)\n")
    assert started(tree, "check").returncode == 2


def test_a_document_in_another_encoding_is_named_and_fails_only_if_it_surely_cites(tree: Path) -> None:
    (tree / "bad.md").write_bytes("Größe: siehe oben, gauge.txt:3.\n".encode("latin-1"))
    done = pincite(tree, "check")
    assert (done.returncode, "bad.md" in done.stdout, "not UTF-8 (byte 0xf6 at offset 2)" in done.stdout) == (
        0,
        True,
        True,
    )
    assert pincite(tree, "check", "--strict").returncode == 1
    (tree / "bad.md").write_bytes("Größe: siehe oben, gauge.txt:3.\n".encode("utf-16"))
    assert (pincite(tree, "check").returncode, "UTF-16" in pincite(tree, "check").stdout) == (2, True)


def test_strict_fails_on_warnings(tree: Path) -> None:
    (tree / "src/blank.py").write_text("\n\n")
    (tree / "good.md").write_text("Said. 【F:src/blank.py†L2】\n")
    assert pincite(tree, "check", "good.md").returncode == 0
    assert pincite(tree, "check", "good.md", "--strict").returncode == 1
    (tree / "pincite.toml").write_text("strict = true\n")
    assert pincite(tree, "check", "good.md").returncode == 1


def test_select_and_ignore(tree: Path) -> None:
    assert pincite(tree, "check", "--ignore", "line-out-of-range").returncode == 0
    assert pincite(tree, "check", "--select", "file-not-found").returncode == 0
    assert pincite(tree, "check", "--select", "line-out-of-range").returncode == 1
    refused = pincite(tree, "check", "--ignore", "nonsense")
    assert (refused.returncode, "unknown check 'nonsense'" in refused.stderr) == (2, True)


def test_dialects_can_be_chosen(tree: Path) -> None:
    data = json.loads(pincite(tree, "check", "--dialect", "link", "--format", "json").stdout)
    assert data["citations"] == []
    assert pincite(tree, "check", "--dialect", "nonsense").returncode == 2


def test_standard_input(tree: Path) -> None:
    done = started(tree, "check", "-", stdin="Said. 【F:src/app.py†L30】\n")
    assert (done.returncode, "exceeds file length (10 lines)" in done.stdout) == (1, True)
    named = started(tree, "check", "-", "--stdin-name", "docs/x.md", stdin="[a](../src/app.py#L3)\n")
    assert named.returncode == 0
    assert started(tree, "check", "-", "good.md").returncode == 2


def test_output_goes_to_a_file_whole_or_not_at_all(tree: Path) -> None:
    done = started(tree, "check", "--format", "json", "--output", "report.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads((tree / "report.json").read_text())["schema"] == "pincite.report/1"
    refused = started(tree, "check", "--output", "no/such/folder.json")
    assert (refused.returncode, "cannot be written" in refused.stderr) == (2, True)
    assert not [name for name in os.listdir(tree) if name.startswith(".pincite-")]


def test_the_baseline_is_written_and_used(tree: Path) -> None:
    assert pincite(tree, "check", "--baseline", "known").returncode == 2
    assert pincite(tree, "check", "--update-baseline").returncode == 2
    assert pincite(tree, "check", "--baseline", "known", "--update-baseline").returncode == 0
    done = pincite(tree, "check", "--baseline", "known")
    assert (done.returncode, "1 known from the baseline" in done.stdout) == (0, True)
    (tree / "known").write_text("not a fingerprint\n")
    assert "known:1" in pincite(tree, "check", "--baseline", "known").stderr


def test_quiet_says_nothing_when_all_is_well(tree: Path) -> None:
    assert pincite(tree, "check", "--quiet", "good.md").stdout == ""


def test_nothing_found_looks_like_nothing_was_checked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("No citation.\n")
    done = pincite(tmp_path, "check")
    assert (done.returncode, "nothing was checked" in done.stdout) == (0, True)


def test_show_prints_lines_with_context(tree: Path) -> None:
    done = pincite(tree, "show", "src/app.py:2-3", "--before", "1", "--after", "1")
    rows = done.stdout.splitlines()[1:]
    assert rows == [
        "  1 │ line_1 = measure(1)",
        "> 2 │ line_2 = measure(2)",
        "> 3 │ line_3 = measure(3)",
        "  4 │ line_4 = measure(4)",
    ]
    for form in (
        "【F:src/app.py†L2】",
        "[x](src/app.py#L2)",
        "[cite:file](src/app.py:2)",
        "src/app.py#L2",
        MEMORY,
        FLOW,
    ):
        assert "> 2 │ line_2" in pincite(tree, "show", form, "-A", "0").stdout, form
    assert pincite(tree, "show", "src/app.py").returncode == 0


@pytest.mark.parametrize(
    ("argument", "code", "words"),
    [
        ("【F:src/app.py†L99】", 1, "Line 99 exceeds file length (10 lines)"),
        ("【F:../x†L1】", 1, "Path traversal blocked"),
        ("src/none.py:3", 1, "File not found: src/none.py"),
        ("【F:src/app.py】", 2, "malformed"),
        ("just words", 2, "not a citation"),
        ("【abc123†L1】", 1, "No captured output abc123"),
    ],
)
def test_show_says_what_is_wrong(tree: Path, argument: str, code: int, words: str) -> None:
    done = pincite(tree, "show", argument)
    assert done.returncode == code
    assert words in done.stderr


def test_list_names_every_citation(tree: Path) -> None:
    rows = [row.split("\t") for row in pincite(tree, "list").stdout.splitlines()]
    assert rows == [
        ["bad.md:1:7", "bracket", "src/app.py:20", "【F:src/app.py†L20】"],
        ["good.md:1:7", "bracket", "src/app.py:2", "【F:src/app.py†L2】"],
    ]
    as_json = [json.loads(row) for row in pincite(tree, "list", "--format", "json").stdout.splitlines()]
    assert [(row["document"], row["target"]) for row in as_json] == [
        ("bad.md", "src/app.py:20"),
        ("good.md", "src/app.py:2"),
    ]


def test_explain_lists_and_prints_pages(tree: Path) -> None:
    everything = pincite(tree, "explain").stdout
    assert "line-out-of-range" in everything
    assert "Remedy:" in pincite(tree, "explain", "line-out-of-range").stdout
    refused = pincite(tree, "explain", "line-out-of-rang")
    assert (refused.returncode, "did you mean line-out-of-range?" in refused.stderr) == (2, True)


def test_fix_shows_and_writes(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": CODE, "a.md": "Said. 【F:src/app.py†L2】\n"})
    repo.commit({"src/app.py": "# new\n" + CODE})
    shown = pincite(repo.path, "fix")
    assert (shown.returncode, "+Said. 【F:src/app.py†L3】" in shown.stdout) == (0, True)
    assert (repo.path / "a.md").read_text() == "Said. 【F:src/app.py†L2】\n"
    assert pincite(repo.path, "fix", "--write").returncode == 0
    assert (repo.path / "a.md").read_text() == "Said. 【F:src/app.py†L3】\n"
    assert "Nothing to fix" in pincite(repo.path, "fix").stderr


def test_init_writes_once_and_never_over(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    done = pincite(tmp_path, "init")
    assert done.returncode == 0
    assert (tmp_path / "pincite.toml").read_text() == "strict = true\n"
    assert "id: pincite-all" in (tmp_path / ".pre-commit-config.yaml").read_text()
    assert "fetch-depth: 0" in (tmp_path / ".github/workflows/pincite.yml").read_text()
    assert pincite(tmp_path, "check").returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(tmp_path: Path, shell: str) -> None:
    assert "_PINCITE_COMPLETE" in started(tmp_path, "completion", shell).stdout
    asked = {
        "_PINCITE_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "pincite ch",
        "COMP_CWORD": "ch" if shell == "fish" else "1",
    }
    assert "check" in started(tmp_path, **asked).stdout


def test_a_misspelt_command_is_understood(tmp_path: Path) -> None:
    done = pincite(tmp_path, "chekc")
    assert (done.returncode, "Did you mean 'check'?" in done.stderr) == (2, True)


def test_bad_settings_are_named(tree: Path) -> None:
    (tree / "pincite.toml").write_text("stritc = true\n")
    done = started(tree, "check")
    assert (done.returncode, "stritc" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_reader_that_stops_early_is_no_error(tree: Path) -> None:
    for number in range(500):
        (tree / f"d{number}.md").write_text("Gone. 【F:src/none.py†L1】\n" * 20)
    command = f"{sys.executable} -m pincite check --no-cache | head -n 1"
    done = subprocess.run(["sh", "-c", command], cwd=tree, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "bad.md:1:7  missing  line-out-of-range\n"


def test_hostile_text_does_not_reach_the_terminal(tree: Path) -> None:
    (tree / "evil\x1b[31m.md").write_text("Said. 【F:src/\u202ename\x07.py†L2】\n")
    out = started(tree, "check").stdout
    assert not set(out) & {"\x1b", "\x07", "\u202e"}
    assert "\\u{1b}" in out


def test_a_terminal_gets_colour_and_no_color_is_respected(tree: Path, terminal: Callable[..., str]) -> None:
    assert "\x1b[" in terminal([*PINCITE, "check"], tree)
    assert "\x1b[" not in terminal([*PINCITE, "check"], tree, NO_COLOR="1")
