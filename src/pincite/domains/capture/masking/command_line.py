"""Secrets in a command line: what follows `--password`, what follows `-u` for curl."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .plausibility import is_path_like, is_placeholder

_MASK = "[masked:password]"
_SECRET_OPTION = re.compile(
    r"--?(?:[a-z0-9]+[-_])*(?:password|passwd|passphrase|pass|pwd|token|secret|(?:api|access|secret|private|account|auth)[-_]?key)",
    re.I,
)
_VALUED = re.compile(r"(--?[A-Za-z0-9_-]+=)(.+)", re.S)
_USER = re.compile(r"([^:/\s]+:)(.+)", re.S)
_PORTS = re.compile(r"[0-9]{1,3}|[0-9.]+:[0-9:]+")
_OPTIONS = {
    "curl": re.compile(r"-[a-zA-Z]{0,8}[uU]|--(?:proxy-)?user"),
    "sshpass": re.compile(r"-p"),
    "mysql": re.compile(r"-p"),
    "mysqldump": re.compile(r"-p"),
    "mysqladmin": re.compile(r"-p"),
    "mariadb": re.compile(r"-p"),
    "redis-cli": re.compile(r"-a"),
    "login": re.compile(r"-p"),
}
"""Programs whose options take a secret under a name that says nothing of it; for curl, what follows a colon."""
_JOINED = frozenset(("mysql", "mysqldump", "mysqladmin", "mariadb"))
"""Programs that take the password in the same word as the option, never in the next."""
_LOGIN = frozenset(("docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "az", "oc"))
"""Programs with a command `login`, after which alone `-p` is a password: elsewhere it is a port, a project."""


def mask_command_words(command: Sequence[str], clean: Callable[[str], str]) -> tuple[str, ...]:
    """The words of a command; `clean` hides what has the shape of a secret, this what an option gives away."""
    words: list[str] = []
    program = ""
    option = ""
    logs_in = False
    for word in command:
        name = word.rpartition("/")[2]
        if not program and name in _OPTIONS and (name != "login" or logs_in):
            program = name
        logs_in = logs_in or name in _LOGIN
        hidden = _mask_word(word, program, option)
        if hidden and program == "sshpass":
            program = "ssh"  # What follows is another command.
        words.append(hidden or clean(word))
        option = word
    return tuple(words)


def _mask_word(word: str, program: str, option: str) -> str:
    """The word with its secret hidden, where the option before it or its own name tells of one; else nothing."""
    if _SECRET_OPTION.fullmatch(option) and not word.startswith("-") and _is_secret(word):
        return _MASK
    valued = _VALUED.fullmatch(word)
    if valued is not None and _SECRET_OPTION.fullmatch(valued[1][:-1]) and _is_secret(valued[2]):
        return valued[1] + _MASK
    special = _OPTIONS.get(program)
    if special is None:
        return ""
    if special.fullmatch(option) and program not in _JOINED:
        return _mask_option_value(word, program) if not word.startswith("-") else ""
    joined = special.match(word)
    if joined is None:
        return ""
    rest = word[joined.end() :]
    equals = "=" if joined[0].startswith("--") else ""
    if not rest.startswith(equals):
        return ""
    hidden = _mask_option_value(rest.removeprefix(equals), program)
    return joined[0] + equals + hidden if hidden else ""


def _mask_option_value(word: str, program: str) -> str:
    """What an option was given, with the secret in it hidden; nothing where there is none."""
    if program != "curl":
        return _MASK if _is_secret(word) else ""
    user = _USER.fullmatch(word)
    return user[1] + _MASK if user is not None and _is_secret(user[2]) else ""


def _is_secret(word: str) -> bool:
    """Whether a word given as a secret is one, not a variable, a path, a number or another assignment."""
    raw = word.encode("utf-8", "surrogateescape")
    if not raw or (is_placeholder(raw) and len(set(raw)) > 2) or re.match(r"\w+=", word) or _PORTS.fullmatch(word):
        return False
    return not (is_path_like(raw) and "/" in word) and not word.startswith("[masked:")
