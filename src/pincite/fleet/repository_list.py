"""Which repositories a fleet has: folders, addresses, files that list them, and listings of organisations."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from ..core.errors import Refused, UsageError
from ..safe.escape import escape_text
from ..safe.files import read_path
from ..safe.git_mirror import hide_credentials, hide_secrets, mirror_place
from ..safe.local_repository import LocalRepository

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_BYTES = 256 * 1024 * 1024
_MOST_REPOSITORIES = 200_000
_FORMS = "name a folder, an https or ssh address, or a file that lists them"
_TEAM = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}").fullmatch
_LINE_TEAM = re.compile(r"\s+team=(\S+)\Z")
_HELPER = re.compile(r"[A-Za-z0-9+.-]*::").match
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match
_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])", re.ASCII).fullmatch
_SHORT_SSH = re.compile(
    # Example: `git@github.com:owner/name.git`.
    r"(?:(?P<user>[A-Za-z0-9_][\w.-]*)@)?(?P<host>[A-Za-z0-9][\w.-]*):(?P<path>[^\s:][^\s]*)",
    re.ASCII,
).fullmatch
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")
_ADDRESSES = ("clone_url", "http_url_to_repo", "ssh_url", "ssh_url_to_repo", "url", "location")
"""The keys of a listing that hold an address: those of GitHub, of GitLab, and plain ones."""
_PLAIN = "-_.+@=,"
_LONGEST_PART = 120


class FleetRepository(Struct, frozen=True):
    """One repository of a fleet."""

    name: str
    """Such as `github.com/owner/name`, or `local/folder/name` for one that was never published."""
    location: str
    """A folder or an address, which may hold credentials: it is for git alone."""
    team: str = ""

    @property
    def shown(self) -> str:
        """The location without credentials."""
        return hide_credentials(self.location)

    def __repr__(self) -> str:
        return f"FleetRepository({self.name!r}, {self.shown!r}, {self.team!r})"


def read_repositories(arguments: Sequence[str], team: str = "") -> list[FleetRepository]:
    """The repositories that arguments name, each once, in order; those without a team get the given one.

    Raises UsageError with the argument, what is wrong with it and what to type.
    """
    found: dict[tuple[str, str], FleetRepository] = {}
    for one in _read_arguments(arguments, check_team(team)):
        known = found.setdefault((one.team, one.name), one)
        if known.location != one.location and known.shown != one.shown:
            raise UsageError(
                f"{one.name}: two repositories have this name, {known.shown} and {one.shown}; name one of them"
            )
        if len(found) > _MOST_REPOSITORIES:
            raise UsageError(f"more than {_MOST_REPOSITORIES:,} repositories; check them in several runs")
    return list(found.values())


def check_team(team: str) -> str:
    """The name of a team, which is also that of a folder; raises UsageError for one that cannot be."""
    if team and (_TEAM(team) is None or team.endswith((".git", ".lock"))):
        raise UsageError(
            f"{escape_text(team, 80)!a}: not the name of a team; use lower-case letters, digits, dots, dashes and "
            "underscores, at most 63, and neither .git nor .lock at the end"
        )
    return team


def make_repository(text: str, team: str = "", base: str = "") -> FleetRepository:
    """The repository at a folder or an address; relative folders count from `base`. Raises UsageError."""
    text = text.strip()
    if not text or "\0" in text or "\n" in text or text.startswith("-"):
        raise UsageError(f"{_show(text)!a}: not a repository; {_FORMS}")
    if _HELPER(text):
        raise UsageError(f"{_show(text)}: addresses with '::' could run programs and are refused; {_FORMS}")
    if _SCHEME(text):
        if text.lower().startswith("file://"):
            return _make_local(_read_file_address(text), team)
        return FleetRepository(_check_name(_name_address(text), text), text, team)
    place = os.path.join(base, os.path.expanduser(text))
    if os.path.isdir(place):
        return _make_local(place, team)
    short = _SHORT_SSH(text) if "/" not in text.partition(":")[0] else None
    if short is not None and not os.path.lexists(place):
        return FleetRepository(_check_name(_join_name(short["host"], short["path"], text), text), text, team)
    if os.path.lexists(place):
        raise UsageError(f"{_show(text)}: not a folder; {_FORMS}")
    raise UsageError(f"{_show(text)}: no such folder; {_FORMS}")


def _read_arguments(arguments: Sequence[str], team: str) -> Iterator[FleetRepository]:
    for argument in arguments:
        place = os.path.expanduser(argument)
        if argument == "-":
            yield from _read_list(_read_standard_input(), "standard input", team, "")
        elif not argument.startswith("-") and not _SCHEME(argument) and "\0" not in place and os.path.isfile(place):
            try:
                data = read_path(place, _MOST_BYTES)
            except Refused as error:
                raise UsageError(f"{argument}: cannot be read ({error})") from None
            yield from _read_list(data, argument, team, os.path.dirname(os.path.abspath(place)))
        else:
            yield make_repository(argument, team)


def _read_standard_input() -> bytes:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise UsageError(f"standard input: more than {_MOST_BYTES:,} bytes; list fewer repositories")
    return data


def _read_list(data: bytes, shown: str, team: str, base: str) -> Iterator[FleetRepository]:
    """The repositories in a list of lines or in JSON."""
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if text.lstrip()[:1] in ("[", "{"):
        for number, entry in enumerate(_read_json(text, shown), 1):
            address = _choose_address(entry, f"{shown}, entry {number}")
            if address:
                yield _make_listed(address, team, base, f"{shown}, entry {number}")
        return
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        line = re.split(r"\s+#", line, maxsplit=1)[0]
        own = _LINE_TEAM.search(line)
        where = f"{shown}:{number}"
        if own is not None:
            line = line[: own.start()]
        yield _make_listed(line, own[1] if own is not None else team, base, where)


def _make_listed(text: str, team: str, base: str, where: str) -> FleetRepository:
    try:
        return make_repository(text, check_team(team), base)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _read_json(text: str, shown: str) -> Iterator[object]:
    """The entries of a listing: an array, `{"items": […]}`, or several of these after one another, a page each."""
    decoder = json.JSONDecoder()
    at = 0
    try:
        while at < len(text):
            page, at = decoder.raw_decode(text, at)
            if isinstance(page, dict) and isinstance(page.get("items"), list):
                page = page["items"]
            yield from page if isinstance(page, list) else [page]
            while text[at : at + 1].isspace() or text[at : at + 1] == ",":
                at += 1
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{shown}: not a listing in JSON ({str(error)[:100]}); give an array of repositories as the API of the "
            "host prints it"
        ) from None


def _choose_address(entry: object, where: str) -> str:
    """The address in an entry of a listing; empty for an archived or disabled repository."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: neither an address nor an object with one")
    if entry.get("archived") or entry.get("disabled"):
        return ""
    found = [address for key in _ADDRESSES if isinstance(address := entry.get(key), str) and address]
    # `url` is the address of the API with GitHub, which is never the first one there.
    safe = [one for one in found if not one.lower().startswith(("http://", "git://")) or _is_loopback(one)]
    if not found:
        raise UsageError(f"{where}: no address; expected one of the keys {', '.join(_ADDRESSES)}")
    return (safe or found)[0]


