"""Writes the parts of the documentation that the program itself knows.

    python tools/docs.py            write them
    python tools/docs.py --check    only say which are out of date; exit code 1 if one is

Commands come from `--help`, checks and dialects from the docstrings of their modules, settings from the fields of
`Config`, the JSON report from its schema, and the terminal picture from a run over the example repository.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from terminal_svg import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import click
    from msgspec import Struct

TOP = Path(__file__).resolve().parents[1]
WIDTH = 100


def _head(title: str, source: str) -> str:
    return f"<!-- Written by tools/docs.py from {source}. -->\n\n# {title}\n"


def _prose(*lines: str) -> str:
    return fill(" ".join(lines), 116, break_long_words=False, break_on_hyphens=False) + "\n"


def commands() -> str:
    """Every command's help, as the terminal shows it."""
    from pincite.doors.cli.main import pincite

    out = [
        _head("Commands", "the commands' own help"),
        "Every command explains itself: `pincite COMMAND --help` prints what stands here.\n",
        "| exit code | meaning |\n|---|---|\n"
        "| 0 | everything holds, or there was nothing to check (the summary says which) |\n"
        "| 1 | a citation does not hold: an error, or with `--strict` a warning |\n"
        "| 2 | something could not be read or parsed, or the command was misused |\n",
        _prose(
            "Where several apply, the highest wins. `show` ends with 1 when its citation does not hold, `fix` with 0",
            "whether or not there was something to fix.",
        ),
    ]
    for name, text in _helps(pincite, "pincite", None):
        out.append(f"## {name}\n\n```text\n{text}\n```\n")
    return "\n".join(out)


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    import click

    # On a terminal, help leaves two columns free.
    words = {**command.context_settings, "info_name": name.rpartition(" ")[2], "terminal_width": WIDTH - 2}
    context = command.context_class(command, parent=parent, **words)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None:
                yield from _helps(found, f"{name} {child}", context)


def checks() -> str:
    """One section per check: its docstring."""
    from pincite import checks as verify

    out = [
        _head("Checks", "the docstrings in src/pincite/checks"),
        _prose(
            "Each finding names its check; `pincite explain CHECK` prints the page below. Errors fail the run,",
            "warnings fail it with `--strict`, notes never do. Leave a check out with `--ignore CHECK`, in the",
            "settings with `ignore`, or on one line of a document with a comment:",
        ),
        "    <!-- pincite: ignore lines-edited the number is an example -->\n",
        _prose(
            "Beside text the comment speaks for its line, alone on a line for the next line that is not blank. Several",
            "checks are separated by commas, `all` means every check, and the words after that are for the reader. In",
            "frontmatter the same stands behind a `#`. What is silenced is counted in the summary. Where the cited",
            "text changed and the sentence is still true, [`pincite accept`](../how-to/accept.md) says so beside the",
            "document.",
        ),
        "| check | severity | outcome |\n|---|---|---|",
    ]
    names = verify.names()
    for name in names:
        module = verify.load(name)
        out[-1] += f"\n| [`{name}`](#{name}) | {module.SEVERITY.label} | {module.OUTCOME.label} |"
    out[-1] += "\n"
    for name in names:
        module = verify.load(name)
        page = "\n".join(map(_labelled, verify.page(name).splitlines()))
        out.append(f"## {name}\n\n*{module.SEVERITY.label}, outcome {module.OUTCOME.label}*\n\n{page}\n")
    return "\n".join(out)


def _labelled(line: str) -> str:
    word, colon, rest = line.partition(": ")
    return f"**{word}:** {rest}" if colon and word in {"Why", "Example", "Remedy"} else line


