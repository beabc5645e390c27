"""Text that waits until it is written."""

from __future__ import annotations

import pytest

from pincite.safe import spool as module
from pincite.safe.spool import Spool


@pytest.mark.parametrize("in_memory", [4, 1 << 20])
def test_text_comes_back_in_order_from_memory_and_from_a_file(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(module, "_IN_MEMORY", in_memory)
    monkeypatch.setattr(module, "_PIECE", 3)
    pieces = ["a†b", "\udcff", "c\n", "", "dé"]
    spool = Spool()
    for piece in pieces:
        spool.add(piece)
    assert spool.pieces == 5
    found: list[str] = []
    spool.write_to(found.append)
    assert "".join(found) == "".join(pieces)
    spool.write_to(found.append)
    assert spool.pieces == 0 and "".join(found) == "".join(pieces)


@pytest.mark.parametrize("in_memory", [4, 1 << 20])
def test_lines_come_back_one_by_one(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(module, "_IN_MEMORY", in_memory)
    spool = Spool()
    for piece in ("one\n", "two\n", "†\r\n", "\udc80\n"):
        spool.add(piece)
    assert list(spool.lines()) == ["one", "two", "†\r", "\udc80"]
