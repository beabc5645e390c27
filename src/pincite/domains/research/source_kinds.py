"""What kind of source a host is: a table of rules, the most specific of which wins."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct, field

from ...core.errors import Unreadable, UsageError
from ...core.limits import LIMITS
from ...pages.domains import clean_host, host_of, is_registry, registered_domain
from ...project.policy.schema import ProblemCollector
from ...text.lines import decode, shorten
from ...text.yaml import Mapping, Scalar, YamlList, value_of
from .model import SOURCE_TYPES
from .stage_parser import read_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...text.yaml import Node

_KEYS = ("replace", "kinds", "pages", "hosts", "labels", "suffixes", "second-level")
_BY_PAGE = "page"
_LONGEST = 80
UNKNOWN = "unknown"
HOST, DOMAIN, SUFFIX = "host", "registrable domain", "suffix"
_SHIPPED = "sources.yaml"


class SourceKind(Struct, frozen=True):
    """A kind of source."""

    score: int | None
    """Where its score begins; None where the page decides."""
    source_type: str
    called: str


class PageScores(Struct, frozen=True):
    """Where a score begins if the host says nothing, by what the page is."""

    signed_technical: int = 5
    unsigned_technical: int = 4
    signed: int = 4
    forum: int = 3
    unsigned: int = 2
    unseen: int = 1


class SourceRule(Struct, frozen=True):
    """What a name in the table stands for; what is None or empty here is the kind's."""

    kind: str
    organisation: str = ""
    score: int | None = None
    source_type: str = ""


class SourceTable(Struct):
    """The content of one file."""

    hosts: dict[str, SourceRule] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    suffixes: dict[str, str] = field(default_factory=dict)
    second_level: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, SourceKind] = field(default_factory=dict)
    pages: PageScores | None = None
    replace: bool = False


def read_rules(data: bytes, name: str, known: dict[str, SourceKind]) -> SourceTable:
    """The rules in a YAML or JSON file; raises UsageError that names file, line, problem and remedy."""
    if len(data) > LIMITS.config_bytes:
        raise UsageError(f"{name}: {len(data):,} bytes exceed the limit of {LIMITS.config_bytes:,}; shorten the table")
    try:
        tree = read_tree(data, name)
    except Unreadable as error:
        raise UsageError(str(error)) from None
    return _Reader(decode(data), name, known).read(tree.top)


