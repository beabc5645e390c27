"""What instruction files tell people and agents to run and to open: `make lint`, `npm run build`, `src/app.py`.

Only instruction files are read so: `AGENTS.md`, `CLAUDE.md`, `GEMINI.md`, `README`, `CONTRIBUTING`, `DEVELOPMENT` and
the like, rules in `.cursor/rules`, `.github/instructions`, `.claude/commands` and other folders of that kind; the
setting `instructions` adds more. Two things count there:

- commands, in code spans and in fenced blocks of a shell, that name what the project defines: targets of `make`;
  scripts of `npm`, `pnpm`, `yarn`, `bun`, `deno task` and `composer`; recipes of `just`; tasks of `task` and `poe`;
  what `uv run`, `poetry run`, `pdm run`, `rye run` and `hatch run` start; environments of `tox`, sessions of `nox`, the
  alias of `cargo xtask`. `cd docs && make html`, `make -C docs html`, `npm -w ui run build` and `--prefix` name the
  place.
- paths with a slash, in code spans, `src/app.py` or `docs/guide/`, and those that a command line runs, as in
  `python scripts/release.py` and `./tools/lint.sh`.

A path counts from the root, from the document's folder, from the folders between them, or as the end of the path of
one file of the repository. What could be anything else is no citation: globs, `<placeholders>`, `path/to/file`,
variables, addresses, packages, what git ignores or tools make (`dist/`), and what the sentence says to create, calls
removed, or gives as an example. Where it cannot be told what a file defines, nothing is said of its targets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Citation, SourceRef, Span
from ..text.document import Document
from ..text.lines import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.model import Edit, Malformed, Place
    from ..text.command_lines import CommandFolder
    from ..text.markdown import CodeRegion

NAME = "instruction"
RANK = 95
OPENERS = (b"`", b"~~~")
EXAMPLE = "Run `make lint` before you commit."
PATH = "AGENTS.md"
INSTRUCTIONS = True
FOLLOWS_LINES = False

_LONGEST = 240
_SHELLS = frozenset(
    "sh bash shell zsh fish console shell-session shellsession terminal sh-session bash-session".split()
)
_INFO = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*([^\s`{]*)")
_TO_ELSEWHERE = re.compile(r"\]\(<?https?://")
_TARGET = re.compile(r"(.+?) (\S+)(?: \((in|of|from) ([^()]+)\))?")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every command that names a target, and every path, where the text may mean this repository."""
    if not document.is_instruction or not document.is_markdown:
        return
    if document.reads_code:
        # Code is what counts here, so it has to be told from prose.
        document = document.reread(document.text, False)
    from ..text.command_lines import CommandFolder

    folder = CommandFolder()
    comments = _find_comments(document.text)
    for region in document.code_regions():
        if any(start <= region.start < end for start, end in comments):
            continue
        folder.begin()
        yield from _read_fence(document, region, folder) if region.fenced else _read_span(document, region, folder)


def _find_comments(text: str) -> list[tuple[int, int]]:
    """Where HTML comments are: what stands in them is not shown."""
    found: list[tuple[int, int]] = []
    at = text.find("<!--")
    while at >= 0 and len(found) < _LONGEST:
        end = text.find("-->", at)
        if end < 0:
            break
        found.append((at, end))
        at = text.find("<!--", end)
    return found


def _read_span(document: Document, region: CodeRegion, folder: CommandFolder) -> Iterator[Citation]:
    """A code span: one path, or one command line."""
    text, inner = document.text, region.inner
    if inner.end - inner.start > _LONGEST or _TO_ELSEWHERE.match(text, region.end):
        return
    written = text[inner.start : inner.end]
    words = written.split(None, 1)
    if not words:
        return
    from ._doubts import MentionDoubt, judge_doubt

    if len(words) == 1:
        from ..text.path_words import is_path

        path = words[0]
        if is_path(path) and (doubt := judge_doubt(document, region.start, region.end)) is not MentionDoubt.GONE:
            # `./name` is where a program runs, which need not be here.
            doubtful = doubt is MentionDoubt.POSSIBLE or path.count("/") == path.count("./") or bool(folder.entered)
            yield _make_path(document, path, inner.start + written.index(path), "", doubtful)
        return
    found = list(_read_line(document, inner.start, inner.end, folder))
    if found and judge_doubt(document, region.start, region.end) is MentionDoubt.NONE:
        yield from found


