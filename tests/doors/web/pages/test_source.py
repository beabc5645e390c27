"""Who cites a file."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support_web import open_web

if TYPE_CHECKING:
    from support_web import Web


def write(repository: Path, name: str, text: str | bytes) -> None:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_every_cited_file_is_counted_by_outcome(web: Web) -> None:
    record = web.get("/sources.json").json()
    rows = {row["path"]: row for row in record["sources"]}
    assert rows["src/gauge.py"]["outcomes"] == {"holds": 2} and rows["src/gauge.py"]["documents"] == 1
    assert rows["src/gone.py"]["outcomes"] == {"missing": 1}
    assert record["cited"] == 2


def test_cited_files_are_found_by_words_of_their_paths_and_by_outcome(web: Web) -> None:
    def paths(**query: str) -> list[str]:
        return [row["path"] for row in web.get("/sources.json", params=query).json()["sources"]]

    assert paths(q="GAUGE src") == ["src/gauge.py"]
    assert paths(outcome="missing") == ["src/gone.py"]
    assert paths(order="citations") == ["src/gauge.py", "src/gone.py"]
    assert paths(q="gauge", outcome="missing") == []
    assert "No cited file matches" in web.get("/sources", params={"q": "nothing"}).text


def test_what_cannot_be_asked_of_the_list_is_refused(web: Web) -> None:
    for field, value in (("outcome", "good"), ("order", "rank"), ("page", "x"), ("other", "1"), ("outcome", "<b>")):
        answer = web.get("/sources.json", params={field: value})
        assert answer.status_code == 422 and field in answer.json()["error"]


def test_cited_lines_stand_beside_their_citations(web: Web) -> None:
    record = web.get("/s/src/gauge.py.json").json()
    cited = [(one["first"], one["last"]) for one in record["blocks"] if one["references"]]
    assert cited == [(1, 1), (5, 6)] and record["message"] == ""
    (reference,) = record["blocks"][0]["references"]
    assert reference["id"] == web.id_of("【F:src/gauge.py†L1】") and reference["outcome"] == "holds"
    page = web.get("/s/src/gauge.py").text
    assert 'id="L5"' in page and f"/d/docs/a.md?c={reference['id']}" in page
    assert '<span class="bar first holds">' in page and '<span class="token-keyword">def</span>' in page


def test_a_file_that_is_gone_shows_who_still_cites_it(web: Web) -> None:
    record = web.get("/s/src/gone.py.json").json()
    assert "no such file any more" in record["message"] and record["blocks"] == []
    assert [one["document"] for one in record["apart"][0]["references"]] == ["docs/a.md"]


def test_a_file_that_no_document_cites_is_shown_whole(repository: Path) -> None:
    write(repository, "src/other.py", "x = 1\n")
    with open_web(repository) as web:
        record = web.get("/s/src/other.py.json").json()
        assert record["view"] == "all" and record["citations"] == 0 and record["total"] == 1
        assert "No document cites it" in web.get("/s/src/other.py").text


def test_whole_files_and_lines_beyond_the_end_are_listed_apart(repository: Path) -> None:
    write(
        repository,
        "docs/b.md",
        "See 【F:src/gauge.py†L900】, [it](../src/gauge.py#L3-L99) and `src/gauge.py::measure`.\n",
    )
    with open_web(repository) as web:
        record = web.get("/s/src/gauge.py.json").json()
        groups = {group["title"]: {one["last"] for one in group["references"]} for group in record["apart"]}
        assert groups == {"Lines that the file does not have": {900, 99}, "The whole file, or a name in it": {0}}


def test_a_file_of_100_000_lines_is_shown_in_parts(repository: Path) -> None:
    write(repository, "src/long.py", "x = 1\n" * 100_000)
    write(repository, "docs/b.md", "It is one 【F:src/long.py†L50000-L50002】.\n")
    with open_web(repository) as web:
        record = web.get("/s/src/long.py.json").json()
        assert sum(len(block["lines"]) for block in record["blocks"]) == 9 and record["total"] == 100_000
        whole = web.get("/s/src/long.py.json", params={"all": 1, "page": 100}).json()
        assert whole["paging"]["pages"] == 100 and whole["blocks"][-1]["last"] == 100_000
        some = web.get("/s/src/long.py.json", params={"from": 777}).json()
        assert (some["view"], some["blocks"][0]["first"], some["after"]) == ("from", 777, 98_224)
        assert "Show lines 1 to 49996" in web.get("/s/src/long.py").text


def test_a_first_line_that_is_none_is_moved_to_one(web: Web) -> None:
    for start in (99, -3, 0, 10**9):
        blocks = web.get("/s/src/gauge.py.json", params={"from": start}).json()["blocks"]
        numbers = {line["number"] for block in blocks for line in block["lines"]}
        assert numbers and numbers <= set(range(1, 8))
    assert web.get("/s/src/gauge.py.json", params={"from": 10**30}).status_code in (200, 422)
    assert web.get("/s/src/gauge.py.json", params={"from": "x"}).status_code == 422


OUTSIDE = [
    "/s/%2e%2e/%2e%2e/etc/passwd",
    "/s//etc/passwd",
    "/s/src/%2e%2e/%2e%2e/secret.txt",
    "/s/..%2f..%2fetc%2fpasswd",
    "/s/src/gauge.py%00.txt",
    "/s/out",
    "/s/out/passwd",
    "/s/.git/config",
    "/s/~/x",
    "/s/C:/x",
    "/s/src",
    "/s/nowhere",
    "/s/" + "a/" * 2000,
    "/s/%ff%fe",
]


def test_nothing_outside_the_root_is_shown(repository: Path) -> None:
    (repository.parent / "secret.txt").write_text("TOP SECRET root:x:0\n")
    (repository / "out").symlink_to("/etc")
    (repository / ".git").mkdir()
    (repository / ".git" / "config").write_text("TOP SECRET\n")
    with open_web(repository) as web:
        for path in OUTSIDE:
            answer = web.get(path)
            assert answer.status_code in (403, 404), path
            assert "root:x:0" not in answer.text and "SECRET" not in answer.text


def test_a_link_that_leads_out_shows_who_cites_it_and_nothing_of_it(repository: Path) -> None:
    (repository.parent / "secret.txt").write_text("TOP SECRET\n")
    (repository / "src" / "leak.py").symlink_to(repository.parent / "secret.txt")
    write(repository, "docs/b.md", "It is 【F:src/leak.py†L1】 and 【F:../secret.txt†L1】.\n")
    with open_web(repository) as web:
        answer = web.get("/s/src/leak.py.json")
        assert "outside the root" in answer.json()["message"] and "SECRET" not in answer.text
        assert answer.json()["apart"][0]["references"][0]["outcome"] == "blocked"
        row = next(one for one in web.get("/sources.json").json()["sources"] if one["path"] == "../secret.txt")
        assert row["references"][0]["document"] == "docs/b.md"
        assert 'href="/s/../' not in web.get("/sources").text


def test_the_text_of_an_ignored_file_is_not_shown(repository: Path) -> None:
    write(repository, ".gitignore", "*.env\n")
    write(repository, "prod.env", "KEY=TOPSECRET\n")
    write(repository, "free.env", "KEY=TOPSECRET\n")
    (repository / "src" / "link.txt").symlink_to("../prod.env")
    write(repository, "docs/b.md", "The key is 【F:prod.env†L1】, or 【F:src/link.txt†L1】.\n")
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    with open_web(repository) as web:
        for path in ("prod.env", "src/link.txt"):
            answer = web.get(f"/s/{path}.json")
            assert "git ignores" in answer.json()["message"] and "TOPSECRET" not in answer.text
        answer = web.get("/s/free.env")
        assert answer.status_code == 404 and "TOPSECRET" not in answer.text


@pytest.mark.parametrize(
    "data",
    [b"\x7fELF\0\0\0", b"%PDF-1.7\nhello\n", b"\xff\xfeh\0i\0", b"caf\xe9\n", b"text\0text\n"],
    ids=["binary", "pdf", "utf-16", "latin-1", "nul"],
)
def test_what_is_no_text_is_not_shown(repository: Path, data: bytes) -> None:
    write(repository, "src/gauge.py", data)
    with open_web(repository) as web:
        record = web.get("/s/src/gauge.py.json").json()
        assert record["blocks"] == [] and "not shown" in record["message"]
        assert sum(len(group["references"]) for group in record["apart"]) == 2


def test_an_empty_file_has_no_lines(repository: Path) -> None:
    write(repository, "src/gauge.py", "")
    with open_web(repository) as web:
        record = web.get("/s/src/gauge.py.json").json()
        assert (record["total"], record["blocks"]) == (0, []) and web.get("/s/src/gauge.py").status_code == 200


def test_a_line_of_10_megabytes_is_cut(repository: Path) -> None:
    write(repository, "src/gauge.py", "x" * 10_000_000)
    with open_web(repository) as web:
        answer = web.get("/s/src/gauge.py")
        assert answer.status_code == 200 and len(answer.text) < 20_000 and "the line goes on" in answer.text


def test_a_file_that_is_too_large_is_not_shown(repository: Path) -> None:
    write(repository, "src/gauge.py", b"x\n" * 9_000_000)
    with open_web(repository) as web:
        record = web.get("/s/src/gauge.py.json").json()
        assert record["blocks"] == [] and "not shown" in record["message"]


def test_what_a_file_says_is_only_text(repository: Path) -> None:
    write(
        repository, "src/gauge.py", "# <script>alert(1)</script> \u202e evil\n'</code><img src=x onerror=alert(1)>'\n"
    )
    name = "src/<img src=x onerror=alert(1)>.py"
    write(repository, name, "x = 1\n")
    write(repository, "docs/<b>.md", f"It is 【F:src/gauge.py†L1-L2】, see 【F:{name}†L1】.\n")
    with open_web(repository) as web:
        for address in ("/s/src/gauge.py", "/s/src/%3Cimg%20src=x%20onerror=alert(1)%3E.py", "/sources"):
            answer = web.get(address)
            assert answer.status_code == 200, answer.text
            assert "<script>alert" not in answer.text and "<img" not in answer.text and "<b>" not in answer.text
            assert "\u202e" not in answer.text


def test_a_file_whose_name_ends_in_json_has_a_page(repository: Path) -> None:
    write(repository, "src/data.json", '{"a": 1}\n')
    write(repository, "docs/b.md", "It is one 【F:src/data.json†L1】.\n")
    with open_web(repository) as web:
        assert "/s/src/data.json.html" in web.get("/sources").text
        assert "<h1>src/data.json</h1>" in web.get("/s/src/data.json.html").text
        assert web.get("/s/src/data.json.json").json()["total"] == 1
