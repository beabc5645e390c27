"""Keys of any kind below a root: refused, or bytes from inside; never a byte from outside."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress

import engine

with engine.instrumented():
    from pincite.core.errors import Refused
    from pincite.safe.files import Root

SECRET = b"this stands outside the root"


def _tree() -> tuple[str, set[bytes]]:
    """A root with files, folders, links that stay inside and links that lead out, and what may be read in it."""
    top = tempfile.mkdtemp(prefix="pincite-fuzz-")
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    root = os.path.join(top, "root")
    os.makedirs(os.path.join(root, "a", "b"))
    os.makedirs(os.path.join(top, "out"))
    for path, data in {"f": b"one", "a/g": b"two", "a/b/h": b"three", "\u00e9": b"four", "a b": b"five"}.items():
        with open(os.path.join(root, path), "wb") as file:
            file.write(data)
    for path in ("secret", "out/secret"):
        with open(os.path.join(top, path), "wb") as file:
            file.write(SECRET)
    links = {
        "in": "a/g",
        "dir": "a/b",
        "a/up": "../f",
        "loop": "loop",
        "out": "../secret",
        "outdir": "../out",
        "a/far": "../../out",
        "abs": os.path.join(top, "secret"),
        "self": root,
        "twin": root + "2",
        "back": "a/../..",
    }
    for path, target in links.items():
        os.symlink(target, os.path.join(root, path))
    os.mkfifo(os.path.join(root, "pipe"))
    return root, {b"one", b"two", b"three", b"four", b"five"}


PLACE, INSIDE = _tree()
ROOT = Root(PLACE)


def law(data: bytes) -> None:
    """`read` gives bytes from inside or refuses; `locate` names a plain place; `stat` knows nothing of outside."""
    key = data.decode("utf-8", "surrogateescape")
    with suppress(Refused):
        assert ROOT.read(key) in INSIDE, key
    with suppress(Refused):
        place = ROOT.locate(key)
        assert ".." not in place.split("/"), place
        assert os.path.realpath(os.path.join(PLACE, place)).startswith(PLACE), place
    status = ROOT.stat(key)
    if status is not None and stat.S_ISREG(status.st_mode):
        assert status.st_size < len(SECRET), key


if __name__ == "__main__":
    parts = [*"fabg", "in", "dir", "up", "loop", "out", "outdir", "far", "abs", "self", "twin", "back", "pipe"]
    engine.main(
        law,
        seeds=[part.encode() for part in parts] + [b"a/b/h", b"a/far/secret", b"outdir/secret", b"self/f", b"dir/../g"],
        tokens=[*parts, "../", "./", "//", "a/", "C:", "C:\\", "~", "~/", "secret", "..\\", PLACE, PLACE + "/"],
    )
