"""What a definition looks like, per language: expressions that begin at the line end before it and end in its name."""

from __future__ import annotations

import re

_IN = r"\n([ \t]*+)"
_NAME = r"([A-Za-z_$][\w$]{0,200})"
_REST = r"[^;\n]*+(?![^\n])"
"""The rest of a line that ends no statement."""


def _mods(words: str) -> str:
    """Any of some words, each followed by a blank."""
    return rf"(?:(?:{words})[ \t]++)*+"


_JS_MODS = _mods("export|default|declare|abstract|async|public|private|protected|static|readonly|override|get|set")
_JS = (
    rf"{_IN}{_JS_MODS}(?:(?:function\b[ \t]*+\*?[ \t]*+|class[ \t]++){_NAME}"
    rf"|(?:const|let|var)[ \t]++{_NAME}[ \t]*+(?::[^=\n]{{1,200}})?="
    r"[ \t]*+(?:async\b[ \t]*+)?(?:function\b|\([^()\n]{0,300}\)[^=\n]{0,100}=>|[\w$]{1,100}[ \t]*+=>)"
    r"|(?<=[ \t])(?!(?:if|for|while|switch|catch|with|function|return|do|else|super|await|throw|new)\b)"
    rf"\*?(#?[A-Za-z_$][\w$]{{0,200}})[ \t]*+\([^\n]{{0,500}}\{{(?![^\n]))"
)
_TS = (
    _JS[:-1]
    + rf"|(?:interface|enum|namespace|module|const[ \t]++enum)[ \t]++{_NAME}|type[ \t]++{_NAME}[^=\n]{{0,100}}=)"
)
_JAVA_MODS = _mods(
    "public|private|protected|internal|static|final|abstract|synchronized|native|default|override|virtual|async|sealed"
    "|non-sealed|partial|readonly|unsafe|extern|strictfp|required|new|const|ref|file"
)
_JAVA = (
    rf"{_IN}{_JAVA_MODS}(?:(?:class|@?interface|enum|struct|record(?:[ \t]++(?:class|struct))?)[ \t]++{_NAME}"
    r"|(?!(?:return|else|throw|new|await|yield|using|package|import|case|goto|assert|delete|if|for|while|switch|catch)\b)"
    rf"(?:<[^>\n]{{1,100}}>[ \t]++)?[A-Za-z_][\w.<>\[\],?]{{0,150}}+[ \t]++{_NAME}[ \t]*+(?:<[^>\n]{{1,80}}>)?\({_REST}"
    rf"|(?<=[ \t])(?!(?:if|for|while|switch|catch|using|lock|return|super|this)\b)([A-Z]\w{{0,200}})\([^;\n]*+"
    r"(?<=\{)(?![^\n]))"
)
_C = (
    r"\n(?:([ \t]*+)(?:typedef[ \t]++)?(?:struct|class|union|enum(?:[ \t]++(?:class|struct))?|namespace)[ \t]++"
    rf"(?:[A-Z_]{{3,40}}[ \t]++)?([A-Za-z_][\w:]{{0,200}}){_REST}"
    r"|()(?!(?:return|else|if|for|while|switch|case|goto|typedef|using)\b)(?:[A-Za-z_][\w \t*&:<>,]{0,200}[ \t*&])?"
    rf"((?:[A-Za-z_]\w{{0,80}}::){{0,5}}~?[A-Za-z_]\w{{0,100}})[ \t]?\({_REST}"
    rf"|()\#[ \t]*+define[ \t]++{_NAME}\()"
)
_RUST = (
    rf"{_IN}(?:pub(?:\([^)\n]{{0,60}}\))?[ \t]++)?"
    r"(?:(?:default|async|const|unsafe|extern(?:[ \t]++\"[^\"\n]{0,20}\")?)[ \t]++)*+"
    rf"(?:(?:fn|struct|enum|trait|union|type|macro_rules![ \t]*+|mod(?=[ \t]++\w++[ \t]*+\{{))[ \t]*+{_NAME}"
    r"|(impl\b[^{\n]{1,200}))"
)
_KOTLIN_MODS = _mods(
    "public|private|protected|internal|open|abstract|final|sealed|data|inner|inline|override|suspend|operator|infix|tailrec"
    "|external|const|companion|enum|annotation|value|expect|actual|case|implicit|lazy|static|mutating|nonisolated"
    "|fileprivate|convenience|required|indirect|transparent|opaque|given|package"
)

