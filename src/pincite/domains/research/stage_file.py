"""Loads the file of a stage: its entries, and everything that is wrong with them, place by place."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec import Struct, ValidationError, convert

from ...core.model import Severity
from ...project.policy.schema import plain
from ...text.yaml import Mapping, Scalar, YamlList
from .model import (
    CHECKS,
    EXTRACT,
    GROUND,
    KEYS,
    SEARCH,
    STAGES,
    VALIDATE,
    ExtractedCitation,
    GroundedClaim,
    RejectedClaim,
    SearchResult,
    StageProblem,
    ValidatedCitation,
)
from .schemas import schema
from .stage_parser import ParsedTree, read_tree, stage_bytes
from .stage_rules import Item, check_dates, check_order, check_repeats, check_validated, shortfalls
from .stage_values import BrokenRule, Problems, check_shape, describe_wrong_type

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence as Listed
    from typing import Any

    from ...safe.files import Root
    from ...text.yaml import Node

Kind = TypeVar("Kind", bound=Struct)

REJECTED = "rejected_claims"
MOST_ENTRIES = 10_000
"""A longer list is refused; its first entries are checked."""
TYPES: dict[str, type[Struct]] = {
    SEARCH: SearchResult,
    EXTRACT: ExtractedCitation,
    VALIDATE: ValidatedCitation,
    GROUND: GroundedClaim,
}
_OTHER_KEYS = {EXTRACT: ("citations",)}
_IDS = {KEYS[SEARCH]: "result_id", KEYS[GROUND]: "claim_id", REJECTED: "rejected_id"}
"""The fields of lists that count their entries."""


class StageFile(Struct, frozen=True):
    """What a stage's file holds."""

    stage: str
    key: str
    """The file, from the root."""
    items: tuple[Any, ...]
    """Its entries, those left out whose fields are missing or mistyped; others may break a rule: see `problems`."""
    positions: tuple[int, ...]
    """Where each item stands in the file's list, from 1."""
    total: int
    """How many entries the list has, with those that cannot be used."""
    problems: tuple[StageProblem, ...]
    digest: str
    """The SHA-256 of the file's bytes."""
    rejected: tuple[RejectedClaim, ...] = ()
    types: tuple[str, ...] = ()
    """The source type that each item states; empty where it states none."""
    extra: dict[str, Any] = {}
    """What else stands at the top of the file."""
    name: str = ""
    """What the list is called there."""
    tree: ParsedTree | None = None

    @property
    def ok(self) -> bool:
        """Whether no rule is broken; warnings and notes are none."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)

    @property
    def whole(self) -> bool:
        """Whether every entry can be used."""
        return len(self.items) == self.total

    def line(self, index: int, field: str = "") -> int:
        """The line of an item, or of one of its fields where it is written there."""
        if self.tree is None or not isinstance(self.tree.top, Mapping):
            return 1
        entries = cast("YamlList", self.tree.top.values[self.name])
        node = entries.items[self.positions[index] - 1]
        return self.tree.line(cast("Mapping", node).values.get(field, node))

    def path(self, index: int, field: str) -> str:
        """The place of an item's field, as problems name it."""
        return f"{self.name}[{self.positions[index] - 1}].{field}"

    def rejected_citations(self) -> Iterator[tuple[int, int]]:
        """For each entry of the rejected claims, the citation it names, 0 where it names none, and its line."""
        top = self.tree.top if self.tree is not None else None
        entries = top.values.get(REJECTED) if isinstance(top, Mapping) else None
        if self.tree is not None and isinstance(entries, YamlList):
            for entry in entries.items:
                number = _value(entry, "citation_id")
                yield number if isinstance(number, int) else 0, self.tree.line(entry)


def load(root: Root, key: str, stage: str, required: Listed[str] = CHECKS, today: str = "") -> StageFile:
    """The file of a stage with all its problems; raises Refused only where it cannot be read or parsed."""
    return load_bytes(stage_bytes(root, key), key, stage, required, today)


