"""`pincite corpus` over the papers, as typed: add, list, show, search, check, cite."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.doors.cli.aiwg import main as aiwg

FOLDER = ".aiwg/research/corpus"
RECEIPTS = ".aiwg/research/receipts"
PAGES = [
    "1 Introduction\nReaders notice drift after about 400 words.",
    "2 Results\nVoice consistency improves perceived quality by 15%.",
]
BIB = (
    "@article{a1, title = {Tea and sleep}, author = {Lovelace, Ada}, year = {2021},"
    " doi = {10.1000/a1}, pages = {81--97}}\n"
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, make_pdf: Callable[..., bytes]) -> Path:
    (tmp_path / "pincite.toml").write_text("")
    outline = [(0, "1 Introduction", 1), (0, "2 Results", 2)]
    (tmp_path / "voice.pdf").write_bytes(make_pdf(PAGES, outline=outline, title="Voice consistency in prose"))
    return tmp_path


@pytest.fixture
def filled(project: Path, in_folder: Run) -> Run:
    assert in_folder("corpus", "add", "voice.pdf", "--title", "Voice consistency in prose")[0] == 0
    return in_folder


def test_add_a_pdf(project: Path, in_folder: Run) -> None:
    code, out, err = in_folder("corpus", "add", "voice.pdf", "--year", "2024", "--author", "Ada Lovelace")
    assert (code, err) == (0, "")
    assert out == (
        "REF-001  Voice consistency in prose\n"
        f"  wrote {FOLDER}/REF-001-voice-consistency-in-prose.md\n"
        f"  wrote {FOLDER}/REF-001-voice-consistency-in-prose.pdf\n"
        "  cite as [REF-001, p.1] (with the page you mean)\n"
        "  note: the title is unsure (Voice consistency in prose); see that it is right, or give --title\n"
    )
    shown = json.loads(in_folder("corpus", "show", "ref-001", "--format", "json")[1])
    assert (shown["total_pages"], shown["year"], shown["authors"]) == (2, "2024", ["Ada Lovelace"])
    assert shown["sections"] == [{"name": "1 Introduction", "pages": "1-2"}, {"name": "2 Results", "pages": "2"}]
    code, _, err = in_folder("corpus", "add", "voice.pdf")
    assert code == 1
    assert "not added: voice.pdf: the corpus has this PDF already: REF-001" in err


def test_add_a_bibliography_with_its_pdf(project: Path, in_folder: Run) -> None:
    (project / "a.bib").write_text(BIB)
    code, out, _ = in_folder("corpus", "add", "a.bib", "--pdf", "voice.pdf", "--no-copy")
    assert code == 0
    shown = json.loads(in_folder("corpus", "show", "REF-001", "--format", "json")[1])
    assert (shown["title"], shown["doi"], shown["page_range"]) == ("Tea and sleep", "10.1000/a1", "81-97")
    assert (shown["pdf"], shown["pdf_pages"]) == ("voice.pdf", 2)
    assert "[REF-001, p.81]" in out


def test_entries_that_are_there_are_named_and_the_others_added(project: Path, in_folder: Run) -> None:
    (project / "a.bib").write_text(BIB)
    (project / "b.bib").write_text(BIB + "@book{b1, title = {Coffee}}\n")
    assert in_folder("corpus", "add", "a.bib")[0] == 0
    code, out, err = in_folder("corpus", "add", "b.bib")
    assert code == 1
    assert "DOI 10.1000/a1 already: REF-001" in err
    assert "REF-002  Coffee" in out
    assert "1 of 2 papers added." in out


def test_a_paper_that_is_there_under_another_name_is_refused_or_named(project: Path, in_folder: Run) -> None:
    assert in_folder("corpus", "add", "voice.pdf", "--author", "Ada Lovelace", "--year", "2024")[0] == 0
    (project / "other-name.pdf").write_bytes((project / "voice.pdf").read_bytes())
    code, out, err = in_folder("corpus", "add", "other-name.pdf")
    assert (code, out) == (1, "")
    assert "not added: other-name.pdf: the corpus has this PDF already: REF-001" in err
    code, out, _ = in_folder("corpus", "add", "--title", "Voice Consistency in Prose", "--year", "2024")
    assert (code, "REF-002  Voice Consistency" in out) == (0, True)
    assert f"warning: REF-001 ({FOLDER}/REF-001-voice-consistency-in-prose.md) has the same title and year" in out


def test_a_source_that_cannot_be_read_does_not_hinder_the_others(project: Path, in_folder: Run) -> None:
    (project / "bad.pdf").write_bytes(b"%PDF-1.7 rubbish")
    code, out, err = in_folder("corpus", "add", "bad.pdf", "none.pdf", "voice.pdf")
    assert code == 2
    assert "bad.pdf: the PDF is damaged" in err
    assert "none.pdf: no such file" in err
    assert "REF-001  Voice" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing to add"),
        (("--title", "T", "--url", "ftp://x"), "--url ftp://x: expected an http"),
        (("--title", "T", "--year", "soon"), "--year soon: expected a year"),
        (("--title", "T", "--doi", "abc"), "--doi abc: expected a DOI"),
        (("--title", " \x1b"), "--title"),
        (("voice.pdf", "voice.pdf", "--id", "REF-009"), "for one paper"),
        (("voice.pdf", "--id", "REF-9"), "three digits"),
        (("none.bib",), "no such file"),
        (("pincite.toml",), "no entry found"),
        ((".",), "not a regular file"),
    ],
)
def test_what_cannot_be_added(project: Path, in_folder: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = in_folder("corpus", "add", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert not (project / FOLDER).exists() or list((project / FOLDER).iterdir()) == []


def test_a_pdf_outside_the_project_is_copied_or_refused(
    project: Path, in_folder: Run, tmp_path_factory: pytest.TempPathFactory, make_pdf: Callable[..., bytes]
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.pdf"
    outside.write_bytes(make_pdf(["Tea"]))
    assert in_folder("corpus", "add", str(outside), "--no-copy")[0] == 2
    assert in_folder("corpus", "add", str(outside))[0] == 0


def test_a_dry_run_prints_the_file(project: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("corpus", "add", "--title", "T", "--url", "https://e.org/t", "--dry-run")
    assert code == 0
    assert out.startswith(f"# {FOLDER}/REF-001-t.md\n---\nid: REF-001\ntitle: ")
    assert not (project / ".aiwg").exists()


@pytest.mark.parametrize("name", ["aiwg", "pincite"])
def test_add_research_paper(project: Path, in_folder: Run, name: str) -> None:
    arguments = ["add-research-paper", "--title", "LitLLM", "--url", "https://e.org/l", "--relevance", "citations"]
    if name == "aiwg":
        with pytest.raises(SystemExit) as ended:
            aiwg(arguments)
        assert not ended.value.code
    else:
        assert in_folder("corpus", *arguments)[0] == 0
    text = (project / FOLDER / "REF-001-litllm.md").read_text()
    assert "https://e.org/l" in text
    assert "relevance: citations" in text
    assert in_folder("corpus", "add-research-paper", "--title", "T")[0] == 2
    assert in_folder("corpus", "add-research-paper", "--url", "https://e.org")[0] == 2


def test_list_says_what_there_is(filled: Run, project: Path) -> None:
    text = '---\ntitle: "A\\e[31m"\nkey_quotes:\n  - {quote: a b c, validated: true}\n  - {quote: d e f}\n---\n'
    (project / FOLDER / "REF-002-x.md").write_text(text)
    code, out, _ = filled("corpus", "list")
    assert code == 0
    rows = out.splitlines()
    assert re.fullmatch(r"REF-001  - +2 pages  PDF  quotes +-  Voice consistency in prose", rows[0])
    assert rows[1].endswith(r"quotes   1/2  A\u{1b}[31m")
    listed = json.loads(filled("corpus", "list", "--format", "json")[1])
    assert [(row["id"], row["pdf"] is not None, row["validated"], row["quotes"]) for row in listed] == [
        ("REF-001", True, 0, 0),
        ("REF-002", False, 1, 2),
    ]


def test_list_of_nothing_and_of_disorder(project: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("corpus", "list")
    assert code == 0
    assert f"no papers in {FOLDER}" in out
    (project / FOLDER).mkdir(parents=True)
    (project / FOLDER / "REF-001-a.md").write_text("a")
    (project / FOLDER / "REF-001-b.md").write_text("b")
    code, _, err = in_folder("corpus", "list")
    assert code == 2
    assert "REF-001-a.md and" in err


def test_show_prints_a_page(filled: Run) -> None:
    assert filled("corpus", "show", "REF-001", "--page", "2")[1] == PAGES[1] + "\n"
    held = json.loads(filled("corpus", "show", "REF-001", "--page", "2", "--format", "json")[1])
    assert (held["page"], held["valid"], held["indexes"], held["text"]) == ("2", True, [2], PAGES[1])
    assert "PDF:" in filled("corpus", "show", "REF-001")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("REF-099",), "REF-099"),
        (("REF-001", "--page", "3"), "no page 3"),
        (("REF-001", "--page", "x]"), "no page x]"),
        (("../x",), ""),
    ],
)
def test_show_what_is_not_there(filled: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = filled("corpus", "show", *arguments)
    assert (code, out) == (1, "")
    assert said in err


def test_search_prints_citations(filled: Run) -> None:
    code, out, err = filled("corpus", "search", "perceived quality")
    assert (code, err) == (0, "")
    assert out.startswith(
        "[REF-001, p.2]  Voice consistency in prose (2 Results)\n    2 Results Voice consistency improves"
    )
    found = json.loads(filled("corpus", "search", "quality", "--limit", "1", "--format", "json")[1])
    assert [(one["citation"], one["page"], one["kind"]) for one in found] == [("[REF-001, p.2]", "2", "text")]
    assert filled("corpus", "search", '"NEAR( zebra*')[:2] == (1, "nothing found\n")
    assert filled("corpus", "search", "zebra", "--format", "json")[:2] == (1, "[]\n")


def test_check_a_corpus_in_order(filled: Run) -> None:
    code, out, _ = filled("corpus", "check")
    assert code == 0
    assert out == f"✓ {FOLDER}: 1 paper, 1 PDF, 0 of 0 key quotes validated; in order\n"


def test_check_without_a_corpus(project: Path, in_folder: Run) -> None:
    assert in_folder("corpus", "check")[0] == 2


@pytest.mark.parametrize(
    ("files", "code", "said"),
    [
        ({"REF-001-a.md": "a", "REF-001-b.md": "b"}, 1, "two files for REF-001: {0}/REF-001-a.md and {0}/REF-001-b.md"),
        ({"REF-002-a.md": "---\ntitle: T\ntotal_pages: '12'\n---\n"}, 1, "REF-002-a.md:3: total_pages: expected"),
        ({"REF-002-a.md": "---\ntitle: T\ntotal_pages: 9\n---\n", "REF-002-a.pdf": "PDF"}, 1, "expected 2 as in"),
        ({"REF-002-a.md": "---\ntitle: T\npage_range: 81-97\n---\n", "REF-002-a.pdf": "PDF"}, 1, "81-97 does not fit"),
        ({"REF-002-a.md": "---\ntitle: T\npage_range: 81-97\ntotal_pages: 3\n---\n"}, 1, "spans 17 pages"),
        (
            {"REF-002-a.md": "---\ntitle: T\ntotal_pages: 9\nsections:\n  - {name: End, pages: 8-12}\n---\n"},
            1,
            "sections[0].pages: 8-12 (End) are not in the paper (document has 9 pages)",
        ),
        (
            {"REF-002-a.md": "---\ntitle: T\ntotal_pages: 9\nkey_quotes:\n  - {quote: a b c, page: 10}\n---\n"},
            1,
            "key_quotes[0].page: 10 is not in the paper",
        ),
        ({"REF-002-a.md": "---\ntitle: T\nkey_quotes:\n  - {quote: a b c}\n---\n"}, 0, "1 of 1 not validated"),
        (
            {"REF-002-a.md": "---\ntitle: T\n---\n", "REF-002-a.pdf": "%PDF-1.7 x"},
            2,
            "the PDF cannot be read: the PDF is damaged",
        ),
        ({"REF-002-a.md": "---\ntitle: T\npdf: gone.pdf\n---\n"}, 2, "no such file"),
        ({"REF-002-a.md": "---\ntitle: T\npdf: ../../../../x.pdf\n---\n"}, 2, "outside the root"),
        ({"REF-0435-x.md": "x"}, 1, "REF-0435-x.md: not counted as a paper"),
        ({"ref-043-x.md": "x"}, 1, "not counted as a paper"),
        ({"REF-43.md": "x"}, 1, "not counted as a paper"),
        ({"REF-043-a\nb.md": "x"}, 1, "b.md: not counted as a paper"),
        ({"REF-003-lone.pdf": "PDF"}, 0, "there is no corpus file for REF-003"),
        ({"REF-002-a.md": b"\xff\xfe"}, 2, "REF-002-a.md: unreadable: "),
        (
            {
                "REF-002-a.md": "---\ntitle: T\ndoi: 10.1000/a\n---\n",
                "REF-003-b.md": "---\ntitle: U\ndoi: 10.1000/A\n---\n",
            },
            1,
            "doi: 10.1000/a is also that of REF-002",
        ),
        (
            {
                "REF-002-a.md": "---\ntitle: T\nauthors: [Ada Lovelace]\n---\n",
                "REF-003-b.md": "---\ntitle: t.\nauthors: ['Lovelace, A.']\n---\n",
            },
            0,
            "title: REF-002 ({0}/REF-002-a.md) has the same title, authors; is it the same paper?",
        ),
        (
            {
                "REF-002-a.md": "---\ntitle: T\n---\n",
                "REF-002-a.pdf": "PDF",
                "REF-003-b.md": "---\ntitle: U\n---\n",
                "REF-003-b.pdf": "PDF",
            },
            0,
            "REF-003: it is the same file as {0}/REF-002-a.pdf, the PDF of REF-002",
        ),
        ({"refs.bib": "@article{a, title = {A}}\n@article{a, title = {B}}\n"}, 1, "refs.bib:2: key:"),
        ({"REF-002-a.md": ""}, 0, "title: none is given"),
    ],
)
def test_check_names_what_is_wrong(
    project: Path, in_folder: Run, files: dict[str, str | bytes], code: int, said: str
) -> None:
    (project / FOLDER).mkdir(parents=True)
    for name, text in files.items():
        data = (
            (project / "voice.pdf").read_bytes() if text == "PDF" else text.encode() if isinstance(text, str) else text
        )
        (project / FOLDER / name).write_bytes(data)
    ended, out, _ = in_folder("corpus", "check")
    assert (ended, said.format(FOLDER) in out) == (code, True), out
    faults = json.loads(in_folder("corpus", "check", "--format", "json")[1])["faults"]
    assert len(faults) == len(out.splitlines()) - 1
    assert in_folder("corpus", "check", "--strict")[0] == max(code, 1)


def test_cite_gives_the_citation_its_evidence_and_a_receipt(filled: Run, project: Path) -> None:
    code, out, err = filled("corpus", "cite", "Voice consistency improves perceived quality.")
    assert (code, err) == (0, "")
    assert out.startswith("Voice consistency improves perceived quality [REF-001, p.2].\n\n[REF-001, p.2]  Voice")
    assert '  "Voice consistency improves perceived quality by 15%."\n  p.2, 2 Results\n' in out
    (receipt,) = (project / RECEIPTS).iterdir()
    assert f"  receipt {RECEIPTS}/{receipt.name}\n" in out
    kept = json.loads(receipt.read_text())
    assert (kept["ref"], kept["citation"], kept["page"]) == ("REF-001", "[REF-001, p.2]", "2")
    assert kept["source"].endswith("REF-001-voice-consistency-in-prose.pdf")


def test_a_receipt_covers_the_citation(filled: Run, project: Path) -> None:
    (project / "pincite.toml").write_text("[corpus]\nrequire-receipts = true\n")
    (project / "doc.md").write_text("Voice consistency improves perceived quality [REF-001, p.2].\n")
    assert filled("check", "doc.md")[0] == 1
    assert filled("corpus", "cite", "Voice consistency improves perceived quality")[0] == 0
    assert filled("check", "doc.md")[0] == 0


def test_a_quote_across_pages_is_cited_with_both(project: Path, in_folder: Run, make_pdf: Callable[..., bytes]) -> None:
    pages = ["Long ago it was said that\nwhales of the north sing", "in the deep sea at night.\nNobody knows why."]
    (project / "whales.pdf").write_bytes(make_pdf(pages, title="Whales of the north"))
    (project / "pincite.toml").write_text("[corpus]\nrequire-receipts = true\n")
    assert in_folder("corpus", "add", "whales.pdf")[0] == 0
    quote = "whales of the north sing in the deep sea at night"
    code, out, _ = in_folder("corpus", "cite", "They sing.", "--quote", quote)
    assert (code, out.splitlines()[0]) == (0, "They sing [REF-001, pp.1-2].")
    (project / "doc.md").write_text(f'They say that "{quote}" [REF-001, pp.1-2].\n')
    assert in_folder("check", "doc.md")[:1] == (0,)
    (project / "doc.md").write_text("They say that they sing [REF-001, p.3].\n")
    assert in_folder("check", "doc.md")[0] == 1


def test_receipts_stay_inside_the_project(filled: Run, project: Path) -> None:
    (project / "pincite.toml").write_text('[corpus]\nreceipts = "../../out"\n')
    code, out, err = filled("corpus", "cite", "Voice consistency improves perceived quality")
    assert (code, out) == (2, "")
    assert "../../out: the receipt cannot be written: it lies outside the root" in err


def test_cite_as_json(filled: Run, project: Path) -> None:
    claim = "Voice consistency improves perceived quality"
    code, out, _ = filled("corpus", "cite", claim, "--format", "json", "--no-receipt")
    answer = json.loads(out)
    assert code == 0
    assert list(answer) == [
        *("claim", "found", "citation", "text", "evidence", "quote", "refusal", "message", "detail", "recommendation"),
        "not_searched",
    ]
    assert (answer["found"], answer["citation"], answer["refusal"]) == (True, "[REF-001, p.2]", "")
    (evidence,) = answer["evidence"]
    assert (evidence["page"], evidence["page_valid"], evidence["receipt"]) == ("2", True, None)
    data = (project / FOLDER / "REF-001-voice-consistency-in-prose.pdf").read_bytes()
    assert evidence["digest"] == sha256(data).hexdigest()
    assert not (project / RECEIPTS).exists()


NO_SOURCE = """\
This claim would benefit from citation, but no suitable source exists in the corpus.
Consider adding [Paper] to corpus using `aiwg add-research-paper --title "..." --url "..." --relevance "..."`