def _read_fence(document: Document, region: CodeRegion, folder: CommandFolder) -> Iterator[Citation]:
    """The command lines of a fenced block of a shell; in a session only those behind a prompt."""
    text = document.text
    info = _INFO.match(text, region.start)
    language = info[1].lower() if info else ""
    if language not in _SHELLS:
        return
    from ..text.command_lines import has_prompt
    from ._doubts import is_aside

    if is_aside(document, region.start):
        return
    lines = text[region.inner.start : region.inner.end].splitlines(keepends=True)
    prompted = any(map(has_prompt, lines))
    at = region.inner.start
    joined = False
    for line in lines:
        start, at = at, at + len(line)
        shown = line.rstrip()
        if "<<" in shown:
            # What follows is the text of a file.
            return
        if not joined and shown and (has_prompt(line) or not prompted):
            yield from _read_line(document, start, start + len(shown), folder)
        joined = shown.endswith("\\")


def _read_line(document: Document, start: int, end: int, here: CommandFolder) -> Iterator[Citation]:
    """What the commands of one line name, in order; the folder is the one that the lines above left."""
    from ..text.command_lines import UNKNOWN_FOLDER, read_commands
    from ._command_paths import find_command_path
    from ._runners import find_targets

    if end - start > _LONGEST:
        return
    for words in read_commands(document.text, start, end):
        if here.change(words) or here.path == UNKNOWN_FOLDER:
            continue
        known = False
        for target in find_targets(words):
            known = True
            relation, place = ("of" if target.of_package else "in", target.place) if target.place else ("", "")
            if here.path:
                if relation == "in":
                    place = join(here.path, place)
                elif not relation:
                    relation, place = "from", here.path
            key = f"{target.runner} {target.name}" + (f" ({relation} {place})" if relation else "")
            raw = document.text[target.start : target.end]
            yield Citation(NAME, Span(target.start, target.end), raw, SourceRef("target", key))
        word = None if known else find_command_path(words)
        if word is not None:
            yield _make_path(document, word.text, word.start, here.path, bool(here.entered))


def _make_path(document: Document, path: str, start: int, folder: str, doubtful: bool) -> Citation:
    """The citation of a path; where the text puts it in doubt, it counts only where it is there, or was."""
    slash = "/" if path.endswith("/") else ""
    from_root, from_folder = join(folder, path) + slash, join(document.folder, path) + slash
    if path.startswith(("./", "../")) and not folder:
        from_root, from_folder = from_folder, from_root
    other = from_folder if from_folder != from_root else ""
    span = Span(start, start + len(path))
    return Citation(NAME, span, path, SourceRef("path", from_root), None, None, other, doubtful)


def render(citation: Citation) -> str:
    """The command or the path in a code span."""
    key = citation.source.key
    if citation.source.scheme == "target":
        from ._runners import write_command

        match = _TARGET.fullmatch(key)
        return f"`{write_command(match[1], match[2], match[3] or '', match[4] or '')}`" if match else f"`{key}`"
    return f"`{key}`"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """Another path; a target cannot be written as a place."""
    if place.lines is not None or place.pages is not None or citation.source.scheme != "path":
        return None
    from ._reread import make_verified_edit

    folder = f"{document.folder}/"
    written = place.path
    if folder != "/" and written.startswith(folder) and not citation.raw.startswith(folder):
        # It was written from the document's folder.
        dots = "./" if citation.raw.startswith("./") else ""
        written = dots + written.removeprefix(folder)
    return make_verified_edit(document, citation, place, written)
