"""Captured output between projects and the shared store: ids stay, digests are compared, nothing is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from pincite.fleet import output_exchange
from pincite.fleet.output_exchange import OutputBounds, SharedRun, WantedOutput, parse_run, pull_output, push_output
from pincite.safe.files import Root
from pincite.store.captures import FROM_TEAM, Captures, open_for_writing
from pincite.store.shared import SharedStore
from pincite.store.shared.records import StoredEvidence
from support_store import make_store

ALL = WantedOutput(None)


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    with make_store(store_address) as opened:
        yield opened


def captures_of(folder: Path) -> Captures:
    folder.mkdir(exist_ok=True)
    return open_for_writing(Root(str(folder)))


def push(store: SharedStore, folder: Path, wanted: WantedOutput = ALL) -> tuple[int, int]:
    with captures_of(folder) as captures:
        done = push_output(captures, store.evidence, store.teams.get("default"), "p", wanted)
    assert done.skipped == []
    return done.texts, done.runs


def pull(store: SharedStore, folder: Path, wanted: WantedOutput = ALL) -> tuple[int, list[str]]:
    with captures_of(folder) as captures:
        done = pull_output(captures, store.evidence, store.teams.get("default"), "p", wanted)
    return done.texts, done.skipped


def places(captures: Captures, run: int) -> list[tuple[int, str]]:
    return [(chunk.sequence, chunk.digest) for chunk in captures.chunks(run)]


@pytest.fixture
def here(tmp_path: Path, captured: Callable[..., str]) -> tuple[Path, list[str]]:
    """A project with three runs, and the digests of their first texts."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder, [
        captured(folder, b"3 passed\n", ("pytest", "-q"), 0, started=1_700_000_000.5, revision="ab" * 20, dirty=True),
        captured(folder, b"".join(b"line %d\n" % number for number in range(1_200)), ("seq", "1200"), 1),
        captured(folder, b"foreign\n", (), None, "c0ffee", origin="transcript"),
    ]


