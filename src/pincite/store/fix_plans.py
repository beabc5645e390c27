"""What trying the edits of a run showed, kept with its answer: they are tried again only once that changed."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import encode

from .cache_folder import load_kept, save_kept

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model import Edit
    from ..safe.files import Root

_NAME = "fixes"
_LARGEST = 16 * 1024 * 1024


class StoredPlan(Struct, array_like=True):
    """Which of the edits that were offered are made."""

    key: str
    fixable: int
    """The citations that are corrected."""
    reasons: list[str]
    """Of every edit why it is not made; empty where it is, or needs a reader."""


def make_plan_key(identity: str, offered: Sequence[tuple[str, Sequence[Edit]]]) -> str:
    """Distinguishes what a plan rests on: the state that a run found, and what its findings offer."""
    return sha256(identity.encode() + encode(offered)).hexdigest()


def load_plan(root: Root, key: str, edits: int) -> StoredPlan | None:
    """The plan that is kept under a key for so many edits."""
    plan = load_kept(root, _NAME, StoredPlan, _LARGEST)
    return plan if plan is not None and plan.key == key and len(plan.reasons) == edits else None


def save_plan(root: Root, plan: StoredPlan) -> None:
    """Keep the last plan of a root."""
    try:
        data = encode(plan)
    except UnicodeEncodeError:
        return
    if len(data) <= _LARGEST:
        save_kept(root, _NAME, data)
