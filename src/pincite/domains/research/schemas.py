"""The published JSON Schemas: one for each stage's file, and one for attestations."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from ...core.errors import UsageError
from .model import STAGES

if TYPE_CHECKING:
    from typing import Any

NAMES = (*STAGES, "attestations")
"""What there is a schema for."""


def schema_text(name: str) -> str:
    """The JSON Schema of a stage's file, as published; raises UsageError for a name that has none."""
    if name not in NAMES:
        raise UsageError(f"{name}: there is no such schema; there are {', '.join(NAMES)}")
    # What loaded this module also loads its data, from a folder or an archive, and costs no import.
    loader: Any = __spec__.loader
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "schemas")
    data: bytes = loader.get_data(os.path.join(folder, f"research-{name}.schema.json"))
    return data.decode()


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a stage's file; not to be changed."""
    loaded: dict[str, Any] = msgspec.json.decode(schema_text(name))
    return loaded
