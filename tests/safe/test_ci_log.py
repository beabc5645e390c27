"""What reaches the log of a build server is text for readers, never a command for the server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import IO

import pytest

from pincite.safe.ci_log import LogGuard, is_ci

COMMANDS = [
    "::error file=a.md,line=1::owned",
    "::set-output name=x::y",
    "::add-mask::word",
    "::stop-commands::token",
    "::group::name",
    "::ERROR::upper case",
    "##[error]owned",
    "##[set-output name=x]y",
    "##vso[task.setvariable variable=x]y",
    "##teamcity[buildStop comment='x']",
    "section_start:1700000000:name",
    "travis_fold:start:name",
]
BEFORE = ["", " ", "\t", "    ", "\u00a0", "\u3000", "\u2003 ", "\x1b[31m", "\x1b[0;1m ", "\ufeff"]
BREAKS = ["", "text\n", "text\r\n", "text\r", "text\x0b", "text\x0c", "text\x85", "text\u2028", "\n\n"]


def obeyed(text: str) -> list[str]:
    """What a runner would take for a command: `::` first in a line, brackets and sections anywhere."""
    found = [line for line in re.split(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text) if is_first(line)]
    found += re.findall(r"##[A-Za-z]*\[", text)
    return found + re.findall(r"section_(?:start|end):|travis_(?:fold|time):", text)


def is_first(line: str) -> bool:
    return re.sub(r"\A(?:\s|\ufeff|\x1b\[[0-9;]*m)*", "", line).startswith("::")


def guarded(*pieces: bytes) -> str:
    out = BytesIO()
    guard = LogGuard(out)
    for piece in pieces:
        assert guard.write(piece) == len(piece)
    return out.getvalue().decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("line_break", BREAKS)
def test_a_command_is_broken_up_wherever_a_line_may_begin(command: str, line_break: str) -> None:
    for before in BEFORE:
        text = f"{line_break}{before}{command}\nnext"
        assert obeyed(text)
        seen = guarded(text.encode())
        assert not obeyed(seen)
        assert seen.replace("\\u003a", ":").replace("\\u005b", "[") == text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_written_in_pieces_is_broken_up(command: str) -> None:
    data = f"first\n  {command}\n".encode()
    for one in range(len(data)):
        for two in range(one, len(data)):
            assert not obeyed(guarded(data[:one], data[one:two], data[two:]))


def test_random_text_in_random_pieces_holds_no_command_and_loses_nothing() -> None:
    random = Random(5)
    parts = [":", "::", "#", "##", "[", "vso", "error", " ", "\n", "\r", "é", "\u2028", "x", "section_start", "\x1b[1m"]
    for _ in range(3000):
        text = "".join(random.choice(parts) for _ in range(random.randint(1, 25)))
        data = text.encode()
        cuts = sorted(random.randint(0, len(data)) for _ in range(random.randint(0, 4)))
        seen = guarded(*(data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)))
        assert not obeyed(seen), (text, cuts)
        assert seen.replace("\\u003a", ":").replace("\\u005b", "[") == text


@pytest.mark.parametrize(
    "text", ["a::b\n", "+::error::x\n", "std::vector\n", "## [x](y)\n", "# a\n## b\n", "a\n- x: y\n"]
)
def test_what_no_runner_obeys_stays_as_it_is(text: str) -> None:
    assert guarded(text.encode()) == text


def test_bytes_that_are_no_text_pass_unchanged() -> None:
    data = bytes(range(256)) * 3
    out = BytesIO()
    LogGuard(out).write(data)
    assert out.getvalue() == data


def test_json_reads_back_as_the_same_data() -> None:
    data = {"message": "##[error]x ##vso[task.complete]y section_start:1:x"}
    seen = guarded(json.dumps(data, indent=2).encode())
    assert not obeyed(seen)
    assert json.loads(seen) == data


def test_long_runs_of_blank_lines_cost_no_more_than_their_length() -> None:
    out = BytesIO()
    # Looked at again from every line end, this would take hours.
    data = b"\n" * 400_000 + b" " * 400_000 + b"\x1b[" * 200_000 + "\u2028".encode() * 200_000
    LogGuard(out).write(data)
    assert out.getvalue() == data


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"GITHUB_ACTIONS": "true"}, True),
        ({"TF_BUILD": "True"}, True),
        ({"TEAMCITY_VERSION": "2025.1"}, True),
        ({"CI": "1"}, True),
        ({"CI": "false"}, False),
        ({"CI": ""}, False),
        ({}, False),
    ],
)
def test_a_build_server_is_known_by_its_environment(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert is_ci() is expected


HOSTILE = """# Guide

    ::error file=a.md::from the document

