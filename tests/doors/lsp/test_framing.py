from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.doors.lsp.framing import MOST_MESSAGE, BrokenFraming, MessageDecoder


def frame(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    return header % len(body) + body


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(1, 7))
def test_messages_come_in_any_pieces(bodies: list[bytes], size: int) -> None:
    data = b"".join(map(frame, bodies))
    decoder = MessageDecoder()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [body for piece in pieces for body in decoder.feed(piece)] == bodies


@pytest.mark.parametrize(
    "header",
    [
        b"content-length:%d\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length:   %d  \r\nX: y\r\n\r\n",
    ],
)
def test_headers_are_read_as_clients_write_them(header: bytes) -> None:
    assert list(MessageDecoder().feed(frame(b"{}", header))) == [b"{}"]


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 9000,
        b"Content-Length: -3\r\n\r\n",
        b"Content-Length: abc\r\n\r\n",
        b"\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MOST_MESSAGE + 1),
    ],
)
def test_a_stream_that_cannot_be_followed_is_given_up(data: bytes) -> None:
    with pytest.raises(BrokenFraming):
        list(MessageDecoder().feed(data))


def test_half_a_message_is_none() -> None:
    decoder = MessageDecoder()
    assert list(decoder.feed(frame(b'{"a": 1}')[:-1])) == []
    assert list(decoder.feed(b"}")) == [b'{"a": 1}']
