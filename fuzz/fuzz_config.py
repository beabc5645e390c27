"""Settings of any kind: accepted with the right types, or one error that names the file."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import engine

with engine.instrumented():
    from pincite.core.errors import UsageError
    from pincite.project.config import Config, load_config

FOLDER = tempfile.mkdtemp(prefix="pincite-fuzz-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.mkdir(os.path.join(FOLDER, ".git"))


def law(data: bytes) -> None:
    """`load_config` gives a Config or raises UsageError, for either of the two files."""
    for name in ("pincite.toml", "pyproject.toml"):
        path = os.path.join(FOLDER, name)
        with open(path, "wb") as file:
            file.write(data)
        try:
            config, source = load_config(FOLDER)
        except UsageError as error:
            assert name in str(error), error
        else:
            assert isinstance(config, Config)
            assert source in ("", path), source
        os.unlink(path)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b'strict = true\ndocuments = [".md"]\nignore = ["lines-moved"]\n',
            b'[tool.pincite]\nbaseline = "known.json"\nin-code = false\n',
            b'tool = "pincite"\n',
            b"strict = " + b"9" * 5000,
            b"x = 1979-05-27T07:32:00Z\n[a.b]\nc = {d = [1, 2.0, inf, nan, 0x1f]}\n",
        ],
        tokens=[
            *("strict", "documents", "exclude", "dialects", "select", "ignore", "baseline", "drift"),
            *("in-code", "in_code", "[tool.pincite]\n", "[[", "]]", "= ", "true", "[", "]", "{", "}"),
            *('"""', "'''", '"', "\\u0000", "\\ud800", "9" * 120),
        ],
    )