Whales sing in the deep sea [citation needed].
"""


def test_no_suitable_source(filled: Run, project: Path) -> None:
    assert filled("corpus", "cite", "Whales sing in the deep sea.") == (1, NO_SOURCE, "")
    assert not (project / RECEIPTS).exists()
    answer = json.loads(filled("corpus", "cite", "Whales sing in the deep sea.", "--format", "json")[1])
    assert (answer["found"], answer["citation"], answer["refusal"]) == (False, None, "no-source")
    assert answer["text"] == "Whales sing in the deep sea [citation needed]."


def test_no_suitable_source_in_no_corpus(project: Path, in_folder: Run) -> None:
    assert in_folder("corpus", "cite", "Whales sing in the deep sea.") == (1, NO_SOURCE, "")


def test_the_policy_says_how_to_add(filled: Run, project: Path) -> None:
    (project / "citation-integrity.yaml").write_text(
        "version: 1.0.0\nretrieval_first_policy:\n  corpus_expansion_protocol:\n"
        "    addition_command: ask the librarian\nwhitelist_enforcement: {}\npage_validation: {}\n"
    )
    assert "using `ask the librarian`" in filled("corpus", "cite", "Whales sing in the deep sea.")[1]


def test_cite_a_quote(filled: Run, project: Path) -> None:
    code, out, _ = filled("corpus", "cite", "Drift shows.", "--quote", "Readers notice drift after about 400 words")
    assert code == 0
    assert out.startswith("Drift shows [REF-001, p.1].\n")
    code, out, _ = filled("corpus", "cite", "Drift shows.", "--quote", "Readers notice drift after about 500 words")
    assert code == 1
    assert "{+500+}" in out and "[-400-]" in out
    assert "Drift shows [citation needed]." in out
    assert len(list((project / RECEIPTS).iterdir())) == 1


@pytest.mark.parametrize(("claim", "quote"), [("", "x"), ("x" * 5000, None), ("x", "y" * 5000), ("x", " ")])
def test_claims_that_are_none(filled: Run, claim: str, quote: str | None) -> None:
    assert filled("corpus", "cite", claim, *(("--quote", quote) if quote is not None else ()))[0] == 2


def test_papers_that_cannot_be_searched_are_named(filled: Run, project: Path) -> None:
    (project / FOLDER / "REF-002-x.md").write_text("---\ntitle: T\n---\n")
    (project / FOLDER / "REF-002-x.pdf").write_bytes(b"%PDF-1.7 x")
    code, out, err = filled("corpus", "cite", "Whales sing in the deep sea.")
    assert (code, out) == (1, NO_SOURCE)
    assert "not searched: REF-002" in err
    answer = json.loads(filled("corpus", "cite", "Whales sing in the deep sea.", "--format", "json")[1])
    assert len(answer["not_searched"]) == 1


# Pages that cannot be read, and text that is damaged

SOUP = "7KLV SDSHU VKRZV WKDW WKH UHVXOWV RI WKH VWXGB KROG.\n" * 12
PROSE = (
    "We define the effect of a specific filter on the workflow of different staff. The first results confirm\n"
    "that an efficient configuration suffices, and that offline files are difficult to find.\n"
)


def without_ligatures(text: str) -> str:
    return re.sub("ffi|ffl|fi|fl|ff", "", text)


def test_a_page_of_other_letters_is_said_at_add_by_check_and_at_each_quote(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "soup.pdf").write_bytes(make_pdf([SOUP, PROSE], title="A study of letters"))
    code, out, _ = in_folder("corpus", "add", "soup.pdf")
    assert code == 0
    assert "note: 1 of 2 pages (the first: 1) cannot be read" in out and "--ocr" in out
    assert "1 of 2 pages (the first: 1) cannot be read" in in_folder("corpus", "check")[1]
    (tmp_path / "a.md").write_text('They say "this paper shows that the results hold" [REF-001, p.1].\n')
    code, out, _ = in_folder("check", "a.md")
    assert (code, "1 unchecked" in out) == (0, True)
    code, out, _ = in_folder("check", "--format", "json", "a.md")
    assert "page 1 of the PDF has a font that does not say which letters it shows" in out


def test_a_quote_from_a_text_without_ligatures_holds_and_the_damage_is_never_written(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    pages = [without_ligatures(PROSE * 15) for _ in range(9)]
    pages.append(without_ligatures("Only here we define a different flow of the first kind."))
    (tmp_path / "lost.pdf").write_bytes(make_pdf(pages, title="On lost letters"))
    assert in_folder("corpus", "add", "lost.pdf")[0] == 0
    (tmp_path / "a.md").write_text('They: "Only here we define a different flow of the first kind" [REF-001, p.10].\n')
    code, out, _ = in_folder("check", "a.md", "--format", "json")
    verdict = json.loads(out)
    assert code == 0 and verdict["summary"]["holds"] == 1
    assert "the PDF's text is damaged here (lost ligature)" in out
    altered = 'They: "Only here we define a different flow of the second kind" [REF-001, p.10].\n'
    (tmp_path / "a.md").write_text(altered)
    assert in_folder("check", "a.md")[0] == 1
    in_folder("fix", "--write", "--unsafe", "a.md")
    assert (tmp_path / "a.md").read_text() == altered


def test_ocr_and_no_copy_contradict_each_other(project: Path, in_folder: Run) -> None:
    code, _, err = in_folder("corpus", "add", "--ocr", "--no-copy", "voice.pdf")
    assert code == 2 and "leave --no-copy out" in err


def install_ocr(folder: Path, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program in the place of ocrmypdf that always gives this file."""
    program = folder / "bin" / "ocrmypdf"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat '{folder}/{made}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def test_ocr_makes_the_text_that_quotes_are_looked_up_in(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "scan.pdf").write_bytes(make_pdf([""], title="A scanned paper"))
    (tmp_path / "made.pdf").write_bytes(make_pdf(["Readers notice drift after about 400 words."]))
    install_ocr(tmp_path, "made.pdf", monkeypatch)
    code, out, _ = in_folder("corpus", "add", "--ocr", "scan.pdf")
    assert code == 0 and "recognised by OCR" in out and "cannot be read" not in out
    (tmp_path / "a.md").write_text('They say "Readers notice drift after about 400 words" [REF-001, p.1].\n')
    assert in_folder("check", "a.md")[0] == 0


