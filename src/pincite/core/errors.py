"""The few exceptions a caller may see. Each knows the exit code it deserves."""

from __future__ import annotations


class PinciteError(Exception):
    """Something the user has to hear about; the message names place, problem and remedy."""

    exit_code = 2


class UsageError(PinciteError):
    """Arguments or settings that cannot be obeyed."""


class Refused(PinciteError):
    """A path that safe/ will not give bytes for; `kind` is the check that reports it."""

    kind = "file-unreadable"


class Blocked(Refused):
    """The path leads, or could lead, outside the root."""

    kind = "path-blocked"


class Missing(Refused):
    """There is no regular file at the path."""

    kind = "file-not-found"


class Unreadable(Refused):
    """The file is there and its text cannot be had."""


class Conflict(PinciteError):
    """A file changed between reading and writing; nothing was written."""
