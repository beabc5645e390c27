"""Targets of make: rules, `.PHONY`, pattern rules, what is included, variables with a plain value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.lines import join
from . import DefinedNames

if TYPE_CHECKING:
    from . import Load

FILES = ("GNUmakefile", "makefile", "Makefile")
_DEEPEST = 8
_MOST_INCLUDED = 64
_LONGEST_VALUE = 4000
"""Characters of a variable beyond which it is not expanded."""
_ASSIGNMENT = re.compile(r"(?:(?:export|override|private|unexport)\s+)*([^\s:=#!?+]+)\s*(:{1,3}|\?|\+|!)?=\s*(.*)")
_CONDITIONAL = re.compile(r"(?:ifeq|ifneq|ifdef|ifndef|else|endif|export|unexport|vpath|undefine)\b")
_INCLUDE = re.compile(r"([-s]?include)\s+(.*)")
_VARIABLE = re.compile(r"\$[({]([\w.-]+)[)}]|\$(\w)")
_ANY = re.compile(r"\$[({][^(){}]*(?:[({][^(){}]*[)}][^(){}]*)*[)}]|\$.")
# Files that hold variables or dependencies and define nothing that anyone runs.
_HARMLESS = re.compile(
    r"(?:.*/)?(?:\.env[\w.-]*|[\w.%*-]+\.(?:d|dep|deps|env|P)|config\.mk|\.depend|\.config|version\.mk)"
)


class _Makefile:
    """One makefile with what it includes, read line by line."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.names: dict[str, None] = {}
        self.patterns: dict[str, None] = {}
        self.variables: dict[str, str | None] = {}
        self.unknown = ""
        self.included = 0

    def read(self, key: str, text: str, depth: int = 0) -> None:
        """Take in the rules of a text."""
        skipping = 0
        for line in _join_lines(text):
            bare = line.strip()
            if bare.startswith("define "):
                skipping += 1
            elif bare == "endef":
                skipping = max(0, skipping - 1)
            elif skipping or not bare or line[0] == "\t" or bare[0] == "#":
                continue
            else:
                self._read_line(key, bare, depth)

    def _read_line(self, key: str, line: str, depth: int) -> None:
        if line.startswith(".RECIPEPREFIX"):
            self.unknown = "it sets .RECIPEPREFIX"
            return
        assignment = _ASSIGNMENT.match(line)
        if assignment is not None:
            name, sign, value = assignment[1], assignment[2] or "", assignment[3].partition(" #")[0].strip()
            plain = "$" not in value and sign != "!"
            if sign == "+":
                before = self.variables.get(name, "")
                known = plain and before is not None and len(before) + len(value) < _LONGEST_VALUE
                self.variables[name] = f"{before} {value}".strip() if known else None
            elif name in self.variables and self.variables[name] != value:
                # Two values, as in two branches of a condition: it may be either.
                self.variables[name] = None if sign != "?" else self.variables[name]
            else:
                self.variables[name] = self._expand(value) if sign != "!" else None
            return
        included = _INCLUDE.match(line)
        if included is not None:
            self._include(key, included[2].partition("#")[0], depth)
        elif _CONDITIONAL.match(line):
            return
        elif line.startswith("$") and ":" not in _ANY.sub("", line):
            if "eval" in line or "call" in line or "foreach" in line:
                self.unknown = "rules are made by a function of make"
        else:
            self._add_rule(line)

    def _expand(self, value: str) -> str | None:
        """The value with all variables replaced; None where one of them is not known."""
        for _ in range(_DEEPEST):
            if "$" not in value:
                return value
            match = _VARIABLE.search(value)
            known = self.variables.get(match[1] or match[2]) if match else None
            if match is None or known is None or len(value) + len(known) > _LONGEST_VALUE:
                return None
            value = value[: match.start()] + known + value[match.end() :]
        return None

    def _add_rule(self, line: str) -> None:
        whole = line.split("#", 1)[0]
        bare = _ANY.sub(lambda match: "\0" * len(match[0]), whole)
        colon = bare.find(":")
        if colon < 0:
            return
        # `a: b`, `a:: b`, `a &: b`; a target list may be a variable.
        targets = whole[:colon].rstrip("&")
        if targets.strip() == ".PHONY":
            targets = bare[colon + 1 :] and whole[colon + 1 :].lstrip(":").split(";", 1)[0]
        expanded = self._expand(targets)
        if expanded is None:
            expanded = _ANY.sub("%", targets)
        for name in expanded.split():
            if name == ".DEFAULT":
                self.unknown = "it has a rule for any target"
            elif "%" in name or "*" in name or "?" in name:
                self.patterns[name.replace("*", "%").replace("?", "%")] = None
            elif not re.fullmatch(r"\.[A-Z_]+", name):
                self.names[name.removeprefix("./")] = None

    def _include(self, key: str, listed: str, depth: int) -> None:
        folder = key.rpartition("/")[0]
        expanded = self._expand(listed)
        for name in (expanded if expanded is not None else _ANY.sub("%", listed)).split():
            if _HARMLESS.fullmatch(name):
                continue
            text = None
            if not re.search(r"[%*?\[\]]", name) and name[0] not in "/~" and depth < _DEEPEST:
                self.included += 1
                # Paths count from the folder where make runs, which is that of the first file.
                text = self.load(join(folder, name)) if self.included <= _MOST_INCLUDED else None
            if text is None:
                self.unknown = f"it includes {name[:80]}, which is not here"
            else:
                self.read(key, text, depth + 1)


def _join_lines(text: str) -> list[str]:
    """The lines, with those joined that end in a backslash."""
    if "\\\n" not in text and "\r" not in text:
        return text.split("\n")
    lines = text.replace("\r\n", "\n").split("\n")
    found: list[str] = []
    pieces: list[str] = []
    for line in lines:
        if line.endswith("\\"):
            pieces.append(line[:-1])
            continue
        found.append(" ".join((*pieces, line.strip() if pieces else line)))
        pieces = []
    return [*found, " ".join(pieces)] if pieces else found


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every target that can be run by its name."""
    makefile = _Makefile(load)
    makefile.read(key, text)
    return DefinedNames(makefile.names, tuple(makefile.patterns), makefile.unknown)
