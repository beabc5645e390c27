"""The corpus: which files are papers, which PDF is theirs, and what an answer depends on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import time_ns

import pytest

from pincite.core.errors import UsageError
from pincite.core.model import Citation, Obstacle, SourceRef, Span
from pincite.doors.cli.main import main
from pincite.papers.evidence import PaperEvidence
from pincite.project.config import CorpusSettings
from pincite.safe.files import Root
from pincite.sources import World
from pincite.sources._corpus import Corpus

FOLDER = ".aiwg/research/corpus"
WORDS = "Readers rated the steady drafts 15 points higher"
OTHER = "Short sentences are read twice as often as long ones"
BIB = "@article{smith2020,\n  title = {Steady voices},\n  pages = {81--97}\n}\n"


class Tree:
    """A project with a corpus, in a folder of its own."""

    def __init__(self, path: Path, make_pdf: Callable[..., bytes]) -> None:
        self.path = path
        self._make_pdf = make_pdf
        self._clock = 1_700_000_000

    def write(self, name: str, text: str | bytes) -> None:
        """Put a file there, older than any run."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        self._clock += 10
        os.utime(place, (self._clock, self._clock))

    def paper(self, name: str = "REF-043-voice", text: str = "---\ntitle: x\n---\n") -> None:
        """Put a corpus file there."""
        self.write(f"{FOLDER}/{name}.md", text)

    def pdf(self, *pages: str, name: str = "REF-043-voice") -> None:
        """Put a PDF into the corpus."""
        self.write(f"{FOLDER}/{name}.pdf", self._make_pdf(pages))

    def world(self, **settings: object) -> World:
        """What sources may look at here."""
        return World(Root(str(self.path)), lambda: None, "", CorpusSettings(**settings), False)  # type: ignore[arg-type]

    def corpus(self, **settings: object) -> Corpus:
        """The corpus here."""
        found = self.world(**settings).any_corpus()
        assert found is not None
        return found

    def check(self, *words: str) -> dict[str, list[str]]:
        """The findings of a run that keeps its answers, by document and citation."""
        report = self.path.parent / "report.json"
        with pytest.raises(SystemExit):
            main(["check", "--root", str(self.path), "--format", "json", "--output", str(report), *words])
        found = json.loads(report.read_text(encoding="utf-8"))
        return {
            f"{row['document']} {row['raw']}": [finding["check"] for finding in row["findings"]]
            for row in found["citations"]
            if row["dialect"] != "key-quote"
        }


@pytest.fixture
def tree(tmp_path: Path, make_pdf: Callable[..., bytes]) -> Tree:
    (tmp_path / "root").mkdir()
    return Tree(tmp_path / "root", make_pdf)


def paper_of(corpus: Corpus, identity: str = "REF-043") -> PaperEvidence:
    found = corpus.find(identity)
    assert isinstance(found, PaperEvidence)
    return found


def obstacle_of(corpus: Corpus, identity: str) -> str:
    found = corpus.find(identity)
    assert isinstance(found, Obstacle)
    return found.kind


# Files


def test_papers_are_files_of_that_name(tree: Tree) -> None:
    for name in ("REF-043-voice.md", "REF-044.md", "REF-0451-x.md", "REF-46-x.md", "x-REF-047.md", "REF-048-x.txt"):
        tree.write(f"{FOLDER}/{name}", "x")
    tree.write(f"{FOLDER}/deep/REF-049-x.md", "x")
    corpus = tree.corpus()
    assert corpus.ids == ("REF-043", "REF-044")
    assert obstacle_of(corpus, "REF-049") == "not-in-corpus"


@pytest.mark.parametrize("target", ["../../../outside", "/", "corpus"])
def test_a_corpus_that_leads_out_of_the_root_does_not_switch_checks_off(tree: Tree, target: str) -> None:
    (tree.path.parent / "outside").mkdir()
    (tree.path.parent / "outside/REF-043-x.md").write_text("---\ntitle: x\n---\n")
    (tree.path / FOLDER).parent.mkdir(parents=True)
    (tree.path / FOLDER).symlink_to(target)
    assert f"{FOLDER}: the corpus cannot be read: " in tree.corpus().closed
    tree.write("a.md", "Told [REF-043].\n")
    assert tree.check() == {"a.md [REF-043]": ["paper-unreadable"]}


