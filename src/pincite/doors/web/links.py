"""Addresses of pages, actions and assets; a static export has others than a server."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from typing import Protocol
from urllib.parse import quote, urlencode

from ...core.errors import Missing
from ...safe.files import read_path
from .routes import list_actions, list_files, list_pages

_ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_FIELD = re.compile(r"\{(\w+)(?::\w+)?\}")
_AMBIGUOUS = (".json", ".html")
"""Endings of a document that an address would take for its own; `.html` behind them makes it clear."""


class Links(Protocol):
    """Makes the addresses in a page."""

    is_static: bool
    """Whether the page is a file that no server stands behind: then there are no forms, and no search."""

    def page(self, name: str, /, **values: object) -> str:
        """The address of a page; values that are no part of its path become its query, empty ones are left out."""

    def json(self, name: str, /, **values: object) -> str:
        """The address of a page's JSON."""

    def action(self, name: str, /, **values: object) -> str:
        """The address that a form is sent to."""

    def file(self, name: str, /, **values: object) -> str:
        """The address of a picture or a download."""

    def asset(self, name: str) -> str:
        """The address of a script or a style sheet."""


class ServedLinks:
    """The addresses of a running server."""

    is_static = False

    def page(self, name: str, /, **values: object) -> str:
        path, rest = _fill(self._page_path(name), values)
        return path + (".html" if path.endswith(_AMBIGUOUS) else "") + rest

    def json(self, name: str, /, **values: object) -> str:
        path, rest = _fill(self._json_path(name), values)
        return path + rest

    def action(self, name: str, /, **values: object) -> str:
        return "".join(_fill(_action_paths()[name], values))

    def file(self, name: str, /, **values: object) -> str:
        return "".join(_fill(self._file_path(name), values))

    def asset(self, name: str) -> str:
        return f"/assets/{name}?v={digest_asset(name)}"

    def _page_path(self, name: str) -> str:
        return _page_paths()[name]

    def _json_path(self, name: str) -> str:
        return _json_paths()[name]

    def _file_path(self, name: str) -> str:
        return _file_paths()[name]


@cache
def read_asset(name: str) -> bytes:
    """A script or a style sheet; raises Missing for what is none."""
    if "/" not in name and not name.startswith(".") and name:
        with suppress(Missing):
            return read_path(os.path.join(_ASSETS, name))
    raise Missing(f"{name}: no such file")


@cache
def digest_asset(name: str) -> str:
    """Tells one version of an asset from another, so that browsers may keep it."""
    return blake2b(read_asset(name), digest_size=6).hexdigest()


def has_dot_segments(path: str) -> bool:
    """Whether browsers would shorten an address with this path in it: no page can have it."""
    return not {".", ".."}.isdisjoint(path.split("/"))


def name_json_path(path: str, json_path: str) -> str:
    """Where the JSON of a page is."""
    return json_path or f"{path}.json"


def _fill(path: str, values: dict[str, object]) -> tuple[str, str]:
    """A path with its fields filled in, and the query."""
    left = {name: value for name, value in values.items() if value not in ("", None, False)}

    def fill(match: re.Match[str]) -> str:
        return quote(str(left.pop(match[1])).encode(errors="surrogateescape"), safe="/")

    filled = _FIELD.sub(fill, path)
    query = urlencode(left, doseq=True, errors="surrogateescape")
    return filled, f"?{query}" if query else ""


@cache
def _page_paths() -> dict[str, str]:
    return {page.name: page.path for page in list_pages()}


@cache
def _json_paths() -> dict[str, str]:
    return {page.name: name_json_path(page.path, page.json_path) for page in list_pages()}


@cache
def _action_paths() -> dict[str, str]:
    return {action.name: action.path for action in list_actions()}


@cache
def _file_paths() -> dict[str, str]:
    return {file.name: file.path for file in list_files()}
