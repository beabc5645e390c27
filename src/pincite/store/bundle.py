"""Captured output as plain files that travel with a repository: one text per file, and a manifest beside them.

A bundle may come from anyone. Its manifest is decoded against a fixed shape, its files are read only from its own
folder, and a text counts only if its bytes have the digest they are listed under.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

import msgspec

from ..core.errors import Refused
from ..core.limits import LIMITS
from ..safe.escape import json_safe
from ..safe.files import Root
from ..safe.git_names import has_git_name
from ..safe.write import put
from .database import StoreTrouble

MANIFEST = "pincite-bundle.json"
VERSION = 1
_REMEDY = "remove its folder and export again"
_ATTRIBUTES = ".gitattributes"
_NO_CONVERSION = b"*.txt -text\n"
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


class BundleText(msgspec.Struct, frozen=True, rename="camel"):
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
    chunks: tuple[BundleText, ...]


def read_manifest(root: Root, key: str) -> Manifest:
    """The manifest at a key; raises StoreTrouble naming file, problem and remedy."""
    try:
        manifest = msgspec.json.decode(root.read(key, LIMITS.bundle_bytes), type=Manifest)
    except Refused as error:
        raise StoreTrouble(f"{key}: cannot be read ({error.kind if str(error) == key else error})") from None
    except (ValueError, RecursionError) as error:
        raise StoreTrouble(f"{key}: not a manifest of a bundle ({error}); {_REMEDY}") from None
    if manifest.version > VERSION:
        raise StoreTrouble(f"{key}: made by a newer pincite; upgrade to read it")
    for item in manifest.chunks:
        if not (_is_digest(item.digest) and _is_given(item.id) and _is_file(item.file)) or not (
            item.external or item.digest.startswith(item.id)
        ):
            raise StoreTrouble(f"{key}: lists a chunk with an impossible id, digest or file; {_REMEDY}")
    return manifest


def read_item(root: Root, key: str, item: BundleText) -> bytes:
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


def write_bundle(path: str, manifest: Manifest, texts: dict[str, bytes]) -> None:
    """Make a bundle, or add files and a new manifest to one, so that no reader ever finds half of it.

    `texts` are file names and their bytes. Raises StoreTrouble where something else is in the way.
    """
    listing = json_safe(msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode()).encode() + b"\n"
    if len(listing) > LIMITS.bundle_bytes:
        raise StoreTrouble(f"{path}: the manifest would exceed {LIMITS.bundle_bytes} bytes; export less at once")
    if has_git_name(os.path.realpath(path)):
        raise StoreTrouble(f"{path}: belongs to git, where pincite never writes; name another folder")
    try:
        if not os.path.lexists(path):
            _make(path, listing, texts)
            return
        with Root(path) as folder:
            # The manifest comes last: what it lists is there by then.
            for name, data in (*texts.items(), (_ATTRIBUTES, _attributes(folder)), (MANIFEST, listing)):
                if _current(folder, name) != data:
                    put(folder, name, data)
    except OSError as error:
        raise StoreTrouble(f"{path}: cannot be written ({error.strerror})") from None
    except Refused as error:
        raise StoreTrouble(f"{path}: cannot be written ({error})") from None


def holds_bundle(path: str) -> bool:
    """Whether a bundle can be written to a folder: there is none yet, or it is empty, or it is one already."""
    try:
        names = os.listdir(path)
    except FileNotFoundError:
        return not os.path.islink(path)
    except OSError:
        return False
    return not names or MANIFEST in names


def _make(path: str, listing: bytes, texts: dict[str, bytes]) -> None:
    """Build the folder under another name, and rename it when it is complete."""
    parent, name = os.path.split(os.path.abspath(path))
    os.makedirs(parent, exist_ok=True)
    temp = os.path.join(parent, f".pincite-{os.getpid()}-{os.urandom(4).hex()}~")
    files = {**texts, _ATTRIBUTES: _NO_CONVERSION, MANIFEST: listing}
    os.mkdir(temp)
    try:
        with Root(temp) as folder:
            for file, data in files.items():
                put(folder, file, data)
        os.rename(temp, os.path.join(parent, name))
    except BaseException:
        for file in files:
            with suppress(OSError):
                os.unlink(os.path.join(temp, file))
        with suppress(OSError):
            os.rmdir(temp)
        raise


def _attributes(folder: Root) -> bytes:
    """What the folder tells git, and that line ends of texts are none of its business."""
    known = _current(folder, _ATTRIBUTES) or b""
    if _NO_CONVERSION.rstrip() in known.splitlines():
        return known
    return known + (b"\n" if known and not known.endswith(b"\n") else b"") + _NO_CONVERSION


def _current(folder: Root, name: str) -> bytes | None:
    try:
        return folder.read(name)
    except Refused:
        return None