def test_a_link_inside_the_root_is_a_corpus(tree: Tree) -> None:
    tree.write("papers/REF-043-x.md", "---\ntitle: x\n---\n")
    (tree.path / FOLDER).parent.mkdir(parents=True)
    (tree.path / FOLDER).symlink_to("../../papers")
    assert (tree.corpus().closed, tree.corpus().ids) == ("", ("REF-043",))


@pytest.mark.parametrize("folder", [".git/hooks", ".GIT", "sub/.git/x"])
def test_gits_own_folder_is_no_corpus(tree: Tree, folder: str) -> None:
    tree.write(f"{folder}/REF-043-x.md", "---\ntitle: x\n---\n")
    corpus = tree.corpus(path=folder)
    assert "git's own folder" in corpus.closed
    assert (corpus.ids, obstacle_of(corpus, "REF-043")) == ((), "paper-unreadable")


def test_what_is_no_file_is_named_with_the_reason(tree: Tree) -> None:
    (tree.path / FOLDER / "REF-043-x.md").mkdir(parents=True)
    os.mkfifo(tree.path / FOLDER / "REF-044-x.md")
    (tree.path / FOLDER / "REF-045-x.md").symlink_to("/etc/passwd")
    corpus = tree.corpus()
    said = [found.detail for name in corpus.ids if isinstance(found := corpus.find(name), Obstacle)]
    reasons = ("it is no regular file", "it is no regular file", "it lies outside the root")
    assert said == [f"{FOLDER}/REF-04{at}-x.md: {why}" for at, why in zip((3, 4, 5), reasons, strict=True)]


def test_two_files_of_one_id_are_ambiguous(tree: Tree) -> None:
    tree.paper("REF-043-a")
    tree.paper("REF-043-b")
    corpus = tree.corpus()
    assert corpus.files("REF-043") == (f"{FOLDER}/REF-043-a.md", f"{FOLDER}/REF-043-b.md")
    assert obstacle_of(corpus, "REF-043") == "paper-ambiguous"


def test_a_paper_is_read_once(tree: Tree) -> None:
    tree.paper()
    corpus = tree.corpus()
    assert paper_of(corpus) is paper_of(corpus)


@pytest.mark.parametrize("content", [b"\xff", b"---\ntitle: \xe9\n---\n"])
def test_a_file_that_is_no_text_is_unreadable(tree: Tree, content: bytes) -> None:
    tree.write(f"{FOLDER}/REF-043-x.md", content)
    assert obstacle_of(tree.corpus(), "REF-043") == "paper-unreadable"


def test_a_folder_in_place_of_a_file_is_unreadable(tree: Tree) -> None:
    tree.write(f"{FOLDER}/REF-043-x.md/y", "")
    assert obstacle_of(tree.corpus(), "REF-043") == "paper-unreadable"


def test_a_broken_policy_is_refused(tree: Tree) -> None:
    tree.write("citation-integrity.yaml", "version: [\n")
    with pytest.raises(UsageError, match=r"citation-integrity\.yaml"):
        tree.corpus()


@pytest.mark.parametrize(
    ("settings", "folder"),
    [({}, FOLDER), ({"path": "papers"}, "papers"), ({"path": "papers/"}, "papers"), ({"path": "/papers"}, "papers")],
)
def test_where_the_corpus_is(tree: Tree, settings: dict[str, str], folder: str) -> None:
    assert tree.corpus(**settings).folder == folder


# PDFs


@pytest.mark.parametrize(
    ("present", "declared", "expected"),
    [
        (("REF-043-voice",), "", f"{FOLDER}/REF-043-voice.pdf"),
        (("REF-043-other",), "", f"{FOLDER}/REF-043-other.pdf"),
        (("REF-043",), "", f"{FOLDER}/REF-043.pdf"),
        (("REF-043-voice", "REF-043-other"), "", f"{FOLDER}/REF-043-voice.pdf"),
        (("REF-043-a", "REF-043-b"), "", ""),
        (("REF-044-voice",), "", ""),
        ((), "", ""),
        (("REF-043-voice",), "other.pdf", f"{FOLDER}/other.pdf"),
        (("REF-043-voice",), "../pdfs/x.pdf", ".aiwg/research/pdfs/x.pdf"),
        (("REF-043-voice",), "../../../../x.pdf", "../x.pdf"),
    ],
)
def test_which_pdf_is_the_papers(tree: Tree, present: tuple[str, ...], declared: str, expected: str) -> None:
    tree.paper(text=f"---\ntitle: x\n{f'pdf: {declared}' if declared else ''}\n---\n")
    for name in present:
        tree.write(f"{FOLDER}/{name}.pdf", "x")
    corpus = tree.corpus()
    assert corpus.pdf_key(paper_of(corpus).paper) == expected


