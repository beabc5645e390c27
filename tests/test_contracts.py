"""The arrows of the architecture, and the rules no linter knows."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
SOURCE = TOP / "src"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
WORLDLY = ("pincite/safe/", "pincite/store/")
# Calls by which a module would reach a file, a process or an interpreter on its own.
REACHING = {
    *("open", "io.open", "os.open", "os.fdopen", "codecs.open", "os.truncate", "os.rename", "os.replace", "os.remove"),
    *("os.unlink", "os.mkdir", "os.makedirs", "os.rmdir", "os.symlink", "os.link", "os.chmod", "os.mkfifo"),
    *("os.system", "os.popen", "os.posix_spawn", "os.posix_spawnp", "os.execv", "os.execve", "os.execvp", "os.spawnv"),
    *("click.open_file", "click.File", "click.edit", "click.launch", "tempfile.mkstemp", "shutil.rmtree"),
}
METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "touch", "unlink", "symlink_to"}
EXECUTING = {"eval", "exec", "compile", "__import__"}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse((SOURCE / module).read_text(encoding="utf-8"), module)


def calls(module: str) -> Iterator[tuple[str, int]]:
    """The dotted name and line of every call in a module."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            name, target = "", node.func
            while isinstance(target, ast.Attribute):
                name, target = f".{target.attr}{name}", target.value
            if isinstance(target, ast.Name):
                yield target.id + name, node.lineno
            elif name:
                yield name, node.lineno


def offences(source: str) -> list[str]:
    """The names in a piece of code that only safe and store may use."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in REACHING or name in EXECUTING or name.rpartition(".")[2] in METHODS:
                found.append(name)
    return found


def test_there_are_modules() -> None:
    assert "pincite/core/model.py" in MODULES


@pytest.mark.parametrize("module", [module for module in MODULES if not module.startswith(WORLDLY)])
def test_only_safe_and_store_reach_the_world(module: str) -> None:
    assert offences((SOURCE / module).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "code", ["open('x')", "import os\nos.open('x', 0)", "p.read_text()", "eval('1')", "os.system('x')"]
)
def test_reaching_the_world_is_noticed(code: str) -> None:
    assert offences(code)


@pytest.mark.parametrize("module", MODULES)
def test_nothing_read_is_executed(module: str) -> None:
    assert [(name, line) for name, line in calls(module) if name in EXECUTING] == []


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function from its first statement on, without signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("module", MODULES)
def test_functions_fit_in_one_look(module: str) -> None:
    functions = [node for node in ast.walk(tree_of(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert {node.name: body_lines(node) for node in functions if body_lines(node) > 70} == {}


@pytest.mark.parametrize("module", MODULES)
def test_modules_stay_small_and_plainly_named(module: str) -> None:
    lines = (SOURCE / module).read_text(encoding="utf-8").count("\n")
    assert lines <= 450
    words = set(module.removesuffix(".py").replace("/", "_").split("_"))
    assert not words & {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


@pytest.mark.parametrize("module", MODULES)
def test_public_names_say_what_they_promise(module: str) -> None:
    tree = tree_of(module)
    assert ast.get_docstring(tree), "the module itself"
    silent = [
        node.name
        for node in ast.iter_child_nodes(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


# Past participles that do not end in -ed and are no base form of a verb, as `read`, `cut` and `put` are.
IRREGULAR = frozenset(
    "begun bent bound broken brought built caught chosen done drawn driven fallen felt found given gone "
    "grown held hidden kept known laid left lent lost made meant met paid said seen sent shown spent "
    "spoken stood struck stuck swept taken taught thought thrown told torn understood woven written".split()
)
# Words in -ed that are no participles.
VERBS = frozenset({"embed", "feed", "need", "seed", "speed", "succeed", "exceed", "proceed"})
# Functions that keep such a name, with the reason.
PARTICIPLES = {("pincite/doors/cli/corpus_staged.py", "staged"): "the command is called `corpus staged`"}
ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "ers")


def is_participle(name: str) -> bool:
    """Whether a name is one past participle and nothing else."""
    word = name.strip("_")
    return "_" not in word and word not in VERBS and (word.endswith("ed") or word in IRREGULAR)


def shared_stems(name: str) -> set[str]:
    """A module's name, and what is left of it without an ending."""
    name = name.strip("_")
    bare = {name.removesuffix(ending) for ending in ENDINGS if name.endswith(ending) and len(name) > len(ending) + 2}
    single = {stem[:-1] for stem in bare if stem[-1] == stem[-2]}
    return {name} | {form for stem in bare | single for form in (stem, f"{stem}e")}


@pytest.mark.parametrize("module", MODULES)
def test_functions_say_what_they_do(module: str) -> None:
    functions = [node.name for node in tree_of(module).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert [name for name in functions if is_participle(name) and (module, name) not in PARTICIPLES] == []


def test_exceptions_for_names_are_still_needed() -> None:
    assert [
        name
        for module, name in PARTICIPLES
        if name not in {node.name for node in tree_of(module).body if isinstance(node, ast.FunctionDef)}
    ] == []


def test_module_names_differ_by_more_than_an_ending() -> None:
    folders: dict[str, set[str]] = {}
    for module in MODULES:
        path = Path(module)
        names = (path.parent, path.stem) if path.stem != "__init__" else (path.parent.parent, path.parent.name)
        folders.setdefault(names[0].as_posix(), set()).add(names[1])
    alike = [
        f"{folder}: {one}, {other}"
        for folder, names in folders.items()
        for one in sorted(names)
        for other in sorted(names)
        if one < other and shared_stems(one) & shared_stems(other)
    ]
    assert alike == []


@pytest.mark.parametrize(
    ("one", "other"), [("mark", "marks"), ("marks", "marking"), ("run", "running"), ("cite", "cited")]
)
def test_names_that_differ_by_an_ending_are_noticed(one: str, other: str) -> None:
    assert shared_stems(one) & shared_stems(other)


@pytest.mark.parametrize(("name", "lone"), [("_merged", True), ("torn", True), ("merge", False), ("is_merged", False)])
def test_lone_participles_are_noticed(name: str, lone: bool) -> None:
    assert is_participle(name) is lone


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_left_for_later(module: str) -> None:
    text = (SOURCE / module).read_text(encoding="utf-8")
    assert re.findall(r"\b(?:TODO|FIXME|(?<!REF-)XXX|NotImplementedError)\b", text) == []


def test_imports_follow_the_contracts() -> None:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache", "--no-logo"],
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout
