"""Cited output on its way out of the store: found by what documents cite, and laid out as a bundle."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused, UsageError
from ...core.model import Citation
from ...dialects import dialects, extract
from ...project.documents import find_documents, root_key
from ...sources import World
from ...sources._captured_output import CapturedOutput
from ...store.bundle import VERSION, BundleText, Manifest, Occurrence
from ...store.captures import Captures
from ...store.database import StoreTrouble
from ...text.document import Document
from ...text.lines import decode
from ...text.terminal.screen import screen_lines
from .context import format_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...project.config import Config
    from ...safe.files import Root
    from ...safe.git import Git
    from ...sources._captured_output import Copy
    from ...store.captures import OutputChunk

_ID = re.compile(r"([0-9a-f]{6,64})(?::[0-9]{1,9}(?:-[0-9]{1,9})?)?\Z")
_MARK = "†".encode()
_NAME = 12
"""Digits in the name of a text's file, at least."""
_MOST_OCCURRENCES = 10


class WantedId(Struct, frozen=True):
    """An id in a document, and where it stands."""

    prefix: str
    place: str
    document: Document | None = None


class CitedText(Struct, frozen=True):
    """A cited text with everything that travels with it."""

    digest: str
    given: str
    """The id another tool gave it, where it is cited by that."""
    masked: int
    data: bytes
    occurrences: tuple[Occurrence, ...] = ()


def find_wanted_ids(
    root: Root, git: Callable[[], Git | None], config: Config, arguments: Sequence[str]
) -> list[WantedId]:
    """The ids that arguments mean: those of documents, and those written out; all documents where there is none."""
    found: list[WantedId] = []
    keys: list[str] = []
    for argument in arguments:
        if "【" in argument:
            listed = _find_cited_ids(Document("-", argument), "the command line")
            if not listed:
                raise UsageError(f"{argument}: not a citation of captured output; write it as 【d05d1b†L1-L6】")
            found += listed
        elif (match := _ID.match(argument)) and not _is_path(root, argument):
            found.append(WantedId(match[1], "the command line"))
        else:
            keys.append(root_key(root, argument))
    if keys or not arguments:
        listing = find_documents(root, git(), [key for key in keys if key], config.documents, config.exclude)
        for key in listing.documents:
            found += _read(root, key, config)
    return found


def gather(world: World, wishes: Iterable[WantedId]) -> tuple[list[CitedText], list[str]]:
    """The texts that ids mean, each once and in order of digest, and what is wrong with the ids that mean none."""
    found: dict[tuple[str, str], CitedText] = {}
    failures: dict[str, None] = {}
    store = None
    # To ask when and how a text was printed; without it texts travel without that.
    with suppress(StoreTrouble):
        store = Captures.open(world.root)
    captured = CapturedOutput(world)
    try:
        for wish in wishes:
            texts = captured.find(wish.prefix, wish.document)
            if len(texts) == 1:
                key = texts[0][0].digest, texts[0][0].given
                try:
                    if key not in found:
                        found[key] = _make_cited_text(captured, store, texts[0])
                    continue
                except StoreTrouble as error:
                    why = str(error)
            elif texts:
                listed = ", ".join(sorted(copies[0].digest[:_NAME] for copies in texts)[:5])
                why = f"means {len(texts)} texts ({listed}); write more of its digits"
            else:
                why = "; ".join(("no captured output has this id", *captured.trouble))
            failures[f"{wish.place}: {wish.prefix}: {why}"] = None
    finally:
        captured.close()
        if store is not None:
            store.close()
    return [found[key] for key in sorted(found)], list(failures)


def bundle(texts: Iterable[CitedText], known: Manifest | None = None) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest and the files of a bundle of these texts, added to what one held before."""
    items = {(item.digest, item.id if item.external else ""): item for item in (known.chunks if known else ())}
    names = {item.file: item.digest for item in items.values()}
    files: dict[str, bytes] = {}
    for text in texts:
        known_as = next((file for file, digest in names.items() if digest == text.digest), "")
        name = known_as or _choose_file_name(text.digest, names)
        names[name] = text.digest
        files[name] = text.data
        item = BundleText(
            *(text.given or name.removesuffix(".txt"), text.digest, name, len(text.data), len(screen_lines(text.data))),
            *(text.masked, bool(text.given), text.occurrences),
        )
        before = items.get((text.digest, text.given))
        if before is not None:
            item = replace(item, occurrences=_merge_occurrences(before.occurrences, item.occurrences))
        items[text.digest, text.given] = item
    return Manifest(VERSION, tuple(items[key] for key in sorted(items))), files


def _read(root: Root, key: str, config: Config) -> list[WantedId]:
    try:
        data = root.read(key, root.limits.document_bytes)
    except Refused as error:
        raise UsageError(f"{key}: cannot be read ({error})") from None
    document = Document(key, decode(data), config.in_code, config.memories) if _MARK in data else None
    return _find_cited_ids(document, key) if document is not None else []


def _find_cited_ids(document: Document, place: str) -> list[WantedId]:
    """The ids of captured output that a document cites, each once."""
    cited = (item for item in extract(document, dialects()) if isinstance(item, Citation))
    prefixes = dict.fromkeys(item.source.key for item in cited if item.source.scheme == "chunk")
    return [WantedId(prefix, place, document) for prefix in prefixes]


def _is_path(root: Root, argument: str) -> bool:
    try:
        return root.stat(root_key(root, argument)) is not None
    except UsageError:
        return False


def _make_cited_text(captured: CapturedOutput, store: Captures | None, copies: list[Copy]) -> CitedText:
    data, copy = captured.data(copies)
    occurrences: tuple[Occurrence, ...] = ()
    if copy.item is not None:
        occurrences = copy.item.occurrences
    elif copy.piece is None and store is not None:
        chunks = store.occurrences(copy.digest)[:_MOST_OCCURRENCES]
        occurrences = _merge_occurrences(
            (), [one for chunk in reversed(chunks) if (one := _occurrence(store, chunk)) is not None]
        )
    return CitedText(copy.digest, copy.given, copy.masked, data, occurrences)


def _occurrence(store: Captures, chunk: OutputChunk) -> Occurrence | None:
    run = store.run(chunk.run)
    if run is None:
        return None
    # The folders of this machine are private.
    folder = "" if run.folder.startswith("/") else run.folder
    seconds = None if run.duration is None else round(run.duration, 3)
    return Occurrence(
        *(run.origin, run.command, folder, format_utc(run.started, "seconds"), seconds, run.code, run.signal),
        *(run.revision, run.dirty, chunk.sequence + 1, store.length(chunk.run)),
    )


def _merge_occurrences(before: Sequence[Occurrence], now: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Both by time, what was exported before not twice; two quick runs of one second may look alike and stay two.

    Runs of one second stay in the order that they had.
    """
    from collections import Counter

    return tuple(sorted((Counter(before) | Counter(now)).elements(), key=lambda one: one.started))


def _choose_file_name(digest: str, taken: dict[str, str]) -> str:
    """A file name from the beginning of a digest that no other text has."""
    length = _NAME
    while any(other.startswith(digest[:length]) for other in taken.values()):
        length += 1
    return f"{digest[:length]}.txt"
