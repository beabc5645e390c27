"""What files define, and what is said of commands that name what they do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.core.model import Citation, Obstacle, SourceRef, Span
from pincite.safe.files import Root
from pincite.sources import World
from pincite.sources._definitions import DefinedNames, get_module
from pincite.text.document import Document
from pincite.text.evidence import Evidence


def put(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


def ask(top: Path, key: str, document: str = "AGENTS.md") -> str | None:
    """The file that defines it, what is missing, or None."""
    with Root(str(top)) as root:
        world = World(root, lambda: None)
        cited = Citation("instruction", Span(0, 0), "", SourceRef("target", key))
        found = world.find(cited, Document(document, ""))
    if isinstance(found, Evidence):
        return found.source.key
    return found.detail if isinstance(found, Obstacle) else None


def define(kind: str, text: str, key: str = "x", more: dict[str, str] | None = None) -> DefinedNames:
    return get_module(kind).read(key, text, (more or {}).get)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a: b\n\techo c:\n", "a", True),
        ("a: b\n\techo c:\n", "c", False),
        ("a b&: c\n", "b", True),
        (".PHONY: a \\\n  b\n", "b", True),
        ("X := a:b\n", "a", False),
        ("a: X = y\n", "a", True),
        ("N = a b\n$(N): c\n", "b", True),
        ("N = a b\n$(N): c\n", "c", False),
        ("$(OTHER): c\n", "a", None),
        ("$(DIR)/x: c\n", "a", False),
        ("$(DIR)/x: c\n", "out/x", None),
        ("test-%:\n\techo\n", "test-a", None),
        ("test-%:\n\techo\n", "a", False),
        ("%:\n\techo\n", "a", None),
        (".DEFAULT:\n\techo\n", "a", None),
        ("include gone.mk\n", "a", None),
        ("include $(TOP)/x.mk\n", "a", None),
        ("include more.mk\n", "more", True),
        ("include more.mk\n", "a", False),
        ("-include .env\n-include $(OBJS:.o=.d) x.d\n", "a", None),
        ("-include .env\n-include x.d\n", "a", False),
        ("define x\na: b\nendef\n", "a", False),
        ("$(eval a: b)\n", "c", None),
        ("ifeq ($(X),1)\na: b\nelse\nc: d\nendif\n", "c", True),
        ("a: b ; echo $(shell x: y)\n", "a", True),
        (".RECIPEPREFIX = >\na:\n> echo\n", "b", None),
        ("# a: b\n", "a", False),
        ("a::\n\techo\n", "a", True),
    ],
)
def test_makefile(text: str, name: str, expected: bool | None) -> None:
    """Rules, phony targets, patterns, plain variables, what is included; None where it cannot be told."""
    assert define("makefile", text, "Makefile", {"more.mk": "more:\n\techo\n"}).has(name) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a:\n  echo b:\n", "a", True),
        ("a:\n  echo b:\n", "b", False),
        ("@a x y='1' *z: b\n", "a", True),
        ("alias t := test\n", "t", True),
        ("x := 'a:b'\n", "x", False),
        ("set shell := ['bash']\n", "set", False),
        ("[private]\n_a:\n", "_a", True),
        ("import 'more.just'\n", "more", True),
        ("import 'gone.just'\n", "a", None),
        ("mod docs\n", "docs::build", True),
        ("mod docs\n", "docs::gone", False),
        ("mod other\n", "other::x", None),
        ("mod other\n", "x", False),
    ],
)
def test_justfile(text: str, name: str, expected: bool | None) -> None:
    """Recipes, aliases, imports, modules."""
    more = {"more.just": "more:\n", "docs.just": "build:\n"}
    assert define("justfile", text, "justfile", more).has(name) is expected


@pytest.mark.parametrize(
    ("kind", "text", "name", "expected"),
    [
        ("taskfile", "version: '3'\ntasks:\n  a:\n    cmds: [x]\n  'b:c':\n    x: y\n", "b:c", True),
        ("taskfile", "tasks:\n  a:\n    aliases: [b, c]\n", "c", True),
        ("taskfile", "tasks:\n  a:\n    cmds:\n      - d:\n", "d", False),
        ("taskfile", "includes:\n  web: ./web\ntasks:\n  a: x\n", "web:build", None),
        ("taskfile", "x: {a: b}\n", "c", None),
        ("package_json", '{"scripts": {"a": "x"}}', "a", True),
        ("package_json", '{"scripts": ["a"]}', "a", False),
        ("composer_json", '{"scripts": {"a": "x"}, "scripts-aliases": {"a": ["b"]}}', "b", True),
        ("deno_json", '{"tasks": {"a": "x"}}', "b", False),
        ("pyproject", '[project.scripts]\na = "x:y"\n', "a", True),
        ("pyproject", "[tool.poetry.scripts]\na = 'x:y'\n", "a", True),
        ("pyproject", "[project]\ndynamic = ['scripts']\n", "a", None),
        ("poe_tasks", "[tool.poe.tasks]\na = 'x'\n", "b", False),
        ("poe_tasks", "[tool.poe]\ninclude = 'x'\n[tool.poe.tasks]\na = 'x'\n", "b", None),
        ("hatch_envs", "[tool.hatch.envs.a]\nx = 1\n", "b", False),
        ("noxfile", "@nox.session(python=['3.11'])\ndef a(session):\n    pass\n", "a-3.11", None),
        ("noxfile", "@nox.session(name='b-c')\ndef a(session):\n    pass\n", "b-c", True),
        ("noxfile", "@nox.session\ndef a(session):\n    pass\n", "d", False),
        ("noxfile", "@session(name=NAME)\ndef a(session):\n    pass\n", "d", None),
        ("cargo_config", "[alias]\nxtask = 'run'\n", "xtask", True),
        ("cargo_config", "[build]\n", "xtask", False),
        ("taskfile", "tasks:\n  'a:*':\n    x: y\n", "a:b", None),
        ("taskfile", "tasks:\n  a:\n    aliases:\n      - b\n", "b", None),
        ("taskfile", "includes:\n  web:\n    flatten: true\ntasks:\n  a: x\n", "b", None),
        ("composer_json", '{"scripts": []}', "b", False),
        ("noxfile", "@nox.session\n", "a", None),
        ("noxfile", "x = 1\n", "a", None),
        ("tox_envs", "x = 1\n", "a", None),
    ],
)
def test_other_files(kind: str, text: str, name: str, expected: bool | None) -> None:
    """Each kind of file by its own rules."""
    key = get_module(kind).FILES[-1]
    assert define(kind, text, key).has(name) is expected


@pytest.mark.parametrize("kind", ["poe_tasks", "hatch_envs"])
def test_a_pyproject_without_them_defines_none(kind: str) -> None:
    """It is about other things, so nothing is missing in it."""
    assert define(kind, "[project]\nname = 'x'\n", "pyproject.toml").absent


@pytest.mark.parametrize(
    ("kind", "key", "text", "beside", "name", "expected"),
    [
        ("package_json", "package.json", '{"name": "x"}', "server.js", "start", True),
        ("package_json", "web/package.json", '{"scripts": {"start": "x"}}', "x", "restart", True),
        ("deno_json", "deno.json", "{}", "package.json", "beside", True),
        ("pyproject", "pyproject.toml", "[project]\nname = 'x'\n", "setup.py", "y", None),
        ("tox_envs", "tox.ini", "[tox]\nrequires = tox-uv\nenvlist = a\n", "x", "b", None),
        ("hatch_envs", "hatch.toml", "[envs.a]\nx = 1\n", "x", "a", True),
        ("poe_tasks", "poe_tasks.toml", "[tasks]\na = 'x'\n", "x", "b", False),
    ],
)
def test_what_stands_beside(kind: str, key: str, text: str, beside: str, name: str, expected: bool | None) -> None:
    """Other files that count for the same tool."""
    more = {beside: '{"scripts": {"beside": "x"}}'}
    assert define(kind, text, key, more).has(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a-x-b", None), ("a-b", False), ("a-x-y", False), ("x-b", False), ("a--b", None)]
)
def test_patterns_with_several_gaps(name: str, expected: bool | None) -> None:
    """Each gap stands for any text."""
    assert DefinedNames({}, ("a-%-%b",)).has(name) is expected


def test_nearest_names_are_listed(tmp_path: Path) -> None:
    """Those that are spelled alike or share a part; a few others where none does."""
    put(tmp_path, {"Makefile": "docs:\ndocs-lint:\nserve:\n"})
    with Root(str(tmp_path)) as root:
        cited = Citation("instruction", Span(0, 0), "", SourceRef("target", "make lint"))
        found = World(root, lambda: None).find(cited, Document("AGENTS.md", ""))
    assert isinstance(found, Obstacle)
    assert (found.kind, found.paths) == ("target-not-found", ("docs-lint",))


@pytest.mark.parametrize(
    ("key", "document", "expected"),
    [
        ("make top", "AGENTS.md", "Makefile"),
        ("make top", "web/AGENTS.md", "Makefile"),
        ("make web", "web/AGENTS.md", "web/Makefile"),
        ("make web", "AGENTS.md", "web/Makefile"),
        ("make web (in web)", "AGENTS.md", "web/Makefile"),
        ("make top (in web)", "AGENTS.md", "No target top in web/Makefile"),
        ("make top (from web)", "AGENTS.md", "Makefile"),
        ("make nope (from web)", "AGENTS.md", "No target nope in web/Makefile"),
        ("make nope (from gone)", "AGENTS.md", None),
        ("make nope (in ../web)", "AGENTS.md", None),
        ("make nope", "AGENTS.md", "No target nope in Makefile"),
        ("make nope", "skills/x/SKILL.md", None),
        ("make prog", "AGENTS.md", None),
        ("npm run build (of ui)", "AGENTS.md", "web/package.json"),
        ("npm run nope (of ui)", "AGENTS.md", "No script nope in web/package.json"),
        ("npm run nope (of web)", "AGENTS.md", "No script nope in web/package.json"),
        ("npm run nope (of other)", "AGENTS.md", None),
        ("npm run nope", "AGENTS.md", None),
        ("npm run env", "web/AGENTS.md", None),
        ("yarn eslint", "web/AGENTS.md", None),
        ("yarn lint", "web/AGENTS.md", "No script lint in web/package.json"),
        ("yarn build:x", "web/AGENTS.md", "No script build:x in web/package.json"),
        ("pnpm add", "web/AGENTS.md", None),
        ("uv run app", "AGENTS.md", "pyproject.toml"),
        ("uv run pytest", "AGENTS.md", None),
        ("uv run app-tool", "AGENTS.md", "No script app-tool in pyproject.toml"),
        ("tox -e py311-lint", "AGENTS.md", "tox.ini"),
        ("tox -e docs", "AGENTS.md", "No environment docs in tox.ini"),
        ("what is (this", "AGENTS.md", None),
    ],
)
def test_which_file_is_asked(tmp_path: Path, key: str, document: str, expected: str | None) -> None:
    """That of the folder that is named, else the nearest, else any; what cannot be told is not said."""
    put(
        tmp_path,
        {
            "Makefile": "top:\n",
            "web/Makefile": "web:\n",
            "prog.c": "",
            "web/package.json": json.dumps({"name": "ui", "scripts": {"build": "x"}}),
            "pyproject.toml": "[project]\nname = 'App'\n[project.scripts]\napp = 'app:main'\n",
            "tox.ini": "[tox]\nenvlist = py{311,312}\n[testenv:lint]\n",
        },
    )
    assert ask(tmp_path, key, document) == expected


@pytest.mark.parametrize("text", ["{", "[]", '{"scripts": 1}', "\ufeff{}", "[" * 5000, "\0"])
def test_damaged_files_are_not_judged_or_have_no_scripts(tmp_path: Path, text: str) -> None:
    """No traceback, and nothing from what cannot be parsed."""
    put(tmp_path, {"package.json": text})
    assert ask(tmp_path, "npm run x") in (None, "No script x in package.json")


def test_what_an_answer_depends_on_is_noted(tmp_path: Path) -> None:
    """Also where the file was read for another document before."""
    put(tmp_path, {"Makefile": "include more.mk\n", "more.mk": "a:\n"})
    with Root(str(tmp_path)) as root:
        world = World(root, lambda: None)
        cited = Citation("instruction", Span(0, 0), "", SourceRef("target", "make a"))
        for _ in range(2):
            world.touched = {}
            assert isinstance(world.find(cited, Document("AGENTS.md", "")), Evidence)
            assert {"Makefile", "more.mk", "GNUmakefile"} <= world.touched.keys()
