"""`pincite cite TARGET`: a place or words in the repository, cited."""

from __future__ import annotations

import os
import sys
from shlex import join
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from ...core.errors import Refused, UsageError
from ...engine.repair.fix import Fix, make_fix_diff
from ...project.documents import root_key
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.git_names import has_git_name
from ...safe.write import replace
from ...text.lines import decode, encode_like
from ...write.cite.cited_place import CitePlaceRequest, cite_place
from ...write.cite.insertion import end_after, end_on_line, insert
from ...write.cite.memory_citation import add_citation, is_memory
from ...write.cite.model import STYLES, Uncitable
from ...write.cite.permalinks import is_public
from ...write.cite.proof import Proof
from ...write.cite.writer import as_citation, telling_line
from .cite import copy_text, print_citation
from .kit import color_diff_line, complain, print_json, say, wants_color

if TYPE_CHECKING:
    from ...project.project import Project
    from ...safe.files import Root
    from ...write.cite.model import CiteTarget
    from .cite import CiteRequest


_SCHEMA = "pincite.cite-target/1"


class _Addition(Struct, frozen=True):
    """The document that is added to."""

    key: str
    old: bytes
    text: str


def cite_target(wanted: CiteRequest) -> None:
    """Print the citation of a target, or add it to a document; ends the command with exit code 1 where refused."""
    if wanted.style and wanted.style not in STYLES:
        raise click.UsageError(f"style {wanted.style!a} is not known for a TARGET; choose from: {', '.join(STYLES)}")
    if wanted.into is None and (wanted.at is not None or wanted.after is not None or wanted.dry_run):
        raise click.UsageError("--at, --after and --dry-run go with --into DOC")
    if wanted.at is not None and wanted.after is not None:
        raise click.UsageError("--at and --after both say where; give one")
    project = open_project(wanted.root)
    try:
        _cite(wanted, project)
    except Uncitable as refusal:
        _refuse(wanted, refusal, project.root)
    finally:
        project.close_git()


def _cite(wanted: CiteRequest, project: Project) -> None:
    opened, config = project.root, project.config
    folder = _folder(opened)
    addition = None if wanted.into is None else _open_document(opened, wanted.into)
    into = addition.key if addition is not None else f"{folder}/document.md".lstrip("/")
    remembers = addition is not None and is_memory(addition.text, addition.key, config.memories)
    style = wanted.style or ("frontmatter" if remembers else "bracket")
    # A document is no evidence for itself.
    without = (addition.key,) if addition is not None else ()
    proof = Proof(opened, config, project.git)
    try:
        request = CitePlaceRequest(wanted.target or "", style, into, wanted.within, folder, without)
        cited = cite_place(project, proof, request)
        target, text = cited.target, cited.text
        _note(target, style, project)
        fields = _fields(target, style, text)
        if addition is not None:
            new = _add(wanted, addition, target, style, text, proof)
            if new != addition.old and not wanted.dry_run:
                replace(opened, addition.key, addition.old, new)
            _print_diff(wanted, addition, new, fields)
        elif wanted.format_ == "json":
            print_json(fields)
        else:
            print_citation(text)
    finally:
        proof.close()
    if wanted.copy:
        copy_text(text)


def _folder(root: Root) -> str:
    """Where one stands, as a key; the root where that is elsewhere."""
    here = os.path.realpath(".")
    below = root.path.rstrip("/") + "/"
    return here[len(below) :] if here.startswith(below) else ""


def _open_document(root: Root, path: str) -> _Addition:
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


def _note(target: CiteTarget, style: str, project: Project) -> None:
    """Say what is true and does not stand in the citation."""
    git = project.git()
    if git is not None and git.run("check-ignore", "--", f"./{git.prefix}{target.path}", codes=(0, 1, 128)).strip():
        complain(f"git ignores {target.path}: others will not have it", "note")
    if git is not None and style == "permalink" and target.pinned:
        commit = git.head() or ""
        if not is_public(git, commit):
            complain(f"no branch of a remote holds {commit[:12]} yet: push it, or the link leads nowhere", "note")
    if style == "frontmatter" and target.lines is not None and target.lines.first != target.lines.last:
        number, _ = telling_line(target)
        complain(f"a memory cites one line: {number} of {target.lines.text}", "note")


def _add(wanted: CiteRequest, addition: _Addition, target: CiteTarget, style: str, text: str, proof: Proof) -> bytes:
    """The document with the citation in it, where it holds."""
    if target.path == addition.key:
        raise Uncitable("place-unfit", f"{addition.key}: a document is no evidence for itself; cite another file")
    changed = _with(wanted, addition, target, style, text)
    new = encode_like(changed, addition.old)
    if changed == addition.text:
        return addition.old
    trouble = proof.check_added(addition.key, addition.old, new, [as_citation(target, style)], may_update=True)
    if trouble:
        raise Uncitable("place-unfit", f"{addition.key}: {trouble}; choose another place or style")
    return new


def _with(wanted: CiteRequest, addition: _Addition, target: CiteTarget, style: str, text: str) -> str:
    """The document with the citation in it."""
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


def _fields(target: CiteTarget, style: str, text: str) -> dict[str, object]:
    return {
        "schema": _SCHEMA,
        "text": text,
        "style": style,
        "path": target.path,
        "lines": [target.lines.first, target.lines.last] if target.lines is not None else None,
        "symbol": target.symbol or None,
        "digest": target.digest,
    }


def _print_diff(wanted: CiteRequest, addition: _Addition, new: bytes, fields: dict[str, object]) -> None:
    """The change as a diff; that there is none, where it is cited already."""
    rows = make_fix_diff(Fix(addition.key, addition.old, new, (), ()))
    changed = new != addition.old
    if wanted.format_ == "json":
        said = {"document": addition.key, "changed": changed, "written": changed and not wanted.dry_run}
        print_json({**fields, "into": {**said, "diff": "\n".join(rows)}})
        return
    color = wants_color()
    for row in rows:
        click.echo(color_diff_line(escape_text(row), color))
    if not changed:
        say(f"{addition.key} cites it already; nothing was changed", err=True)
    elif wanted.dry_run:
        say("nothing was written; leave out --dry-run to write it", err=True)


def _refuse(wanted: CiteRequest, refusal: Uncitable, root: Root) -> None:
    """Say why it is not cited, and how to say which of several is meant."""
    places = refusal.places
    if wanted.format_ == "json":
        said = [{"path": one.path, "lines": [one.lines.first, one.lines.last], "line": one.line} for one in places]
        fields = {"schema": _SCHEMA, "text": None, "refused": refusal.kind, "reason": str(refusal)}
        print_json({**fields, "places": said, "more": refusal.more})
        sys.exit(1)
    complain(refusal)
    folder = _folder(root)
    for place in places:
        span = place.lines.text
        click.echo(f"  {escape_text(place.path)}:{span}: {escape_text(place.line, 120)}", err=True)
        if len(places) > 1:
            typed = os.path.relpath(place.path, folder) if folder else place.path
            say(f"    {_again(wanted, f'{typed}:{span}')}", err=True)
    if refusal.more:
        click.echo(f"  and {refusal.more:,} more; give more words, or --in PATH", err=True)
    sys.exit(1)


def _again(wanted: CiteRequest, target: str) -> str:
    """The command that cites one of the places."""
    options = [
        word
        for name in ("style", "into", "at", "after", "root")
        if (value := getattr(wanted, name))
        for word in (f"--{name}", str(value))
    ]
    options += ["--dry-run"] if wanted.dry_run else []
    dashed = ["--"] if target.startswith("-") else []
    return join(["pincite", "cite", *options, *dashed, target])
