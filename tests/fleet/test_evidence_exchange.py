"""Receipts, accepted findings, judgements and the index of snapshots between projects and the shared store."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from pincite.core.errors import UsageError
from pincite.core.web import Exchange, Visit
from pincite.fleet.evidence_exchange import ExchangeWishes, PullSummary, pull_evidence, push_evidence, write_pulled
from pincite.project.project import Project, open_project
from pincite.store import judgements
from pincite.store.accepted_file import Acceptance, Acceptances, render
from pincite.store.judgements import StoredJudgement
from pincite.store.receipts import Receipt, keep_receipt, list_receipts, name_receipt
from pincite.store.shared import SharedStore
from pincite.store.shared.records import StoredEvidence
from pincite.store.warc import Snapshots
from support_store import make_store

WISHES = ExchangeWishes("github.com/team/name", frozenset())
DIGEST = "a" * 64


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    with make_store(store_address) as opened:
        yield opened


def project(tmp_path: Path, name: str) -> Project:
    (tmp_path / name).mkdir(exist_ok=True)
    return open_project(str(tmp_path / name))


def pull(store: SharedStore, there: Project, wishes: ExchangeWishes = WISHES) -> PullSummary:
    return pull_evidence(store, store.teams.get("default"), there, wishes)


def make_receipt(claim: str = "It glows.") -> Receipt:
    return Receipt(
        created="2026-01-01T00:00:00Z", claim=claim, ref="REF-001", citation="[REF-001, p.2]", passage="It glows.",
        source="papers/a.pdf", digest=DIGEST,
    )  # fmt: skip


def make_acceptance(reason: str = "read") -> Acceptance:
    return Acceptance("a.md", "src/x.py:1", "src/x.py:1", DIGEST, "b" * 16, reason)


def test_receipts_and_acceptances_are_shown_first_and_written_when_asked(store: SharedStore, tmp_path: Path) -> None:
    here, there = project(tmp_path, "here"), project(tmp_path, "there")
    folder = here.config.corpus.receipts
    keep_receipt(here.root, folder, make_receipt())
    (tmp_path / "here" / ".pincite-accepted").write_bytes(render([make_acceptance(), make_acceptance("again")]))
    (tmp_path / "there" / ".pincite-accepted").write_bytes(render([make_acceptance("again"), make_acceptance("own")]))
    done = push_evidence(store, store.teams.get("default"), here, WISHES)
    assert (done.receipts, done.acceptances, done.judgements, done.snapshots) == (1, 2, 0, 0)
    done = push_evidence(store, store.teams.get("default"), here, WISHES)
    assert (done.receipts, done.acceptances) == (0, 0)
    found = pull(store, there)
    assert found.receipts == [(name_receipt(make_receipt()), make_receipt())]
    assert found.acceptances == [make_acceptance()]
    assert list(list_receipts(there.root, folder)) == []
    write_pulled(there, found)
    assert [receipt for _, receipt in list_receipts(there.root, folder)] == [make_receipt()]
    assert Acceptances.load(there.root).rows() == {make_acceptance(), make_acceptance("again"), make_acceptance("own")}
    again = pull(store, there)
    assert (again.receipts, again.acceptances, again.skipped) == ([], [], [])


def test_what_was_altered_in_the_store_is_not_brought(store: SharedStore, tmp_path: Path) -> None:
    team, there = store.teams.get("default"), project(tmp_path, "there")
    receipt, acceptance = make_receipt(), msgspec.json.encode(make_acceptance())
    altered = msgspec.json.encode(make_receipt("It does not."))
    two = acceptance + b"\n" + acceptance
    store.evidence.put(
        team,
        [
            StoredEvidence("receipt", WISHES.project, name_receipt(receipt), 1, altered),
            StoredEvidence("receipt", WISHES.project, f"../{name_receipt(receipt)}", 1, msgspec.json.encode(receipt)),
            StoredEvidence("acceptance", WISHES.project, "c" * 64, 1, acceptance),
            StoredEvidence("acceptance", WISHES.project, sha256(two).hexdigest(), 1, two),
            StoredEvidence("acceptance", WISHES.project, sha256(b"{").hexdigest(), 1, b"{"),
            StoredEvidence("snapshot", WISHES.project, "s", 1, b"[" * 5_000),
        ],
    )
    found = pull(store, there)
    assert (found.receipts, found.snapshots) == ([], [])
    assert len(found.skipped) == 6
    write_pulled(there, found)
    assert not (tmp_path / "REF-001").exists() and list(list_receipts(there.root, there.config.corpus.receipts)) == []


def test_a_receipt_whose_paper_is_a_path_stays_out(store: SharedStore, tmp_path: Path) -> None:
    there = project(tmp_path, "there")
    hostile = msgspec.structs.replace(make_receipt(), ref="../../escape")
    record = StoredEvidence("receipt", WISHES.project, name_receipt(hostile), 1, msgspec.json.encode(hostile))
    store.evidence.put(store.teams.get("default"), [record])
    assert pull(store, there).receipts == []


def test_judgements_travel_only_when_asked(store: SharedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = project(tmp_path, "here"), project(tmp_path, "there")
    team, key, asked = store.teams.get("default"), judgements.question_key("a", "b"), ExchangeWishes("p", None, True)
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache-here"))
    judgements.keep(key, StoredJudgement("supported", 3, 4))
    assert push_evidence(store, team, here, WISHES).judgements == 0
    assert push_evidence(store, team, here, asked).judgements == 1
    store.evidence.put(
        team, [StoredEvidence("judgement", "", name, 1, b'["x"]') for name in ("../x", "short", "g" * 64)]
    )
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache-there"))
    assert pull(store, there).judgements == 0
    assert judgements.recall(key) is None
    found = pull(store, there, asked)
    assert (found.judgements, len(found.skipped)) == (1, 3)
    assert judgements.recall(key) == StoredJudgement("supported", 3, 4)
    assert pull(store, there, asked).judgements == 0


def test_an_answer_of_ones_own_is_not_replaced(
    store: SharedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    key = judgements.question_key("a")
    judgements.keep(key, StoredJudgement("own"))
    record = StoredEvidence("judgement", "", key, 1, msgspec.json.encode(StoredJudgement("other")))
    store.evidence.put(store.teams.get("default"), [record])
    assert pull(store, project(tmp_path, "there"), ExchangeWishes("p", None, True)).judgements == 0
    assert judgements.recall(key) == StoredJudgement("own")


def test_who_has_which_snapshot(store: SharedStore, tmp_path: Path) -> None:
    here, there = project(tmp_path, "here"), project(tmp_path, "there")
    visit = Visit(
        "https://example.org/a",
        "2026-01-31T23:59:59Z",
        (Exchange("https://example.org/a", 200, "OK", (("Content-Type", "text/html"),), b"<p>hello"),),
    )
    Snapshots(here.root, ".research/topic/snapshots").add(visit)
    assert push_evidence(store, store.teams.get("default"), here, WISHES).snapshots == 1
    (found,) = pull(store, there).snapshots
    assert (found.url, found.retrieved) == ("https://example.org/a", "2026-01-31T23:59:59Z")
    assert found.digest == f"sha256:{sha256(b'<p>hello').hexdigest()}"
    assert found.file.startswith(".research/topic/snapshots/")
    assert pull(store, here).snapshots == []


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\nb", "x" * 400, "\u202ea"])
def test_names_that_no_project_has(tmp_path: Path, name: str) -> None:
    with make_store(f"sqlite://{tmp_path}/x.db") as store, pytest.raises(UsageError, match="--project"):
        pull(store, project(tmp_path, "there"), ExchangeWishes(name))


def test_a_pull_of_nothing_makes_no_folder(store: SharedStore, tmp_path: Path) -> None:
    pull(store, project(tmp_path, "there"))
    assert list((tmp_path / "there").iterdir()) == []