PATTERNS = {
    # Written so that a line is passed over after its first letter.
    "python": rf"{_IN}(?:def|class|async[ \t]++(?:def|class))[ \t]++(\w{{1,200}})",
    "javascript": _JS,
    "typescript": _TS,
    "java": _JAVA,
    "c": _C,
    "go": r"\n()(?:func[ \t]*+(?:\([^)\n]{0,200}\)[ \t]*+)?(\w{1,200})|type[ \t]++(\w{1,200})[ \t\[])",
    "rust": _RUST,
    "kotlin": (
        rf"{_IN}{_KOTLIN_MODS}(?:fun[ \t]++(?:<[^>\n]{{1,100}}>[ \t]*+)?(?:[\w.<>?]{{1,100}}\.)?"
        rf"|class[ \t]++|interface[ \t]++|object[ \t]++|typealias[ \t]++)([A-Za-z_`][\w` ]{{0,100}}+)"
    ),
    "scala": rf"{_IN}{_KOTLIN_MODS}(?:def|class|object|trait|enum)[ \t]++(\w{{1,200}})",
    "swift": (
        rf"{_IN}(?:@\w{{1,40}}[ \t]++)*+{_KOTLIN_MODS}(?:class[ \t]++)?"
        r"(?:(?:func|class|struct|enum|protocol|extension|actor)[ \t]++([\w.]{1,200})|(init)[?!]?[ \t]*+[(<])"
    ),
    "ruby": rf"{_IN}(?:private[ \t]++)?(?:def|class|module)[ \t]++((?:self\.)?[A-Z_a-z][\w:]{{0,200}}[?!=]?)",
    "php": (
        rf"{_IN}{_mods('public|private|protected|static|final|abstract|readonly')}"
        r"(?:function|class|interface|trait|enum)[ \t]++&?([A-Za-z_]\w{0,200})"
    ),
    "shell": rf"{_IN}(?:function[ \t]++([\w:.-]{{1,200}})|([A-Za-z_][\w:.-]{{0,200}})[ \t]*+\([ \t]*+\))",
    "lua": rf"{_IN}(?:local[ \t]++)?(?:function[ \t]++([\w.:]{{1,200}})|([\w.]{{1,100}})[ \t]*+=[ \t]*+function\b)",
    "sql": (
        r"\n()(?i:create[ \t]++(?:or[ \t]++replace[ \t]++)?"
        r"(?:(?:global|local|temp|temporary|unique|materialized|recursive)[ \t]++)*+"
        r"(?:table|view|function|procedure|trigger|index|type|schema|sequence|domain|database|extension)[ \t]++"
        r"(?:if[ \t]++not[ \t]++exists[ \t]++)?)([\w.\"`\[\]]{1,200})"
    ),
    "perl": rf"{_IN}sub[ \t]++([\w:]{{1,200}})",
    "r": rf"{_IN}([\w.]{{1,200}})[ \t]*+(?:<-|=)[ \t]*+function\b",
    "elixir": rf"{_IN}(?:defmodule|defp?|defmacrop?|defprotocol)[ \t]++([\w.]{{1,200}}[?!]?)",
    "dart": _JAVA,
    "proto": r"\n([ \t]*+)(?:message|service|enum|rpc)[ \t]++(\w{1,200})",
}

_SHARED = {
    "python": "py pyi pyw pyx",
    "javascript": "js jsx mjs cjs",
    "typescript": "ts tsx mts cts",
    "java": "java cs groovy",
    "c": "c h cc cpp cxx hh hpp hxx ino cu m mm",
    "go": "go",
    "rust": "rs",
    "kotlin": "kt kts",
    "scala": "scala sc",
    "swift": "swift",
    "ruby": "rb rake gemspec",
    "php": "php",
    "shell": "sh bash zsh ksh",
    "lua": "lua",
    "sql": "sql",
    "perl": "pl pm",
    "r": "r",
    "elixir": "ex exs",
    "dart": "dart",
    "proto": "proto",
}
LANGUAGES = {f".{ending}": language for language, endings in _SHARED.items() for ending in endings.split()}
"""The language of files with an ending."""
OTHERS = tuple(
    f".{ending}"
    for ending in (
        "hs erl clj cljs ml mli fs fsx jl nim zig v vhd d pas ada adb ads f90 f95 for cob asm s el lisp scm rkt tcl vb "
        "ps1 bat cmake gradle tf hcl nix bzl star thrift graphql gql css scss sass less vue svelte astro yaml yml "
        "toml ini cfg conf properties mk dockerfile fish vim awk sed"
    ).split()
)
"""Endings of code whose definitions are not known: it is cut at blank lines before lines at the margin."""

_compiled: dict[str, re.Pattern[str]] = {}


def find_definitions(language: str) -> re.Pattern[str] | None:
    """The expression for a language's definitions; None where there is none."""
    if language not in _compiled and language in PATTERNS:
        _compiled[language] = re.compile(PATTERNS[language])
    return _compiled.get(language)
