"""`pincite cite`: a hit written down, and what was written looked at again."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pincite.safe.files import Root
from pincite.search.passages.identity import chunk_identity
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


Run = Callable[..., tuple[int, str, str]]
PINCITE = [sys.executable, "-m", "pincite"]
PASSAGE = "## Renewing [all] `sessions`\n\nA session is renewed\nby a walrus."
GUIDE = f"# Guide\n\nIntro.\n\n{PASSAGE}\n\n## End\n\nThat is all.\n"
NAME = chunk_identity("docs/guide.md", PASSAGE).hex[:8]


@pytest.fixture
def cite(tmp_path: Path, in_folder: Run) -> Run:
    """Runs the command where a search found one passage: arguments -> exit code, output, errors."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").write_text(GUIDE)
    sleep(0.04)
    assert in_folder("index")[0] == 0
    assert in_folder("search", "walrus")[0] == 0
    return lambda *words: in_folder("cite", *words)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ((), "[guide.md, §Renewing \\[all\\] \\`sessions\\`]"),
        (("--style", "inline"), "[guide.md, §Renewing \\[all\\] \\`sessions\\`]"),
        (("--style", "footnote"), f"[^{NAME}]: docs/guide.md:5"),
        (("--style", "footnote", "--no-lines"), f"[^{NAME}]: docs/guide.md"),
        (("--style", "footnote", "--absolute"), f"[^{NAME}]: TOP/docs/guide.md:5"),
        (("--style", "markdown"), "[guide.md](docs/guide.md#L5)"),
        (("--style", "markdown", "--absolute"), "[guide.md](file://TOP/docs/guide.md#L5)"),
        (("--style", "markdown", "--absolute", "--no-lines"), "[guide.md](file://TOP/docs/guide.md)"),
        (("--style", "bracket"), "【F:docs/guide.md†L5-L8】"),
        (("--style", "bracket", "--absolute"), "【F:docs/guide.md†L5-L8】"),
        (
            ("--style", "quote"),
            "> ## Renewing [all] `sessions`\n>\n> A session is renewed\n> by a walrus.\n>\n"
            "> — [guide.md](docs/guide.md#L5-L8), §Renewing [all] `sessions`",
        ),
        (("--template", "{title} ({path}:{line}-{last}) {label} {{}}"), f"guide.md (docs/guide.md:5-8) {NAME} {{}}"),
        (("--template", "{absolute}|{relative}|{page}", "--absolute"), "TOP/docs/guide.md|docs/guide.md|"),
    ],
)
def test_styles(tmp_path: Path, cite: Run, words: tuple[str, ...], written: str) -> None:
    assert cite("--hit", "1", *words) == (0, written.replace("TOP", str(tmp_path.resolve())) + "\n", "")


def test_csl(tmp_path: Path, cite: Run) -> None:
    item = json.loads(cite("--hit", "1", "--style", "csl")[1])
    assert (item["type"], item["id"], item["title"]) == ("document", NAME, "guide.md")
    assert item["URL"] == f"file://{tmp_path.resolve()}/docs/guide.md"
    assert "lines 5–8" in item["note"]
    assert "lines" not in json.loads(cite("--hit", "1", "--style", "csl", "--no-lines")[1])["note"]


def test_json(cite: Run) -> None:
    answer = json.loads(cite("--hit", "1", "--format", "json")[1])
    assert (answer["schema"], answer["text"]) == ("pincite.cite/1", "[guide.md, §Renewing \\[all\\] \\`sessions\\`]")
    cited = answer["citation"]
    assert (cited["relative_path"], cited["line_number"], cited["end_line"], cited["text"]) == (
        "docs/guide.md",
        5,
        8,
        PASSAGE,
    )


