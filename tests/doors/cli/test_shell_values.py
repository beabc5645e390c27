"""Completion, as bash, zsh and fish ask for it: names of checks, dialects, styles and formats, and paths."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from pincite import checks, report
from pincite.dialects import dialects
from pincite.domains.retrieval.answers import provider_names
from pincite.doors.cli.main import SECTIONS, pincite
from pincite.write.cite.model import STYLES
from pincite.write.passage_citations import STYLES as HIT_STYLES

SHELLS: list[type[ShellComplete]] = [BashComplete, ZshComplete, FishComplete]
DIALECTS = [dialect.NAME for dialect in dialects()]
CHECKS = [*checks.names()]


def offered(shell: type[ShellComplete], *words: str) -> list[str]:
    """What is offered for the last word behind `pincite`."""
    *before, last = words
    asked = shell(pincite, {}, "pincite", "_PINCITE_COMPLETE")
    found = asked.get_completions(before, last)
    for item in found:
        assert item.value in asked.format_completion(item)
    return [item.value if item.type == "plain" else f"{item.type}:{item.value}" for item in found]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("explain ", CHECKS),
        ("explain lines-m", ["lines-moved"]),
        ("explain zz", []),
        ("check --ignore ", CHECKS),
        ("check --select quote-a", ["quote-altered"]),
        ("fix --ignore lines-m", ["lines-moved"]),
        ("list --dialect ", DIALECTS),
        ("check --dialect brack", ["bracket"]),
        ("cite --style ", [*STYLES]),
        ("cite --hit 1 --style ", [*HIT_STYLES]),
        ("cite --recent 2 --style fo", ["footnote"]),
        ("search gauge --style ", [*HIT_STYLES]),
        ("suggest --style per", ["permalink"]),
        ("verify-answer --provider ", [*provider_names()]),
        ("corpus export --format b", ["bibtex"]),
        ("corpus pag", ["pages"]),
        ("corpus page-", []),
        ("research g", ["ground"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("check do", ["file:do"]),
        ("corpus validate do", ["file:do"]),
    ],
)
def test_names_are_offered(shell: type[ShellComplete], words: str, wanted: list[str]) -> None:
    assert offered(shell, *words.split(" ")) == wanted


@pytest.mark.parametrize("shell", SHELLS)
def test_formats_of_check_are_those_there_are(shell: type[ShellComplete]) -> None:
    assert set(offered(shell, "check", "--format", "")) == set(report.names())


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_offered_with_its_line(shell: type[ShellComplete]) -> None:
    found = shell(pincite, {}, "pincite", "_PINCITE_COMPLETE").get_completions([], "")
    told = {item.value: item.help for item in found}
    assert told == {name: entry.summary for part in SECTIONS.values() for name, entry in part.items()}


def test_completing_a_command_imports_none(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from click.shell_completion import BashComplete\n"
        "from pincite.doors.cli.main import pincite\n"
        "BashComplete(pincite, {}, 'pincite', 'X').get_completions([], '')\n"
        "print(*(name for name in sys.modules if name.startswith('pincite.doors.cli.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert set(done.stdout.split()) == {"pincite.doors.cli.main", "pincite.doors.cli.lazy_group"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_the_script_that_is_printed(tmp_path: Path) -> None:
    program = tmp_path / "pincite"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pincite "$@"\n')
    program.chmod(0o755)
    script = (
        f'PATH="{tmp_path}:$PATH"; eval "$(pincite completion bash)"\n'
        "COMP_WORDS=(pincite explain lines-m); COMP_CWORD=2; _pincite_completion pincite\n"
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "lines-moved\n"
