"""A reviewer's way through the queue: what is shown is written and nothing else, once, and can be taken back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import wait_for_work
from support_review import AMBIGUOUS, DOCUMENT, EDITED, MOVED, WINDOWS, make_review_repository
from support_web import WebServer, wait_until

if TYPE_CHECKING:
    from support_browser import BrowserVisit

    OpenBrowser = Callable[..., BrowserVisit]

FIXED = "【F:src/gauge.py†L7-L8】"


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    """A repository whose queue has citations of every kind that waits for a reader."""
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def server(browser: Any, root: Path) -> Iterator[WebServer]:
    server = WebServer(root)
    wait_for_work(server)
    yield server
    server.stop()


@pytest.fixture
def read_only_server(browser: Any, root: Path) -> Iterator[WebServer]:
    server = WebServer(root, "--read-only")
    wait_for_work(server)
    yield server
    server.stop()


def list_changes(root: Path) -> list[str]:
    """The lines that git sees as changed, in every file."""
    done = subprocess.run(["git", "diff", "-U0"], cwd=root, check=True, capture_output=True)
    lines = done.stdout.decode("utf-8").split("\n")
    return [line for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]


def list_new_files(root: Path) -> list[str]:
    """The files that git does not know, without pincite's own."""
    done = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=root, check=True, capture_output=True)
    return [line[3:] for line in done.stdout.decode().splitlines() if line.startswith("??")]


def open_queue(visit: BrowserVisit) -> Any:
    visit.go_to("Review")
    visit.see("to read", where="h1")
    return visit.page


def test_a_reviewer_goes_through_the_queue_by_keys(server: WebServer, root: Path, open_browser: OpenBrowser) -> None:
    visit = open_browser(server)
    page = open_queue(visit)
    visit.see("Review: 5 citations to read", "1 of 5: src/gauge.py L1", "mismatch", "Cited then", "LIMIT = 40")
    page.keyboard.press("j")
    visit.see("2 of 5: src/gauge.py L5-L6", "moved")
    page.keyboard.press("k")
    visit.see("1 of 5: src/gauge.py L1")
    page.keyboard.press("j")
    visit.see("2 of 5: src/gauge.py L5-L6", f"Fix: {FIXED}", "Where it stands now: src/gauge.py, lines 7-8")
    assert list_changes(root) == []

    page.keyboard.press("f")
    visit.see(
        "What would be written", f"-Depths beyond it are refused {MOVED}.", f"+Depths beyond it are refused {FIXED}."
    )
    assert list_changes(root) == [], "a diff is shown, nothing is written"
    page.keyboard.press("f")
    visit.see("Review: 4 citations to read", "src/gauge.py L7")
    assert list_changes(root) == [
        f"-Depths beyond it are refused {MOVED}.",
        f"+Depths beyond it are refused {FIXED}.",
    ]

    page.keyboard.press("j")
    visit.see("util.py", "ambiguous", "What may be meant", "lib/util.py", "src/util.py")
    page.keyboard.press("f")
    visit.see("several places may be meant", where=".refused")
    page.locator("ol.choices").get_by_role("link", name="lib/util.py").click()
    visit.see("What would be written", "-The helper is in util.py:2", "+The helper is in lib/util.py:2")
    page.get_by_role("button", name="Write this").click()
    visit.see("Review: 3 citations to read")
    assert "+The helper is in lib/util.py:2, and nothing stands here 【F:src/gone.py†L3】." in list_changes(root)

    visit.see("docs/deep/bytes.md")
    page.keyboard.press("f")
    visit.see("What would be written", "docs/deep/bytes.md")
    page.keyboard.press("f")
    visit.see("That was the last one. 2 citations")
    assert (root / "docs/deep/bytes.md").read_bytes() == WINDOWS.replace(MOVED.encode(), FIXED.encode())
    expected = DOCUMENT.replace(MOVED, FIXED).replace(AMBIGUOUS, "lib/util.py:2")
    assert (root / "docs/a.md").read_text(encoding="utf-8") == expected


