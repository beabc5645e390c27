"""What is shipped, what it needs, and what a clean clone can do with it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
REQUIREMENTS = [
    Requirement(text)
    for text in (
        *PROJECT["project"]["dependencies"],
        *(text for extra in PROJECT["project"]["optional-dependencies"].values() for text in extra),
        *(text for group in GROUPS.values() for text in group if isinstance(text, str)),
    )
    # `all` names the other extras of this project.
    if not text.startswith("pincite[")
]
PINNED = dict(
    line.split("==") for line in (TOP / "constraints.txt").read_text().splitlines() if not line.startswith("#")
)


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command at the top of the project; its output is text, both streams together."""
    return subprocess.run(
        words,
        cwd=TOP,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def declared_version() -> str:
    from pincite._version import __version__

    return __version__


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    assert done.returncode == 0, done.stdout
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    version = declared_version()
    assert sorted(path.name for path in wheel.iterdir()) == [
        "memory_enhancement",
        "pincite",
        f"pincite-{version}.dist-info",
    ]
    shipped = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}
    ours = {
        path.relative_to(TOP / "src").as_posix()
        for path in (TOP / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in shipped if ".dist-info/" not in name} == ours
    assert "pincite/py.typed" in shipped
    assert any(name.startswith("pincite/schemas/") and name.endswith(".json") for name in shipped)
    assert any(name.endswith("/licenses/LICENSE") for name in shipped)


@pytest.mark.parametrize(
    ("folder", "ending", "some"),
    [
        ("pincite/store/shared/migrations/postgresql", ".sql", {"0001_verdicts.sql", "rights.sql"}),
        ("pincite/store/shared/migrations/sqlite", ".sql", {"0001_verdicts.sql"}),
        ("pincite/doors/web/templates", ".html", {"base.html", "fleet.html"}),
        ("pincite/schemas", ".json", {"report-1.schema.json", "fleet-check-1.schema.json"}),
    ],
)
def test_wheel_holds_what_is_no_code(wheel: Path, folder: str, ending: str, some: set[str]) -> None:
    assert some <= {path.name for path in (wheel / folder).iterdir() if path.suffix == ending}


def test_sources_hold_the_files_of_a_deployment(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path))
    assert done.returncode == 0, done.stdout
    (built,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    assert {"deploy/compose.yaml", "deploy/Dockerfile", "deploy/logins.sh", "tests/support_fleet.py"} <= shipped


def test_wheel_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    code = "import pincite; print(pincite.__file__); from pincite.doors.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.startswith(str(wheel)), done.stderr
    assert declared_version() in done.stdout


def test_console_script_is_named_in_the_wheel(wheel: Path) -> None:
    (points,) = wheel.glob("*.dist-info/entry_points.txt")
    assert "pincite = pincite.doors.cli.main:main" in points.read_text()


def test_there_is_one_version() -> None:
    import pincite

    assert pincite.__version__ == declared_version()
    assert f"## [{declared_version()}]" in (TOP / "CHANGELOG.md").read_text()


def test_constraints_are_names_and_versions_only() -> None:
    assert PINNED
    for name, version in PINNED.items():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", name)
        assert re.fullmatch(r"[0-9][0-9a-z.]*", version)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=str)
def test_every_requirement_is_pinned_within_its_range(requirement: Requirement) -> None:
    pinned = {canonicalize_name(name): version for name, version in PINNED.items()}
    assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])


