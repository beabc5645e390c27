"""Every command that the README and the documentation show is run, and prints what they say it prints."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from support_postgres import find_binaries

TOP = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md")])
WITH_COMMANDS = [path for path in DOCUMENTS if "```console" in path.read_text(encoding="utf-8")]
OFFLINE = re.compile(
    r"(?:pip|uvx|git clone|make)\b|pincite serve\b|curl .*http://127"
    r"|curl \"https://api\.|pincite fleet check organisation\.json"
    r"|pincite research (?:run|snapshot|validate|add https)\b(?!.*--offline)"
)


def name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def test_there_are_commands_to_run() -> None:
    how_to = {f"docs/how-to/{page}.md" for page in ("agents", "answers", "captured-output", "research", "search")}
    assert {"README.md", "docs/tutorial.md", *how_to} <= set(map(name, WITH_COMMANDS))


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=name)
def test_commands_print_what_is_shown(path: Path, console: ModuleType, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if console.DATABASE in text and not find_binaries():
        pytest.skip("no PostgreSQL: run `make postgres`")
    ran = console.perform(text, tmp_path)
    assert ran
    for done in ran:
        place = f"{name(path)}:{done.command.line}: $ {done.command.text}"
        assert "Traceback" not in done.output, f"{place}\n{done.output}"
        assert done.code in ((0, 1) if re.search("pincite|aiwg", done.command.text) else (0,)), (
            f"{place}\n{done.output}"
        )
        assert console.agrees(done.command.shown, done.output), f"{place}\nprinted:\n{done.output}"


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=name)
def test_only_what_needs_the_network_or_a_server_is_not_run(path: Path, console: ModuleType) -> None:
    steps = console.read(path.read_text(encoding="utf-8"))
    skipped = [step.text for step in steps if isinstance(step, console.Command) and step.skipped]
    makes_folder = {"python3 examples/demo.py --playground playground", "python3 examples/fleet.py fleet && cd fleet"}
    serves = re.compile(
        r"pincite serve\b|curl .*http://127\.0\.0\.1:"
        r"|pincite fleet (?:scheduler|worker|check --scheduler|revalidate)\b|docker compose "
    )
    assert all(OFFLINE.match(text) or text in makes_folder or serves.match(text) for text in skipped), skipped


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_shell_commands_stand_in_console_blocks(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for kind, body in re.findall(r"^ *```([^\n`]+)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        assert kind not in {"bash", "sh", "shell"}, f"{name(path)}: a `{kind}` block is not run"
        assert kind == "console" or not re.search(r"^\$ ", body, re.MULTILINE), name(path)


def test_marker_skips_a_block(console: ModuleType) -> None:
    text = f"{console.NOT_RUN}\n```console\n$ pip install x\n```\n\n```console\n$ true\n```\n"
    assert [(step.text, step.skipped) for step in console.read(text)] == [("pip install x", True), ("true", False)]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a"], "a\n", True),
        (["a"], "b\n", False),
        (["a"], "a\nb\n", False),
        (["a 1…3 b"], "a 1f0c3 b\n", True),
        (["a", "…", "d"], "a\nb\nc\nd\n", True),
        (["a", "…", "d"], "a\nd\n", True),
        (["a", "…", "d"], "a\nb\nc\n", False),
        (["…", "d"], "ad\n", False),
        (["a.c"], "abc\n", False),
        (["a"], "a  \n", True),
        ([], "anything\n", True),
    ],
)
def test_elision(console: ModuleType, shown: list[str], printed: str, same: bool) -> None:
    assert console.agrees(shown, printed) is same


def test_outputs_that_differ_are_renewed_and_others_kept(console: ModuleType, tmp_path: Path) -> None:
    text = f"{console.EMPTY}\n```console\n$ echo one\n…\n$ echo two\n?\n$ (exit 3)\n$ echo $?\n0\n```\n"
    ran = console.perform(text, tmp_path)
    wanted = f"{console.EMPTY}\n```console\n$ echo one\n…\n$ echo two\ntwo\n$ (exit 3)\n$ echo $?\n3\n```\n"
    assert console.renewed(text, ran) == wanted


def test_files_are_saved_and_folders_carry_over(console: ModuleType, tmp_path: Path) -> None:
    text = (
        f"{console.EMPTY}\n```console\n$ mkdir a && cd a\n```\n<!-- file: b/c.txt -->\n```text\nhi\n```\n"
        "```console\n$ cat b/c.txt\nhi\n```\n"
    )
    (_, done) = console.perform(text, tmp_path)
    assert done.output == "hi\n"


def test_variables_that_are_exported_carry_over(console: ModuleType, tmp_path: Path) -> None:
    text = f"{console.EMPTY}\n```console\n$ export PLACE=here\n$ echo $PLACE\n```\n"
    assert [done.output for done in console.perform(text, tmp_path)] == ["", "here\n"]


def test_the_example_fleet_is_there_where_a_document_asks_for_it(console: ModuleType, tmp_path: Path) -> None:
    text = f"{console.FLEET}\n```console\n$ ls -d */.git | wc -l\n$ git -C station rev-list --count HEAD\n```\n"
    assert [done.output for done in console.perform(text, tmp_path)] == ["10\n", "2\n"]


@pytest.mark.skipif(not find_binaries(), reason="no PostgreSQL: run `make postgres`")
def test_a_server_is_there_where_a_document_asks_for_it(console: ModuleType, tmp_path: Path) -> None:
    text = f"{console.EMPTY}\n{console.DATABASE}\n```console\n$ createdb one && psql -l -t | cut -c2-4\n```\n"
    (listed,) = console.perform(text, tmp_path)
    assert "one" in listed.output.split()


def test_the_example_paper_is_there_where_a_document_asks_for_it(console: ModuleType, tmp_path: Path) -> None:
    asked = "<!-- has the example paper as a.pdf -->\n"
    text = f"{console.EMPTY}\n{asked}```console\n$ head -c 4 a.pdf\n$ ls *.pdf\n```\n"
    assert [done.output for done in console.perform(text, tmp_path)] == ["%PDF", "a.pdf\n"]


def test_the_example_topic_is_there_where_a_document_asks_for_it(console: ModuleType, tmp_path: Path) -> None:
    text = f"{console.EMPTY}\n{console.TOPIC}\n```console\n$ ls .research\n```\n"
    assert [done.output for done in console.perform(text, tmp_path)] == ["lanternfish\nsources.yaml\n"]
