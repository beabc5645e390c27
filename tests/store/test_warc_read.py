"""WARC files of other tools: what they hold is read, and what cannot be believed is said to be damaged."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.safe.files import Root
from pincite.store import warc_http, warc_read, warc_records, warc_unpack
from pincite.store.warc import PageSnapshot, Snapshots
from pincite.store.warc_http import joined_chunks
from pincite.store.warc_read import WarcResponse, fits, read_file
from pincite.store.warc_redirects import RedirectChains

spec = spec_from_file_location("support_warc", Path(__file__).parents[1] / "support_warc.py")
assert spec is not None and spec.loader is not None
support_warc = module_from_spec(spec)
spec.loader.exec_module(support_warc)
read_warc = support_warc.read_warc

URL = "https://example.org/"
DATE = "2026-01-31T23:59:59Z"
BODY = b"<p>The tide turns twice a day.</p>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
HTTP = HEAD + BODY


def record(
    block: bytes = HTTP, kind: str = "response", version: str = "1.0", end: str = "\r\n", **fields: str | None
) -> bytes:
    """A record written by hand; a field of None is left out."""
    known: dict[str, str | None] = {
        "WARC-Type": kind,
        "WARC-Record-ID": "<urn:uuid:1>",
        "WARC-Date": DATE,
        "WARC-Target-URI": URL,
        "Content-Length": str(len(block)),
    }
    known.update({name.replace("_", "-"): value for name, value in fields.items()})
    lines = [f"WARC/{version}", *(f"{name}: {value}" for name, value in known.items() if value is not None), "", ""]
    return end.join(lines).encode() + block + end.encode() * 2


def read(*records: bytes) -> list[PageSnapshot]:
    return [*read_warc(b"".join(records))]


def only(*records: bytes) -> PageSnapshot:
    found = read(*records)
    assert len(found) == 1
    return found[0]


def problems(*records: bytes) -> list[str]:
    return read_file(b"".join(records), "x.warc").problems


def digest(algorithm: str, data: bytes, form: str = "base32") -> str:
    raw = hashlib.new(algorithm, data).digest()
    text = {"base32": base64.b32encode(raw).decode(), "hex": raw.hex(), "base64": base64.b64encode(raw).decode()}[form]
    return f"{algorithm}:{text}"


def packed(*records: bytes) -> bytes:
    return b"".join(gzip.compress(one, mtime=0) for one in records)


@pytest.mark.parametrize("version", ["0.17", "0.18", "1.0", "1.1"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_every_version_with_either_line_end(version: str, end: str) -> None:
    block = HTTP.replace(b"\r\n", end.encode())
    found = only(record(block, version=version, end=end))
    assert (found.visit.answer.body, found.damaged, found.sealed) == (BODY, "", False)
    assert (found.visit.url, found.visit.retrieved, found.visit.status) == (URL, DATE, 200)
    assert found.digest == f"sha256:{hashlib.sha256(BODY).hexdigest()}"


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256", "sha512"])
@pytest.mark.parametrize("form", ["base32", "hex", "base64"])
def test_digests_of_every_kind(algorithm: str, form: str) -> None:
    good = digest(algorithm, HTTP, form)
    assert only(record(WARC_Block_Digest=good)).sealed
    assert only(record(WARC_Payload_Digest=digest(algorithm, BODY, form))).sealed
    assert only(record(WARC_Block_Digest=good.rstrip("="))).sealed
    wrong = only(record(WARC_Block_Digest=digest(algorithm, HTTP + b"x", form)))
    assert (wrong.damaged, wrong.sealed) == ("its content does not fit its WARC-Block-Digest", False)
    assert only(record(WARC_Payload_Digest=digest(algorithm, BODY[1:], form))).damaged


@pytest.mark.parametrize("declared", ["", "sha1", "crc32:00000000", "blake9:abc", ":", "shake_128:00"])
def test_digests_that_cannot_be_compared_vouch_for_nothing(declared: str) -> None:
    found = only(record(WARC_Block_Digest=declared))
    assert (found.damaged, found.sealed) == ("", False)
    assert fits(declared, b"") is None


def test_one_good_digest_does_not_outweigh_a_wrong_one() -> None:
    found = only(record(WARC_Block_Digest=digest("sha1", HTTP), WARC_Payload_Digest=digest("sha1", b"x")))
    assert (found.damaged, found.sealed) == ("its content does not fit its WARC-Payload-Digest", False)


def test_compression_by_record_by_file_and_by_blocks() -> None:
    one, two = record(), record(WARC_Target_URI=f"{URL}2")
    plain = one + two
    blocks = b"".join(gzip.compress(plain[at : at + 50]) for at in range(0, len(plain), 50))
    for data in (packed(one, two), packed(plain), blocks, packed(one, two) + bytes(512)):
        assert [found.visit.url for found in read(data)] == [URL, f"{URL}2"]
        assert problems(data) == []


def test_a_gzip_member_may_name_itself() -> None:
    whole = record()
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = raw.compress(whole) + raw.flush()
    trailer = zlib.crc32(whole).to_bytes(4, "little") + len(whole).to_bytes(4, "little")
    header = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03" + b"\x03\0abc" + b"name\0" + b"comment\0" + b"\0\0"
    assert only(header + body + trailer).visit.answer.body == BODY


def test_chunks_are_joined_and_either_digest_fits() -> None:
    chunks = b"5\r\n<p>Th\r\n1d;x=y\r\ne tide turns twice a day.</p>\r\n0\r\nTrailer: x\r\n\r\n"
    head = HEAD.replace(b"Content-Type: text/html", b"Transfer-Encoding: chunked")
    for payload in (chunks, BODY):
        found = only(record(head + chunks, WARC_Payload_Digest=digest("sha1", payload)))
        assert (found.visit.answer.body, found.sealed) == (BODY, True)
    joined = only(record(head + BODY))
    assert (joined.visit.answer.body, joined.damaged) == (BODY, "")
    for cut in (chunks[:20], chunks[: chunks.index(b"0\r\nTr")], chunks[:9] + b"zz"):
        assert only(record(head + cut)).damaged == "its last chunk is missing"


@given(st.lists(st.binary(min_size=1, max_size=20), max_size=6))
@settings(max_examples=50, deadline=None)
def test_any_chunks_are_joined(pieces: list[bytes]) -> None:
    body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    assert joined_chunks(body) == (b"".join(pieces), "")


def test_too_many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc_http, "MOST_CHUNKS", 3)
    assert joined_chunks(b"1\r\na\r\n" * 4 + b"0\r\n\r\n")[1] == "more than 3 chunks: the limit"


def test_resources_are_pages_without_http() -> None:
    found = only(record(BODY, "resource", Content_Type="text/html", WARC_Block_Digest=digest("sha1", BODY)))
    assert (found.visit.answer.body, found.visit.status, found.sealed) == (BODY, 200, True)
    assert found.visit.answer.header("content-type") == "text/html"


@pytest.mark.parametrize("kind", ["warcinfo", "request", "metadata", "conversion", "continuation", "", "rdsponse"])
def test_other_records_are_no_pages(kind: str) -> None:
    assert read(record(kind=kind)) == []


@pytest.mark.parametrize("url", ["", "dns:example.org", "file:///etc/passwd", "urn:x", "https://", "https://a b/"])
def test_records_about_anything_but_the_web_are_passed_over(url: str) -> None:
    assert read(record(WARC_Target_URI=url)) == []


@pytest.mark.parametrize(
    "date", [None, "", "2026", "20260131235959", "2026-02-30T00:00:00Z", "2026-01-31T23:59:59+01:00"]
)
def test_records_without_a_usable_date_are_named(date: str | None) -> None:
    assert read(record(WARC_Date=date)) == []
    assert problems(record(WARC_Date=date)) == [f"record 1 ({URL}): without a date that can be used"]


def test_fractions_of_a_second_are_cut() -> None:
    assert only(record(WARC_Date="2026-01-31T23:59:59.123456Z")).visit.retrieved == DATE


@pytest.mark.parametrize(
    ("block", "fields", "why"),
    [
        (HTTP, {"WARC-Truncated": "length"}, "truncated by its writer"),
        (HTTP, {"WARC-Segment-Number": "1"}, "one part of a record that goes on elsewhere"),
        (b"", {}, "not an HTTP answer"),
        (BODY, {}, "not an HTTP answer"),
        (b"HTTP/1.1 999999 x\r\n\r\n", {}, "not an HTTP answer"),
        (
            HEAD.replace(b"\r\n\r\n", b"\r\nContent-Length: 99\r\n\r\n") + BODY,
            {},
            "cut off: 34 of the 99 bytes that its server announced",
        ),
    ],
)
def test_partial_answers_are_damaged(block: bytes, fields: dict[str, str], why: str) -> None:
    data = record(block, **{name.replace("-", "_"): value for name, value in fields.items()})
    found = only(data)
    assert (found.damaged, found.sealed) == (why, False)
    assert problems(data) == [f"record 1 ({URL}): {why}"]


def test_odd_heads_are_read() -> None:
    assert only(record(b"HTTP/2 204\r\n\r\n")).visit.status == 204
    assert only(record(b"HTTP/1.1 200 OK\n\nx")).visit.answer.body == b"x"
    assert (
        only(record(b"HTTP/1.1 404 Not Found")).visit.answer == only(record(b"HTTP/1.1 404 Not Found\r\n")).visit.answer
    )
    folded = only(record(b"HTTP/1.1 200 OK\r\nA: b\r\n  c\r\n\td\r\nB: \xe9\r\nC: \xc3\xa9\r\n\r\n"))
    assert folded.visit.answer.headers == (("A", "b c d"), ("B", "\u00e9"), ("C", "\u00e9"))


def test_what_wget_writes() -> None:
    asked = b"GET /r HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n"
    moved = b"HTTP/1.1 302 Found\r\nLocation: /page\r\nContent-Length: 0\r\n\r\n"
    data = packed(
        record(b"software: Wget/1.21.3\r\n", "warcinfo", WARC_Target_URI=None, WARC_Record_ID="<urn:uuid:0>"),
        record(asked, "request", WARC_Record_ID="<urn:uuid:1>", WARC_Target_URI=f"<{URL}r>"),
        record(moved, WARC_Record_ID="<urn:uuid:2>", WARC_Target_URI=f"<{URL}r>", WARC_Concurrent_To="<urn:uuid:1>"),
        record(asked, "request", WARC_Record_ID="<urn:uuid:3>", WARC_Target_URI=f"<{URL}page>"),
        record(
            HTTP,
            WARC_Record_ID="<urn:uuid:4>",
            WARC_Target_URI=f"<{URL}page>",
            WARC_Concurrent_To="<urn:uuid:3>",
            WARC_Block_Digest=digest("sha1", HTTP),
            WARC_Payload_Digest=digest("sha1", BODY),
        ),
        record(b"manifest", "resource", WARC_Target_URI="metadata://gnu.org/software/wget/warc/MANIFEST.txt"),
    )
    page, start = read(data)
    assert (page.visit.url, page.sealed) == (f"{URL}page", True)
    assert (start.visit.url, start.visit.final_url, start.visit.answer.body) == (f"{URL}r", f"{URL}page", BODY)
    assert start.visit.exchanges[0].request_headers == (("Host", "example.org"), ("Accept", "*/*"))
    assert problems(data) == []


def test_what_warcio_writes() -> None:
    writers = pytest.importorskip("warcio.warcwriter")
    head = pytest.importorskip("warcio.statusandheaders").StatusAndHeaders
    for compressed in (True, False):
        out = BytesIO()
        writer = writers.WARCWriter(out, gzip=compressed)
        writer.write_record(writer.create_warcinfo_record("x.warc", {"software": "x"}))
        answer = head("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                URL, "response", BytesIO(BODY), len(BODY), http_headers=answer, warc_headers_dict={"WARC-Date": DATE}
            )
        )
        again = writer.create_revisit_record(
            f"{URL}again", digest("sha1", BODY), URL, DATE, http_headers=answer, warc_headers_dict={"WARC-Date": DATE}
        )
        writer.write_record(again)
        first, revisited = read(out.getvalue())
        assert (first.visit.answer.body, first.sealed) == (BODY, True)
        assert (revisited.visit.url, revisited.visit.answer.body, revisited.sealed) == (f"{URL}again", BODY, True)
        assert problems(out.getvalue()) == []


@pytest.mark.parametrize(("method", "read_as"), [(b"GET", 1), (b"get", 1), (b"HEAD", 0), (b"POST", 0), (b"OPTIONS", 0)])
def test_answers_to_anything_but_get_are_no_pages(method: bytes, read_as: int) -> None:
    asked = method + b" / HTTP/1.1\r\nHost: example.org\r\n\r\n"
    for link in ({}, {"WARC_Concurrent_To": "<urn:uuid:1>"}):
        assert len(read(record(asked, "request", WARC_Record_ID="<urn:uuid:2>", **link), record())) == read_as


REVISIT = {"WARC_Record_ID": "<urn:uuid:9>", "WARC_Target_URI": f"{URL}again", "WARC_Date": "2026-02-01T00:00:00Z"}
PROFILE = "http://netpreserve.org/warc/1.1/revisit/"


@pytest.mark.parametrize(
    "how",
    [
        {"WARC_Refers_To": "<urn:uuid:1>"},
        {"WARC_Refers_To_Target_URI": URL, "WARC_Refers_To_Date": DATE},
        {"WARC_Payload_Digest": digest("sha1", BODY)},
        {"WARC_Refers_To": "<urn:uuid:404>", "WARC_Payload_Digest": digest("sha1", BODY)},
    ],
)
def test_a_revisit_has_the_body_it_refers_to(how: dict[str, str]) -> None:
    first = record(WARC_Payload_Digest=digest("sha1", BODY))
    head = b"HTTP/1.1 203 Other\r\nContent-Length: 34\r\n\r\n"
    _, found = read(first, record(head, "revisit", **REVISIT, **how))
    assert (found.visit.answer.body, found.visit.status, found.damaged) == (BODY, 203, "")
    assert found.sealed is ("WARC_Payload_Digest" in how)
    assert found.digest == f"sha256:{hashlib.sha256(BODY).hexdigest()}"
    # Nothing sent again, or no head at all: what was kept first is what was seen.
    for block in (b"HTTP/1.1 304 Not Modified\r\n\r\n", b""):
        _, same = read(first, record(block, "revisit", **REVISIT, **how, WARC_Profile=PROFILE + "server-not-modified"))
        assert (same.visit.status, same.visit.answer.body, same.damaged) == (200, BODY, "")
        assert same.visit.retrieved == "2026-02-01T00:00:00Z"


def test_a_revisit_of_what_is_not_here_or_other_is_damaged() -> None:
    first = record(WARC_Payload_Digest=digest("sha1", BODY))
    for refers in ({}, {"WARC_Refers_To": "<urn:uuid:404>"}, {"WARC_Refers_To": "<urn:uuid:9>"}):
        _, found = read(first, record(HEAD, "revisit", **REVISIT, **refers))
        assert found.damaged == "its body was kept by another record that is not here"
        assert found.visit.answer.body == b""
    other = digest("sha1", b"other")
    _, found = read(first, record(HEAD, "revisit", **REVISIT, WARC_Refers_To="<urn:uuid:1>", WARC_Payload_Digest=other))
    assert (found.damaged, found.sealed) == ("its body does not fit its WARC-Payload-Digest", False)
    broken = record(WARC_Payload_Digest=other)
    _, found = read(broken, record(HEAD, "revisit", **REVISIT, WARC_Refers_To="<urn:uuid:1>"))
    assert found.damaged.startswith("the record that has its body is damaged")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "s").mkdir()
    with Root(str(tmp_path)) as opened:
        yield opened


def put(root: Root, **files: bytes) -> Snapshots:
    for name, data in files.items():
        (Path(root.path) / "s" / f"{name}.warc").write_bytes(data)
    return Snapshots(root, "s")


def moved(to: str, at: str = URL, date: str = DATE, status: int = 301) -> bytes:
    return record(f"HTTP/1.1 {status} Moved\r\nLocation: {to}\r\n\r\n".encode(), WARC_Target_URI=at, WARC_Date=date)


def test_redirects_and_revisits_cross_files(root: Root) -> None:
    snapshots = put(
        root,
        a=moved("/next"),
        b=record(
            WARC_Target_URI=f"{URL}next", WARC_Date="2026-02-01T00:00:03Z", WARC_Payload_Digest=digest("md5", BODY)
        ),
        c=record(b"", "revisit", **REVISIT, WARC_Payload_Digest=digest("md5", BODY)),
    )
    found = snapshots.find(URL)
    assert found is not None
    assert (found.visit.final_url, found.visit.retrieved, found.file) == (
        f"{URL}next",
        "2026-02-01T00:00:03Z",
        "b.warc",
    )
    again = snapshots.find(f"{URL}again")
    assert again is not None
    assert (again.visit.answer.body, again.file, again.sealed) == (BODY, "c.warc", True)


@pytest.mark.parametrize(
    ("to", "date"),
    [
        ("/next", "2026-02-05T00:00:00Z"),
        ("/next", "2019-01-01T00:00:00Z"),
        ("/else", DATE),
        ("ftp://example.org/next", DATE),
        ("https://[x/next", DATE),
        ("", DATE),
    ],
)
def test_a_redirect_leads_nowhere_where_nothing_near_was_kept(root: Root, to: str, date: str) -> None:
    found = put(root, a=moved(to), b=record(WARC_Target_URI=f"{URL}next", WARC_Date=date)).find(URL)
    assert found is not None
    assert found.visit.status == 301
    assert len(found.visit.exchanges) == 1


def test_redirects_that_go_in_circles_end(root: Root) -> None:
    ring = [moved(f"{URL}{(at + 1) % 30}", f"{URL}{at}") for at in range(30)]
    snapshots = put(root, a=b"".join(ring), b=moved(f"{URL}self", f"{URL}self"))
    found = snapshots.find(f"{URL}0")
    assert found is not None
    assert len(found.visit.exchanges) == 6
    own = snapshots.find(f"{URL}self")
    assert own is not None
    assert len(own.visit.exchanges) == 1


def test_a_page_that_redirects_to_itself_once(root: Root) -> None:
    found = put(root, a=moved(URL, status=302) + record(WARC_Record_ID="<urn:uuid:2>")).history(URL)
    assert sorted(len(one.visit.exchanges) for one in found) == [1, 2]
    assert all(one.visit.answer.body == BODY for one in found)


def test_the_newest_counts_even_if_it_is_damaged(root: Root) -> None:
    good, bad = record(WARC_Date="2025-01-01T00:00:00Z"), record(WARC_Block_Digest=digest("sha1", b""))
    snapshots = put(root, a=good, b=bad)
    found = snapshots.find(URL)
    assert found is not None
    assert found.damaged
    assert [bool(one.damaged) for one in snapshots.history(URL)] == [False, True]
    before = snapshots.find(URL, "2025-12-31")
    assert before is not None
    assert not before.damaged
    twice = put(root, a=record(), b=bad).find(URL)
    assert twice is not None
    assert not twice.damaged


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"\r\n\r\n", "holds no answer of a web server"),
        (b"<html>", "byte 0: not a record; the rest is not read"),
        (record(version="2.0"), "byte 0: not a record of a WARC version that is known; the rest is not read"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n", "byte 0: a record without an end of its header; the rest is not read"),
        (b"WARC/1.0\r\nA: " + b"x" * 70000, "byte 0: a record without an end of its header; the rest is not read"),
        *(
            (
                record(Content_Length=length),
                f"byte 0: a record without a length that can be believed ({length or ''!r}); the rest is not read",
            )
            for length in (None, "-1", "1e3", "0x10", "9" * 16, "\u0663", "1 2")
        ),
        (b"\x1f\x8b", "byte 0: no gzip member; the rest is not read"),
        (b"\x1f\x8b\x08\xff" + bytes(20), "byte 0: no gzip member; the rest is not read"),
        (packed(b"") + b"junk", "byte 20: no gzip member; the rest is not read"),
    ],
)
def test_files_that_are_none_are_named(data: bytes, why: str) -> None:
    assert read(data) == []
    assert problems(data) == [why]


def test_a_length_beyond_the_end_is_a_cut() -> None:
    data = record(Content_Length="999999999999999")
    found = only(data)
    assert found.damaged.startswith("cut off: ")
    assert problems(data)[0].startswith("byte 0: a record of 999999999999999 bytes, of which there are ")


def test_a_page_cannot_pose_as_records() -> None:
    forged = record(b"HTTP/1.1 200 OK\r\n\r\nforged", WARC_Target_URI="https://bank.example/")
    page = HEAD + b"\r\n\r\n" + forged
    assert [found.visit.url for found in read(record(page), record(WARC_Target_URI=f"{URL}2"))] == [URL, f"{URL}2"]
    # A length that leads into the page, or beyond it, makes it damaged.
    for length in {*range(len(HEAD), len(page) + 40, 7)} - {len(page)}:
        short = record(page, Content_Length=str(length), WARC_Block_Digest=digest("sha1", page))
        assert all(found.damaged for found in read(gzip.compress(short)) if found.visit.url == URL)


def test_a_broken_record_costs_its_own_member_only() -> None:
    long = record(Content_Length="5000")
    data = packed(record(Content_Length="x"), long, record(WARC_Target_URI=f"{URL}2"))
    cut, whole = read(data)
    assert cut.damaged.startswith("cut off")
    assert (whole.visit.url, whole.damaged) == (f"{URL}2", "")
    assert len(problems(data)) == 3


def test_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(record(HEAD + bytes(3_000_000)))
    assert len(bomb) < 10_000
    monkeypatch.setattr(warc_unpack, "MOST_UNPACKED", 1_000_000)
    first = packed(record())
    assert [found.visit.url for found in read(first + bomb) if not found.damaged] == [URL]
    assert problems(first + bomb)[-1] == "more than 1000000 bytes unpacked: the limit"
    plain = record() + record(HEAD + bytes(3_000_000))
    assert sorted(bool(found.damaged) for found in read(plain)) == [False, True]
    assert "more than 1000000 bytes: the limit" in problems(plain)
    monkeypatch.setattr(warc_unpack, "MOST_MEMBERS", 3)
    assert problems(packed(*[record()] * 4)) == ["more than 3 gzip members: the limit"]
    monkeypatch.setattr(warc_records, "MOST_RECORDS", 2)
    assert problems(record() * 3) == ["more than 2 records: the limit"]
    monkeypatch.setattr(warc_read, "LARGEST_BODY", 10)
    assert problems(record()) == [f"record 1 ({URL}): more than 10 bytes: the limit"]
    assert len(problems(*[record(WARC_Date="x", Content_Length="0").split(b"HTTP/")[0]] * 2)) == 2


def test_many_problems_are_counted() -> None:
    found = problems(*[record(WARC_Date="x")] * 80)
    assert len(found) == 51
    assert found[-1] == "and 30 more"


def hostile(shape: str, count: int) -> bytes:
    """A file that someone made to be slow to read."""
    if shape == "members that claim more":
        return packed(*[record(Content_Length="99999999")] * (count // 8))
    if shape == "redirects in circles":
        return moved(URL, status=302) * (count // 16)
    if shape == "chunks":
        return record(HEAD.replace(b"Content-Type: text/html", b"Transfer-Encoding: chunked") + b"1\r\na\r\n" * count)
    if shape == "folded lines":
        return b"".join(record(b"HTTP/1.1 200 OK\r\nA: b\r\n" + b" c\r\n" * 5000) for _ in range(count // 1000))
    if shape == "blank lines":
        return b"\n" * count * 100
    return gzip.compress(b"") * count


def test_bodies_that_are_not_here_are_not_looked_for_everywhere(in_proportion: Callable[..., bool]) -> None:
    lost = record(b"", "revisit", WARC_Refers_To_Target_URI=URL, WARC_Refers_To_Date="1999-01-01T00:00:00Z")

    def trails(count: int) -> tuple[RedirectChains, list[WarcResponse]]:
        file = read_file((record() + lost) * count, "x.warc")
        made = RedirectChains()
        made.add(file)
        return made, [found for found in file.captured if found.refers is not None]

    def look(made: tuple[RedirectChains, list[WarcResponse]]) -> None:
        assert [made[0].body_of(found) for found in made[1]] == [None] * len(made[1])

    assert in_proportion(look, trails(200), trails(1600), 8)


@pytest.mark.parametrize(
    "shape", ["members that claim more", "redirects in circles", "chunks", "folded lines", "blank lines", "no content"]
)
def test_time_grows_with_the_file(in_proportion: Callable[..., bool], shape: str) -> None:
    assert in_proportion(lambda data: [*read_warc(data)], hostile(shape, 1000), hostile(shape, 8000), 8)