def test_ocr_of_a_paper_that_is_there_gives_it_text_and_no_second_id(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "scan.pdf").write_bytes(make_pdf(["", ""], title="A scanned paper"))
    made = make_pdf(["Readers notice drift after about 400 words.", "They always do."])
    (tmp_path / "made.pdf").write_bytes(made)
    assert in_folder("corpus", "add", "scan.pdf", "--title", "A scanned paper")[0] == 0
    (tmp_path / "a.md").write_text('They say "Readers notice drift after about 400 words" [REF-001, p.1].\n')
    assert "`pincite corpus add --ocr` with its PDF recognises text" in in_folder("check", "a.md")[1]
    install_ocr(tmp_path, "made.pdf", monkeypatch)
    code, out, _ = in_folder("corpus", "add", "--ocr", "scan.pdf", "--dry-run")
    assert (code, "would replace" in out) == (0, True)
    code, out, _ = in_folder("corpus", "add", "--ocr", "scan.pdf")
    assert (code, out.startswith(f"REF-001  A scanned paper\n  wrote {FOLDER}/REF-001-a-scanned-paper.pdf")) == (
        0,
        True,
    )
    assert (tmp_path / FOLDER / "REF-001-a-scanned-paper.pdf").read_bytes() == made
    assert in_folder("check", "a.md")[1].startswith("✓ 1 citation")


