"""Addresses of a server that shows a fleet."""

from __future__ import annotations

from functools import cache

from .links import ServedLinks, name_json_path
from .routes import list_fleet_files, list_fleet_pages


class FleetLinks(ServedLinks):
    """The addresses of its pages and files; it has no actions."""

    def _page_path(self, name: str) -> str:
        return _list_page_paths()[name]

    def _json_path(self, name: str) -> str:
        return _list_json_paths()[name]

    def _file_path(self, name: str) -> str:
        return _list_file_paths()[name]


@cache
def _list_page_paths() -> dict[str, str]:
    return {page.name: page.path for page in list_fleet_pages()}


@cache
def _list_json_paths() -> dict[str, str]:
    return {page.name: name_json_path(page.path, page.json_path) for page in list_fleet_pages()}


@cache
def _list_file_paths() -> dict[str, str]:
    return {file.name: file.path for file in list_fleet_files()}
