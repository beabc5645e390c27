"""Long work on a page: how far it is, and the button that stops it."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from pincite.core.model import Summary
from pincite.doors.web.checked_documents import CheckedDocuments

if TYPE_CHECKING:
    from pincite.doors.web.long_work import LongWork
    from support_web import Web


def _start(web: Web) -> tuple[LongWork, Event]:
    begun = Event()

    def perform(work: LongWork) -> tuple[str, str]:
        while True:
            work.step(3, 10)
            begun.set()

    return web.site.works.start("<b>Endless</b>", perform), begun


def test_work_can_be_watched_and_stopped(web: Web) -> None:
    work, begun = _start(web)
    assert begun.wait(60)
    page = web.get(f"/work/{work.id}").text
    assert "3 of 10" in page and "<b>Endless" not in page
    answer = web.post(f"/work/{work.id}/stop")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/work/{work.id}")
    web.wait(lambda: web.get(f"/work/{work.id}.json").json()["state"] == "stopped")


def test_a_get_stops_nothing(web: Web) -> None:
    work, begun = _start(web)
    assert begun.wait(60)
    assert web.get(f"/work/{work.id}/stop").status_code == 405
    assert work.state == "running"
    work.stop()


def test_unknown_work_is_not_found(web: Web) -> None:
    assert web.get("/work/none.json").status_code == 404
    assert web.post("/work/none/stop.json").status_code == 404


def test_the_first_check_is_work_like_any_other(web: Web) -> None:
    (first,) = web.get("/work.json").json()["work"]
    assert (first["title"], first["state"]) == ("First check", "done")


@pytest.mark.parametrize("address", ["/", "/review"])
def test_a_first_check_that_was_stopped_is_not_called_under_way(web: Web, address: str) -> None:
    assert "Check the documents" not in web.get("/work").text
    web.site.keeper.is_stopped = True
    web.site.keeper.current = CheckedDocuments(web.site.documents.version + 1, {}, Summary(), False)
    page = web.get(address).text
    assert "The first check was stopped" in page and "under way" not in page
    assert "Check the documents" in web.get("/work").text


def test_a_check_that_was_stopped_can_be_begun_again(web: Web) -> None:
    web.site.keeper.is_stopped = True
    assert web.post("/check").status_code == 303
    web.wait(lambda: not web.site.keeper.is_stopped)
