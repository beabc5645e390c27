"""Random histories: a warm run says what a cold one says, and `--since` tells all that is new."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import sleep

from campaign import Attempt
from msgspec import to_builtins
from msgspec.structs import replace
from world import World

from pincite.core.errors import PinciteError
from pincite.core.model import Report
from pincite.engine.run import Request, Run
from pincite.project.config import load_config
from pincite.safe.files import Root

SETTLED = 0.045
"""Seconds after which a change is told from a look at it."""
BRIEF, LONG = 6, 150
"""Worlds of each kind."""

PATHS = ((), (), ("src", "d0.md", "noted"), ("src",), (".serena", "made"))
"""What is asked for; the same for all rounds of a world."""

Said = list[str]
Findings = dict[tuple[str, str, str], int]


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """All tries of this campaign; a seed of its own for each, so that one can be tried again alone."""
    os.environ["PINCITE_CACHE"] = str(scratch / "cache")
    for number in range(BRIEF if brief else LONG):
        seed = random.randrange(1_000_000) if number else 0
        yield try_warm(scratch / f"warm{number}", seed)
        yield try_since(scratch / f"since{number}", seed)


def try_warm(place: Path, seed: int, rounds: int = 8) -> Attempt:
    """Whether warm equals cold after every few steps."""
    random = Random(f"warm {seed}")
    world = World(place, random)
    paths = random.choice(PATHS)
    try:
        for _ in range(rounds):
            world.done.append("|")
            for _ in range(random.randrange(1, 4)):
                world.step()
            if random.random() < 0.8:
                sleep(SETTLED)
            warm, cold = say_all(world.path, paths), say_all(world.path, paths, cache=False)
            if warm != cold:
                odd = [f"warm {line}" for line in warm if line not in cold]
                odd += [f"cold {line}" for line in cold if line not in warm]
                return Attempt("warm equals cold", f"seed {seed}", False, f"{odd[:4]} after {world.done}")
    finally:
        world.close()
    return Attempt("warm equals cold", f"seed {seed}", True)


def try_since(place: Path, seed: int, rounds: int = 5) -> Attempt:
    """Whether `--since` tells every finding that the check at the commit had not."""
    random = Random(f"since {seed}")
    world = World(place, random, tracked=True)
    kind = "since tells all that is new"
    try:
        for _ in range(rounds):
            world.look_again()
            world.commit()
            world.git("tag", "-f", "base", check=True)
            world.done.append("|")
            before = find_all(world.path)
            for _ in range(random.randrange(1, 6)):
                world.step()
            now, told = find_all(world.path), find_all(world.path, "base", cache=True)
            lost = [name for name, often in now.items() if often > before.get(name, 0) and told.get(name, 0) < 1]
            if lost:
                return Attempt(kind, f"seed {seed}", False, f"{lost[:4]} after {world.done}")
    finally:
        world.close()
    return Attempt(kind, f"seed {seed}", True)


def say_all(path: Path, paths: tuple[str, ...] = (), cache: bool = True) -> Said:
    """Everything that a run says but how long it took."""
    try:
        with Root(str(path)) as root:
            run = Run(root, Request(paths=paths, config=load_config(str(path))[0], cache=cache))
            said = sorted(row for report in run.reports() for row in _rows(report))
            run.summary.seconds = 0
            return [*said, str(to_builtins(run.summary))]
    except PinciteError as error:
        return [f"{type(error).__name__}: {error}"]


def _rows(report: Report) -> Iterator[str]:
    """A report, line by line, without the times at which files were read."""
    for one in report.verdicts:
        seen = one.seen and (one.seen.path, one.seen.digest, one.seen.folded)
        said = [to_builtins(finding) for finding in (*one.findings, *one.silenced)]
        yield f"{report.document}:{one.line}:{one.column} {one.citation.raw!r} {said} {seen} {one.excerpt}"
    yield f"{report.document} {to_builtins(report.malformed)} {to_builtins(replace(report, verdicts=(), malformed=()))}"


def find_all(path: Path, since: str = "", cache: bool = False) -> Findings:
    """Every finding, and how often it is there."""
    found: Findings = {}
    with Root(str(path)) as root:
        run = Run(root, Request(config=load_config(str(path))[0], since=since, cache=cache))
        for report in run.reports():
            for name in _names(report):
                found[name] = found.get(name, 0) + 1
    return found


def _names(report: Report) -> Iterator[tuple[str, str, str]]:
    for one in report.verdicts:
        for finding in one.findings:
            yield report.document, one.citation.raw, finding.check
    for bad in report.malformed:
        yield report.document, bad.malformed.raw, "malformed-citation"
    if report.error:
        yield report.document, "", report.error
