"""Invalid citations are taken out without harm to anything around them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.domains.corpus.removal import plan, run_fix
from pincite.domains.corpus.validation import ValidatedDocument, Validator, only_papers
from pincite.engine.drift.follow import Follower
from pincite.engine.pipeline import Engine
from pincite.engine.repair.edits import apply_edits
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.text.document import Document

PAPER = "---\ntitle: Voice\ntotal_pages: 9\nkey_quotes:\n  - quote: Voice consistency improves quality\n    page: 4\n"
PAPER += "    validated: true\n---\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of three papers and a bibliography of one."""
    top = tmp_path_factory.mktemp("papers")
    corpus = top / ".aiwg/research/corpus"
    corpus.mkdir(parents=True)
    for number in (1, 2, 3):
        (corpus / f"REF-00{number}-voice.md").write_text(PAPER)
    (corpus / "library.bib").write_text("@article{smith2020, title={Voice}, author={Smith, A}, year={2020}}\n")
    return top


@pytest.fixture(scope="module")
def root(folder: Path) -> Iterator[Root]:
    with Root(str(folder)) as opened:
        yield opened


@pytest.fixture(scope="module")
def validate(root: Root) -> Callable[..., ValidatedDocument]:
    """Validates a text as the command does."""
    validator = Validator(Engine(root, only_papers(Config()), follower=Follower(), every=True, cache=False))
    return lambda text, path="doc.md": validator.validate(path, text.encode())


