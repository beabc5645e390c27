"""Recipes of just: recipes, aliases, what is imported, modules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.lines import join
from . import DefinedNames

if TYPE_CHECKING:
    from . import Load

FILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_RECIPE = re.compile(r"@?([A-Za-z_][\w-]*)(?:[ \t]++[^:=\n]*+(?=:)|[ \t]++[^\n]*?[^:\n])?:(?!=)")
_ALIAS = re.compile(r"alias[ \t]+([A-Za-z_][\w-]*)[ \t]*:=")
_IMPORT = re.compile(r"(?:import|!include)\??[ \t]+[\"']?([^\"'\s]+)")
_MODULE = re.compile(r"mod\??[ \t]+([A-Za-z_][\w-]*)(?:[ \t]+[\"']([^\"']+)[\"'])?")
_SETTING = re.compile(r"(?:set|export|unexport)\b|[A-Za-z_][\w-]*[ \t]*:=")
_DEEPEST = 8
_MOST = 64


class _Justfile:
    """One justfile with what it imports."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.names: dict[str, None] = {}
        self.patterns: dict[str, None] = {}
        self.unknown = ""
        self.loaded = 0

    def read(self, key: str, text: str, prefix: str, depth: int) -> None:
        """Take in the recipes of a text; those of a module have its name before them."""
        folder = key.rpartition("/")[0]
        for line in text.splitlines():
            if not line or line[0] in " \t#[":
                continue
            alias, imported, module = _ALIAS.match(line), _IMPORT.match(line), _MODULE.match(line)
            if alias is not None:
                self.names[prefix + alias[1]] = None
            elif imported is not None:
                other = join(folder, imported[1])
                inner = self._load(other, depth)
                if inner is None:
                    self.unknown = f"it imports {imported[1][:80]}, which is not here"
                else:
                    self.read(other, inner, prefix, depth + 1)
            elif module is not None and ":=" not in line and not line[module.end() :].lstrip().startswith(":"):
                self._read_module(folder, module[1], module[2] or "", prefix, depth)
            elif not _SETTING.match(line) and (recipe := _RECIPE.match(line[:1000])):
                self.names[prefix + recipe[1]] = None

    def _read_module(self, folder: str, name: str, path: str, prefix: str, depth: int) -> None:
        self.names[prefix + name] = None
        places = [path] if path else [f"{name}.just", f"{name}/mod.just", f"{name}/justfile", f"{name}/.justfile"]
        for place in places:
            other = join(folder, place)
            inner = self._load(other, depth)
            if inner is not None:
                self.read(other, inner, f"{prefix}{name}::", depth + 1)
                return
        self.patterns[f"{prefix}{name}::%"] = None

    def _load(self, key: str, depth: int) -> str | None:
        self.loaded += 1
        return self.load(key) if depth < _DEEPEST and self.loaded <= _MOST else None


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every recipe that can be run by its name."""
    justfile = _Justfile(load)
    justfile.read(key, text, "", 0)
    return DefinedNames(justfile.names, tuple(justfile.patterns), justfile.unknown)
