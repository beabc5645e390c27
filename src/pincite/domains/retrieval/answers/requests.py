"""The documents that a request sent along, as OpenAI, Cohere, Gemini and Perplexity have them.

Anthropic's are numbered, and read where its citations are.
"""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from .model import EmbeddedDocument, NamedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 1_000
"""How many documents of one request are read."""
_LONGEST_ASKED = 100_000
_SHAPELESS = (
    ("title", "name"),
    ("filename", "file_name", "file", "path"),
    ("url", "uri", "source"),
    ("text", "snippet", "content", "passage", "body", "data", "excerpt"),
)
"""What a document without a fixed shape may call its title, file, address and text."""
_INLINE = ("inlineData", "inline_data")
_STORED = ("fileData", "file_data")


def read_sent(request: Any) -> tuple[EmbeddedDocument, ...]:
    """The documents of a request, each with its JSON path; those whose text did not come along have none."""
    if not isinstance(request, dict):
        return ()
    found: list[EmbeddedDocument] = []
    for path, part in _parts(request):
        held = _read_part(path, part)
        if held is not None:
            found.append(held)
        if len(found) == _MOST:
            break
    return tuple(found)


def read_asked(request: Any) -> str:
    """The words of the users' messages in a request, without the documents that came along."""
    if not isinstance(request, dict):
        return ""
    found = [value for key in ("input", "message", "prompt") if isinstance(value := request.get(key), str)]
    for key in ("input", "messages", "contents"):
        for message in _list(request.get(key)):
            if not isinstance(message, dict) or message.get("role", "user") != "user":
                continue
            content = message.get("content")
            found += [content] if isinstance(content, str) else []
            for part in (*_list(content), *_list(message.get("parts"))):
                if isinstance(part, dict) and part.get("type", "text") in ("text", "input_text"):
                    found.append(_text(part, "text"))
    return "\n".join(found)[:_LONGEST_ASKED]


def _parts(request: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Everything in a request that may be a document, with its path."""
    for key in ("input", "messages", "contents"):
        for number, message in enumerate(_list(request.get(key))):
            at = f"request.{key}[{number}]"
            if not isinstance(message, dict):
                continue
            yield at, message
            for inner in ("content", "parts"):
                yield from ((f"{at}.{inner}[{row}]", part) for row, part in enumerate(_list(message.get(inner))))
    for row, document in enumerate(_list(request.get("documents"))):
        yield f"request.documents[{row}]", {"type": "document", "document": document}
    for row, result in enumerate(_list(request.get("tool_results"))):
        outputs = _list(result.get("outputs")) if isinstance(result, dict) else []
        for number, document in enumerate(outputs):
            yield f"request.tool_results[{row}].outputs[{number}]", {"type": "document", "document": document}


def _read_part(path: str, part: Any) -> EmbeddedDocument | None:
    if not isinstance(part, dict):
        return None
    kind = part.get("type")
    if kind == "input_file":
        return _read_file(path, part)
    if kind == "file" and isinstance(part.get("file"), dict):
        return _read_file(path, part["file"])
    if kind == "file_url":
        address = part.get("file_url")
        url = address.get("url") if isinstance(address, dict) else address
        named = NamedDocument(filename=_text(part, "file_name"), uri=str(url) if _is_web(url) else "")
        return _read_data(path, named, "" if _is_web(url) else url)
    if kind == "document" and "document" in part:
        return _read_document(path, part["document"])
    for key in (*_INLINE, *_STORED):
        held = part.get(key)
        if isinstance(held, dict):
            name = _text(held, "displayName") or _text(held, "display_name")
            address = _text(held, "fileUri") or _text(held, "file_uri")
            return _read_data(path, NamedDocument(filename=name, title=name, uri=address), held.get("data"))
    return None


def _read_file(path: str, held: dict[str, Any]) -> EmbeddedDocument:
    """A file as OpenAI takes it: a data address, base64, or an id or address alone."""
    name = NamedDocument(filename=_text(held, "filename"), id=_text(held, "file_id"), uri=_text(held, "file_url"))
    return _read_data(path, name, held.get("file_data"))


def _read_data(path: str, name: NamedDocument, data: Any) -> EmbeddedDocument:
    """What base64 or a data address holds: a PDF, or text."""
    if not isinstance(data, str) or not data:
        return EmbeddedDocument(path, name)
    if data[:5].lower() == "data:":
        data = data.partition(",")[2]
    try:
        decoded = b64decode("".join(data.split()), validate=True)
    except ValueError:
        return EmbeddedDocument(path, name)
    if decoded[:5] == b"%PDF-":
        return EmbeddedDocument(path, name, pdf="".join(data.split()))
    try:
        return EmbeddedDocument(path, name, text=decoded.decode("utf-8"))
    except UnicodeDecodeError:
        return EmbeddedDocument(path, name)


def _read_document(path: str, held: Any) -> EmbeddedDocument | None:
    """A document of Cohere: a text, or an object of no fixed shape with or without `data` around it."""
    if isinstance(held, str):
        return EmbeddedDocument(path, NamedDocument(), held)
    if not isinstance(held, dict):
        return None
    return EmbeddedDocument(path, *read_shapeless(held))


def read_shapeless(held: dict[str, Any], identity: str = "") -> tuple[NamedDocument, str]:
    """What a document of no fixed shape is called and says."""
    inner = held.get("data")
    fields = {**held, **inner} if isinstance(inner, dict) else held
    title, filename, uri, text = (next(filter(None, (_text(fields, key) for key in keys)), "") for keys in _SHAPELESS)
    return NamedDocument(None, title, filename, uri, identity or _text(fields, "id")), text


def _is_web(url: Any) -> bool:
    return isinstance(url, str) and url[:8].lower().startswith(("http://", "https://"))


def _text(held: dict[str, Any], key: str) -> str:
    value = held.get(key)
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
