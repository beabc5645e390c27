"""The description of the REST API as OpenAPI 3.1, made from the pages, files and actions there are."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.inspect import Field, StructType, multi_type_info
from msgspec.inspect import Type as TypeInfo
from msgspec.json import schema_components

from ..._version import __version__
from .links import name_json_path
from .records import ErrorRecord, Upload
from .routes import list_actions, list_files, list_fleet_files, list_fleet_pages, list_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .routes import ActionRoute, FileRoute, PageRoute

    Part = dict[str, Any]

_FIELD = re.compile(r"\{(\w+)(?::\w+)?\}")
_COMPONENT = "#/components/schemas/"
_ERRORS = {
    400: "The request cannot be done as it stands, or the body cannot be read",
    403: "The token is missing or wrong, the request comes from another site, or the server is read-only",
    404: "There is nothing at the address",
    405: "The address takes another method; the header Allow names it",
    409: "Something changed meanwhile; nothing was written",
    413: "The body is too large",
    415: "The body is neither a form nor JSON",
    421: "The server does not go by the name in the header Host",
    422: "A field does not fit; the message names it",
}
_FLEET_ERRORS = {503: "The store of the fleet cannot be read just now; the header Retry-After says when to ask again"}
_READ_ERRORS = (400, 403, 404, 405, 421, 422)
_ABOUT = """Every page has an address for people and, with `.json` behind it, one for programs: these are listed here.
Send the token that `pincite serve` printed as `Authorization: Bearer TOKEN`. Lists come in parts: `paging` says which
one this is, and the header `Link` has the addresses of the others. Errors are an `ErrorRecord`, with the message that
the command line would print."""


@cache
def describe_api(of_fleet: bool = False) -> Part:
    """The whole description; the same for every server of one version that shows a repository, or a fleet."""
    pages = list_fleet_pages() if of_fleet else list_pages()
    files = list_fleet_files() if of_fleet else list_files()
    actions = () if of_fleet else list_actions()
    errors = _ERRORS | _FLEET_ERRORS if of_fleet else _ERRORS
    read_errors = (*_READ_ERRORS, *_FLEET_ERRORS) if of_fleet else _READ_ERRORS
    wanted: list[type[Struct]] = [ErrorRecord]
    wanted += [kind for page in pages for kind in (page.query, page.record)] + [file.query for file in files]
    wanted += [kind for action in actions for kind in (action.form, action.record)]
    components = _describe_components(wanted)
    paths: dict[str, Part] = {}
    for page in pages:
        address = name_json_path(page.path, page.json_path)
        paths.setdefault(_name_path(address), {})["get"] = _describe_page(page, components, read_errors)
    for file in files:
        paths.setdefault(_name_path(file.path), {})["get"] = _describe_file(file, components)
    for action in actions:
        paths.setdefault(_name_path(f"{action.path}.json"), {})["post"] = _describe_action(action, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "pincite", "version": __version__, "description": _ABOUT},
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"session": []}],
        "paths": paths,
        "components": {
            "schemas": _find_used(paths, components),
            "responses": {str(status): _describe_error(text) for status, text in errors.items()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token that `pincite serve` printed."},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "pincite-PORT",
                    "description": "What a browser has after it opened the printed address; the port is in its name.",
                },
            },
        },
    }


def _describe_page(page: PageRoute, components: Part, errors: tuple[int, ...]) -> Part:
    answer = {
        "description": f"{page.summary}.",
        "headers": _HEADERS | (_LINK if "page" in page.query.__struct_fields__ else {}),
        "content": {"application/json": {"schema": _refer(page.record)}},
    }
    return {
        **_head("get", page),
        "parameters": [*_list_parameters(page.path, page.query, components), _CONDITION],
        "responses": {"200": answer, "304": _UNCHANGED, **_refer_errors(errors)},
    }


def _describe_file(file: FileRoute, components: Part) -> Part:
    kind = file.media_type.partition(";")[0]
    answer = {"description": f"{file.summary}.", "headers": _HEADERS, "content": {kind: {}}}
    errors = _refer_errors(_READ_ERRORS)
    if not file.path.endswith(".json"):
        # The address is no program's alone: what is wrong is said to people.
        words: Part = {"text/html": {}, "text/plain": {}}
        errors = {str(status): {"description": f"{_ERRORS[status]}.", "content": words} for status in _READ_ERRORS}
    return {
        **_head("download", file),
        "parameters": [*_list_parameters(file.path, file.query, components), _CONDITION],
        "responses": {"200": answer, "304": _UNCHANGED, **errors},
    }


def _describe_action(action: ActionRoute, components: Part) -> Part:
    answer = {
        "description": f"{action.summary}.",
        "content": {"application/json": {"schema": _refer(action.record)}},
    }
    in_path = _FIELD.findall(action.path)
    parameters = [one for one in _list_parameters(action.path, action.form, components) if one["in"] == "path"]
    found: Part = {**_head("post", action), "parameters": parameters}
    body = _describe_body(action.form, in_path, components)
    if body is not None:
        found["requestBody"] = body
    return {**found, "responses": {"200": answer, **_refer_errors(_ERRORS)}}


def _describe_body(form: type[Struct], in_path: list[str], components: Part) -> Part | None:
    """The fields of a form that are no part of the address, in each way to send them; None where there are none."""
    whole = components[form.__name__]
    properties = {name: schema for name, schema in whole["properties"].items() if name not in in_path}
    if not properties:
        return None
    required = [name for name in whole.get("required", ()) if name not in in_path]
    schema: Part = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    if not required:
        del schema["required"]
    uploads = {name for name, one in properties.items() if f"{_COMPONENT}{Upload.__name__}" in str(one)}
    content: Part = {"application/json": {"schema": schema}}
    if uploads:
        sent = {name: _describe_upload(one) if name in uploads else one for name, one in properties.items()}
        content["multipart/form-data"] = {"schema": {**schema, "properties": sent}}
    else:
        content["application/x-www-form-urlencoded"] = {"schema": schema}
    return {"required": bool(required), "content": content}


def _describe_upload(schema: Part) -> Part:
    """A file as a part of a form; in JSON it is a name and base64."""
    file = {"type": "string", "contentMediaType": "application/octet-stream"}
    about = {"description": schema["description"]} if "description" in schema else {}
    return {**({"type": "array", "items": file} if schema.get("type") == "array" else file), **about}


def _list_parameters(path: str, query: type[Struct], components: Part) -> list[Part]:
    schema = components[query.__name__]
    in_path = _FIELD.findall(path)
    found = []
    for name, one in schema["properties"].items():
        about = {"description": one["description"]} if "description" in one else {}
        bare = {key: value for key, value in one.items() if key != "description"}
        where = "path" if name in in_path else "query"
        is_required = where == "path" or name in schema.get("required", ())
        if f"{{{name}:path}}" in path:
            about["description"] = f"{about.get('description', '')} It may hold slashes.".strip()
        found.append({"name": name, "in": where, "required": is_required, "schema": bare, **about})
    return found


def _head(verb: str, route: PageRoute | FileRoute | ActionRoute) -> Part:
    module = route.perform.__module__ if hasattr(route, "perform") else route.load.__module__
    return {
        "operationId": f"{verb}_{route.name}".replace("-", "_"),
        "summary": route.summary,
        "tags": [module.rpartition(".")[2]],
    }


def _describe_error(text: str) -> Part:
    return {"description": f"{text}.", "content": {"application/json": {"schema": _refer(ErrorRecord)}}}


def _refer(kind: type[Struct]) -> Part:
    return {"$ref": f"{_COMPONENT}{kind.__name__}"}


def _refer_errors(statuses: Iterable[int]) -> Part:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _name_path(path: str) -> str:
    return _FIELD.sub(r"{\1}", path)


def _find_used(paths: Part, components: Part) -> Part:
    """The schemas that answers and bodies are made of; those of queries are spelt out where they are used."""
    found: set[str] = {ErrorRecord.__name__}
    todo = [str(paths), *(str(components[name]) for name in found)]
    while todo:
        fresh = set(re.findall(rf"{_COMPONENT}(\w+)", todo.pop())) - found
        found |= fresh
        todo += [str(components[name]) for name in fresh]
    return {name: components[name] for name in sorted(found)}


def _describe_components(types: list[type[Struct]]) -> Part:
    """The schemas of records by their names, with what is said of their fields."""
    _, components = schema_components(types, ref_template=f"{_COMPONENT}{{name}}")
    for kind in _list_structs(types):
        schema = components.get(kind.__name__)
        if schema is not None:
            schema.pop("title", None)
            for name, text in read_field_docs(kind).items():
                if name in schema.get("properties", {}):
                    schema["properties"][name]["description"] = text
    return components


def _list_structs(types: list[type[Struct]]) -> Iterator[type[Struct]]:
    """Every record that records are made of."""
    seen: set[type[Struct]] = set()
    todo: list[Any] = list(multi_type_info(types))
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, StructType):
            if one.cls not in seen:
                seen.add(one.cls)
                yield one.cls
                todo += one.fields
        elif isinstance(one, TypeInfo | Field):
            todo += [getattr(one, name) for name in one.__struct_fields__]


@cache
def read_field_docs(kind: type[Struct]) -> dict[str, str]:
    """What is written below the fields of a record, by field; nothing where its source is not there."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base is Struct or not issubclass(base, Struct):
            continue
        try:
            body = ast.parse(dedent(inspect.getsource(base))).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        parts = body.body if isinstance(body, ast.ClassDef) else []
        for field, text in pairwise(parts):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                    found[name] = " ".join(words.split())
    return found


_HEADERS = {"ETag": {"description": "Changes when the answer does.", "schema": {"type": "string"}}}
_LINK = {"Link": {"description": "The parts of the list before and after this one.", "schema": {"type": "string"}}}
_CONDITION = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "Tags of answers that the client has.",
    "schema": {"type": "string"},
}
_UNCHANGED = {"description": "The client has the answer already.", "headers": _HEADERS}
