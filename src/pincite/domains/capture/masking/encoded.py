"""Secrets in base64 and in hex: what opens a secret is looked for in those forms, and what it stands in is decoded."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_hex
from functools import cache
from typing import TYPE_CHECKING

from .credential import encode_aligned, make_urlsafe
from .rewrites import Span
from .tokens import TOKENS

if TYPE_CHECKING:
    from .literals import Hit
    from .search import SecretSearch

_WORDS = (
    b'password passwd PASSWORD secret SECRET token= token: token" TOKEN api_key apikey apiKey API_KEY access_key'
    b" AccountKey uthorization :// Pwd="
).split()
_LEFT_OUT = frozenset(
    "replicate-token brevo-key tailscale-key rubygems-key dynatrace-token onepassword-token contentful-token webhook"
    " circleci-token heroku-key buildkite-token fly-token vercel-token".split()
)
"""Kinds that are not looked for here."""
_SHORTEST = 4
_LEAST = 16
"""A run shorter than this is not decoded."""
_MOST = 16384
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]*+={0,2}")
_HEX = re.compile(rb"[0-9A-Fa-f]*+")
_URLSAFE = bytes.maketrans(b"-_", b"+/")


@cache
def list_encoded_forms() -> dict[bytes, int]:
    """The forms of every opening, each with its place in a group of four; -1 for hex."""
    forms: dict[bytes, int] = {}
    heads = [
        literal
        for shape in TOKENS
        for literal in shape.literals
        if len(literal) > 2 and len(shape.literals) < 9 and shape.name not in _LEFT_OUT
    ]
    for head in dict.fromkeys((*heads, *_WORDS)):
        for first, form in encode_aligned(head):
            if len(form) >= _SHORTEST:
                forms.setdefault(form, first)
                forms.setdefault(make_urlsafe(form), first)
        forms.setdefault(head.hex().encode(), -1)
        forms.setdefault(head.hex().upper().encode(), -1)
    return forms


def find_encoded(search: SecretSearch, block: bytes, hits: list[Hit]) -> list[Span]:
    """Every secret in the block that is written in base64 or hex in one line; `hits` are the forms that stand there."""
    spans: list[Span] = []
    if not hits:
        return spans
    done = [0, 0, 0, 0, 0]
    places = [*list_encoded_forms().values()]
    for start, place in sorted((start, places[index]) for index, start, _ in hits):
        if place < 0:
            if start >= done[4]:
                done[4] = _read_hex(search, block, start, spans)
        elif start >= done[(start - place) % 4]:
            done[(start - place) % 4] = _read_base64(search, block, start, place, spans)
    return spans


def _read_base64(search: SecretSearch, block: bytes, start: int, place: int, spans: list[Span]) -> int:
    """Decodes the run around a place, which has this offset in a group of four; where the run ends."""
    first, end = _run(_BASE64, block, start)
    if end - first < _LEAST:
        return end
    first += (start - place - first) % 4
    raw = block[first:end].rstrip(b"=").translate(_URLSAFE)
    raw = raw[: len(raw) - (len(raw) % 4 == 1)]
    try:
        text = a2b_base64(raw + b"=" * (-len(raw) % 4))
    except Error:
        return end
    for low, high, name in _find_in_text(search, text):
        spans.append((first + low // 3 * 4, min(end, first + -(-high // 3) * 4), name))
    return end


def _read_hex(search: SecretSearch, block: bytes, start: int, spans: list[Span]) -> int:
    first, end = _run(_HEX, block, start)
    first += (start - first) % 2
    if end - first < _LEAST:
        return end
    for low, high, name in _find_in_text(search, a2b_hex(block[first : end - (end - first) % 2])):
        spans.append((first + 2 * low, first + 2 * high, name))
    return end


def _find_in_text(search: SecretSearch, text: bytes) -> list[Span]:
    """Secrets in what was decoded, as far as it is text."""
    return [span for span in search.find(text).spans if text[span[0] : span[1]].isascii()]


def _run(pattern: re.Pattern[bytes], block: bytes, start: int) -> tuple[int, int]:
    """The run of an alphabet around a place, bounded on both sides."""
    low = max(0, start - _MOST)
    back = pattern.match(block[low:start][::-1])
    after = pattern.match(block, start, start + _MOST)
    return start - (back.end() if back is not None else 0), after.end() if after is not None else start
