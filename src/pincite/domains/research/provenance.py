"""What the file of a stage was made from, so that a run knows what is up to date."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import json

from ...core.errors import Refused
from .model import EXTRACT, STAGES, VALIDATE
from .stage_writer import dump
from .stages import ground, validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from msgspec import Struct

    from .model import RejectedClaim
    from .stage_file import StageFile
    from .stages import Work

MADE = "made"
"""Under which key a file says what it was made from."""
OURS = "pincite"
SEAL = "content"
"""The key beside them of a digest of what was made, so that what was edited since is not taken for found."""


def made_validated(work: Work, by: Callable[..., object] = validate) -> dict[str, str]:
    """What the third stage's file is made from."""
    return {
        "by": name_maker(by),
        EXTRACT: work.digest(work.topic.path(EXTRACT)),
        "attestations": work.digest(work.topic.attestations),
        "snapshots": _digest(list(_snapshots(work))),
        "settings": _digest([work.settings.required_checks, _table(work)]),
    }


def made_grounded(work: Work, claims_from: str, by: Callable[..., object] = ground) -> dict[str, str]:
    """What the fourth stage's file is made from."""
    origin = claims_from or VALIDATE
    own = {} if origin in STAGES else {"claims": work.digest(origin)}
    return {
        "by": name_maker(by),
        "claims_from": origin,
        **own,
        VALIDATE: work.digest(work.topic.path(VALIDATE)),
        "attestations": work.digest(work.topic.attestations),
        "judge": work.judge.name,
    }


def add_seal(
    made: dict[str, str], stage: str, items: Sequence[Struct], rejected: Sequence[RejectedClaim] = ()
) -> dict[str, str]:
    """What something was made from, with the digest of what was made."""
    return {**made, SEAL: sha256(dump(stage, items, rejected, form="json")).hexdigest()[:32]}


def is_edited(loaded: StageFile) -> bool:
    """Whether the file of a stage says what it was made from, and no longer holds what was made."""
    made = loaded.extra.get(MADE)
    return isinstance(made, dict) and made != add_seal(made, loaded.stage, loaded.items, loaded.rejected)


def _snapshots(work: Work) -> Iterator[tuple[str, str]]:
    """Each snapshot, and the digest of its file: one that was altered since is another one."""
    for name in work.root.names(work.topic.snapshots):
        if not name.startswith("."):
            try:
                yield name, work.digest(f"{work.topic.snapshots}/{name}")
            except Refused:
                yield name, ""


def _table(work: Work) -> str:
    try:
        return work.digest(work.settings.sources) if work.settings.sources else ""
    except Refused:
        # The caller says why.
        return ""


def name_maker(function: Callable[..., object]) -> str:
    """The name of the function that made something; one for all of ours."""
    module = getattr(function, "__module__", "") or ""
    return OURS if module.startswith("pincite.") else f"{module}.{getattr(function, '__qualname__', '')}"


def _digest(value: object) -> str:
    return sha256(json.encode(value)).hexdigest()[:32]
