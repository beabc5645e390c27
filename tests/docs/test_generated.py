"""Reference pages say what the program says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from pincite import checks, dialects
from pincite.project.config import (
    CaptureSettings,
    Config,
    CorpusSettings,
    ResearchSettings,
    RetrievalSettings,
    parse_config,
)

TOP = Path(__file__).resolve().parents[2]
PAGES = (
    "docs/reference/commands.md",
    "docs/reference/checks.md",
    "docs/reference/dialects.md",
    "docs/reference/settings.md",
    "docs/reference/json.md",
    "docs/assets/demo.svg",
)


def text_of(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


def sections(page: str) -> list[str]:
    return re.findall(r"^## (.+)$", text_of(page), re.MULTILINE)


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def test_every_page_is_known(generator: ModuleType) -> None:
    assert tuple(generator.PAGES) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_page_is_what_the_program_says(generator: ModuleType, page: str) -> None:
    assert text_of(page) == generator.PAGES[page](), f"{page} is out of date: run tools/docs.py"


def test_every_check_has_its_page_with_all_parts() -> None:
    assert sections("docs/reference/checks.md") == list(checks.names())
    for name in checks.names():
        page = checks.page(name)
        parts = [part.partition(":")[0] for part in page.split("\n\n")[1:]]
        assert [part for part in parts if part in {"Why", "Example", "Remedy"}] == ["Why", "Example", "Remedy"], name


def test_every_dialect_has_its_page() -> None:
    assert sections("docs/reference/dialects.md") == [dialect.NAME for dialect in dialects.dialects()]


def test_every_setting_has_its_page_and_default() -> None:
    page = text_of("docs/reference/settings.md")
    keys = re.findall(r"^(##+) (.+)\n\n.+\n(?:\nDefault: (`.*`|not set)\n)?", page, re.MULTILINE)
    top = [name for depth, name, _ in keys if depth == "##"]
    assert top == [name.replace("_", "-") for name in Config.__struct_fields__]
    nested = [name for depth, name, _ in keys if depth == "###"]
    tables = (CaptureSettings, CorpusSettings, RetrievalSettings, ResearchSettings)
    fields = [name for table in tables for name in table.__struct_fields__]
    assert nested == [name.replace("_", "-") for name in fields]
    given = [(name, default) for _, name, default in keys if default != "not set"]
    written = "".join(f"{name} = {default[1:-1]}\n" if default else f"[{name}]\n" for name, default in given)
    assert parse_config(tomllib.loads(written), "settings.md") == Config()


def test_commands_page_matches_help_on_a_terminal() -> None:
    shown = dict(
        re.findall(r"^## pincite ([a-z -]+)\n\n```text\n(.*?)```", text_of(PAGES[0]), re.MULTILINE | re.DOTALL)
    )
    for name in ("check", "memory verify"):
        words = [sys.executable, "-m", "pincite", *name.split(), "--help"]
        env = {"PYTHONPATH": str(TOP / "src"), "COLUMNS": "102", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout == shown[name]


def test_workflow_and_hooks_are_what_init_writes() -> None:
    from pincite._version import __version__
    from pincite.doors.cli import init

    assert blocks("docs/how-to/ci.md", "yaml")[0] == init._WORKFLOW.replace("{version}", __version__)
    assert blocks("docs/how-to/pre-commit.md", "yaml")[0] == init._HOOKS.replace("{version}", __version__)


def test_hooks_and_inputs_that_are_described_exist() -> None:
    action = yaml.safe_load(text_of("action.yml"))
    described = re.findall(
        r"^\| `([a-z-]+)` \|", text_of("docs/how-to/ci.md").partition("## Anywhere")[0], re.MULTILINE
    )
    assert described == list(action["inputs"])
    hooks = [hook["id"] for hook in yaml.safe_load(text_of(".pre-commit-hooks.yaml"))]
    assert re.findall(r"^\| `([a-z-]+)` \|", text_of("docs/how-to/pre-commit.md"), re.MULTILINE) == hooks


def test_formats_that_are_described_exist() -> None:
    from pincite import report

    described = re.findall(r"^\| `([a-z]+)` \|", text_of("docs/how-to/ci.md").partition("## Anywhere")[2], re.MULTILINE)
    assert {*described, "text"} == set(report.names())


@pytest.mark.parametrize("page", ["docs/how-to/adopt.md", "docs/how-to/search.md"])
def test_toml_is_valid_settings(page: str) -> None:
    for block in blocks(page, "toml"):
        assert parse_config(tomllib.loads(block), page) != Config()
