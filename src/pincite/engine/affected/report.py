"""What a change does to citations, for a terminal, for a program, and for a comment on a pull request."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from ..._version import __version__
from ...checks.wording import format_place
from ...report.markdown import BUDGET, escape_markdown
from ...safe.escape import escape_text, json_text
from ...text.lines import format_count
from .model import AffectedCitation, AffectedResult, Effect

SCHEMA = "pincite.affected/1"
_CELL = 200
_MOST_LISTED = 20
_COLORS = {
    Effect.DELETES: "31",
    Effect.EDITS: "33",
    Effect.MOVES: "36",
    Effect.UNKNOWN: "35",
    Effect.NEW: "34",
    Effect.UNAFFECTED: "2",
}


def headline(result: AffectedResult) -> str:
    """The change in one sentence."""
    if not result.files:
        return f"Nothing changed between {result.before} and {result.after}."
    files = format_count(len(result.files), "file")
    if not result.items:
        return f"{files} changed between {result.before} and {result.after}: no citation is touched."
    documents = format_count(len({item.document for item in result.items}), "document")
    effects = ", ".join(f"{effect.value} {number:,}" for effect in Effect if (number := result.count(effect)))
    touched = f"{format_count(len(result.items), 'citation')} in {documents}"
    return f"{files} changed between {result.before} and {result.after}, touching {touched}: {effects}"


def as_text(result: AffectedResult, color: bool, quiet: bool, every: bool = False) -> Iterator[str]:
    """Lines for a terminal: what a person may want to look at, or with `every` all."""
    listed = [item for item in result.items if every or not (item.is_fine or (quiet and not item.needs_attention))]
    for item in listed:
        yield from describe_item(item, color)
    for path in result.gone:
        yield f"{escape_text(path)}  gone with the change"
    for path, reason in result.errors:
        yield f"{escape_text(path)}  {_color_text('unreadable', '31', color)}  {escape_text(reason)}"
    if listed or result.gone or result.errors:
        yield ""
    yield _color_text(escape_text(f"{_mark(result)} {headline(result)}"), "1", color)
    fine = sum(item.is_fine for item in result.items)
    if fine and not (quiet or every):
        yield f"  {format_count(fine, 'citation')} {'needs' if fine == 1 else 'need'} no attention: --all lists them"


def describe_item(item: AffectedCitation, color: bool) -> Iterator[str]:
    """Lines for a terminal about one citation."""
    place = escape_text(f"{item.document}:{item.line}:{item.column}")
    word = _word(item)
    yield f"{place}  {_color_text(word, _COLORS[item.effect], color)}  {escape_text(_raw(item), _CELL)}"
    if item.why:
        yield f"  {escape_text(item.why)}"
    if item.place is not None:
        yield f"  now {escape_text(format_place(item.place))}"
    for line in item.detail.split("\n") if item.detail else ():
        code = {"+": "32", "-": "31"}.get(line[:1], "")
        yield "  " + _color_text(escape_text(line.replace("\t", "    ")), code, color)
    if item.fix and item.needs_attention:
        yield f"  fix {_color_text(escape_text(item.fix), '32', color)}"


def as_json(result: AffectedResult) -> Iterator[str]:
    """Lines of one JSON object of the schema `pincite.affected/1`."""
    change = {"before": result.before, "after": result.after}
    files = [{"before": before, "after": after} for before, after in result.files]
    errors = [{"document": path, "message": reason} for path, reason in result.errors]
    summary: dict[str, Any] = {
        "files": len(result.files),
        "documents": len({item.document for item in result.items}),
        "citations": len(result.items),
        "effects": {effect.value: result.count(effect) for effect in Effect},
        "attention": sum(item.needs_attention for item in result.items),
        "exit_code": result.exit_code,
    }
    yield f'{{"schema":"{SCHEMA}","version":{json_text(__version__)},"change":{json_text(change)},'
    yield f'"files":{_dump_json_rows(files)},'
    yield f'"citations":{_dump_json_rows([_fields(item) for item in result.items])},'
    yield f'"gone":{json_text(result.gone)},'
    yield f'"errors":{_dump_json_rows(errors)},'
    yield f'"summary":{json_text(summary)}}}'


def as_markdown(result: AffectedResult, every: bool = False) -> Iterator[str]:
    """Lines of a comment: a table grouped by effect, the fixing command below it."""
    yield f"### {_mark(result)} pincite: {escape_markdown(escape_text(headline(result), 2 * _CELL))}"
    wanted = [item for item in result.items if every or item.needs_attention]
    loud = [item for effect in Effect for item in wanted if item.effect is effect]
    rows = _rows(loud)
    if rows:
        yield from ("", "| Effect | Place | Citation | What the change does |", "|---|---|---|---|", *rows)
    if len(rows) < len(loud):
        yield from ("", f"… and {format_count(len(loud) - len(rows), 'citation')} more.")
    calm = sum(not item.needs_attention for item in result.items)
    if calm and not every:
        yield from (
            "",
            f"{format_count(calm, 'citation')} of what changed {'needs' if calm == 1 else 'need'} no attention.",
        )
    if result.gone or result.errors:
        yield ""
    for path in result.gone[:_MOST_LISTED]:
        yield f"- {_code(path)} goes with the change."
    for path, reason in result.errors[:_MOST_LISTED]:
        yield f"- {_code(path)} could not be read: {escape_markdown(escape_text(reason, _CELL))}"
    fixes = sum(bool(item.fix) and item.needs_attention for item in loud)
    if fixes:
        offer = f"{format_count(fixes, 'citation')} may be repaired"
        yield from ("", f"{offer}: `pincite fix` shows which, `pincite fix --write` does it.")


def _row(item: AffectedCitation) -> str:
    cells = [escape_markdown(escape_text(item.why, 2 * _CELL))] if item.why else []
    if item.place is not None:
        cells.append(f"now {_code(format_place(item.place))}")
    cells += [_code(line) for line in item.detail.split("\n")[:6]] if item.detail else []
    if item.fix:
        cells.append(f"fix: {_code(item.fix)}")
    place = _code(f"{item.document}:{item.line}")
    return f"| {_word(item)} | {place} | {_code(_raw(item))} | {'<br>'.join(cells)} |"


def _code(text: str) -> str:
    return f"<code>{escape_markdown(escape_text(text, _CELL))}</code>"


def _rows(items: list[AffectedCitation]) -> list[str]:
    """As many rows as a comment can hold."""
    rows: list[str] = []
    left = BUDGET
    for item in items:
        row = _row(item)
        left -= len(row) + 1
        if left < 0:
            break
        rows.append(row)
    return rows


def _mark(result: AffectedResult) -> str:
    if result.exit_code:
        return "✗" if result.exit_code == 2 or result.count(Effect.DELETES) else "⚠"
    return "✓" if result.items else "–"


def _word(item: AffectedCitation) -> str:
    word = item.effect.value
    if item.effect is Effect.NEW:
        word = f"new, {item.outcome}"
    return f"{word} (ignored)" if item.ignored else word


def _raw(item: AffectedCitation) -> str:
    return item.target if item.target and ("\n" in item.raw or "\r" in item.raw) else item.raw


def _fields(item: AffectedCitation) -> dict[str, Any]:
    place: dict[str, Any] | None = None
    if item.place is not None:
        lines = item.place.lines
        place = {"path": item.place.path, "lines": None if lines is None else [lines.first, lines.last]}
    return asdict(item) | {
        "effect": item.effect.value,
        "place": place,
        "fix": item.fix or None,
        "outcome": item.outcome or None,
        "attention": item.needs_attention,
    }


def _dump_json_rows(rows: list[dict[str, Any]]) -> str:
    """A JSON array, one item per line."""
    return "[\n" + ",\n".join(map(json_text, rows)) + "\n]" if rows else "[]"


def _color_text(text: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if color and code and text else text
