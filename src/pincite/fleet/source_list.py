"""Where web sources are listed: files with one a line, bare addresses, and the research topics of repositories."""

from __future__ import annotations

import os
import stat as st
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder

from ..core.errors import Refused, UsageError
from ..core.web import FetchFailure
from ..domains.research.model import VALIDATE
from ..domains.research.stage_file import load
from ..domains.research.topic import HOME, topics
from ..safe.escape import escape_text
from ..safe.fetch.target import target_of
from ..safe.files import Root, read_path, stat_path
from ..safe.git_mirror import hide_secrets
from ..store.shared.web_records import NewSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..domains.research.topic import Topic

LARGEST_LIST = 512 * 1024 * 1024
_SHOWN = 100
_SHOWN_ADDRESS = 200
_ADDRESS = ("https://", "http://")


class SourceList(Struct, frozen=True):
    """Sources that were listed in one place."""

    sources: tuple[NewSource, ...]
    refused: tuple[tuple[str, str], ...] = ()
    """What cannot be read: where it stands, and why."""
    place: str = ""
    """Set where these are all that is cited in a place: what else was cited there is no longer."""


class _Line(Struct, frozen=True):
    """A line of a list."""

    url: str
    quote: str = ""
    cited_in: str = ""


_decoder = Decoder(_Line)


def read_sources(given: Iterable[str]) -> Iterator[SourceList]:
    """What is listed in each file or folder, or an address itself; raises UsageError where there is nothing."""
    for one in given:
        if one.lower().startswith(_ADDRESS):
            reason = _find_fault(one)
            yield SourceList((), ((show_address(one), reason),)) if reason else SourceList((NewSource(one),))
            continue
        info = stat_path(one)
        if info is None:
            raise UsageError(
                f"{show_address(one)}: there is no such file or folder; name a list, a repository or an https address"
            )
        if st.S_ISDIR(info.st_mode):
            yield from read_topics(one)
            continue
        try:
            yield parse_list(read_path(one, LARGEST_LIST), one)
        except Refused as error:
            raise UsageError(f"{one}: cannot be read ({error})") from None


def parse_list(data: bytes, name: str) -> SourceList:
    """The sources in a list: a JSON object or an address on each line; blank lines and those with `#` say nothing."""
    sources: list[NewSource] = []
    refused: list[tuple[str, str]] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        line = line.strip()
        if not line or line.startswith(b"#"):
            continue
        try:
            if line.startswith(b"{"):
                found = _decoder.decode(line)
            else:
                found = _Line(line.decode())
        except (DecodeError, ValidationError, UnicodeDecodeError) as error:
            reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            refused.append((f"{name}:{number}", f'{reason[:_SHOWN]}; write {{"url": "https://…", "quote": "…"}}'))
            continue
        fault = _find_fault(found.url)
        if fault:
            refused.append((f"{name}:{number}: {show_address(found.url)}", fault))
        else:
            sources.append(NewSource(found.url, found.quote, found.cited_in or name))
    return SourceList(tuple(sources), tuple(refused))


def show_address(text: str) -> str:
    """An address as complaints show it, without what may be a secret."""
    return escape_text(hide_secrets(text), _SHOWN_ADDRESS)


def _find_fault(url: str) -> str:
    """Why nobody can visit an address; empty where one can."""
    try:
        target_of(url)
    except FetchFailure as failure:
        # Its message begins with the address, secrets and all.
        return str(failure).removeprefix(f"{escape_text(url, _SHOWN_ADDRESS)}: ")
    return ""


def read_topics(folder: str) -> Iterator[SourceList]:
    """The validated citations of the research topics of a repository."""
    with Root(folder) as root:
        found = topics(root)
        if not found:
            raise UsageError(f"{folder}: there is no research topic below {HOME}; name a list of sources instead")
        for topic in found:
            yield _read_topic(root, topic)


def _read_topic(root: Root, topic: Topic) -> SourceList:
    place = f"{root.path}:{topic.folder}"
    if not topic.has(VALIDATE):
        return SourceList((), place=place)
    try:
        key = topic.path(VALIDATE)
        citations = load(root, key, VALIDATE).items
    except (Refused, UsageError) as error:
        # What was cited there before stays: nothing says that it is not.
        return SourceList((), ((os.path.join(root.path, topic.folder), str(error)),))
    sources = tuple(NewSource(one.source_url, one.quote, place) for one in citations if one.validated)
    return SourceList(sources, place=place)
