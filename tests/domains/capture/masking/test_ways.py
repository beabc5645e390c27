"""Secrets in other writings than their own: coloured, escaped, encoded, cut by line ends."""

from __future__ import annotations

import base64
import html
import json
from itertools import pairwise
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.domains.capture.masking import Masker

# Put together from pieces, so that nothing here looks like a credential to whoever scans the sources.
BODY = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zC0fL2nR5uI7o"
GITHUB = "ghp" + "_" + BODY[:36]
ANTHROPIC = "sk" + "-ant-" + "api03-" + BODY + BODY
VALUE = "zq/top+secretVal9x"
ENVIRONMENT = {"PLANTED_TOKEN": VALUE}
BEGIN, END = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"


def masked(text: str | bytes, *cuts: int) -> str:
    raw = text.encode() if isinstance(text, str) else text
    masker = Masker(ENVIRONMENT)
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    out = b"".join(masker.feed(raw[start:end])[0] for start, end in pairwise(edges))
    return (out + masker.close()[0]).decode("utf-8", "surrogateescape")


LINES = {
    "colour inside": (f"a {GITHUB[:9]}\x1b[31m{GITHUB[9:]} b", "a [masked:github-token] b"),
    "colour in the head": (f"a gh\x1b[1m{GITHUB[2:]} b", "a [masked:github-token] b"),
    "overprinted": ("a " + "".join(f"{char}\b{char}" for char in GITHUB) + " b", "a g\b[masked:github-token] b"),
    "wide characters": ("".join(f"{char}\0" for char in f"a {GITHUB} b"), "a\0 \0[masked:github-token]\0 \0b\0"),
    "no width": (f"a {GITHUB[:9]}\u200b{GITHUB[9:]} b", "a [masked:github-token] b"),
    "returned": (f"a {GITHUB[:9]}\r{GITHUB[9:]} b", "a [masked:github-token] b"),
    "percent": ("a " + "".join(f"%{ord(char):02x}" for char in GITHUB) + " b", "a [masked:github-token] b"),
    "percent twice": ("a " + "".join(f"%25{ord(char):02x}" for char in GITHUB) + " b", "a [masked:github-token] b"),
    "json": ("a " + "".join(f"\\u{ord(char):04x}" for char in GITHUB) + " b", "a [masked:github-token] b"),
    "json in json": (
        json.dumps(json.dumps({"password": "hunter2&"})),
        '"{\\"password\\": \\"[masked:password]\\"}"',
    ),
    "octal": ("a " + "".join(f"\\{ord(char):03o}" for char in GITHUB) + " b", "a [masked:github-token] b"),
    "entities": ("a " + "".join(f"&#{ord(char)};" for char in GITHUB) + " b", "a [masked:github-token] b"),
    "page": (html.escape('"api_key": "abcd1234efgh"'), "&quot;api_key&quot;: &quot;[masked:secret]&quot;"),
    "shell": (f"a {GITHUB[:9]}''{GITHUB[9:]} b", "a [masked:github-token] b"),
    "added": (f'a "{GITHUB[:9]}" + "{GITHUB[9:]}" b', 'a "[masked:github-token]" b'),
    "base64": (f"a {base64.b64encode(GITHUB.encode()).decode()} b", "a [masked:github-token] b"),
    "hex": (f"a {GITHUB.encode().hex()} b", "a [masked:github-token] b"),
    "capitals": (f"a {GITHUB.upper()} b", "a [masked:github-token] b"),
    "small letters": (f"a {GITHUB.lower()} b", "a [masked:github-token] b"),
    "address": (quote("password=hunter2&x", safe=""), "password%3D[masked:password]%26x"),
    "value, coloured": (f"a {VALUE[:5]}\x1b[0m{VALUE[5:]} b", "a [masked:env:PLANTED_TOKEN] b"),
    "value, capitals": (f"a {VALUE.upper()} b", "a [masked:env:PLANTED_TOKEN] b"),
    "value, hex": (f"a {VALUE.encode().hex()} b", "a [masked:env:PLANTED_TOKEN] b"),
    "value, escaped": (
        "a " + "".join(f"\\x{ord(char):02x}" for char in VALUE) + " b",
        "a [masked:env:PLANTED_TOKEN] b",
    ),
}


