"""WARC files of any kind, packed or not: snapshots and problems, never an error; what is believed fits its digests."""

from __future__ import annotations

import gzip
from hashlib import sha256

import engine

with engine.instrumented():
    from msgspec.structs import replace

    from pincite.core.web import Exchange, FetchFailure, Visit
    from pincite.store.warc import read_warc
    from pincite.store.warc_http import joined_chunks
    from pincite.store.warc_read import read_file
    from pincite.store.warc_redirects import normal_url
    from pincite.store.warc_write import warc_bytes

SEED = warc_bytes(
    Visit(
        "https://example.org/old#a",
        "2026-01-31T23:59:59Z",
        (
            Exchange("https://example.org/old", 301, "Moved", (("Location", "/new"),), b"moved"),
            Exchange("https://example.org/new", 200, "OK", (("Transfer-Encoding", "chunked"),), b"<p>tide</p>"),
        ),
    )
)
FOREIGN = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-31T23:59:59Z\r\n"
    b"WARC-Target-URI: https://a.example/\r\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n"
    b"Content-Length: 52\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /b\r\nA: b\r\n c\r\n\r\n5\r\nab\n\r\n\r\n"
    b"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Date: 2026-01-31T23:59:59.1Z\r\nWARC-Target-URI: <https://a.example/b>\r\n"
    b"WARC-Refers-To: <urn:uuid:1>\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
)


def law(data: bytes) -> None:
    """Reading gives snapshots that hold together; a visit made of what was read is kept and read again."""
    for whole in (data, gzip.compress(data, 1, mtime=0)):
        file = read_file(whole, "x.warc")
        assert file.captured or file.problems
        assert len(file.problems) <= 51
        for found in read_warc(whole, "x.warc"):
            assert found.visit.exchanges
            assert not (found.damaged and found.sealed)
            body = found.visit.answer.body
            assert found.damaged or found.digest == f"sha256:{sha256(body).hexdigest()}"
            assert normal_url(normal_url(found.visit.url)) == normal_url(found.visit.url)
            if not found.damaged:
                _kept_again(found.visit)
    joined, why = joined_chunks(data)
    assert len(joined) <= len(data)
    assert why or joined == data or len(joined) < len(data)


def _kept_again(visit: Visit) -> None:
    try:
        data = warc_bytes(visit)
    except FetchFailure:
        return
    told = read_file(data, "x").resolved[0]
    again = next(
        one
        for one in read_warc(data, "x.warc")
        if one.visit.url == visit.url and len(one.visit.exchanges) == len(told.exchanges)
    )
    bare = tuple(replace(one, reason=one.reason.strip(" \t")) for one in visit.exchanges)
    assert again.visit == replace(visit, exchanges=bare)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[SEED, gzip.decompress(SEED), FOREIGN, gzip.compress(FOREIGN, mtime=0), b"5\r\nabcde\r\n0\r\n\r\n", b""],
        tokens=[
            *(
                "WARC/1.0\r\n",
                "WARC/1.1\r\n",
                "WARC-Type: response\r\n",
                "WARC-Type: revisit\r\n",
                "resource",
                "request",
            ),
            *(
                "Content-Length: 9\r\n",
                "WARC-Truncated: length\r\n",
                "WARC-Refers-To: <urn:uuid:1>\r\n",
                "\r\n\r\n",
                "\n\n",
            ),
            *("WARC-Block-Digest: sha256:", "WARC-Payload-Digest: sha1:", "WARC-Concurrent-To: <urn:uuid:1>\r\n"),
            *(
                "HTTP/1.1 200 OK\r\n",
                "GET / HTTP/1.1\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Location: /b\r\n",
                "pincite-visit: ",
            ),
            *(
                "https://a.example/",
                "2026-01-31T23:59:59Z",
                "server-not-modified",
                "\x1f\x8b\x08",
                "0\r\n\r\n",
                "exchange: ",
            ),
        ],
    )
