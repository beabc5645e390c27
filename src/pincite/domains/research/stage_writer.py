"""Writes the file of a stage: YAML that reads back as what was written, or JSON where the stage is kept so.

What it was made from is written into it, so that a run knows what is up to date.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from msgspec import json

from ...core.errors import Refused
from ...text.yaml import FORBIDDEN
from .model import EXTRACT, KEYS, MADE, STAGES, VALIDATE
from .stage_file import REJECTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from msgspec import Struct

    from ...safe.files import Root
    from .model import RejectedClaim
    from .stage_file import StageFile
    from .stages import TopicContext
    from .topic import Topic

_WIDTH = 110
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")
_SPECIAL = re.compile(rf'["\\\t\r\n]|{FORBIDDEN.pattern}')
_NAMED = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
OURS = "pincite"
SEAL = "content"
"""The key beside them of a digest of what was made, so that what was edited since is not taken for found."""


def dump(
    stage: str,
    items: Sequence[Struct],
    rejected: Sequence[RejectedClaim] = (),
    extra: Mapping[str, Any] | None = None,
    form: str = "yaml",
) -> bytes:
    """The file of a stage, `extra` first: fields in their documented order, optional ones left out where empty.

    Half of a surrogate pair, which no file can hold, becomes U+FFFD.
    """
    data: dict[str, Any] = {**(extra or {}), KEYS[stage]: [_record(item) for item in items]}
    if rejected:
        data[REJECTED] = [_record(item) for item in rejected]
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(_clean(data)), indent=2) + b"\n"
    return yaml_text(data).encode()


def yaml_text(data: Mapping[str, Any]) -> str:
    """Plain data as strict YAML, every text in quotes, so that it reads back as it is."""
    return "".join(f"{line}\n" for line in _mapping(_clean(data), 0))


def entry_lines(items: Sequence[Struct], indent: int) -> list[str]:
    """Entries of a list as the lines of a block of YAML, as `dump` writes them."""
    return list(_sequence([_clean(_record(item)) for item in items], indent))


def entry_objects(items: Sequence[Struct]) -> list[bytes]:
    """Entries of a list as JSON, on one line each."""
    return [msgspec.json.encode(_clean(_record(item))) for item in items]


def save(
    root: Root,
    topic: Topic,
    stage: str,
    items: Sequence[Struct],
    rejected: Sequence[RejectedClaim] = (),
    extra: Mapping[str, Any] | None = None,
) -> str:
    """Write the file of a stage in one step, as JSON where it is kept so; its key. Raises Refused."""
    from ...safe.write import put
    from ...store.cache_folder import remember_own

    key = topic.path(stage)
    data = dump(stage, items, rejected, extra, "json" if key.endswith(".json") else "yaml")
    put(root, key, data)
    remember_own(root, sha256(data).hexdigest())
    return key


def _record(item: Struct) -> dict[str, Any]:
    """An entry as plain data; what has a default is left out where it is empty."""
    data: dict[str, Any] = msgspec.to_builtins(item)
    fields = item.__struct_fields__
    needed = set(fields[: len(fields) - len(item.__struct_defaults__)])
    record = {name: value for name, value in data.items() if name in needed or value not in (None, "", 0, (), [], {})}
    for reason in record.get("reasons", ()):
        if not reason["spans"]:
            del reason["spans"]
    return record


def _clean(value: Any) -> Any:
    """Plain data that can be encoded."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return value


def _mapping(data: dict[str, Any], indent: int) -> Iterator[str]:
    """The lines of a map in block style."""
    for key, value in data.items():
        name = key if _PLAIN_KEY.fullmatch(key) else "".join(_quote_text(key, 0, 0))
        head = f"{' ' * indent}{name}:"
        if isinstance(value, dict) and value:
            yield head
            yield from _mapping(value, indent + 2)
        elif isinstance(value, list) and value and not _is_flow(value):
            yield head
            yield from _sequence(value, indent + 2)
        else:
            first, *rest = _inline(value, indent + 2, len(head) + 1)
            yield f"{head} {first}"
            yield from rest


