"""The description of the REST API: as OpenAPI for programs, and as a page for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import encode

from ..openapi import describe_api
from ..routes import FileRoute, PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext

_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


class ApiQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class ApiField(Struct, frozen=True):
    """A field of an address or a body."""

    name: str
    place: str
    """`path`, `query` or `body`."""
    kind: str
    required: bool
    default: str
    """What it is where it is not given; empty where that is nothing."""
    description: str


class ApiAddress(Struct, frozen=True):
    """What can be asked for."""

    name: str
    """Stays the same from version to version; `operationId` in OpenAPI."""
    method: str
    address: str
    summary: str
    fields: tuple[ApiField, ...]
    answer: str
    """The record or the kind of file that it answers with."""


class ApiRecord(Struct, frozen=True):
    """Everything that can be asked for."""

    addresses: tuple[ApiAddress, ...]


def show_api(context: PageContext, query: ApiQuery) -> ApiRecord:
    """Every address with its fields."""
    found = []
    for address, methods in describe_api(context.site.is_fleet)["paths"].items():
        for method, one in methods.items():
            fields = tuple(_list_fields(one))
            found.append(
                ApiAddress(one["operationId"], method.upper(), address, one["summary"], fields, _name_answer(one))
            )
    return ApiRecord(tuple(found))


def load_openapi(context: PageContext, query: ApiQuery) -> bytes:
    """The description as OpenAPI 3.1."""
    return encode(describe_api(context.site.is_fleet))


def _list_fields(operation: dict[str, Any]) -> list[ApiField]:
    found = [
        _make_field(one["name"], one["in"], one["schema"], one["required"], one.get("description", ""))
        for one in operation["parameters"]
        if one["in"] != "header"
    ]
    body = operation.get("requestBody")
    if body is not None:
        schema = body["content"]["application/json"]["schema"]
        needed = schema.get("required", ())
        for name, one in schema["properties"].items():
            found.append(_make_field(name, "body", one, name in needed, one.get("description", "")))
    return found


def _make_field(name: str, place: str, schema: dict[str, Any], required: bool, description: str) -> ApiField:
    default = schema.get("default")
    shown = "" if default in (None, "", [], False) else encode(default).decode().strip('"')
    return ApiField(name, place, _name_kind(schema), required, shown, description)


def _name_kind(schema: dict[str, Any]) -> str:
    """What a value is, in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_name_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_name_kind(schema.get('items') or {})}"
    return _KINDS.get(schema.get("type", ""), "object")


def _name_answer(operation: dict[str, Any]) -> str:
    ((kind, media),) = operation["responses"]["200"]["content"].items()
    return _name_kind(media["schema"]) if "schema" in media else kind


PAGES = (
    PageRoute(
        "api",
        "/api",
        "Every address of the API with its fields",
        ApiQuery,
        ApiRecord,
        show_api,
        "api.html",
        title="API",
        depends=lambda site, query: "",
        is_static=False,
    ),
)
FILES = (
    FileRoute(
        "openapi",
        "/openapi.json",
        "The API as OpenAPI 3.1",
        ApiQuery,
        "application/json",
        load_openapi,
        depends=lambda site, query: "",
    ),
)
