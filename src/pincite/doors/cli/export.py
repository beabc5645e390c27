"""`pincite export`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...project.documents import root_key
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.files import Root
from ...safe.report_output import output_to
from ...text.document import Document
from ...text.lines import decode, format_count
from .kit import color_diff_line, complain, paths_argument, print_lines, root_option, say, wants_color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...domains.capture.export import CitedText
    from ...project.config import Config


@click.command("export")
@paths_argument("[DOC|ID]...", "what")
@click.option("-o", "--output", metavar="DIR", help="Folder of the bundle, new or a bundle already; - prints markdown.")
@click.option("--inline", is_flag=True, help="Attach the output to the end of the one document named.")
@click.option("--dry-run", is_flag=True, help="With --inline: print the change and write nothing.")
@root_option()
def command(what: tuple[str, ...], output: str | None, inline: bool, dry_run: bool, root: str | None) -> None:
    """Write cited output, and nothing else, so that it can be checked on any machine.

    DOC is a document or a folder of them, ID what a citation names: d05d1b, d05d1b:1-6 or '【d05d1b†L1-L6】'.
    Without either, every document is meant. A bundle is plain files and a manifest, found by `check` anywhere below
    the root. Exit code: 0 written, 1 some id means nothing (then nothing is written), 2 it could not be done.
    """
    from ...domains.capture.export import find_wanted_ids, gather
    from ...sources import World

    if inline == (output is not None):
        raise UsageError("say where to: -o DIR for a bundle, -o - for markdown, or --inline for the document itself")
    if dry_run and not inline:
        raise UsageError("--dry-run goes with --inline")
    project = open_project(root, [name for name in what if os.path.lexists(name)])
    opened, config = project.root, project.config
    document = _one_document(opened, what) if inline else ""
    try:
        found, failures = gather(
            World(opened, project.git, config.repository), find_wanted_ids(opened, project.git, config, what)
        )
    finally:
        project.close_git()
    for failure in failures:
        complain(failure)
    if not failures and not found:
        say("Nothing is cited that was captured.", err=True)
    if failures or not found:
        sys.exit(1)
    if inline:
        _attach(opened, config, document, found, dry_run)
    else:
        _write(opened, output or "-", found)


def _one_document(root: Root, what: Sequence[str]) -> str:
    """The key of the document that output is attached to."""
    key = root_key(root, what[0]) if len(what) == 1 else ""
    if not key or not root.is_file(key) or not Document(key, "").is_markdown:
        raise UsageError("--inline needs the name of one markdown document")
    return key


def _attach(root: Root, config: Config, key: str, found: list[CitedText], dry_run: bool) -> None:
    from ...domains.capture.inline import attach_texts
    from ...engine.repair.fix import Fix, make_fix_diff, write

    old = root.read(key, root.limits.document_bytes)
    text = decode(old)
    new = old[: len(old) - len(text.encode())] + attach_texts(key, text, found, config).encode()
    if new == old:
        say(f"{key}: everything it cites is attached already.", err=True)
        return
    fix = Fix(key, old, new, (), ())
    if dry_run:
        color = wants_color()
        print_lines(color_diff_line(escape_text(line), color) for line in make_fix_diff(fix))
        return
    write(root, fix)
    say(f"Attached {_count(found)} to {key}.", err=True)


def _write(root: Root, output: str, found: list[CitedText]) -> None:
    from ...domains.capture.export import bundle
    from ...domains.capture.inline import format_block
    from ...safe.user_paths import open_output
    from ...store.bundle import MANIFEST, holds_bundle, read_manifest, write_bundle

    if output == "-":
        with output_to(None) as out:
            out("\n".join(format_block(text) for text in found))
        return
    place, key = open_output(output, root.path)
    with place:
        # Links inside the tree are resolved by now, and nothing below follows one.
        folder_path = os.path.join(place.path, place.locate(key) if place.stat(key) is not None else key)
    if not holds_bundle(folder_path):
        raise UsageError(f"{output}: holds other things than a bundle; name a new folder, or one exported before")
    known = None
    if os.path.lexists(os.path.join(folder_path, MANIFEST)):
        with Root(folder_path) as folder:
            known = read_manifest(folder, MANIFEST)
    write_bundle(folder_path, *bundle(found, known))
    say(f"Wrote {_count(found)} to {output}.", err=True)


def _count(found: list[CitedText]) -> str:
    return format_count(len({text.digest for text in found}), "text")
