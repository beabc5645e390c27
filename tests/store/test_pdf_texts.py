"""Text of PDFs at rest: read once, refused when it is not ours, and never a reason to fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.core.limits import LIMITS, Limits
from pincite.papers.model import OutlineEntry, PdfText
from pincite.safe.pdf import PdfTrouble, extractor_version
from pincite.store import pdf_texts
from pincite.store.cache_folder import cache_folder
from pincite.store.pdf_texts import text_of

TEXT = PdfText(
    ("One page\nwith ünïcode", "two"), ("i", "ii"), (OutlineEntry(0, "Start", 1),), "Title", "Ada", "2024-01-31"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    pdf_texts._texts.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was really extracted, in order; b"locked" and the like give a trouble of that kind."""
    seen: list[bytes] = []

    def read(data: bytes, limits: Limits = LIMITS) -> PdfText:
        seen.append(data)
        kind = data.decode("latin-1").partition(" ")[0]
        if kind in ("encrypted", "damaged", "too-slow", "too-much-memory", "too-large", "crashed"):
            raise PdfTrouble(kind, "because")
        return TEXT

    monkeypatch.setattr(pdf_texts, "read_pdf", read)
    return seen


def entry(place: Path, data: bytes) -> Path:
    return place / "pdf" / sha256(data).hexdigest()


def test_a_file_is_read_once(place: Path, reads: list[bytes]) -> None:
    assert [text_of(b"a", True), text_of(b"a", True), text_of(b"b", True)] == [TEXT] * 3
    assert reads == [b"a", b"b"]
    assert sorted(os.listdir(place / "pdf")) == sorted(sha256(data).hexdigest() for data in (b"a", b"b"))


def test_nobody_else_may_look(place: Path, reads: list[bytes]) -> None:
    text_of(b"a", True)
    modes = [path.stat().st_mode & 0o777 for path in (place, place / "pdf", entry(place, b"a"))]
    assert modes == [0o700, 0o700, 0o600]


def test_without_the_cache_nothing_is_read_or_written(place: Path, reads: list[bytes]) -> None:
    text_of(b"a", False)
    assert not place.exists()
    text_of(b"a", True)
    text_of(b"a", False)
    assert reads == [b"a"] * 3


@pytest.mark.parametrize("kind", ["encrypted", "damaged"])
def test_a_lasting_trouble_is_kept(place: Path, reads: list[bytes], kind: str) -> None:
    messages = []
    for _ in range(2):
        with pytest.raises(PdfTrouble) as caught:
            text_of(kind.encode(), True)
        messages.append((caught.value.kind, str(caught.value)))
    assert messages[0] == messages[1] and messages[0][0] == kind
    assert len(reads) == 1


@pytest.mark.parametrize("kind", ["too-slow", "too-much-memory", "too-large", "crashed"])
def test_a_passing_trouble_is_not(place: Path, reads: list[bytes], kind: str) -> None:
    for _ in range(2):
        with pytest.raises(PdfTrouble) as caught:
            text_of(kind.encode(), True)
        assert caught.value.kind == kind
    assert len(reads) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: b"\0" + data[1:],
        lambda data: data.replace(b"One page", b"Two page"),
        lambda data: data[:1] + b"\x63" + data[2:],
        lambda data: b"\x91" * 100_000,
    ],
)
def test_a_damaged_entry_is_made_again(place: Path, reads: list[bytes], spoil: Callable[[bytes], bytes]) -> None:
    text_of(b"a", True)
    kept = entry(place, b"a").read_bytes()
    assert b"One page" in kept and spoil(kept) != kept
    entry(place, b"a").write_bytes(spoil(kept))
    assert text_of(b"a", True) == TEXT
    assert reads == [b"a", b"a"]
    assert entry(place, b"a").read_bytes() == kept


def test_an_entry_of_another_file_is_not_taken(place: Path, reads: list[bytes]) -> None:
    text_of(b"a", True)
    entry(place, b"a").rename(entry(place, b"b"))
    text_of(b"b", True)
    assert reads == [b"a", b"b"]


