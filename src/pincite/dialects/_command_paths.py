"""The script that a command line runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..text.path_words import is_variable

if TYPE_CHECKING:
    from ..text.command_lines import CommandWord

_EXECUTORS = frozenset("python python3 py bash sh zsh node ruby php perl tsx ts-node pwsh source pytest".split())
_SCRIPT = re.compile(r"(?:\./)?(?:[\w.@+-]+/)*[\w.@+-]+\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|php|pl|ps1)")


def find_command_path(words: list[CommandWord]) -> CommandWord | None:
    """The script that a command line runs: `python tools/x.py`, `uv run tools/x.py`, `./tools/x.sh`."""
    at = 0
    if words[0].text in ("uv", "poetry", "pdm", "rye") and len(words) > 2 and words[1].text == "run":
        at = 2
    elif words[0].text in ("bun", "deno") and len(words) > 2 and words[1].text == "run":
        at = 1
    runs = words[at].text in _EXECUTORS or at == 1
    word = words[at + 1] if runs and len(words) > at + 1 else words[at]
    written = word.text
    if "/" not in written or not _SCRIPT.fullmatch(written):
        return None
    if word is words[0] and not written.startswith("./") and "/" not in written:
        return None
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    return None if any(map(is_variable, parts)) or written[0] == "/" else word
