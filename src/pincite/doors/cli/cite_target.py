"""`pincite cite TARGET`: a place or words in the repository, cited."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from ...project.project import open_project
from .kit import print_json, wants_color

if TYPE_CHECKING:
    from ...project.config import Config
    from ...project.project import Project
    from ...safe.files import Root
    from ...write.cite.model import CiteTarget, Uncitable
    from ...write.cite.proof import Proof


class CiteRequest(Struct, frozen=True):
    """What was asked for on the command line."""

    target: str
    within: str | None
    into: str | None
    at: int | None
    after: str | None
    dry_run: bool
    style: str
    copy: bool
    root: str | None
    format: str


class _Addition(Struct, frozen=True):
    """The document that is added to."""

    key: str
    old: bytes
    text: str


def cite_target(wanted: CiteRequest) -> None:
    """Print the citation of a target, or add it to a document; ends the command with exit code 1 where refused."""
    from ...write.cite.model import Uncitable

    _check_usage(wanted)
    project = open_project(wanted.root)
    try:
        _cite(wanted, project)
    except Uncitable as refusal:
        _refuse(wanted, refusal, project.root)
    finally:
        project.close_git()


def _check_usage(wanted: CiteRequest) -> None:
    from ...write.cite.model import STYLES

    if wanted.style and wanted.style not in STYLES:
        raise click.UsageError(f"style {wanted.style!a} is not known for a TARGET; choose from: {', '.join(STYLES)}")
    if wanted.into is None and (wanted.at is not None or wanted.after is not None or wanted.dry_run):
        raise click.UsageError("--at, --after and --dry-run go with --into DOC")
    if wanted.at is not None and wanted.after is not None:
        raise click.UsageError("--at and --after both say where; give one")


def _cite(wanted: CiteRequest, project: Project) -> None:
    from ...write.cite.permalinks import pin_commit
    from ...write.cite.proof import Proof
    from ...write.cite.target import find_symbol_target, find_target, within_key

    opened, config = project.root, project.config
    folder = _folder(opened)
    within = "" if wanted.within is None else within_key(opened, wanted.within, folder)
    addition = None if wanted.into is None else _open_document(opened, wanted.into)
    into = addition.key if addition is not None else f"{folder}/document.md".lstrip("/")
    target = find_target(
        opened,
        wanted.target,
        project.git,
        within,
        folder,
        [*_baseline(opened, config), *([addition.key] if addition is not None else [])],
        wanted.within is not None,
    )
    style = wanted.style or _usual_style(addition, config)
    if style == "symbol":
        target = find_symbol_target(opened, target)
    elif style == "permalink":
        target = pin_commit(opened, project.git(), target, config.repository)
    proof = Proof(opened, config, project.git)
    try:
        text = proof.write(target, style, into)
        _note(target, style, project)
        if addition is None:
            _print(wanted, target, style, text)
        else:
            _add(wanted, opened, addition, target, style, text, proof)
    finally:
        proof.close()
    if wanted.copy:
        from .cite import copy_text

        copy_text(text)


def _folder(root: Root) -> str:
    """Where one stands, as a key; the root where that is elsewhere."""
    here = os.path.realpath(".")
    below = root.path.rstrip("/") + "/"
    return here[len(below) :] if here.startswith(below) else ""


def _baseline(root: Root, config: Config) -> list[str]:
    """The key of the file that lists what is known to be wrong: it repeats citations."""
    from ...project.documents import root_key
    from .baseline_file import baseline_file

    path = baseline_file(root, None, config.baseline)
    return [root_key(root, path)] if path else []


def _open_document(root: Root, path: str) -> _Addition:
    from ...core.errors import Refused, UsageError
    from ...project.documents import root_key
    from ...safe.git_names import has_git_name
    from ...text.lines import decode

    key = root_key(root, path)
    if has_git_name(key):
        raise UsageError(f"{path}: git's own; --into adds to documents")
    try:
        old = root.read(key, root.limits.document_bytes)
        addition = _Addition(key, old, decode(old))
    except Refused as error:
        reason = "no such document" if error.kind == "file-not-found" else f"cannot be read ({error})"
        raise UsageError(f"{path}: {reason}; --into adds to a document that is there") from None
    if b"\0" in old:
        raise UsageError(f"{path}: binary; --into adds to text")
    return addition


def _usual_style(addition: _Addition | None, config: Config) -> str:
    """What is written where no style is asked for."""
    if addition is not None:
        from ...write.cite.memory_citation import is_memory

        if is_memory(addition.text, addition.key, config.memories):
            return "frontmatter"
    return "bracket"


def _note(target: CiteTarget, style: str, project: Project) -> None:
    """Say what is true and does not stand in the citation."""
    from ...safe.escape import escape_text

    git = project.git()
    if git is not None and git.run("check-ignore", "--", f"./{git.prefix}{target.path}", codes=(0, 1, 128)).strip():
        click.echo(f"note: git ignores {escape_text(target.path)}: others will not have it", err=True)
    if git is not None and style == "permalink" and target.pinned:
        from ...write.cite.permalinks import is_public

        commit = git.head() or ""
        if not is_public(git, commit):
            click.echo(
                f"note: no branch of a remote holds {commit[:12]} yet: push it, or the link leads nowhere", err=True
            )
    if style == "frontmatter" and target.lines is not None and target.lines.first != target.lines.last:
        from ...write.cite.writer import telling_line

        number, _ = telling_line(target)
        click.echo(f"note: a memory cites one line: {number} of {target.lines.first}-{target.lines.last}", err=True)


def _add(
    wanted: CiteRequest, root: Root, addition: _Addition, target: CiteTarget, style: str, text: str, proof: Proof
) -> None:
    """Put the citation into the document and print the diff."""
    from ...safe.write import replace
    from ...text.lines import encode_like
    from ...write.cite.model import Uncitable
    from ...write.cite.writer import as_citation

    if target.path == addition.key:
        raise Uncitable("place-unfit", f"{addition.key}: a document is no evidence for itself; cite another file")
    changed = _with(wanted, addition, target, style, text)
    new = encode_like(changed, addition.old)
    if changed != addition.text:
        trouble = proof.added(addition.key, addition.old, new, [as_citation(target, style)], may_update=True)
        if trouble:
            raise Uncitable("place-unfit", f"{addition.key}: {trouble}; choose another place or style")
        if not wanted.dry_run:
            replace(root, addition.key, addition.old, new)
    _print_diff(wanted, addition, new, target, style, text)


def _with(wanted: CiteRequest, addition: _Addition, target: CiteTarget, style: str, text: str) -> str:
    """The document with the citation in it."""
    from ...write.cite.insertion import end_after, end_on_line, insert
    from ...write.cite.memory_citation import add_citation
    from ...write.cite.model import Uncitable
    from ...write.cite.writer import as_citation

    if style == "frontmatter":
        if wanted.at is not None or wanted.after is not None:
            raise click.UsageError(
                "--at and --after say where in the text; a memory's citations stand in its frontmatter"
            )
        return add_citation(addition.text, addition.key, as_citation(target, style))
    if wanted.at is not None:
        offset = end_on_line(addition.text, addition.key, wanted.at)
    elif wanted.after is not None:
        offset = end_after(addition.text, addition.key, wanted.after)
    else:
        raise Uncitable(
            "place-unfit",
            f"{addition.key}: say behind which sentence: --at LINE where it ends, or --after TEXT with words of it",
        )
    return insert(addition.text, addition.key, [(offset, text)])


def _print(wanted: CiteRequest, target: CiteTarget, style: str, text: str) -> None:
    from ...safe.escape import escape_text

    if wanted.format == "json":
        print_json(_fields(target, style, text))
        return
    for line in text.split("\n"):
        click.echo("\t".join(map(escape_text, line.split("\t"))))


def _fields(target: CiteTarget, style: str, text: str) -> dict[str, object]:
    lines = [target.lines.first, target.lines.last] if target.lines is not None else None
    return {
        "schema": "pincite.cite-target/1",
        "text": text,
        "style": style,
        "path": target.path,
        "lines": lines,
        "symbol": target.symbol or None,
        "digest": target.digest,
    }


def _print_diff(
    wanted: CiteRequest, addition: _Addition, new: bytes, target: CiteTarget, style: str, text: str
) -> None:
    """The change as a diff; that there is none, where it is cited already."""
    from ...engine.repair.fix import Fix, make_fix_diff
    from ...safe.escape import escape_text
    from .fix import color_diff_line

    rows = make_fix_diff(Fix(addition.key, addition.old, new, (), ()))
    written = new != addition.old and not wanted.dry_run
    if wanted.format == "json":
        said = {"document": addition.key, "changed": new != addition.old, "written": written, "diff": "\n".join(rows)}
        print_json({**_fields(target, style, text), "into": said})
        return
    color = wants_color(None)
    for row in rows:
        click.echo(color_diff_line(escape_text(row), color))
    if new == addition.old:
        click.echo(f"{escape_text(addition.key)} cites it already; nothing was changed", err=True)
    elif wanted.dry_run:
        click.echo("nothing was written; leave out --dry-run to write it", err=True)


def _refuse(wanted: CiteRequest, refusal: Uncitable, root: Root) -> None:
    """Say why it is not cited, and how to say which of several is meant."""
    from ...safe.escape import escape_text

    places = refusal.places
    if wanted.format == "json":
        said = [{"path": one.path, "lines": [one.lines.first, one.lines.last], "line": one.line} for one in places]
        fields = {"schema": "pincite.cite-target/1", "text": None, "refused": refusal.kind, "reason": str(refusal)}
        print_json({**fields, "places": said, "more": refusal.more})
        sys.exit(1)
    click.echo(f"pincite: {escape_text(str(refusal))}", err=True)
    for place in places:
        lines = place.lines
        span = f"{lines.first}" if lines.first == lines.last else f"{lines.first}-{lines.last}"
        click.echo(f"  {escape_text(place.path)}:{span}: {escape_text(place.line, 120)}", err=True)
        if len(places) > 1:
            click.echo(f"    {escape_text(_again(wanted, f'{_from_here(root, place.path)}:{span}'))}", err=True)
    if refusal.more:
        click.echo(f"  and {refusal.more:,} more; give more words, or --in PATH", err=True)
    sys.exit(1)


def _from_here(root: Root, path: str) -> str:
    """A path from the root, as one would type it where one stands."""
    folder = _folder(root)
    return os.path.relpath(path, folder) if folder else path


def _again(wanted: CiteRequest, target: str) -> str:
    """The command that cites one of the places."""
    from shlex import join

    options: list[str] = []
    for name, value in (
        ("--style", wanted.style),
        ("--into", wanted.into),
        ("--at", wanted.at),
        ("--after", wanted.after),
        ("--root", wanted.root),
    ):
        if value:
            options += (name, str(value))
    if wanted.dry_run:
        options.append("--dry-run")
    dashed = ["--"] if target.startswith("-") else []
    return join(["pincite", "cite", *options, *dashed, target])