def test_ocr_of_a_blank_page_does_not_advise_ocr(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "blank.pdf").write_bytes(make_pdf([""]))
    (tmp_path / "made.pdf").write_bytes(make_pdf([" "]))
    install_ocr(tmp_path, "made.pdf", monkeypatch)
    code, out, _ = in_folder("corpus", "add", "--ocr", "blank.pdf")
    assert code == 0 and "OCR found no text either" in out
    assert "corpus add --ocr" not in out and "recognised by OCR" not in out
    assert (tmp_path / FOLDER / "REF-001-blank.pdf").read_bytes() == make_pdf([""])


def test_entries_of_bibliographies_are_shown_by_key(project: Path, in_folder: Run) -> None:
    (project / FOLDER).mkdir(parents=True)
    (project / FOLDER / "refs.bib").write_text(BIB)
    (project / FOLDER / "a1.pdf").write_bytes((project / "voice.pdf").read_bytes())
    for name in ("@a1", "a1"):
        code, out, _ = in_folder("corpus", "show", name)
        assert (code, out.startswith("@a1  Tea and sleep\n  authors:     Lovelace, Ada\n")) == (0, True)
        assert f"PDF:         {FOLDER}/a1.pdf (2 pages)" in out
    assert json.loads(in_folder("corpus", "show", "@a1", "--format", "json")[1])["id"] == "@a1"
    code, _, err = in_folder("corpus", "show", "@A1")
    assert (code, "@A1: no such paper or entry of a bibliography" in err) == (1, True)


