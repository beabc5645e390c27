"""A visit as a WARC file: the same visit gives the same bytes, and other tools read them.

The file holds, each as a gzip member of its own, a `warcinfo`, a `request` and a `response` for every exchange, and a
`metadata` that tells them in order. A page that was saved as a file, of which no exchange is known, is a `resource`.
Records are named after their content instead of by chance.
"""

from __future__ import annotations

import re
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING

from .._version import __version__
from ..core.web import FetchFailure
from ..text.lines import can_encode
from .warc_http import head_bytes, kept_headers
from .warc_read import record_id, seal_of, seconds_of

if TYPE_CHECKING:
    from ..core.web import Exchange, Visit

_FORMAT = "WARC File Format 1.1"
_CONFORMS = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_HTTP = "application/http; msgtype="
_FIELDS = "application/warc-fields"
_OK = 200
_is_url = re.compile(r"https?://([^\s/?#\x00-\x20]+)([^\s#\x00-\x20]*)(?:#[^\s\x00-\x20]*)?\Z", re.IGNORECASE).match
_is_date = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z\Z").match
_is_name = re.compile(r"[^\s:\x00-\x20\x7f]+\Z").match
_is_value = re.compile(r"[^\r\n\x00]*\Z").match
_is_address = re.compile(r"[0-9A-Za-z.:%_-]*\Z").match


def warc_bytes(visit: Visit) -> bytes:
    """The file for a visit; raises Trouble where the visit is none that a web server can have answered."""
    _fit_to_keep(visit)
    date = visit.retrieved
    info = _fields([("software", f"pincite/{__version__}"), ("format", _FORMAT), ("conformsTo", _CONFORMS)])
    info_id, record = _record("warcinfo", "", date, _FIELDS, info)
    out = [record]
    answers = []
    for place, exchange in enumerate(visit.exchanges):
        if visit.saved and _is_bare(exchange):
            media = exchange.header("content-type")
            more = [("WARC-Warcinfo-ID", info_id), ("WARC-Payload-Digest", _digest(exchange.body))]
            answer_id, answer = _record("resource", exchange.url, date, media, exchange.body, place, more)
            out.append(answer)
            answers.append(answer_id)
            continue
        head = head_bytes(f"HTTP/1.1 {exchange.status} {exchange.reason}", kept_headers(exchange.headers))
        payload = ("WARC-Payload-Digest", _digest(exchange.body))
        more = [("WARC-IP-Address", exchange.address)] if exchange.address else []
        answer_id, answer = _record(
            *("response", exchange.url, date, f"{_HTTP}response", head + exchange.body, place),
            [("WARC-Warcinfo-ID", info_id), *more, payload],
        )
        asked = head_bytes(f"GET {_target(exchange.url)} HTTP/1.1", exchange.request_headers)
        _, request = _record(
            *("request", exchange.url, date, f"{_HTTP}request", asked, place),
            [("WARC-Warcinfo-ID", info_id), *more, ("WARC-Concurrent-To", answer_id)],
        )
        out += (request, answer)
        answers.append(answer_id)
    saved = [("saved", visit.saved)] if visit.saved else []
    told = _fields([("pincite-visit", visit.url), *(("exchange", name) for name in answers), *saved])
    together = [("WARC-Concurrent-To", name) for name in answers]
    _, record = _record(
        "metadata", visit.exchanges[0].url, date, _FIELDS, told, 0, [("WARC-Warcinfo-ID", info_id), *together]
    )
    return b"".join(map(_compress_record, (*out, record)))


def _record(
    kind: str, url: str, date: str, media: str, block: bytes, place: int = 0, more: list[tuple[str, str]] | None = None
) -> tuple[str, bytes]:
    """The name of a record, and its bytes."""
    fields = [*(more or [])]
    address = next((value for name, value in fields if name == "WARC-IP-Address"), "")
    name = record_id(seal_of(kind, url, date, address, sha256(block).digest()), place)
    first = [("WARC-Type", kind), ("WARC-Record-ID", name), ("WARC-Date", date)]
    if url:
        first.append(("WARC-Target-URI", url))
    last = [("WARC-Block-Digest", _digest(block)), ("Content-Type", media), ("Content-Length", str(len(block)))]
    return name, b"%b%b\r\n\r\n" % (head_bytes("WARC/1.1", [*first, *fields, *last]), block)


def _compress_record(record: bytes) -> bytes:
    """A gzip member that tells neither a time nor a name."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(record) + packer.flush()


def _digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def _fields(pairs: list[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in pairs).encode()


def _target(url: str) -> str:
    """What the request line asks for."""
    found = _is_url(url)
    target = found[2] if found else ""
    return target if target.startswith("/") else f"/{target}"


def _fit_to_keep(visit: Visit) -> None:
    """Refuse what would not come back as it is, or would say something else in the file."""
    if not _is_date(visit.retrieved) or seconds_of(visit.retrieved) < 0:
        raise FetchFailure("protocol", f"{visit.url}: {visit.retrieved!r} is no time in UTC; the visit cannot be kept")
    if not visit.exchanges:
        raise FetchFailure("protocol", f"{visit.url}: a visit without an answer cannot be kept")
    if not _is_value(visit.saved) or not can_encode(visit.saved) or visit.saved != visit.saved.strip():
        raise FetchFailure(
            "protocol", f"{visit.url}: the note on where it was saved is not one line; it cannot be kept"
        )
    for url in (visit.url, *(exchange.url for exchange in visit.exchanges)):
        if not _is_url(url) or not can_encode(url):
            raise FetchFailure("bad-url", f"{url!r}: no address that can be kept")
    for exchange in visit.exchanges:
        if not (100 <= exchange.status <= 999 and _is_address(exchange.address) and _clean(exchange)):
            raise FetchFailure(
                "protocol", f"{exchange.url}: an answer with an impossible status or header cannot be kept"
            )


def _is_bare(exchange: Exchange) -> bool:
    """Whether nothing is known of an exchange but the page and its type: all of that fits into a `resource`."""
    only_type = [name for name, _ in exchange.headers] == ["Content-Type"] and bool(exchange.header("content-type"))
    return (
        only_type and exchange.status == _OK and not (exchange.reason or exchange.request_headers or exchange.address)
    )


def _clean(exchange: Exchange) -> bool:
    """Whether the headers of an exchange are one line each, and say nothing but themselves."""
    pairs = (*exchange.headers, *exchange.request_headers, ("reason", exchange.reason))
    return all(_is_name(name) and _is_value(value) and can_encode(name + value) for name, value in pairs)
