"""Quotes of pages in snapshots: which are put right, how, and which are left alone."""

from __future__ import annotations

from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.model import Safety
from pincite.domains.research.model import EXTRACT, VALIDATE
from pincite.domains.research.quote_repair import Quotes, describe_next_step, topics_below
from pincite.domains.research.stage_file import load
from pincite.domains.research.topic import find_topic
from pincite.engine.repair.draft_engine import DraftEngine
from pincite.engine.repair.fix import Fix, Fixer, make_fix_diff, write
from pincite.safe.files import Root

TIDES, HARBOUR, WEIR = "https://tides.example/moon", "https://harbour.example/depth", "https://weir.example/fish"
MOON = "The moon raises two tides a day. It pulls the water nearest to it hardest."
RIGHT = "The harbour is 14 metres deep at low water."
WRONG = "The harbour is 41 metres deep at low water."
HEAD = "# by hand\nextracted_citations:\n"
ENTRY = """  - claim: The harbour is deep.   # a claim
    quote: {quote}
    source_url: {url}
    source_type: secondary
    page_title: The harbour
    accessed_date: "2026-05-02"
"""


def fixes(held: Any) -> list[Fix]:
    with Root(str(held.top)) as root:
        quotes = Quotes(root, find_topic(root, held.name))
        fixer = Fixer(root, lambda: cast("DraftEngine", quotes))
        offers = fixer.offers(*quotes.report())
        fix = fixer.fix(offers, offers.changes) if offers is not None and offers.changes else None
    return [fix] if fix is not None and fix.changes else []


def fixed(held: Any, text: str, ending: str = ".yaml") -> str:
    """A file of extracted citations with all that is offered; a second pass must offer nothing."""
    for one in (".yaml", ".yml", ".json"):
        held.file(EXTRACT, one).unlink(missing_ok=True)
    path = held.file(EXTRACT, ending)
    path.write_bytes(text.encode())
    found = fixes(held)
    if not found:
        return text
    (fix,) = found
    assert fix.old == text.encode()
    assert all(change.edit.safety is Safety.UNSAFE for change in fix.changes)
    assert all(change.finding.then and change.finding.now for change in fix.changes)
    with Root(str(held.top)) as root:
        write(root, fix)
    assert path.read_bytes() == fix.new
    assert fixes(held) == []
    return fix.new.decode()


def test_quotes_that_stand_there_offer_nothing(held: Any) -> None:
    assert fixes(held) == []


