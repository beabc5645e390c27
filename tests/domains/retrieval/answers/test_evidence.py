"""What is true of a citation: there, elsewhere, altered, nowhere, or not to be told."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Outcome
from pincite.domains.retrieval.answers import check_responses
from pincite.domains.retrieval.answers.model import AnswerReport, CitationCheck

LAMPS = "Lamps burn oil all night. The keeper sleeps at noon.\n"
DOORS = "Doors close at nine. Nobody leaves the house after that.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamps.md").write_text(LAMPS)
    (tmp_path / "doors.md").write_text(DOORS)
    return tmp_path


def checked(data: Any, *docs: str) -> AnswerReport:
    (report,) = check_responses(json.dumps(data).encode(), "x", docs)
    return report


def only(data: Any, *docs: str) -> CitationCheck:
    (one,) = checked(data, *docs).citations
    return one


def quoting(text: str, place: tuple[int, int] | None = None, **more: Any) -> dict:
    start, end = place or (0, len(text))
    citation = {
        "type": "char_location",
        "cited_text": text,
        "document_index": 0,
        "document_title": None,
        "start_char_index": start,
        "end_char_index": end,
        **more,
    }
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "Said.", "citations": [citation]}],
    }


def naming(text: str, filename: str) -> dict:
    note = {"type": "file_citation", "file_id": "f", "filename": filename, "index": len(text)}
    return {
        "object": "response",
        "output": [{"type": "message", "content": [{"type": "output_text", "text": text, "annotations": [note]}]}],
    }


def sending(response: dict, source: dict, title: str = "lamps") -> dict:
    block = {"type": "document", "title": title, "source": source}
    return {"request": {"messages": [{"role": "user", "content": [block]}]}, "response": response}


def test_moved_says_where_with_offsets(folder: Path) -> None:
    one = only(quoting("The keeper sleeps at noon.", (0, 26)), "lamps.md")
    assert one.outcome is Outcome.MOVED
    assert one.where is not None and LAMPS[one.where.start : one.where.end] == "The keeper sleeps at noon."
    assert "characters 26-52" in one.remedy


def test_altered_shows_the_words_that_differ(folder: Path) -> None:
    one = only(quoting("Lamps burn no oil all night."), "lamps.md")
    assert one.outcome is Outcome.MISMATCH
    assert one.diff == ("Lamps burn {+no+} oil all night.", "Lamps burn oil all night.")
    assert "negation" in one.changes


def test_stitched_words_are_altered(folder: Path) -> None:
    (folder / "long.txt").write_text(
        "Lamps burn oil all night. " + "Gulls cry. " * 40 + "Boats leave at dawn in fog.\n"
    )
    one = only(quoting("Lamps burn oil all night. Boats leave at dawn in fog."), "long.txt")
    assert one.outcome is Outcome.MISMATCH
    assert any("joins words" in note for note in one.notes)


def test_missing_is_not_said_while_a_document_cannot_be_read(folder: Path) -> None:
    (folder / "sealed.txt").write_bytes(b"\xff\xfe")
    absent = quoting("Seventeen elephants crossed the wooden bridge.", document_title="ledger.txt", document_index=7)
    assert only(absent, "lamps.md").outcome is Outcome.MISSING
    assert only(absent, "lamps.md", "sealed.txt").outcome is Outcome.UNCHECKED


def test_without_documents_nothing_holds(folder: Path) -> None:
    assert only(quoting("Lamps burn oil all night.")).outcome is Outcome.UNCHECKED
    assert only(naming("Lamps burn oil all night.", "lamps.md")).outcome is Outcome.UNCHECKED


def test_embedded_text_is_evidence_and_documents_are_asked_too(folder: Path) -> None:
    response = quoting("Lamps burn oil all night.", (0, 25))
    sent = sending(response, {"type": "text", "media_type": "text/plain", "data": LAMPS})
    alone = only(sent)
    assert (alone.outcome, alone.place_held) == (Outcome.HOLDS, True)
    assert alone.where is not None and alone.where.path == "request.messages[0].content[0]"
    both = only(sent, "lamps.md")
    assert both.outcome is Outcome.HOLDS and both.where is not None and both.where.path == "lamps.md"
    beside = only(sent, "doors.md")
    assert beside.outcome is Outcome.HOLDS
    assert beside.where is not None and beside.where.path == "request.messages[0].content[0]"


def test_embedded_pdf_is_read(folder: Path, make_pdf: Callable[..., bytes]) -> None:
    data = b64encode(make_pdf(["The first page has other words.", "Lamps burn oil all night."])).decode()
    page = {"type": "page_location", "start_page_number": 2, "end_page_number": 3}
    source = {"type": "base64", "media_type": "application/pdf", "data": data}
    one = only(sending(quoting("Lamps burn oil all night.", **page), source))
    assert (one.outcome, one.place_held) == (Outcome.HOLDS, True)
    wrong = only(
        sending(quoting("Lamps burn oil all night.", **{**page, "start_page_number": 1, "end_page_number": 2}), source)
    )
    assert wrong.outcome is Outcome.MOVED


def test_words_on_every_page_hold_on_each(folder: Path, make_pdf: Callable[..., bytes]) -> None:
    (folder / "many.pdf").write_bytes(make_pdf([f"Page {number} says that lamps burn oil." for number in range(40)]))
    page = {"type": "page_location", "start_page_number": 39, "end_page_number": 40}
    assert only(quoting("says that lamps burn oil.", **page), "many.pdf").outcome is Outcome.HOLDS
    beyond = {**page, "start_page_number": 50, "end_page_number": 51}
    assert only(quoting("says that lamps burn oil.", **beyond), "many.pdf").outcome is Outcome.MOVED


def test_likeness_never_holds(folder: Path) -> None:
    for text in ("Lamps burn oil every night.", "All night the lamps burn their oil.", "The keeper rests at noon."):
        one = only(naming(text, "lamps.md"), "lamps.md")
        assert one.outcome is Outcome.UNCHECKED
        assert one.nearest is not None and one.nearest.label == "lamps.md:1"


def test_words_that_only_another_document_has_stand_elsewhere(folder: Path) -> None:
    one = only(naming("Doors close at nine.", "lamps.md"), "lamps.md", "doors.md")
    assert one.outcome is Outcome.MOVED
    assert "stand elsewhere: in doors.md:1, not in lamps.md" in one.message
    absent = only(naming("Doors close at nine.", "ledger.md"), "lamps.md", "doors.md")
    assert absent.outcome is Outcome.MISSING and "doors.md:1" in absent.message


def test_emphasis_is_no_part_of_the_words(folder: Path) -> None:
    assert only(naming("**Doors** close at `nine`.", "doors.md"), "doors.md").outcome is Outcome.HOLDS


def test_source_without_a_name_is_not_proved(folder: Path) -> None:
    one = only(naming("Doors close at nine.", ""), "doors.md")
    # An id is all there is; that the words stand somewhere is told, and which document was not.
    assert one.outcome is Outcome.HOLDS
    assert any("it is unclear" in note for note in one.notes)


def test_citing_the_same_words_twice_is_compared_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.domains.retrieval.answers import evidence

    asked = []
    inner = evidence.compare
    monkeypatch.setattr(evidence, "compare", lambda *given: asked.append(given) or inner(*given))
    response = quoting("Lamps burn oil all night.", (0, 25))
    response["content"] *= 5
    report = checked(response, "lamps.md")
    assert [one.outcome for one in report.citations] == [Outcome.HOLDS] * 5
    assert len(asked) == 1


def test_what_was_folded_is_recorded(folder: Path) -> None:
    (folder / "fold.txt").write_text("The keeper’s lamps\nburn oil.\n")
    text = "The keeper's lamps burn oil."
    one = only(quoting(text, (0, 28)), "fold.txt")
    assert one.outcome is Outcome.HOLDS and one.seen is not None
    assert one.seen.folded


def test_time_grows_with_the_citations(folder: Path, in_proportion: Callable[..., bool]) -> None:
    (folder / "large.txt").write_text(
        "".join(f"Line {number} tells of lamp number {number}.\n" for number in range(4000))
    )

    def response(count: int) -> dict:
        blocks = [quoting(f"Line {number} tells of a lamp numbered {number}.")["content"][0] for number in range(count)]
        return {"type": "message", "role": "assistant", "content": blocks}

    def work(count: int) -> object:
        return checked(response(count), "large.txt")

    assert in_proportion(work, 20, 160, 8)


def blocks(quote: str, first: int, last: int, *texts: str) -> dict:
    """A message that cites blocks of the document that its request holds."""
    held = [{"type": "text", "text": text} for text in texts]
    document = {"type": "document", "title": "T", "source": {"type": "content", "content": held}}
    citation = {
        "type": "content_block_location",
        "cited_text": quote,
        "document_index": 0,
        "document_title": "T",
        "start_block_index": first,
        "end_block_index": last,
    }
    answer = {"type": "text", "text": "Said.", "citations": [citation]}
    return {
        "request": {"messages": [{"role": "user", "content": [document]}]},
        "response": {"type": "message", "role": "assistant", "content": [answer]},
    }


def test_words_of_several_blocks_are_told_where_they_were_cited() -> None:
    texts = ("First comes this. Doors close at nine. ", "Then that. Doors close at nine. End.")
    one = only(blocks("Doors close at nine.", 1, 2, *texts))
    assert one.outcome is Outcome.HOLDS and one.place_held is True
    assert one.where is not None and one.where.start == len(texts[0]) + texts[1].index("Doors")
    assert only(blocks("Then that.", 0, 1, *texts)).outcome is Outcome.MOVED


def test_a_place_in_what_was_sent_counts_where_files_hold_the_words_too(folder: Path) -> None:
    one = only(blocks("Doors close at nine.", 0, 1, "Doors close at nine. "), "doors.md")
    assert (one.outcome, one.place_held) == (Outcome.HOLDS, True)
    assert one.where is not None and one.where.path == "doors.md"


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("Doors close.", True),
        ("Doors close", False),
        ("Doors close at nine.", False),
        ("Nobody leaves the house after that.", False),
        ("Nobody leaves,", True),
    ],
)
def test_a_last_sign_that_is_not_there_is_told(folder: Path, quote: str, told: bool) -> None:
    place = {"type": "page_location", "start_page_number": 1, "end_page_number": 2}
    one = only(quoting(quote, **place), "doors.md")
    assert one.outcome is Outcome.HOLDS
    assert any("its last sign" in note for note in one.notes) is told


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("Fish & chips", True),
        ("Fish &amp; chips are <b>not</b> free", True),
        ("Fish &amp; chips are <b>not</b> fr", False),
        ("Fish &amp; chips are <b>now</b> free", False),
    ],
)
def test_the_source_of_a_page_may_be_what_was_sent(folder: Path, quote: str, holds: bool) -> None:
    (folder / "page.html").write_text("<title>T</title>\n<p>Fish &amp; chips are <b>not</b> free.</p>")
    place = {"type": "page_location", "start_page_number": 1, "end_page_number": 2}
    one = only(quoting(quote, **place), "page.html")
    assert (one.outcome is Outcome.HOLDS) is holds
    assert holds or one.outcome in (Outcome.MISMATCH, Outcome.MISSING)
    assert (one.where is not None and one.where.line == 2) is holds


def test_of_many_documents_the_one_with_the_words_is_found(folder: Path) -> None:
    for number in range(60):
        text = f"Several interesting statements about measurements stand in document number{number}.\n"
        (folder / f"d{number}.md").write_text(text)
    words = "Several interesting statements about measurements stand in document number{}."
    assert only(quoting(words.format(57)), ".").where == only(quoting(words.format(57)), "d57.md").where
    near = only(quoting(words.format(57).replace("interesting", "boring")), ".")
    assert near.outcome is Outcome.MISMATCH


def test_words_in_other_spelling_are_found_in_a_folder(folder: Path) -> None:
    quote = "Zusammenarbeit größerer Gemeinschaften erfordert flexible Übereinkünfte"
    (folder / "u.txt").write_text(
        "Die Zusammenarbeit gro\u0308ßerer Gemeinschaften erfordert ﬂexible U\u0308bereinku\u0308nfte.\n"
    )
    assert only(quoting(quote, (4, 4 + len(quote))), ".").outcome in (Outcome.HOLDS, Outcome.MOVED)


@pytest.mark.parametrize(
    ("text", "quote", "holds"),
    [
        ("He said –\r\n“doors close” and left.\n", "“doors close” and left", True),
        ("Nothing — ... and then doors close.\n", "... and then doors close.", True),
        ("Nothing — ... and then doors closed.\n", "... and then doors close", False),
        ("It is > 1,000 doors.\n", "1,000 doors.", False),
        ("It is –\n5 doors.\n", "5 doors.", False),
    ],
)
def test_signs_in_front_of_a_quote_do_not_hide_it(folder: Path, text: str, quote: str, holds: bool) -> None:
    (folder / "s.txt").write_bytes(text.encode())
    place = {"type": "page_location", "start_page_number": 1, "end_page_number": 2}
    one = only(quoting(quote, **place), "s.txt")
    assert (one.outcome is Outcome.HOLDS) is holds
    if one.where is not None:
        assert text[one.where.start : one.where.end] == quote


def test_words_that_run_on_to_a_page_that_is_not_cited_say_so(folder: Path, make_pdf: Callable[..., bytes]) -> None:
    (folder / "p.pdf").write_bytes(make_pdf(["Here it begins and goes on", "to the other page. Then it ends."]))
    words = "begins and goes on to the other page."
    pages = {"type": "page_location", "start_page_number": 1}
    short = only(quoting(words, **pages, end_page_number=2), "p.pdf")
    assert short.outcome is Outcome.HOLDS and "it runs from page 1 to page 2" in short.notes
    assert only(quoting(words, **pages, end_page_number=3), "p.pdf").notes == ()


REPORT = (
    "We found no evidence that Firefox leaks memory. Chrome uses 3.5 million pages."
    " The gate closes at nine in the evening. In 2017, 1,017 boats came."
    " The change was -5 % and the fee 10k. Version 1.2.3 is unable to start.\n"
)


@pytest.mark.parametrize(
    "cut",
    [
        *(
            "5 million pages",
            "017 boats",
            "17 boats",
            "5 %",
            "the fee 10",
            "Version 1.2",
            "2.3 is unable",
            "able to start.",
        ),
        *("Chrome uses 3.5", "Chrome uses 3", "The change was -5", "In 201", "s unable to start."),
    ],
)
def test_an_offset_inside_a_number_or_a_word_does_not_hold(folder: Path, cut: str) -> None:
    (folder / "report.md").write_text(REPORT)
    start = REPORT.index(cut)
    one = only(quoting(cut, (start, start + len(cut))), "report.md")
    assert one.outcome is not Outcome.HOLDS
    if one.outcome is Outcome.MISMATCH:
        assert one.diff is not None and one.diff[0] != one.diff[1]


@pytest.mark.parametrize("whole", ["3.5 million pages", "1,017 boats came", "-5 %", "the fee 10k", "Version 1.2.3 is"])
def test_an_offset_of_a_whole_number_holds(folder: Path, whole: str) -> None:
    (folder / "report.md").write_text(REPORT)
    start = REPORT.index(whole)
    assert only(quoting(whole, (start, start + len(whole))), "report.md").outcome is Outcome.HOLDS


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Chrome uses 2.5 million pages.", Outcome.MISMATCH),
        ("Chrome uses 3.5 billion pages.", Outcome.MISMATCH),
        ("The gate closes at ten in the evening.", Outcome.MISMATCH),
        ("The gate shuts at 22:00.", Outcome.MISMATCH),
        ("In total 1,018 vessels arrived.", Outcome.MISMATCH),
        ("Chrome does not use 3.5 million pages.", Outcome.MISMATCH),
        ("Edge uses 3.5 million pages.", Outcome.MISMATCH),
        ("More than 1,000 boats came in 2017.", Outcome.UNCHECKED),
        ("The gate shuts at 9 pm.", Outcome.UNCHECKED),
        ("Some browsers load very many pages.", Outcome.UNCHECKED),
    ],
)
def test_an_answer_whose_number_differs_from_the_cited_file_fails(folder: Path, text: str, outcome: Outcome) -> None:
    (folder / "report.md").write_text(REPORT)
    report = checked(naming(text, "report.md"), "report.md")
    assert report.citations[0].outcome is outcome
    assert report.exit_code() == int(outcome is Outcome.MISMATCH)


@pytest.mark.parametrize(
    ("sentence", "quote", "outcome"),
    [
        ("Firefox leaks memory.", "Firefox leaks memory", Outcome.MISMATCH),
        ("No evidence was found that Firefox leaks memory.", "Firefox leaks memory", Outcome.HOLDS),
        ("The gate closes at ten.", "The gate closes at nine in the evening.", Outcome.MISMATCH),
        ("The gate never closes in the evening.", "The gate closes at nine in the evening.", Outcome.MISMATCH),
        ("In 2018, 1,017 boats came.", "In 2017, 1,017 boats came.", Outcome.MISMATCH),
        ("In the evening the gate is closed at nine.", "The gate closes at nine in the evening.", Outcome.HOLDS),
    ],
)
def test_a_quote_supports_only_what_it_says_in_its_sentence(
    folder: Path, sentence: str, quote: str, outcome: Outcome
) -> None:
    (folder / "report.md").write_text(REPORT)
    start = REPORT.index(quote)
    response = quoting(quote, (start, start + len(quote)))
    response["content"][0]["text"] = sentence
    assert only(response, "report.md").outcome is outcome


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The moon is made of rock. None of this is true.\n", False),
        ("The following claims are false:\n\n- Cats fly.\n- The moon is made of rock.\n", False),
        ("Some say this:\n\n1. The moon is made of rock.\n2. Cats fly.\n\nNone of this is true.\n", False),
        ("Placeholder text. The moon is made of rock.\n", False),
        ("What we know:\n\n- Cats purr.\n- The moon is made of rock.\n\nThat is all.\n", True),
        ("None of this is true. That much for cheese.\n\nWe know more. The moon is made of rock.\n", True),
        ("The moon is made of rock. None of this is true.\n\nAgain, in short. The moon is made of rock.\n", True),
    ],
)
def test_neighbours_take_back_what_a_sentence_says(folder: Path, text: str, holds: bool) -> None:
    (folder / "moon.md").write_text(text)
    for response in (
        naming("The moon is made of rock.", "moon.md"),
        quoting("The moon is made of rock.", type="page_location", start_page_number=1, end_page_number=2),
    ):
        if "content" in response:
            response["content"][0]["text"] = "The moon is made of rock."
        assert (only(response, "moon.md").outcome is Outcome.HOLDS) is holds


def test_documents_of_any_request_are_evidence_beside_those_that_are_named(folder: Path) -> None:
    data = b64encode(b"Boats need a pilot.\n").decode()
    sent = [
        {"input": [{"role": "user", "content": [{"type": "input_file", "filename": "b.txt", "file_data": data}]}]},
        {
            "messages": [
                {"role": "user", "content": [{"type": "file", "file": {"filename": "b.txt", "file_data": data}}]}
            ]
        },
        {"contents": [{"parts": [{"inlineData": {"data": data, "mimeType": "text/plain", "displayName": "b.txt"}}]}]},
        {"documents": [{"id": "b.txt", "data": {"text": "Boats need a pilot."}}]},
    ]
    for request in sent:
        for docs in ((), ("lamps.md",)):
            said = only({"request": request, "response": naming("Boats need a pilot.", "b.txt")}, *docs)
            assert said.outcome is Outcome.HOLDS and said.where is not None and said.where.path.startswith("request.")
        other = only({"request": request, "response": naming("Lamps burn oil all night.", "b.txt")}, "lamps.md")
        assert other.outcome is Outcome.MOVED and "lamps.md:1" in other.message
        back = only({"request": request, "response": naming("Boats need a pilot.", "lamps.md")}, "lamps.md")
        assert back.outcome is Outcome.MOVED and "request." in back.message


def test_a_file_of_the_same_name_has_to_say_the_same_as_what_was_sent(folder: Path) -> None:
    data = b64encode(b"Lamps burn gas all night.\n").decode()
    request = {"input": [{"content": [{"type": "input_file", "filename": "lamps.md", "file_data": data}]}]}
    one = only({"request": request, "response": naming("Lamps burn gas all night.", "lamps.md")}, "lamps.md")
    assert one.outcome is not Outcome.HOLDS


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "The merger with Globex was rejected by shareholders.",
            "Shareholders did not approve the merger with Globex.",
        ),
        ("Two new Mexican plants are planned by 2025.", "The company plans two new plants in Mexico by 2025."),
        ("In 2022, revenue was $3.9 billion, up 22%.", "Revenue rose to $3.9 billion in 2022, up 22 percent."),
        ("Over 12,000 people work there.", "It employs 12,400 people."),
        ("Refunds take five to seven days.", "Refunds are issued within 5 to 7 days."),
    ],
)
def test_other_words_for_the_same_are_no_mismatch(folder: Path, sentence: str, source: str) -> None:
    (folder / "report.md").write_text(f"{source}\n")
    response = quoting(source)
    response["content"][0]["text"] = sentence
    assert only(response, "report.md").outcome in (Outcome.HOLDS, Outcome.UNCHECKED)
    assert only(naming(sentence, "report.md"), "report.md").outcome is Outcome.UNCHECKED


def test_answers_in_scripts_without_spaces(folder: Path) -> None:
    text = "本研究发现灯塔整夜燃烧灯油。看守人并不在中午睡觉，而是在晚上十点半休息。\n"
    (folder / "zh.md").write_text(text, encoding="utf-8")
    start = text.index("看守人")
    assert only(quoting("看守人并不在中午睡觉", (start, start + 10)), "zh.md").outcome is Outcome.HOLDS
    for quote in ("看守人并在中午睡觉", "看守人并不在晚上睡觉", "而是在晚上十点", "在中午睡觉，而是在晚上十点半"):
        assert only(quoting(quote), "zh.md").outcome in (Outcome.MISMATCH, Outcome.MISSING), quote
