"""The checks: each speaks when it should and is silent otherwise, has a page, and is known by its name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pincite
from pincite import checks
from pincite.core.model import Citation, Finding, Lines, Obstacle, Outcome, Quote, Severity, SourceRef, Span
from pincite.papers.ids import EXPECTED
from pincite.text.document import Document
from pincite.text.evidence import Evidence

SOURCE = Path(pincite.__file__).parent
TEXT = b"one\n\n  \nfour = 4\n"


def cite(
    lines: Lines | None = None, quote: str | None = None, dialect: str = "bracket", raw: str = "x", at: int = 0
) -> Citation:
    return Citation(
        dialect, Span(at, at + len(raw)), raw, SourceRef("file", "a.py"), lines, Quote(quote) if quote else None
    )


def say(check: str, citation: Citation, text: str = "So. x", data: bytes = TEXT) -> Finding | None:
    """What one check says about a citation of the text above."""
    evidence = Evidence(SourceRef("file", "a.py"), data)
    module = checks.load(check)
    found: Finding | None = checks.row((check,))[0](Document("x.md", text), citation, evidence)
    assert found is None or (found.check, found.outcome, found.severity) == (check, module.OUTCOME, module.SEVERITY)
    return found


FIRES = [
    ("line-invalid", cite(Lines(0, 0)), "Invalid line number: 0 (must be >= 1)"),
    ("line-invalid", cite(Lines(-3, 2)), "Invalid line number: -3 (must be >= 1)"),
    ("line-out-of-range", cite(Lines(5, 5)), "Line 5 exceeds file length (4 lines)"),
    ("range-past-end", cite(Lines(4, 5)), "Line 5 exceeds file length (4 lines); the range starts inside"),
    (
        "snippet-mismatch",
        cite(Lines(4, 4), "four = 5"),
        "Snippet mismatch at line 4. Expected 'four = 5', got 'four = 4'",
    ),
    ("snippet-without-line", cite(None, "four"), "Snippet without a line is not compared; it stands on line 4"),
    (
        "snippet-without-line",
        cite(None, "five"),
        "Snippet without a line is not compared; it stands on no line of the file",
    ),
    ("blank-range", cite(Lines(2, 3)), "Lines 2-3 are blank: a blank range proves nothing"),
    ("blank-range", cite(Lines(3, 3)), "Line 3 is blank: a blank range proves nothing"),
]
SILENT = [
    ("line-invalid", cite(Lines(1, 1))),
    ("line-invalid", cite(None)),
    ("line-out-of-range", cite(Lines(4, 4))),
    ("line-out-of-range", cite(None)),
    ("range-past-end", cite(Lines(1, 4))),
    ("range-past-end", cite(None)),
    ("snippet-mismatch", cite(Lines(4, 4), "our =")),
    ("snippet-mismatch", cite(Lines(4, 4))),
    ("snippet-mismatch", cite(None, "five")),
    ("snippet-without-line", cite(Lines(4, 4), "five")),
    ("snippet-without-line", cite(None)),
    ("blank-range", cite(Lines(1, 3))),
    ("blank-range", cite(None)),
    ("blank-range", cite(Lines(2, 2), "x")),
]


@pytest.mark.parametrize(("check", "citation", "message"), FIRES)
def test_a_check_speaks(check: str, citation: Citation, message: str) -> None:
    found = say(check, citation)
    assert found is not None
    assert found.message == message


@pytest.mark.parametrize(("check", "citation"), SILENT)
def test_a_check_is_silent(check: str, citation: Citation) -> None:
    assert say(check, citation) is None


BRACKET = "【F:a.py†L1】"


@pytest.mark.parametrize(
    "before",
    [
        "",
        "Intro.\n\n",
        "- ",
        "1. ",
        "> ",
        "- [x] ",
        "a\n\n" + BRACKET,
        "w.\n\n" + BRACKET + " ",
        "w.\r\n\r\n",
        "- w\n- ",
        "  \n",
        "# \n\n",
    ],
)
def test_a_bracket_before_any_text(before: str) -> None:
    citation = cite(Lines(1, 1), raw=BRACKET, at=len(before))
    assert say("citation-before-claim", citation, before + BRACKET + " then text") is not None


@pytest.mark.parametrize(
    "before",
    [
        *(
            "It is so.",
            "It is so. ",
            "Ten",
            "It is so. " + BRACKET,
            "It is so.\n",
            "- so ",
            "a: ",
            "これは。",
            "It is 10. ",
            "(see it) ",
        ),
        *("It is so. " + BRACKET + BRACKET, "**so** ", "It is `so` ", "1. so ", "> so ", "It is so…", "It is so\r\n"),
    ],
)
def test_a_bracket_after_its_claim(before: str) -> None:
    citation = cite(Lines(1, 1), raw=BRACKET, at=len(before))
    assert say("citation-before-claim", citation, before + BRACKET) is None


def test_only_brackets_have_to_follow_a_claim() -> None:
    assert say("citation-before-claim", cite(Lines(1, 1), dialect="path-line"), "x") is None


def test_the_row_is_all_modules_that_check() -> None:
    having = [name for name in checks.names() if hasattr(checks.load(name), "check")]
    assert sorted((*checks.ROW, *checks.CAPTURED, *checks.HEADED, *checks.PAPER)) == having
    assert len(checks.row()) == len(checks.ROW)
    assert len(checks.row(checks.PAPER)) == len(checks.PAPER) == len(set(checks.PAPER))


def test_checks_of_papers_say_nothing_of_other_sources() -> None:
    for name in checks.PAPER:
        for citation in (cite(Lines(1, 1)), cite(None, "some quoted words"), cite(None)):
            assert say(name, citation) is None


def test_checks_that_guard_others_come_first() -> None:
    """A snippet is compared only with a line that exists."""
    order = checks.ROW.index
    assert order("line-invalid") < order("line-out-of-range") < order("range-past-end") < order("snippet-mismatch")


@pytest.mark.parametrize("name", checks.names())
def test_a_check_has_a_page_with_all_its_parts(name: str) -> None:
    page = checks.page(name)
    what, *rest = page.split("\n\n")
    assert what.endswith(".") and "\n" not in what
    starts = [part.partition(":")[0] for part in rest]
    assert starts == ["Why", "Example", "Remedy"]
    assert all(part.partition(":")[2].strip() for part in rest)


@pytest.mark.parametrize("name", checks.names())
def test_a_check_says_how_grave_it_is(name: str) -> None:
    module = checks.load(name)
    assert isinstance(module.OUTCOME, Outcome)
    assert isinstance(module.SEVERITY, Severity)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", name)


def test_an_unknown_check_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        checks.load("no-such-check")


@pytest.mark.parametrize("name", checks.names())
def test_the_words_of_a_finding_are_made_where_its_check_lives(name: str) -> None:
    module = checks.load(name)
    made = [one for one in vars(module).values() if getattr(one, "__module__", "") == vars(module)["__name__"]]
    assert any(callable(one) for one in made)


def test_no_other_room_makes_a_finding() -> None:
    making = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Finding"
        and isinstance(node.args[0], ast.Constant)
    }
    assert making == {"checks"}


def named_in_source() -> set[str]:
    """Every check that some module names when it reports something."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in ("Finding", "Obstacle"):
                    found.add(str(node.args[0].value))
            elif isinstance(node, ast.ClassDef):
                given = [
                    row for row in node.body if isinstance(row, ast.Assign) and isinstance(row.value, ast.Constant)
                ]
                found.update(row.value.value for row in given if getattr(row.targets[0], "id", "") == "kind")
    return found


