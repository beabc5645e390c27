"""Whose name a host is: the host of an address, its registrable domain, and the suffixes that many share."""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

_FILE = "public_suffix_list.dat"
_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_BARRED = re.compile(r"[\x00-\x20\x7f\\%<>^|`{}\"]")
# What an old and a new way to spell a name in ASCII read as two hosts, of which one may be foreign.
_TWO_WAYS = frozenset("ßẞς\u200c\u200d")
_LONGEST = 253
_LONGEST_URL = 8192


class Suffixes(Struct, frozen=True):
    """The public suffix list: the part of registries, and the part of companies whose customers have names of them."""

    registries: frozenset[str]
    companies: frozenset[str]

    def suffix(self, host: str) -> str:
        """The longest suffix of a host that many share; the last label where the list knows none."""
        labels = host.split(".")
        spelt = [_spelt(label) for label in labels]
        for at in range(len(labels)):
            name, above = ".".join(spelt[at:]), ".".join(spelt[at + 1 :])
            if self._has(f"!{name}"):
                return ".".join(labels[at + 1 :])
            if self._has(name) or (above and self._has(f"*.{above}")):
                return ".".join(labels[at:])
        return labels[-1]

    def registrable(self, host: str) -> str:
        """The registered part of a host; empty where the host is itself a suffix."""
        labels = host.split(".")
        size = self.suffix(host).count(".") + 2
        return ".".join(labels[-size:]) if len(labels) >= size else ""

    def is_registry(self, name: str) -> bool:
        """Whether a name of two labels or more is a suffix in the hands of a registry."""
        above = name.partition(".")[2]
        return f"!{name}" not in self.registries and (name in self.registries or f"*.{above}" in self.registries)

    def _has(self, rule: str) -> bool:
        return rule in self.registries or rule in self.companies


@cache
def public_suffixes() -> Suffixes:
    """The installed public suffix list, read once; raises UsageError where there is none."""
    # Its data is read here in a few milliseconds; its own reader takes a tenth of a second, more than many a page.
    from importlib.util import find_spec

    spec = find_spec("publicsuffixlist")
    if spec is None or spec.origin is None:
        raise UsageError("the public suffix list is not installed: pip install pincite[research]")
    loader: Any = spec.loader
    try:
        text = loader.get_data(os.path.join(os.path.dirname(spec.origin), _FILE)).decode()
    except (OSError, ValueError):
        raise UsageError(
            "the public suffix list cannot be read: pip install --force-reinstall publicsuffixlist"
        ) from None
    registries, _, companies = text.partition(_PRIVATE)
    return Suffixes(_rules(registries), _rules(companies))


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


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """The domain that was registered: `example.co.uk` of `www.example.co.uk`; a suffix stays as it is."""
    try:
        return public_suffixes().registrable(host) or host
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


def _rules(text: str) -> frozenset[str]:
    return frozenset(line for line in text.split("\n") if line and not line.startswith("//"))


def _spelt(label: str) -> str:
    """A label as the list spells it: in its own letters."""
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode().decode("punycode")
    except UnicodeError:
        return label
