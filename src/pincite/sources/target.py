"""What commands name: targets of make, scripts of npm, recipes of just, and so on, in the files that define them.

The file is the one in the folder that the command names, else the nearest from the document's folder up to the root. A
command that names no folder may mean any file of the repository. A target is missing only where every such file can be
read, and none of them defines it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Citation, Obstacle
from ..text.evidence import Evidence
from ..text.instruction_files import is_skill
from ..text.lines import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text.document import Document
    from . import World
    from ._definitions import DefinedNames

_KEY = re.compile(r"(.+?) (\S+)(?: \((in|of|from) ([^()]+)\))?")
_KINDS = {
    "make": "makefile",
    "just": "justfile",
    "task": "taskfile",
    "poe": "poe_tasks",
    "composer": "composer_json",
    "composer run": "composer_json",
    "deno task": "deno_json",
    "hatch run": "hatch_envs",
    "tox -e": "tox_envs",
    "nox -s": "noxfile",
    "cargo": "cargo_config",
    **dict.fromkeys(("npm run", "pnpm run", "pnpm", "yarn", "bun run"), "package_json"),
    **dict.fromkeys(("uv run", "poetry run", "pdm run", "rye run"), "pyproject"),
}
_NOUNS = {
    "make": "target",
    "just": "recipe",
    "task": "task",
    "poe": "task",
    "deno task": "task",
    "hatch run": "environment",
    "tox -e": "environment",
    "nox -s": "session",
    "cargo": "alias",
}
_USUAL = frozenset(
    """
    dev start build test tests lint format fmt check typecheck type-check preview serve watch coverage e2e unit
    integration ci docs release storybook cs cs-fix phpstan psalm rector analyse analyze generate codegen migrate seed
    """.split()
)
"""Names that a script has and no program: runners that also run programs are held to these, and to groups of names."""
_BUILT_IN = {
    "npm run": "env",
    "pnpm": "add install i remove rm update up link import dlx exec create init publish pack audit list ls outdated "
    "why store patch env setup config dedupe fetch deploy rebuild rb prune root bin licenses server doctor "
    "approve-builds self-update with",
    "yarn": "add install remove up upgrade link unlink dlx exec create init publish pack audit list info outdated why "
    "cache config dedupe node plugin rebuild set workspaces version versions help global import licenses login logout "
    "owner policies tag team unplug autoclean bin check constraints npm patch patch-commit search stage "
    "generate-lock-entry upgrade-interactive",
    "composer": "about archive audit browse bump check-platform-reqs clear-cache config create-project depends why "
    "diagnose dump-autoload dumpautoload exec fund global help home init install i licenses list outdated "
    "prohibits why-not reinstall remove rm require r search self-update show info status suggests update u upgrade "
    "validate bin normalize completion",
}
_ELSEWHERE = ("Makefile.am", "Makefile.in", "CMakeLists.txt", "configure.ac", "configure", "Makefile.PL", "meson.build")
_SOURCES = ("", ".c", ".cc", ".cpp", ".o", ".s", ".f", ".p", ".sh", ".y", ".l", ".tex", ".texi")
_MOST_NAMES = 8


class _Named(Struct, frozen=True):
    """What a command names, taken apart."""

    runner: str
    name: str
    relation: str
    place: str

    @property
    def kind(self) -> str:
        return _KINDS[self.runner]


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file that defines the target, an obstacle where none does, None where that cannot be told."""
    match = _KEY.fullmatch(citation.source.key)
    if match is None or match[1] not in _KINDS:
        return None
    named = _Named(match[1], match[2], match[3] or "", match[4] or "")
    if named.name in _BUILT_IN.get(named.runner, "").split():
        return None
    if named.runner == "hatch run" and ":" not in named.name:
        return None
    folders = _list_folders(named, world, document)
    near = [found for folder in folders if (found := world.target_files.find(named.kind, folder)) is not None]
    answers = [_defines(named, defined) for _, defined in near]
    if True in answers:
        return _show(world, near[answers.index(True)][0])
    if named.relation in ("in", "of"):
        return _miss(named, near) if near and None not in answers and not _is_built(named, folders, world) else None
    others = world.target_files.find_all(named.kind)
    if others is None:
        return None
    for key in others:
        answer = _defines(named, world.target_files.read(named.kind, key))
        if answer is True:
            return _show(world, key)
        answers.append(answer)
    if not near or None in answers or _is_built(named, folders, world):
        return None
    if document is not None and is_skill(document.path):
        # A skill is about any project.
        return None
    return _miss(named, near)


