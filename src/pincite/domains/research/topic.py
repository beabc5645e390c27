"""A topic of research: where its files are, and which one a name means."""

from __future__ import annotations

import os
import re
import stat as st
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError
from ...text.lines import shorten
from .model import STAGES

if TYPE_CHECKING:
    from ...safe.files import Root

HOME = ".research"
"""The folder of all topics, from the root."""
OUTPUTS = "agent-outputs"
SNAPSHOTS = "snapshots"
ENDINGS = (".yaml", ".yml", ".json")
"""How a stage's file may end; the first one is written."""
_NAME = re.compile(r"\w[\w.-]{0,99}")
_MOST_NAMED = 20


class Topic(Struct, frozen=True):
    """One topic. Keys are paths from the root."""

    name: str
    folder: str
    """`.research/NAME`."""
    found: dict[str, tuple[str, ...]] = {}
    """The files that each stage had when the topic was looked for."""

    @property
    def outputs(self) -> str:
        """The folder of the stages' files."""
        return f"{self.folder}/{OUTPUTS}"

    @property
    def report(self) -> str:
        """The report, in markdown."""
        return f"{self.folder}/report.md"

    @property
    def report_html(self) -> str:
        """The report, in HTML."""
        return f"{self.folder}/report.html"

    @property
    def snapshots(self) -> str:
        """The folder of the pages that were fetched."""
        return f"{self.folder}/{SNAPSHOTS}"

    @property
    def attestations(self) -> str:
        """What persons vouch for."""
        return f"{self.folder}/attestations.yaml"

    def has(self, stage: str) -> bool:
        """Whether a stage had a file when the topic was looked for."""
        return bool(self.found.get(stage))

    def path(self, stage: str) -> str:
        """The file of a stage, or the one to write where it has none; raises UsageError where it has two."""
        return one_of(self.found.get(stage, ()), stage) or f"{self.outputs}/{stage}{ENDINGS[0]}"


def topic_named(name: str) -> Topic:
    """A topic that need not exist yet; raises UsageError for a name that cannot be one."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{shorten(name, 120)!r} is no name of a topic; use up to 100 letters, digits, '_', '-' and '.',"
            " the first a letter, a digit or '_'"
        )
    return Topic(name, f"{HOME}/{name}")


def topics(root: Root) -> list[Topic]:
    """Every topic below the root, by name."""
    return [_read_topic(root, name) for name in _names(root)]


def find_topic(root: Root, given: str) -> Topic:
    """The topic of that name, or the one whose folder or file is given; raises UsageError naming those that exist."""
    if _NAME.fullmatch(given) and _is_folder(root, f"{HOME}/{given}"):
        return _read_topic(root, given)
    for key in keys_of(root, given):
        parts = key.split("/")
        if parts[0] == HOME and len(parts) > 1 and _NAME.fullmatch(parts[1]) and _is_folder(root, "/".join(parts[:2])):
            return _read_topic(root, parts[1])
    if given and "/" not in given and not _NAME.fullmatch(given) and given in root.names(HOME):
        topic_named(given)
    known = _names(root)
    more = f" and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else ""
    there = f"there are: {', '.join(known[:_MOST_NAMED])}{more}" if known else f"there is none below {HOME} yet"
    raise UsageError(f"{shorten(given, 200)}: no such topic; {there}")


def keys_of(root: Root, given: str) -> list[str]:
    """What a path may mean below the root: seen from the working folder first, then from the root; at most two."""
    if not given or "\0" in given:
        return []
    top = root.path.rstrip("/") + "/"
    found: list[str] = []
    for base in (os.getcwd(), root.path):
        path = os.path.normpath(os.path.join(base, given))
        if not path.startswith(top):
            # Perhaps the way to the root was named by a link.
            path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path.startswith(top):
            found.append(path[len(top) :])
    return list(dict.fromkeys(found))


def stage_files(root: Root, folder: str) -> dict[str, tuple[str, ...]]:
    """The files of each stage in a folder, those of a stage without any left out."""
    names = set(root.names(folder))
    files = {
        stage: tuple(f"{folder}/{stage}{end}" if folder else stage + end for end in ENDINGS if stage + end in names)
        for stage in STAGES
    }
    return {stage: found for stage, found in files.items() if found}


def one_of(files: tuple[str, ...], stage: str) -> str:
    """The only one of a stage's files, empty where there is none; raises UsageError where there are several."""
    if len(files) > 1:
        raise UsageError(f"{stage} has {len(files)} files: {' and '.join(files)}; keep one of them")
    return files[0] if files else ""


def _read_topic(root: Root, name: str) -> Topic:
    folder = f"{HOME}/{name}"
    return Topic(name, folder, stage_files(root, f"{folder}/{OUTPUTS}"))


def _names(root: Root) -> list[str]:
    return [name for name in root.names(HOME) if _NAME.fullmatch(name) and _is_folder(root, f"{HOME}/{name}")]


def _is_folder(root: Root, key: str) -> bool:
    info = root.stat(key)
    return info is not None and st.S_ISDIR(info.st_mode)
