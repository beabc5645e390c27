"""Captured output of any kind: shown as lines without controls, in proportion to the input."""

from __future__ import annotations

import re

import engine

with engine.instrumented():
    import pincite.text.terminal.emulator  # noqa: F401  (loaded late by the other, and to be watched as well)
    from pincite.text.terminal.screen import is_plain, screen_lines

CONTROL = re.compile("[\0-\x08\n-\x1f\x7f-\x9f\ud800-\udfff]")


def law(data: bytes) -> None:
    """Never raises; no control but tabs; bounded; plain output shows as it is, and in the same way below a colour."""
    lines = screen_lines(data)
    assert not any(CONTROL.search(line) for line in lines), lines
    assert len(lines) <= 16_384 + 2 * len(data)
    assert sum(map(len, lines)) <= 131_072 + 12 * len(data)
    if is_plain(data):
        assert b"\n".join(line.encode() for line in lines).count(b"\n") == max(0, len(lines) - 1)
        assert len(lines) == data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))
        assert screen_lines(b"\x1b[1m" + data + b"\x1b[0m") == lines
        assert screen_lines(data + b"\x1b[?1049hx\x1b[?1049l") == lines
    assert screen_lines(b"first\n\x1b[2J\x1b[H" + data)[:1] == ["first"]


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"10%\r20%\r100%\n",
            b"\x1b[32mok\x1b[0m\r\n\x1b]8;;u\x1b\\t\x1b]8;;\x1b\\\n",
            b"a\nb\n\x1b[2A\x1b[2Kc\r\n\x1b[1B\x1b[Jd\x1b7\x1b[5;9Hx\x1b8y",
            b"\x1b[?1049h\x1b[H\x1b[2Jx\x1b[?1049l\x1bP1;q\n\x1b\\z\x1bM\x1bc",
            "漢字\b\bx\te\u0301\u200d\U0001f600\r\x1b[3@\x1b[2P\x1b[9X\xff".encode(),
            b"a\n\x1b[L\x1b[M\x1b[2S\x1b[3T\x1b[99999Bx\x1b[99999Cy\x1b[4b\xff\xc3",
        ],
        tokens=[
            *(
                "\x1b[",
                "\x1b]",
                "\x1bP",
                "\x1b\\",
                "\x07",
                "\b",
                "\v",
                "\x1b7",
                "\x1b8",
                "\x1bM",
                "\x1bD",
                "\x1bE",
                "\x1bc",
            ),
            *(
                "\x1b[K",
                "\x1b[1K",
                "\x1b[2K",
                "\x1b[J",
                "\x1b[1J",
                "\x1b[2J",
                "\x1b[H",
                "\x1b[2A",
                "\x1b[9B",
                "\x1b[99999C",
            ),
            *(
                "\x1b[3D",
                "\x1b[4@",
                "\x1b[2P",
                "\x1b[2X",
                "\x1b[L",
                "\x1b[M",
                "\x1b[S",
                "\x1b[T",
                "\x1b[5b",
                "\x1b[3;4H",
            ),
            *("\x1b[?1049h", "\x1b[?1049l", "\x1b[31m", "\u0301", "\u200d", "漢", "\x85", "0;", "999999999999"),
        ],
    )
