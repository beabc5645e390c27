"""Writes that fail or are killed on the way: a file is the old one or the new one; what was shown is what counts."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from pincite.core.errors import Conflict
from pincite.doors.web.document_writes import describe_changes, refuse_unseen
from pincite.engine.file_changes import FileRewrite
from support_faults import at, fail, faults
from support_review import DOCUMENT, EDITED, MOVED, make_review_repository, read_digests
from support_web import WebServer, open_web, wait_until

FIXED = DOCUMENT.replace(MOVED, "【F:src/gauge.py†L7-L8】")
KILLS = 8
"""Servers that are killed while they write, each a little later than the one before."""


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


def test_the_digests_tell_apart_what_is_there_and_what_is_not() -> None:
    empty, missing = describe_changes([FileRewrite("a", b"", b"x")]), describe_changes([FileRewrite("a", None, b"x")])
    assert empty.before != missing.before and empty.after == missing.after
    assert missing.files[0].is_created and not empty.files[0].is_created


@pytest.mark.parametrize(
    "changes",
    [
        [FileRewrite("b", b"old", b"new")],
        [FileRewrite("a", b"old", b"newer")],
        [FileRewrite("a", b"older", b"new")],
        [FileRewrite("a", b"old", b"new"), FileRewrite("b", b"", b"")],
        [FileRewrite("a", b"old", None)],
        [],
    ],
)
def test_what_was_not_shown_is_refused(changes: list[FileRewrite]) -> None:
    shown = describe_changes([FileRewrite("a", b"old", b"new")])
    with pytest.raises(Conflict, match="not what was shown"):
        refuse_unseen(changes, (shown.before, shown.after))


def test_a_diff_of_very_many_rows_is_cut() -> None:
    plan = describe_changes([FileRewrite("a", b"", b"x\n" * 5000)])
    assert len(plan.files[0].rows) == 2000 and plan.files[0].left_out == 3003


def test_bytes_that_are_no_text_and_invisible_characters_are_shown_as_such() -> None:
    (file,) = describe_changes([FileRewrite("a", b"x\n", b"\xff\x1b[0m\xe2\x80\xae\n")]).files
    assert file.rows[-1] == "+\\u{dcff}\\u{1b}[0m\\u{202e}"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_a_write_that_fails_at_any_call_leaves_the_old_file_or_the_new_one(root: Path, number: int) -> None:
    """Every system call of the write fails once; what the answer says is true of the file."""
    with open_web(root) as web:
        id = web.id_of(MOVED)
        given = read_digests(web.get(f"/c/{id}/fix.json").json())
        for call in range(1, 60):
            with faults(at(call, fail(number))) as watch:
                answer = web.post(f"/c/{id}/fix", given)
            text = (root / "docs/a.md").read_text()
            assert text == (FIXED if answer.status_code == 303 else DOCUMENT), (call, answer.status_code)
            assert [name.name for name in (root / "docs").iterdir() if name.name not in ("a.md", "deep")] == []
            if answer.status_code == 303:
                break
            assert answer.status_code in (400, 500), answer.text
        assert answer.status_code == 303 and len(watch.seen) >= 5


def test_a_second_file_that_fails_takes_the_first_one_back(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document and the lock are written together or not at all."""
    from pincite.core.errors import Unreadable
    from pincite.engine import file_changes
    from pincite.safe import write

    def refuse_lock(root: Any, key: str, old: bytes, new: bytes) -> None:
        if key == "pincite.lock":
            raise Unreadable("pincite.lock: cannot be written (no space)")
        really(root, key, old, new)

    really = write.replace
    monkeypatch.setattr(write, "replace", refuse_lock)
    (root / "pincite.lock").write_bytes(b"lock")
    from pincite.project.project import open_project

    with open_project(str(root), option="") as project, pytest.raises(Unreadable, match="no space"):
        changes = [
            FileRewrite("docs/a.md", DOCUMENT.encode(), FIXED.encode()),
            FileRewrite("pincite.lock", b"lock", b"new"),
        ]
        file_changes.write_changes(project.root, changes)
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_a_killed_server_leaves_the_old_file_or_the_new_one(root: Path) -> None:
    """SIGKILL at different moments of a write; the next server sees a whole file and goes on."""
    seen: list[bytes] = []
    for kill in range(KILLS):
        (root / "docs/a.md").write_text(DOCUMENT)
        server = WebServer(root)
        try:
            with httpx.Client(base_url=server.base, headers=server.bearer, timeout=60) as client:
                wait_until(lambda: client.get("/review.json").json()["is_complete"])
                rows = client.get("/review.json").json()["rows"]
                id = next(row["id"] for row in rows if row["raw"] == MOVED)
                given = read_digests(client.get(f"/c/{id}/fix.json").json())
                finished: list[int] = []

                def post() -> None:
                    try:
                        finished.append(client.post(f"/c/{id}/fix.json", json=given).status_code)  # noqa: B023
                    except httpx.HTTPError:
                        finished.append(0)  # noqa: B023

                thread = Thread(target=post)
                thread.start()
                # The later the number, the nearer to the write: at the end it is awaited.
                if kill == KILLS - 1:
                    thread.join()
                else:
                    wait_for_write(root, thread, kill)
                server.process.kill()
                thread.join()
        finally:
            server.stop()
        data = (root / "docs/a.md").read_bytes()
        assert data in (DOCUMENT.encode(), FIXED.encode()), kill
        assert finished[0] != 200 or data == FIXED.encode()
        seen.append(data)
    assert FIXED.encode() in seen


def wait_for_write(root: Path, thread: Thread, kill: int) -> None:
    """Return when something happens in the folder of the document, or after some looks at it: more with every kill."""
    before = (root / "docs").stat().st_mtime_ns
    for _ in range(1 + 4000 * kill):
        if (root / "docs").stat().st_mtime_ns != before or not thread.is_alive():
            return


def test_a_write_under_way_is_not_lost_by_another(root: Path) -> None:
    """Two kinds of writes at once: each waits for the other, both are kept."""
    with open_web(root) as web:
        fix, accept = web.id_of(MOVED), web.id_of(EDITED)
        fixing = read_digests(web.get(f"/c/{fix}/fix.json").json())
        plan = web.get(f"/c/{accept}/accept.json", params={"reason": "so"}).json()
        accepting = {**read_digests(plan), "reason": "so"}
        answers: list[int] = []
        threads = [
            Thread(target=lambda: answers.append(web.post(f"/c/{fix}/fix", fixing).status_code)),
            Thread(target=lambda: answers.append(web.post(f"/c/{accept}/accept", accepting).status_code)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [303, 303]
        assert (root / "docs/a.md").read_text() == FIXED and "so" in (root / ".pincite-accepted").read_text()
        assert len(web.get("/writes.json").json()["writes"]) == 2
