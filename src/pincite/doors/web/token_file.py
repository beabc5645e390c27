"""The token that the user chose, for a server that other machines may reach."""

from __future__ import annotations

import re
from ipaddress import ip_address
from stat import S_IRWXG, S_IRWXO

from ...core.errors import Refused, UsageError
from ...safe.files import take_path

_TOKEN = re.compile(rb"[\x21-\x7e]{32,512}\Z")
_MOST = 4096


def is_loopback(host: str) -> bool:
    """Whether an address is that of this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_token(path: str) -> str:
    """The token in a file; raises UsageError for one that others may read, or that is easy to guess."""
    try:
        data, info = take_path(path, _MOST)
    except Refused as error:
        raise UsageError(f"{path}: the token cannot be read: {error}") from None
    if info.st_mode & (S_IRWXG | S_IRWXO):
        raise UsageError(f"{path}: others may read it; run `chmod 600 {path}`")
    token = data.strip()
    if not _TOKEN.match(token):
        raise UsageError(
            f"{path}: not a token: it must be 32 to 512 letters, digits or signs without spaces; "
            f"`openssl rand -hex 32 > {path}` writes one"
        )
    return token.decode()
