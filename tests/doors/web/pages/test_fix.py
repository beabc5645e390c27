"""The fix of a citation: nothing is written that was not shown, and nothing that does harm."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support_review import (
    AMBIGUOUS,
    CODE,
    DOCUMENT,
    EDITED,
    LATER,
    MISSING,
    MOVED,
    TWICE,
    WINDOWS,
    make_review_repository,
    read_digests,
)
from support_web import Web, open_web


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def web(root: Path) -> Iterator[Web]:
    with open_web(root) as web:
        yield web


def read_plan(web: Web, id: str, **query: Any) -> dict[str, Any]:
    answer = web.get(f"/c/{id}/fix.json", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def list_rows(record: dict[str, Any]) -> list[str]:
    return [
        row
        for file in record["plan"]["files"]
        for row in file["rows"]
        if row[:1] in "+-" and row[:3] not in ("+++", "---")
    ]


def test_only_this_citation_is_fixed(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    assert list_rows(plan) == [
        f"-Depths beyond it are refused {MOVED}.",
        "+Depths beyond it are refused 【F:src/gauge.py†L7-L8】.",
    ]
    assert (root / "docs/a.md").read_text() == DOCUMENT
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code == 303 and answer.headers["location"] == "/d/docs/a.md"
    assert (root / "docs/a.md").read_text() == DOCUMENT.replace(MOVED, "【F:src/gauge.py†L7-L8】")
    web.wait(lambda: web.site.documents.find(id) is None)


def test_all_safe_edits_of_a_document(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id, all=1)
    assert len(list_rows(plan)) == 4
    assert web.post(f"/c/{id}/fix", {**read_digests(plan), "all": "1"}).status_code == 303
    text = (root / "docs/a.md").read_text()
    assert "†L7-L8】" in text and "†L9】" in text and EDITED in text
    assert web.get("/writes.json").json()["writes"][0]["title"] == "Fix 2 citations in docs/a.md"


def test_a_choice_of_a_person(web: Web, root: Path) -> None:
    id = web.id_of(AMBIGUOUS)
    assert read_plan(web, id)["refused"] == ["several places may be meant: choose one of them"]
    plan = read_plan(web, id, to=2)
    assert plan["notes"][0].startswith("Line 9 needs a reader: 2 files are called util.py")
    answer = web.client.post(
        f"/c/{id}/fix.json", json={**read_digests(plan), "to": 2}, headers={"sec-fetch-site": "same-origin"}
    )
    assert answer.status_code == 200 and answer.json()["files"] == ["docs/a.md"]
    assert "src/util.py:2" in (root / "docs/a.md").read_text()


def test_bytes_stay_as_they_are(web: Web, root: Path) -> None:
    row = next(row for row in web.site.documents.all_rows() if row.document.endswith("bytes.md"))
    plan = read_plan(web, row.id)
    assert plan["plan"]["files"][0]["rows"][3].startswith(" \\u{feff}# Bytes")
    assert web.post(f"/c/{row.id}/fix", read_digests(plan)).status_code == 303
    expected = WINDOWS.replace(b"L5-L6", b"L7-L8")
    assert (root / "docs/deep/bytes.md").read_bytes() == expected


def test_mode_and_other_documents_stay(web: Web, root: Path) -> None:
    (root / "docs/a.md").chmod(0o640)
    id = web.id_of(TWICE)
    assert web.post(f"/c/{id}/fix", read_digests(read_plan(web, id))).status_code == 303
    assert (root / "docs/a.md").stat().st_mode & 0o777 == 0o640
    assert (root / "docs/deep/bytes.md").read_bytes() == WINDOWS
    assert not [name for name in (root / "docs").iterdir() if name.name not in ("a.md", "deep")]


@pytest.mark.parametrize("fields", [{"before": "0" * 64}, {"after": "0" * 64}, {"before": "", "after": ""}])
def test_a_stale_digest_writes_nothing_and_shows_the_diff_again(web: Web, root: Path, fields: dict[str, str]) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    answer = web.post(f"/c/{id}/fix", {**read_digests(plan), **fields})
    assert answer.status_code == 409
    assert "nothing was written" in answer.text and plan["plan"]["after"] in answer.text
    assert "†L7-L8】" in answer.text
    assert (root / "docs/a.md").read_text() == DOCUMENT
    assert web.get("/writes.json").json()["writes"] == []


@pytest.mark.parametrize(
    ("missing", "given"), [("before", {"after": "x"}), ("after", {"before": "x"}), ("before", {}), ("extra", None)]
)
def test_a_form_without_its_digests_is_refused(
    web: Web, root: Path, missing: str, given: dict[str, str] | None
) -> None:
    id = web.id_of(MOVED)
    answer = web.post(f"/c/{id}/fix", {"before": "x", "after": "x", "extra": "1"} if given is None else given)
    assert answer.status_code == 422 and missing in answer.text
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_a_document_that_changed_in_between_is_not_written(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    edited = DOCUMENT + "\nOne more line.\n"
    (root / "docs/a.md").write_text(edited)
    answer = web.client.post(f"/c/{id}/fix.json", json=read_digests(plan), headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 409
    body = answer.json()
    assert body["status"] == 409 and "nothing was written" in body["error"]
    assert body["now"]["plan"]["before"] != plan["plan"]["before"]
    assert (root / "docs/a.md").read_text() == edited
    # The fresh plan can be written.
    assert web.post(f"/c/{id}/fix", read_digests(body["now"])).status_code == 303
    assert (root / "docs/a.md").read_text() == edited.replace(MOVED, "【F:src/gauge.py†L7-L8】")


def test_code_that_changed_in_between_changes_the_plan(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    code = root / "src/gauge.py"
    code.write_text("# one\n# two\n" + code.read_text())
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code == 409 and "†L9-L10】" in answer.text
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_a_citation_that_is_gone_is_a_conflict_for_its_form(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    (root / "docs/a.md").write_text("Nothing is cited 【F:src/util.py†L1】.\n")
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code == 409 and "no such citation" in answer.text and "<form" not in answer.text
    web.wait(lambda: web.get(f"/c/{id}/fix.json").status_code == 404)


def test_a_vanished_document(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    (root / "docs/a.md").unlink()
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code == 409 and "no such document any more" in answer.text
    assert web.get(f"/c/{id}/fix.json").status_code == 404
    assert not (root / "docs/a.md").exists()


def test_a_document_that_became_a_link_out_of_the_root(web: Web, root: Path, tmp_path: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    outside = tmp_path / "outside.md"
    outside.write_text(DOCUMENT)
    (root / "docs/a.md").unlink()
    (root / "docs/a.md").symlink_to(outside)
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code == 409 and "leads outside the root" in answer.text
    assert "The limit is 40" not in answer.text
    assert outside.read_text() == DOCUMENT and (root / "docs/a.md").is_symlink()


@pytest.mark.parametrize("data", [b"\xff" + DOCUMENT.encode(), DOCUMENT.encode("utf-16"), b"\0" * 100, b""])
def test_a_document_that_became_unreadable(web: Web, root: Path, data: bytes) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    (root / "docs/a.md").write_bytes(data)
    assert web.post(f"/c/{id}/fix", read_digests(plan)).status_code == 409
    assert (root / "docs/a.md").read_bytes() == data


def test_a_folder_that_became_a_link_out_of_the_root(web: Web, root: Path, tmp_path: Path) -> None:
    id = web.id_of(MOVED)
    plan = read_plan(web, id)
    (root / "docs").rename(tmp_path / "elsewhere")
    (root / "docs").symlink_to(tmp_path / "elsewhere")
    answer = web.post(f"/c/{id}/fix", read_digests(plan))
    assert answer.status_code >= 400
    assert (tmp_path / "elsewhere/a.md").read_text() == DOCUMENT


@pytest.mark.parametrize("id", ["0" * 16, "x", "..", "%2e%2e", "a" * 5000, "\u202e", "<script>"])
def test_an_unknown_id(web: Web, id: str) -> None:
    for answer in (web.get(f"/c/{id}/fix.json"), web.post(f"/c/{id}/fix.json", {"before": "x", "after": "x"})):
        assert answer.status_code == 404, answer.text


@pytest.mark.parametrize("to", ["99", "-1", "3", "999999"])
def test_a_foreign_candidate(web: Web, root: Path, to: str) -> None:
    id = web.id_of(AMBIGUOUS)
    answer = web.get(f"/c/{id}/fix.json", params={"to": to})
    assert answer.status_code == 404 and "there is no choice" in answer.json()["error"]
    answer = web.post(f"/c/{id}/fix", {**read_digests(read_plan(web, id, to=1)), "to": to})
    assert answer.status_code == 409
    assert (root / "docs/a.md").read_text() == DOCUMENT


@pytest.mark.parametrize("query", [{"to": "x"}, {"all": "perhaps"}, {"nonsense": "1"}])
def test_what_cannot_be_asked_is_refused(web: Web, query: dict[str, str]) -> None:
    assert web.get(f"/c/{web.id_of(MOVED)}/fix.json", params=query).status_code == 422


def test_the_digests_of_another_choice_do_not_count(web: Web, root: Path) -> None:
    id = web.id_of(AMBIGUOUS)
    assert web.post(f"/c/{id}/fix", {**read_digests(read_plan(web, id, to=1)), "to": "2"}).status_code == 409
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_the_digests_of_another_citation_do_not_count(web: Web, root: Path) -> None:
    given = read_digests(read_plan(web, web.id_of(MOVED)))
    assert web.post(f"/c/{web.id_of(TWICE)}/fix", given).status_code == 409
    assert (root / "docs/a.md").read_text() == DOCUMENT


@pytest.mark.parametrize("raw", [MISSING, "util.py:2"])
def test_nothing_to_write_is_a_conflict(web: Web, root: Path, raw: str) -> None:
    id = web.id_of(raw)
    assert read_plan(web, id)["plan"] is None
    answer = web.post(f"/c/{id}/fix", {"before": "0" * 64, "after": "0" * 64})
    assert answer.status_code == 409 and "there is nothing to write" in answer.text
    assert (root / "docs/a.md").read_text() == DOCUMENT


def test_a_malformed_citation_cannot_be_fixed(web: Web, root: Path) -> None:
    (root / "docs/bad.md").write_text("It is so 【F:src/gauge.py†L9-L3】.\n")
    web.wait(lambda: web.get("/index.json").json()["outcomes"].get("malformed"))
    id = web.id_of("【F:src/gauge.py†L9-L3】")
    answer = web.get(f"/c/{id}/fix.json")
    assert answer.status_code == 404 and "cannot be read as a citation" in answer.json()["error"]


def test_a_choice_that_would_do_harm_is_refused_with_the_reason(make_repository: Callable[..., Any]) -> None:
    """`gateway.py:1, 3` is read as two citations: a path in the place of the first would lose the second."""
    repository = make_repository("harm")
    old = "first = 1\nsecond = 2\nthird = 3\n"
    repository.commit({"pincite.toml": "", "src/gateway.py": old, "docs/a.md": "See gateway.py:1, 3 for both.\n"})
    repository.commit({"src/gateway.py": "import os\n" * 10 + old})
    with open_web(repository.path) as web:
        rows = [row for row in web.site.documents.all_rows() if row.raw == "gateway.py:1"]
        if not rows:
            pytest.skip("the citation is read otherwise")
        record = read_plan(web, rows[0].id)
        if record["plan"] is None:
            assert record["refused"]
        answer = web.post(f"/c/{rows[0].id}/fix", {"before": "0" * 64, "after": "0" * 64})
        assert answer.status_code == 409
        assert (repository.path / "docs/a.md").read_text() == "See gateway.py:1, 3 for both.\n"


def test_a_read_only_server_shows_and_does_not_write(root: Path) -> None:
    with open_web(root, read_only=True) as web:
        id = web.id_of(MOVED)
        page = web.get(f"/c/{id}/fix")
        assert page.status_code == 200 and "<button" not in page.text and "†L7-L8】" in page.text
        answer = web.post(f"/c/{id}/fix", read_digests(read_plan(web, id)))
        assert answer.status_code == 403 and "--read-only" in answer.text
        assert (root / "docs/a.md").read_text() == DOCUMENT


def test_two_browsers_at_once_write_once(web: Web, root: Path) -> None:
    id = web.id_of(MOVED)
    given = read_digests(read_plan(web, id))
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: web.post(f"/c/{id}/fix", given), range(6)))
    assert sorted(answer.status_code for answer in answers) == [303, 409, 409, 409, 409, 409]
    assert (root / "docs/a.md").read_text() == DOCUMENT.replace(MOVED, "【F:src/gauge.py†L7-L8】")
    assert len(web.get("/writes.json").json()["writes"]) == 1


def test_two_browsers_that_fix_different_citations_lose_nothing(web: Web, root: Path) -> None:
    first, second = web.id_of(MOVED), web.id_of(TWICE)
    plans = {id: read_digests(read_plan(web, id)) for id in (first, second)}
    assert web.post(f"/c/{first}/fix", plans[first]).status_code == 303
    answer = web.client.post(f"/c/{second}/fix.json", json=plans[second], headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 409
    assert web.post(f"/c/{second}/fix", read_digests(answer.json()["now"])).status_code == 303
    text = (root / "docs/a.md").read_text()
    assert text == DOCUMENT.replace(MOVED, "【F:src/gauge.py†L7-L8】").replace(TWICE, "【F:src/gauge.py†L9】")


def test_a_citation_that_is_written_twice_is_fixed_where_it_was_asked_for(make_repository: Callable[..., Any]) -> None:
    """Ids count the same text; once the first is fixed, the others count anew, and an old form must not hit another."""
    repository = make_repository("twice")
    code = "".join(f"value_{number} = {number}\n" for number in range(5))
    cited = "【F:src/v.py†L2】"
    document = "\n\n".join(f"Sentence {number} says value {cited}." for number in range(3)) + "\n"
    repository.commit({"pincite.toml": "", "src/v.py": code, "docs/a.md": document})
    repository.commit({"src/v.py": "import os\n" + code})
    with open_web(repository.path) as web:
        first, second, third = (row.id for row in web.site.documents.all_rows())
        plans = {id: read_digests(read_plan(web, id)) for id in (first, second, third)}
        assert web.post(f"/c/{first}/fix", plans[first]).status_code == 303
        web.wait(lambda: web.site.documents.find(third) is None)
        for id in (second, third):
            assert web.post(f"/c/{id}/fix", plans[id]).status_code in (404, 409)
        assert (repository.path / "docs/a.md").read_text() == document.replace(cited, "【F:src/v.py†L3】", 1)


def test_locked_evidence_is_shown_and_follows(make_repository: Callable[..., Any]) -> None:
    """A fix writes the lock as well where an entry follows its citation: both are shown, both are taken back."""
    repository = make_repository("locked")
    root, document = repository.path, f"Depths beyond it are refused {MOVED}.\n"
    repository.commit({"pincite.toml": "", "src/gauge.py": CODE, "docs/a.md": document})
    subprocess.run([sys.executable, "-m", "pincite", "lock", "--root", str(root)], check=True, capture_output=True)
    lock = (root / "pincite.lock").read_bytes()
    repository.commit({"src/gauge.py": LATER})
    with open_web(root) as web:
        id = web.id_of(MOVED)
        plan = read_plan(web, id)
        assert [file["path"] for file in plan["plan"]["files"]] == ["docs/a.md", "pincite.lock"]
        assert web.post(f"/c/{id}/fix", read_digests(plan)).status_code == 303
        assert (root / "pincite.lock").read_bytes() != lock
        (write,) = web.get("/writes.json").json()["writes"]
        back = web.get(f"/writes/{write['id']}/take-back.json").json()
        assert web.post(f"/writes/{write['id']}/take-back", read_digests(back)).status_code == 303
        assert (root / "pincite.lock").read_bytes() == lock and (root / "docs/a.md").read_text() == document
