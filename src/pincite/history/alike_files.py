"""Files that are of a kind, bear the same name, or have much text in common: one may have become the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .step import FileVersion

_KINDS = {
    ending: family[0]
    for family in (
        ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "coffee"),
        ("c", "h", "cc", "cpp", "cxx", "hpp", "hh", "inl", "m", "mm"),
        ("md", "markdown", "rst", "txt", "adoc", "mdx"),
        ("py", "pyi", "pyx", "pxd"),
        ("java", "kt", "kts", "scala", "groovy"),
        ("css", "scss", "sass", "less"),
        ("yml", "yaml"),
    )
    for ending in family
}
"""Endings between which files are renamed."""


def compute_shared_ratio(then: FileVersion, now: FileVersion | None, least: float) -> float:
    """How much of the larger of two files is in the other, counted in different lines; 0 where that is too little."""
    if now is None:
        return 0.0
    sizes = len(then.whole), len(now.whole)
    if min(sizes) * 1.5 < least * max(sizes):
        # One of quite another size cannot share enough.
        return 0.0
    return len(then.telling & now.telling) / max(len(then.telling), len(now.telling), 1)


def get_kind(path: str) -> str:
    """What a file holds, by its ending: code that is moved stays code of its kind."""
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    return _KINDS.get(ending, ending)


def get_stem(path: str) -> str:
    """The name of a file without its folder and its endings."""
    return path.rpartition("/")[2].partition(".")[0]
