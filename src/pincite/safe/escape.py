"""What may reach a terminal, a log or a page: untrusted text with everything invisible made visible."""

from __future__ import annotations

import re

# Controls (C0, DEL, C1), line and paragraph separators, everything Unicode calls default-ignorable (zero width,
# bidi controls, fillers, tags) but the variation selectors that emoji are made of, lone surrogates, and the two
# code points no XML may hold.
_INVISIBLE = (
    "\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSAFE = re.compile(f"[\x00-\x1f{_INVISIBLE}]")
_UNSAFE_IN_JSON = re.compile(f"[{_INVISIBLE}]")
_PLAIN = bytes(range(0x7F))
_CUT_ESCAPE = re.compile(r"\\(?:u(?:\{[0-9a-f]*)?)?\Z")


def escape_text(text: str, limit: int | None = None) -> str:
    r"""The text on one line with nothing invisible left in it (`\u{1b}`), at most `limit` characters long."""
    cut = limit is not None and len(text) > limit
    if limit is not None and cut:
        text = text[:limit]
    if _UNSAFE.search(text) is not None:
        text = _UNSAFE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)
        cut = cut or (limit is not None and len(text) > limit)
    if limit is None or not cut:
        return text
    return _CUT_ESCAPE.sub("", text[: max(limit - 1, 0)]) + "…"


def escape_html(text: str, limit: int | None = None) -> str:
    """The same for HTML: text that can only be text, also as the value of an attribute."""
    from html import escape

    return escape(escape_text(text, limit))


def json_safe(json_text: str) -> str:
    r"""The same JSON with every invisible character as a `\uXXXX` escape; it parses to the same data."""
    # Dropping plain ASCII first leaves little to search: five times as fast on a report of ordinary text.
    try:
        rest = json_text.encode().translate(None, _PLAIN).decode()
    except UnicodeEncodeError:
        rest = json_text
    if not rest or _UNSAFE_IN_JSON.search(rest) is None:
        return json_text
    return _UNSAFE_IN_JSON.sub(_json_escape, json_text)


def json_text(data: object, indent: int | None = None) -> str:
    """Data, records among them, as JSON that is safe to print; lone surrogates are spelt out where there are any."""
    from msgspec import json, to_builtins

    try:
        encoded = json.encode(data)
    except UnicodeEncodeError:
        encoded = json.encode(make_encodable(to_builtins(data)))
    return json_safe((encoded if indent is None else json.format(encoded, indent=indent)).decode())


def make_encodable(data: object) -> object:
    """Plain data with lone surrogates spelt out: what UTF-8, and so JSON and MessagePack, can carry."""
    if isinstance(data, str):
        return whole(data)
    if isinstance(data, dict):
        return {make_encodable(key): make_encodable(value) for key, value in data.items()}
    return [make_encodable(item) for item in data] if isinstance(data, list | tuple) else data


def whole(text: str) -> str:
    r"""The text unchanged but for lone surrogates, shown as `\u{dcff}`: what no UTF-8 stream can carry."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(f"\\u{{{ord(char):x}}}" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
