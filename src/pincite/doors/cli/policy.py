"""`pincite policy`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...core.errors import UsageError
from ...project.config import POLICIES
from ...project.project import open_project
from ...safe.files import Root
from ...text.lines import format_count
from .corpus_kit import at_root, in_format
from .kit import print_json, say
from .shell_values import complete_path

if TYPE_CHECKING:
    from ...project.policy import LoadedPolicy


@click.group("policy")
def command() -> None:
    """Show, check and print the citation policy.

    A project's policy is the file citation-integrity.yaml at its top, in .aiwg or in .aiwg/research (.yml and .json
    are read too). Without one, the defaults are in force.
    """


@command.command("show", short_help="Print the policy in force and where it comes from.")
@in_format
@click.option("--schema", "schema_", is_flag=True, help="Print the JSON Schema of policies instead.")
@at_root
def show(format_: str, schema_: bool, root: str | None) -> None:
    """Print the policy in force, complete, and where it comes from.

    As text it is a policy file that means the same; what the project's own file does not say is marked as default.
    """
    from ...project.policy import require_valid_policy
    from ...project.policy.schema import schema_text
    from .policy_text import default_places, policy_data, policy_yaml

    if schema_:
        click.echo(schema_text(), nl=False)
        return
    loaded, folder = _load(root)
    policy = require_valid_policy(loaded)
    given = frozenset[str]() if loaded is None else loaded.given
    if format_ == "json":
        data = policy_data(policy)
        source = {"source": None if loaded is None else loaded.key, "corpus": folder or policy.corpus_path}
        print_json({**source, "policy": data, "defaults": default_places(data, given)})
        return
    if loaded is None:
        click.echo("# No policy file: every value is a default.")
    else:
        say(f"# From {loaded.key}; what it does not say is marked as default.")
    if folder:
        say(f"# The settings put the corpus elsewhere: {folder}")
    click.echo(policy_yaml(policy, given), nl=False)


@command.command("check", short_help="Validate a policy file.")
@click.argument("file", required=False, shell_complete=complete_path)
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@at_root
def check(file: str | None, strict: bool, root: str | None) -> None:
    """Validate FILE, or the project's own policy: every problem with its line, its place and its remedy.

    Exit code: 0 the policy can be obeyed, 1 it has problems, 2 it cannot be read or parsed.
    """
    loaded = _load(root)[0] if file is None else _load_file(file)
    if loaded is None:
        click.echo(f"No policy file ({', '.join(POLICIES[::3])}): the defaults are in force, nothing was checked.")
        return
    for problem in loaded.problems:
        place = f"{problem.place}: " if problem.place else ""
        kind = "warning: " if problem.severity == "warning" else ""
        say(f"{loaded.key}:{problem.line}: {place}{kind}{problem.message}")
    warnings = sum(problem.severity == "warning" for problem in loaded.problems)
    errors = len(loaded.problems) - warnings
    counts = ", ".join(format_count(n, noun) for n, noun in ((errors, "problem"), (warnings, "warning")) if n)
    failed = errors > 0 or (strict and warnings > 0)
    say(f"{'✗' if failed else '✓'} {loaded.key}: {counts or 'a valid policy'}")
    sys.exit(2 if not loaded.parsed else int(failed))


@command.command("prompt", short_help="Print the policy in words, for agents.")
@at_root
def prompt(root: str | None) -> None:
    """Print the policy in force in words, to be put into an agent's instructions."""
    from ...project.policy import require_valid_policy
    from .policy_text import prompt_text

    loaded, folder = _load(root)
    click.echo(prompt_text(require_valid_policy(loaded), folder), nl=False)


def _load(root: str | None) -> tuple[LoadedPolicy | None, str]:
    """The policy of the project around, and the corpus where the settings name one."""
    from ...project.policy import load_policy

    project = open_project(root)
    settings = project.config.corpus
    with project.root as opened:
        return load_policy(opened, settings.policy), settings.path


def _load_file(path: str) -> LoadedPolicy:
    """The policy at a path as typed, wherever it is; raises UsageError where it cannot be read."""
    import os

    from ...project.policy import load_policy
    from ...safe.user_paths import refuse_way_out

    refuse_way_out(path)
    if not os.path.isfile(path):
        raise UsageError(f"{path}: no such file; name a policy file, or none for the project's own")
    folder, name = os.path.split(os.path.realpath(path))
    with Root(folder) as root:
        loaded = load_policy(root, name)
    if loaded is None:
        raise UsageError(f"{path}: no such file")
    return replace(loaded, key=path)
