"""Comments and docstrings of source code: the parts of a program that are prose.

One pass with one regular expression for each family of languages, over strings and comments alike, so that a `#` in a
string begins nothing. What nothing closes reaches to the end of the text, or of its line where strings end there. The
lexers know little: where they are in doubt, text is code.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ..core.model import Span
from .markdown import unify_line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Repeats are possessive, and every alternative takes what it looked at: each character is read once.
_ON_LINE = r'"(?:[^"\\\n]++|\\(?s:.))*+(?:"|(?=\n)|\\?\Z)'
_LONG = r'"(?:[^"\\]++|\\(?s:.))*+(?:"|\\?\Z)'
_SINGLE_ON_LINE = r"'(?:[^'\\\n]++|\\(?s:.))*+(?:'|(?=\n)|\\?\Z)"
_SINGLE_LONG = r"'(?:[^'\\]++|\\(?s:.))*+(?:'|\\?\Z)"
_SINGLE_PLAIN = r"'[^']*+(?:'|\Z)"
# A character, and never the mark of a lifetime or a type variable: `'a'`, `'\n'`, `'\u{1F600}'`.
_CHARACTER = r"'(?:\\(?:u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|.)|[^'\\\n])'"
_TRIPLE = r'"""(?:[^"\\]++|\\(?s:.)|"(?!""))*+(?:"""|\\?\Z)'
_BACKTICK = r"`(?:[^`\\]++|\\(?s:.))*+(?:`|\\?\Z)"
_BACKTICK_RAW = r"`[^`]*+(?:`|\Z)"
_RAW_RUST = r'r(?P<raw>#{1,8})"(?s:.*?)(?:"(?P=raw)|\Z)'
_RAW_CPP = r'R"(?P<raw>[^()\\\s]{0,16})\((?s:.*?)(?:\)(?P=raw)"|\Z)'
_VERBATIM = r'@"(?:[^"]++|"")*+(?:"|\Z)'
# After an operator a slash begins a pattern and no division: `x = /['"]/`.
_PATTERN = (
    r"/(?:(?<=[(,=:\[!&|?{};]/)|(?<=[(,=:\[!&|?{};] /)|(?<=return /))(?![*/])"
    r"(?:[^/\\\[\n]{1,200}+|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,100}+/"
)
_HASH = r"(?P<comment>\#(?<![^\s;(){}\[\],]\#)[^\n]*+)"
# `http://` begins no comment.
_SLASHES = r"(?P<comment>//(?<!://)[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))"
_SLASHES_HASH = r"(?P<comment>//(?<!://)[^\n]*+|\#(?<![^\s;(){}]\#)(?!\[)[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))"
_MARKUP = r"(?P<comment><!--(?s:.*?)(?:-->|\Z))"
_MARKUP_SCRIPT = r"(?P<comment><!--(?s:.*?)(?:-->|\Z)|//(?<!://)[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))"

_FAMILIES: dict[str, tuple[tuple[str, ...], str]] = {
    # Each pattern, tried in order; what is in the group `comment` is one.
    "hash": ((_HASH, _LONG, _SINGLE_LONG), ".pl .pm .r .jl .nim .tcl .coffee .cr .gd .nix .raku"),
    "shell": ((_HASH, r"\\.", _LONG, _SINGLE_PLAIN), ".sh .bash .zsh .fish .ksh .bats"),
    "ruby": (
        (_HASH, r"(?P<block>^=begin\b(?s:.*?)(?:^=end\b|\Z))", _LONG, _SINGLE_LONG),
        ".rb .rake .gemspec .podspec",
    ),
    "elixir": (
        (_HASH, r'(?P<block>@(?:module|type)?doc[ \t]+(?:~[sS])?"""(?s:.*?)(?:"""|\Z))', _TRIPLE, _LONG, _SINGLE_LONG),
        ".ex .exs",
    ),
    "data": ((_HASH, _ON_LINE, r"'[^'\n]*+(?:'|(?=\n)|\Z)"), ".yaml .yml .toml .tf .hcl .cmake .mk .bzl"),
    "c": ((_SLASHES, _RAW_CPP, _ON_LINE, _SINGLE_ON_LINE), ".c .h .cc .cpp .cxx .hh .hpp .hxx .inl .m .mm .cu .cuh"),
    "java": (
        (_SLASHES, _TRIPLE, _ON_LINE, _SINGLE_ON_LINE),
        ".java .kt .kts .scala .groovy .gradle .dart .proto .thrift .sol .vala .glsl .hlsl .wgsl .metal .sv .zig",
    ),
    "go": ((_SLASHES, _BACKTICK_RAW, _ON_LINE, _SINGLE_ON_LINE), ".go"),
    "csharp": ((_SLASHES, _VERBATIM, _TRIPLE, _ON_LINE, _SINGLE_ON_LINE), ".cs .fs .fsi .fsx"),
    "script": (
        (_SLASHES, _PATTERN, _BACKTICK, _ON_LINE, _SINGLE_ON_LINE),
        ".js .jsx .mjs .cjs .ts .tsx .mts .cts",
    ),
    "rust": ((_SLASHES, _RAW_RUST, _LONG, _CHARACTER), ".rs"),
    "swift": ((_SLASHES, _TRIPLE, _ON_LINE), ".swift"),
    "php": ((_SLASHES_HASH, _LONG, _SINGLE_LONG), ".php"),
    "style": ((r"(?P<comment>/\*(?s:.*?)(?:\*/|\Z))", _ON_LINE, _SINGLE_ON_LINE), ".css"),
    "sass": ((_SLASHES, _ON_LINE, _SINGLE_ON_LINE), ".scss .less .sass"),
    "sql": ((r"(?P<comment>--[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))", _SINGLE_PLAIN, r'"[^"]*+(?:"|\Z)'), ".sql"),
    "lua": (
        (
            r"(?P<comment>--(?:\[(?P<level>={0,8})\[(?s:.*?)(?:\](?P=level)\]|\Z)|[^\n]*+))",
            r"\[(?P<long>={0,8})\[(?s:.*?)(?:\](?P=long)\]|\Z)",
            _ON_LINE,
            _SINGLE_ON_LINE,
        ),
        ".lua",
    ),
    "haskell": ((r"(?P<comment>--+(?![!#$%&*+./<=>?@^|~:])[^\n]*+|\{-(?s:.*?)(?:-\}|\Z))", _ON_LINE), ".hs .elm .purs"),
    "ada": ((r"(?P<comment>--[^\n]*+)", r'"[^"\n]*+(?:"|(?=\n)|\Z)'), ".adb .ads .vhd .vhdl"),
    "lisp": (
        (r"(?P<comment>;[^\n]*+|\#\|(?s:.*?)(?:\|\#|\Z))", r"\\.", _LONG),
        ".lisp .cl .el .clj .cljs .cljc .scm .rkt",
    ),
    "erlang": ((r"(?P<comment>%[^\n]*+)", r"\$\\?.", _LONG, _SINGLE_ON_LINE), ".erl .hrl"),
    "ocaml": ((r"(?P<comment>\(\*(?!\))(?s:.*?)(?:\*\)|\Z))", _LONG, _CHARACTER), ".ml .mli"),
    "fortran": (
        (r"(?P<comment>![^\n]*+)", r'"[^"\n]*+(?:"|(?=\n)|\Z)', r"'[^'\n]*+(?:'|(?=\n)|\Z)"),
        ".f90 .f95 .f03 .f08",
    ),
    "markup": ((_MARKUP,), ".html .htm .xml .xhtml"),
    "component": ((_MARKUP_SCRIPT, _BACKTICK, _ON_LINE, _SINGLE_ON_LINE), ".vue .svelte .astro"),
}
"""A family: its patterns, and the endings of its files. Python has a lexer of its own."""
_PYTHON = (".py", ".pyi", ".pyx", ".pxd", ".pyw")
_FAMILY_OF = {ending: family for family, (_, endings) in _FAMILIES.items() for ending in endings.split()}
_FAMILY_OF.update(dict.fromkeys(_PYTHON, "python"))
_COMMENTS = ("comment", "block")
SOURCES = tuple(sorted(_FAMILY_OF))
"""Endings of the files whose comments are documents."""

_PYTHON_PIECE = r"""
      (?P<comment>\#[^\n]*+)
    | (?P<string>[rRuU]?(?:\"\"\"(?:[^"\\]++|\\.|"(?!""))*+(?:\"\"\"|\\?\Z)|'''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\\?\Z)
        |"(?:[^"\\\n]++|\\.)*+(?:"|(?=\n)|\\?\Z)|'(?:[^'\\\n]++|\\.)*+(?:'|(?=\n)|\\?\Z)))
    | (?P<open>[(\[{]) | (?P<close>[)\]}]) | (?P<end>\n) | \\(?:\r?\n)? | [^\s#"'()\[\]{}\\]++
    """
# A docstring is a statement of its own: nothing but a comment or a semicolon follows it on its line.
_ALONE = re.compile(r"[ \t\f]*+(?=[#;\r\n]|\Z)")
# What stands at the head of a comment's line before its words: `# `, `/// `, ` * `, `"""`.
_LEAD = re.compile(r"[ \t]*+(?:[/#*!;%\"'|-]{1,8}[ \t]*+)?")

# A line of a stack trace, of a debugger or of a compiler, pasted into a comment.
_OUTPUT = re.compile(
    r"""
      at[ ][^\s()]{1,200}[ ]?\([^()\s]{1,200}:\d        # at com.example.Lock.lock(Lock.java:443)
    | --\>[ ][^\s:]{1,200}:\d                          # --> src/main.rs:4:5
    | File[ ]"[^"\n]{1,200}",[ ]line[ ]\d              # File "app.py", line 12, in main
    | \.go:\d{1,6}[ ]\+0x                              # main.go:12 +0x1d
    | (?<!\w)at[ ][^\s:]{1,200}:\d{1,6}:\d            # at src/main.js:12:5
    | 0x[0-9a-f]{4,16}[ ]in[ ]                         # #1 0x00400586 in f () at a.c:12
    """,
    re.VERBOSE,
)


def find_commentary(path: str, text: str) -> Sequence[Span]:
    """What a source file says in prose: its comments and docstrings without the code they show."""
    comments = find_comments(path, text)
    if "```" not in text and ">>> " not in text and not _OUTPUT.search(text):
        return comments
    return list(_leave_out_shown(text, comments))


def _leave_out_shown(text: str, comments: Sequence[Span]) -> Iterator[Span]:
    """The lines of comments that are not in a fenced block, no session of Python's prompt and no output of a tool."""
    is_fenced = is_session = False
    before = 0
    for comment in comments:
        between = text[before : comment.start]
        if before and (between.strip() or between.count("\n") > 1):
            is_fenced = is_session = False
        at = comment.start
        while at < comment.end:
            end = text.find("\n", at, comment.end)
            end = comment.end if end < 0 else end + 1
            lead = _LEAD.match(text, at, end)
            words = text[lead.end() if lead else at : end]
            if words.startswith("```"):
                is_fenced = not is_fenced
            elif not is_fenced:
                is_session = bool(words.strip()) and (is_session or words.startswith(">>> "))
                if not is_session and not _OUTPUT.search(text, at, end):
                    yield Span(at, end)
            at = end
        before = comment.end


def find_comments(path: str, text: str) -> Sequence[Span]:
    """The comments and docstrings of a source file, in order, with their marks; none where the language is unknown."""
    family = find_family(path)
    text = unify_line_ends(text)
    if family == "python":
        return list(_find_in_python(text))
    if not family:
        return ()
    return [
        Span(*match.span(match.lastgroup or 0))
        for match in _compile(family).finditer(text)
        if match.lastgroup in _COMMENTS
    ]


def find_family(path: str) -> str:
    """The family of languages that a file's ending tells; empty where it is no source file."""
    dot = path.rfind(".")
    return _FAMILY_OF.get(path[dot:].lower(), "") if dot > path.rfind("/") + 1 else ""


def is_silent_source(path: str, held: int) -> bool:
    """Whether a file is source code in which nothing was found: it counts as no document."""
    return not held and find_family(path) != ""


@cache
def _compile(family: str) -> re.Pattern[str]:
    if family == "python":
        return re.compile(_PYTHON_PIECE, re.VERBOSE | re.DOTALL)
    return re.compile("|".join(_FAMILIES[family][0]), re.MULTILINE)


def _find_in_python(text: str) -> Iterator[Span]:
    """Comments, and strings that are statements."""
    depth, is_fresh = 0, True
    for match in _compile("python").finditer(text):
        kind = match.lastgroup
        if kind == "comment":
            yield Span(*match.span())
        elif kind == "end":
            is_fresh = depth == 0
        elif kind == "string":
            if is_fresh and _ALONE.match(text, match.end()):
                yield Span(*match.span())
            is_fresh = False
        else:
            is_fresh = False
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth = max(0, depth - 1)
