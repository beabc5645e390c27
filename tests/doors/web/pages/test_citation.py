"""The page of one citation: its sentence as it is written, its verdict, and the way to its document and source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support_web import Web, open_web

CODE = "one = 1\ntwo = 2\n"


def load(web: Web, nth: int = 0) -> dict[str, Any]:
    row = list(web.site.documents.all_rows())[nth]
    record: dict[str, Any] = web.get(f"/c/{row.id}.json").json()
    assert web.get(f"/c/{row.id}").status_code == 200
    return record


def test_the_page_leads_to_the_document_and_to_the_source(web: Web) -> None:
    text = web.get(f"/c/{web.id_of('【F:src/gauge.py†L1】')}").text
    assert "/d/docs/a.md?c=" in text and "/s/src/gauge.py" in text and "evidence.css" in text
    assert 'style="' not in text


def test_what_is_missing_leads_nowhere(web: Web) -> None:
    text = web.get(f"/c/{web.id_of('【F:src/gone.py†L3】')}").text
    assert "File not found: src/gone.py" in text and "/s/src/gone.py" not in text and "No evidence" in text


@pytest.mark.parametrize(
    ("written", "claim"),
    [
        ("Before. It is one 【F:a.py†L1】 here. After.", ("It is one ", " here.")),
        ("Before. It is one. 【F:a.py†L1】 After.", ("It is one. ", "")),
        ("- an item 【F:a.py†L1】\n- another", ("an item ", "")),
        ("【F:a.py†L1】", ("", "")),
        ("<b>bold</b>\u202e 【F:a.py†L1】.", ("<b>bold</b>\\u{202e} ", ".")),
        ("x" * 5000 + " 【F:a.py†L1】" + "y" * 5000, None),
    ],
)
def test_the_sentence_is_shown_as_it_is_written(written: str, claim: tuple[str, str] | None, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "a.md").write_text(f"# Title\n\n{written}\n")
    (tmp_path / "pincite.toml").write_text("")
    with open_web(tmp_path) as web:
        found = load(web)["claim"]
        assert found["cited"] == "【F:a.py†L1】" and len(found["before"]) <= 800 and len(found["after"]) <= 800
        if claim is not None:
            assert (found["before"], found["after"]) == claim
        text = web.get(f"/c/{load(web)['citation']['id']}").text
        assert "<b>bold" not in text and "\u202e" not in text


def test_a_citation_that_moved_in_its_document_has_no_sentence(repository: Path) -> None:
    from pincite.doors.web.pages.citation import _find_claim

    with open_web(repository) as web:
        row = next(web.site.documents.all_rows())
        (repository / row.document).write_text("Another text altogether.\n")
        assert _find_claim(web.site, row) is None
        (repository / row.document).unlink()
        assert _find_claim(web.site, row) is None