def _sequence(items: list[Any], indent: int) -> Iterator[str]:
    """The lines of a list in block style."""
    lead = " " * indent
    for item in items:
        if isinstance(item, dict) and item:
            lines = _mapping(item, indent + 2)
        elif isinstance(item, list) and item and not _is_flow(item):
            lines = _sequence(item, indent + 2)
        else:
            first, *rest = _inline(item, indent + 2, indent + 2)
            lines = iter([f"{lead}  {first}", *rest])
        for at, line in enumerate(lines):
            yield line if at else f"{lead}- {line[indent + 2 :]}"


def _is_flow(items: list[Any]) -> bool:
    """Whether a list is best written on one line: numbers, or short lists of them."""
    return all(
        isinstance(item, int | float | bool | None) or (isinstance(item, list) and _is_flow(item)) for item in items
    )


def _inline(value: Any, indent: int, column: int) -> list[str]:
    """A value on its line, and where it is long text on further ones."""
    if isinstance(value, str):
        return list(_quote_text(value, indent, column))
    if isinstance(value, list):
        return [f"[{', '.join(_inline(item, 0, 0)[0] for item in value)}]"]
    if isinstance(value, dict):
        return ["{}"]
    if value is None or isinstance(value, bool):
        return ["null" if value is None else str(value).lower()]
    return [repr(value)]


def _quote_text(text: str, indent: int, column: int) -> Iterator[str]:
    """Text in double quotes, folded at single spaces; in quotes a line end between words is one space again."""
    line = '"'
    escaped = _SPECIAL.sub(_escape_character, text)
    words = escaped.split(" ")
    for at, word in enumerate(words):
        # Spaces at an edge, or next to one another, would be lost at the end of a line.
        single = at > 0 and words[at - 1] and word
        if single and column and column + len(line) + len(word) > _WIDTH:
            yield line
            line, column = " " * indent + word, 1
        else:
            line += word if at == 0 else f" {word}"
    yield line + '"'


def _escape_character(match: re.Match[str]) -> str:
    sign = match[0]
    return _NAMED.get(sign) or f"\\u{ord(sign):04x}"


def made_validated(work: TopicContext, by: Callable[..., object]) -> dict[str, str]:
    """What the third stage's file is made from."""
    return {
        "by": name_maker(by),
        EXTRACT: work.digest(work.topic.path(EXTRACT)),
        "attestations": work.digest(work.topic.attestations),
        "snapshots": _digest(list(_snapshots(work))),
        "settings": _digest([work.settings.required_checks, _table(work)]),
    }


def made_grounded(work: TopicContext, claims_from: str, by: Callable[..., object]) -> dict[str, str]:
    """What the fourth stage's file is made from."""
    origin = claims_from or VALIDATE
    own = {} if origin in STAGES else {"claims": work.digest(origin)}
    return {
        "by": name_maker(by),
        "claims_from": origin,
        **own,
        VALIDATE: work.digest(work.topic.path(VALIDATE)),
        "attestations": work.digest(work.topic.attestations),
        "judge": work.judge.name,
    }


def add_seal(
    made: dict[str, str], stage: str, items: Sequence[Struct], rejected: Sequence[RejectedClaim] = ()
) -> dict[str, str]:
    """What something was made from, with the digest of what was made."""
    return {**made, SEAL: sha256(dump(stage, items, rejected, form="json")).hexdigest()[:32]}


def is_edited(loaded: StageFile) -> bool:
    """Whether the file of a stage says what it was made from, and no longer holds what was made."""
    made = loaded.extra.get(MADE)
    return isinstance(made, dict) and made != add_seal(made, loaded.stage, loaded.items, loaded.rejected)


def _snapshots(work: TopicContext) -> Iterator[tuple[str, str]]:
    """Each snapshot, and the digest of its file: one that was altered since is another one."""
    for name in work.root.names(work.topic.snapshots):
        if not name.startswith("."):
            try:
                yield name, work.digest(f"{work.topic.snapshots}/{name}")
            except Refused:
                yield name, ""


def _table(work: TopicContext) -> str:
    try:
        return work.digest(work.settings.sources) if work.settings.sources else ""
    except Refused:
        # The caller says why.
        return ""


def name_maker(function: Callable[..., object]) -> str:
    """The name of the function that made something; one for all of ours."""
    module = getattr(function, "__module__", "") or ""
    return OURS if module.startswith("pincite.") else f"{module}.{getattr(function, '__qualname__', '')}"


def _digest(value: object) -> str:
    return sha256(json.encode(value)).hexdigest()[:32]
