"""Taking back: possible while the files are as the write left them, and once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support_review import DOCUMENT, EDITED, MOVED, TWICE, WINDOWS, make_review_repository, read_digests
from support_web import Web, open_web


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def web(root: Path) -> Iterator[Web]:
    with open_web(root) as web:
        yield web


def fix(web: Web, id: str) -> str:
    """Fix a citation; the id of the write."""
    assert web.post(f"/c/{id}/fix", read_digests(web.get(f"/c/{id}/fix.json").json())).status_code == 303
    return web.get("/writes.json").json()["writes"][0]["id"]


def accept(web: Web, id: str) -> str:
    record = web.get(f"/c/{id}/accept.json", params={"reason": "so"}).json()
    assert web.post(f"/c/{id}/accept", {**read_digests(record), "reason": "so"}).status_code == 303
    return web.get("/writes.json").json()["writes"][0]["id"]


def read_back(web: Web, write: str) -> dict[str, Any]:
    return web.get(f"/writes/{write}/take-back.json").json()


def take_back(web: Web, write: str) -> Any:
    return web.post(f"/writes/{write}/take-back", read_digests(read_back(web, write)))


def test_a_fix_is_taken_back(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    write = fix(web, id)
    record = read_back(web, write)
    rows = record["plan"]["files"][0]["rows"]
    assert f"+Depths beyond it are refused {MOVED}." in rows
    assert take_back(web, write).headers["location"] == "/writes"
    assert (root / "docs/a.md").read_text() == DOCUMENT
    assert "taken back" in web.get("/writes").text
    web.wait(lambda: id in [row["id"] for row in web.get("/review.json").json()["rows"]])


def test_bytes_come_back_as_they_were(web: Web, root: Path) -> None:
    row = next(row for row in web.site.documents.all_rows() if row.document.endswith("bytes.md"))
    write = fix(web, row.id)
    assert take_back(web, write).status_code == 303
    assert (root / "docs/deep/bytes.md").read_bytes() == WINDOWS


def test_a_created_file_is_removed_again(web: Web, root: Path) -> None:
    write = accept(web, web.id_of(EDITED))
    assert read_back(web, write)["plan"]["files"][0]["is_removed"]
    assert take_back(web, write).status_code == 303
    assert not (root / ".pincite-accepted").exists()


def test_of_two_acceptances_the_later_one_is_taken_back_first(web: Web, root: Path) -> None:
    first = accept(web, web.id_of(EDITED))
    kept = (root / ".pincite-accepted").read_bytes()
    second = accept(web, web.id_of(MOVED))
    assert "take that back first" in read_back(web, first)["refused"]
    assert web.post(f"/writes/{first}/take-back", {"before": "x", "after": "x"}).status_code == 409
    assert take_back(web, second).status_code == 303
    assert (root / ".pincite-accepted").read_bytes() == kept
    assert take_back(web, first).status_code == 303
    assert not (root / ".pincite-accepted").exists()


def test_taking_back_twice_is_refused(web: Web, root: Path) -> None:
    write = fix(web, web.id_of(MOVED))
    given = read_digests(read_back(web, write))
    assert web.post(f"/writes/{write}/take-back", given).status_code == 303
    answer = web.post(f"/writes/{write}/take-back", given)
    assert answer.status_code == 409 and "taken back already" in answer.text
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_a_file_that_was_edited_since_is_left_alone(web: Web, root: Path) -> None:
    write = fix(web, web.id_of(MOVED))
    given = read_digests(read_back(web, write))
    edited = (root / "docs/a.md").read_text() + "More.\n"
    (root / "docs/a.md").write_text(edited)
    record = read_back(web, write)
    assert record["plan"] is None and record["refused"] == "docs/a.md: changed since; nothing can be taken back"
    answer = web.post(f"/writes/{write}/take-back", given)
    assert answer.status_code == 409 and "changed since" in answer.text and "<form" not in answer.text
    assert (root / "docs/a.md").read_text() == edited


def test_an_edit_that_is_undone_makes_it_possible_again(web: Web, root: Path) -> None:
    write = fix(web, web.id_of(MOVED))
    left = (root / "docs/a.md").read_text()
    (root / "docs/a.md").write_text("other\n")
    assert read_back(web, write)["plan"] is None
    (root / "docs/a.md").write_text(left)
    assert take_back(web, write).status_code == 303
    assert (root / "docs/a.md").read_text() == DOCUMENT


@pytest.mark.parametrize("field", ["before", "after"])
def test_a_stale_digest_takes_nothing_back(web: Web, root: Path, field: str) -> None:
    write = fix(web, web.id_of(MOVED))
    left = (root / "docs/a.md").read_text()
    answer = web.post(f"/writes/{write}/take-back", {**read_digests(read_back(web, write)), field: "0" * 64})
    assert answer.status_code == 409 and (root / "docs/a.md").read_text() == left


def test_a_file_that_is_gone_is_not_made_again(web: Web, root: Path) -> None:
    write = fix(web, web.id_of(MOVED))
    given = read_digests(read_back(web, write))
    (root / "docs/a.md").unlink()
    assert web.post(f"/writes/{write}/take-back", given).status_code == 409
    assert not (root / "docs/a.md").exists()


def test_a_link_in_the_place_of_a_file_is_left_alone(web: Web, root: Path, tmp_path: Path) -> None:
    write = fix(web, web.id_of(MOVED))
    given = read_digests(read_back(web, write))
    outside = tmp_path / "outside.md"
    (root / "docs/a.md").rename(outside)
    left = outside.read_text()
    (root / "docs/a.md").symlink_to(outside)
    answer = web.post(f"/writes/{write}/take-back", given)
    assert answer.status_code == 409 and "leads outside the root" in answer.text
    assert outside.read_text() == left


def test_a_created_file_that_became_a_link_is_not_removed(web: Web, root: Path) -> None:
    """Another file with the same text must not be removed in its place."""
    write = accept(web, web.id_of(EDITED))
    given = read_digests(read_back(web, write))
    (root / ".pincite-accepted").rename(root / "kept")
    (root / ".pincite-accepted").symlink_to("kept")
    assert web.post(f"/writes/{write}/take-back", given).status_code == 409
    assert (root / "kept").exists() and (root / ".pincite-accepted").is_symlink()


@pytest.mark.parametrize("id", ["0" * 12, "x", "<b>"])
def test_an_unknown_write(web: Web, id: str) -> None:
    assert web.get(f"/writes/{id}/take-back.json").status_code == 404
    assert web.post(f"/writes/{id}/take-back.json", {"before": "x", "after": "x"}).status_code == 404


def test_writes_are_listed_the_newest_first(web: Web) -> None:
    first, second = fix(web, web.id_of(MOVED)), fix(web, web.id_of(TWICE))
    assert [one["id"] for one in web.get("/writes.json").json()["writes"]] == [second, first]
    page = web.get("/writes").text
    assert "2 writes of this server" in page and "Fix src/gauge.py L7 in docs/a.md, line 7" in page


def test_a_write_can_be_taken_back_without_the_token_of_another_site(web: Web) -> None:
    """Only our own pages may have it done."""
    write = fix(web, web.id_of(MOVED))
    answer = web.client.post(
        f"/writes/{write}/take-back", data=read_digests(read_back(web, write)), headers={"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 403
