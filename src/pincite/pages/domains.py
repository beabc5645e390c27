"""Whose name a host is: the host of an address, its registrable domain, and the suffixes that many share."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.libraries import describe_missing

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_BARRED = re.compile(r"[\x00-\x20\x7f\\%<>^|`{}\"]")
# What an old and a new way to spell a name in ASCII read as two hosts, of which one may be foreign.
_TWO_WAYS = frozenset("ßẞς\u200c\u200d")
_LONGEST = 253
_LONGEST_URL = 8192


@cache
def suffix_list(registries_only: bool = False) -> PublicSuffixList:
    """The installed public suffix list, with or without the names of companies; UsageError where there is none."""
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError:
        raise UsageError(describe_missing("publicsuffixlist")) from None
    try:
        return PublicSuffixList(only_icann=registries_only)
    except (OSError, ValueError):
        raise UsageError(describe_missing("publicsuffixlist")) from None


def is_registry(name: str) -> bool:
    """Whether a name of two labels or more is a suffix in the hands of a registry."""
    return suffix_list(registries_only=True).is_public(name, accept_unknown=False)


def host_of(url: str) -> str:
    """The host of a web address: lower case, ASCII, without user, port and last dot; empty where it has no name."""
    if len(url) > _LONGEST_URL or _BARRED.search(url.partition("?")[0].partition("#")[0]):
        return ""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme.lower() not in ("https", "http"):
        return ""
    place = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    name, colon, port = place.partition(":")
    if colon and port and not (port.isascii() and port.isdigit()):
        return ""
    return clean_host(name)


def linked_host(url: str) -> str:
    """The host of a link as pages write it, also without a scheme."""
    link = url.strip()
    return host_of(f"https:{link}" if link.startswith("//") else link)


def registered_domain(host: str) -> str:
    """The part of a host that was registered; empty where the host is itself a suffix. UsageError without the list."""
    return suffix_list().privatesuffix(host) or ""


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """The domain that was registered: `example.co.uk` of `www.example.co.uk`; a suffix stays as it is."""
    try:
        return registered_domain(host) or host
    except UsageError:
        # Without the list, the last two labels are right for most.
        return ".".join(host.split(".")[-2:])


def clean_host(name: str) -> str:
    """A host's name as everyone writes it; empty where it is none or could be two, is in numbers, or one label."""
    return _clean_host(name) if len(name) <= _LONGEST + 1 else ""


@lru_cache(maxsize=4096)
def _clean_host(name: str) -> str:
    if not name.isascii():
        if not _TWO_WAYS.isdisjoint(name):
            return ""
        try:
            name = name.encode("idna").decode()
        except UnicodeError:
            return ""
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if len(labels) < 2 or len(name) > _LONGEST or not all(_LABEL.fullmatch(label) for label in labels):
        return ""
    return "" if _NUMBER.fullmatch(labels[-1]) else name