def fixed(validate: Callable[..., ValidatedDocument], text: str, path: str = "doc.md") -> str:
    return apply_edits(text, plan(validate(text, path), text).edits)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        # A claim that loses its only citation keeps a mark.
        ("quality [REF-099].", "quality [citation needed]."),
        ("quality (REF-099).", "quality [citation needed]."),
        ("quality [REF-099, p.3] rises", "quality [citation needed] rises"),
        ("quality [REF-0435].", "quality [citation needed]."),
        ("Quality rises. [REF-099]\n", "Quality rises. [citation needed]\n"),
        ("**[REF-099]**", "**[citation needed]**"),
        ("- [REF-099] says so", "- [citation needed] says so"),
        ("quality [@gone2020].", "quality [citation needed]."),
        # Chained ones share it.
        ("quality [REF-098] [REF-099].", "quality [citation needed]."),
        ("quality [REF-098], [REF-097] and [REF-099].", "quality [citation needed]."),
        ("quality [REF-098; REF-099].", "quality [citation needed]."),
        ("quality [citation needed] [REF-099].", "quality [citation needed]."),
        # Another citation of the sentence stays: nothing is left behind.
        ("quality [REF-001] [REF-099].", "quality [REF-001]."),
        ("quality [REF-099] [REF-001].", "quality [REF-001]."),
        ("quality [REF-001] and [REF-099].", "quality [REF-001]."),
        ("quality [REF-099] and [REF-001].", "quality [REF-001]."),
        ("quality [REF-001], [REF-099], [REF-002].", "quality [REF-001], [REF-002]."),
        ("Quality [REF-099] rises and falls [REF-001].", "Quality rises and falls [REF-001]."),
        ("Quality[REF-099] rises [REF-001].", "Quality rises [REF-001]."),
        ("Quality rises [REF-001] by far [REF-099]", "Quality rises [REF-001] by far"),
        ("Quality rises [REF-001] by far   [REF-099].", "Quality rises [REF-001] by far."),
        ("Quality rises [REF-099]. [REF-001]\n", "Quality rises. [REF-001]\n"),
        # A quote that both share stays with the other.
        ("“Voice makes all texts better” [REF-099] [REF-001].", "“Voice makes all texts better” [REF-001]."),
        # Another sentence is another claim.
        ("It rises [REF-099]. It falls [REF-001].", "It rises [citation needed]. It falls [REF-001]."),
        ("It rises [REF-099]. [REF-001] shows it.", "It rises [citation needed]. [REF-001] shows it."),
        # A row loses one item and one separator.
        ("quality [REF-001; REF-099, p.3].", "quality [REF-001]."),
        ("quality [REF-099, p.3; REF-001].", "quality [REF-001]."),
        ("quality [REF-001; REF-099; REF-002, p.3].", "quality [REF-001; REF-002, p.3]."),
        ("quality [REF-001, REF-099].", "quality [REF-001]."),
        ("quality (REF-098; REF-001; REF-099).", "quality (REF-001)."),
        ("quality [see @gone2020; @smith2020].", "quality [@smith2020]."),
        ("quality [@smith2020; see @gone2020, p. 3].", "quality [@smith2020]."),
        ("quality [@gone2020; see @smith2020].", "quality [see @smith2020]."),
        # A sentence that needs the word keeps one.
        ("According to [REF-099], it rises [REF-001].", "According to [citation needed], it rises [REF-001]."),
        ("It rises [REF-001], see [REF-099].", "It rises [REF-001], see [citation needed]."),
        ("It rises [REF-001] and so\n[REF-099] - at last", "It rises [REF-001] and so\n[citation needed] - at last"),
        ("x [REF-001]\n--- [REF-099]\n", "x [REF-001]\n--- [citation needed]\n"),
        # Tables keep their cells, lines their ends.
        (
            "| a [REF-099] | [REF-098] |\r\n|---|---|\r\n",
            "| a [citation needed] | [citation needed] |\r\n|---|---|\r\n",
        ),
        ("| a [REF-001] [REF-099] | b |\n|---|---|\n", "| a [REF-001] | b |\n|---|---|\n"),
        ("a [REF-099].\r\nB [REF-001] [REF-098]\rc\n", "a [citation needed].\r\nB [REF-001]\rc\n"),
        ("> a [REF-099]\n> b\n", "> a [citation needed]\n> b\n"),
    ],
)
def test_what_is_taken_out(validate: Callable[..., ValidatedDocument], text: str, result: str) -> None:
    assert fixed(validate, text) == result
    assert fixed(validate, result) == result


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("REF-099 says so", "part of the sentence"),
        ("(see REF-099) it is", "part of the sentence"),
        ("it [see REF-099] is", "part of the sentence"),
        ("# It rises [REF-099]\n", "heading"),
        ("It rises [REF-099]\n====\n", "heading"),
        ("It rises [REF-099]\r\n----\r\n", "heading"),
        ("[REF-099](x.md)", "link"),
        ("[x](REF-099)", "link"),
        ("it [rises REF-099, p.3](x.md)", "link"),
        ("it [rises (REF-099)](x.md)", "link"),
        ("[REF-001][REF-099]", "link"),
        ("[[REF-099]]", "link"),
        ("![x [REF-099]](x.png)", "link"),
        ("[REF-099]: x.md", "definition"),
        ("[^1]: It rises [REF-099]\n", "footnote"),
        ("[^1]: It rises\n    and falls [REF-099]\n", "footnote"),
        ("[^1]: It rises\n\n    and falls [REF-099]\n", "footnote"),
        ("<p>It rises [REF-099]</p>\n", "HTML"),
        ("<div>\nIt rises [REF-099]\n</div>\n", "HTML"),
        ("<pre>\n\nIt rises [REF-099]\n</pre>\n", "HTML"),
        ("it <sup>[REF-099]</sup> rises", "HTML"),
        ('it <a title="[REF-099]">rises</a>', "no running text"),
        ("it <!-- [REF-099] --> rises", "no running text"),
        ("---\nabout: it rises [REF-099]\n---\n", "frontmatter"),
        ("Smith [REF-099] (2023) says so [REF-001].", "citations around it"),
        ("It rises [REF-099,\np.3] by far", "end of a line"),
        ("It rises [REF-099, p.\r\n3; REF-001]", "end of a line"),
    ],
)
def test_what_stays(validate: Callable[..., ValidatedDocument], text: str, reason: str) -> None:
    made = plan(validate(text), text)
    assert apply_edits(text, made.edits) == text
    assert [left for left in made.left if reason in left.reason], made.left


