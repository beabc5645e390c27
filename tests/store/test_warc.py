"""Snapshots: what was visited is found again as it was, and what is written is written whole."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.core.errors import Refused
from pincite.core.web import Exchange, FetchFailure, Visit
from pincite.safe.files import Root
from pincite.store import warc
from pincite.store.warc import Snapshots
from pincite.store.warc_redirects import normal_url
from pincite.store.warc_write import warc_bytes

spec = spec_from_file_location("support_warc", Path(__file__).parents[1] / "support_warc.py")
assert spec is not None and spec.loader is not None
support_warc = module_from_spec(spec)
spec.loader.exec_module(support_warc)
read_warc = support_warc.read_warc

FOLDER = ".research/tides/snapshots"
PAGE = Exchange(
    url="https://example.org/tides",
    status=200,
    reason="OK",
    headers=(("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")),
    body=b"<p>The tide turns twice a day.</p>",
    request_headers=(("Host", "example.org"), ("User-Agent", "pincite")),
    address="192.0.2.7",
)
VISIT = Visit("https://example.org/tides", "2026-01-31T23:59:59Z", (PAGE,))
MOVED = Exchange("https://example.org/old", 301, "Moved Permanently", (("Location", "/tides"),))


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def kept(root: Root) -> list[Path]:
    return sorted((Path(root.path) / FOLDER).iterdir())


def test_a_visit_is_found_again(root: Root) -> None:
    snapshots = Snapshots(root, FOLDER)
    assert snapshots.find(VISIT.url) is None
    added = snapshots.add(VISIT)
    assert added.visit == VISIT
    assert added.digest == "sha256:84778976efbbe9c878a883f3de9ac2d9448d35704acba15d8d1d7d4ffd979ea7"
    assert added.sealed
    assert added.file == "example.org-35848da4ab5a-20260131235959.warc.gz"
    assert [path.name for path in kept(root)] == [added.file]
    for again in (snapshots, Snapshots(root, FOLDER)):
        assert again.find(VISIT.url) == added
        assert again.history(VISIT.url) == [added]
        assert again.urls() == [VISIT.url]
        assert again.problems() == []


names = st.text(st.characters(codec="utf-8", exclude_characters=":", exclude_categories=["Z", "C"]), min_size=1)
values = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0")).map(lambda text: text.strip(" \t"))
chunky = st.sampled_from(
    ["Transfer-Encoding", "x-orig-transfer-encoding", "X-Orig-X-ORIG-Transfer-Encoding", "Location"]
)
headers = st.lists(st.tuples(names | chunky, values), max_size=4).map(tuple)
urls = st.builds(
    "{}://{}{}".format,
    st.sampled_from(["https", "http", "HTTPS"]),
    st.sampled_from(["a.example", "A.example:443", "[2001:db8::1]:8443", "u@b.example", "\u00e9.example"]),
    st.text(st.sampled_from("/?#=%&\u00e9ab."), max_size=8).map(lambda text: f"/{text}") | st.just(""),
)
exchanges = st.builds(
    Exchange,
    url=urls,
    status=st.integers(100, 999),
    reason=values,
    headers=headers,
    body=st.binary(max_size=60) | st.just(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"),
    request_headers=headers,
    address=st.sampled_from(["", "192.0.2.7", "2001:db8::1"]),
)
visits = st.builds(
    Visit,
    url=urls,
    retrieved=st.datetimes().map(
        lambda when: f"{max(when.year, 1970)}{when:-%m-%dT%H:%M:%SZ}".replace("-02-29", "-02-28")
    ),
    exchanges=st.lists(exchanges, min_size=1, max_size=4).map(tuple),
)


@settings(max_examples=40, deadline=None)
@given(visits)
def test_any_visit_is_found_again_and_written_the_same(visit: Visit) -> None:
    with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        added = Snapshots(root, FOLDER).add(visit)
        assert (added.visit, added.damaged, added.sealed) == (visit, "", True)
        again = Snapshots(root, FOLDER)
        assert again.find(visit.url) == added
        assert again.problems() == []
        assert all(again.find(exchange.url) is not None for exchange in visit.exchanges)
        assert kept(root)[0].read_bytes() == warc_bytes(visit)
        plain = gzip.decompress(warc_bytes(visit))
        assert added in [replace(found, file=added.file) for found in read_warc(plain)]
        assert Snapshots(root, FOLDER).add(visit) == added
        assert len(kept(root)) == 1


def test_redirects_are_found_from_either_end(root: Root) -> None:
    visit = Visit("https://example.org/old#part", VISIT.retrieved, (MOVED, PAGE))
    snapshots = Snapshots(root, FOLDER)
    snapshots.add(visit)
    found = snapshots.find("https://example.org/old")
    assert found is not None
    assert found.visit == visit
    end = snapshots.find(PAGE.url)
    assert end is not None
    assert end.visit == VISIT
    assert snapshots.urls() == ["https://example.org/old", "https://example.org/tides"]


def test_the_newest_is_found_or_the_newest_of_a_day(root: Root) -> None:
    snapshots = Snapshots(root, FOLDER)
    dates = ["2026-03-01T00:00:00Z", "2024-05-06T07:08:09Z", "2025-01-01T12:00:00Z"]
    for date in dates:
        snapshots.add(Visit(PAGE.url, date, (replace(PAGE, body=date.encode()),)))
    assert [found.visit.retrieved for found in snapshots.history(PAGE.url)] == sorted(dates)

    def at(time: str) -> str:
        found = snapshots.find(PAGE.url, time)
        return found.visit.retrieved if found else ""

    assert at("") == "2026-03-01T00:00:00Z"
    assert at("2026-02-28") == "2025-01-01T12:00:00Z"
    assert at("2025-01-01") == "2025-01-01T12:00:00Z"
    assert at("2025-01-01T11:59:59Z") == "2024-05-06T07:08:09Z"
    assert at("2024-05-05") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://Example.ORG", "https://example.org/"),
        ("HTTPS://example.org:443/a#b", "https://example.org/a"),
        ("http://example.org:80?x", "http://example.org/?x"),
        ("https://example.org:/a", "https://example.org/a"),
        ("https://[2001:DB8::1]:443/", "https://[2001:db8::1]/"),
    ],
)
def test_harmless_differences_of_addresses(one: str, other: str) -> None:
    assert normal_url(one) == normal_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/A", "https://example.org/a"),
        ("https://example.org/", "http://example.org/"),
        ("https://example.org:80/", "https://example.org/"),
        ("https://example.org/a/", "https://example.org/a"),
        ("https://example.org/?", "https://example.org/"),
        ("https://U@example.org/", "https://u@example.org/"),
        ("https://example.org/%41", "https://example.org/A"),
    ],
)
def test_other_addresses_stay_other(one: str, other: str) -> None:
    assert normal_url(one) != normal_url(other)


@pytest.mark.parametrize(
    "visit",
    [
        replace(VISIT, exchanges=()),
        *(
            replace(VISIT, retrieved=date)
            for date in ("", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T00:00:00+01:00")
        ),
        *(
            replace(VISIT, url=url)
            for url in ("", "ftp://x/", "https://", "https://x/a b", "https://x/\r\nA: b", "https://x/\ud800")
        ),
        replace(VISIT, exchanges=(replace(PAGE, url="file:///etc/passwd"),)),
        *(
            replace(VISIT, exchanges=(replace(PAGE, headers=((name, value),)),))
            for name, value in (
                ("", "x"),
                ("a b", "x"),
                ("a:b", "x"),
                ("a", "x\r\nb: y"),
                ("a", "x\0"),
                ("a", "\ud800"),
            )
        ),
        replace(VISIT, exchanges=(replace(PAGE, reason="OK\nX: y"),)),
        replace(VISIT, exchanges=(replace(PAGE, status=20),)),
        replace(VISIT, exchanges=(replace(PAGE, address="1.2.3.4\r\nWARC-Type: resource"),)),
    ],
)
def test_what_no_server_can_have_answered_is_not_kept(root: Root, visit: Visit) -> None:
    with pytest.raises(FetchFailure) as caught:
        Snapshots(root, FOLDER).add(visit)
    assert caught.value.kind in FetchFailure.KINDS
    assert not (Path(root.path) / FOLDER).exists()


def test_other_tools_read_what_is_written() -> None:
    checker = pytest.importorskip("warcio.archiveiterator")
    data = warc_bytes(Visit(MOVED.url, VISIT.retrieved, (MOVED, PAGE)))
    seen = []
    for record in checker.ArchiveIterator(BytesIO(data), check_digests="raise"):
        content = record.content_stream().read()
        assert record.digest_checker.passed
        seen.append((record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), content))
    assert [kind for kind, _, _ in seen] == ["warcinfo", *["request", "response"] * 2, "metadata"]
    assert seen[4][1:] == (PAGE.url, PAGE.body)
    # One member for each record, none of which tells when it was made.
    assert data.count(b"\x1f\x8b\x08\0\0\0\0\0") == len(seen)


def test_alike_names_are_told_apart(root: Root) -> None:
    snapshots = Snapshots(root, FOLDER)
    files = [snapshots.add(replace(VISIT, url=f"{VISIT.url}#{part}")).file for part in ("a", "b", "a")]
    assert files[0] == files[2] != files[1]
    assert files[1] == files[0].replace(".warc.gz", "-2.warc.gz")
    assert [path.name for path in kept(root)] == sorted(set(files))


def test_a_damaged_file_of_the_same_name_is_left_and_not_believed(root: Root) -> None:
    file = Snapshots(root, FOLDER).add(VISIT).file
    kept(root)[0].write_bytes(b"")
    snapshots = Snapshots(root, FOLDER)
    assert snapshots.find(VISIT.url) is None
    assert snapshots.problems() == [(file, "empty")]
    assert snapshots.add(VISIT).file != file
    assert snapshots.find(VISIT.url) is not None


def test_many_add_the_same_at_once(root: Root) -> None:
    visits = [replace(VISIT, url=f"{VISIT.url}#{number % 3}") for number in range(12)]

    def add(visit: Visit) -> str:
        with Root(root.path) as own:
            return Snapshots(own, FOLDER).add(visit).file

    with ThreadPoolExecutor(6) as pool:
        files = [*pool.map(add, visits)]
    assert len(set(files)) == 3
    assert [path.name for path in kept(root)] == sorted(set(files))
    assert {found.visit.url for found in Snapshots(root, FOLDER).history(VISIT.url)} == {visit.url for visit in visits}


@pytest.mark.parametrize("call", ["fsync", "link", "unlink"])
def test_a_writer_that_is_killed_leaves_nothing_half(root: Root, call: str) -> None:
    code = (
        "import os, signal, sys\n"
        "from pincite.safe.files import Root\n"
        "from pincite.store.warc import Snapshots\n"
        "from pincite.core.web import Exchange, Visit\n"
        f"os.{call} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"Snapshots(Root(sys.argv[1]), {FOLDER!r}).add(\n"
        f"    Visit({VISIT.url!r}, {VISIT.retrieved!r}, (Exchange({PAGE.url!r}, 200, body=b'x'),)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(warc.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code, root.path], env=environment, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    snapshots = Snapshots(root, FOLDER)
    found = snapshots.find(VISIT.url)
    # The last step only takes away the name that it was written under.
    assert (found.visit.answer.body if found else b"") == (b"x" if call == "unlink" else b"")
    assert snapshots.problems() == []
    assert snapshots.add(VISIT).visit == VISIT


def test_a_folder_that_cannot_be_written_is_named(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(30, "Read-only file system")

    snapshots = Snapshots(root, FOLDER)
    snapshots.add(VISIT)
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(Refused, match=r"snapshots/.*cannot be written \(Read-only file system\)"):
        snapshots.add(replace(VISIT, retrieved="2026-02-01T00:00:00Z"))
    assert len(kept(root)) == 1


def test_folders_that_lead_out_are_neither_read_nor_written(
    root: Root, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    with Root(str(outside)) as other:
        file = Snapshots(other, "s").add(VISIT).file
    (Path(root.path) / "s").symlink_to(outside / "s")
    snapshots = Snapshots(root, "s")
    assert snapshots.find(VISIT.url) is None
    assert snapshots.problems() == [("", "s: lies outside the root; nothing is read from it")]
    with pytest.raises(Refused, match="outside the root"):
        snapshots.add(replace(VISIT, retrieved="2026-02-01T00:00:00Z"))
    assert [path.name for path in (outside / "s").iterdir()] == [file]
    (Path(root.path) / "t").write_text("no folder")
    with pytest.raises(Refused, match="no folder"):
        Snapshots(root, "t").add(VISIT)


def test_files_that_are_not_read_are_named(
    root: Root, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.warc.gz"
    outside.write_bytes(warc_bytes(VISIT))
    snapshots = Snapshots(root, FOLDER)
    snapshots.add(VISIT)
    folder = Path(root.path) / FOLDER
    (folder / "a-link.warc.gz").symlink_to(outside)
    os.mkfifo(folder / "b-pipe.warc")
    (folder / "c-folder.warc").mkdir()
    (folder / "d.warc").write_bytes(b"x" * 3000)
    (folder / "e.warc.zst").write_bytes(b"x")
    (folder / "f.txt").write_bytes(b"x")
    monkeypatch.setattr(warc, "LARGEST_FILE", 2000)
    assert Snapshots(root, FOLDER).problems() == [
        ("a-link.warc.gz", "leads outside the root; not read"),
        ("b-pipe.warc", "no regular file; not read"),
        ("c-folder.warc", "no regular file; not read"),
        ("d.warc", "cannot be read: 3000 bytes exceed the limit of 2000"),
        ("e.warc.zst", "not read: only .warc and .warc.gz are"),
    ]
    with pytest.raises(Refused, match="exceed the limit"):
        snapshots.add(replace(VISIT, exchanges=(replace(PAGE, body=os.urandom(3000)),)))


def test_pages_that_are_let_go_are_read_again(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "MOST_KEPT", 0)
    added = Snapshots(root, FOLDER).add(VISIT)
    snapshots = Snapshots(root, FOLDER)
    assert snapshots.find(VISIT.url) == added
    other = Snapshots(root, FOLDER)
    assert other.urls() == [VISIT.url]
    kept(root)[0].write_bytes(warc_bytes(replace(VISIT, exchanges=(replace(PAGE, body=b"other"),))))
    found = other.find(VISIT.url)
    assert found is not None
    assert (found.damaged, found.sealed) == (f"{added.file} changed while it was being read", False)
    assert found.visit.answer.body == b""
    assert found.digest == f"sha256:{sha256(b'').hexdigest()}"


SAVED = Exchange(PAGE.url, 200, "", (("Content-Type", "text/html"),), b"<p>two tides a day")


def test_a_saved_page_is_a_resource_and_says_where_it_was_saved(root: Root) -> None:
    visit = Visit(PAGE.url, VISIT.retrieved, (SAVED,), "tides.html, HTML saved by a browser")
    added = Snapshots(root, FOLDER).add(visit)
    assert (added.visit, added.damaged, added.sealed) == (visit, "", True)
    assert Snapshots(root, FOLDER).find(PAGE.url) == added
    plain = gzip.decompress(warc_bytes(visit))
    assert b"WARC-Type: resource" in plain and b"WARC-Type: request" not in plain and b"HTTP/1.1" not in plain


def test_an_exchange_of_a_saved_warc_keeps_its_head(root: Root) -> None:
    visit = Visit("https://example.org/old", VISIT.retrieved, (MOVED, PAGE), "crawl.warc.gz, WARC")
    added = Snapshots(root, FOLDER).add(visit)
    assert added.visit == visit
    # Its end is found by its own address too, and was no more fetched than its beginning.
    end = Snapshots(root, FOLDER).find(PAGE.url)
    assert end is not None and end.visit.saved == visit.saved
    assert b"HTTP/1.1 200" in gzip.decompress(warc_bytes(visit))


def test_a_fetched_page_is_never_written_as_a_resource() -> None:
    assert b"WARC-Type: response" in gzip.decompress(warc_bytes(Visit(PAGE.url, VISIT.retrieved, (SAVED,))))


@pytest.mark.parametrize("note", ["a\r\nexchange: <urn:uuid:1>", "a\nb", "a\0b", " a", "a\udc80"])
def test_a_note_that_is_not_one_line_is_refused(root: Root, note: str) -> None:
    with pytest.raises(FetchFailure, match="not one line"):
        Snapshots(root, FOLDER).add(Visit(PAGE.url, VISIT.retrieved, (SAVED,), note))
    assert not (Path(root.path) / FOLDER).exists()
