"""A target to its citation: found, written in a style, read back and verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...project.baseline_file import baseline_file
from ...project.documents import root_key
from .permalinks import pin_commit
from .target import find_symbol_target, find_target, within_key

if TYPE_CHECKING:
    from ...project.project import Project
    from .model import CiteTarget
    from .proof import Proof


class CitedPlace(Struct, frozen=True):
    """A place with the citation that holds for it."""

    target: CiteTarget
    style: str
    text: str


class CitePlaceRequest(Struct, frozen=True):
    """What is to be cited, and where the citation will stand."""

    target: str
    style: str
    into: str = "document.md"
    """The key of the document that will hold the citation."""
    within: str | None = None
    """The file or folder that words are looked for in; where it is given, the target is words."""
    folder: str = ""
    """The folder that paths are tried from first, as a key."""
    without: tuple[str, ...] = ()
    """Files that words are not looked for in."""


def cite_place(project: Project, proof: Proof, wanted: CitePlaceRequest) -> CitedPlace:
    """The citation of a target; raises Uncitable where it would not hold, or where several places are meant."""
    root, config = project.root, project.config
    within = "" if wanted.within is None else within_key(root, wanted.within, wanted.folder)
    # A baseline repeats citations.
    baseline = baseline_file(root, None, config.baseline)
    left_out = [root_key(root, baseline)] if baseline else []
    left_out += wanted.without
    named = wanted.within is not None
    target = find_target(root, wanted.target, project.git, within, wanted.folder, left_out, named)
    if wanted.style == "symbol":
        target = find_symbol_target(root, target)
    elif wanted.style == "permalink":
        target = pin_commit(root, project.git(), target, config.repository)
    return CitedPlace(target, wanted.style, proof.write(target, wanted.style, wanted.into))
