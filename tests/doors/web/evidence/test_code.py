"""Lines of files: the cited ones, what their author saw, and what became of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support_mirrors import CODE, NAME, SHIFTED, MirroredPair
from support_web import Web, open_web

Show = Callable[..., dict[str, Any]]


def cited_lines(excerpt: dict[str, Any]) -> list[tuple[int, str]]:
    return [(line["number"], line["text"]) for line in excerpt["lines"] if line["is_cited"]]


def test_an_edited_line_is_shown_as_it_was_and_as_it_is(show: Show) -> None:
    evidence = show("gauge.py†L3】")
    assert evidence["kind"] == "code" and evidence["path"] == "src/gauge.py"
    assert cited_lines(evidence["excerpt"]) == [(3, "LIMIT = 250")]
    changes = [(line["kind"], line["text"], line["then"], line["now"]) for line in evidence["then"]["changes"]]
    assert changes == [("removed", "LIMIT = 100", 3, 0), ("added", "LIMIT = 250", 0, 3)]
    assert len(evidence["then"]["since"]) == 7
    assert evidence["findings"][0]["check"] == "lines-edited" and evidence["findings"][0]["is_change"]


def test_moved_lines_are_shown_where_they_stand_now_with_the_repair(show: Show) -> None:
    evidence = show("gauge.py†L13-L14】")
    assert cited_lines(evidence["moved"]) == [(17, "    def reset(self):"), (18, "        self.value = 0")]
    assert cited_lines(evidence["then"]["excerpt"]) == [(13, "    def reset(self):"), (14, "        self.value = 0")]
    assert evidence["then"]["changes"] == []
    assert evidence["findings"][0]["fix"] == "【F:src/gauge.py†L17-L18】" and not evidence["findings"][0]["withheld"]


def test_a_citation_that_holds_has_no_past_where_nothing_changed(show: Show) -> None:
    evidence = show("src/gauge.py:7-8")
    assert evidence["then"] is None and evidence["findings"] == []
    assert [number for number, _ in cited_lines(evidence["excerpt"])] == [7, 8]
    assert [line["number"] for line in evidence["excerpt"]["lines"]] == list(range(4, 12))


def test_a_definition_is_shown_from_its_first_line_to_its_last(show: Show) -> None:
    evidence = show("Gauge.add")
    assert [number for number, _ in cited_lines(evidence["excerpt"])] == [14, 15]
    assert {"name": "definition", "value": "Gauge.add"} in evidence["facts"]


def test_a_section_is_shown_from_its_heading_on(show: Show) -> None:
    evidence = show("§Limits")
    assert cited_lines(evidence["excerpt"])[0] == (3, "## Limits")


def test_the_rule_of_a_target_is_shown(show: Show) -> None:
    lines = cited_lines(show("make lint")["excerpt"])
    assert lines == [(3, "lint: src"), (4, "    python -m compileall src"), (5, "    echo done")]


def test_an_address_of_a_commit_is_read_from_git(show: Show) -> None:
    evidence = show("https://github.com")
    assert cited_lines(evidence["excerpt"]) == [(3, "LIMIT = 100")]
    assert evidence["path"] == "" and evidence["facts"][0]["name"] == "commit"


def test_a_file_that_was_deleted_is_shown_as_the_author_saw_it(show: Show) -> None:
    evidence = show("store.py†L1-L2】")
    assert evidence["kind"] == "none" and "File not found: src/store.py" in evidence["statement"]
    assert cited_lines(evidence["then"]["excerpt"]) == [(1, "one = 1"), (2, "two = 2")]


def test_nothing_is_read_outside_of_the_root(show: Show, page: Callable[..., str]) -> None:
    evidence = show("../../etc/passwd")
    assert evidence["kind"] == "none" and evidence["excerpt"] is None and evidence["then"] is None
    assert "root:" not in page("../../etc/passwd")


def test_malformed_text_has_a_reason_instead_of_evidence(show: Show, page: Callable[..., str]) -> None:
    evidence = show("L13-L11")
    assert evidence["kind"] == "none" and "the range ends before it starts" in evidence["statement"]
    assert "the range ends before it starts" in page("L13-L11")


def test_a_name_of_two_files_lists_both_with_what_would_be_written(show: Show) -> None:
    evidence = show("[notes.md, §Alpha]")
    (finding,) = evidence["findings"]
    assert [one["name"] for one in finding["candidates"]] == ["docs/x/notes.md", "docs/y/notes.md"]
    assert all(one["name"] in one["replacement"] for one in finding["candidates"])


def test_hostile_text_and_names_are_text(page: Callable[..., str], show: Show) -> None:
    text = page("<img src=x>")
    assert "<script>alert" not in text and "<img src=x" not in text and "&lt;script&gt;" in text
    assert "\u202e" not in text and "\x1b" not in text and "\\u{202e}" in re.sub("<[^>]*>", "", text)
    lines = show("<img src=x>")["excerpt"]["lines"]
    assert len(lines[1]["text"]) <= 400 and lines[1]["is_cut"] and not lines[0]["is_cut"]


def test_colour_is_not_the_only_mark_of_a_cited_line(page: Callable[..., str]) -> None:
    text = page("src/gauge.py:7-8")
    assert text.count('class="line cited"') == 2 and text.count("&gt;&nbsp;") == 2 and text.count("<mark>") == 3


def test_json_has_no_markup(show: Show) -> None:
    assert "<span" not in str(show("src/gauge.py:7-8"))


@pytest.fixture
def site(tmp_path: Path) -> Callable[[dict[str, str]], Any]:
    """A site of these files, without history."""

    def write(files: dict[str, str]) -> Any:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        (tmp_path / "pincite.toml").write_text("")
        return open_web(tmp_path)

    return write


def load_only(web: Web) -> dict[str, Any]:
    (row,) = web.site.documents.all_rows()
    answer = web.get(f"/c/{row.id}.json")
    assert answer.status_code == 200 and web.get(f"/c/{row.id}").status_code == 200
    record: dict[str, Any] = answer.json()["evidence"]
    return record


def test_a_long_citation_is_cut_and_says_so(site: Callable[..., Any]) -> None:
    code = "".join(f"x{at} = {at}\n" for at in range(5000))
    with site({"src/a.py": code, "a.md": "All of it 【F:src/a.py†L1-L5000】.\n"}) as web:
        excerpt = load_only(web)["excerpt"]
        assert len(excerpt["lines"]) == 200 and excerpt["left_out"] == 4800


def test_lines_behind_the_end_are_told_and_not_shown(site: Callable[..., Any]) -> None:
    with site({"src/a.py": "one = 1\n", "a.md": "There 【F:src/a.py†L9-L12】.\n"}) as web:
        evidence = load_only(web)
        assert evidence["excerpt"] is None and "ends before the cited lines" in evidence["statement"]


def test_a_file_without_cited_lines_exists(site: Callable[..., Any]) -> None:
    with site({"src/a.py": "one = 1\n", "AGENTS.md": "The code is in `src/a.py`.\n"}) as web:
        evidence = load_only(web)
        assert evidence["excerpt"] is None and "the file exists; no lines are cited" in evidence["statement"]


def test_a_document_that_is_gone_still_has_its_evidence(site: Callable[..., Any], tmp_path: Path) -> None:
    with site({"src/a.py": "one = 1\n", "a.md": "There 【F:src/a.py†L1】.\n"}) as web:
        (row,) = web.site.documents.all_rows()
        from pincite.doors.web.evidence import load_evidence

        (tmp_path / "a.md").unlink()
        assert load_evidence(web.site, row).excerpt is not None


def test_a_file_that_is_no_text_is_told(site: Callable[..., Any]) -> None:
    with site({"src/a.bin": "\udcff\udcfe\x00\udc80", "a.md": "There 【F:src/a.bin†L1】.\n"}) as web:
        assert load_only(web)["kind"] == "none"


def test_an_unknown_id_is_not_found(everything: Web) -> None:
    for path in ("/c/ffffffffffffffff", "/c/ffffffffffffffff.json", "/c/x/page.png?page=1"):
        assert everything.get(path).status_code == 404


@pytest.mark.parametrize("query", ["page=x", "page=1&more=2"])
def test_an_odd_query_is_refused(query: str, everything: Web) -> None:
    row = next(everything.site.documents.all_rows())
    assert everything.get(f"/c/{row.id}?{query}").status_code == 422


def test_a_file_of_another_repository_is_shown_from_its_mirror(
    make_repository: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = MirroredPair(make_repository, tmp_path)
    monkeypatch.setenv("PINCITE_MIRRORS", str(pair.folder))
    pair.publish(1, {"src/a.py": CODE})
    pair.commit(pair.here, 2, {"doc.md": "It multiplies: other/name:src/a.py:6 does.\n", "src/a.py": "not this\n" * 20})
    pair.publish(20, {"src/a.py": SHIFTED})
    with open_web(pair.here.path) as web:
        evidence = load_only(web)
        assert web.get("/graph").status_code == web.get("/d/doc.md").status_code == 200
    assert evidence["excerpt"]["name"] == f"{NAME}:src/a.py" and evidence["path"] == ""
    line = CODE.split("\n")[5]
    assert cited_lines(evidence["moved"]) == [(8, line)]
    assert cited_lines(evidence["then"]["excerpt"]) == [(6, line)] and evidence["then"]["changes"] == []