@pytest.mark.parametrize(
    "written",
    [
        "{0}",
        "'{0}'",
        '"{0}"',
        "|\n      {0}",
        ">-\n      {0}",
        "|2-\n      {0}",
        ">\n      The harbour is {1} metres\n      deep at low water.",
        "The harbour is {1} metres\n      deep at low water.",
        '"The harbour is {1} metres\n      deep at low water."',
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_page_has_the_last_word(held: Any, written: str, ending: str) -> None:
    """Plain, quoted and block scalars keep their style, and all other bytes stay."""
    written = written.replace("|2-\n      ", "|2-\n      ")
    text = (HEAD + ENTRY + ENTRY).replace("\n", ending)
    quotes = [written.format(words, number).replace("\n", ending) for words, number in ((WRONG, "41"), (RIGHT, "14"))]
    other = "Ships of 200 metres can turn in it."
    before = "\ufeff" + text.replace("{url}", HARBOUR).replace("{quote}", quotes[0], 1).replace("{quote}", other)
    after = "\ufeff" + text.replace("{url}", HARBOUR).replace("{quote}", quotes[1], 1).replace("{quote}", other)
    assert fixed(held, before) == after


def test_json_is_served_too(held: Any) -> None:
    row = f'{{"claim": "It is deep.", "quote": "{WRONG}", "source_url": "{HARBOUR}", "source_type": "secondary",'
    row += ' "page_title": "The harbour",\t"accessed_date": "2026-05-02"}'
    text = f'{{"extracted_citations": [\n {row}\n]}}'
    assert fixed(held, text, ".json") == text.replace("41", "14")
    # Written with escapes, it is written anew.
    escaped = text.replace("The harbour is 41", "The harbour \\u0069s 41")
    assert fixed(held, escaped, ".json") == text.replace("41", "14")


def test_words_with_marks_are_quoted_as_the_format_needs_it(held: Any, made: ModuleType) -> None:
    said = 'He said: "no # is 7: it\'s 8", and then he left the old harbour for good.'
    held.keep(made.visit("https://said.example/x", made.html("Said", [said.replace('"', "&quot;")])))
    wrong = said.replace("8", "9").replace("He said", "She said")
    row = made.citation("He left.", wrong, "https://said.example/x", page_title="Said")
    for ending in (".yaml", ".json"):
        held.write(EXTRACT, [row], ending)
        text = held.file(EXTRACT, ending).read_text()
        after = fixed(held, text, ending)
        with Root(str(held.top)) as root:
            (item,) = load(root, f".research/tides/agent-outputs/{EXTRACT}{ending}", EXTRACT).items
        assert item.quote == said and after != text
        held.file(EXTRACT, ending).unlink()


def test_a_quote_of_another_page_is_given_its_page(held: Any) -> None:
    """With the type and the title that the search found for it."""
    text = HEAD + ENTRY.replace("secondary", "primary").format(quote=RIGHT, url=TIDES).replace(
        "The harbour\n", "On tides\n"
    )
    assert fixed(held, text) == HEAD + ENTRY.format(quote=RIGHT, url=HARBOUR)
    (fix,) = [*_offered(held, text)]
    assert fix.changes[0].finding.check == "quote-misattributed"
    assert (fix.changes[0].finding.then, fix.changes[0].finding.now) == ((TIDES,), (HARBOUR,))


def _offered(held: Any, text: str) -> list[Fix]:
    held.file(EXTRACT).write_text(text)
    return fixes(held)


@pytest.mark.parametrize(
    ("quote", "url"),
    [
        # Nothing comes near it.
        ("Whales were never seen in this part of the world by anybody.", HARBOUR),
        # There is no snapshot of the page.
        (WRONG, "https://nowhere.example/x"),
        # Its pieces stand apart.
        ("The moon raises two tides a day hardest.", TIDES),
        # It says itself that it leaves something out.
        ("The harbour is 14 metres deep […] Ships of 200 metres can turn in it.", HARBOUR),
        # Folding alone makes it verbatim: there is nothing to fix.
        ("The harbour is\u00a014  metres deep at low water.", HARBOUR),
    ],
)
def test_what_cannot_be_told_is_left_alone(held: Any, quote: str, url: str) -> None:
    text = HEAD + ENTRY.format(quote=f'"{quote}"', url=url)
    assert fixed(held, text) == text


def test_a_quote_on_two_other_pages_is_ambiguous(held: Any, made: ModuleType) -> None:
    held.keep(made.visit(WEIR, made.html("Fish at the weir", [RIGHT]), at="2026-08-01T08:00:00Z"))
    text = HEAD + ENTRY.format(quote=RIGHT, url=TIDES)
    assert fixed(held, text) == text
    held.file(EXTRACT).write_text(text)
    with Root(str(held.top)) as root:
        topic = find_topic(root, "tides")
        report = Quotes(root, topic).check_bytes(topic.path(EXTRACT), text.encode())
    (finding,) = report.verdicts[0].findings
    assert finding.check == "quote-misattributed" and finding.edit is None
    assert HARBOUR in finding.message and WEIR in finding.message


def test_a_damaged_snapshot_proves_nothing(held: Any) -> None:
    for path in (held.folder / "snapshots").iterdir():
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    text = HEAD + ENTRY.format(quote=WRONG, url=HARBOUR)
    assert fixed(held, text) == text


def test_a_longer_passage_than_may_be_quoted_is_not_offered(held: Any, made: ModuleType) -> None:
    long = " ".join(f"word{at}" for at in range(151)) + "."
    held.keep(made.visit("https://long.example/x", made.html("Long", [long])))
    quote = long.replace("word7 ", "").replace("word9 ", "wort9 ")
    text = HEAD + ENTRY.format(quote=quote, url="https://long.example/x")
    assert fixed(held, text) == text


def test_a_sealed_file_is_not_edited(held: Any) -> None:
    """What a program made and sealed is refused once it is changed: it has to make it again."""
    text = HEAD + ENTRY.format(quote=WRONG, url=HARBOUR) + "made:\n  by: somebody\n  content: abc\n"
    assert fixed(held, text) == text


def test_a_broken_file_is_a_report_with_an_error(held: Any) -> None:
    with Root(str(held.top)) as root:
        topic = find_topic(root, "tides")
        for data in (b"\xff\xfe", b"a: [", b"", b"extracted_citations: 3\n", b"extracted_citations:\n  - 7\n"):
            report = Quotes(root, topic).check_bytes(topic.path(EXTRACT), data)
            assert report.verdicts == ()


def test_a_quote_is_not_taken_from_a_page_that_could_harm_its_reader(held: Any, made: ModuleType) -> None:
    held.keep(
        made.visit("https://odd.example/x", made.html("Odd", ["The harbour is \u202e14 metres deep at low water."]))
    )
    text = HEAD + ENTRY.format(quote=WRONG, url="https://odd.example/x")
    after = fixed(held, text)
    assert "\u202e" not in after


def test_topics_are_chosen_by_path(held: Any, made: ModuleType) -> None:
    made.Bed(held.top, "fish").given()
    with Root(str(held.top)) as root:
        names = {
            key: [topic.name for topic in topics_below(root, [key])]
            for key in (
                "",
                ".research",
                ".research/tides",
                ".research/tides/agent-outputs/x.yaml",
                "docs",
                ".research/t",
            )
        }
    assert names["docs"] == names[".research/t"] == []
    assert names[""] == names[".research"] == ["fish", "tides"]
    assert names[".research/tides"] == names[".research/tides/agent-outputs/x.yaml"] == ["tides"]


def test_what_to_do_afterwards_is_said_where_there_is_something_to_do(held: Any) -> None:
    with Root(str(held.top)) as root:
        assert describe_next_step(find_topic(root, "tides")) == ""
    held.file(VALIDATE).write_text("validated_citations: []\n")
    with Root(str(held.top)) as root:
        assert "pincite research run tides" in describe_next_step(find_topic(root, "tides"))


def test_the_diff_shows_the_lines_that_change(held: Any) -> None:
    (fix,) = _offered(held, HEAD + ENTRY.format(quote=WRONG, url=HARBOUR))
    rows = make_fix_diff(fix)
    assert f"-    quote: {WRONG}" in rows and f"+    quote: {RIGHT}" in rows
    assert sum(row.startswith("+") for row in rows) == 2


WORDS = st.sampled_from(
    (*MOON.split(), "two", "not", "x", ":", "#", "'", '"', "\\", "- ", "…", "[", "&", "é", "\u0301")
)


@given(words=st.lists(WORDS, min_size=1, max_size=12), style=st.sampled_from(("'", '"', "|", ">", "")))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_quoted_the_rest_of_the_file_stays(held: Any, words: list[str], style: str) -> None:
    """After a fix the file reads as before but for one quote, which then stands on its page."""
    from pincite.text.frontmatter_edit import quote_scalar

    quote = " ".join(words)
    written = f"{style}\n      {quote}" if style in ("|", ">") else quote_scalar(quote, style)
    text = HEAD + ENTRY.format(quote=written, url=TIDES) + ENTRY.format(quote=RIGHT, url=HARBOUR)
    after = fixed(held, text)
    assert after.startswith(HEAD) and after.endswith(ENTRY.format(quote=RIGHT, url=HARBOUR))
