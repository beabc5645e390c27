"""Locking: what holds is recorded, what changed is refused until it was read, and nothing is touched unasked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import Conflict, UsageError
from pincite.engine.locking import Locker, Locks, Plan, apply, repoint
from pincite.engine.repair.fix import write
from pincite.engine.run import Request, Run
from pincite.project.documents import find_documents
from pincite.safe.files import Root
from pincite.sources import World
from pincite.store import LOCK
from support_fixes import find_fixes

BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
CITED = "See 【F:src/app.py†L3-L4】 and src/app.py:7, or [x](../src/app.py#L9).\n"


def plan(path: Path, *keys: str, accept: tuple[str, ...] = ()) -> Plan:
    """What locking would do to a tree."""
    with Root(str(path)) as root:
        run = Run(root, Request(keys, every=True, cache=False))
        config = run.request.config
        listed = find_documents(root, run.git(), keys, config.documents, config.exclude).documents
        return Locker(root, Locks.load(root), World(root, lambda: None), listed, keys).plan(run.reports(), accept)


def lock(path: Path, *keys: str, accept: tuple[str, ...] = ()) -> Plan:
    """Lock a tree."""
    made = plan(path, *keys, accept=accept)
    with Root(str(path)) as root:
        apply(root, made)
    return made


def put(path: Path, **files: str) -> None:
    for name, text in files.items():
        place = path / {"app": "src/app.py", "a": "docs/a.md", "b": "docs/b.md"}[name]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (path / LOCK).read_text().splitlines()[1:]]


def cites(path: Path) -> list[tuple[str, str]]:
    return [(entry["document"], entry["cites"]) for entry in entries(path)]


def test_what_holds_is_locked_once(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    made = lock(tmp_path)
    assert (len(made.added), made.kept, made.refused, made.is_current) == (3, 0, 0, False)
    assert cites(tmp_path) == [("docs/a.md", f"src/app.py:{lines}") for lines in ("3-4", "7", "9")]
    before = (tmp_path / LOCK).read_bytes()
    made = lock(tmp_path)
    assert (made.added, made.kept, made.is_current) == ([], 3, True)
    assert (tmp_path / LOCK).read_bytes() == before


def test_nothing_to_lock_makes_no_file(tmp_path: Path) -> None:
    put(tmp_path, a="Nothing.\n")
    assert lock(tmp_path).is_current
    assert not (tmp_path / LOCK).exists()


@pytest.mark.parametrize(
    ("cited", "reason"),
    [
        ("【F:src/app.py†L99】", "exceeds file length"),
        ("【F:src/app.py†L29-L99】", "exceeds file length"),
        ("【F:src/none.py†L1】", "not found"),
        ("【F:../out.py†L1】", "blocked"),
        ("【F:src/app.py†L31】", "blank"),
    ],
)
def test_what_does_not_hold_is_not_locked(cited: str, reason: str, tmp_path: Path) -> None:
    put(tmp_path, app=BODY + "\n", a=f"See {cited} and src/app.py:7.\n")
    made = lock(tmp_path)
    assert [reason in item.reason for item in made.skipped] == [True], made.skipped
    assert cites(tmp_path) == [("docs/a.md", "src/app.py:7")]
    assert made.refused == 0
    assert lock(tmp_path).is_current


@pytest.mark.parametrize(
    "cited",
    ["[[src/app.py]]", "src/app.py", "【a1b2c3†L1】", "[REF-001]", "---\ncitations:\n  - path: src/app.py\n---\n"],
)
def test_what_cites_no_lines_of_a_file_needs_no_lock(cited: str, tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=f"{cited}\n")
    assert lock(tmp_path).is_current


def test_a_snippet_needs_no_lock_and_a_memory_without_one_has_it(tmp_path: Path) -> None:
    put(
        tmp_path,
        app=BODY,
        a="---\ncitations:\n  - path: src/app.py\n    line: 3\n    snippet: step_3\n---\n",
        b="---\ncitations:\n  - path: src/app.py\n    line: 5\n---\n",
    )
    lock(tmp_path)
    assert cites(tmp_path) == [("docs/b.md", "src/app.py:5")]


def test_changed_evidence_is_refused_and_the_rest_is_locked(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    old = entries(tmp_path)
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"), a=CITED + "More: src/app.py:12.\n")
    made = lock(tmp_path)
    (item,) = made.changed
    assert item.diff == ("-step_7 = prepare(7)", "+step_7 = prepare(70)")
    assert (item.id, item.line, len(made.added), made.kept) == (old[1]["id"], 1, 1, 2)
    assert [entry for entry in entries(tmp_path) if entry["cites"] != "src/app.py:12"] == old
    assert lock(tmp_path).changed == made.changed
    accepted = lock(tmp_path, accept=(item.id[:6].upper(),))
    assert ([one.id for one in accepted.accepted], accepted.refused) == ([item.id], 0)
    assert entries(tmp_path)[1]["text"] == ["step_7 = prepare(70)"]
    assert lock(tmp_path).is_current


def test_a_change_of_the_lines_around_is_no_change(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    before = (tmp_path / LOCK).read_bytes()
    put(tmp_path, app=BODY.replace("prepare(6)", "prepare(60)").replace("\n", "\r\n"))
    assert lock(tmp_path).is_current
    assert (tmp_path / LOCK).read_bytes() == before


@pytest.mark.parametrize("typed", ["", "12345", "zzzzzz", "000000000000", "../../x"])
def test_an_id_that_nothing_has_is_refused(typed: str, tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    with pytest.raises(UsageError, match="--accept"):
        lock(tmp_path, accept=(typed,))
    assert not (tmp_path / LOCK).exists()


def test_an_accepted_citation_must_hold(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    before = (tmp_path / LOCK).read_bytes()
    put(tmp_path, app="short\n")
    gone = [item.id for item in plan(tmp_path).broken]
    assert len(gone) == 3
    made = lock(tmp_path, accept=tuple(gone))
    assert (len(made.broken), made.accepted, (tmp_path / LOCK).read_bytes() == before) == (3, [], True)


def test_a_citation_that_left_its_document_is_dropped(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED, b="See src/app.py:7.\n")
    lock(tmp_path)
    put(tmp_path, a="See src/app.py:7.\n", b="Nothing.\n")
    made = lock(tmp_path)
    assert [(item.document, item.cites) for item in made.dropped] == [
        ("docs/a.md", "src/app.py:3-4"),
        ("docs/a.md", "src/app.py:9"),
        ("docs/b.md", "src/app.py:7"),
    ]
    assert (cites(tmp_path), made.refused) == ([("docs/a.md", "src/app.py:7")], 0)


def test_a_citation_stays_locked_wherever_it_stands_and_however_it_is_written(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"), a="# New\n\nText [here](../src/app.py#L7).\n")
    made = lock(tmp_path)
    assert [(item.cites, item.line) for item in made.changed] == [("src/app.py:7", 3)]


def test_another_citation_of_changed_lines_is_no_way_around_reading(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"), a="Now src/app.py:7.\n\nSee src/app.py:7.\n")
    made = lock(tmp_path)
    assert ([item.line for item in made.changed], made.added) == ([1, 3], [])
    made = lock(tmp_path, accept=tuple(item.id for item in made.changed))
    assert len(made.accepted) == 2
    assert [entry.get("nth", 1) for entry in entries(tmp_path)] == [1, 2]


def test_only_what_was_asked_for_is_touched(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED, b="See src/app.py:7.\n")
    lock(tmp_path)
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"), a="See src/app.py:8.\n", b="Nothing.\n")
    made = lock(tmp_path, "docs/b.md")
    assert (len(made.dropped), made.added, made.refused, made.kept) == (1, [], 0, 3)
    assert [name for name, _ in cites(tmp_path)] == ["docs/a.md"] * 3
    with pytest.raises(UsageError):
        lock(tmp_path, "docs/b.md", accept=(entries(tmp_path)[1]["id"],))


def test_entries_go_with_a_document_that_is_renamed(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "docs/a.md").rename(tmp_path / "notes/z.md")
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"))
    made = lock(tmp_path)
    assert (len(made.carried), len(made.changed), made.added, made.dropped) == (2, 1, [], [])
    assert {name for name, _ in cites(tmp_path)} == {"notes/z.md"}
    assert entries(tmp_path)[1]["text"] == ["step_7 = prepare(7)"]
    assert [item.cites for item in lock(tmp_path).changed] == ["src/app.py:7"]


def test_a_document_that_was_copied_and_deleted_carries_nothing_unread(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"docs/{name}.md").write_text("See src/app.py:7.\n")
    (tmp_path / "docs/a.md").unlink()
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"))
    made = lock(tmp_path)
    assert ([item.document for item in made.changed], made.added) == (["docs/one.md", "docs/two.md"], [])


def test_a_deleted_file_does_not_take_its_entry_along(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    (tmp_path / "src/app.py").unlink()
    made = lock(tmp_path)
    assert (len(made.broken), made.dropped, len(entries(tmp_path))) == (1, [], 1)
    put(tmp_path, a="Gone.\n")
    assert len(lock(tmp_path).dropped) == 1


def test_a_document_that_cannot_be_read_keeps_its_entries(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    (tmp_path / "docs/a.md").write_bytes(CITED.encode() + b"\xff")
    made = lock(tmp_path)
    assert (made.kept, made.dropped) == (3, [])


def test_a_document_that_is_not_looked_at_keeps_its_entries(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    (tmp_path / "pincite.toml").write_text('exclude = ["docs"]\n')
    with Root(str(tmp_path)) as root:
        made = Locker(root, Locks.load(root), World(root, lambda: None), []).plan([])
    assert (made.kept, made.dropped) == (3, [])


def test_history_knows_that_a_new_citation_is_old(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": "See src/app.py:7.\n\nSee src/app.py:20.\n"})
    repo.commit({"src/app.py": BODY.replace("prepare(7)", "prepare(70)").replace("step_15", "new\nstep_15")})
    made = lock(repo.path)
    assert [item.cites for item in made.changed] == ["src/app.py:7"]
    assert [item.cites for item in made.moved] == ["src/app.py:20"]
    assert not (repo.path / LOCK).exists()
    made = lock(repo.path, accept=(made.changed[0].id,))
    assert cites(repo.path) == [("docs/a.md", "src/app.py:7")]


def test_a_file_that_changes_meanwhile_is_a_conflict(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    with Root(str(tmp_path)) as root:
        run = Run(root, Request(every=True, cache=False))
        reports = list(run.reports())
        put(tmp_path, app="other\n" + BODY)
        with pytest.raises(Conflict):
            Locker(root, None, World(root, lambda: None), ["docs/a.md"]).plan(reports)


def test_two_at_once_lose_nothing(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    first, second = plan(tmp_path), plan(tmp_path)
    with Root(str(tmp_path)) as root:
        assert apply(root, first)
        with pytest.raises(Conflict):
            apply(root, second)


def test_merged_sides_are_tidied(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED, b="See src/app.py:8.\n")
    lock(tmp_path)
    whole = (tmp_path / LOCK).read_text()
    head, *rows = whole.splitlines()
    (tmp_path / LOCK).write_text("\n".join([head, rows[-1], rows[0], head, *rows]))
    made = lock(tmp_path)
    assert (made.is_current, (tmp_path / LOCK).read_text()) == (True, whole)


def test_names_that_are_no_text_are_not_locked(tmp_path: Path) -> None:
    put(tmp_path, app=BODY)
    try:
        Path(str(tmp_path).encode().decode() + "/\udcff.md").write_text("See src/app.py:7.\n")
    except (OSError, UnicodeEncodeError):
        pytest.skip("the file system wants names in UTF-8")
    made = lock(tmp_path)
    assert [item.reason for item in made.skipped] == ["The document's name is not UTF-8"]
    assert not (tmp_path / LOCK).exists()


def fix(path: Path) -> int:
    """Apply the safe fixes, and let the lock follow."""
    with Root(str(path)) as root:
        run = Run(root, Request(every=True, cache=False))
        done = list(find_fixes(root, run.reports()))
        for one in done:
            write(root, one)
        engine = run.engine()
        try:
            return repoint(root, engine, done)
        finally:
            engine.close()


def test_entries_follow_citations_that_were_fixed(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": CITED, "docs/b.md": "See src/app.py:7.\n"})
    lock(repo.path)
    before = entries(repo.path)
    repo.commit({"src/app.py": "# one\n# two\n" + BODY})
    assert fix(repo.path) == 4
    after = entries(repo.path)
    assert [entry["cites"] for entry in after] == [f"src/app.py:{lines}" for lines in ("5-6", "9", "11", "9")]
    assert [entry["digest"] for entry in after] == [entry["digest"] for entry in before]
    assert after[0]["before"] == ["# two", "step_1 = prepare(1)", "step_2 = prepare(2)"]
    assert lock(repo.path).is_current


def test_only_the_citations_that_were_fixed_are_followed(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": "See src/app.py:3.\n\nSee src/app.py:20 and src/app.py:21.\n"})
    lock(repo.path)
    repo.commit({"src/app.py": BODY.replace("step_10 ", "new\nstep_10 ")})
    assert fix(repo.path) == 2
    assert [entry["cites"] for entry in entries(repo.path)] == [f"src/app.py:{line}" for line in (3, 21, 22)]
    assert lock(repo.path).is_current
    assert fix(repo.path) == 0
