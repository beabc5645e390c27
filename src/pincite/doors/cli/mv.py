"""`pincite mv`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ..._version import __version__
from ...engine.renaming import plan_rename
from ...project.documents import root_key
from ...project.project import open_project
from ...safe.escape import escape_text, json_text
from ...safe.report_output import output_to
from ...text.lines import decode, format_count
from . import kit
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...engine.renaming import RenamePlan
    from ...safe.files import Root

SCHEMA = "pincite.mv/1"
_CHARS = 160


@click.command("mv")
@click.argument("old", metavar="OLD", shell_complete=complete_path)
@click.argument("new", metavar="NEW", shell_complete=complete_path)
@click.option("--dry-run", is_flag=True, help="Show what would be renamed and rewritten, and change nothing.")
@click.option("--forget", is_flag=True, help="Rewrite lines also where that hides that what they cite changed.")
@kit.format_option("A diff, or one JSON object.")
@kit.root_option()
def command(old: str, new: str, dry_run: bool, forget: bool, format_: str, root: str | None) -> None:
    """Rename a file or folder, and rewrite every citation of it.

    Where NEW is a folder that exists, OLD is moved into it. What git tracks is renamed in its index, too, with what is
    staged. A document that moves keeps its own citations leading where they led. Entries of pincite.lock and
    .pincite-accepted follow. What cannot be rewritten without guessing is listed with the reason. Exit code: 0 done,
    1 done, and something was left, 2 nothing was done.
    """
    with open_project(root, [old]) as project:
        pair = _name_keys(project.root, old, new)
        plan = plan_rename(project, [pair], forget=forget)
        records: tuple[str, ...] = ()
        if not dry_run:
            from ...engine.rename_writing import write_rename

            records = write_rename(project, plan)
        with output_to(None) as out:
            if format_ == "json":
                out(json_text(_make_object(plan, not dry_run, records), indent=2) + "\n")
            else:
                color = kit.wants_color()
                for line in _make_diff(plan):
                    out(kit.color_diff_line(escape_text(line), color) + "\n")
        for row in _describe(plan, dry_run, records):
            kit.say(row, err=True)
    sys.exit(int(bool(plan.left or plan.skipped)))


def _name_keys(root: Root, old: str, new: str) -> tuple[str, str]:
    """The names as keys; a new name that is a folder stands for a place in it."""
    before, after = root_key(root, old), root_key(root, new)
    is_root = not after and bool(new)
    is_folder = root.stat(after) is not None and os.path.isdir(os.path.join(root.path, after))
    if is_root or (is_folder and not _is_same_folder(root, before, after)):
        name = before.rpartition("/")[2]
        after = f"{after}/{name}" if after else name
    return before, after


def _is_same_folder(root: Root, one: str, other: str) -> bool:
    """Whether two names are of one folder, in which case only the spelling changes."""
    first, second = root.stat(one), root.stat(other)
    same = first is not None and second is not None and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
    return same and one != other


def _make_diff(plan: RenamePlan) -> Iterator[str]:
    from ...engine.rename_writing import make_new_bytes
    from ...engine.repair.fix import Fix, make_fix_diff

    for document, old in plan.old.items():
        yield from make_fix_diff(Fix(document, old, make_new_bytes(plan, document), (), ()))


def _describe(plan: RenamePlan, dry_run: bool, records: tuple[str, ...]) -> Iterator[str]:
    """What was done, and what was not."""
    for one in plan.left:
        raw = " ".join(one.raw.split())[:_CHARS]
        yield f"left  {one.document}:{one.line}  {raw}  ({one.reason})"
    for document, why in plan.skipped:
        yield f"left  {document}  cannot be read ({why})"
    ((old, new),) = plan.renames
    cited = sum(one.old != one.new or one.target != one.new_target for one in plan.rewritten)
    verbs = ("would be renamed to", "would be rewritten") if dry_run else ("renamed to", "rewritten")
    counted = f"{format_count(cited, 'citation')} in {format_count(len(plan.edits), 'document')} {verbs[1]}"
    left = f", {len(plan.left):,} left" if plan.left else ""
    yield f"{old} {verbs[0]} {new}; {counted if plan.edits else 'no citation had to be rewritten'}{left}."
    if records:
        yield f"{' and '.join(records)} followed; commit {'it' if len(records) == 1 else 'them'}."


def _make_object(plan: RenamePlan, written: bool, records: tuple[str, ...]) -> dict[str, Any]:
    """The rename for programs."""
    documents = []
    for document, edits in plan.edits.items():
        text = decode(plan.old[document])
        rows = [
            {
                "start": edit.span.start,
                "end": edit.span.end,
                "old": text[edit.span.start : edit.span.end],
                "new": edit.replacement,
            }
            for edit in edits
        ]
        documents.append({"document": document, "renamed": plan.find_new_path(document), "edits": rows})
    left = [kit.pick_fields(one, "document line raw target reason") for one in plan.left]
    ((old, new),) = plan.renames
    return {
        "schema": SCHEMA,
        "version": __version__,
        "old": old,
        "new": new,
        "written": written,
        "documents": documents,
        "left": [{"citation": one.pop("raw"), **one} for one in left],
        "unread": [{"document": document, "reason": why} for document, why in plan.skipped],
        "records": list(records),
    }