@pytest.mark.parametrize(
    ("declared", "content", "reason"),
    [
        ("", None, "there is no PDF beside"),
        ("gone.pdf", None, "no such file"),
        ("../../../../outside.pdf", None, "it lies outside the root"),
        ("", b"no PDF", "the PDF is damaged"),
        ("", b"", "the PDF is damaged"),
    ],
)
def test_why_there_is_no_text(tree: Tree, declared: str, content: bytes | None, reason: str) -> None:
    tree.paper(text=f"---\ntitle: x\n{f'pdf: {declared}' if declared else ''}\n---\n")
    (tree.path.parent / "outside.pdf").write_bytes(b"%PDF-1.7 secret")
    if content is not None:
        tree.write(f"{FOLDER}/REF-043-voice.pdf", content)
    corpus = tree.corpus()
    paper = paper_of(corpus).paper
    assert reason in corpus.trouble(paper)
    assert corpus.pdf(paper) is None
    assert corpus.words(paper) is None


def test_the_text_of_a_pdf_by_page(tree: Tree) -> None:
    tree.paper()
    tree.pdf("first page", WORDS)
    corpus = tree.corpus()
    paper = paper_of(corpus).paper
    text, words = corpus.pdf(paper), corpus.words(paper)
    assert text is not None and words is not None
    assert corpus.trouble(paper) == ""
    assert [page.strip() for page in text.pages] == ["first page", WORDS]
    assert words.look("the steady drafts").passages[0].page == 1
    assert corpus.words(paper) is words


# Words of another paper


def test_another_paper_that_holds_the_words(tree: Tree) -> None:
    tree.paper()
    tree.paper("REF-044-style")
    tree.pdf(WORDS)
    tree.pdf("On style", OTHER, name="REF-044-style")
    corpus = tree.corpus()
    found = corpus.elsewhere(paper_of(corpus).paper, OTHER)
    assert found is not None
    assert (found[0].id, found[1].page, found[2]) == ("REF-044", 1, "2")
    assert corpus.elsewhere(paper_of(corpus).paper, WORDS) is None
    assert corpus.elsewhere(paper_of(corpus).paper, "Whales sing to their young") is None


def test_a_key_quote_of_another_paper_counts_where_it_has_no_pdf(tree: Tree) -> None:
    tree.paper()
    tree.pdf(WORDS)
    tree.paper("REF-044-style", f"---\nkey_quotes:\n  - quote: {OTHER}\n    page: 9\n---\n")
    corpus = tree.corpus()
    found = corpus.elsewhere(paper_of(corpus).paper, OTHER)
    assert found is not None
    assert (found[0].id, found[2]) == ("REF-044", "9")


