"""Pictures of pages that were drawn, and those that could not be: drawing takes a process, and a hostile file takes all
the time that it is given."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from ....safe.pdf import PdfTrouble
from ....safe.pdf_picture import PagePicture, draw_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..site import Site

    Drawn = PagePicture | PdfTrouble

_MOST_BYTES = 24 * 1024 * 1024
_ENTRY = 500
"""Bytes that one takes beside its picture."""
_KEPT = "pictures"


class KeptPictures:
    """Pictures by file, page and marked words; those that were not asked for the longest time go first."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, int, tuple[str, ...]], Drawn] = OrderedDict()

    def draw(self, data: bytes, page: int, words: Sequence[str]) -> PagePicture:
        """A page, counted from 0, with words marked; raises PdfTrouble."""
        key = (sha256(data).hexdigest(), page, tuple(words))
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
        if known is None:
            try:
                known = draw_page(data, page, words)
            except PdfTrouble as trouble:
                known = trouble
            self._keep(key, known)
        if isinstance(known, PdfTrouble):
            raise known
        return known

    def _keep(self, key: tuple[str, int, tuple[str, ...]], drawn: Drawn) -> None:
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = drawn
            self._size += _measure(drawn)
            while self._size > self._most:
                _, dropped = self._kept.popitem(last=False)
                self._size -= _measure(dropped)


def _measure(drawn: Drawn) -> int:
    return _ENTRY + (len(drawn.png) if isinstance(drawn, PagePicture) else 0)


def find_pictures(site: Site) -> KeptPictures:
    """The pictures of a site."""
    kept: KeptPictures = site.kept.setdefault(_KEPT, KeptPictures())
    return kept
