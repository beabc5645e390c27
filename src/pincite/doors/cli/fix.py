"""`pincite fix`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import click
from msgspec import Struct
from msgspec.structs import replace

from ..._version import __version__
from ...core.errors import PinciteError, Unreadable, UsageError
from ...safe.escape import escape_text, json_text
from ...safe.report_output import output_to
from . import kit
from .fix_report import SCHEMA, FixTally, document_object, forgotten_words, left_words, reader_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...core.model import Report
    from ...engine.repair.dry_run import OfferedEdit
    from ...engine.repair.fix import DocumentFixes, Fix, Fixer
    from ...engine.repair.fix_writer import FixWriter
    from ...engine.repair.plan import DocumentPlan, FixPlanner
    from ...engine.run import Request, Run
    from ...safe.files import Root
    from .fix_dialogue import Dialogue


@click.command("fix")
@kit.paths_argument()
@click.option("--write", "write_", is_flag=True, help="Apply the fixes; without it they are only shown.")
@click.option("--unsafe", is_flag=True, help="Include those that need a reader; they are listed with their evidence.")
@click.option("--interactive", "-i", is_flag=True, help="Ask about one after the other, and write what is agreed to.")
@click.option("--to-symbols", is_flag=True, help="Cite definitions by name (path::name) instead of by line.")
@kit.format_option("A diff, or one JSON object.")
@click.option("--since", metavar="REV", help="Only citations that changes since REV could have affected.")
@click.option("--baseline", metavar="FILE", help="Findings listed in FILE are left alone.")
@click.option("--stdin-name", metavar="PATH", default="-", help="The path that '-' (standard input) stands for.")
@kit.common
def command(
    paths: tuple[str, ...],
    write_: bool,
    unsafe: bool,
    interactive: bool,
    to_symbols: bool,
    format_: str,
    since: str | None,
    baseline: str | None,
    stdin_name: str,
    wishes: kit.DocumentOptions,
) -> None:
    """Correct citations whose evidence moved.

    Prints a unified diff and changes nothing; --write applies it. Only what stands elsewhere unchanged is corrected;
    what was edited as well is left to --interactive and --unsafe. With '-' the document is read from standard input,
    and --write prints it fixed. Exit code: 0 done or nothing to do, 2 something could not be read or written.
    """
    from ...engine.run import Request, Run
    from ...project.baseline_file import baseline_file, read_baseline
    from .check import read_arguments

    if interactive and (format_ == "json" or "-" in paths):
        raise click.UsageError("--interactive goes neither with --format json nor with '-'")
    if to_symbols:
        from ...symbols import at_hand

        if not at_hand():
            raise UsageError("--to-symbols needs the grammars of programming languages: pip install 'pincite[symbols]'")
    opened, config = wishes.open(paths)
    known = baseline_file(opened, baseline, config.baseline)
    stdin, keys = read_arguments(opened, paths, stdin_name)
    request = Request(
        keys,
        config,
        every=to_symbols,
        since=since or "",
        known=frozenset(read_baseline(known, opened.path) if known else ()),
        jobs=kit.count_processes(wishes.jobs),
        cache=not wishes.no_cache,
        thorough=True,
        afresh=True,
        stdin=stdin,
    )
    options = _FixOptions(write_ or interactive, unsafe, to_symbols, interactive, format_ == "json")
    sys.exit(_Session(Run(opened, request), options).perform())


def fix_first(root: Root, request: Request, quiet: bool) -> bool:
    """Apply the safe fixes of what a run would report; gives whether all could be written."""
    from ...engine.run import Run

    session = _Session(Run(root, replace(request, afresh=True)), _FixOptions(True, silent=True, quiet=quiet))
    session.perform()
    return not session.tally.failed


class _FixOptions(Struct, frozen=True):
    """How fixes are chosen and shown."""

    write: bool
    unsafe: bool = False
    to_symbols: bool = False
    interactive: bool = False
    as_json: bool = False
    silent: bool = False
    """Whether no diff is printed."""
    quiet: bool = False
    """Whether nothing is printed but what goes wrong."""


class _Session:
    """One call: check, choose, try, show, write."""

    def __init__(self, run: Run, options: _FixOptions) -> None:
        self.run = run
        self.options = options
        self.tally = FixTally()
        self._objects: list[dict[str, Any]] = []
        self._out: Callable[[str], object] = lambda text: None
        self._dialogue: Dialogue | None = None
        self._writer: FixWriter | None = None
        """None where nothing is to be written."""

    def perform(self) -> int:
        """Do it all; gives the exit code."""
        from ...engine.repair.fix_writer import FixWriter, list_offering_reports
        from ...engine.repair.plan import FixPlanner

        run, options, tally = self.run, self.options, self.tally
        with kit.Progress(True) as progress:
            reports = list(list_offering_reports(run, tally.see, progress.step, options.to_symbols))
        planner = FixPlanner(run, options.to_symbols)
        fixer = planner.fixer
        self._writer = FixWriter(run, fixer) if options.write else None
        with output_to(None) as out:
            self._out = (lambda text: None) if options.silent else out
            try:
                for plan in self._plan(planner, reports):
                    if plan.error is not None:
                        self._complain(plan.error)
                    elif plan.offers is not None:
                        self._handle(fixer, plan.offers, plan.fix)
            finally:
                self._follow_locks()
            self._fix_quotes()
            if run.request.stdin is not None and options.write and not options.as_json and not tally.documents:
                _put(run.request.stdin[1])
            if options.as_json:
                whole = {"schema": SCHEMA, "version": __version__, "documents": self._objects}
                self._out(json_text({**whole, "summary": tally.numbers()}, indent=2) + "\n")
        planner.close()
        run.close()
        if self._writer is not None and run.request.stdin is None:
            self._writer.sweep()
        if not options.quiet:
            for row in (*left_words(tally.left), *tally.words(options.write, run.summary)):
                click.echo(row, err=True)
        return 2 if tally.failed or run.summary.exit_code == 2 else 0

    def _plan(self, planner: FixPlanner, reports: Sequence[Report]) -> Iterator[DocumentPlan]:
        """What becomes of each document; all is planned before the first one is written."""
        options = self.options
        if options.interactive:
            yield from map(planner.offer, reports)
            return
        with kit.Progress(True, doing="fixing") as progress:
            plans = []
            for number, plan in enumerate(planner.plan(reports, options.unsafe), 1):
                progress.step(number, len(reports))
                if options.write:
                    plans.append(plan)
                else:
                    progress.clear()
                    yield plan
        yield from plans

    def _fix_quotes(self) -> None:
        """The same for what topics of research quote, where one was named or lies below what was."""
        if self.options.silent or self.options.to_symbols or not _names_research(self.run):
            return
        from functools import partial

        from ...domains.research.quote_repair import Quotes, describe_next_step, topics_below
        from ...engine.repair.fix import Fixer

        root, summary = self.run.root, self.run.summary
        for topic in topics_below(root, self.run.request.paths):
            quotes = Quotes(root, topic, self.run.request.config.research.megabytes)
            fixer = Fixer(root, partial(cast, "DraftEngine", quotes))
            try:
                report, data = quotes.report()
                summary.documents += bool(data)
                summary.citations += len(report.verdicts)
                if report.error:
                    raise Unreadable(report.error)
                self.tally.see(report)
                offers = fixer.offers(report, data)
            except PinciteError as error:
                summary.exit_code = 2
                kit.complain(error)
                continue
            if offers is None:
                continue
            wanted = (
                [] if self.options.interactive else [one for one in offers.changes if self.options.unsafe or one.safe]
            )
            fix = fixer.fix(offers, wanted) if wanted else None
            if self._handle(fixer, offers, fix) and (words := describe_next_step(topic)):
                kit.say(words, err=True)

    def _handle(self, fixer: Fixer, offers: DocumentFixes, fix: Fix | None) -> bool:
        """Show or write a document's fix, in a dialogue what is agreed to; gives whether it was written."""
        options, tally = self.options, self.tally
        if options.interactive and (wanted := self._ask(offers)):
            fix = fixer.fix(offers, wanted, True)
        written = False
        to_disk = options.write and self.run.request.stdin is None
        if fix is not None and fix.changes:
            self._show(offers, fix)
            written = to_disk and self._write(fixer, fix)
        tally.add(offers, fix, written or not to_disk, asked=options.interactive)
        if options.as_json:
            self._objects.append(document_object(offers, fix, written))
        return written

    def _ask(self, offers: DocumentFixes) -> Sequence[OfferedEdit]:
        """The edits that the user agrees to."""
        from .fix_dialogue import Dialogue, EndOfAnswers, choose_answer_source

        if self._dialogue is None:
            width = kit.terminal_width() or 80
            self._dialogue = Dialogue(choose_answer_source(), self._out, width, kit.wants_color())
        if self._dialogue.stopped:
            self.tally.unasked += len(offers.changes)
            return ()
        try:
            agreed = self._dialogue.choose(offers)
        except EndOfAnswers:
            # The answers so far may not be all of them.
            self._dialogue.stopped = True
            self._out("\n")
            self.tally.unasked += len(offers.changes)
            return ()
        self.tally.declined += len(offers.changes) - len(agreed)
        return agreed

    def _show(self, offers: DocumentFixes, fix: Fix) -> None:
        """The diff on standard output; what it cannot say on standard error."""
        from ...engine.repair.fix import make_fix_diff, patch

        options = self.options
        if self.run.request.stdin is not None and options.write and not options.as_json:
            _put(fix.new)
        elif not (options.as_json or options.interactive or options.silent):
            color = kit.wants_color()
            if color or sys.stdout.isatty():
                for line in make_fix_diff(fix):
                    self._out(kit.color_diff_line(escape_text(line), color) + "\n")
            else:
                # A patch is bytes: it applies only as it is.
                _put("".join(f"{line}\n" for line in patch(fix)).encode("utf-8", "surrogateescape"))
        for verdict in fix.forgotten:
            click.echo(forgotten_words(fix.document, verdict), err=True)
        doubtful = [change for change in fix.changes if not change.safe]
        if doubtful and not options.interactive:
            click.echo("needs a reader:", err=True)
            for change in doubtful:
                for row in reader_words(fix.document, offers.text, change):
                    click.echo(row, err=True)

    def _write(self, fixer: Fixer, fix: Fix) -> bool:
        """Put a fixed document in place; gives whether that succeeded."""
        from ...engine.repair.fix_writer import FixWriter

        # The quotes of a topic are judged by a fixer of their own.
        planned = self._writer is not None and self._writer.fixer is fixer
        writer = self._writer if planned and self._writer is not None else FixWriter(self.run, fixer)
        try:
            writer.write(fix, self.options.interactive)
        except PinciteError as error:
            self._complain(error)
            return False
        return True

    def _follow_locks(self) -> None:
        """Let what is locked follow the citations that were written."""
        try:
            if self._writer is not None:
                self._writer.follow_locks()
        except PinciteError as error:
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        self.tally.failed += 1
        kit.complain(error)


def _names_research(run: Run) -> bool:
    """Whether a path that was asked for may lead to a topic; finding out more takes long to load."""
    asked = [key.strip("/") for key in run.request.paths]
    home = any(not key or f"{key}/".startswith(".research/") for key in asked)
    return home and run.root.stat(".research") is not None


def _put(data: bytes) -> None:
    """Bytes to standard output, in turn with what else is printed."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