def test_a_reviewer_accepts_with_a_reason_and_takes_a_write_back(
    server: WebServer, root: Path, open_browser: OpenBrowser
) -> None:
    visit = open_browser(server)
    page = open_queue(visit)
    before = (root / "docs/a.md").read_bytes()
    page.keyboard.press("a")
    visit.see("Accept src/gauge.py L1", where="h1")
    page.get_by_label("Why it is still true").fill("the sentence is about the first version")
    page.keyboard.press("Enter")
    visit.see("What would be recorded", "the sentence is about the first version")
    assert list_changes(root) == [] == list_new_files(root)
    page.keyboard.press("a")
    visit.see("Review: 4 citations to read", "src/gauge.py L5-L6")
    accepted = list_new_files(root)
    assert len(accepted) == 1 and (root / "docs/a.md").read_bytes() == before
    assert "the sentence is about the first version" in (root / accepted[0]).read_text(encoding="utf-8")
    page.keyboard.press("f")
    visit.see("What would be written")
    page.keyboard.press("f")
    visit.see("Review: 3 citations to read")
    assert (root / "docs/a.md").read_bytes() != before

    page.get_by_role("link", name="What this server wrote").click()
    visit.see("2 writes of this server", "Fix src/gauge.py L5-L6 in docs/a.md", "Accept src/gauge.py L1")
    page.get_by_role("link", name="Take back: Fix").click()
    visit.see(
        "What would be written", f"-Depths beyond it are refused {FIXED}.", f"+Depths beyond it are refused {MOVED}."
    )
    page.get_by_role("button", name="Take back").click()
    visit.see("taken back")
    assert (root / "docs/a.md").read_bytes() == before
    page.get_by_role("link", name="Take back: Accept").click()
    page.get_by_role("button", name="Take back").click()
    wait_until(lambda: list_new_files(root) == [])
    assert list_changes(root) == []
    visit.see("taken back", "taken back")


def test_two_reviewers_do_not_write_the_same_thing_twice(
    server: WebServer, root: Path, open_browser: OpenBrowser, axe: str
) -> None:
    first, second = open_browser(server), open_browser(server)
    for visit in (first, second):
        page = open_queue(visit)
        page.keyboard.press("j")
        visit.see("2 of 5: src/gauge.py L5-L6")
        page.keyboard.press("f")
        visit.see("What would be written", f"+Depths beyond it are refused {FIXED}.")
    first.page.get_by_role("button", name="Write this").click()
    first.see("Review: 4 citations to read")
    written = (root / "docs/a.md").read_bytes()
    assert written.decode() == DOCUMENT.replace(MOVED, FIXED)
    answers: list[int] = []
    second.page.on(
        "response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None
    )
    second.page.get_by_role("button", name="Write this").click()
    second.page.get_by_role("alert").wait_for()
    second.forgive(409)
    assert answers == [409]
    assert second.run_axe(axe) == []
    assert second.page.get_by_role("button", name="Write this").count() == 0
    assert (root / "docs/a.md").read_bytes() == written
    second.page.get_by_role("link", name="Go on with the queue").click()
    second.see("Review: 4 citations to read", "1 of 4: src/gauge.py L1")
    second.page.locator("#queue summary").click()
    first.page.keyboard.press("f")
    first.see("What would be written", "src/gauge.py†L9")
    first.page.keyboard.press("f")
    first.see("Review: 3 citations to read")
    second.see("Review: 3 citations to read", "1 of 3: src/gauge.py L1", "Citations 1 to 3 of 3", "docs/deep/bytes.md")
    written = (root / "docs/a.md").read_bytes()
    second.page.get_by_role("link", name="What this server wrote").click()
    second.see("2 writes of this server")

    # An editor changes the file between the diff and the press of the button.
    open_queue(second)
    second.page.get_by_role("button", name="Skip").click()
    second.see("2 of 3: util.py")
    second.page.locator("ol.choices").get_by_role("link", name="lib/util.py").click()
    second.see("What would be written")
    (root / "docs/a.md").write_bytes(written + b"\nOne more line.\n")
    second.page.get_by_role("button", name="Write this").click()
    second.page.get_by_role("alert").wait_for()
    second.forgive(409)
    assert (root / "docs/a.md").read_bytes() == written + b"\nOne more line.\n"


def test_a_read_only_server_offers_nothing_and_refuses_a_hand_made_request(
    read_only_server: WebServer, root: Path, open_browser: OpenBrowser
) -> None:
    visit = open_browser(read_only_server)
    page = visit.page
    visit.see("read-only", where="footer")
    assert page.get_by_role("button", name="Mark all as seen").count() == 0
    open_queue(visit)
    visit.see("1 of 5: src/gauge.py L1")
    assert page.get_by_role("button", name="Fix").count() == page.get_by_role("button", name="Accept").count() == 0
    for key in ("f", "a"):
        page.keyboard.press(key)
    visit.see("Review: 5 citations to read")
    id = page.evaluate("fetch('/review.json').then((answer) => answer.json()).then((found) => found.rows[1].id)")
    visit.open(f"/c/{id}/fix")
    visit.see(f"+Depths beyond it are refused {FIXED}.")
    assert page.get_by_role("button").count() == 0
    post = "(address) => fetch(address, {method: 'POST', body: new URLSearchParams({before: '', after: ''})})"
    assert page.evaluate(f"({post})('/c/{id}/fix').then((answer) => answer.status)") == 403
    visit.forgive(403)
    assert list_changes(root) == [] == list_new_files(root)
    assert EDITED in (root / "docs/a.md").read_text(encoding="utf-8")
