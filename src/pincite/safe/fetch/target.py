"""Addresses of pages, read strictly: what could be understood in two ways is refused."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NoReturn

from msgspec import Struct

from ...core.errors import UsageError
from ...core.libraries import describe_missing
from ...core.web import FetchFailure
from ..escape import escape_text

LONGEST = 2048
_SHOWN = 200
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!\Z)|\Z)){4}")
_HARMLESS = "/?:@!$&'()*+,;=-._~%[]"
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)


class FetchTarget(Struct, frozen=True):
    """A page as it is asked for."""

    host: str
    """A name in ASCII and small letters, or an address without brackets."""
    path: str
    """With its query; begins with a slash and is plain ASCII."""

    @property
    def authority(self) -> str:
        """The host as it stands in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def url(self) -> str:
        """The one way to write the address."""
        return f"https://{self.authority}{self.path}"


def target_of(url: str) -> FetchTarget:
    """The page behind an address; Trouble `bad-url` or `not-https` where it is not plainly one."""
    if len(url) > LONGEST:
        _refuse(url, f"it is longer than {LONGEST:,} characters", "use a shorter one")
    if any(char <= " " or char == "\\" or "\x7f" <= char <= "\xa0" or char.isspace() for char in url):
        _refuse(url, "there are spaces, control characters or backslashes in it", "write it without")
    if any("\ud800" <= char <= "\udfff" or char in "\ufffe\uffff" for char in url):
        _refuse(url, "there are characters in it that are none", "write it again")
    match = _URL.fullmatch(url)
    if match is None:
        if (scheme := _SCHEME.match(url)) and scheme[0].lower() not in ("https:", "http:"):
            raise _not_https(url)
        _refuse(url, "it is no address of a web page", "begin it with https:// and the name of a host")
    if match[1].lower() != "https":
        raise _not_https(url)
    return FetchTarget(_host(url, match[2]), _path(match[3]) + _percent_encode(match[4] or ""))


def resolve_redirect(source: FetchTarget, location: str) -> FetchTarget:
    """Where an answer sends its reader, seen from where it was; the same troubles, naming both."""
    from urllib.parse import urljoin

    with suppress(UnicodeError):
        location = location.encode("latin-1").decode()
    wanted = location.strip(" \t").replace(" ", "%20")
    try:
        if any(char < " " for char in wanted) or len(wanted) > LONGEST:
            raise ValueError
        return target_of(urljoin(source.url, wanted))
    except ValueError:
        trouble = FetchFailure(
            "bad-url", f"{escape_text(wanted, _SHOWN)}: it is no address; look at the page in a browser"
        )
    except FetchFailure as other:
        trouble = other
    raise FetchFailure(trouble.kind, f"{escape_text(source.url, _SHOWN)} redirects to {trouble}")


def _host(url: str, authority: str) -> str:
    if "@" in authority:
        _refuse(url, "there is a user name in it", "remove everything up to the @")
    if "%" in authority:
        _refuse(url, "there are percent signs in its host", "write the host as it is")
    match = _AUTHORITY.fullmatch(authority)
    if match is None or not match[1]:
        _refuse(url, "its host cannot be read", "write https:// and the name of a host")
    if match[2] is not None and int(match[2]) != 443:
        _refuse(url, f"it names port {match[2]}", "only the port of HTTPS, 443, is asked")
    if match[1].startswith("["):
        return _parse_ipv6(url, match[1][1:-1])
    name = match[1].lower()
    if not name.isascii() or "xn--" in name:
        name = _ascii(url, name)
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in name.split(".")):
        _refuse(url, "its host is not a name that a host can have", "write the name without anything else")
    # Whatever ends in a number is an address for a resolver, a browser or a library.
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        if not _QUAD.fullmatch(name):
            _refuse(url, "its host is an address in an odd form", "write it as four numbers with dots between them")
    elif "." not in name:
        _refuse(url, "its host is no full name", "write it with its domain")
    return name


def _parse_ipv6(url: str, inner: str) -> str:
    from ipaddress import AddressValueError, IPv6Address

    try:
        return str(IPv6Address(inner))
    except AddressValueError:
        _refuse(url, "what stands in brackets is no address", "write a name")


def _ascii(url: str, name: str) -> str:
    """The name as it is looked up; what has no business in a name is refused, also what would be dropped silently."""
    from unicodedata import category

    try:
        import idna
    except ImportError:
        raise UsageError(describe_missing("idna")) from None
    if len(name) > 253 or any(category(char)[0] in "CZ" for char in name):
        _refuse(url, "its host is not a name that a host can have", "write the name without anything else")
    try:
        return idna.encode(name, uts46=True, std3_rules=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        _refuse(url, "its host is not a name in any script", "write the name without anything else")


def _path(path: str) -> str:
    """The path without steps up and on the spot, which servers and rules for robots read differently."""
    if "." not in path and "%2" not in path:
        return _percent_encode(path) or "/"
    kept: list[str] = []
    parts = path.split("/")[1:]
    for number, part in enumerate(parts):
        if _DOTS.fullmatch(part) is None:
            kept.append(part)
            continue
        if len(part.lower().replace("%2e", ".")) == 2 and kept:
            kept.pop()
        if number == len(parts) - 1:
            kept.append("")
    return "/" + _percent_encode("/".join(kept))


def _percent_encode(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe=_HARMLESS)


def _not_https(url: str) -> FetchFailure:
    return FetchFailure(
        "not-https", f"{escape_text(url, _SHOWN)}: only HTTPS is fetched; use the page's https:// address"
    )


def _refuse(url: str, problem: str, remedy: str) -> NoReturn:
    raise FetchFailure("bad-url", f"{escape_text(url, _SHOWN)}: {problem}; {remedy}") from None