def test_every_check_that_is_named_exists() -> None:
    named = named_in_source()
    assert {"file-not-found", "path-blocked", "blank-range", "lines-edited"} <= named
    assert named <= set(checks.names())


@pytest.mark.parametrize(
    ("kind", "detail", "message"),
    [
        ("file-not-found", "a.py", "File not found: a.py"),
        ("path-blocked", "../a", "Path traversal blocked: ../a"),
        ("file-unreadable", "not UTF-8", "Cannot read file: not UTF-8"),
        ("revision-unknown", "abc", "Revision abc is not in this clone; the link was not checked"),
        ("command-not-captured", "", "No captured output a.py is at hand; the citation was not checked"),
        (
            "command-not-captured",
            "b.json: no manifest",
            "No captured output a.py is at hand (b.json: no manifest); the citation was not checked",
        ),
        ("chunk-damaged", "its bytes changed", "The text of a.py is damaged (its bytes changed)"),
        (
            "chunk-ambiguous",
            "2 0123456789ab, 0123456fffff",
            "a.py means 2 captured texts (0123456789ab, 0123456fffff); write more digits of the one you mean",
        ),
        ("not-in-corpus", "Citation not in corpus: REF-099. Remove it", "Citation not in corpus: REF-099. Remove it"),
        ("paper-ambiguous", "a.md and b.md", "a.py has more than one corpus file: a.md and b.md"),
        ("paper-unreadable", "a.md: not UTF-8", "a.md: not UTF-8"),
        ("corpus-not-found", "papers", "a.py is not checked: there is no corpus at papers"),
        ("forbidden-format", "numeric", "x names no source of the corpus: cite by id, as [REF-043, p.15]"),
        ("malformed-citation", "REF-43", f"REF-43 is no id of a paper (expected {EXPECTED})"),
        ("opaque-reference", "", "x is opaque: it names nothing that can be checked"),
        ("symbol-unchecked", "", "The symbol  in a.py was not looked up"),
    ],
)
def test_an_obstacle_becomes_a_finding(kind: str, detail: str, message: str) -> None:
    found = checks.obstacle(cite(), Obstacle(kind, detail))
    assert (found.check, found.message) == (kind, message)
    assert found.outcome is checks.load(kind).OUTCOME
    assert found.outcome > Outcome.HOLDS


def test_what_could_not_be_checked_never_holds() -> None:
    for name in (
        "drift-unknown",
        "existence-unknown",
        "file-unreadable",
        "revision-unknown",
        "command-not-captured",
        "opaque-reference",
    ):
        assert checks.load(name).OUTCOME is Outcome.UNCHECKED
    for name in ("page-unchecked", "section-unchecked", "quote-unchecked", "corpus-not-found", "forbidden-format"):
        assert checks.load(name).OUTCOME is Outcome.UNCHECKED


def test_the_project_decides_how_loud_an_obstacle_is() -> None:
    found = checks.obstacle(cite(), Obstacle("not-in-corpus", "x", Severity.NOTE))
    assert (found.severity, found.outcome) == (Severity.NOTE, Outcome.MISSING)
    assert checks.obstacle(cite(), Obstacle("not-in-corpus", "x")).severity is Severity.ERROR


def test_a_long_line_is_quoted_in_part() -> None:
    found = say("snippet-mismatch", cite(Lines(1, 1), "four"), data=b"z" * 100_000)
    assert found is not None
    assert found.message == f"Snippet mismatch at line 1. Expected 'four', got '{'z' * 2000}…'"