def test_one_page_is_one_page(tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "one.pdf").write_bytes(make_pdf(["Only one page of words."]))
    assert in_folder("corpus", "add", "one.pdf", "--title", "One")[0] == 0
    assert "  1 page  PDF" in in_folder("corpus", "list")[1]
    assert "(1 page)" in in_folder("corpus", "show", "REF-001")[1]


SHORT = (
    "The readings of the gauge differ by less than three per cent, and we see no reason to build one without it. The"
    " officers filed a report on the flow of the fluid. We define a different flow of the first kind in this field."
)


def test_a_short_paper_without_ligatures_is_told_by_several_words_of_a_quote(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "lost.pdf").write_bytes(make_pdf([without_ligatures(SHORT)]))
    assert in_folder("corpus", "add", "lost.pdf", "--title", "Lost")[0] == 0
    (tmp_path / "a.md").write_text('They: "We define a different flow of the first kind" [REF-001, p.1].\n')
    code, out, _ = in_folder("check", "a.md", "--format", "json")
    assert (code, "the PDF's text is damaged here (lost ligature)" in out) == (0, True)
    # One word may be the paper's own, and a changed word is a change; what the damage left is written in neither case.
    for words in ("We define a thing of the third sort", "We define a different flow of the second kind"):
        cited = f'They: "{words}" [REF-001, p.1].\n'
        (tmp_path / "a.md").write_text(cited)
        assert in_folder("check", "a.md")[0] == 1
        in_folder("fix", "--write", "--unsafe", "a.md")
        assert (tmp_path / "a.md").read_text() == cited


