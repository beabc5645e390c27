"""Ten small repositories of a weather service, for `pincite fleet`.

python examples/fleet.py DIR     make them in a folder
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NAMES = (
    *("station", "gauge", "barometer", "thermometer", "hygrometer"),
    *("anemometer", "pyranometer", "lightning", "buoy", "archive"),
)
PERSON = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
CODE = '''\
"""Reads the {name}."""

LIMIT = {limit}
PAUSE = 0.5


def read_value(port):
    """One value, as the {name} sends it."""
    return port.read(4)


def is_valid(value):
    """Whether a value can be true."""
    return 0 <= value <= LIMIT


def wait(clock):
    """Give the {name} time to settle."""
    clock.sleep(PAUSE)
'''
MANUAL = """\
# The {name}

A value has four bytes (`src/{name}.py:7-9`), and is at most {limit} (`src/{name}.py:3`).
Values that cannot be true are dropped: `src/{name}.py:12-14`.
Between two values it rests: [wait](../src/{name}.py#L17-L19).
"""
OTHER = "The rain is read as weather/gauge:src/gauge.py:7-9 says.\n"
"""A line of another repository, cited by the station."""


def build(folder: Path) -> None:
    """Make all of them; the same dates and names give the same commits everywhere."""
    for number, name in enumerate(NAMES):
        place = folder / name
        place.mkdir(parents=True)
        _git(place, "init", "--quiet", "--initial-branch=main")
        _git(place, "remote", "add", "origin", f"https://github.com/weather/{name}.git")
        code = CODE.format(name=name, limit=100 + number)
        manual = MANUAL.format(name=name, limit=100 + number) + (OTHER if name == "station" else "")
        _commit(place, {f"src/{name}.py": code, "docs/manual.md": manual}, "The first version", 1)
        _commit(place, {f"src/{name}.py": change(code, number)}, "The second version", 2)


def change(code: str, number: int) -> str:
    """The second version of a program: most stay as they are, some grow, change or shrink."""
    if number % 4 == 1:
        return code.replace("\nLIMIT", "\nimport time\n\nLIMIT")
    if number % 4 == 2:
        return code.replace("read(4)", "read(8)")
    if number == 7:
        return code.partition("\n\ndef wait")[0]
    return code + "\n\n# The end.\n"


def _commit(place: Path, files: dict[str, str], message: str, month: int) -> None:
    for path, text in files.items():
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    _git(place, "add", "--all")
    _git(place, "commit", "--quiet", "--message", message, date=f"2026-0{month}-01T12:00:00+00:00")


def _git(place: Path, *arguments: str, date: str = "") -> None:
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    subprocess.run(["git", "-C", str(place), *arguments], env={**os.environ, **PERSON, **dates}, check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build(Path(sys.argv[1]))
