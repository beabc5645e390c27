"""What a WARC file holds of web pages: every answer, checked against the digests that the file carries for it.

Nothing here needs more than the standard library, so that what was kept can be checked offline in a bare install.
"""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import new, sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from .warc_http import RecordedResponse, read_answer, read_request
from .warc_records import read_fields, read_records
from .warc_unpack import unpack

if TYPE_CHECKING:
    from .warc_records import WarcRecord

    _Request = tuple[str, tuple[tuple[str, str], ...]]
    """Method and headers."""

LARGEST_BODY = 64 * 1024 * 1024
"""An answer larger than this is named and not kept."""
_KINDS = ("response", "resource", "revisit")
_VISIT = "pincite-visit"
_EXCHANGE = "exchange"
_SAVED = "saved"
_MOST_PROBLEMS = 50
_SHOWN_URL = 200
_DIGESTS = {"md5": "md5", "sha1": "sha1", "sha256": "sha256", "sha384": "sha384", "sha512": "sha512"}
_is_date = re.compile(r"([0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9])(?:\.[0-9]{1,9})?Z\Z").match
_is_page = re.compile(r"https?://[^\s\x00-\x20]+\Z", re.IGNORECASE).match


class WarcResponse(Struct):
    """One answer of a file, and how far it can be believed."""

    url: str
    retrieved: str
    file: str
    order: int
    """Which record of its file it is."""
    id: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = b""
    """None where it was let go to save memory."""
    request_headers: tuple[tuple[str, str], ...] = ()
    address: str = ""
    digest: str = ""
    """`sha256:` and that of the body."""
    seal: str = ""
    """What its record has to be called where it was written by pincite, but for its place among its like."""
    damaged: str = ""
    sealed: bool = False
    payload: str = ""
    """The digest of the body as the file gives it."""
    saved: str = ""
    """From which file it was taken over, where pincite did not fetch it."""
    refers: BodyReference | None = None
    """Set where the body was kept before, by another record."""


class BodyReference(Struct, frozen=True):
    """Where a record says its body is."""

    id: str
    uri: str
    date: str
    unmodified: bool
    """Whether the server said that nothing changed, instead of sending it again."""


class WarcVisit(Struct, frozen=True):
    """A visit as its writer tells it: what was asked for, and the answers in order."""

    url: str
    exchanges: tuple[WarcResponse, ...]


class WarcFile(Struct, frozen=True):
    """What one file holds."""

    captured: list[WarcResponse]
    resolved: list[WarcVisit]
    problems: list[str]


def read_file(data: bytes, name: str) -> WarcFile:
    """All answers of a file, and what is wrong with it; never raises."""
    problems: list[str] = []
    unpacked = unpack(data)
    whole = unpacked.data
    captured: list[WarcResponse] = []
    by_id: dict[str, WarcResponse] = {}
    answers: list[tuple[WarcRecord, WarcResponse]] = []
    requests: list[tuple[WarcRecord, _Request]] = []
    visits: list[tuple[str, list[str], str]] = []
    for order, record in enumerate(read_records(unpacked, problems)):
        if record.kind in _KINDS:
            found = _capture(record, whole, name, order, problems)
            if found is not None:
                captured.append(found)
                by_id.setdefault(record.id, found)
                answers.append((record, found))
        elif record.kind == "request":
            if record.damaged or fits(record.get("warc-block-digest"), whole[record.start : record.end]) is False:
                problems.append(f"record {order + 1}: a damaged request; its answer is read without it")
            else:
                requests.append((record, read_request(whole, record.start, record.end)))
        elif record.kind == "metadata":
            visit = _visit(record, whole, problems)
            if visit is not None:
                visits.append(visit)
    other = _pair(answers, requests)
    captured = [found for found in captured if id(found) not in other]
    resolved = _resolve_visits(visits, by_id, problems)
    problems += [
        f"record {found.order + 1} ({found.url[:_SHOWN_URL]}): {found.damaged}" for found in captured if found.damaged
    ]
    if not data:
        problems.append("empty")
    elif not captured and not problems:
        problems.append("holds no answer of a web server")
    if len(problems) > _MOST_PROBLEMS:
        problems[_MOST_PROBLEMS:] = [f"and {len(problems) - _MOST_PROBLEMS} more"]
    return WarcFile(captured, resolved, problems)