def test_all_output_travels_with_its_ids(store: SharedStore, here: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, digests = here
    assert push(store, folder) == (5, 3)
    assert push(store, folder) == (0, 0)
    assert pull(store, tmp_path / "there") == (5, [])
    assert pull(store, tmp_path / "there") == (0, [])
    with captures_of(folder) as one, captures_of(tmp_path / "there") as other:
        assert sorted(one.digests()) == sorted(other.digests())
        assert set(other.find("c0ffee").values()) == {"c0ffee"}
        for digest in digests:
            assert other.text(digest) == one.text(digest)
        before = {run.command: run for run in one.runs()}
        for run in other.runs():
            old = before[run.command]
            assert run.origin == FROM_TEAM
            assert (run.started, run.duration, run.code, run.signal, run.revision, run.dirty, run.state) == (
                *(old.started, old.duration, old.code, old.signal, old.revision, old.dirty, "ended"),
            )
            assert places(one, old.id) == places(other, run.id)


def test_only_what_is_cited_travels(store: SharedStore, here: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, digests = here
    wanted = WantedOutput([digests[0][:8], "c0ffee", "abcdef"])
    assert push(store, folder, wanted) == (2, 2)
    assert pull(store, tmp_path / "there", WantedOutput([digests[0][:6]])) == (1, [])
    assert pull(store, tmp_path / "there", wanted) == (1, [])
    assert pull(store, tmp_path / "there", WantedOutput([])) == (0, [])


def test_more_of_a_run_joins_what_is_there(store: SharedStore, here: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, _ = here
    with captures_of(folder) as captures:
        (run,) = [run for run in captures.runs() if run.command[:1] == ("seq",)]
        chunks = captures.chunks(run.id)
    for number in (2, 0):
        assert push(store, folder, WantedOutput([chunks[number].digest])) == (1, 1)
        assert pull(store, tmp_path / "there") == (1, [])
    with captures_of(tmp_path / "there") as captures:
        (run,) = captures.runs()
        assert [(one.sequence, one.digest) for one in captures.chunks(run.id)] == [
            (number, chunks[number].digest) for number in (0, 2)
        ]


def test_what_came_from_the_store_is_not_sent_again(
    store: SharedStore, here: tuple[Path, list[str]], tmp_path: Path
) -> None:
    push(store, here[0])
    pull(store, tmp_path / "there")
    with make_store(f"sqlite://{tmp_path}/other.db") as other:
        assert push(other, tmp_path / "there") == (0, 0)


def test_folders_of_a_machine_stay_there(
    store: SharedStore, tmp_path: Path, captured: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    captured(folder, b"x\n")
    with captures_of(folder) as captures:
        captures._db.execute("UPDATE run SET folder = '/home/ada/secret'")
    push(store, folder)
    ((data,),) = store.backend.query("SELECT data FROM evidence WHERE kind = 'run'")
    assert b"/home" not in bytes(data)
    assert pull(store, folder) == (0, [])


def test_a_text_that_was_changed_in_the_store_is_not_brought(
    store: SharedStore, here: tuple[Path, list[str]], tmp_path: Path
) -> None:
    folder, digests = here
    push(store, folder)
    store.backend.run("UPDATE evidence SET data = ? WHERE kind = 'text' AND key = ?", (b"4 passed\n", digests[0]))
    store.backend.run("DELETE FROM evidence WHERE kind = 'text' AND key = ?", (digests[2],))
    texts, skipped = pull(store, tmp_path / "there")
    assert texts == 3
    assert sorted(skipped) == sorted(
        [
            f"captured output {digests[0][:12]}: changed in the store; it is not brought",
            f"captured output {digests[2][:12]}: the store has its run and not its text",
        ]
    )
    with captures_of(tmp_path / "there") as captures:
        assert captures.find(digests[0][:12]) == {}


HOSTILE = [
    b"",
    b"[]",
    b"{",
    b'{"origin":"run","started":1,"chunks":[[0,"../../etc/passwd","",0]]}',
    b'{"origin":"run","started":1,"chunks":[[-1,"%s","",0]]}' % (b"a" * 64),
    b'{"origin":"run","started":1,"chunks":[[0,"%s","; DROP",0]]}' % (b"a" * 64),
    b'{"origin":"run","started":1,"code":99999999999999999999}',
    b'{"origin":"run","started":"x"}',
    b'{"origin":"run","started":1,"command":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"origin":"run","started":NaN}',
]


@pytest.mark.parametrize("data", HOSTILE)
def test_a_hostile_run_is_not_brought(tmp_path: Path, data: bytes) -> None:
    with make_store(f"sqlite://{tmp_path}/x.db") as store:
        store.evidence.put(store.teams.get("default"), [StoredEvidence("run", "p", "k" * 12, 1, data)])
        assert pull(store, tmp_path / "there") == (0, ["run kkkkkkkkkkkk: cannot be read; it is not brought"])


def test_a_run_under_the_name_of_another_one_is_not_brought(tmp_path: Path) -> None:
    run = SharedRun(origin="run", started=1.0)
    with make_store(f"sqlite://{tmp_path}/x.db") as store:
        data = msgspec.json.encode(run)
        store.evidence.put(store.teams.get("default"), [StoredEvidence("run", "p", sha256(b"").hexdigest(), 1, data)])
        assert pull(store, tmp_path / "there")[1] != []
    assert parse_run(data) == run


def test_a_text_that_is_too_large_is_named(
    tmp_path: Path, here: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_exchange, "_LARGEST_TEXT", 100)
    with make_store(f"sqlite://{tmp_path}/x.db") as store, captures_of(here[0]) as captures:
        done = push_output(captures, store.evidence, store.teams.get("default"), "p", ALL)
        assert (done.texts, done.runs, len(done.skipped)) == (2, 2, 3)
        assert all("exceed the limit" in line for line in done.skipped)


@pytest.mark.parametrize(
    ("bounds", "least", "most"),
    [
        (OutputBounds(texts=2), 2, 2),
        (OutputBounds(runs=1), 1, 3),
        (OutputBounds(bytes=700), 0, 2),
        (OutputBounds(bytes=0), 0, 0),
    ],
)
def test_no_more_is_brought_than_the_bounds_allow(
    tmp_path: Path, here: tuple[Path, list[str]], bounds: OutputBounds, least: int, most: int
) -> None:
    with make_store(f"sqlite://{tmp_path}/x.db") as store, captures_of(tmp_path / "there") as captures:
        push(store, here[0])
        done = pull_output(captures, store.evidence, store.teams.get("default"), "p", ALL, bounds)
        assert least <= done.texts <= most and done.bytes <= bounds.bytes
        assert len(done.skipped) == 1 and "the rest is not brought" in done.skipped[0]


def test_a_text_that_is_too_large_in_the_store_is_not_read(
    tmp_path: Path, here: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with make_store(f"sqlite://{tmp_path}/x.db") as store:
        push(store, here[0])
        monkeypatch.setattr(output_exchange, "_LARGEST_TEXT", 100)
        texts, skipped = pull(store, tmp_path / "there")
        assert texts == 2
        assert len(skipped) == 3 and all("bytes in the store; it is not brought" in line for line in skipped)