def load_bytes(data: bytes, key: str, stage: str, required: Listed[str] = CHECKS, today: str = "") -> StageFile:
    """What the bytes of a stage's file hold; raises Unreadable only where they cannot be parsed.

    `required` are the checks that a validated citation must have passed; days after `today` are warned of, where given.
    """
    tree = read_tree(data, key)
    problems = Problems(key, tree, stage)
    digest = sha256(data).hexdigest()
    found = _entries(tree.top, stage, problems)
    if found is None:
        return StageFile(stage, key, (), (), 0, problems.all(), digest, tree=tree)
    name, entries = found
    items, nodes, positions = _convert(entries, stage, name, TYPES[stage], problems)
    places = [f"{name}[{position - 1}]" for position in positions]
    for item, node, place in zip(items, nodes, places, strict=True):
        if isinstance(item, ValidatedCitation):
            check_validated(item, node, place, required, problems)
        if isinstance(item, Item):
            check_dates(item, node, place, today, problems)
    if stage != GROUND:
        check_repeats(cast("list[Item]", items), nodes, places, problems)
    # Entries that cannot be used count as well: what is wrong with them has been said, and is no lack of them.
    passed = sum(_value(node, "validated") is True for node in entries.items)
    given = [_value(node, "credibility_score") for node in entries.items]
    scores = [score for score in given if isinstance(score, int) and not isinstance(score, bool)]
    # A claim that is written five times is still one.
    said = {" ".join(str(_value(node, "claim")).split()).casefold() for node in entries.items}
    number = len(said) if stage == GROUND else len(entries.items)
    for short in shortfalls(stage, number, passed, scores):
        problems.add(entries, name, BrokenRule(short.rule, f"{short.found}; {short.needed}", short.remedy))
    rejected = _read_rejected_claims(tree.top, problems) if stage == GROUND else ()
    used = {name, *((REJECTED,) if stage == GROUND else ())}
    extra = {key: plain(node) for key, node in cast("Mapping", tree.top).values.items() if key not in used}
    return StageFile(
        stage,
        key,
        tuple(items),
        tuple(positions),
        len(entries.items),
        problems.all(),
        digest,
        rejected,
        tuple(str(_value(node, "source_type") or "") for node in nodes),
        extra,
        name,
        tree,
    )


def stage_of(name: str, keys: Listed[str] = ()) -> str:
    """Which stage a file belongs to, by its name, else by the keys at its top; empty where neither says so."""
    stem = name.rpartition("/")[2].rpartition(".")[0]
    if stem in STAGES:
        return stem
    named = [stage for stage in STAGES if {KEYS[stage], *_OTHER_KEYS.get(stage, ())} & set(keys)]
    return named[0] if len(named) == 1 else ""


def _entries(top: Node, stage: str, problems: Problems) -> tuple[str, YamlList] | None:
    """The list of a stage's file and what it is called there; None where there is none."""
    wanted = KEYS[stage]
    if not isinstance(top, Mapping):
        wrong = describe_wrong_type(top, "object")
        problems.add(top, "", BrokenRule(wrong.rule, wrong.message, f"put the list under '{wanted}:'"))
        return None
    names = [name for name in (wanted, *_OTHER_KEYS.get(stage, ())) if name in top.values]
    if not names:
        other = stage_of("", tuple(top.values))
        hint = f"it looks like the file of {other}" if other else "add it"
        problems.add(top, wanted, BrokenRule("missing-field", f"the list '{wanted}' is missing", hint))
        return None
    if len(names) > 1:
        wrong = BrokenRule("given-twice", f"the list is given as {' and as '.join(names)}", f"keep '{wanted}'")
        problems.add(top.values[names[1]], names[1], wrong)
    entries = top.values[names[0]]
    if not isinstance(entries, YamlList):
        problems.add(entries, names[0], describe_wrong_type(entries, "array"))
        return None
    _check_entry_count(entries, names[0], problems)
    return names[0], entries


def _check_entry_count(entries: YamlList, path: str, problems: Problems) -> None:
    """Report a list with too many entries."""
    if len(entries.items) > MOST_ENTRIES:
        text = f"{len(entries.items):,} entries, at most {MOST_ENTRIES:,} are read"
        problems.add(entries, path, BrokenRule("too-many-entries", text, "divide the topic"))


def _convert(
    entries: YamlList, stage: str, name: str, kind: type[Kind], problems: Problems
) -> tuple[list[Kind], list[Mapping], list[int]]:
    """The entries that can be used, their nodes, and their positions from 1; what is wrong with others is reported."""
    shape = schema(stage)["properties"][name]["items"]
    items: list[Kind] = []
    nodes: list[Mapping] = []
    positions: list[int] = []
    for position, node in enumerate(entries.items[:MOST_ENTRIES], 1):
        path = f"{name}[{position - 1}]"
        if not check_shape(node, shape, path, problems):
            continue
        try:
            items.append(convert(plain(node), kind))
        except ValidationError as error:
            # The schema knows every field; should it miss one, its type still counts.
            problems.add(node, path, BrokenRule("wrong-type", str(error), "correct the value"))
            continue
        nodes.append(cast("Mapping", node))
        positions.append(position)
    if name in _IDS:
        check_order(entries.items[:MOST_ENTRIES], name, _IDS[name], problems)
    return items, nodes, positions


def _read_rejected_claims(top: Node, problems: Problems) -> tuple[RejectedClaim, ...]:
    node = top.values.get(REJECTED) if isinstance(top, Mapping) else None
    if node is None:
        return ()
    if not isinstance(node, YamlList):
        problems.add(node, REJECTED, describe_wrong_type(node, "array"))
        return ()
    _check_entry_count(node, REJECTED, problems)
    return tuple(_convert(node, GROUND, REJECTED, RejectedClaim, problems)[0])


def _value(node: Node, field: str) -> object:
    """What a field of an entry says; None where it has none."""
    found = node.values.get(field) if isinstance(node, Mapping) else None
    return plain(found) if isinstance(found, Scalar) else None
