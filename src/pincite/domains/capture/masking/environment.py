"""Which variables of an environment are secret, and the forms in which their values turn up in output."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Iterator, Mapping
from urllib.parse import unquote_to_bytes

from .credential import encode_aligned, make_urlsafe
from .plausibility import PLAIN_WORDS, is_path_like

LEAST = 8
"""A value shorter than this is hidden only where it is a word of its own."""
LEAST_SHORT = 5
LEAST_LINE = 16
LEAST_CUT = 3
"""So much of a value must stand before a line end to be known as its beginning."""
_PIECE = 16 * 1024
_LONGEST_IN_PARTS = 1024
_LEAST_FOLDED = 12
"""A value shorter than this is known in its own letters alone."""
_SECRET_NAME = re.compile(
    # Examples: `GITHUB_TOKEN`, `DB_PASS`.
    r"""
    TOKEN(?![A-Z])|SECRET|PASSW(?:OR)?D|PASSPHRASE|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL
    |(?:AUTH|ENCRYPTION|SIGNING|MASTER|DEPLOY|LICENSE|SERVICE|ACCOUNT|STORAGE)_?KEY|(?:^|_)(?:PAT|PASS|PW|PSW)$
    |_PWD$
    """,
    re.VERBOSE,
)
_OUTRIGHT = re.compile(r"(?:PASSWORD|PASSWD|SECRET|TOKEN)$")
"""Names whose value is secret even where it is short."""
_PERHAPS = re.compile(r"_(?:AUTH|COOKIE|DSN)$|^(?:AUTH|COOKIE|DSN)$")
"""Names whose value is secret where it looks made by a machine, or has a password in it."""
_LOGIN = re.compile(r"[^\s/:@=]{1,128}:([^\s@/]+)(?:@.*)?")
_SETTING = re.compile(r"(?:password|pwd)=([^\s;]+)", re.I)
_KEY_IN_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([A-Za-z0-9_-]{16,})@")
_OTHER_NAME = re.compile(
    r"_(?:FILE|PATH|DIR|NAME|TYPE|HELPER|URL|URI|HOST|USER|TTL|EXPIR\w*|LENGTH|VERSION|PROVIDER|STORE)$"
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#@:]*:([^\s/?#]+)@")
_FOLDERS = re.compile(
    # Examples: `~/.ssh/id`, `/home/me`.
    r"""
    (?:~|\.{1,2})/|file:|/(?:home|Users|root|etc|var|run|tmp|usr|opt|mnt|srv|dev|proc|private|secrets?|vault|app
    |data|nix
    |Library|Volumes|builds?|github|workspaces?|config|bin|lib)(?:/|$)
    """,
    re.VERBOSE,
)
_MIXED = re.compile(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/]{14,}={0,2}")
"""Base64 may begin with a slash and have some inside."""
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SPARED = _UNRESERVED | frozenset(b"!'()*")


def find_secret_forms(environment: Mapping[str, str]) -> dict[bytes, str]:
    """What to look for in output, each with the name of the variable it came from."""
    found: dict[bytes, str] = {}
    for name, value in sorted(environment.items()):
        for secret in _find_secrets(name, value):
            raw = secret.encode("utf-8", "surrogateescape")
            for start in range(0, len(raw), _PIECE):
                piece = raw[start : start + _PIECE]
                if start == 0 or len(piece) >= LEAST_LINE:
                    for form in _encode_spellings(piece):
                        found.setdefault(form, name)
    return found


def find_secret_values(environment: Mapping[str, str]) -> dict[bytes, str]:
    """The secret values as they are, each with the name of its variable: those long enough to be found in parts."""
    return {
        secret.encode("utf-8", "surrogateescape"): name
        for name, value in sorted(environment.items(), reverse=True)
        for secret in _find_secrets(name, value)
        if 10 <= len(secret) <= _LONGEST_IN_PARTS
    }


def _find_secrets(name: str, value: str) -> Iterator[str]:
    """The secret texts in one variable; none where the name or the value says that it holds no secret."""
    value = value.strip()
    address = _ADDRESS.match(value)
    if address is not None:
        password = address[1]
        yield from (text for text in {password, _percent_decode(password)} if _is_long_enough(text))
        return
    upper = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper().replace("-", "_")
    if _PERHAPS.search(upper):
        yield from _find_secret_parts(value)
    if not _SECRET_NAME.search(upper) or _OTHER_NAME.search(upper):
        return
    if "\n" in value or "\r" in value:
        for text in map(str.strip, value.splitlines()):
            known = len(text) >= LEAST_LINE or _is_machine_made(text)
            if known and not text.startswith("-----") and _is_long_enough(text):
                yield text
    elif _is_long_enough(value) or (_OUTRIGHT.search(upper) and _is_short_secret(value)):
        yield value


def _find_secret_parts(value: str) -> Iterator[str]:
    """What is secret in a login, a cookie, or the name of a data source."""
    login = _LOGIN.fullmatch(value) or _KEY_IN_ADDRESS.match(value)
    if login is not None:
        yield from (text for text in (login[1], _percent_decode(login[1])) if _is_long_enough(text))
    elif "=" in value and _SETTING.search(value):
        yield from (text for text in _SETTING.findall(value) if _is_long_enough(text))
    if _is_machine_made(value) and "://" not in value and _is_long_enough(value):
        yield value


def _is_machine_made(value: str) -> bool:
    """Whether a value of one word has letters and digits, as what a machine made does."""
    return re.fullmatch(r"(?=.*[0-9])(?=.*[A-Za-z])\S+", value) is not None


def _is_short_secret(value: str) -> bool:
    """Whether a short value is no word and no number."""
    if not LEAST_SHORT <= len(value) < LEAST or len(set(value)) < 4 or value.isdigit():
        return False
    if value.isalpha() and value[1:] in (value[1:].lower(), value[1:].upper()):
        return False
    return re.fullmatch(r"[!-~]+", value) is not None and _unlike_a_place(value)


def _is_long_enough(value: str) -> bool:
    """Whether a value can be a secret: long, varied, not a word, a small number or the place of a file."""
    return len(value) >= LEAST and len(set(value)) >= 4 and _unlike_a_place(value)


def _unlike_a_place(value: str) -> bool:
    """Whether a value is neither a common word nor the place of a file nor a mask."""
    if value.lower().encode("utf-8", "replace") in PLAIN_WORDS:
        return False
    if _FOLDERS.match(value) or value.startswith("[masked:"):
        return False
    if _MIXED.fullmatch(value):
        return True
    return not (
        is_path_like(value.encode("utf-8", "replace")) and ("/" in value or value.endswith((".pem", ".json", ".key")))
    )


def _encode_spellings(raw: bytes) -> Iterator[bytes]:
    """A secret as it is, percent-encoded, inside a JSON string, and in base64 at each of its three alignments."""
    yield raw
    if len(raw) >= _LEAST_FOLDED + LEAST_CUT:
        # What a line end leaves of it when it cuts off the first character or two.
        yield from (raw[cut:] for cut in range(1, LEAST_CUT))
    if len(raw) >= _LEAST_FOLDED and re.search(rb"[0-9]", raw):
        yield from (raw.upper(), raw.lower())
    if len(raw) >= LEAST:
        yield from (raw.hex().encode(), raw.hex().upper().encode())
    for spared in (_UNRESERVED, _SPARED):
        for code in ("%%%02X", "%%%02x"):
            yield b"".join(bytes((byte,)) if byte in spared else (code % byte).encode() for byte in raw)
    yield raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    for ended in (raw, raw + b"\n"):
        whole = b2a_base64(ended, newline=False)
        yield from (whole, make_urlsafe(whole))
    for _, core in encode_aligned(raw):
        if len(core) >= LEAST + 2:
            yield from (core, make_urlsafe(core))


def _percent_decode(text: str) -> str:
    """Percent-encoding undone; text that is not UTF-8 then stays as it was."""
    return unquote_to_bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
