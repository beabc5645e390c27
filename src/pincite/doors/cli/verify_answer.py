"""`pincite verify-answer`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import cache
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import Missing, Refused, UsageError
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.files import read_path
from ...safe.report_output import output_to
from ...text.lines import format_count
from .kit import format_option, paint, print_json, read_stdin, root_option, say, wants_color
from .shell_values import complete_path, complete_provider

if TYPE_CHECKING:
    from ...domains.retrieval.answers.library import DocumentLibrary
    from ...domains.retrieval.answers.model import AnswerReport


class _Command(click.Command):
    """Takes several paths behind one `--docs`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        inside = False
        for at, word in enumerate(args):
            if word == "--":
                spread += args[at:]
                break
            if word == "--docs":
                inside = True
                if at + 1 == len(args) or args[at + 1].startswith("--"):
                    spread.append(word)
            elif word.startswith("-") and word != "-":
                inside = False
                spread.append(word)
            else:
                spread += ["--docs", word] if inside else [word]
        return super().parse_args(ctx, spread)


def _parse_provider(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The name of a provider; those there are are looked up only when one is given."""
    if value:
        from ...domains.retrieval.answers import provider_names

        if value not in (names := provider_names()):
            raise click.BadParameter(f"{value!a} is no provider; choose from: {', '.join(names)}")
    return value


@click.command("verify-answer", cls=_Command)
@click.argument("response", metavar="RESPONSE.json", shell_complete=complete_path)
@click.option(
    "--docs",
    "docs",
    metavar="PATH…",
    multiple=True,
    shell_complete=complete_path,
    help="The documents that were sent: files in order, or folders (default: the repository).",
)
@root_option("Folder whose files are taken where there are no --docs")
@format_option("How to print (default: text).")
@click.option(
    "--provider",
    callback=_parse_provider,
    default="",
    metavar="NAME",
    shell_complete=complete_provider,
    help="Whose response it is (default: by shape).",
)
@click.option("--strict", is_flag=True, help="What was not checked, and sentences without a citation, fail too.")
@click.option("--all", "all_", is_flag=True, help="Print citations that hold, too.")
def command(
    response: str, docs: tuple[str, ...], root: str | None, format_: str, provider: str, strict: bool, all_: bool
) -> None:
    """Check the citations in a model's answer against the documents it claims to quote.

    RESPONSE.json is what the API gave back, as JSON; `-` reads standard input; several may stand in a file, one per
    line. Read are messages of Anthropic, OpenAI (Responses, Chat, threads), Cohere, Gemini and Perplexity. A plain
    text is for `pincite check -`.

    Without --docs the documents are those of the request, else the files of the repository that `pincite search`
    indexes. A citation of a document that is none of them is then unchecked.

    Exit code: 0 all citations hold, 1 some do not or the response is defective, 2 something cannot be read.
    """
    from ...domains.retrieval.answers.answer_rows import MOST_SHOWN, count_outcomes, list_rows, make_fields, summarize

    data = _read(response)
    reports, repository = _check(data, response, docs, provider, root)
    code = max((report.exit_code(strict) for report in reports), default=0)
    if format_ == "json":
        answers = [make_fields(report) for report in reports]
        summary = {**count_outcomes(reports), "exit_code": code}
        print_json({"schema": "pincite.answers/1", "repository": repository, "answers": answers, "summary": summary})
    else:
        colored = wants_color()
        with output_to(None) as out:
            for report in reports:
                for row, color in list_rows(report, all_):
                    out(paint(escape_text(row, MOST_SHOWN * 8), color, colored) + "\n")
            out(escape_text(summarize(reports, code)) + "\n")
    sys.exit(code)


def _check(
    data: bytes, response: str, docs: tuple[str, ...], provider: str, root: str | None
) -> tuple[list[AnswerReport], dict[str, Any] | None]:
    """The reports, and which repository stood for the documents; None where none did."""
    from ...domains.retrieval.answers import check_responses, open_repository
    from ...domains.retrieval.answers.load import PlainText

    source = "standard input" if response == "-" else response
    with ExitStack() as stack:

        @cache
        def repository() -> DocumentLibrary:
            project = stack.enter_context(open_project(root))
            return stack.enter_context(open_repository(project, response))

        try:
            reports = list(check_responses(data, source, docs, provider, None if docs else repository))
        except PlainText as error:
            command = "pincite check -" if response == "-" else f"pincite check - < {quote(response)}"
            raise UsageError(f"{error}. The citations in a plain text are checked by: {command}") from None
        if not repository.cache_info().currsize:
            return reports, None
        files, folder = len(repository().documents), repository().folder
    say(f"no --docs: compared with {format_count(files, 'file')} of {folder}", err=True)
    return reports, {"root": folder, "files": files}


def _read(response: str) -> bytes:
    from ...domains.retrieval.answers.load import MOST_BYTES
    from ...safe.user_paths import refuse_way_out

    if response == "-":
        return read_stdin(MOST_BYTES)
    refuse_way_out(response)
    try:
        return read_path(response, MOST_BYTES)
    except Missing:
        what = "not a file" if os.path.lexists(response) else "no such file"
        raise UsageError(f"{response}: {what}; pass a response as JSON, or - for standard input") from None
    except Refused as error:
        raise UsageError(f"{response}: cannot be read: {error}") from None
