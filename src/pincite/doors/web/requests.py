"""From a request to the fields that a page or an action wants; what does not fit is refused with the field's name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.inspect import ListType, NoneType, StructType, UnionType, VarTupleType, type_info
from msgspec.json import decode
from msgspec.structs import fields as list_fields
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect

from .field_messages import explain_mismatch, find_oddity
from .records import Upload
from .routes import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from .routes import ActionRoute

_MOST_FIELDS = 200
_MOST_FILES = 20
_LENGTH_DIGITS = 18
"""No body has a longer length than a number of this many digits says."""


def read_query(request: Request, query: type[Struct]) -> Struct:
    """The fields of an address; raises Refusal."""
    text = request.scope["query_string"].decode("latin-1")
    try:
        # Names of files may hold bytes that are no text; links write them so.
        pairs = parse_qsl(text, keep_blank_values=True, errors="surrogateescape", max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise Refusal(422, f"more than {_MOST_FIELDS} fields") from None
    return _convert({**_gather(pairs, query), **request.path_params}, query)


async def read_form(request: Request, action: ActionRoute) -> Struct:
    """The fields of a form or of JSON, with those of the address; raises Refusal."""
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()):
        raise Refusal(400, "the length of the body is no number")
    if len(length) > _LENGTH_DIGITS or int(length) > action.most_bytes:
        raise Refusal(413, f"more than {action.most_bytes} bytes; send less at once")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await _read_body(request, action.most_bytes)
    is_json = kind == "application/json"
    if is_json:
        given = _decode_json(body)
    elif kind in ("multipart/form-data", "application/x-www-form-urlencoded"):
        given = _gather(await _read_fields(request, action.most_bytes), action.form)
    elif not body:
        given = {}
    else:
        raise Refusal(415, "send a form or application/json")
    if is_json:
        # JSON says what is a number and what is text; an address cannot.
        return _convert({**given, **_convert_path(request.path_params, action.form)}, action.form, strict=True)
    return _convert({**given, **request.path_params}, action.form)


def _decode_json(body: bytes) -> dict[str, Any]:
    try:
        return decode(body, type=dict[str, Any])
    except ValidationError as error:
        raise Refusal(422, explain_mismatch(error, None, None)) from None
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the body is not JSON: {error}") from None


async def _read_body(request: Request, most: int) -> bytes:
    """The body, which may be longer than it says; Starlette finds it again."""
    pieces: list[bytes] = []
    size = 0
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > most:
                raise Refusal(413, f"more than {most} bytes; send less at once")
            pieces.append(piece)
    except ClientDisconnect:
        raise Refusal(400, "the connection ended before the request was complete") from None
    request._body = b"".join(pieces)
    return request._body


async def _read_fields(request: Request, most: int) -> list[tuple[str, Any]]:
    fields: list[tuple[str, Any]] = []
    try:
        async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=most) as form:
            for name, value in form.multi_items():
                if not isinstance(value, UploadFile):
                    fields.append((name, value))
                elif value.filename:
                    fields.append((name, Upload(value.filename, await value.read())))
    except HTTPException as error:
        raise Refusal(400, f"the form cannot be read: {error.detail}") from None
    except (MultiPartException, ValueError) as error:
        raise Refusal(400, f"the form cannot be read: {error}") from None
    return fields


def _gather(pairs: list[tuple[str, Any]], kind: type[Struct]) -> dict[str, Any]:
    """Fields by name: all values of one that is a list, the last value of another."""
    found: dict[str, Any] = {}
    lists = _name_lists(kind)
    for name, value in pairs:
        found[name] = (*found.get(name, ()), value) if name in lists else value
    return found


@cache
def _name_lists(kind: type[Struct]) -> frozenset[str]:
    """The fields that take more than one value."""
    info = type_info(kind)
    # One that may also be a text takes one value.
    return frozenset(
        field.encode_name
        for field in (info.fields if isinstance(info, StructType) else ())
        if all(
            isinstance(one, ListType | VarTupleType | NoneType)
            for one in (field.type.types if isinstance(field.type, UnionType) else (field.type,))
        )
    )


def _convert_path(params: dict[str, Any], kind: type[Struct]) -> dict[str, Any]:
    """The fields of an address with the types that the form has for them."""
    hints = {field.encode_name: field.type for field in list_fields(kind)}
    found = {}
    for name, value in params.items():
        try:
            found[name] = convert(value, hints.get(name, str), strict=False)
        except (ValidationError, UnicodeEncodeError):
            # It is refused with the others.
            found[name] = value
    return found


def _convert(given: dict[str, Any], kind: type[Struct], strict: bool = False) -> Struct:
    try:
        # Fields of forms and addresses are text: "3" is a number where one is wanted.
        made = convert(given, kind, strict=strict)
    except ValidationError as error:
        raise Refusal(422, explain_mismatch(error, given, kind)) from None
    except UnicodeEncodeError:
        # Bytes that are no text, where a number is wanted.
        raise Refusal(422, "a field has bytes that are no text; a name of a file may, nothing else does") from None
    odd = find_oddity(to_builtins(made, builtin_types=(bytes,)))
    if odd:
        raise Refusal(422, odd)
    return made