@pytest.mark.parametrize("text", ["`[REF-099]`\n", "```\nIt rises [REF-099]\n```\n", "    code [REF-099]\n"])
def test_code_is_not_touched(validate: Callable[..., ValidatedDocument], root: Root, text: str) -> None:
    assert fixed(validate, text) == text
    reading = Validator(Engine(root, only_papers(Config(in_code=True)), follower=Follower(), every=True, cache=False))
    found = reading.validate("doc.md", text.encode())
    assert found.details
    assert plan(found, text).edits == ()


@pytest.mark.parametrize(
    "text",
    [
        "“Voice makes every text better” [REF-001, p.4].",
        "It rises [REF-001, p.zz].",
        "It rises [REF-001, p.99].",
        "x [1].",
    ],
)
def test_good_sources_are_never_taken_out(validate: Callable[..., ValidatedDocument], text: str) -> None:
    assert fixed(validate, text) == text


def test_malformed_page_is_left_and_named(validate: Callable[..., ValidatedDocument]) -> None:
    text = "It rises [REF-001, p.zz]."
    (left,) = plan(validate(text), text).left
    assert (left.line, left.column, left.citation) == (1, 10, "[REF-001, p.zz]")
    assert "is no page" in left.reason


def test_quote_on_another_page_gets_its_page(validate: Callable[..., ValidatedDocument]) -> None:
    text = "“Voice consistency improves quality” [REF-001, p.3]. It falls [REF-099].\n"
    made = plan(validate(text), text)
    result = "“Voice consistency improves quality” [REF-001, p.4]. It falls [citation needed].\n"
    assert apply_edits(text, made.edits) == result
    assert (made.removed, made.corrected, made.left) == (1, 1, ())


def test_ignored_finding_is_left(validate: Callable[..., ValidatedDocument]) -> None:
    text = "It rises [REF-099]. <!-- pincite: ignore not-in-corpus comes next week -->\n"
    assert fixed(validate, text) == text


def test_changed_document_is_not_edited(validate: Callable[..., ValidatedDocument]) -> None:
    found = validate("It rises [REF-099].\n")
    for other in ("It really rises [REF-099].\n", "", "It"):
        assert plan(found, other).edits == ()
        assert plan(found, other).left[0].reason == "the document changed"


PIECES = st.sampled_from(
    [
        *("[REF-001]", "[REF-099]", "[REF-098, p.3]", "(REF-097)", "[REF-001; REF-099]", "[REF-099; REF-002, p.2]"),
        *(
            "REF-099",
            "REF-001",
            "[@smith2020]",
            "[@gone; see @smith2020]",
            "[REF-0435]",
            "[REF-099](x.md)",
            "[REF-001, p.zz]",
        ),
        *(
            " ",
            " ",
            " ",
            "\n",
            "\n\n",
            "\r\n",
            ".",
            ". ",
            ", ",
            " and ",
            "; ",
            "[",
            "]",
            "(",
            ")",
            ":",
            "!",
            "\\",
            "`",
            "^",
        ),
        *(
            "Quality rises",
            "it falls",
            " Smith ",
            "(2023)",
            "“Voice makes all texts better”",
            '"Voice consistency improves"',
        ),
        *(
            "# ",
            "- ",
            "> ",
            "| ",
            "---\n",
            "```\n",
            "<b>",
            "</b>",
            "<!--",
            "-->",
            "[^1]: ",
            "[citation needed]",
            "*",
            "src/a.py",
        ),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=24).map("".join))
def test_fixing_is_idempotent_and_adds_no_finding(validate: Callable[..., ValidatedDocument], text: str) -> None:
    before = validate(text)
    after = fixed(validate, text)
    again = validate(after)

    def problems(found: ValidatedDocument) -> list[tuple[str, str]]:
        # What is malformed goes by its words, and the last one of a row takes the brackets over.
        return sorted(
            (one.result.ref_id.strip("[]()"), issue.message) for one in found.details for issue in one.result.issues
        )

    known = problems(before)
    for problem in problems(again):
        assert problem in known
        known.remove(problem)
    assert fixed(validate, after) == after
    assert after.count("\n") == text.count("\n")
    code = [row for row in Document("doc.md", text).prose.split("\n") if "\0" in row]
    assert len([row for row in Document("doc.md", after).prose.split("\n") if "\0" in row]) == len(code)


