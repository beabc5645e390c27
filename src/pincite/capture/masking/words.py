"""Secrets in a command line: what follows `--password`, what follows `-u` for curl."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .doubt import path_like, plain

_MASK = "[masked:password]"
_SECRET_OPTION = re.compile(
    r"--?(?:[a-z0-9]+[-_])*(?:password|passwd|passphrase|pass|pwd|token|secret|(?:api|access|secret|private|account|auth)[-_]?key)",
    re.I,
)
_VALUED = re.compile(r"(--?[A-Za-z0-9_-]+=)(.+)", re.S)
_USER = re.compile(r"([^:/\s]+:)(.+)", re.S)
_OPTIONS = {
    "curl": ("-u", "--user", "-U", "--proxy-user"),
    "wget": (),
    "sshpass": ("-p",),
    "mysql": ("-p",),
    "mysqldump": ("-p",),
    "mysqladmin": ("-p",),
    "mariadb": ("-p",),
    "redis-cli": ("-a",),
}
"""Programs whose options take a secret under a name that says nothing of it; where a colon is, what follows it."""


def secret_words(command: Sequence[str], clean: Callable[[str], str]) -> tuple[str, ...]:
    """The words of a command; `clean` hides what has the shape of a secret, this what an option gives away."""
    words: list[str] = []
    program = ""
    option = ""
    for word in command:
        name = word.rpartition("/")[2]
        if not program and name in _OPTIONS:
            program = name
        hidden = _word(word, program, option)
        if hidden and program == "sshpass":
            program = "ssh"  # What follows is another command.
        words.append(hidden or clean(word))
        option = word
    return tuple(words)


def _word(word: str, program: str, option: str) -> str:
    """The word with its secret hidden, where the option before it or its own name tells of one; else nothing."""
    special = _OPTIONS.get(program, ())
    if _SECRET_OPTION.fullmatch(option) and not word.startswith("-") and _hides(word):
        return _MASK
    valued = _VALUED.fullmatch(word)
    if valued is not None and _SECRET_OPTION.fullmatch(valued[1][:-1]) and _hides(valued[2]):
        return valued[1] + _MASK
    if option in special and option:
        user = _USER.fullmatch(word) if program == "curl" else None
        if program == "curl":
            return user[1] + _MASK if user is not None and _hides(user[2]) else ""
        return _MASK if program != "mysql" and _hides(word) and not word.startswith("-") else ""
    for short in special:
        rest = word.removeprefix(short)
        if rest != word and rest and not short.startswith("--") and not word.startswith("--"):
            user = _USER.fullmatch(rest) if program == "curl" else None
            if program != "curl":
                return short + _MASK if _hides(rest) else ""
            return short + user[1] + _MASK if user is not None else ""
    return ""


def _hides(word: str) -> bool:
    """Whether a word given as a secret is one, not a variable, a path, a number or another assignment."""
    raw = word.encode("utf-8", "surrogateescape")
    if not raw or (plain(raw) and len(set(raw)) > 2) or re.match(r"\w+=", word) or (word.isdigit() and len(word) < 4):
        return False
    return not (path_like(raw) and "/" in word) and not word.startswith("[masked:")
