"""Corpus files: `REF-043-slug.md` to a Paper, whatever is in the file.

The frontmatter decides; the plain form fills in what it does not say, and quotes that it does not list. Whatever cannot
be what it should be is a problem with its line, and its field stays empty.
"""

from __future__ import annotations

import re

from ..text.lines import line_starts, position, shorten
from ..text.markdown import frontmatter_span
from ..text.yaml import FrontmatterError, Mapping, load
from .corpus_frontmatter import PAPER_LIMITS, FrontmatterFields
from .ids import PATTERN
from .model import Paper, PaperProblem
from .plain_file import PlainFile

ID = re.compile(PATTERN)
"""The id of a paper, whole."""
_NAME = re.compile(rf"({ID.pattern})(?:-[^/\x00-\x1f]*)?\.(?i:md|pdf)")
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n|\Z)")
_UNCLOSED = re.compile(r"---[ \t]*(?:\r\n|\r|\n)[A-Za-z_]{1,40}:(?=[ \r\n])")
_MOST_PROBLEMS = 200


def paper_id(name: str) -> str | None:
    """`REF-043` for `REF-043-slug.md`, `REF-043.md` and their `.pdf`; None for any other name."""
    found = _NAME.fullmatch(name.rpartition("/")[2])
    return found[1] if found is not None else None


def read_paper(path: str, text: str) -> Paper:
    """What a corpus file says about its paper; never raises, what is wrong is among its problems."""
    said, complaints, start = _read_frontmatter(text)
    plain = PlainFile(text, start)
    values = dict(plain.values)
    if said is not None:
        # A field that is declared and cannot be read is not guessed from the plain form either.
        declared = {field.partition("[")[0] for _, field, _ in said.complaints}
        values = {key: value for key, value in values.items() if key not in declared} | said.values
    quotes = said.values.get("key_quotes", ()) if said is not None else ()
    known = {" ".join(quote.quote.split()) for quote in quotes}
    values["key_quotes"] = (*quotes, *(item for item in plain.quotes if " ".join(item.quote.split()) not in known))
    complaints += plain.complaints
    named = paper_id(path)
    given = [(said.id, said.id_at)] if said is not None and said.id else []
    given += [(plain.id, plain.id_at)] if plain.id else []
    for id_, at in given:
        if named is not None and id_ != named:
            complaints.append((at, "id", f'id: expected {named} as in the file name, got "{shorten(id_, 60)}"'))
    own = named or next((id_ for id_, _ in given), "") or path.rpartition("/")[2].rpartition(".")[0]
    return Paper(id=own, path=path, problems=_problems(text, complaints), **values)


def _read_frontmatter(text: str) -> tuple[FrontmatterFields | None, list[tuple[int, str, str]], int]:
    """What the frontmatter declares, its complaints, and where the text below it begins."""
    span = frontmatter_span(text)
    if span is None:
        if _UNCLOSED.match(text):
            return None, [(0, "frontmatter", "frontmatter: expected a closing ---, got none before the end")], 0
        return None, [], 0
    closing = _LINE.match(text, span.end)
    below = closing.end() if closing else len(text)
    try:
        tree = load(text[span.start : span.end], span.start, 2, PAPER_LIMITS)
    except FrontmatterError as error:
        reason = f"frontmatter: expected plain YAML, got {shorten(error.reason, 200)}"
        return None, [(error.offset, "frontmatter", reason)], below
    if not isinstance(tree, Mapping):
        return None, [(span.start, "frontmatter", "frontmatter: expected keys with values")], below
    said = FrontmatterFields(tree)
    return said, list(said.complaints), below


def _problems(text: str, complaints: list[tuple[int, str, str]]) -> tuple[PaperProblem, ...]:
    if not complaints:
        return ()
    starts = line_starts(text)
    found = sorted(
        (PaperProblem(position(starts, at)[0], field, message) for at, field, message in complaints),
        key=lambda problem: problem.line,
    )
    return tuple(found[:_MOST_PROBLEMS])