def _is_loopback(address: str) -> bool:
    try:
        return (urlsplit(address).hostname or "") in _LOOPBACK
    except ValueError:
        return False


def _name_address(text: str) -> str:
    """The name of the repository at an address; raises UsageError for an address that git must not be given."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise UsageError(f"{_show(text)}: not an address; {_FORMS}") from None
    scheme = parts.scheme.lower()
    if scheme not in ("https", "ssh", "http"):
        raise UsageError(f"{_show(text)}: {escape_text(scheme, 20)} is not used here; write https:// or ssh://")
    if scheme == "http" and host not in _LOOPBACK:
        raise UsageError(f"{_show(text)}: http:// is not encrypted; write https://")
    shown_host = f"[{host}]" if ":" in host else host
    odd = re.search(r"[\s\x00-\x20\x7f\\]", text) or text != text.encode("ascii", "replace").decode()
    user = parts.username or ""
    if not _HOST(shown_host) or odd or user.startswith("-") or parts.query or parts.fragment:
        raise UsageError(f"{_show(text)}: not the address of a repository; {_FORMS}")
    usual = {"https": 443, "http": 80, "ssh": 22}[scheme]
    return _join_name(host if port in (None, usual) else f"{host}:{port}", unquote(parts.path), text)


def _join_name(host: str, path: str, text: str) -> str:
    """`host/owner/name` from the parts of an address, in lower case."""
    path = path.strip("/").removesuffix(".git").rstrip("/")
    parts = [host, *path.split("/")]
    if not path or any(part in ("", ".", "..") for part in parts):
        raise UsageError(f"{_show(text)}: names no repository; write https://host/owner/name")
    return "/".join(map(_make_part, parts)).lower()


def _check_name(name: str, text: str) -> str:
    """A name that a mirror can have; raises UsageError naming the address."""
    try:
        mirror_place("", name)
    except UsageError as error:
        raise UsageError(f"{_show(text)}: {error}") from None
    return name


def _read_file_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise UsageError(f"{_show(text)}: a file of another machine; write the path of a folder")
    return unquote(parts.path)


def _make_local(place: str, team: str) -> FleetRepository:
    """The repository in a folder, under the name that it has where it was published."""
    above, folder = os.path.split(os.path.abspath(place))
    repository = LocalRepository(above if folder == ".git" else place)
    origin = repository.remotes().get("origin", "")
    name = _name_origin(origin) if origin else ""
    if not name:
        parent, folder = os.path.split(repository.location)
        parts = [one.removesuffix(".git") or one for one in (os.path.basename(parent), folder) if one]
        name = "/".join(["local", *map(_make_part, parts)])
    return FleetRepository(_check_name(name, place), repository.location, team)


def _name_origin(origin: str) -> str:
    """The name of a repository at its origin; empty where that is no address on the network."""
    try:
        if _SCHEME(origin):
            return "" if origin.lower().startswith("file://") else _name_address(origin)
        short = _SHORT_SSH(origin) if "/" not in origin.partition(":")[0] else None
        return _join_name(short["host"], short["path"], origin) if short is not None else ""
    except UsageError:
        return ""


def _make_part(part: str) -> str:
    """A part of a name with only what every file system takes; what is left out is spelt as in an address."""
    try:
        part = quote(part, safe=_PLAIN)
    except UnicodeEncodeError:
        part = quote(part.encode("utf-8", "surrogateescape"), safe=_PLAIN)
    if part.startswith("."):
        part = "%2E" + part[1:]
    if part.lower().endswith((".git", ".lock")):
        head, _, tail = part.rpartition(".")
        part = f"{head}%2E{tail}"
    if len(part) > _LONGEST_PART:
        from hashlib import sha256

        part = f"{part[:80]}-{sha256(part.encode()).hexdigest()[:16]}"
    return part


def _show(text: str) -> str:
    return escape_text(hide_secrets(text), 200)