@pytest.mark.parametrize("way", LINES)
def test_other_writings_of_a_secret(way: str) -> None:
    text, expected = LINES[way]
    assert masked(f"{text}\nafter\n") == f"{expected}\nafter\n"


OVER_LINES = {
    "in two": (f"a {GITHUB[:20]}\n{GITHUB[20:]} b", "a [masked:github-token]\n[masked:github-token] b"),
    "in two, indented": (
        f"a {GITHUB[:20]}\r\n   {GITHUB[20:]} b",
        "a [masked:github-token]\r\n   [masked:github-token] b",
    ),
    "in the head": (f"a gh\n{GITHUB[2:]} b", "a gh\n[masked:github-token] b"),
    "continued": (f"a {GITHUB[:20]}\\\n{GITHUB[20:]} b", "a [masked:github-token]\\\n[masked:github-token] b"),
    "soft break": (f"a {GITHUB[:20]}=\n{GITHUB[20:]} b", "a [masked:github-token]=\n[masked:github-token] b"),
    "strings": (
        f'a "{GITHUB[:20]}" +\n  "{GITHUB[20:]}" b',
        'a "[masked:github-token]" +\n  "[masked:github-token]" b',
    ),
    "longer than needed": (f"{ANTHROPIC[:60]}\n{ANTHROPIC[60:]}\nb", "[masked:api-key]\n[masked:api-key]\nb"),
    "folded": (
        "\n".join(ANTHROPIC[at : at + 20] for at in range(0, len(ANTHROPIC), 20)),
        "\n".join(["[masked:api-key]"] * -(-len(ANTHROPIC) // 20)),
    ),
    "coloured and wrapped": (
        f"a {GITHUB[:20]}\x1b[0m\r\n\x1b[1m{GITHUB[20:]} b",
        "a [masked:github-token]\x1b[0m\r\n\x1b[1m[masked:github-token] b",
    ),
    "string that is not closed": (f'api_key="{BODY[:20]}\n{BODY[20:]}"', 'api_key="[masked:secret]\n[masked:secret]"'),
    "next line": ("password:\n  hunter2x", "password:\n  [masked:password]"),
    "next line, no colon": (f"API_TOKEN=\n{BODY}", "API_TOKEN=\n[masked:secret]"),
    "value": (f"a {VALUE[:9]}\n  {VALUE[9:]} b", "a [masked:env:PLANTED_TOKEN]\n  [masked:env:PLANTED_TOKEN] b"),
    "value, cut at once": (f"a {VALUE[:1]}\n{VALUE[1:]} b", "a z\n[masked:env:PLANTED_TOKEN] b"),
    "coloured key": (
        f"\x1b[33m{BEGIN}\x1b[0m\n\x1b[33m{BODY}\x1b[0m\n\x1b[33m{END}\x1b[0m",
        f"\x1b[33m{BEGIN}\x1b[0m\n\x1b[33m[masked:private-key]\x1b[0m\n\x1b[33m{END}\x1b[0m",
    ),
}


@pytest.mark.parametrize("way", OVER_LINES)
def test_secrets_that_line_ends_cut(way: str) -> None:
    text, expected = OVER_LINES[way]
    assert masked(f"{text}\nafter 12\n") == f"{expected}\nafter 12\n"
    assert masked(f"before\n{text}") == f"before\n{expected}"


@pytest.mark.parametrize("way", OVER_LINES)
def test_they_may_arrive_in_any_pieces(way: str) -> None:
    text = f"before\n{OVER_LINES[way][0]}\nafter 12\n".encode()
    whole = masked(text)
    assert all(masked(text, cut) == whole for cut in range(len(text)))
    assert masked(text, *range(len(text))) == whole


STAY = [
    f"a {GITHUB}\nnext line1 is plain\n",
    f"{ANTHROPIC}\n2026-11-03 done\n",
    f"{ANTHROPIC}\nsession\nTotal\n",
    "tiktoken==0.14.0\ntinytag==2.3.2\ntqdm==4.70.1\n",
    "token: 5 left\nabc123def456\n",
    "Password:\nhunter2 logged in\n",
    "commit 0ae3e0a1b2c3d4e5f60718293a4b5c6d7e8f9012\nAuthor: a\n",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4\n",
    "\x1b[32mPASSED\x1b[0m tests/test_a.py::test_token[1] \x1b[1m12 ms\x1b[0m\n",
    "GET /a%20b?page=2&size=30 200\n",
    'print("a\\nb" + "c")\n',
    "s\nk-means of task-1\n",
    "desk-\nlamp\n",
]


@pytest.mark.parametrize("text", STAY)
def test_what_is_no_secret_stays_in_every_reading(text: str) -> None:
    out = masked(text)
    for line, kept in zip(text.splitlines()[1:], out.splitlines()[1:], strict=True):
        assert kept == line
    if GITHUB not in text and ANTHROPIC not in text:
        assert out == text


PIECES = st.sampled_from(
    [
        *(text for text, _ in LINES.values()),
        *(text for text, _ in OVER_LINES.values()),
        *STAY,
        *(
            "\n",
            "\r\n",
            "\r",
            "\x1b[1m",
            "\b",
            "\0",
            " ",
            "%41",
            "\\n",
            '" + "',
            "''",
            "ghp_",
            "gh",
            "sk-",
            "token=",
            "password:\n",
        ),
    ]
).map(str.encode)
OUTPUT = st.lists(PIECES | st.binary(max_size=6), max_size=12).map(b"".join)


@given(OUTPUT, st.lists(st.integers(0, 1500), max_size=5))
@settings(max_examples=200, deadline=None)
def test_how_it_arrives_makes_no_difference(output: bytes, cuts: list[int]) -> None:
    whole = masked(output)
    assert masked(output, *cuts) == whole
    assert whole.count("\n") == output.count(b"\n")


@given(st.lists(PIECES, max_size=8).map(b"\n".join))
@settings(max_examples=150, deadline=None)
def test_masking_again_changes_nothing(output: bytes) -> None:
    once = masked(output)
    assert masked(once.encode("utf-8", "surrogateescape")) == once


HOSTILE = {
    "heads at line ends": b"sk-a\n",
    "runs at line ends": b"token=a1b2\n" + b"c3d4e5f6\n",
    "open strings": b'api_key="a\n',
    "escapes": b"\\u0041%41&#65;",
    "backslashes": b"\\\\\\\\",
    "quotes": b"a''b\"\"c",
    "colours": b"\x1b[1ma\x1b[0m",
    "colours without end": b"\x1b]8;;",
    "backspaces": b"a\b",
    "base64": b"Z2hwX2FCM2RF",
    "hex": b"6768705f",
    "parts of a value": b"zq/to\n",
    "beginnings of a value": b"zq/top+secretVa\n",
    "entities": b"&amp;amp;",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_writings_cost_what_their_length_says(name: str) -> None:
    def cost(size: int) -> float:
        data = HOSTILE[name] * (size // len(HOSTILE[name]))
        masker = Masker(ENVIRONMENT)
        start = process_time()
        for at in range(0, len(data), 16384):
            masker.feed(data[at : at + 16384])
        masker.close()
        return process_time() - start

    # A busy machine makes a run longer and never shorter: one that is short enough tells.
    bound = 6 * 3 * min(cost(30_000) for _ in range(2)) + 0.05
    assert any(cost(180_000) < bound for _ in range(3))