def dialects() -> str:
    """One section per dialect: its docstring and its example."""
    from pincite import dialects as extract

    modules = extract.dialects()
    out = [
        _head("Dialects", "the docstrings in src/pincite/dialects"),
        _prose(
            "A dialect is one way to write a citation. All are read unless `--dialect NAME` or the setting `dialects`",
            "says otherwise; where two claim the same text, the one further up has it. Lines count from 1 and end at",
            "LF, CRLF or CR. To add a dialect, see",
            "[CONTRIBUTING](../../CONTRIBUTING.md#add-a-dialect-in-one-file).",
        ),
    ]
    for module in modules:
        page = inspect.cleandoc(module.__doc__ or "")
        out.append(f"## {module.NAME}\n\n{page}\n\nExample:\n\n```markdown\n{module.EXAMPLE.rstrip()}\n```\n")
    return "\n".join(out)


def settings() -> str:
    """Every key of the settings with its default and its meaning."""
    from pincite.project.config import Config

    out = [
        _head("Settings", "src/pincite/project/config.py"),
        _prose(
            "Settings live in `pincite.toml`, or under `[tool.pincite]` in `pyproject.toml`; the nearest file from the",
            "root upward counts, and none above the repository. Every key is optional, and an unknown one is an error.",
            "Options on the command line win; `--ignore` adds to `ignore`. `pincite init` writes a file to start from.",
            "Where pincite keeps what it found is no setting of a project: see [the cache folder](cache.md).",
            "A text holds no control characters and at most 4,096 others, a list at most 1,000 items, 10,000 where it",
            "holds patterns of files to leave out.",
        ),
    ]
    return "\n".join((*out, *_keys(Config(), 2)))


def _keys(table: Struct, level: int) -> Iterator[str]:
    """The keys of a table; a table among them brings its own, one level deeper."""
    from msgspec import Struct

    meanings = _meanings(inspect.getsource(type(table)))
    for name in table.__struct_fields__:
        value = getattr(table, name)
        key = name.replace("_", "-")
        if isinstance(value, Struct):
            where = f"A table: `[{key}]`, in `pyproject.toml` `[tool.pincite.{key}]`."
            yield f"{'#' * level} {key}\n\n{meanings[name]} {where}\n"
            yield from _keys(value, level + 1)
        else:
            shown = f"`{json.dumps(list(value) if isinstance(value, tuple) else value)}`"
            yield f"{'#' * level} {key}\n\n{meanings[name]}\n\nDefault: {'not set' if value is None else shown}\n"


def _meanings(source: str) -> dict[str, str]:
    """The docstring below each field of a class."""
    body = ast.parse(source).body[0]
    found: dict[str, str] = {}
    rows = body.body if isinstance(body, ast.ClassDef) else []
    for row, below in pairwise(rows):
        if isinstance(row, ast.AnnAssign) and isinstance(row.target, ast.Name):
            match below:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    found[row.target.id] = " ".join(text.split())
    return found


def report() -> str:
    """The JSON report, field by field."""
    schema = json.loads((TOP / "src/pincite/schemas/report-1.schema.json").read_text(encoding="utf-8"))
    out = [
        _head("The JSON report", "src/pincite/schemas/report-1.schema.json"),
        _prose(
            "`pincite check --format json` writes one object. Its schema, JSON Schema 2020-12, is",
            "[`report-1.schema.json`](../../src/pincite/schemas/report-1.schema.json); the installed package has it",
            "under `pincite/schemas/`. Within version 1 keys may be added and none is removed or changes its meaning:",
            "read what you know and pass over the rest. Fields marked *optional* may be absent.",
        ),
        f"## report\n\n{_fields(schema, schema['$defs'])}",
    ]
    for name, part in schema["$defs"].items():
        if part.get("type") == "object":
            out.append(f"## {name}\n\n{part['description']}\n\n{_fields(part, schema['$defs'])}")
    return "\n".join((*out, _other_reports()))