def test_an_entry_of_another_extractor_is_made_again(
    place: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(b"a", True)
    monkeypatch.setattr(pdf_texts, "extractor_version", lambda: "1 pdfium 9.9.9.9")
    text_of(b"a", True)
    monkeypatch.setattr(pdf_texts, "VERSION", 99)
    pdf_texts._texts.cache_clear()
    text_of(b"a", True)
    assert reads == [b"a"] * 3


def test_without_an_extractor_nothing_is_taken(
    place: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(b"a", True)
    monkeypatch.setattr(pdf_texts, "extractor_version", lambda: "")
    text_of(b"a", True)
    assert reads == [b"a"] * 2


def test_limits_hold_for_what_is_kept(place: Path, reads: list[bytes]) -> None:
    text_of(b"a", True)
    text_of(b"a", True, Limits(pdf_pages=1))
    assert reads == [b"a"] * 2


def too_open(place: Path) -> None:
    (place / "pdf").chmod(0o755)


def written_by_others(place: Path) -> None:
    place.chmod(0o777)


def linked_entry(place: Path) -> None:
    kept = entry(place, b"a")
    kept.rename(place / "elsewhere")
    kept.symlink_to(place / "elsewhere")


def linked_folder(place: Path) -> None:
    (place / "pdf").rename(place / "elsewhere")
    (place / "pdf").symlink_to(place / "elsewhere")


def entry_for_all(place: Path) -> None:
    entry(place, b"a").chmod(0o666)


def pipe_for_an_entry(place: Path) -> None:
    entry(place, b"a").unlink()
    os.mkfifo(entry(place, b"a"))


def folder_for_an_entry(place: Path) -> None:
    entry(place, b"a").unlink()
    entry(place, b"a").mkdir()


@pytest.mark.parametrize(
    "change",
    [
        too_open,
        written_by_others,
        linked_entry,
        linked_folder,
        entry_for_all,
        pipe_for_an_entry,
        folder_for_an_entry,
    ],
)
def test_what_others_could_have_written_is_not_taken(
    place: Path, reads: list[bytes], change: Callable[[Path], None]
) -> None:
    text_of(b"a", True)
    change(place)
    assert text_of(b"a", True) == TEXT
    assert reads == [b"a", b"a"]


def test_a_folder_of_somebody_else_is_not_used(
    place: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(b"a", True)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    text_of(b"a", True)
    text_of(b"b", True)
    assert reads == [b"a", b"a", b"b"]
    assert not entry(place, b"b").exists()


@pytest.mark.parametrize("target", ["file", "file/below", "/dev/null/x", "\udcff", "x" * 5000])
def test_a_place_that_cannot_be_used_is_no_error(
    tmp_path: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PINCITE_CACHE", os.path.join(tmp_path, target))
    assert [text_of(b"a", True), text_of(b"b", True)] == [TEXT, TEXT]
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_is_no_error(place: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert text_of(b"a", True) == TEXT
    assert os.listdir(place / "pdf") == []


def test_the_oldest_go_when_there_is_too_much(place: Path, reads: list[bytes]) -> None:
    text_of(b"0", True)
    size = entry(place, b"0").stat().st_size
    limits = Limits(pdf_cache_bytes=size * 8)
    for at in range(40):
        text_of(b"%d" % at, True, limits)
        os.utime(entry(place, b"%d" % at), ns=(at * 10**9, at * 10**9))
    left = {at for at in range(40) if entry(place, b"%d" % at).exists()}
    assert 39 in left
    assert sum(path.stat().st_size for path in (place / "pdf").iterdir()) <= limits.pdf_cache_bytes
    assert left == set(range(40 - len(left), 40))


def test_what_is_larger_than_the_cache_is_not_kept(place: Path, reads: list[bytes]) -> None:
    text_of(b"a", True, Limits(pdf_cache_bytes=10))
    assert not place.exists()


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("PINCITE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == "/home/ada/.cache/pincite"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder() == "/home/ada/Library/Caches/pincite"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == "/home/ada/Library/Caches/pincite"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/ada")
    assert cache_folder() == "/var/ada/pincite"
    monkeypatch.setenv("PINCITE_CACHE", "/mine")
    assert cache_folder() == "/mine"
    monkeypatch.setenv("PINCITE_CACHE", ".cache")
    assert cache_folder() == "", "never below the folder we happen to be in"


def test_a_real_file_comes_back_the_same(place: Path) -> None:
    from io import BytesIO

    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    canvas = Canvas(target, invariant=1)
    canvas.drawString(72, 700, "Seen once")
    canvas.save()
    first = text_of(target.getvalue(), True)
    assert first.pages == ("Seen once",)
    assert extractor_version().encode() in entry(place, target.getvalue()).read_bytes()
    assert text_of(target.getvalue(), True) == first


def test_tests_never_write_to_a_home() -> None:
    assert "pincite-test-cache" in cache_folder()