def test_one_install_reads_papers_pages_and_bibliographies() -> None:
    core = {canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    assert {"bibtexparser", "h11", "idna", "publicsuffixlist", "pypdfium2", "rispy", "turbohtml"} <= core
    servers, large = {"fleet", "lsp", "mcp", "postgres", "web"}, {"fast", "models", "symbols"}
    assert set(PROJECT["project"]["optional-dependencies"]) == {"all", *servers, *large}


def test_every_requirement_is_written_once() -> None:
    names = [canonicalize_name(requirement.name) for requirement in REQUIREMENTS]
    # On a Mac truststore belongs to the product; the tests try it on every system.
    assert sorted({name for name in names if names.count(name) > 1}) == ["truststore"]


def test_only_extras_that_exist_are_named() -> None:
    known = set(PROJECT["project"]["optional-dependencies"])
    texts = [path for top in ("src", "docs", "tests", "bench", "tools") for path in (TOP / top).rglob("*")]
    for path in (*texts, *TOP.glob("*.md")):
        # A changelog names what there was.
        if path.suffix in (".py", ".md") and path.name != "CHANGELOG.md":
            for named in re.findall(r"\bpincite\[([a-z, ]+)\]", path.read_text(encoding="utf-8")):
                assert set(named.replace(" ", "").split(",")) <= known, path


def test_groups_are_read_for_a_pip_that_cannot() -> None:
    done = run(sys.executable, "tools/groups.py", "dev")
    alone = [text for name in ("lint", "test") for text in GROUPS[name]]
    assert (done.returncode, done.stdout.splitlines()) == (0, sorted(alone, key=str.lower))
    assert run(sys.executable, "tools/groups.py", "nothing").returncode == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt", "Makefile", ".ci/run", "action.yml"])
def test_no_registry_is_named(name: str) -> None:
    assert not re.search(r"index-url|find-links|trusted-host|/simple\b", (TOP / name).read_text())


def test_make_lists_its_targets() -> None:
    done = run("make", "--no-print-directory", "help")
    assert done.returncode == 0
    for target in ("setup", "test", "demo", "demo-all", "bench", "fuzz", "clean"):
        assert re.search(rf"^  make {target}\b", done.stdout, re.MULTILINE), target


def test_every_make_target_calls_what_exists() -> None:
    text = (TOP / "Makefile").read_text()
    scripts = re.findall(r"\$\(BIN\)/python (\S+\.py)", text)
    assert {"fuzz/run.py", "examples/demo.py"} <= set(scripts)
    assert [script for script in scripts if not (TOP / script).is_file()] == []


def test_the_gate_measures_the_rooms_whose_tests_it_runs() -> None:
    (row,) = re.findall(r"^MEASURED := \$\(addprefix tests/,(.*)\)$", (TOP / "Makefile").read_text(), re.MULTILINE)
    settings = PROJECT["tool"]["coverage"]
    assert {f"pincite.{room}" for room in row.split()} >= set(settings["run"]["source_pkgs"])
    assert all((TOP / "tests" / name).exists() for name in row.split())
    assert settings["run"]["branch"] is True and settings["report"]["fail_under"] >= 90


def test_the_workflow_runs_the_gate_on_every_python() -> None:
    workflow = yaml.safe_load((TOP / ".github" / "workflows" / "ci.yml").read_text())
    (job,) = workflow["jobs"].values()
    listed = {line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if "Python :: 3." in line}
    assert set(job["strategy"]["matrix"]["python"]) == listed - {"Only"}
    assert any(system.startswith("macos") for system in job["strategy"]["matrix"]["system"])
    assert "make test" in [step.get("run") for step in job["steps"]]
    assert workflow["permissions"] == {"contents": "read"}


def test_ci_script_is_executable_and_well_formed() -> None:
    script = TOP / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert run("bash", "-n", str(script)).returncode == 0
    assert "set -euo pipefail" in script.read_text()


def test_licence_is_whole() -> None:
    text = (TOP / "LICENSE").read_text()
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Copyright 2026 pincite contributors" in text


def test_fuzz_targets_are_found() -> None:
    from pincite.dialects import dialects

    done = run(sys.executable, "fuzz/run.py", "--list")
    listed = done.stdout.split()
    assert {"config", "frontmatter", "ignores", "markup", "paths"} <= set(listed)
    assert {f"dialect:{dialect.NAME}" for dialect in dialects()} <= set(listed)


@pytest.mark.parametrize("engine", ["atheris", "hypothesis"])
def test_broken_law_fails_the_fuzz_run(engine: str, tmp_path: Path) -> None:
    if engine == "atheris":
        pytest.importorskip("atheris")
    for name in ("engine.py", "run.py"):
        (tmp_path / "fuzz").mkdir(exist_ok=True)
        (tmp_path / "fuzz" / name).write_text((TOP / "fuzz" / name).read_text())
    (tmp_path / "src").symlink_to(TOP / "src")
    (tmp_path / "fuzz" / "fuzz_dialect.py").write_text("")
    (tmp_path / "fuzz" / "fuzz_wrong.py").write_text(
        "import engine\n\n\ndef law(data):\n    assert len(data) < 3\n\n\n"
        'if __name__ == "__main__":\n    engine.main(law, seeds=[b"a"])\n'
    )
    words = [
        sys.executable,
        str(tmp_path / "fuzz" / "run.py"),
        "--target",
        "wrong",
        "--seconds",
        "5",
        "--engine",
        engine,
    ]
    done = run(*words)
    assert done.returncode == 1, done.stdout
    assert "a law is broken" in done.stdout
    (kept,) = (tmp_path / "fuzz" / "crashes").iterdir()
    assert len(kept.read_bytes()) >= 3
    again = run(sys.executable, str(tmp_path / "fuzz" / "fuzz_wrong.py"), "--replay", str(kept))
    assert "AssertionError" in again.stdout