def test_time_grows_with_the_text_alone(
    validate: Callable[..., ValidatedDocument], in_proportion: Callable[..., bool]
) -> None:
    row = "It rises [REF-099] and falls [REF-001; REF-098]. (REF-097) “words in a row” [REF-002] x.\n"
    short, long = ((validate(row * times), row * times) for times in (50, 400))
    assert in_proportion(lambda given: plan(*given), short, long, 8)


class Said:
    """Collects what is printed."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []

    def __call__(self, line: str, err: bool = False) -> None:
        (self.err if err else self.out).append(line)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "doc.md"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_fix_is_written_with_yes(
    validate: Callable[..., ValidatedDocument], folder: Path, root: Root, bom: bytes
) -> None:
    text = "It rises [REF-099].\r\nüber\n"
    path = written(folder, bom + text.encode())
    said = Said()
    assert run_fix(root, [validate(text)], True, said) == 0
    assert path.read_bytes() == bom + "It rises [citation needed].\r\nüber\n".encode()
    assert any(line[0] == "+" and line.endswith("It rises [citation needed].") for line in said.out)
    assert said.err[-1] == "1 citation removed in 1 document."


def test_nothing_is_written_without_yes(
    validate: Callable[..., ValidatedDocument], folder: Path, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "It rises [REF-099].\n"
    path = written(folder, text.encode())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    said = Said()
    assert run_fix(root, [validate(text)], False, said) == 1
    assert path.read_text() == text
    assert "-It rises [REF-099]." in said.out
    assert "--yes" in said.err[-1]


@pytest.mark.parametrize("answer", [True, False])
def test_a_terminal_is_asked(
    validate: Callable[..., ValidatedDocument], folder: Path, root: Root, monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    text = "It rises [REF-099].\n"
    path = written(folder, text.encode())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.confirm", lambda *_, **__: answer)
    assert run_fix(root, [validate(text)], False, Said()) == int(not answer)
    assert (path.read_text() == text) is not answer


def test_what_is_left_fails(validate: Callable[..., ValidatedDocument], folder: Path, root: Root) -> None:
    text = "REF-099 says so. It rises [REF-098].\n"
    path = written(folder, text.encode())
    said = Said()
    assert run_fix(root, [validate(text)], True, said) == 1
    assert path.read_text() == "REF-099 says so. It rises [citation needed].\n"
    assert any(line.startswith("left: doc.md:1:1: [REF-099]: it is part of the sentence") for line in said.err)


def test_warnings_fail_when_strict(validate: Callable[..., ValidatedDocument], folder: Path, root: Root) -> None:
    text = "It rises [REF-001, p.99].\n"
    written(folder, text.encode())
    assert run_fix(root, [validate(text)], True, Said()) == 0
    assert run_fix(root, [validate(text)], True, Said(), strict=True) == 1


def test_changed_file_is_a_conflict_or_left(
    validate: Callable[..., ValidatedDocument], folder: Path, root: Root
) -> None:
    path = written(folder, b"Somebody else wrote this [REF-099].\n")
    assert run_fix(root, [validate("It rises [REF-099].\n")], True, Said()) == 1
    assert path.read_text() == "Somebody else wrote this [REF-099].\n"


def test_missing_file_is_said(validate: Callable[..., ValidatedDocument], root: Root) -> None:
    said = Said()
    assert run_fix(root, [validate("It rises [REF-099].\n", "gone\x1b.md")], True, said) == 2
    assert "gone\\u{1b}.md" in said.err[0]


def test_nothing_to_fix_is_said(validate: Callable[..., ValidatedDocument], folder: Path, root: Root) -> None:
    text = "It rises [REF-001].\n"
    written(folder, text.encode())
    said = Said()
    assert run_fix(root, [validate(text)], True, said) == 0
    assert (said.out, said.err) == ([], ["Nothing to fix."])
