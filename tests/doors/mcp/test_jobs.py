"""Calls that take long: partial answers, cursors, cancellation, and the bound on what is under way."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from mcp import Client

from pincite.core.errors import UsageError
from pincite.core.model import Lines
from pincite.doors.mcp import jobs, search_tool
from pincite.doors.mcp.answers import answer
from pincite.doors.mcp.handles import ReceiptBook
from pincite.doors.mcp.jobs import Job, JobResult, JobTable
from pincite.doors.mcp.workspace import Workspace
from pincite.engine.read_receipts import ReadReceipt
from support_mcp import talk, text_of


def test_a_slow_call_gives_what_it_has_and_a_cursor(repository: Path) -> None:
    workspace, goes_on, reached = Workspace(str(repository), deadline=0.0), Event(), Event()

    def work(job: Job) -> JobResult:
        job.add("first", {"at": 1})
        job.step(1, 3)
        reached.set()
        goes_on.wait()
        job.add("second", {"at": 2})
        return JobResult("the end", {"summary": {}})

    async def ask() -> tuple[Any, Any]:
        early = await answer(workspace, work, "findings", "")
        reached.wait()
        partial = await answer(workspace, work, "findings", early.structured_content["cursor"])
        goes_on.set()
        workspace.deadline = 60.0
        return partial, await answer(workspace, work, "findings", partial.structured_content["cursor"])

    partial, rest = asyncio.run(ask())
    assert partial.structured_content["findings"] in ([{"at": 1}], [])
    assert "Not finished yet (1 of 3 documents)" in text_of(partial)
    told = partial.structured_content["findings"] + rest.structured_content["findings"]
    assert told[-1] == {"at": 2} and "cursor" not in rest.structured_content
    assert "the end" in text_of(rest)


def test_a_slow_tool_is_finished_by_its_cursor(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = Event()
    update = search_tool.PassageSearcher.update

    def wait_and_update(self: Any, *arguments: Any) -> None:
        goes_on.wait()
        update(self, *arguments)

    monkeypatch.setattr(search_tool.PassageSearcher, "update", wait_and_update)
    workspace = Workspace(str(repository), deadline=0.0)

    async def ask(client: Client) -> Any:
        first = await client.call_tool("search", {"query": "limit"})
        goes_on.set()
        workspace.deadline = 60.0
        return await client.call_tool("search", {"query": "limit", "cursor": first.structured_content["cursor"]})

    assert talk(workspace, ask).structured_content["hits"]


def test_a_cancelled_call_cancels_its_job(repository: Path) -> None:
    workspace, started, ended = Workspace(str(repository)), Event(), Event()

    def work(job: Job) -> JobResult:
        started.set()
        try:
            while True:
                job.step()
        finally:
            ended.set()

    async def ask() -> None:
        call = asyncio.ensure_future(answer(workspace, work, "", ""))
        while not started.is_set():
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(ask())
    assert ended.wait(60)


def test_an_error_is_an_answer_without_a_traceback(repository: Path) -> None:
    def work(job: Job) -> JobResult:
        raise ZeroDivisionError(f"{repository}/secret")

    result = asyncio.run(answer(Workspace(str(repository)), work, "", ""))
    assert result.is_error and "ZeroDivisionError" in text_of(result) and "secret" not in text_of(result)


@pytest.mark.parametrize("cursor", ["x", "x.1", ".", "..", "a.-1", "a.99999999999999999999", "\0", "é.٣"])
def test_an_unknown_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(UsageError, match="not known"):
        JobTable(str).find(cursor)


def test_a_cursor_behind_the_last_item_is_refused(repository: Path) -> None:
    workspace = Workspace(str(repository))

    def work(job: Job) -> JobResult:
        job.add("one", {})
        return JobResult("done")

    async def ask() -> None:
        job = workspace.jobs.start(work)
        await workspace.jobs.wait(job, 60)
        assert workspace.jobs.find(f"{job.id}.1") == (job, 1)
        with pytest.raises(UsageError, match="not known"):
            workspace.jobs.find(f"{job.id}.2")
        with pytest.raises(UsageError, match="not known to this tool"):
            workspace.jobs.find(f"{job.id}.1", "hits")

    asyncio.run(ask())


def test_jobs_are_bounded_and_those_done_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_MOST_JOBS", 4)
    monkeypatch.setattr(jobs, "_MOST_DONE", 2)
    table, goes_on = JobTable(str), Event()

    def work(job: Job) -> JobResult:
        goes_on.wait()
        return JobResult()

    waiting = [table.start(work) for _ in range(4)]
    with pytest.raises(UsageError, match="under way"):
        table.start(work)
    goes_on.set()
    for job in waiting:
        job.future.result(60)
    table.start(work).future.result(60)
    with pytest.raises(UsageError):
        table.find(f"{waiting[1].id}.0")
    assert table.find(f"{waiting[3].id}.0") == (waiting[3], 0)


def test_items_of_a_job_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_MOST_ITEMS", 3)
    job = Job()
    for at in range(5):
        job.add(str(at), {})
    assert (len(job.items), job.dropped) == (3, 2)


def test_receipts_are_unguessable_bounded_and_the_same_for_the_same_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.doors.mcp.handles._MOST", 3)
    book = ReceiptBook()
    receipts = [ReadReceipt("a.py", "0", Lines(at, at)) for at in range(1, 5)]
    handles = [book.mint(one) for one in receipts]
    assert len(set(handles)) == 4 and all(len(handle) >= 18 for handle in handles)
    assert book.find(handles[0]) is None
    assert book.mint(receipts[1]) == handles[1]
    book.mint(receipts[0])
    assert book.find(handles[1]) is not None and book.find(handles[2]) is None