Words about lanterns.
::add-mask::lanterns
##[set-output name=x]lanterns ##vso[task.complete result=Succeeded;]done

See 【F:src/a.py†L3】 here.
::debug::below
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Documents and sources full of commands; the cited line has moved since the citation was committed."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("::error::first\n::notice::second\nlanterns_are_lit = 1\n")
    (tmp_path / "guide.md").write_text(HOSTILE)
    (tmp_path / "pincite.toml").write_text(
        '[retrieval.templates]\nowned = "::error::{path}"\nlater = "{path}\\n::error::x"\n'
    )
    names = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True, env={**os.environ, **names})
    (tmp_path / "src/a.py").write_text("::error::first\n::notice::second\n\n\nlanterns_are_lit = 1\n")
    assert pincite(tmp_path, "index")[0] == 0
    assert pincite(tmp_path, "search", "lanterns")[0] == 0
    return tmp_path


def pincite(
    folder: Path, *arguments: str, stdout: int | IO[bytes] = subprocess.PIPE, **env: str
) -> tuple[int, str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "GITHUB_ACTIONS")}
    done = subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        cwd=folder,
        env={**kept, "PINCITE_CACHE": f"{folder}-cache", **env},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


RUNS = {
    "search": ("search", "lanterns"),
    "search as JSON": ("search", "lanterns", "--format", "json"),
    "a template": ("cite", "--hit", "1", "--style", "owned"),
    "a template of two lines": ("cite", "--hit", "1", "--style", "later"),
    "the diff of fix": ("fix",),
    "the diff of cite": ("cite", "src/a.py:5", "--into", "guide.md", "--after", "Words about", "--dry-run"),
    "evidence": ("show", "guide.md:7"),
    "evidence as JSON": ("show", "guide.md:7", "--format", "json"),
}
"""What prints commands where nothing breaks them up."""
OTHERS = {
    "list": ("list",),
    "check": ("check",),
    "check as JSON": ("check", "--format", "json"),
    "check as SARIF": ("check", "--format", "sarif"),
    "check as markdown": ("check", "--format", "markdown"),
    "suggest": ("suggest",),
    "an error": ("check", "\n::error::x"),
    "an option": ("check", "--select", "\n##[error]x"),
}


@pytest.mark.parametrize("name", [*RUNS, *OTHERS])
def test_no_command_of_a_document_reaches_the_log(project: Path, name: str) -> None:
    arguments = (RUNS | OTHERS)[name]
    if name in RUNS:
        assert obeyed(pincite(project, *arguments)[1]), "nothing to break up"
    _, out, err = pincite(project, *arguments, GITHUB_ACTIONS="true", CI="true")
    assert out + err
    assert not obeyed(out)
    assert not obeyed(err)
    assert "Traceback" not in err


def test_what_is_redirected_into_a_file_is_exact(project: Path) -> None:
    exact = pincite(project, "fix")[1]
    with (project / "out").open("wb") as stream:
        pincite(project, "fix", stdout=stream, CI="true")
    assert (project / "out").read_text() == exact
    assert pincite(project, "fix", CI="true")[1] != exact


def test_our_own_annotations_are_commands(project: Path) -> None:
    (project / "src/a.py").write_text("lost = 1\n")
    code, out, _ = pincite(project, "check", "--format", "github", GITHUB_ACTIONS="true")
    assert code == 1
    assert any(line.startswith("::error file=guide.md,line=9") for line in out.splitlines())
    assert not re.search(r"##[a-z]*\[", out)
