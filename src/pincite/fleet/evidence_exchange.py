"""What a project rests on, between its work tree and the shared store. Only an explicit command calls this.

The project stays the source of truth: nothing that the store has changes or removes what is here. What git tracks
(receipts, acceptances) changes only where the caller asks for it.
"""

from __future__ import annotations

import re
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING

import msgspec

from ..core.errors import UsageError
from ..store import accepted_file, judgements
from ..store.captures import Captures, open_for_writing
from ..store.receipts import keep_receipt, list_receipts, parse_receipt
from ..store.shared.backend import clean_text
from ..store.shared.records import StoredEvidence
from ..store.warc import Snapshots
from .output_exchange import OutputCount, WantedOutput, pull_output, push_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..project.project import Project
    from ..safe.files import Root
    from ..store.accepted_file import Acceptance
    from ..store.receipts import Receipt
    from ..store.shared import SharedStore
    from ..store.shared.records import Team

_LONGEST_NAME = 300
_RESEARCH, _SNAPSHOTS = ".research", "snapshots"
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}\.json\Z")
_QUESTION = re.compile(r"[0-9a-f]{64}\Z")


class SnapshotEntry(msgspec.Struct, frozen=True):
    """A snapshot of a web page that a member of the team has; its bytes stay where they are."""

    url: str
    retrieved: str
    digest: str
    file: str
    """Its path from the root of the project."""


class ExchangeWishes(msgspec.Struct, frozen=True):
    """What is to be exchanged."""

    project: str
    """The name of the project in the store."""
    prefixes: frozenset[str] | None = None
    """The ids of captured output that documents cite; None is all output."""
    has_judgements: bool = False
    """Whether the answers of models in the user's cache take part: they come from all projects of the user."""


class PushSummary(msgspec.Struct):
    """What was put into the store."""

    output: OutputCount
    receipts: int = 0
    acceptances: int = 0
    judgements: int = 0
    snapshots: int = 0


class PullSummary(msgspec.Struct):
    """What was brought, and what only the caller may write."""

    output: OutputCount
    judgements: int = 0
    receipts: list[tuple[str, Receipt]] = []
    """Receipts that are not here, each with the name of its file."""
    acceptances: list[Acceptance] = []
    """Acceptances that are not here."""
    snapshots: list[SnapshotEntry] = []
    """Snapshots that others have and that are not here."""
    skipped: list[str] = []
    """What was not brought, and why."""


def push_evidence(store: SharedStore, team: Team, project: Project, wishes: ExchangeWishes) -> PushSummary:
    """Put what a project rests on into the store; what is there already is not sent again."""
    root, evidence, name = project.root, store.evidence, _check_name(wishes.project)
    done = PushSummary(OutputCount())
    captures = Captures.open(root)
    if captures is not None:
        with captures:
            done.output = push_output(captures, evidence, team, name, WantedOutput(wishes.prefixes))
    now = int(time())

    def send(kind: str, where: str, found: Iterator[tuple[str, bytes]]) -> int:
        known = evidence.keys(team, kind, where)
        fresh = (StoredEvidence(kind, where, key, now, data) for key, data in found if key not in known)
        return evidence.put(team, fresh)

    done.receipts = send("receipt", name, _encode_receipts(root, project.config.corpus.receipts))
    done.acceptances = send("acceptance", name, _encode_acceptances(root))
    done.snapshots = send("snapshot", name, ((key, msgspec.json.encode(one)) for key, one in _list_snapshots(root)))
    if wishes.has_judgements:
        done.judgements = send("judgement", "", _encode_judgements())
    return done