def fits(declared: str, data: bytes | memoryview, known: bytes = b"") -> bool | None:
    """Whether bytes have the digest `algorithm:value`, in hex, base32 or base64; None where that is unknown.

    `known` is their SHA-256, where the caller has it.
    """
    label, colon, value = declared.partition(":")
    algorithm = _DIGESTS.get(label.strip().lower().replace("-", ""))
    if not colon or algorithm is None:
        return None
    raw = known if known and algorithm == "sha256" else new(algorithm, data, usedforsecurity=False).digest()
    value = value.strip()
    if len(value) == 2 * len(raw) and value.lower() == raw.hex():
        return True
    from base64 import b32encode, b64encode

    bare = value.rstrip("=")
    return bare.upper() == b32encode(raw).decode().rstrip("=") or bare.replace("-", "+").replace("_", "/") == b64encode(
        raw
    ).decode().rstrip("=")


def seal_of(kind: str, url: str, retrieved: str, address: str, block: bytes) -> str:
    """What a record's name is made from: whatever its reader gets, and the SHA-256 of its block."""
    return "\n".join((kind, url, retrieved, address, block.hex()))


def seconds_of(date: str) -> float:
    """Seconds from the epoch to a time in UTC; -1 for one that no calendar has."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError):
        return -1.0


def record_id(seal: str, place: int) -> str:
    """The name of a record, the same for the same content and place in its file."""
    digits = sha256(f"{seal}\n{place}".encode("utf-8", "surrogatepass")).hexdigest()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}>"


def _capture(record: WarcRecord, data: bytes, name: str, order: int, problems: list[str]) -> WarcResponse | None:
    """The answer in a record; None, and a problem, where it is of no use."""
    url = record.uri
    if not _is_page(url):
        # Names that were looked up, files of a crawler and the like.
        return None
    date = _is_date(record.get("warc-date"))
    if date is None or seconds_of(f"{date[1]}Z") < 0:
        problems.append(f"record {order + 1} ({url[:_SHOWN_URL]}): without a date that can be used")
        return None
    if record.end - record.start > LARGEST_BODY:
        problems.append(f"record {order + 1} ({url[:_SHOWN_URL]}): more than {LARGEST_BODY} bytes: the limit")
        return None
    answer = _answer(record, data)
    found = WarcResponse(
        *(url, f"{date[1]}Z", name, order, record.id, answer.status, answer.reason, answer.headers, answer.body),
        address=record.get("warc-ip-address"),
        damaged=record.damaged or answer.damaged,
        payload=record.get("warc-payload-digest"),
    )
    if record.get("warc-truncated"):
        found.damaged = found.damaged or "truncated by its writer"
    if record.get("warc-segment-number"):
        found.damaged = found.damaged or "one part of a record that goes on elsewhere"
    _check(found, record, data, answer)
    return found


def _answer(record: WarcRecord, data: bytes) -> RecordedResponse:
    """What a record says was answered; damaged where that cannot be read."""
    if record.kind == "resource":
        kind = record.get("content-type")
        headers = (("Content-Type", kind),) if kind else ()
        return RecordedResponse(200, "", headers, data[record.start : record.end], record.start)
    answer = read_answer(data, record.start, record.end)
    if answer is None:
        empty = record.kind == "revisit" and record.start == record.end
        return RecordedResponse(0, "", (), b"", record.end, "" if empty else "not an HTTP answer")
    if record.kind == "revisit":
        # The head is of the new answer, and announces a body that was kept with the old one.
        return RecordedResponse(answer.status, answer.reason, answer.headers, b"", answer.start)
    return answer


def _check(found: WarcResponse, record: WarcRecord, data: bytes, answer: RecordedResponse) -> None:
    """Compare an answer with every digest that its record gives."""
    view = memoryview(data)
    raw = sha256(found.body or b"").digest()
    found.digest = f"sha256:{raw.hex()}"
    block = sha256(view[record.start : record.end]).digest() if answer.start != record.start else raw
    found.seal = seal_of(record.kind, record.uri, record.get("warc-date"), found.address, block)
    checks = []
    declared = record.get("warc-block-digest")
    if declared:
        checks.append(("WARC-Block-Digest", fits(declared, view[record.start : record.end], block)))
    if record.kind == "revisit":
        profile = record.get("warc-profile").lower()
        uri = record.get("warc-refers-to-target-uri").removeprefix("<").removesuffix(">")
        date = _is_date(record.get("warc-refers-to-date"))
        found.refers = BodyReference(
            record.get("warc-refers-to"), uri, f"{date[1]}Z" if date else "", "server-not-modified" in profile
        )
    elif found.payload:
        fit = fits(found.payload, found.body or b"", raw)
        if fit is False:
            # Writers differ on whether the payload is with its chunks or without.
            fit = fits(found.payload, view[answer.start : record.end])
        checks.append(("WARC-Payload-Digest", fit))
    wrong = next((field for field, fit in checks if fit is False), "")
    if wrong:
        found.damaged = found.damaged or f"its content does not fit its {wrong}"
    found.sealed = not found.damaged and any(fit for _, fit in checks)


def _visit(record: WarcRecord, data: bytes, problems: list[str]) -> tuple[str, list[str], str] | None:
    """The visit that a record of pincite tells of, and where it was saved; None where it is another's, or damaged."""
    block = data[record.start : record.end]
    if not block.startswith(_VISIT.encode() + b":"):
        return None
    if record.damaged or not fits(record.get("warc-block-digest"), block):
        problems.append(f"byte {record.at}: the record of the visit is damaged; its answers are read one by one")
        return None
    pairs = read_fields(block)
    ids = [value for name, value in pairs[1:] if name == _EXCHANGE]
    saved = next((value for name, value in pairs[1:] if name == _SAVED), "")
    return (pairs[0][1], ids, saved) if ids and _is_page(pairs[0][1]) else None