class _Reader:
    """Goes through one file; the first thing that cannot be obeyed ends it."""

    def __init__(self, text: str, name: str, known: dict[str, SourceKind]) -> None:
        self._places = ProblemCollector(text)
        self._name = name
        self._known = known
        self._rules = SourceTable()

    def read(self, tree: Node) -> SourceTable:
        remedy = "write keys such as 'hosts:' with what belongs to them indented below"
        values = self._map(tree, "the file", remedy, _KEYS).values
        if "replace" in values:
            node = values["replace"]
            value = value_of(node) if isinstance(node, Scalar) else None
            if not isinstance(value, bool):
                self._fail(node.start, "'replace' is neither true nor false", "write one of them, without quotes")
            self._rules.replace = value
        if "kinds" in values:
            self._kinds(values["kinds"])
        if "pages" in values:
            self._pages(values["pages"])
        if "hosts" in values:
            self._hosts(values["hosts"])
        for key, into in (
            ("labels", self._rules.labels),
            ("suffixes", self._rules.suffixes),
            ("second-level", self._rules.second_level),
        ):
            if key in values:
                self._names(values[key], key, into)
        return self._rules

    def _kinds(self, node: Node) -> None:
        remedy = "write 'partner: {score: 8, type: secondary, called: partner}'"
        kinds = self._map(node, "'kinds'", remedy)
        for name, given in kinds.values.items():
            old = self._known.get(name)
            parts = self._map(given, f"kind '{_short(name)}'", remedy, ("score", "type", "called"))
            if old is None and not {"score", "type"} <= set(parts.values):
                self._fail(given.start, f"the new kind '{_short(name)}' has no score or no type", remedy)
            score, source_type, called = (old.score, old.source_type, old.called) if old else (None, "", name)
            if "score" in parts.values:
                score = self._score(parts.values["score"], by_page=True)
            if "type" in parts.values:
                source_type = self._type(parts.values["type"])
            if "called" in parts.values:
                called = self._text(parts.values["called"])
            self._rules.kinds[name] = SourceKind(score, source_type, called)

    def _pages(self, node: Node) -> None:
        known = {name.replace("_", "-"): name for name in PageScores.__struct_fields__}
        pages = self._map(node, "'pages'", "write 'signed-technical: 5' and the like below it", tuple(known))
        scores = {known[name]: self._score(given) for name, given in pages.values.items()}
        self._rules.pages = PageScores(**{name: score for name, score in scores.items() if score is not None})

    def _hosts(self, node: Node) -> None:
        for kind, around in self._by_kind(node, "hosts"):
            for at, written, given in self._entries(around):
                host = self._host(at, written)
                if host in self._rules.hosts:
                    self._fail(at, f"'{host}' is given twice", "keep one of the two")
                self._rules.hosts[host] = self._rule(kind, given)

    def _names(self, node: Node, key: str, into: dict[str, str]) -> None:
        for kind, around in self._by_kind(node, key):
            for at, written, given in self._entries(around):
                name = written.lower().strip(".")
                if given is not None:
                    self._fail(at, f"'{_short(written)}' has a value", f"'{key}' are lists: write '- {_short(name)}'")
                if not clean_host(f"a.{name}.zz") or (key != "suffixes" and "." in name):
                    self._fail(at, f"'{_short(written)}' cannot be part of a name", "write it as in gov or gov.uk")
                if name in into:
                    self._fail(at, f"'{name}' is given twice", "keep one of the two")
                into[name] = kind

    def _by_kind(self, node: Node, key: str) -> Iterator[tuple[str, Node]]:
        kinds = self._map(node, f"'{key}'", f"write the kinds below it, such as '{key}: {{news-2: [...]}}'")
        for kind, around in kinds.values.items():
            if kind not in self._known and kind not in self._rules.kinds:
                known = ", ".join([*self._known, *(name for name in self._rules.kinds if name not in self._known)])
                remedy = f"known: {known}; or describe it under 'kinds'"
                self._fail(self._places.key(kinds, kind), f"unknown kind '{_short(kind)}'", remedy)
            yield kind, around

    def _entries(self, node: Node) -> Iterator[tuple[int, str, Node | None]]:
        """Each name of a list or a map, where it stands, and what is said of it."""
        if isinstance(node, Mapping):
            for name, given in node.values.items():
                yield self._places.key(node, name), name, given
        elif isinstance(node, YamlList):
            for item in node.items:
                yield item.start, self._text(item), None
        else:
            self._fail(node.start, f"'{_short(node.text)}' is no list of names", "write each after '- '")

    def _rule(self, kind: str, given: Node | None) -> SourceRule:
        if given is None or (isinstance(given, Scalar) and value_of(given) is None):
            return SourceRule(kind)
        if isinstance(given, Scalar):
            return SourceRule(kind, self._text(given))
        keys = ("organisation", "score", "type")
        parts = self._map(given, "the rule", "write 'example.com: {score: 8, type: secondary}'", keys)
        return SourceRule(
            kind,
            self._text(parts.values["organisation"]) if "organisation" in parts.values else "",
            self._score(parts.values["score"]) if "score" in parts.values else None,
            self._type(parts.values["type"]) if "type" in parts.values else "",
        )

    def _host(self, at: int, written: str) -> str:
        if "*" in written:
            self._fail(at, f"'{_short(written)}' has a star", "leave it out: a name covers the hosts below it")
        if "/" in written or ":" in written:
            self._fail(at, f"'{_short(written)}' is an address", "write the host alone, such as example.com")
        host = clean_host(written)
        if not host:
            self._fail(
                at, f"'{_short(written)}' is no host", "write a name such as example.com; an end belongs to suffixes"
            )
        return host.removeprefix("www.") if host.count(".") > 1 else host

    def _score(self, node: Node, by_page: bool = False) -> int | None:
        value = value_of(node) if isinstance(node, Scalar) else None
        if by_page and value == _BY_PAGE:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10:
            self._fail(node.start, "the score is no whole number from 1 to 10", "correct it")
        return value

    def _type(self, node: Node) -> str:
        value = value_of(node) if isinstance(node, Scalar) else None
        if value not in SOURCE_TYPES:
            self._fail(node.start, "unknown type", f"write one of {', '.join(SOURCE_TYPES)}")
        return str(value)

    def _text(self, node: Node) -> str:
        value = node.text.strip() if isinstance(node, Scalar) and not isinstance(value_of(node), bool) else ""
        if not value:
            self._fail(node.start, "a text is expected here", "write it on one line, in quotes where it is a number")
        return " ".join(value.split())

    def _map(self, node: Node, what: str, remedy: str, known: tuple[str, ...] = ()) -> Mapping:
        """A map, of which these are all the keys that are known, where any are given."""
        if not isinstance(node, Mapping):
            self._fail(node.start, f"{what} is no map", remedy)
        for key in node.values if known else ():
            if key not in known:
                self._fail(self._places.key(node, key), f"unknown key '{_short(key)}'", f"known: {', '.join(known)}")
        return node

    def _fail(self, at: int, problem: str, remedy: str) -> NoReturn:
        raise UsageError(f"{self._name}:{self._places.line(at)}: {problem}; {remedy}")


def _short(text: str) -> str:
    return shorten(" ".join(text.split()), _LONGEST)


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
