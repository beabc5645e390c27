"""From a request to the fields that a page or an action wants; what does not fit is refused with the field's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert
from msgspec.json import decode
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect

from .records import Upload
from .routes import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from .routes import ActionRoute

_MOST_FIELDS = 200
_MOST_FILES = 20


def read_query(request: Request, query: type[Struct]) -> Struct:
    """The fields of an address; raises Refusal."""
    return _convert({**dict(request.query_params), **request.path_params}, query)


async def read_form(request: Request, action: ActionRoute) -> Struct:
    """The fields of a form or of JSON, with those of the address; raises Refusal."""
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > action.most_bytes:
        raise Refusal(413, f"more than {action.most_bytes} bytes; send less at once")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await _read_body(request, action.most_bytes)
    if kind == "application/json":
        try:
            given = decode(body, type=dict[str, Any])
        except ValidationError as error:
            raise Refusal(422, str(error)) from None
        except (ValueError, RecursionError) as error:
            raise Refusal(400, f"the body is not JSON: {error}") from None
    elif kind in ("multipart/form-data", "application/x-www-form-urlencoded"):
        given = await _read_fields(request, action.most_bytes)
    elif not body:
        given = {}
    else:
        raise Refusal(415, "send a form or application/json")
    return _convert({**given, **request.path_params}, action.form)


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


async def _read_fields(request: Request, most: int) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    try:
        async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=most) as form:
            for name, value in form.multi_items():
                if not isinstance(value, UploadFile):
                    fields[name] = value
                elif value.filename:
                    upload = Upload(value.filename, await value.read())
                    fields[name] = (*fields.get(name, ()), upload)
    except (MultiPartException, ValueError) as error:
        raise Refusal(400, f"the form cannot be read: {error}") from None
    return fields


def _convert(given: dict[str, Any], kind: type[Struct]) -> Struct:
    try:
        # Fields of forms and addresses are text: "3" is a number where one is wanted.
        return convert(given, kind, strict=False)
    except ValidationError as error:
        raise Refusal(422, str(error)) from None
