"""The console script `aiwg`: the five commands of the specification, which `pincite corpus` has under plain names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from pincite.doors.cli.aiwg import command, main
from pincite.doors.cli.main import main as pincite

NAMES = ("validate-citations", "corpus-check", "page-validate", "citation-audit", "add-research-paper")
PLAIN = dict(zip(NAMES, ("validate", "absent", "pages", "audit", "add"), strict=True))

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/voice"


def aiwg(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    seen = capsys.readouterr()
    return int(ended.value.code or 0), seen.out, seen.err


def test_the_five_commands_are_listed_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = aiwg(capsys, "--help")
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines() if line.strip()]
    assert code == 0
    assert tuple(listed) == NAMES == tuple(command.list_commands(click.Context(command)))


@pytest.mark.parametrize("name", ["list", "add", "staged", "nothing"])
def test_other_commands_are_not_there(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, _, err = aiwg(capsys, name)
    assert code == 2
    assert "No such command" in err


@pytest.mark.parametrize("name", NAMES)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for option in ("--help", "-h"):
        code, out, _ = aiwg(capsys, name, option)
        assert code == 0
        assert out.startswith(f"Usage: aiwg {name}")


@pytest.mark.parametrize("name", ["validate-citations", "validate"])
def test_it_says_the_same_as_pincite(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("A [REF-001].")
    (tmp_path / ".aiwg/research/corpus").mkdir(parents=True)
    mine = aiwg(capsys, "validate-citations", "a.md", "--no-log")
    with pytest.raises(SystemExit) as ended:
        pincite(["corpus", name, "a.md", "--no-log"])
    assert mine == (ended.value.code, *capsys.readouterr())
    assert mine[0] == 1


@pytest.mark.parametrize("name", NAMES)
def test_pincite_corpus_accepts_the_names_and_does_not_list_them(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for arguments in (["corpus", "--help"], ["corpus", name, "--help"]):
        with pytest.raises(SystemExit) as ended:
            pincite(arguments)
        assert ended.value.code == 0
    shown = capsys.readouterr().out
    listed, _, used = shown.partition("Usage: pincite corpus " + name)
    assert used and name not in listed
    assert f"\n  {PLAIN[name]} " in listed


def test_errors_are_messages(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = aiwg(capsys, "validate-citations", "/nowhere/at/all.md")
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_it_starts_as_a_script_and_keeps_the_example_clean() -> None:
    code = "from pincite.doors.cli.aiwg import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "corpus-check", "--root", "."],
        cwd=EXAMPLE,
        env={"PYTHONPATH": str(EXAMPLE.parents[1] / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "docs/voice-framework/technical-guide.md:21:48: REF-099" in done.stdout
    assert not (EXAMPLE / ".aiwg/logs").exists()
