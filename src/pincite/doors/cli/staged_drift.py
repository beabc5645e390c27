"""What a commit does to citations, for `pincite check --staged`: the documents it changes, and the drift it causes."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...core.model import Severity
from ...engine.run import Run
from ...project.documents import excluder, is_evidence
from ...project.project import Project
from ...safe.escape import escape_text
from ...safe.files import has_ending
from ...text.lines import format_count
from . import kit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...core.model import Report
    from ...engine.affected import AffectedCitation
    from ...engine.run import Progress, Request
    from ...project.config import Config
    from ...safe.files import Root

_MOST = 20
"""Citations that are listed one by one."""
_MOST_NAMED = 5
"""Documents that a command names."""


class StagedDrift:
    """The change that is staged: the documents in it, and what it does to the citations of all."""

    def __init__(self, root: Root, config: Config, keys: tuple[str, ...], stdin: bool) -> None:
        """With `keys`, these are checked instead of what is staged. Raises UsageError where there is no repository."""
        if stdin:
            raise click.UsageError("--staged looks at files; '-' is none")
        self._root = root
        self._config = config
        git = Project(root, config).git()
        if git is None:
            raise UsageError(f"{root.path}: --staged needs a git repository; run it inside one or leave it out")
        self._git = git
        kit.use_hook_index(git)
        self.documents = keys or self._list_staged()
        """What is to be checked."""
        self._printed: set[tuple[str, int, int]] = set()

    def _list_staged(self) -> tuple[str, ...]:
        """The documents that the commit adds or changes."""
        excluded, config, root = excluder(self._config.exclude), self._config, self._root
        changed = self._git.list_changed_paths(self._git.parents_to_be()[0], staged=True)
        return tuple(
            path
            for path in sorted(changed)
            if has_ending(path, config.endings)
            and not excluded(path)
            and root.is_file(path)
            and not is_evidence(root, path)
        )

    def make_run(self, request: Request, quiet: bool) -> Run:
        """The run over these documents, which keeps in mind what of it is printed; over none where none is staged."""
        if not self.documents:
            return _EmptyRun(self._root, request)
        return _NotedRun(self._root, request, self._printed, quiet)

    def report(self, to_stdout: bool) -> tuple[int, int]:
        """Print what was not printed yet: how many files the change invents, and on how many citations it tells."""
        from ...engine.affected import Effect, look, since_head
        from ...engine.affected.already_stale import compare_with_history

        try:
            result = look(self._root, self._config, self._git, since_head(self._git, True))
            compare_with_history(result, self._root, self._config)
        finally:
            self._git.close()
        wanted = [
            item
            for item in result.items
            if item.needs_attention and (item.document, item.line, item.column) not in self._printed
        ]
        items = [item for item in wanted if item.effect is not Effect.NEW]
        # Of new text the run said all but that a file was invented: elsewhere such words are no citation.
        invented = [item for item in wanted if item.effect is Effect.NEW and item.outcome == "missing"]
        color = kit.wants_color()
        for line in (*_describe_invented(invented, color), *_describe_drift(items, color)):
            click.echo(line, err=not to_stdout)
        return len(invented), len(items)


class _EmptyRun(Run):
    """A run over no document."""

    def parts(self, progress: Progress | None = None) -> Iterator[Report]:
        """Nothing."""
        return iter(())


class _NotedRun(Run):
    """A run that notes where it found what a report prints."""

    def __init__(self, root: Root, request: Request, printed: set[tuple[str, int, int]], quiet: bool) -> None:
        super().__init__(root, request)
        self._printed = printed
        self._loudness = Severity.ERROR if quiet and not request.strict else Severity.WARNING

    def parts(self, progress: Progress | None = None) -> Iterator[Report]:
        """The reports, as they come."""
        for report in super().parts(progress):
            for verdict in report.verdicts:
                if verdict.findings and verdict.severity >= self._loudness:
                    self._printed.add((report.document, verdict.line, verdict.column))
            yield report


def _describe_invented(items: Sequence[AffectedCitation], color: bool) -> Iterator[str]:
    """New citations of files that neither are nor were."""
    from ...engine.affected.report import describe_item

    if items:
        yield kit.paint(f"✗ This commit cites what is not there: {format_count(len(items), 'citation')}", "1", color)
    for item in items[:_MOST]:
        yield from describe_item(item, color)
    if len(items) > _MOST:
        yield f"and {len(items) - _MOST:,} more: `pincite affected --staged` lists all"


def _describe_drift(items: Sequence[AffectedCitation], color: bool) -> Iterator[str]:
    """What a commit does to citations, and what to type."""
    from ...engine.affected import Effect
    from ...engine.affected.report import describe_item

    if not items:
        return
    documents = format_count(len({item.document for item in items}), "document")
    number = "1 citation rests" if len(items) == 1 else f"{len(items):,} citations rest"
    yield kit.paint(f"⚠ This commit changes what {number} on, in {documents}:", "1", color)
    for item in items[:_MOST]:
        yield from describe_item(item, color)
    if len(items) > _MOST:
        yield f"and {len(items) - _MOST:,} more: `pincite affected --staged` lists all"
    movable = list(dict.fromkeys(item.document for item in items if item.effect is Effect.MOVES and item.fix))
    if movable:
        names = "".join(f" {shlex.quote(name)}" for name in movable) if len(movable) <= _MOST_NAMED else ""
        yield escape_text(f"  moved: `pincite fix --write{names}` lets the citations follow; then `git add` them")
    rest = [item for item in items if item.effect is not Effect.MOVES or not item.fix]
    here = next((item for item in rest if item.effect is Effect.EDITS and _is_in_place(item)), None)
    if here is not None:
        command = f"pincite accept {shlex.quote(f'{here.document}:{here.line}')}"
        yield escape_text(f"  edited: read the sentence again; correct it, or run `{command}` if it is still true")
    ways = (Effect.EDITS, Effect.MOVES)
    elsewhere = next((item for item in rest if item.effect in ways and not _is_in_place(item)), None)
    if elsewhere is not None:
        command = f"pincite fix --interactive {shlex.quote(elsewhere.document)}"
        yield escape_text(f"  edited and moved: `{command}` shows what was cited and what stands there now")
    if any(item.effect in (Effect.DELETES, Effect.UNKNOWN) for item in rest):
        yield "  gone or at several places: correct the documents"


def _is_in_place(item: AffectedCitation) -> bool:
    """Whether the cited text stands where it is cited from."""
    from ...checks.wording import format_place

    return item.place is None or format_place(item.place) == item.target