def _list_folders(named: _Named, world: World, document: Document | None) -> list[str]:
    """The folders whose files may define it, the nearest first."""
    folder = document.folder if document is not None else ""
    if named.relation == "of":
        return list(_list_packages(named.place, world))
    if named.relation:
        place = _drop_own_name(named.place, world)
        places = dict.fromkeys((join("", place), join(folder, place)))
        return [place for place in places if not place.startswith("..")]
    found = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        found.append(folder)
    return found


def _drop_own_name(place: str, world: World) -> str:
    """A folder without the name of the repository before it, which a clone of it has."""
    first, _, rest = place.partition("/")
    git = world.git()
    names = [world.repository, *(git.remotes() if git is not None else ())]
    own = {name.rstrip("/").rpartition("/")[2].removesuffix(".git") for name in names}
    return rest if first in own and world.root.stat(first) is None else place


def _list_packages(name: str, world: World) -> Iterator[str]:
    """The folders of the packages of that name, or at that path."""
    for key in world.target_files.find_all("package_json") or ():
        folder = key.rpartition("/")[0]
        if folder == name or world.target_files.read("package_json", key).owner == name:
            yield folder


def _defines(named: _Named, defined: DefinedNames) -> bool | None:
    """Whether a file defines what is named; None where that cannot be told."""
    name, runner = named.name, named.runner
    if runner == "hatch run":
        name = name.partition(":")[0].lstrip("+")
    if runner == "tox -e":
        return _defines_environment(name, defined)
    answer = defined.has(name)
    if answer is not False:
        return answer
    if runner == "just" and "::" not in name and f"{name}::default" in defined.names:
        return True
    if runner in ("pnpm", "yarn", "bun run", "composer"):
        return False if _is_script(name, defined) else None
    if runner in ("uv run", "poetry run", "pdm run", "rye run"):
        # Any program may be installed beside them; only what bears the project's own name is surely meant as its own.
        own = re.sub(r"[-_.]+", "-", defined.owner).lower()
        written = re.sub(r"[-_.]+", "-", name).lower()
        return False if own and (written == own or written.startswith(f"{own}-")) and defined.names else None
    return False


def _defines_environment(name: str, defined: DefinedNames) -> bool | None:
    from ._definitions.tox_envs import is_python

    if name in defined.names or all(part in defined.names or is_python(part) for part in name.split("-")):
        return True
    return defined.has(name)


def _is_script(name: str, defined: DefinedNames) -> bool:
    """Whether a name can only be meant as a script: a usual one, or one of a group that the file has."""
    group = name.partition(":")[0]
    return name in _USUAL or (":" in name and any(one == group or one.startswith(f"{group}:") for one in defined.names))


def _is_built(named: _Named, folders: list[str], world: World) -> bool:
    """Whether make may find a rule all the same: one that is generated, or one of its own for a file that is there."""
    if named.runner != "make":
        return False
    for folder in folders:
        prefix = f"{folder}/" if folder else ""
        keys = [prefix + name for name in _ELSEWHERE] + [f"{prefix}{named.name}{ending}" for ending in _SOURCES]
        world.touched.update(dict.fromkeys(keys))
        if any(world.root.stat(key) is not None for key in keys):
            return True
    return False


def _show(world: World, key: str) -> Evidence | Obstacle | None:
    """The file that defines what is cited."""
    found = world.file(key)
    return found if isinstance(found, Evidence) else None


def _miss(named: _Named, near: list[tuple[str, DefinedNames]]) -> Obstacle:
    """That nothing defines it, with the names that come nearest."""
    noun = _NOUNS.get(named.runner, "script")
    where = " or ".join(key for key, _ in near[:2])
    names = tuple(dict.fromkeys(name for _, defined in near for name in defined.names))[:2000]
    return Obstacle("target-not-found", f"No {noun} {named.name} in {where}", paths=_find_near_names(named.name, names))


def _find_near_names(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that are spelled much like one, or have it as a part; else the first of all."""
    from difflib import get_close_matches

    usable = [one for one in names if len(one) <= 80]
    words = set(re.split(r"[-_:./]+", name))
    sharing = [one for one in usable if words & set(re.split(r"[-_:./]+", one))]
    close = dict.fromkeys((*get_close_matches(name, usable[:500], 3, 0.6), *sharing))
    return tuple(close)[:3] or tuple(usable[:_MOST_NAMES])
