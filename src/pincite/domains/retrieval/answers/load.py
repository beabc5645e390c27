"""Bytes to responses: JSON or JSON lines, bounded in size and depth, with what wraps a response taken off."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from ....core.errors import PinciteError
from ....text.lines import decode
from .json_shape import MOST_DEFECTS, inside
from .model import AnswerDefect
from .providers import providers
from .requests import read_asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Answer

MOST_BYTES = 64 * 1024 * 1024
"""Largest input."""
DEEPEST = 200
"""How deep JSON may be nested."""
_WRAPPED = ("response", "body", "result", "message")
_DIGITS = 18
# What a response begins with, also one that was cut off; `[1] Smith` and `[a link](x)` are texts.
_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[{\"]|\Z))")
_LONGEST_KEY = 60
"""How much of a key is shown; paths are made for everything below it."""


class Unrecognised(PinciteError):
    """Input that is no response of any provider, or not JSON at all."""


class PlainText(Unrecognised):
    """Input that is a text for people: no JSON, nor the beginning of any."""


class LoadedResponse(Struct, frozen=True):
    """One response as it was found, or why there is none."""

    source: str
    data: Any = None
    request: Any = None
    prefix: str = ""
    """The JSON path of the response in what was read."""
    defects: tuple[AnswerDefect, ...] = ()
    error: str = ""


class _Object(dict[str, Any]):
    """A JSON object in which a key stands twice; the last one counts."""

    doubled: tuple[str, ...] = ()


def load(data: bytes, source: str) -> list[LoadedResponse]:
    """Every response in the bytes, in order; raises Unrecognised where they cannot be read at all."""
    if len(data) > MOST_BYTES:
        raise Unrecognised(f"{source}: {len(data)} bytes exceed the limit of {MOST_BYTES}")
    try:
        text = decode(data)
    except PinciteError as error:
        raise Unrecognised(f"{source}: {error}") from None
    if not text.strip():
        raise Unrecognised(f"{source}: it is empty; expected a response as JSON")
    try:
        return list(_unwrap_responses(*_parse(text), source))
    except ValueError as error:
        whole = error
    found: list[LoadedResponse] = []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        where = f"{source}:{number}"
        try:
            found += _unwrap_responses(*_parse(line), where)
        except ValueError as error:
            if not found:
                kind = Unrecognised if _JSON.match(text) else PlainText
                raise kind(f"{source}: not JSON: {whole}") from None
            found.append(LoadedResponse(where, error=f"not JSON: {error}"))
    return found


def read_answer(loaded: LoadedResponse, provider: str = "") -> Answer:
    """The answer in a response; raises Unrecognised where no provider's shape fits. A named provider is believed."""
    known = providers()
    if provider:
        chosen = next((one for one in known if provider == one.NAME), None)
    else:
        chosen = next((one for one in known if one.detect(loaded.data)), None)
    if chosen is None:
        names = ", ".join(one.NAME for one in known)
        raise Unrecognised(f"no response of a known provider; name the provider if it is one of these: {names}")
    return replace(chosen.read(loaded.data, loaded.request, loaded.prefix), asked=read_asked(loaded.request))


def _parse(text: str) -> tuple[Any, tuple[AnswerDefect, ...]]:
    """JSON, and what in it no JSON should have; raises ValueError."""
    odd = False

    def gather(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal odd
        held = dict(pairs)
        if len(held) == len(pairs):
            return held
        odd = True
        seen: set[str] = set()
        twice = _Object(held)
        twice.doubled = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
        return twice

    def constant(name: str) -> float:
        nonlocal odd
        odd = True
        return float(name)

    try:
        data = json.loads(text, object_pairs_hook=gather, parse_constant=constant, parse_int=_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} deep") from None
    _check_depth(data)
    return data, tuple(_oddities(data)) if odd else ()


def _number(digits: str) -> int:
    """A whole number; one too large for any text is cut, and still too large."""
    return int(digits if len(digits) <= _DIGITS else digits[: _DIGITS + 2])


def _check_depth(data: Any) -> None:
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise ValueError(f"nested more than {DEEPEST} deep")


def _oddities(data: Any) -> Iterator[AnswerDefect]:
    """Keys that stand twice and numbers that are none, with their paths; a bounded number of them."""
    left = MOST_DEFECTS
    todo: list[tuple[str, Any]] = [("", data)]
    while todo and left:
        at, node = todo.pop()
        if isinstance(node, float) and not isfinite(node):
            left -= 1
            yield AnswerDefect(at, "not-finite", "NaN and Infinity are no JSON")
        for key in node.doubled[:left] if isinstance(node, _Object) else ():
            left -= 1
            yield AnswerDefect(
                inside(at, key[:_LONGEST_KEY]),
                "duplicate-key",
                f"{key[:_LONGEST_KEY]!a} stands twice; the last one counts",
            )
        if isinstance(node, dict):
            todo += [(inside(at, key[:_LONGEST_KEY]), value) for key, value in reversed(node.items())]
        elif isinstance(node, list):
            todo += [(f"{at}[{number}]", value) for number, value in reversed(list(enumerate(node)))]


def _unwrap_responses(data: Any, defects: tuple[AnswerDefect, ...], source: str) -> Iterator[LoadedResponse]:
    """The responses in what was read: the thing itself, what a batch or a log wrapped it in, or a list of them."""
    found = _unwrap(data)
    known = providers()
    if isinstance(found[0], list) and not any(one.detect(found[0]) for one in known):
        items = [_unwrap(item, f"{found[2]}[{number}]") for number, item in enumerate(found[0])]
        if items and all(any(one.detect(item) for one in known) for item, *_ in items):
            for number, (item, request, prefix) in enumerate(items):
                own = tuple(defect for defect in defects if defect.path.startswith(f"{found[2]}[{number}]"))
                yield LoadedResponse(f"{source}[{number}]", item, request, prefix, own)
            return
    yield LoadedResponse(source, *found, defects)


def _unwrap(data: Any, prefix: str = "") -> tuple[Any, Any, str]:
    request: Any = None
    for _ in range(len(_WRAPPED)):
        if not isinstance(data, dict) or any(one.detect(data) for one in providers()):
            break
        request = data.get("request", request)
        key = next((key for key in _WRAPPED if isinstance(data.get(key), dict | list)), None)
        if key is None:
            break
        data, prefix = data[key], inside(prefix, key)
    return data, request, prefix
