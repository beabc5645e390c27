"""Which dialects are called for a document: one pass over its bytes for the openers of all."""

from __future__ import annotations

from types import ModuleType
from typing import Any, cast

import pytest

from pincite.dialects import Dialect, DialectSelector, dialects, get_capabilities


def choose(path: str, data: bytes) -> list[str]:
    using = [dialect for dialect in dialects() if get_capabilities(dialect.NAME).needs != "mirrors"]
    selector = DialectSelector([(dialect, dialect.OPENERS) for dialect in using])
    return [dialect.NAME for dialect in selector.choose(path, data)]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"plain words, 3 of them", []),
        ("see 【F:a.py†L1】".encode(), ["bracket"]),
        (b"at a.py:12", ["path-line"]),
        (b"[a](b.py#L3)", ["link", "path-line"]),
        (b"[a.md](file:b)", ["section", "link"]),
        (b"in line 12 of a.py", ["line-phrase"]),
        (b"a deadline 12 away", ["line-phrase"]),
        (b"lines of poetry, L and (L", []),
    ],
)
def test_openers_decide_and_overlapping_ones_count(data: bytes, names: list[str]) -> None:
    assert choose("a.md", data) == names


@pytest.mark.parametrize("before", [64 * 1024 - 3, 64 * 1024 - 1, 64 * 1024, 200_000])
def test_an_opener_is_found_across_and_behind_a_chunk(before: int) -> None:
    assert choose("a.md", b"x" * before + b"github.com/a") == ["permalink"]


def test_of_source_code_only_what_looks_like_a_citation_there_is_read() -> None:
    assert choose("a.py", b"values[1:2] # see [^1]") == []
    assert choose("a.py", b"# see core.py:12") == ["path-line"]


def test_a_dialect_with_an_empty_opener_reads_every_document() -> None:
    module = cast("Any", ModuleType("every"))
    module.NAME, module.OPENERS = "every", (b"",)
    assert DialectSelector([(cast("Dialect", module), module.OPENERS)]).choose("a.md", b"x") == (module,)
