"""What kind of source a host is: a table of rules, the most specific of which wins."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ...pages.domains import host_of, is_registry, registered_domain
from .source_table import PageScores, SourceKind, SourceRule, SourceTable, read_rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


UNKNOWN = "unknown"
HOST, DOMAIN, SUFFIX = "host", "registrable domain", "suffix"
_SHIPPED = "sources.yaml"


class HostKind(Struct, frozen=True):
    """What the table says of an address."""

    host: str
    """Empty where the address has none with a name."""
    kind: str
    """`government`, `education`, `standards`, `documentation`, `news-1`, `journal`, `analyst`, `expert`, `news-2`,
    `encyclopedia`, `blog-host`, `forum`, `user-generated`, `unknown`, or one of the user's own."""
    called: str
    """The kind in words."""
    base: int | None
    """Where its score begins; None where the page decides."""
    source_type: str
    """primary, secondary or tertiary."""
    rule: str = ""
    """The name that matched, as the table has it; empty where none did."""
    how: str = ""
    """`host`, `registrable domain` or `suffix`; empty where no rule matched."""
    organisation: str = ""
    """Who stands behind a primary source: the verified author of its pages; empty for the others."""
    pages: PageScores = PageScores()
    """Where the score begins if the page decides."""


def wrong_type(source: HostKind, declared: str) -> str:
    """What the table says of a source that is declared to be of another type; empty where it is right or not known."""
    if not source.rule or declared == source.source_type:
        return ""
    return f"{source.host} is declared {declared}, and a {source.source_type} source by the table ({source.called})"


class SourceKinds:
    """Rules in the order in which they are asked: the user's own, then the shipped ones."""

    def __init__(self, rules: tuple[SourceTable, ...], kinds: dict[str, SourceKind], pages: PageScores) -> None:
        self._rules = rules
        self.kinds = kinds
        self.pages = pages

    def find(self, url: str) -> HostKind:
        """What is known of the host of an address; its kind is `unknown` where no rule matches."""
        host = host_of(url)
        if host:
            for rules in self._rules:
                found = _match(rules, host)
                if found is not None:
                    return self._source(host, *found)
        return self._source(host, SourceRule(UNKNOWN), "", "")

    def _source(self, host: str, rule: SourceRule, name: str, how: str) -> HostKind:
        kind = self.kinds[rule.kind]
        source_type = rule.source_type or kind.source_type
        organisation = ""
        if source_type == "primary" and how:
            organisation = rule.organisation or registered_domain(host) or host
        base = kind.score if rule.score is None else rule.score
        return HostKind(host, rule.kind, kind.called, base, source_type, name, how, organisation, self.pages)


def load_table(extra: bytes | None = None, name: str = "") -> SourceKinds:
    """The shipped table, with the user's file before it or in its place; raises UsageError naming file and line."""
    shipped = _read_shipped_rules()
    if extra is None:
        return SourceKinds((shipped,), shipped.kinds, shipped.pages or PageScores())
    own = read_rules(extra, name, shipped.kinds)
    tables = (own,) if own.replace else (own, shipped)
    return SourceKinds(tables, shipped.kinds | own.kinds, own.pages or shipped.pages or PageScores())


@cache
def _read_shipped_rules() -> SourceTable:
    loader: Any = __spec__.loader
    return read_rules(loader.get_data(os.path.join(os.path.dirname(__file__), _SHIPPED)), _SHIPPED, {})


def _match(rules: SourceTable, host: str) -> tuple[SourceRule, str, str] | None:
    """The most specific rule for a host, the name it has in the table, and how it matched."""
    host = host.removeprefix("www.") if host.count(".") > 1 else host
    registrable = registered_domain(host)
    for name in _names(host, registrable):
        rule = rules.hosts.get(name)
        if rule is not None:
            return rule, name, DOMAIN if name == registrable else HOST
        label = host.partition(".")[0]
        if name == host != registrable and label in rules.labels:
            return SourceRule(rules.labels[label]), f"{label}.*", HOST
    return _match_suffix(rules, host)


def _names(host: str, registrable: str) -> Iterator[str]:
    """The host and the names above it, up to the one that was registered: what lies above that is not its own."""
    yield host
    for at, sign in enumerate(host):
        if sign == "." and registrable and at < len(host) - len(registrable):
            yield host[at + 1 :]


def _match_suffix(rules: SourceTable, host: str) -> tuple[SourceRule, str, str] | None:
    labels = host.split(".")
    for at in range(len(labels) - 1):
        name = ".".join(labels[at:])
        if name in rules.suffixes:
            return SourceRule(rules.suffixes[name]), f".{name}", SUFFIX
    country = labels[-1]
    kind = rules.second_level.get(labels[-2])
    if kind and len(country) == 2 and is_registry(f"{labels[-2]}.{country}"):
        return SourceRule(kind), f".{labels[-2]}.{country}", SUFFIX
    return (SourceRule(rules.suffixes[country]), f".{country}", SUFFIX) if country in rules.suffixes else None
