"""Captured output as plain files that travel with a repository: one text per file, and a manifest beside them.

A bundle may come from anyone. Its manifest is decoded against a fixed shape, its files are read only from its own
folder, and a text counts only if its bytes have the digest they are listed under.
"""

from __future__ import annotations

import re

import msgspec

from ..errors import Refused
from ..limits import LIMITS
from .database import StoreTrouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..safe.files import Root

MANIFEST = "pincite-bundle.json"
VERSION = 1
_is_digest = re.compile(r"[0-9a-f]{64}\Z").match
_is_given = re.compile(r"(?:[0-9a-f]{6,64})?\Z").match
_is_file = re.compile(r"[0-9a-f]{6,64}\.txt\Z").match


class Occurrence(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """When and how a text was printed."""

    origin: str
    command: tuple[str, ...] = ()
    folder: str = ""
    started: str = ""
    """ISO 8601, UTC."""
    seconds: float | None = None
    exit_code: int | None = None
    signal: int = 0
    revision: str = ""
    dirty: bool | None = None
    chunk: int = 1
    """Which chunk of the run it was, counted from 1."""
    chunks: int = 1


class Item(msgspec.Struct, frozen=True, rename="camel"):
    """One text of a bundle."""

    id: str
    """What documents cite it by."""
    digest: str
    file: str
    bytes: int
    lines: int
    masked: int = 0
    external: bool = False
    """True where another tool gave the id: it is not the start of the digest."""
    occurrences: tuple[Occurrence, ...] = ()


class Manifest(msgspec.Struct, frozen=True):
    """What a bundle holds."""

    version: int
    chunks: tuple[Item, ...]


def read_manifest(root: Root, key: str) -> Manifest:
    """The manifest at a key; raises StoreTrouble naming file, problem and remedy."""
    try:
        manifest = msgspec.json.decode(root.read(key, LIMITS.bundle_bytes), type=Manifest)
    except Refused as error:
        raise StoreTrouble(f"{key}: cannot be read ({error})") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreTrouble(f"{key}: not a manifest of a bundle ({error}); export it again") from None
    if manifest.version > VERSION:
        raise StoreTrouble(f"{key}: made by a newer pincite; upgrade to read it")
    for item in manifest.chunks:
        if not (_is_digest(item.digest) and _is_given(item.id) and _is_file(item.file)):
            raise StoreTrouble(f"{key}: lists a chunk with an impossible id, digest or file; export it again")
    return manifest


def read_item(root: Root, key: str, item: Item) -> bytes:
    """The bytes of one text of the bundle whose manifest is at `key`; raises StoreTrouble where they do not fit."""
    from hashlib import sha256

    file = f"{key.removesuffix(MANIFEST)}{item.file}"
    try:
        data = root.read(file)
    except Refused as error:
        raise StoreTrouble(f"{file}: cannot be read ({error.kind})") from None
    if sha256(data).hexdigest() != item.digest:
        raise StoreTrouble(f"{file}: changed since it was exported; its SHA-256 does not fit the manifest")
    return data
