"""Files that define targets, made to cost much: the time grows with the text and no faster."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.sources._definitions import get_module

SHAPES = {
    ("makefile", "calls"): lambda n: "$(" * n + "\n",
    ("makefile", "nested"): lambda n: "$((a)" * n + ": b\n",
    ("makefile", "rules"): lambda n: "a$(B)%: c\n" * n,
    ("makefile", "variables"): lambda n: "A = $(A) $(A)\n" * n + "$(A): b\n",
    ("makefile", "sums"): lambda n: "A += b\n" * n,
    ("makefile", "continued"): lambda n: "a: \\\n" * n,
    ("makefile", "exports"): lambda n: "export " * n + "\n",
    ("justfile", "spaces"): lambda n: ("a" + " " * 900 + "\n") * (n // 100),
    ("justfile", "colons"): lambda n: ("a " + ":=" * 400 + "\n") * (n // 100),
    ("taskfile", "keys"): lambda n: "tasks:\n" + "  a b\n" * n,
    ("taskfile", "open keys"): lambda n: "tasks:\n  " + "'a " * n + "\n",
    ("tox_envs", "lists"): lambda n: "envlist =\n" + "  {a,b}\n" * n,
    ("noxfile", "sessions"): lambda n: "@nox.session\n" * n,
    ("package_json", "depth"): lambda n: "[" * n,
}


@pytest.mark.parametrize("shape", SHAPES, ids=" ".join)
def test_time_grows_with_the_text(in_proportion: Callable[..., bool], shape: tuple[str, str]) -> None:
    """Ten times the text costs about ten times the time."""
    module, make = get_module(shape[0]), SHAPES[shape]

    def read(text: str) -> None:
        try:
            module.read(module.FILES[0], text, lambda key: None)
        except (ValueError, RecursionError):
            return

    assert in_proportion(read, make(1_000), make(10_000), 10)
