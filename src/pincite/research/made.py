"""What the file of a stage was made from, so that a run knows what is up to date."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import json

from ..errors import Refused
from .model import EXTRACT, STAGES, VALIDATE
from .workflow import ground, validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .workflow import Work

MADE = "made"
"""Under which key a file says what it was made from."""
OURS = "pincite"


def made_validated(work: Work, by: Callable[..., object] = validate) -> dict[str, str]:
    """What the third stage's file is made from."""
    return {
        "by": maker(by),
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
        "by": maker(by),
        "claims_from": origin,
        **own,
        VALIDATE: work.digest(work.topic.path(VALIDATE)),
        "attestations": work.digest(work.topic.attestations),
        "judge": work.judge.name,
    }


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
        # Whoever asks the table says why.
        return ""


def maker(function: Callable[..., object]) -> str:
    """The name of the function that made something; one for all of ours."""
    module = getattr(function, "__module__", "") or ""
    return OURS if module.startswith("pincite.") else f"{module}.{getattr(function, '__qualname__', '')}"


def _digest(value: object) -> str:
    return sha256(json.encode(value)).hexdigest()[:32]