def test_settings(tmp_path: Path, cite: Run) -> None:
    settings = '[retrieval]\nstyle = "mine"\nlines = false\n[retrieval.templates]\nmine = "<{name}:{line}>"\n'
    (tmp_path / "pincite.toml").write_text(settings)
    assert cite("--hit", "1")[1] == "<guide.md:>\n"
    assert cite("--hit", "1", "--lines")[1] == "<guide.md:5>\n"
    (tmp_path / "pincite.toml").write_text('[retrieval]\nstyle = "footnote"\nabsolute = true\n')
    assert cite("--hit", "1")[1] == f"[^{NAME}]: {tmp_path.resolve()}/docs/guide.md:5\n"
    assert cite("--hit", "1", "--relative")[1] == f"[^{NAME}]: docs/guide.md:5\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say what to cite"),
        (("--hit", "1", "--recent", "1"), "say what to cite"),
        (("--hit", "2"), "there is no number 2: the last search found 1"),
        (("--recent", "1"), "there is nothing to cite"),
        (("--hit", "1", "--style", "nonsense"), "style 'nonsense' is not known; choose from: inline"),
        (("--hit", "1", "--template", "{nonsense}"), "no field is called 'nonsense'"),
        (("--hit", "1", "--template", "{"), "a single '{'"),
        (("--hit", "1", "--style", "bracket", "--no-lines"), "brackets cite lines"),
        (("--hit", "0"), "0 is not in the range"),
    ],
)
def test_what_cannot_be_done(cite: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = cite(*words)
    assert (code, out, said in err) == (2, "", True), err


def test_before_any_search(in_folder: Run) -> None:
    code, out, err = in_folder("cite", "--hit", "1")
    assert (code, out, "begin with `pincite search`" in err) == (2, "", True)
    assert in_folder("cite", "--recent") == (
        0,
        "",
        "nothing was cited yet; `pincite search` finds, `pincite cite --hit N` cites\n",
    )


@pytest.mark.parametrize("name", ["a†b.md", "a【b.md", "a\nb.md"])
def test_a_path_that_no_bracket_can_hold(tmp_path: Path, in_folder: Run, name: str) -> None:
    (tmp_path / name).write_text("# T\n\nwalrus\n")
    in_folder("index")
    in_folder("search", "walrus")
    code, out, err = in_folder("cite", "--hit", "1", "--style", "bracket")
    assert (code, out, "cannot stand in 【】" in err) == (2, "", True)
    assert in_folder("search", "walrus", "--style", "bracket")[0] == 0
    assert in_folder("cite", "--hit", "1", "--style", "footnote")[0] == 0


def test_a_passage_that_moved_is_cited_where_it_stands(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").write_text("New first line.\n\n" + GUIDE)
    code, out, err = cite("--hit", "1", "--style", "footnote")
    assert (code, out) == (0, f"[^{NAME}]: docs/guide.md:7\n")
    assert err == "guide.md: moved from line 5 to line 7; cited where it stands now\n"


def test_a_passage_that_changed_is_not_cited(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").write_text(GUIDE.replace("by a walrus", "by a\tseal"))
    code, out, err = cite("--hit", "1")
    assert (code, out) == (1, "")
    assert err == (
        "docs/guide.md: stale: the passage changed\n"
        "  --- docs/guide.md   as cited\n"
        "  +++ docs/guide.md   now\n"
        "  @@ -5,4 +5,4 @@\n"
        "   ## Renewing [all] `sessions`\n"
        "   \n"
        "   A session is renewed\n"
        "  -by a walrus.\n"
        "  +by a   seal.\n"
        "nothing was cited; search again\n"
    )


def test_line_ends_that_changed_are_said(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").write_bytes(GUIDE.replace("\n", "\r\n").encode())
    code, out, err = cite("--hit", "1", "--format", "json")
    assert (code, "only its line ends changed" in err) == (0, True)
    cited = json.loads(out)["citation"]
    assert cited["chunk_id"] == str(chunk_identity("docs/guide.md", PASSAGE.replace("\n", "\r\n")))


def test_a_document_that_is_gone(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").unlink()
    code, out, err = cite("--hit", "1")
    assert (code, out) == (1, "")
    place = f"{tmp_path.resolve()}/docs/guide.md"
    assert err == f"docs/guide.md: missing: there is no file {place}\nnothing was cited; search again\n"


def _expect_found(tmp_path: Path, cite: Run, where: str, line: int = 5) -> None:
    """That the passage is cited where its document went, by the id it has there."""
    code, out, err = cite("--hit", "1", "--format", "json")
    assert (code, "cited where it stands now" in err) == (0, True), err
    cited = json.loads(out)["citation"]
    assert (cited["relative_path"], cited["line_number"]) == (where, line)
    assert cited["chunk_id"] == str(chunk_identity(where, PASSAGE))
    assert f"stands in {tmp_path.resolve()}/{where}, line {line}" in err


def test_a_document_that_moved_without_git(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").rename(tmp_path / "manual.md")
    _expect_found(tmp_path, cite, "manual.md")


def test_a_document_that_moved_and_changed_without_git(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").unlink()
    (tmp_path / "manual.md").write_text("More.\n\n" + GUIDE)
    _expect_found(tmp_path, cite, "manual.md", 7)


def test_two_documents_that_could_be_it(tmp_path: Path, cite: Run) -> None:
    (tmp_path / "docs/guide.md").unlink()
    for name in ("one.md", "two.md"):
        (tmp_path / name).write_text(GUIDE)
    code, out, err = cite("--hit", "1")
    assert (code, out, "stands in" in err) == (1, "", False)


@pytest.fixture
def committed(tmp_path: Path, make_repository: Callable[..., Any], in_folder: Run) -> Any:
    """A repository in the test's folder whose passage was found."""
    repository = make_repository(".")
    repository.commit({"docs/guide.md": GUIDE})
    sleep(0.04)
    assert in_folder("index")[0] == 0
    assert in_folder("search", "walrus")[0] == 0
    return repository


@pytest.mark.parametrize("commit", [True, False])
def test_a_document_that_git_renamed(tmp_path: Path, in_folder: Run, committed: Any, commit: bool) -> None:
    committed.git("mv", "docs/guide.md", "manual.md")
    if commit:
        committed.commit()
    _expect_found(tmp_path, lambda *words: in_folder("cite", *words), "manual.md")


def test_a_document_that_git_renamed_twice_and_changed(tmp_path: Path, in_folder: Run, committed: Any) -> None:
    committed.git("mv", "docs/guide.md", "manual.md")
    committed.commit()
    committed.git("mv", "manual.md", "book.md")
    committed.commit({"book.md": "More.\n\n" + GUIDE})
    _expect_found(tmp_path, lambda *words: in_folder("cite", *words), "book.md", 7)


def test_what_was_cited_lately(tmp_path: Path, cite: Run, in_folder: Run) -> None:
    (tmp_path / "b.md").write_text("# B\n\nA second seal.\n")
    cite("--hit", "1")
    in_folder("search", "seal")
    cite("--hit", "1")
    assert cite("--recent") == (
        0,
        "  1  b.md:1  §B\n  2  docs/guide.md:5  §Renewing [all] `sessions`\n",
        "",
    )
    assert cite("--recent", "2", "--style", "footnote")[1] == f"[^{NAME}]: docs/guide.md:5\n"
    assert cite("--recent")[1].startswith("  1  docs/guide.md:5")
    assert [row["number"] for row in json.loads(cite("--recent", "--format", "json")[1])["recent"]] == [1, 2]
    assert cite("--recent", "3")[0] == 2


def test_what_was_cited_lately_is_looked_at_again(tmp_path: Path, cite: Run) -> None:
    cite("--hit", "1")
    assert cite("--recent", "--check") == (0, "  1  valid   docs/guide.md:5  §Renewing [all] `sessions`\n", "")
    (tmp_path / "docs/guide.md").write_text(GUIDE.replace("walrus", "seal"))
    code, out, err = cite("--recent", "--check")
    assert (code, err) == (1, "")
    assert out.startswith("  1  stale   docs/guide.md:5  §Renewing [all] `sessions`\n     the passage changed\n")
    assert "\\u{9}" not in out and "-by a walrus." in out
    rows = json.loads(cite("--recent", "--check", "--format", "json")[1])["recent"]
    assert [(row["status"], row["reason"]) for row in rows] == [("stale", "the passage changed")]
    (tmp_path / "docs/guide.md").rename(tmp_path / "manual.md")
    (tmp_path / "manual.md").write_text(GUIDE)
    code, out, _ = cite("--recent", "--check")
    assert (code, "missing" in out, "stands in" in out) == (1, True, True)


def test_a_quotation_keeps_its_tabs_and_no_more(tmp_path: Path, in_folder: Run) -> None:
    (tmp_path / "a.py").write_text("def walrus():\n\treturn '\x1b[2J'\n")
    in_folder("index")
    in_folder("search", "walrus")
    out = in_folder("cite", "--hit", "1", "--style", "quote")[1]
    assert "> \treturn '\\u{1b}[2J'\n" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("content", [b"", b"\xc1", b"\x93\x01\xa0\x91\x80", b"\x91" * 5000, bytes(100)])
def test_a_list_that_is_nonsense(tmp_path: Path, cite: Run, content: bytes) -> None:
    for name in ("found", "cited"):
        (kept(tmp_path) / name).write_bytes(content)
    assert cite("--hit", "1")[0] == 2
    assert cite("--recent")[0] == 0


@pytest.mark.parametrize("name", ["docs/guide.md", "sp ace/gu#ide [1].md", "docs/ü(ber).md", "a%20b.md", "x/y's.md"])
@pytest.mark.parametrize("style", ["inline", "footnote", "markdown", "bracket", "quote"])
@pytest.mark.parametrize("how", [(), ("--absolute",)])
def test_what_is_written_is_read_back_and_holds(
    tmp_path: Path, in_folder: Run, name: str, style: str, how: tuple[str, ...]
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(GUIDE)
    in_folder("index")
    in_folder("search", "walrus")
    code, written, err = in_folder("cite", "--hit", "1", "--style", style, *how)
    assert (code, err) == (0, "")
    (tmp_path / "answer.md").write_text(f"It is renewed. {written}" if style != "footnote" else _noted(written))
    code, out, err = in_folder("check", "answer.md")
    assert (code, out.splitlines()[0]) == (0, "✓ 1 citation in 1 document: it holds"), written


def _noted(written: str) -> str:
    return f"It is renewed.{written.partition(':')[0]}\n\n{written}"


@pytest.mark.parametrize("style", ["inline", "footnote", "markdown", "bracket"])
@pytest.mark.parametrize("hit", ["1", "2"])
@pytest.mark.parametrize("how", [(), ("--absolute",)])
def test_files_of_one_name_are_told_apart(
    tmp_path: Path, in_folder: Run, style: str, hit: str, how: tuple[str, ...]
) -> None:
    for name in ("one/guide.md", "two/guide.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(GUIDE)
    in_folder("index")
    in_folder("search", "walrus")
    written = in_folder("cite", "--hit", hit, "--style", style, *how)[1]
    (tmp_path / "answer.md").write_text(f"It is renewed. {written}" if style != "footnote" else _noted(written))
    code, out, _ = in_folder("check", "answer.md")
    assert (code, out.splitlines()[0]) == (0, "✓ 1 citation in 1 document: it holds"), written


def test_a_citation_of_what_changes_no_longer_holds(tmp_path: Path, cite: Run, in_folder: Run) -> None:
    written = cite("--hit", "1")[1]
    (tmp_path / "answer.md").write_text(f"It is renewed. {written}")
    (tmp_path / "docs/guide.md").write_text(GUIDE.replace("Renewing", "Ending"))
    assert in_folder("check", "answer.md")[0] == 1


def test_it_looks_as_it_did(
    tmp_path: Path, cite: Run, terminal: Callable[..., str], snapshot: Callable[[str, str], None]
) -> None:
    seen = terminal([*PINCITE, "cite", "--hit", "1", "--style", "quote"], tmp_path)
    (tmp_path / "docs/guide.md").write_text(GUIDE.replace("walrus", "seal"))
    seen += terminal([*PINCITE, "cite", "--recent", "--check"], tmp_path)
    snapshot("cite", seen.replace(str(tmp_path.resolve()), "/top"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("n.rst", "Notes\n=====\n\nx.\n\nDeep\n----\n\nA walrus.\n"),
        ("t.py", "import os\n\n\nclass Tool:\n    def run(self):\n        return 'walrus'\n"),
        ("h.html", "<title>Page</title><h1>Top</h1>\n<p>A &amp; walrus.</p>\n"),
        ("s.md", "Title\n=====\n\nA walrus.\n"),
    ],
)
@pytest.mark.parametrize("style", ["inline", "footnote", "markdown", "bracket"])
def test_documents_of_every_kind_are_cited_and_hold(
    tmp_path: Path, in_folder: Run, name: str, text: str, style: str
) -> None:
    (tmp_path / name).write_text(text)
    in_folder("index")
    in_folder("search", "walrus")
    written = in_folder("cite", "--hit", "1", "--style", style)[1]
    (tmp_path / "answer.md").write_text(f"It is. {written}" if style != "footnote" else _noted(written))
    code, out, _ = in_folder("check", "answer.md")
    assert (code, out.splitlines()[0]) == (0, "✓ 1 citation in 1 document: it holds"), written


def test_a_pdf_is_cited_by_its_page(tmp_path: Path, in_folder: Run, make_pdf: Callable[..., bytes]) -> None:
    (tmp_path / "f.pdf").write_bytes(make_pdf(["x", "A walrus."], title="Paper"))
    in_folder("index")
    assert in_folder("search", "walrus")[1].startswith(" 1  f.pdf page 2\n")
    assert in_folder("cite", "--hit", "1", "--style", "quote")[1].endswith("> — [Paper](f.pdf), page 2\n")
    code, out, err = in_folder("cite", "--hit", "1", "--style", "bracket")
    assert (code, out, "has page 2" in err) == (2, "", True)
    (tmp_path / "f.pdf").write_bytes(make_pdf(["x", "A seal."], title="Paper"))
    assert in_folder("cite", "--hit", "1")[0] == 1
    (tmp_path / "f.pdf").write_bytes(make_pdf(["x", "y", "A walrus."], title="Paper"))
    code, out, err = in_folder("cite", "--hit", "1", "--style", "quote")
    assert (code, out.endswith(", page 3\n"), "moved from page 2 to page 3" in err) == (0, True, True)


def test_the_clipboard_of_a_terminal(tmp_path: Path, cite: Run, terminal: Callable[..., str]) -> None:
    seen = terminal([*PINCITE, "cite", "--hit", "1", "--style", "bracket", "--copy"], tmp_path)
    written = "【F:docs/guide.md†L5-L8】"
    assert seen == f"{written}\n\x1b]52;c;{b64encode(written.encode()).decode()}\x07"
    assert cite("--hit", "1", "--style", "bracket", "--copy")[1] == f"{written}\n"
