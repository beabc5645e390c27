"""Commands and paths of instruction files."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Place, Safety
from pincite.dialects import get_dialect
from pincite.text.document import Document

DIALECT = get_dialect("instruction")


def read(text: str, path: str = "AGENTS.md", in_code: bool = False) -> list[tuple[str, str]]:
    """What is written and what it cites, of all that may be missing."""
    items = DIALECT.extract(Document(path, text, in_code))
    return [(item.raw, item.source.key) for item in items if isinstance(item, Citation)]


def keys(text: str, path: str = "AGENTS.md") -> list[str]:
    return [key for _, key in read(text, path)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make lint", ["make lint"]),
        ("make -j4 lint test V=1", ["make lint", "make test"]),
        ("make -C docs html", ["make html (in docs)"]),
        ("cd docs && make html", ["make html (from docs)"]),
        ("npm run build", ["npm run build"]),
        ("npm test", ["npm run test"]),
        ("npm run build --workspace=@x/ui", ["npm run build (of @x/ui)"]),
        ("npm -w ui run build", ["npm run build (of ui)"]),
        ("npm --prefix web run build", ["npm run build (in web)"]),
        ("npm run build -- --watch", ["npm run build"]),
        ("pnpm run build", ["pnpm run build"]),
        ("pnpm --filter ui build", ["pnpm build (of ui)"]),
        ("yarn workspace ui build", ["yarn build (of ui)"]),
        ("yarn run build", ["yarn build"]),
        ("bun run build", ["bun run build"]),
        ("deno task build", ["deno task build"]),
        ("just build x86", ["just build"]),
        ("just docs::build", ["just docs::build"]),
        ("task build", ["task build"]),
        ("uv run poe test", ["poe test"]),
        ("uv run app-cli --help", ["uv run app-cli"]),
        ("poetry run app", ["poetry run app"]),
        ("hatch run test:unit", ["hatch run test:unit"]),
        ("tox -e lint,docs", ["tox -e lint", "tox -e docs"]),
        ("nox -s lint docs", ["nox -s lint", "nox -s docs"]),
        ("composer ci:test", ["composer ci:test"]),
        ("composer run-script test", ["composer run test"]),
        ("cargo xtask codegen", ["cargo xtask"]),
        ("uv run --directory web app-cli", ["uv run app-cli (in web)"]),
        ("npm run build --prefix web", ["npm run build (in web)"]),
        ("make -C . html", ["make html"]),
        ("tox -r -e lint", ["tox -e lint"]),
        ("just x=1 build", ["just build"]),
        ("pnpm -C web run build", ["pnpm run build (in web)"]),
        ("cd docs && make -C sub html", ["make html (in docs/sub)"]),
        ("composer -d web run test", ["composer run test (in web)"]),
        ("deno task --cwd web build", ["deno task build (in web)"]),
        ("bun --cwd web run build", ["bun run build (in web)"]),
    ],
)
def test_commands_name_targets(command: str, expected: list[str]) -> None:
    """In a code span as in a block of a shell; written out again they name the same."""
    assert keys(f"Run `{command}`.") == expected
    assert keys(f"```bash\n{command}  # now\n```\n") == expected


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "make $TARGET",
        "make <target>",
        "make TARGET",
        "make foo",
        "make sure",
        "make --unknown lint",
        "npm install",
        "npm run",
        "npm run build --if-present",
        "npm run <script>",
        "npm run lint:*",
        "npx eslint",
        "just --list",
        "just -f other.just x",
        "cargo build",
        "cd ~/x && make lint",
        "echo make lint",
        "bun test",
        "hatch build",
        "tox",
        "make -C $X html",
        "make -C",
        "npm --prefix $X run b",
        "npm -w <x> run b",
        "npm --unknown run b",
        "npm run --unknown b",
        "pnpm --unknown b",
        "pnpm run --unknown b",
        "yarn --unknown b",
        "yarn workspace <x> b",
        "yarn workspace",
        "bun --unknown run b",
        "bun run --unknown b",
        "composer --unknown b",
        "composer run --unknown b",
        "uv run --unknown b",
        "uv run python",
        "uv sync",
        "deno --unknown task b",
        "deno fmt",
        "tox -e",
        "tox -p auto",
        "nox -s $X",
        "tox -e {a,b}",
        "cargo",
        "yarn",
    ],
)
def test_commands_that_name_nothing_of_the_project(command: str) -> None:
    """Built-in commands, placeholders, options that are not known."""
    assert keys(f"Run `{command}`.") == []


@pytest.mark.parametrize("path", ["bash ci/x.sh", "uv run", "sh", "ci/y.sh z", "bun run tools/x.ts", "./build/x.sh"])
def test_scripts_that_are_run(path: str) -> None:
    """Only a script with a folder before it, that no tool has made."""
    expected = [word for word in path.split() if "/" in word and "build" not in word]
    assert keys(f"```sh\n{path}\n```\n") == expected


def test_only_instruction_files_are_read() -> None:
    """Other documents, and text that is no markdown, are left alone."""
    assert keys("Run `make lint`.", "docs/guide.md") == []
    assert keys("Run `make lint`.", "README.txt") == []


def test_settings_add_instruction_files() -> None:
    """The patterns come with the document."""
    document = Document("docs/dev.md", "Run `make lint`.")
    document.instructions = ("docs/dev.md",)
    assert len(list(DIALECT.extract(document))) == 1


def test_code_counts_also_where_all_code_is_read() -> None:
    """With `in-code`, code is still told from prose here."""
    assert read("Run make x and `make lint`.", in_code=True) == [("make lint", "make lint")]


def test_sessions_show_output_too() -> None:
    """Behind a prompt is a command; the other lines are what it printed."""
    assert keys("```console\n$ make lint\nmake test\n```\n") == ["make lint"]


def test_folder_of_the_lines_above() -> None:
    """`cd` counts to the end of its block, and no further."""
    text = "```sh\ncd web\nnpm run build\n```\n\n```sh\nnpm run dev\n```\n"
    assert keys(text) == ["npm run build (from web)", "npm run dev"]


def test_continued_lines_are_no_commands() -> None:
    """Nor is the text of a file."""
    assert keys("```sh\ndocker run x \\\n  make lint\n```\n") == []
    assert keys("```sh\ncat <<EOF\nmake lint\nEOF\nmake test\n```\n") == []


def test_paths_that_a_command_runs() -> None:
    """Interpreters and scripts; arguments of other programs are not read."""
    lines = (
        "python tools/a.py x/b.py",
        "uv run tools/c.py",
        "uv run python tools/d.py",
        "./tools/e.sh",
        "cp x/f.py y/g.py",
    )
    text = "\n".join(("```sh", *lines, "pytest tests/test_h.py -q", "```\n"))
    assert keys(text) == ["tools/a.py", "tools/c.py", "tools/d.py", "tools/e.sh", "tests/test_h.py"]


@pytest.mark.parametrize(
    "text",
    [
        "`src/a.py` was removed.",
        "There is no `src/a.py`.",
        "`src/a.py` → `lib/a.py`",
        "Formerly `src/a.py`.",
        "Check `src/a.py` (if available).",
    ],
)
def test_what_the_text_calls_gone_is_not_cited(text: str) -> None:
    """Nothing can be missing there."""
    assert "src/a.py" not in keys(text)


@pytest.mark.parametrize(
    "text",
    [
        "Create `src/a.py`.",
        "A test, e.g. `src/a.py`, has a name.",
        "Output: `src/a.py`",
        "Add these:\n\n- `src/a.py`\n",
        "# Examples\n\nSee `src/a.py`.",
        "`src/a.py` is generated.",
        "Put it in your `src/a.py`.",
        "Run `./a.py` there.".replace("./a.py", "./a.sh"),
    ],
)
def test_what_need_not_be_there_is_tentative(text: str) -> None:
    """It counts where it is there, or once was."""
    (found,) = DIALECT.extract(Document("AGENTS.md", text))
    assert isinstance(found, Citation)
    assert found.tentative


def test_words_of_other_code_spans_qualify_nothing() -> None:
    """`gone.py` is a name, not a word."""
    assert keys("See `src/a.py` and `src/gone.py`.") == ["src/a.py", "src/gone.py"]


def test_labels_of_links_to_other_sites_are_left_alone() -> None:
    """The link says what is meant."""
    assert keys("[`src/a.py`](https://example.org/src/a.py)") == []


def test_a_path_may_count_from_the_folder() -> None:
    """From the root first, with dots from the folder first."""
    found = [
        (item.source.key, item.alternate)
        for item in DIALECT.extract(Document("web/AGENTS.md", "`src/a.py` `./src/b.py` `../c/d.py`"))
        if isinstance(item, Citation)
    ]
    assert found == [("src/a.py", "web/src/a.py"), ("web/src/b.py", "src/b.py"), ("c/d.py", "../c/d.py")]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a/x.py", "b/y.py"),
        ("./a/x.py", "./b/y.py"),
        ("web/a/x.py", "web/b/y.py"),
    ],
)
def test_a_path_from_the_folder_stays_one(written: str, expected: str) -> None:
    """It is written as its author writes paths."""
    document = Document("web/AGENTS.md", f"See `{written}`.")
    (path,) = DIALECT.extract(document)
    assert isinstance(path, Citation)
    edit = DIALECT.repoint(document, path, Place("web/b/y.py", None))
    assert edit is not None
    assert edit.replacement == expected


def test_a_path_is_written_anew() -> None:
    """At its new place; a command is not."""
    document = Document("AGENTS.md", "See `src/a.py`, run `make lint`.")
    path, command = DIALECT.extract(document)
    assert isinstance(path, Citation)
    assert isinstance(command, Citation)
    edit = DIALECT.repoint(document, path, Place("lib/b.py", None))
    assert edit is not None
    assert (edit.replacement, edit.safety) == ("lib/b.py", Safety.SAFE)
    assert DIALECT.repoint(document, command, Place("lib/b.py", None)) is None