def _resolve_visits(
    visits: list[tuple[str, list[str], str]], by_id: dict[str, WarcResponse], problems: list[str]
) -> list[WarcVisit]:
    """The visits whose answers are all there; an answer that is not the one that was named is damaged."""
    resolved = []
    for url, ids, saved in visits:
        if not all(name in by_id for name in ids):
            problems.append(f"the visit to {url[:_SHOWN_URL]} names answers that are not here")
            continue
        resolved.append(WarcVisit(url, tuple(by_id[name] for name in ids)))
        for place, found in enumerate(resolved[-1].exchanges):
            found.saved = saved
            if found.id != record_id(found.seal, place):
                found.damaged = found.damaged or "its address, date or content is not what its name was made from"
                found.sealed = False
    return resolved


def _pair(answers: list[tuple[WarcRecord, WarcResponse]], requests: list[tuple[WarcRecord, _Request]]) -> set[int]:
    """Give each answer the headers of its request, found by name, else by standing side by side.

    The answers to anything but GET, which are not pages, are given by their identity.
    """
    named: dict[str, _Request] = {}
    beside: dict[tuple[str, str], list[_Request]] = {}
    for record, request in requests:
        for name in (record.id, *record.concurrent):
            named.setdefault(name, request)
        if not record.concurrent:
            beside.setdefault((record.uri, record.get("warc-date")), []).append(request)
    other = set()
    for record, found in answers:
        known = next((named[name] for name in (record.id, *record.concurrent) if name and name in named), None)
        if known is None:
            near = beside.get((record.uri, record.get("warc-date")), [])
            known = near[0] if len(near) == 1 else None
        if known is not None:
            found.request_headers = known[1]
            if known[0] not in ("GET", ""):
                other.add(id(found))
    return other
