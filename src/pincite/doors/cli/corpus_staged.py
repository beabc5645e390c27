"""`pincite corpus staged`: the citations that the next commit adds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import Refused, UsageError
from ...safe.escape import escape_text
from ...safe.files import Root
from ...text.lines import format_count
from . import kit
from .corpus_kit import CorpusValidation, tell_unread

if TYPE_CHECKING:
    from ...domains.corpus.staged import StagedChange
    from ...safe.git import Git

_HOOK = """\
#!/bin/sh
# Refuses a commit that adds a citation of a paper that is not in the corpus (see `pincite corpus staged --help`).
if ! command -v pincite >/dev/null 2>&1; then
    echo "pincite is not installed, so the citations of this commit were not checked" >&2
    exit 1
fi
exec pincite corpus staged{options}
"""


@click.command("staged")
@click.option("--strict", is_flag=True, help="Fail on any warning.")
@kit.format_option()
@click.option("--print-hook", is_flag=True, help="Print a script for .git/hooks/pre-commit, and do nothing else.")
@click.option("--install-hook", is_flag=True, help="Write that script, unless there is a hook already.")
@kit.root_option()
def staged(strict: bool, format_: str, print_hook: bool, install_hook: bool, root: str | None) -> None:
    """Validate the citations that the next commit adds.

    Looks at the documents as they are in the index, and there only at added lines: a commit that deletes a bad citation
    passes. Exit code: 0 none is invalid (or none is added), 1 one is (with --strict also: a warning), 2 something
    cannot be read.
    """
    script = _HOOK.format(options=" --strict" if strict else "")
    if print_hook:
        click.echo(script, nl=False)
        return
    project = CorpusValidation(root)
    try:
        git = project.git
        if git is None:
            raise UsageError(f"{project.root.path}: no git repository, or no git to look at it with; run it inside one")
        if install_hook:
            _install(git, script)
        else:
            sys.exit(_check(project, git, strict, format_))
    finally:
        project.close()


def _check(project: CorpusValidation, git: Git, strict: bool, format_: str) -> int:
    from ...domains.corpus.audit import is_wrong
    from ...domains.corpus.report_json import results_json
    from ...domains.corpus.staged import validate_staged

    if project.validator.corpus.policy.commit_level is False:
        kit.complain("the policy switches the commit level off; nothing was checked")
        if format_ == "json":
            kit.save_text("[]\n")
        return 0
    kit.use_hook_index(git)
    found = validate_staged(project.validator, git, project.config)
    kit.save_text(results_json(found.documents) if format_ == "json" else _text(found))
    unreadable = tell_unread(found.documents)
    for warning in found.warnings:
        kit.complain(warning)
    kit.complain(_summary(found))
    return 2 if unreadable else int(is_wrong(found.details, strict) or bool(strict and found.warnings))


def _text(found: StagedChange) -> str:
    """A line for every issue of what is not valid, with what to do about it below."""
    from ...domains.corpus.validation import VALID

    lines: list[str] = []
    for detail in found.details:
        result = detail.result
        for issue in result.issues if result.status != VALID else ():
            place = f"{result.document}:{result.line}:{result.column}"
            lines.append(f"{place}: {result.citation}: {issue.severity}: {issue.message}")
            if issue.suggestion:
                lines.append(f"    {issue.suggestion}")
    return "".join(f"{escape_text(line)}\n" for line in lines)


def _summary(found: StagedChange) -> str:
    documents = format_count(found.changed, "staged document")
    statuses = [detail.result.status for detail in found.details]
    if not statuses:
        return f"{documents}, no citation added"
    wrong = f"{statuses.count('invalid')} invalid, {format_count(statuses.count('warning'), 'warning')}"
    return f"{documents}, {format_count(len(statuses), 'citation')} added: {wrong}"


def _install(git: Git, script: str) -> None:
    """Write the hook where git looks for it, as long as that is inside the repository."""
    from ...safe.write import create

    folder = git.hooks_folder()
    home = next(
        (top for top in (git.common_dir, git.top) if f"{os.path.realpath(folder)}/".startswith(f"{top}/")), None
    )
    if home is None:
        raise UsageError(
            f"core.hooksPath leads out of the repository, to {folder}; `pincite corpus staged --print-hook` prints "
            "the script to put there"
        )
    key = f"{os.path.relpath(os.path.realpath(folder), home)}/pre-commit"
    try:
        with Root(home) as root:
            create(root, key, script.encode(), 0o755, hook=home == git.common_dir)
    except Refused as error:
        raise UsageError(f"{error}; add the line `pincite corpus staged` to it, or see --print-hook") from None
    kit.complain(f"wrote {os.path.join(folder, 'pre-commit')}")