@pytest.mark.parametrize(
    ("first", "page", "quote", "said"),
    [
        (-3, "9", "with item 5", "not on page 9: it stands on page 5 as printed, which is page 9 of the PDF"),
        (-3, "14", "with item 8", "it stands on page 12 of the PDF, and its printed number is 8: cite that"),
        (-3, "7", "with item 7", ""),
        (0, "3", "part 2 with item 3", "on page 13 of the PDF, on which 3 is printed; the printed numbers begin anew"),
        (0, "13", "part 2 with item 3", ""),
    ],
)
def test_a_message_says_which_numbers_of_pages_were_used(
    tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run, first: int, page: str, quote: str, said: str
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    numbers = [(1, number) for number in range(first, 11)] if first else [(p, n) for p in (1, 2) for n in range(1, 11)]
    pages = [
        f"Words in part {part} with item {number} of it\n\n{number if number > 0 else ''}" for part, number in numbers
    ]
    (tmp_path / "paper.pdf").write_bytes(make_pdf(pages))
    assert in_folder("corpus", "add", "paper.pdf", "--title", "Numbers")[0] == 0
    (tmp_path / "a.md").write_text(f'They: "{quote} of it" [REF-001, p.{page}].\n')
    out = in_folder("check", "a.md", "--format", "json")[1]
    assert said in out and ('"holds":1' in out.replace(" ", "")) == (not said), out
