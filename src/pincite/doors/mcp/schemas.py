"""Schemas of tools without what only costs: titles, defaults, and that a value may be null."""

from __future__ import annotations

from typing import Any

_DROPPED = ("title", "default", "additionalProperties")


def shorten_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as short as it can be while it still accepts the same; `properties` keeps all its names.

    Every list of tools is read by a model in every session.
    """
    short = {}
    for key, value in schema.items():
        if key == "properties":
            short[key] = {name: shorten_schema(_drop_null(one)) for name, one in value.items()}
        elif isinstance(value, dict) and key not in _DROPPED:
            short[key] = shorten_schema(value)
        elif key not in _DROPPED:
            short[key] = value
    return short


def _drop_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A value that may be left out need not be null as well."""
    choices = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(choices) != 1:
        return schema
    return {**{key: value for key, value in schema.items() if key != "anyOf"}, **choices[0]}
