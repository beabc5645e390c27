"""Snapshots of many pages in one folder."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from pincite.core.errors import Refused, UsageError
from pincite.core.web import Exchange, Visit
from pincite.store.warc import read_warc
from pincite.store.web_snapshots import SnapshotFolder, place_of

HOST = "a.example"


def make_visit(path: str, body: bytes = b"words", second: int = 0) -> Visit:
    """A visit to a page."""
    url = f"https://{HOST}{path}"
    return Visit(url, f"2026-01-02T03:04:{second:02}Z", (Exchange(url, 200, "OK", body=body),))


def test_a_visit_is_kept_and_can_be_read(tmp_path: Path) -> None:
    folder = SnapshotFolder(str(tmp_path / "below" / "it"))
    name = folder.keep(make_visit("/page", b"some words"), HOST)
    (snapshot,) = read_warc((tmp_path / "below" / "it" / name).read_bytes(), name)
    assert (snapshot.visit.answer.body, snapshot.damaged) == (b"some words", "")
    # The same visit is kept once, another one beside it.
    assert folder.keep(make_visit("/page", b"some words"), HOST) == name
    assert folder.keep(make_visit("/page", b"other words", 1), HOST) != name


def test_folders_stay_small(tmp_path: Path) -> None:
    folder = SnapshotFolder(str(tmp_path))
    names = {folder.keep(make_visit(f"/{number}"), HOST) for number in range(100)}
    assert len(names) == 100
    assert len({name.rpartition("/")[0] for name in names}) > 50
    assert {name.split("/")[1] for name in names} == {HOST}


@pytest.mark.parametrize("host", ["../../etc", "::1", "", "-x", "x" * 300])
def test_odd_hosts_stay_inside(host: str) -> None:
    parts = place_of("https://x/", host).split("/")
    assert len(parts) == 3
    assert all(part.strip(".") and len(part) <= 100 for part in parts)


def test_no_file_of_the_folder_is_read(tmp_path: Path) -> None:
    folder = SnapshotFolder(str(tmp_path))
    name = folder.keep(make_visit("/page"), HOST)
    (tmp_path / name).chmod(0)
    (tmp_path / name).with_name("broken.warc.gz").write_bytes(b"no WARC")
    assert folder.keep(make_visit("/page", b"new", 2), HOST) != name


def test_threads_write_at_once(tmp_path: Path) -> None:
    folder = SnapshotFolder(str(tmp_path))
    names: list[str] = []
    threads = [
        Thread(target=lambda at=number: names.append(folder.keep(make_visit(f"/{at % 5}", b"%d" % at), HOST)))
        for number in range(30)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == 30


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be made"):
        SnapshotFolder(str(tmp_path / "file" / "x"))
    folder = SnapshotFolder(str(tmp_path / "folder"))
    (tmp_path / "folder" / place_of("https://x/", HOST).split("/")[0]).write_text("in the way")
    with pytest.raises(Refused):
        folder.keep(make_visit("/page"), HOST)