def test_a_kept_filter_saves_reading_other_papers_and_is_made_anew_when_they_change(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.store import paper_filters

    monkeypatch.setattr(paper_filters, "time_ns", lambda: time_ns() + 10**9)
    tree.paper()
    tree.pdf(WORDS)
    tree.paper("REF-044-style")
    tree.pdf("Whales sing to their young", name="REF-044-style")
    read: list[str] = []
    extract = Corpus._extract
    monkeypatch.setattr(Corpus, "_extract", lambda self, key: (read.append(key), extract(self, key))[1])
    style = f"{FOLDER}/REF-044-style.pdf"

    def elsewhere() -> tuple[bool, set[str]]:
        read.clear()
        world = World(Root(str(tree.path)), lambda: None, "", CorpusSettings())
        corpus = world.any_corpus()
        assert corpus is not None
        found = corpus.elsewhere(paper_of(corpus).paper, OTHER)
        assert style in world.touched
        return found is not None, set(read)

    assert elsewhere() == (False, {style})
    assert elsewhere() == (False, set())
    tree.pdf("On style", OTHER, name="REF-044-style")
    assert elsewhere() == (True, {style})


def test_a_pdf_that_comes_later_is_looked_into(tree: Tree) -> None:
    tree.paper()
    tree.pdf(WORDS)
    tree.paper("REF-044-style")

    def elsewhere() -> bool:
        corpus = World(Root(str(tree.path)), lambda: None, "", CorpusSettings()).any_corpus()
        assert corpus is not None
        return corpus.elsewhere(paper_of(corpus).paper, OTHER) is not None

    assert not elsewhere()
    tree.pdf(OTHER, name="REF-044-style")
    assert elsewhere()


# Bibliographies


def key_of(name: str, tentative: bool = False) -> Citation:
    return Citation("key", Span(0, 1), "x", SourceRef("bibliography", name), tentative=tentative)


def test_bibliographies_in_force(tree: Tree) -> None:
    for name in ("a.bib", "b.ris", "c.json", "d.BIB", "e.txt", "REF-043-x.md"):
        tree.write(f"{FOLDER}/{name}", "x")
    assert tree.corpus(bibliography=("refs.bib",)).bibliographies() == (
        "refs.bib",
        f"{FOLDER}/a.bib",
        f"{FOLDER}/b.ris",
        f"{FOLDER}/c.json",
        f"{FOLDER}/d.BIB",
    )


def test_an_entry_by_key(tree: Tree) -> None:
    tree.write("refs.bib", BIB)
    corpus = tree.corpus(bibliography=("refs.bib",))
    found = corpus.entry(key_of("smith2020"), ("refs.bib",))
    assert isinstance(found, PaperEvidence)
    assert (found.paper.title, found.paper.page_range) == ("Steady voices", "81-97")
    assert corpus.entry(key_of("smith2020"), ("refs.bib",)) is found
    assert found.digest == sha256(BIB.encode()).hexdigest()


def test_an_entry_has_no_receipt_and_the_way_to_one_is_told(tree: Tree) -> None:
    tree.write("refs.bib", BIB)
    corpus = tree.corpus(bibliography=("refs.bib",), require_receipts=True)
    found = corpus.entry(key_of("smith2020"), ("refs.bib",))
    assert isinstance(found, PaperEvidence)
    assert "pincite corpus add" in corpus.receipt(found.paper, key_of("smith2020"))


def test_an_unknown_key(tree: Tree) -> None:
    tree.write("refs.bib", BIB)
    corpus = tree.corpus(bibliography=("refs.bib",))
    missing = corpus.entry(key_of("nobody"), ("refs.bib",))
    assert isinstance(missing, Obstacle) and missing.kind == "not-in-corpus"
    assert corpus.entry(key_of("nobody", tentative=True), ("refs.bib",)) is None
    assert corpus.entry(key_of("nobody"), ()) is None


def test_a_bibliography_that_cannot_be_read(tree: Tree) -> None:
    tree.write("bad.bib", "@article{smith2020,\n title = {x\n")
    corpus = tree.corpus()
    for name in ("bad.bib", "gone.bib", "../outside.bib"):
        found = corpus.entry(key_of("smith2020"), (name,))
        assert isinstance(found, Obstacle) and found.kind == "paper-unreadable"
        assert name in found.detail
    tree.write("refs.bib", BIB)
    assert isinstance(corpus.entry(key_of("smith2020"), ("gone.bib", "refs.bib")), PaperEvidence)


# What an answer depends on: the second run keeps what the first found, and notices every change


def test_what_is_touched(tree: Tree) -> None:
    tree.paper()
    tree.pdf(WORDS)
    world = tree.world()
    corpus = world.corpus()
    assert corpus is not None
    evidence = paper_of(corpus)
    assert set(world.touched) == {FOLDER, f"{FOLDER}/REF-043-voice.md"}
    corpus.words(evidence.paper)
    assert f"{FOLDER}/REF-043-voice.pdf" in world.touched
    assert set(world.keys_of(evidence)) == {FOLDER, f"{FOLDER}/REF-043-voice.md", f"{FOLDER}/REF-043-voice.pdf"}


def test_a_corpus_file_comes_and_goes(tree: Tree) -> None:
    tree.write("doc.md", "Voice matters [REF-043].\n")
    tree.write(f"{FOLDER}/README.md", "Papers.\n")
    assert tree.check() == {"doc.md [REF-043]": ["not-in-corpus"]}
    tree.paper()
    assert tree.check() == {"doc.md [REF-043]": []}
    tree.paper("REF-043-again")
    assert tree.check() == {"doc.md [REF-043]": ["paper-ambiguous"]}
    (tree.path / FOLDER / "REF-043-again.md").unlink()
    assert tree.check() == {"doc.md [REF-043]": []}
    (tree.path / FOLDER / "REF-043-voice.md").unlink()
    assert tree.check() == {"doc.md [REF-043]": ["not-in-corpus"]}


def test_the_corpus_itself_comes_and_goes(tree: Tree) -> None:
    tree.write("doc.md", "Voice matters [REF-043].\n")
    assert tree.check() == {"doc.md [REF-043]": ["corpus-not-found"]}
    tree.paper()
    assert tree.check() == {"doc.md [REF-043]": []}
    (tree.path / FOLDER / "REF-043-voice.md").unlink()
    (tree.path / FOLDER).rmdir()
    assert tree.check() == {"doc.md [REF-043]": ["corpus-not-found"]}


def test_a_corpus_that_the_settings_name_comes(tree: Tree) -> None:
    tree.write("pincite.toml", '[corpus]\npath = "papers"\n')
    tree.write("doc.md", "Voice matters [REF-043].\n")
    assert tree.check() == {"doc.md [REF-043]": ["not-in-corpus"]}
    tree.write("papers/REF-043-voice.md", "x")
    assert tree.check() == {"doc.md [REF-043]": []}


def test_a_corpus_file_changes(tree: Tree) -> None:
    tree.write("doc.md", "Voice matters [REF-043, p.15].\n")
    tree.paper(text="---\ntotal_pages: 24\n---\n")
    assert tree.check() == {"doc.md [REF-043, p.15]": []}
    tree.paper(text="---\ntotal_pages: 14\n---\n")
    assert tree.check() == {"doc.md [REF-043, p.15]": ["page-out-of-range"]}
    tree.paper(text="---\ntotal_pages: 15\n---\n")
    assert tree.check() == {"doc.md [REF-043, p.15]": []}


def test_a_pdf_comes_changes_and_goes(tree: Tree) -> None:
    """Two documents quote the same words: what was found for the first one is looked up anew for both."""
    first, second = "a.md [REF-043, p.1]", "b.md [REF-043, p.1]"
    tree.write("a.md", f"It is so: “{WORDS}” [REF-043, p.1].\n")
    tree.write("b.md", f"And so: “{WORDS}” [REF-043, p.1].\n")
    tree.paper(text="---\ntotal_pages: 3\n---\n")
    assert tree.check() == {first: ["quote-unchecked"], second: ["quote-unchecked"]}
    tree.pdf(WORDS, "more", "text")
    assert tree.check() == {first: [], second: []}
    tree.pdf("More words that fill this page", WORDS, "text")
    assert tree.check() == {first: ["quote-elsewhere"], second: ["quote-elsewhere"]}
    tree.pdf(WORDS.replace("15", "25"), "more", "text")
    assert tree.check() == {first: ["quote-altered"], second: ["quote-altered"]}
    (tree.path / FOLDER / "REF-043-voice.pdf").unlink()
    assert tree.check() == {first: ["quote-unchecked"], second: ["quote-unchecked"]}


def test_an_answer_that_ran_out_of_time_is_not_kept(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next run looks on, although nothing changed; what was read meanwhile need not be read again."""
    first, second = "a.md [REF-043, p.1]", "b.md [REF-043, p.1]"
    tree.write("a.md", f"It is so: “{OTHER}” [REF-043, p.1].\n")
    tree.write("b.md", f"And so: “{OTHER}” [REF-043, p.1].\n")
    tree.paper()
    tree.pdf(WORDS)
    tree.paper("REF-044-style")
    tree.pdf(OTHER, name="REF-044-style")
    with monkeypatch.context() as hurried:
        hurried.setattr("pincite.sources._corpus._PATIENCE", -1.0)
        assert tree.check() == {first: ["quote-not-found"], second: ["quote-not-found"]}
    assert tree.check() == {first: ["quote-misattributed"], second: ["quote-misattributed"]}


def test_the_pdf_of_another_paper_changes(tree: Tree) -> None:
    first, second = "a.md [REF-043, p.1]", "b.md [REF-043, p.1]"
    tree.write("a.md", f"It is so: “{OTHER}” [REF-043, p.1].\n")
    tree.write("b.md", f"And so: “{OTHER}” [REF-043, p.1].\n")
    tree.paper()
    tree.pdf(WORDS)
    tree.paper("REF-044-style")
    tree.pdf("Nothing of the kind stands here", name="REF-044-style")
    assert tree.check() == {first: ["quote-not-found"], second: ["quote-not-found"]}
    tree.pdf(OTHER, name="REF-044-style")
    assert tree.check() == {first: ["quote-misattributed"], second: ["quote-misattributed"]}
    tree.pdf("Again nothing of the kind stands here", name="REF-044-style")
    assert tree.check() == {first: ["quote-not-found"], second: ["quote-not-found"]}


def test_the_policy_comes_changes_and_goes(tree: Tree) -> None:
    policy = (
        'version: "1.0.0"\nretrieval_first_policy:\n  enabled: true\n'
        "whitelist_enforcement:\n  enabled: {0}\npage_validation:\n  enabled: {1}\n"
    )
    tree.write("doc.md", "Voice matters [REF-043, p.45].\n")
    tree.paper(text="---\ntotal_pages: 24\n---\n")
    assert tree.check() == {"doc.md [REF-043, p.45]": ["page-out-of-range"]}
    tree.write("citation-integrity.yaml", policy.format("true", "false"))
    assert tree.check() == {"doc.md [REF-043, p.45]": []}
    tree.write("citation-integrity.yaml", policy.format("true", "true"))
    assert tree.check() == {"doc.md [REF-043, p.45]": ["page-out-of-range"]}
    (tree.path / FOLDER / "REF-043-voice.md").unlink()
    assert tree.check() == {"doc.md [REF-043, p.45]": ["not-in-corpus"]}
    tree.write("citation-integrity.yaml", policy.format("false", "true"))
    assert tree.check() == {}
    (tree.path / "citation-integrity.yaml").unlink()
    assert tree.check() == {"doc.md [REF-043, p.45]": ["not-in-corpus"]}


@pytest.mark.parametrize("name", ["refs.bib", f"{FOLDER}/refs.bib"])
def test_a_bibliography_comes_changes_and_goes(tree: Tree, name: str) -> None:
    tree.write("pincite.toml", '[corpus]\nbibliography = ["refs.bib"]\n' if name == "refs.bib" else "")
    tree.write("doc.md", "Voice matters [@smith2020, p. 85].\n")
    tree.write(f"{FOLDER}/README.md", "Papers.\n")
    absent = {"doc.md [@smith2020, p. 85]": ["paper-unreadable"]} if name == "refs.bib" else {}
    assert tree.check() == absent
    tree.write(name, BIB)
    assert tree.check() == {"doc.md [@smith2020, p. 85]": []}
    tree.write(name, BIB.replace("97", "84"))
    assert tree.check() == {"doc.md [@smith2020, p. 85]": ["page-out-of-range"]}
    tree.write(name, BIB.replace("smith", "jones"))
    assert tree.check() == {"doc.md [@smith2020, p. 85]": ["not-in-corpus"]}
    (tree.path / name).unlink()
    assert tree.check() == absent


def test_a_documents_own_bibliography_changes(tree: Tree) -> None:
    tree.write("doc.md", "---\nbibliography: refs.bib\n---\n\nVoice matters [@smith2020].\n")
    assert tree.check() == {"doc.md [@smith2020]": ["paper-unreadable"]}
    tree.write("refs.bib", BIB)
    assert tree.check() == {"doc.md [@smith2020]": []}
    tree.write("refs.bib", BIB.replace("smith", "jones"))
    assert tree.check() == {"doc.md [@smith2020]": ["not-in-corpus"]}


def test_receipts_come_and_go(tree: Tree) -> None:
    from hashlib import sha256

    from pincite.store.receipts import Receipt, keep_receipt

    text = "---\ntotal_pages: 24\n---\n"
    tree.write("doc.md", "Voice matters [REF-043, p.15].\n")
    tree.paper(text=text)
    assert tree.check("--require-receipts") == {"doc.md [REF-043, p.15]": ["receipt-missing"]}
    receipt = Receipt(
        created="2026-01-25T12:00:00Z",
        claim="c",
        ref="REF-043",
        citation="[REF-043, p.15]",
        page="15",
        passage="p",
        source=f"{FOLDER}/REF-043-voice.md",
        digest=sha256(text.encode()).hexdigest(),
    )
    with Root(str(tree.path)) as root:
        key = keep_receipt(root, CorpusSettings().receipts, receipt)
    assert tree.check("--require-receipts") == {"doc.md [REF-043, p.15]": []}
    tree.paper(text=text + "\nMore.\n")
    assert tree.check("--require-receipts") == {"doc.md [REF-043, p.15]": ["receipt-missing"]}
    tree.paper(text=text)
    assert tree.check("--require-receipts") == {"doc.md [REF-043, p.15]": []}
    (tree.path / key).unlink()
    assert tree.check("--require-receipts") == {"doc.md [REF-043, p.15]": ["receipt-missing"]}
