"""`pincite cite`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from ...core.errors import UsageError
from ...project.project import open_project
from ...safe.escape import escape_text
from .kit import format_option, pick_fields, print_json, root_option, say
from .shell_values import complete_cite_style, complete_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...domains.retrieval.service import CitationService
    from ...project.project import Project
    from ...safe.files import Root
    from ...search.model import Citation, Validation

_LISTED = 0


class CiteRequest(Struct, frozen=True):
    """What was asked for on the command line."""

    target: str | None
    within: str | None
    into: str | None
    at: int | None
    after: str | None
    dry_run: bool
    hit: int | None
    recent: int | None
    check_: bool
    style: str | None
    template: str
    absolute: bool | None
    lines: bool | None
    copy: bool
    root: str | None
    format_: str


@click.command("cite")
@click.argument("target", required=False, metavar="[TARGET]", shell_complete=complete_path)
@click.option("--in", "within", metavar="PATH", help="TARGET is words: look for them in this file or folder.")
@click.option("--into", metavar="DOC", help="Add the citation of TARGET to this document, and print the diff.")
@click.option("--at", type=click.IntRange(1), metavar="LINE", help="With --into: behind the sentence that ends there.")
@click.option("--after", metavar="TEXT", help="With --into: behind the sentence that holds these words.")
@click.option("--dry-run", is_flag=True, help="With --into: print the diff and write nothing.")
@click.option("--hit", type=click.IntRange(1), metavar="N", help="The hit of the last search with this number.")
@click.option(
    "--recent",
    type=click.IntRange(0),
    is_flag=False,
    flag_value=_LISTED,
    metavar="[N]",
    help="What was cited lately: the list, or the one with this number.",
)
@click.option("--check", "check_", is_flag=True, help="With --recent: say which of them still hold.")
@click.option(
    "--style",
    metavar="STYLE",
    shell_complete=complete_cite_style,
    help="Of TARGET: bracket, colon, link, permalink, frontmatter, cite, symbol. Of a hit: inline, footnote, markdown, "
    "bracket, quote, csl, or a template's name.",
)
@click.option("--template", metavar="TEXT", default="", help="A style of one's own, such as '{title} ({path}:{line})'.")
@click.option("--absolute/--relative", default=None, help="Which paths to write (default: relative).")
@click.option("--lines/--no-lines", default=None, help="Whether to write line numbers (default: yes).")
@click.option("--copy", is_flag=True, help="Put it on the terminal's clipboard as well.")
@root_option()
@format_option("text or json.")
def command(**given: Any) -> None:
    """Write a citation that holds: of TARGET, of a hit of the last `pincite search`, or of something cited lately.

    TARGET is src/app.py:12, src/app.py:12-34, src/app.py#L12-L34, src/app.py::Server.start, a path alone, or words to
    look for in the files of the repository, which must stand in one place. What is printed was read back and verified;
    what would not hold is refused. --into adds it to a document: to the citations of a memory, or behind the sentence
    that --at or --after names.

    A passage that was searched for is looked up before it is cited: one that moved is cited where it stands now, one
    that changed is not cited. Templates may name {path} {absolute} {relative} {name} {title} {heading} {line} {last}
    {page} {text} {quote} {id} {label} {digest}.

    Exit code: 0, 1 where it would not hold, 2 where nothing of that number or name is there.
    """
    wanted = CiteRequest(**given)
    if wanted.target is not None:
        from .cite_target import cite_target

        given_hit = (wanted.hit, wanted.recent, wanted.absolute, wanted.lines)
        if wanted.check_ or wanted.template or any(value is not None for value in given_hit):
            raise click.UsageError("TARGET goes without --hit, --recent, --check, --template, --absolute and --lines")
        cite_target(wanted)
        return
    if wanted.within or wanted.into or wanted.at or wanted.after or wanted.dry_run:
        raise click.UsageError("--in, --into, --at, --after and --dry-run go with a TARGET")
    project = open_project(wanted.root)
    if (wanted.hit is None) == (wanted.recent is None):
        raise UsageError(
            "say what to cite: a TARGET such as src/app.py:12, --hit N (of the last search), or --recent [N]"
        )
    _cite_hit(wanted, project)


def _cite_hit(wanted: CiteRequest, project: Project) -> None:
    """Cite what was found or cited lately, or list it."""
    from ...domains.retrieval.recent_hits import last_found, recently_cited, remember
    from ...domains.retrieval.service import CitationService
    from ...search.moved_documents import MovedDocumentFinder
    from ...write.passage_citations import CitationFormat, name_finder

    root, settings = project.root, project.config.retrieval
    service = CitationService(root.path, finder=MovedDocumentFinder(project).find)
    if wanted.recent == _LISTED:
        _list(recently_cited(root), service, wanted.check_, wanted.format_)
        return
    wording = CitationFormat(
        wanted.style or settings.style,
        settings.absolute if wanted.absolute is None else wanted.absolute,
        settings.lines if wanted.lines is None else wanted.lines,
        settings.templates,
        wanted.template,
        name_finder(project, lambda name: _is_unique(root, name)),
    )
    if wanted.hit is not None:
        citation = _get_numbered(last_found(root).citations, wanted.hit, "the last search found")
    else:
        citation = _get_numbered(recently_cited(root), wanted.recent or 0, "the list has")
    citation = _require_standing(service.check(citation), root)
    text = wording.write(citation)
    remember(root, citation)
    if wanted.format_ == "json":
        print_json({"schema": "pincite.cite/1", "text": text, "citation": citation})
    else:
        print_citation(text)
    if wanted.copy:
        copy_text(text)


def _get_numbered(known: Sequence[Citation], number: int, what: str) -> Citation:
    if not known:
        raise UsageError("there is nothing to cite: nothing was found yet; begin with `pincite search`")
    if number > len(known):
        raise UsageError(f"there is no number {number}: {what} {len(known)}")
    return known[number - 1]


def _require_standing(answer: Validation, root: Root) -> Citation:
    """The citation as it can be written today; ends the command where it cannot."""
    from ...search.moved_documents import update_chunk_id

    if answer.ok:
        return answer.citation
    if answer.now is not None:
        say(f"{answer.citation.file_name}: {answer.reason}; cited where it stands now", err=True)
        return update_chunk_id(root, answer.now)
    place = answer.citation.relative_path or answer.citation.document_path
    say(f"{place}: {answer.status.value}: {answer.reason}", err=True)
    for line in _difference(answer):
        click.echo(f"  {line}", err=True)
    click.echo("nothing was cited; search again", err=True)
    sys.exit(1)


def _difference(answer: Validation) -> list[str]:
    """The passage then and now, ready for a terminal; the document goes by the path that is shown elsewhere."""
    citation = answer.citation
    rows = answer.diff.split("\n")[:-1]
    long = escape_text(citation.document_path)
    short = escape_text(citation.relative_path or citation.document_path)
    rows[:2] = [row.replace(long, short, 1) for row in rows[:2]]
    return [escape_text(row.expandtabs(4)) for row in rows]


def print_citation(text: str) -> None:
    """Print a citation; a quotation keeps its tabs, which do no harm: it is to be pasted word for word."""
    for line in text.split("\n"):
        click.echo("\t".join(map(escape_text, line.split("\t"))))


def copy_text(text: str) -> None:
    """Put a text on the clipboard of the terminal, where there is one."""
    if sys.stdout.isatty():
        from base64 import b64encode

        # Terminals take what stands between these for the clipboard, also over a remote connection.
        sys.stdout.write(f"\x1b]52;c;{b64encode(text.encode('utf-8', 'replace')).decode()}\x07")


def _list(known: Sequence[Citation], service: CitationService, check_: bool, format_: str) -> None:
    """What was cited lately, numbered; where asked with what became of it."""
    answers: list[Validation | None] = list(service.check_all(known)) if check_ else [None] * len(known)
    if format_ == "json":
        rows: list[dict[str, Any]] = []
        for number, (citation, answer) in enumerate(zip(known, answers, strict=True), 1):
            rows.append({"number": number, "citation": citation})
            if answer is not None:
                rows[-1] |= {"status": answer.status.value, **pick_fields(answer, "reason diff now")}
        print_json({"schema": "pincite.recent/1", "recent": rows})
    elif not known:
        click.echo("nothing was cited yet; `pincite search` finds, `pincite cite --hit N` cites", err=True)
    else:
        for number, (citation, answer) in enumerate(zip(known, answers, strict=True), 1):
            place = citation.relative_path or citation.document_path
            place += f":{citation.line_number}" if citation.line_number else ""
            status = f"{answer.status.value:<8}" if answer is not None else ""
            heading = f"  §{citation.heading}" if citation.heading else ""
            click.echo(f"{number:>3}  {status}{escape_text(place + heading)}")
            if answer is not None and not answer.ok:
                click.echo(f"     {escape_text(answer.reason)}")
                for line in _difference(answer):
                    click.echo(f"       {line}")
    sys.exit(1 if any(answer is not None and not answer.ok for answer in answers) else 0)


def _is_unique(root: Root, name: str) -> bool:
    """Whether a file's name is enough to find it."""
    from ...store.database import StoreTrouble
    from ...store.search_index import IndexStore

    try:
        store = IndexStore.open(root, write=False)
        if store is None:
            return True
        with store:
            return store.is_unique(name)
    except StoreTrouble:
        return True
