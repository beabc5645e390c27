"""Which names are `.git`, on any disk: its files hold credentials and name programs, so none is cited or written.

A disk that ignores case has one folder for `.git` and `.GIT`; HFS+ ignores some invisible characters in names; NTFS
ignores dots and spaces at their end, reads what follows a colon as the name of a stream, and gives long names a short
form such as `GIT~1`. A name that is `.git` on one of them is refused on all: a checkout may move from one to another.
"""

from __future__ import annotations

import re

_IGNORED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
"""Characters that HFS+ leaves out when it compares names."""
_SHORT = re.compile(r"git~[0-9]{1,6}", re.ASCII).fullmatch


def is_git_name(component: str) -> bool:
    """Whether one part of a path is `.git` on some disk."""
    if component.isascii():
        if len(component) < 4 or "git" not in (name := component.lower()):
            return False
    else:
        name = component.translate(_IGNORED).casefold()
    if "\\" in name:
        return any(map(is_git_name, name.split("\\")))
    name = name.partition(":")[0].rstrip(". ")
    return name == ".git" or _SHORT(name) is not None


def has_git_name(key: str) -> bool:
    """Whether a part of a path is `.git` on some disk."""
    if key.isascii() and "git" not in key.lower():
        return False
    return any(map(is_git_name, key.split("/")))
