"""Accepting with a reason: shown first, recorded once, refused where there is nothing that a reader could settle."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support_review import AMBIGUOUS, CODE, DOCUMENT, EDITED, MISSING, MOVED, make_review_repository, read_digests
from support_web import OWN, Web, open_web

REASON = "the sentence speaks of the old limit on purpose"


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def web(root: Path) -> Iterator[Web]:
    with open_web(root) as web:
        yield web


def read_plan(web: Web, id: str, reason: str = REASON) -> dict[str, Any]:
    answer = web.get(f"/c/{id}/accept.json", params={"reason": reason})
    assert answer.status_code == 200, answer.text
    return answer.json()


def accept(web: Web, id: str, reason: str = REASON) -> Any:
    return web.post(f"/c/{id}/accept", {**read_digests(read_plan(web, id, reason)), "reason": reason})


def test_an_acceptance_is_shown_then_recorded(web: Web, root: Path) -> None:
    id = web.id_of(EDITED)
    form = web.get(f"/c/{id}/accept").text
    assert 'name="reason"' in form and "What would be recorded" not in form
    record = read_plan(web, id)
    (file,) = record["plan"]["files"]
    assert file["path"] == ".pincite-accepted" and file["is_created"] and REASON in file["rows"][-1]
    assert record["text"] == ["import math"]
    assert not (root / ".pincite-accepted").exists()
    assert accept(web, id).status_code == 303
    assert REASON in (root / ".pincite-accepted").read_text()
    assert (root / "docs/a.md").read_text() == DOCUMENT
    web.wait(lambda: (row := web.site.documents.find(id)) is not None and row.accepted == REASON)
    assert id not in [row["id"] for row in web.get("/review.json").json()["rows"]]


def test_a_second_acceptance_joins_the_first(web: Web, root: Path) -> None:
    assert accept(web, web.id_of(EDITED)).status_code == 303
    assert accept(web, web.id_of(MOVED), "still so").status_code == 303
    lines = (root / ".pincite-accepted").read_text().splitlines()
    assert len(lines) == 3 and sum(REASON in line for line in lines) == 1


@pytest.mark.parametrize("reason", ["", " ", "\t\n", "\u3000"])
def test_an_acceptance_without_a_reason_is_refused(web: Web, root: Path, reason: str) -> None:
    id = web.id_of(EDITED)
    answer = web.post(f"/c/{id}/accept", {**read_digests(read_plan(web, id)), "reason": reason})
    assert answer.status_code == 400 and "reason: missing" in answer.text
    assert not (root / ".pincite-accepted").exists()


@pytest.mark.parametrize(
    "reason", ["a\x00b", "bell\x07", "\x1b[31mred", "left\u202eright", "zero\u200bwidth", "x" * 1001]
)
def test_a_reason_that_cannot_be_kept_is_refused(web: Web, root: Path, reason: str) -> None:
    id = web.id_of(EDITED)
    for answer in (
        web.get(f"/c/{id}/accept.json", params={"reason": reason}),
        web.post(f"/c/{id}/accept", {"before": "x", "after": "x", "reason": reason}),
    ):
        assert answer.status_code == (422 if "\x00" in reason else 400) and "reason" in answer.text
        assert "\x1b" not in answer.text and "\u202e" not in answer.text
    assert not (root / ".pincite-accepted").exists()


def test_line_ends_in_a_reason_become_spaces(web: Web, root: Path) -> None:
    assert accept(web, web.id_of(EDITED), "one\r\ntwo\nthree").status_code == 303
    assert '"reason":"one two three"' in (root / ".pincite-accepted").read_text()


def test_a_reason_that_cannot_be_encoded_is_refused(web: Web) -> None:
    id = web.id_of(EDITED)
    body = b'{"before":"x","after":"x","reason":"\\ud800"}'
    answer = web.client.post(f"/c/{id}/accept.json", content=body, headers={**OWN, "content-type": "application/json"})
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize(("raw", "why"), [(MISSING, "File not found"), (AMBIGUOUS, "files are called")])
def test_what_no_reader_can_settle_is_refused(web: Web, root: Path, raw: str, why: str) -> None:
    id = web.id_of(raw)
    record = read_plan(web, id)
    assert record["plan"] is None and not record["can_accept"] and why in record["refused"]
    answer = web.post(f"/c/{id}/accept", {"before": "x", "after": "x", "reason": REASON})
    assert answer.status_code == 409 and why in answer.text
    assert not (root / ".pincite-accepted").exists()


def test_what_holds_needs_no_acceptance(web: Web, root: Path) -> None:
    (root / "docs/b.md").write_text("It imports 【F:src/util.py†L1】.\n")
    web.wait(lambda: web.get("/index.json").json()["outcomes"].get("holds"))
    record = read_plan(web, web.id_of("【F:src/util.py†L1】"))
    assert record["plan"] is None and record["refused"] == "nothing to accept: it holds"


@pytest.mark.parametrize("field", ["before", "after"])
def test_a_stale_digest_records_nothing(web: Web, root: Path, field: str) -> None:
    id = web.id_of(EDITED)
    given = {**read_digests(read_plan(web, id)), "reason": REASON, field: "0" * 64}
    answer = web.post(f"/c/{id}/accept", given)
    assert (
        answer.status_code == 409 and "nothing was written" in answer.text and "What would be recorded" in answer.text
    )
    assert not (root / ".pincite-accepted").exists()


def test_another_reason_than_was_shown_is_refused(web: Web, root: Path) -> None:
    id = web.id_of(EDITED)
    answer = web.post(f"/c/{id}/accept", {**read_digests(read_plan(web, id)), "reason": "another"})
    assert answer.status_code == 409 and not (root / ".pincite-accepted").exists()


def test_cited_text_that_changed_in_between_must_be_read_again(web: Web, root: Path) -> None:
    """What is accepted is the text that was read."""
    id = web.id_of(EDITED)
    given = {**read_digests(read_plan(web, id)), "reason": REASON}
    (root / "src/gauge.py").write_text("LIMIT = 9\n")
    answer = web.post(f"/c/{id}/accept", given)
    assert answer.status_code == 409 and not (root / ".pincite-accepted").exists()


def test_two_acceptances_at_once_lose_neither(web: Web, root: Path) -> None:
    ids = [web.id_of(EDITED), web.id_of(MOVED)]
    given = {id: {**read_digests(read_plan(web, id)), "reason": REASON} for id in ids}
    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(ids, pool.map(lambda id: web.post(f"/c/{id}/accept", given[id]), ids), strict=True))
    assert sorted(answer.status_code for answer in answers.values()) == [303, 409]
    late = next(id for id in ids if answers[id].status_code == 409)
    assert accept(web, late).status_code == 303
    assert len((root / ".pincite-accepted").read_text().splitlines()) == 3


def test_a_damaged_record_is_reported_and_left_alone(web: Web, root: Path) -> None:
    (root / ".pincite-accepted").write_text("not an acceptance\n")
    answer = web.get(f"/c/{web.id_of(EDITED)}/accept.json", params={"reason": REASON})
    assert answer.status_code == 400 and ".pincite-accepted:1" in answer.json()["error"]
    assert (root / ".pincite-accepted").read_text() == "not an acceptance\n"


def test_a_record_that_leads_out_of_the_root_is_not_written(web: Web, root: Path, tmp_path: Path) -> None:
    id = web.id_of(EDITED)
    given = {**read_digests(read_plan(web, id)), "reason": REASON}
    outside = tmp_path / "outside"
    outside.write_text("")
    (root / ".pincite-accepted").symlink_to(outside)
    assert web.post(f"/c/{id}/accept", given).status_code >= 400
    assert outside.read_text() == ""


def test_a_document_that_vanished(web: Web, root: Path) -> None:
    id = web.id_of(EDITED)
    given = {**read_digests(read_plan(web, id)), "reason": REASON}
    (root / "docs/a.md").unlink()
    assert web.post(f"/c/{id}/accept", given).status_code == 409
    assert not (root / ".pincite-accepted").exists()


def test_an_unknown_id(web: Web) -> None:
    assert web.get(f"/c/{'0' * 16}/accept.json").status_code == 404
    answer = web.post(f"/c/{'0' * 16}/accept.json", {"before": "x", "after": "x", "reason": "y"})
    assert answer.status_code == 404


def test_a_read_only_server_accepts_nothing(root: Path) -> None:
    with open_web(root, read_only=True) as web:
        id = web.id_of(EDITED)
        page = web.get(f"/c/{id}/accept", params={"reason": REASON})
        assert page.status_code == 200 and "<form" not in page.text
        answer = web.post(f"/c/{id}/accept", {"before": "x", "after": "x", "reason": REASON})
        assert answer.status_code == 403 and not (root / ".pincite-accepted").exists()


def test_in_a_project_with_a_lock_the_entry_is_shown_and_taken_back(make_repository: Callable[..., Any]) -> None:
    repository = make_repository("locked")
    repository.commit({"pincite.toml": "", "src/gauge.py": CODE, "docs/a.md": f"The limit is 40 {EDITED}.\n"})
    top = repository.path
    subprocess.run([sys.executable, "-m", "pincite", "lock", "--root", str(top)], check=True, capture_output=True)
    repository.commit({"src/gauge.py": CODE.replace("40", "250")})
    lock = (top / "pincite.lock").read_bytes()
    with open_web(top) as web:
        id = web.id_of(EDITED)
        assert [file["path"] for file in read_plan(web, id)["plan"]["files"]] == ["pincite.lock"]
        assert accept(web, id).status_code == 303
        assert REASON.encode() in (top / "pincite.lock").read_bytes() and not (top / ".pincite-accepted").exists()
        (write,) = web.get("/writes.json").json()["writes"]
        back = web.get(f"/writes/{write['id']}/take-back.json").json()
        assert web.post(f"/writes/{write['id']}/take-back", read_digests(back)).status_code == 303
        assert (top / "pincite.lock").read_bytes() == lock
