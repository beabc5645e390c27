"""The composite action: no input is ever part of a script, and each script does what it says with hostile input."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support_action import ACTION, HOSTILE, SCRIPTS, STEPS, Runner

if TYPE_CHECKING:
    from conftest import Scratch

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture
def runner(scratch: Scratch, command: Path, tmp_path: Path) -> Runner:
    return Runner(scratch, command, tmp_path / "runner")


def document(scratch: Scratch, *, broken: bool) -> None:
    scratch.write("src/shapes.py", "def area(r):\n    return 3.14159 * r * r\n")
    target = "src/gone.py" if broken else "src/shapes.py"
    scratch.write("docs/a guide.md", f"The area is computed here 【F:{target}†L1-L2】.\n")
    scratch.git("commit", "--quiet", "-m", "first")


def test_scripts_hold_no_expression() -> None:
    assert SCRIPTS
    for step in SCRIPTS.values():
        assert "${{" not in step["run"], step["name"]
        assert step["shell"] == "bash"


def test_every_input_is_used_and_has_a_default() -> None:
    text = (TOP / "action.yml").read_text()
    for name, about in ACTION["inputs"].items():
        assert f"${{{{ inputs.{name} }}}}" in text or f"inputs.{name} ==" in text, name
        assert isinstance(about["default"], str)
        assert about["description"]


def test_foreign_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    for reference in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", reference), reference


def test_holding_repository_passes(runner: Runner) -> None:
    document(runner.scratch, broken=False)
    done = runner.run("check")
    assert done.returncode == 0, done.stdout
    assert runner.outputs() == {"sarif": "true", "exit-code": "0"}
    assert runner.run("Pass the verdict on").returncode == 0


def test_broken_citation_is_annotated_uploaded_and_fails(runner: Runner) -> None:
    document(runner.scratch, broken=True)
    done = runner.run("check", sarif_file="out put.sarif")
    assert done.returncode == 0, done.stdout
    assert "::error file=docs/a guide.md,line=1" in done.stdout
    assert "src/gone.py" in runner.summary.read_text()
    results = json.loads((runner.scratch.path / "out put.sarif").read_text())["runs"][0]["results"]
    assert len(results) == 1
    assert runner.outputs() == {"sarif": "true", "exit-code": "1"}
    assert runner.run("Pass the verdict on").returncode == 1


def test_what_is_silenced_is_in_the_copy_and_not_in_what_is_uploaded(runner: Runner) -> None:
    runner.scratch.write("a.md", "Said. 【F:gone.py†L2】 <!-- pincite: ignore all -->\n")
    runner.run("check")
    copy = json.loads((runner.scratch.path / "pincite.sarif").read_text())["runs"][0]["results"]
    assert [result["suppressions"][0]["kind"] for result in copy] == ["inSource"]
    assert json.loads((runner.temp / "pincite.sarif").read_text())["runs"][0]["results"] == []


def test_paths_are_one_to_a_line(runner: Runner) -> None:
    document(runner.scratch, broken=True)
    runner.scratch.write("other/fine.md", "Nothing cited.\n")
    done = runner.run("check", paths="other/fine.md\n")
    assert done.returncode == 0, done.stdout
    assert runner.outputs()["exit-code"] == "0"
    runner.output.unlink()
    done = runner.run("check", paths="\n  \nother/fine.md\ndocs/a guide.md\n")
    assert "::error file=docs/a guide.md" in done.stdout
    assert runner.outputs()["exit-code"] == "1"


def test_strict_fails_on_drift(runner: Runner) -> None:
    document(runner.scratch, broken=False)
    runner.scratch.write("src/shapes.py", "def area(r):\n    return math.pi * r * r\n")
    runner.scratch.git("commit", "--quiet", "-m", "second")
    runner.run("check")
    assert runner.outputs()["exit-code"] == "0"
    runner.output.unlink()
    runner.run("check", strict="true")
    assert runner.outputs()["exit-code"] == "1"


def test_since_limits_what_is_checked(runner: Runner) -> None:
    document(runner.scratch, broken=True)
    runner.scratch.write("docs/new.md", "Nothing cited.\n")
    runner.scratch.git("commit", "--quiet", "-m", "second")
    runner.run("check", since="HEAD~1")
    assert runner.outputs()["exit-code"] == "0"


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("name", ["paths", "strict", "since"])
def test_hostile_input_is_data(runner: Runner, name: str, value: str) -> None:
    document(runner.scratch, broken=False)
    done = runner.run("check", **{name: value})
    refused = done.returncode == 2 or runner.outputs()["exit-code"] == "2"
    assert refused, done.stdout
    assert "Traceback" not in done.stdout
    assert not list(runner.scratch.path.rglob("pwned"))
    assert "::error title=pincite::" in done.stdout


@pytest.mark.parametrize("value", ["$(touch pwned)", "`touch pwned`.sarif", "a; touch pwned", "--quiet"])
def test_hostile_sarif_file_is_a_name(runner: Runner, value: str) -> None:
    document(runner.scratch, broken=False)
    runner.run("check", sarif_file=value)
    assert not (runner.scratch.path / "pwned").exists()
    assert json.loads((runner.scratch.path / value).read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("name", ["pincite.sarif", "reports/x.sarif"])
def test_a_committed_link_is_neither_written_nor_uploaded(runner: Runner, name: str) -> None:
    document(runner.scratch, broken=False)
    victim = runner.temp / "home" / "x.sarif"
    victim.parent.mkdir()
    victim.write_text("the user's own")
    link = runner.scratch.path / name
    if name == "pincite.sarif":
        link.symlink_to(victim)
    else:
        link.parent.symlink_to(victim.parent)
    done = runner.run("check", sarif_file=name)
    assert victim.read_text() == "the user's own"
    assert runner.outputs()["exit-code"] == "2"
    assert "could not be written" in done.stdout
    assert json.loads((runner.temp / "pincite.sarif").read_text())["version"] == "2.1.0"
    upload = next(step for step in STEPS if "upload-sarif" in step.get("uses", ""))
    assert upload["with"]["sarif_file"] == "${{ runner.temp }}/pincite.sarif"


def test_a_committed_report_is_not_uploaded_in_place_of_ours(runner: Runner) -> None:
    document(runner.scratch, broken=True)
    runner.scratch.write("pincite.sarif", '{"version": "forged"}')
    runner.run("check")
    for place in (runner.temp / "pincite.sarif", runner.scratch.path / "pincite.sarif"):
        assert len(json.loads(place.read_text())["runs"][0]["results"]) == 1


def test_a_folder_that_became_a_link_is_refused(runner: Runner) -> None:
    document(runner.scratch, broken=False)
    home = runner.temp / "home"
    home.mkdir()
    (home / "a.md").write_text("secret 【F:b.py†L1】\n", encoding="utf-8")
    (runner.scratch.path / "linked").symlink_to(home)
    done = runner.run("check", paths="linked")
    assert runner.outputs()["exit-code"] == "2"
    assert "secret" not in done.stdout
    assert list(home.iterdir()) == [home / "a.md"]


@pytest.fixture
def python3(tmp_path: Path) -> Path:
    """A stand-in for python3 that notes its arguments, and makes an environment whose python does the same."""
    folder = tmp_path / "stub"
    folder.mkdir()
    log = tmp_path / "python3.log"
    script = folder / "python3"
    script.write_text(
        f'#!/bin/bash\nprintf "<%s>" "$@" >>{log!s}; echo >>{log!s}\n'
        'if [[ "$*" == *"-m venv"* ]]; then\n'
        '  mkdir -p "${@: -1}/bin"; cp "$0" "${@: -1}/bin/python"\n'
        "fi\n"
    )
    script.chmod(0o755)
    return folder


def test_install_takes_the_checked_out_version(runner: Runner, python3: Path, tmp_path: Path) -> None:
    done = runner.run("install", path=str(python3))
    assert done.returncode == 0, done.stdout
    words = (tmp_path / "python3.log").read_text().splitlines()[-1]
    assert words.startswith("<-I><-m><pip><install>")
    assert words.endswith(f"<-c><{TOP}/constraints.txt><{TOP}>")


def test_install_takes_a_named_version(runner: Runner, python3: Path, tmp_path: Path) -> None:
    done = runner.run("install", path=str(python3), version="1.2.3rc1")
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "python3.log").read_text().splitlines()[-1].endswith("<pincite==1.2.3rc1>")


@pytest.mark.parametrize(
    ("extras", "asked"), [("symbols", "symbols"), (" symbols, models ", "symbols,models"), ("all", "all")]
)
@pytest.mark.parametrize("version", ["", "1.2.3"])
def test_install_takes_extras(
    runner: Runner, python3: Path, tmp_path: Path, extras: str, asked: str, version: str
) -> None:
    done = runner.run("install", path=str(python3), extras=extras, version=version)
    assert done.returncode == 0, done.stdout
    package = f"pincite[{asked}]==1.2.3" if version else f"{TOP}[{asked}]"
    assert (tmp_path / "python3.log").read_text().splitlines()[-1].endswith(f"<{package}>")


@pytest.mark.parametrize(
    "value", [*HOSTILE, "pdf", "symbols]", "symbols,", ",", "symbols;x", "all @ https://example.org"]
)
def test_install_refuses_what_is_no_extra(runner: Runner, python3: Path, tmp_path: Path, value: str) -> None:
    done = runner.run("install", path=str(python3), extras=value)
    assert done.returncode == 2, done.stdout
    assert '::error title=pincite::The input "extras"' in done.stdout
    assert "install" not in (tmp_path / "python3.log").read_text()
    assert not list(runner.scratch.path.rglob("pwned"))


def test_extras_are_those_of_the_package() -> None:
    import tomllib

    known = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.search(r"\^\(([a-z|]+)\)", SCRIPTS["install"]["run"])
    assert named is not None
    assert set(named[1].split("|")) == set(known)
    for place in (ACTION["inputs"]["extras"]["description"], (TOP / "docs/how-to/ci.md").read_text()):
        assert all(name in place for name in known)


@pytest.mark.parametrize("value", [*HOSTILE, "1 --no-deps", "1\n2", "@ https://example.org/x", "latest", "-e ."])
def test_install_refuses_what_is_no_version(runner: Runner, python3: Path, tmp_path: Path, value: str) -> None:
    done = runner.run("install", path=str(python3), version=value)
    assert done.returncode == 2, done.stdout
    assert "::error title=pincite::" in done.stdout
    assert "install" not in (tmp_path / "python3.log").read_text()
    assert not list(runner.scratch.path.rglob("pwned"))


def test_install_imports_nothing_from_the_repository(runner: Runner) -> None:
    for name in ("venv.py", "pip.py", "sys.py", "encodings.py"):
        (runner.scratch.path / name).write_text("open('pwned', 'w')\n")
    shutil.rmtree(runner.temp / "pincite")
    script = SCRIPTS["install"]["run"]
    assert re.findall(r"python3? (?!-I )-", script.replace('"', "")) == []
    before = script.split('"$RUNNER_TEMP/pincite/bin/python"')[0]
    SCRIPTS["install"]["run"] = before
    try:
        done = runner.run("install")
    finally:
        SCRIPTS["install"]["run"] = script
    assert done.returncode == 0, done.stdout
    assert (runner.temp / "pincite" / "bin" / "python").exists()
    assert not (runner.scratch.path / "pwned").exists()