def _other_reports() -> str:
    """Where the JSON of the other commands is described."""
    rows = (
        ("check --statistics", "pincite.statistics/1", _schema_link("statistics-1")),
        ("fix", "pincite.fix/1", _schema_link("fix-1")),
        ("mv", "pincite.mv/1", _schema_link("mv-1")),
        ("affected", "pincite.affected/1", _schema_link("affected-1")),
        ("fleet check", "pincite.fleet-check/1", "[Fleets](fleet.md#json-of-fleet-check)"),
        ("fleet report", "pincite.fleet-report/1", _schema_link("fleet-report-1")),
        ("suggest", "pincite.suggest/1", "[Suggest citations](../how-to/suggest.md#for-programs)"),
        ("cite TARGET", "pincite.cite-target/1", "[Write a citation that holds](../how-to/cite.md#from-a-program)"),
        ("lock", "pincite.lock/1", "[The lock](lock.md#json)"),
        ("index`, `search`, `cite --hit", "", "[The JSON of index, search and cite](search.md)"),
        ("verify-answer", "", "[The JSON report on answers](answers.md)"),
        ("research", "", "[The JSON of the research commands](research.md)"),
        ("store", "", "[Keep the store that a team shares](../how-to/store.md#for-programs)"),
    )
    table = "".join(f"| `{name}` | {f'`{schema}`' if schema else ''} | {where} |\n" for name, schema, where in rows)
    head = (
        "The same promise holds for what other commands write with `--format json`; each says in `schema` which it is."
    )
    return f"## Other commands\n\n{head}\n\n| command | schema | described in |\n|---|---|---|\n{table}"


def _schema_link(name: str) -> str:
    return f"[`{name}.schema.json`](../../src/pincite/schemas/{name}.schema.json)"


def _fields(part: dict[str, Any], known: dict[str, Any]) -> str:
    rows = ["| field | type | meaning |", "|---|---|---|"]
    for name, field in part["properties"].items():
        kind = _kind(field, known)
        kind += "" if name in part["required"] else ", *optional*"
        named = known.get(field.get("$ref", "").rpartition("/")[2], {})
        meaning = field.get("description") or ("" if named.get("type") == "object" else named.get("description", ""))
        rows.append(f"| `{name}` | {kind} | {meaning} |")
    return "\n".join(rows) + "\n"


def _kind(field: dict[str, Any], known: dict[str, Any]) -> str:
    """The type of a field in words, with a link where it has a table of its own."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})" if known[name].get("type") == "object" else _kind(known[name], known)
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return "one of " + ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(choice, known) for choice in field["anyOf"])
    kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
    if "array" in kinds:
        size = f"{field['minItems']} × " if "minItems" in field else ""
        kinds = [f"array of {size}{_kind(field['items'], known)}" if kind == "array" else kind for kind in kinds]
    elif "object" in kinds and "properties" in field:
        return "object of " + ", ".join(f"`{name}`" for name in field["properties"])
    return " or ".join(kinds)


def picture() -> str:
    """What `pincite check` prints on the example repository."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(TOP / "src"), "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
        environment.pop("NO_COLOR", None)
        build = [sys.executable, str(TOP / "examples/demo.py"), "--build", folder]
        subprocess.run(build, check=True, timeout=120)
        check = [sys.executable, "-m", "pincite", "check"]
        done = subprocess.run(check, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    return render(f"\x1b[2m$\x1b[0m pincite check\n{done.stdout.decode()}", "pincite check on the example repository")


PAGES: dict[str, Callable[[], str]] = {
    "docs/reference/commands.md": commands,
    "docs/reference/checks.md": checks,
    "docs/reference/dialects.md": dialects,
    "docs/reference/settings.md": settings,
    "docs/reference/json.md": report,
    "docs/assets/demo.svg": picture,
}


def main(arguments: list[str]) -> int:
    """Write or compare every page."""
    stale = 0
    for name, make in PAGES.items():
        path = TOP / name
        text = make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if "--check" in arguments:
            print(f"{name} is out of date: run tools/docs.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