def pull_evidence(store: SharedStore, team: Team, project: Project, wishes: ExchangeWishes) -> PullSummary:
    """Bring captured output and judgements that are not here, and say what else the store has.

    Captured output keeps its ids, and every text is compared with its digest.
    """
    root, evidence, name = project.root, store.evidence, _check_name(wishes.project)
    done = PullSummary(OutputCount())
    if wishes.prefixes is None or wishes.prefixes:
        with open_for_writing(root) as captures:
            done.output = pull_output(captures, evidence, team, name, WantedOutput(wishes.prefixes))
    done.skipped += done.output.skipped
    here = {file for file, _ in list_receipts(root, project.config.corpus.receipts)}
    for record in evidence.read_all(team, "receipt", name):
        receipt = parse_receipt(record.key, record.data) if _FILE_NAME.match(record.key) else None
        if receipt is None:
            done.skipped.append(f"receipt {record.key}: altered in the store; it is not brought")
        elif record.key not in here:
            done.receipts.append((record.key, receipt))
    done.acceptances = _list_missing_acceptances(root, store, team, name, done.skipped)
    known = {key for key, _ in _list_snapshots(root)}
    for record in evidence.read_all(team, "snapshot", name):
        if record.key not in known:
            try:
                done.snapshots.append(msgspec.json.decode(record.data, type=SnapshotEntry))
            except (ValueError, RecursionError):
                done.skipped.append(f"snapshot {record.key}: cannot be read; it is not listed")
    if wishes.has_judgements:
        done.judgements = _pull_judgements(store, team, done.skipped)
    return done


def write_pulled(project: Project, pulled: PullSummary) -> None:
    """Write the receipts and acceptances that were not here; raises Conflict, Refused or UsageError."""
    for _, receipt in pulled.receipts:
        keep_receipt(project.root, project.config.corpus.receipts, receipt)
    if pulled.acceptances:
        known = accepted_file.Acceptances.load(project.root)
        accepted_file.save(project.root, known.data, merge_acceptances(known, pulled.acceptances))


def merge_acceptances(known: accepted_file.Acceptances, added: list[Acceptance]) -> bytes:
    """The file of acceptances with others in it as well."""
    return accepted_file.render({*known.rows(), *added})


def _check_name(name: str) -> str:
    if not name.strip() or name != clean_text(name, _LONGEST_NAME) or any(not char.isprintable() for char in name):
        raise UsageError("the project has no usable name; give it one with --project, for example github.com/team/name")
    return name


def _encode_receipts(root: Root, folder: str) -> Iterator[tuple[str, bytes]]:
    for name, receipt in list_receipts(root, folder):
        if _FILE_NAME.match(name):
            yield name, msgspec.json.encode(receipt)


def _encode_acceptances(root: Root) -> Iterator[tuple[str, bytes]]:
    for row in accepted_file.Acceptances.load(root).rows():
        data = msgspec.json.encode(row)
        yield sha256(data).hexdigest(), data


def _list_missing_acceptances(
    root: Root, store: SharedStore, team: Team, name: str, skipped: list[str]
) -> list[Acceptance]:
    here = accepted_file.Acceptances.load(root).rows()
    found: set[Acceptance] = set()
    for record in store.evidence.read_all(team, "acceptance", name):
        rows = accepted_file.parse_leniently(record.data) if b"\n" not in record.data else frozenset()
        if len(rows) != 1 or sha256(record.data).hexdigest() != record.key:
            skipped.append(f"acceptance {record.key[:12]}: altered in the store; it is not brought")
        found |= rows - here
    return sorted(found, key=lambda one: (one.document, one.citation, one.digest, one.sentence, one.reason))


def _list_snapshots(root: Root) -> Iterator[tuple[str, SnapshotEntry]]:
    """The snapshots of all topics, each with what names it in the store."""
    for topic in root.names(_RESEARCH):
        folder = f"{_RESEARCH}/{topic}/{_SNAPSHOTS}"
        snapshots = Snapshots(root, folder)
        for url in snapshots.urls() if root.names(folder) else ():
            for one in snapshots.history(url):
                if not one.damaged:
                    entry = SnapshotEntry(url, one.visit.retrieved, one.digest, f"{folder}/{one.file}")
                    yield sha256(msgspec.json.encode(entry)).hexdigest(), entry


def _encode_judgements() -> Iterator[tuple[str, bytes]]:
    for key in judgements.list_keys():
        kept = judgements.recall(key)
        if kept is not None:
            yield key, msgspec.json.encode(kept)


def _pull_judgements(store: SharedStore, team: Team, skipped: list[str]) -> int:
    number, here = 0, set(judgements.list_keys())
    for record in store.evidence.read_all(team, "judgement", ""):
        if record.key in here:
            continue
        try:
            kept = msgspec.json.decode(record.data, type=judgements.StoredJudgement)
        except (ValueError, RecursionError):
            kept = None
        if kept is None or _QUESTION.match(record.key) is None:
            skipped.append(f"judgement {record.key[:12]}: cannot be read; it is not brought")
            continue
        judgements.keep(record.key, kept)
        number += 1
    return number
