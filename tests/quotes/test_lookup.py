"""Quotes in a source: what is word for word, what is not, and which answer is given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.lookup import LookupResult, QuoteSource

PAGE = (
    "In 2019 Smith reported that the model did not improve the accuracy by 15 percent on 1,000 samples. The rate of −5 "
    "dB was “unstable” – or so they said – and p < 0.05 held for 10⁻³ mol within ± 2 ms. Jones, who isn’t convinced, "
    "calls it a non-significant and well-known result; 3.5% of 150 users were unable to finish without help."
)


def kind(quote: str, *pages: str) -> str:
    return QuoteSource(pages or (PAGE,)).look(quote).kind


def first(look: LookupResult) -> tuple[str, str, str]:
    edit = look.edits[0]
    return edit.kind, edit.quoted, edit.there


@pytest.mark.parametrize(
    "quote",
    [
        "the model did not improve the accuracy by 15 percent",
        "the  model\ndid not improve",
        "on 1,000 samples",
        "on 1,000 samples,",
        "on 1,000 samples;",
        'The rate of -5 dB was "unstable"',
        "The rate of –5 dB was 'unstable'",
        "–5 dB",
        "who isn't convinced",
        "a non\u2011significant",
        "3.5% of 150 users",
        "Smith",
        "within ± 2 ms",
        "the accu\u00adracy by 15 percent",
        "the accu\u200bracy by 15 percent",
    ],
)
def test_typography_and_layout_are_folded(quote: str) -> None:
    assert kind(quote) == "verbatim"


@pytest.mark.parametrize(
    ("quote", "change"),
    [
        ("did not improve the accuracy by 16 percent", "number"),
        ("did not improve the accuracy by 1.5 percent", "number"),
        ("did not improve the accuracy by 150 percent", "number"),
        ("the accuracy by 15 percent on 1.000 samples", "number"),
        ("the accuracy by 15 percent on 1000 samples", "number"),
        ("the model did improve the accuracy by 15 percent", "negation"),
        ("In 2019 Smyth reported that the model did not", "name"),
        ("In 2018 Smith reported that the model did not", "number"),
        ("The rate of 5 dB was “unstable”", "number"),
        ("The rate of +5 dB was “unstable”", "number"),
        ("The rate of −5 dB was “stable”", "negation"),
        ("5 dB was “unstable”", "number"),
        ("and p > 0.05 held for", None),
        ("and p < 0.5 held for", "number"),
        ("and p < 0.05 held for 10-3 mol", "number"),
        ("and p < 0.05 held for 103 mol", "number"),
        ("mol within 2 ms", None),
        ("mol within ± 2 s", "number"),
        ("Jones, who is convinced", "negation"),
        ("calls it a significant and well-known result", "negation"),
        ("significant and well-known result", "negation"),
        ("calls it a non-significant and wellknown result", None),
        ("3.5‰ of 150 users were", "number"),
        ("3.5 of 150 users were", "number"),
        ("5% of 150 users were", "number"),
        ("3.5% of 15 users were", "number"),
        ("150 users were able to finish", "negation"),
        ("able to finish without help", "negation"),
        ("unable to finish with help", "negation"),
        ("the model did not improve The accuracy", "case"),
        ("the model did not clearly improve the accuracy", "added"),
        ("the did not improve the accuracy", "omitted"),
        ("the m\u043edel did not improve the accuracy", None),
        ("did not improve the accuracy by １５ percent", None),
        ("of 150 user", None),
        ("rate of −5 d", None),
    ],
)
def test_what_changes_a_word_or_a_number_is_never_verbatim(quote: str, change: str | None) -> None:
    look = QuoteSource([PAGE]).look(quote)
    assert look.kind != "verbatim"
    if change is not None:
        assert (look.kind, look.edits[0].kind) == ("altered", change)


@pytest.mark.parametrize("quote", ["", " ", "…", "“—”", "\x00", "±%", "\ud800"])
def test_a_quote_without_words_is_too_short(quote: str) -> None:
    assert kind(quote) == "too-short"


@pytest.mark.parametrize(
    ("quote", "page", "answer"),
    [
        ("hyphenation", "hyphen\u00ad\nation", "verbatim"),
        ("hyphenation", "hyphen-\nation", "verbatim"),
        ("well-known", "well\u00ad\nknown", "verbatim"),
        ("well-known", "well-\nknown", "verbatim"),
        ("wellknown", "well-known", "altered"),
        ("1-5 runs", "1-\n5 runs", "verbatim"),
        ("15 runs", "1-\n5 runs", "altered"),
        ("15 runs", "1\u00ad\n5 runs", "altered"),
        ("GPT-4 runs", "GPT-\n4 runs", "verbatim"),
        ("GPT4 runs", "GPT-\n4 runs", "altered"),
        ("Smith-Jones says", "Smith-\nJones says", "verbatim"),
        ("SmithJones says", "Smith-\nJones says", "altered"),
        ("able to do", "un\u00ad\nable to do", "altered"),
        ("first fluent office", "ﬁrst ﬂuent oﬃce", "verbatim"),
        ("the ﬁrst", "the first", "verbatim"),
        ("one—two", "one — two", "verbatim"),
        ("one -- two", "one—two", "verbatim"),
        ("one—two", "one—\ntwo", "verbatim"),
        ("onetwo of this", "one—two of this", "altered"),
        ("run -verbose now", "run --verbose now", "altered"),
        ("and/or else", "and/\nor else", "verbatim"),
        ("see e.g. this", "see e.g. this", "verbatim"),
        ("a sentence.", "a sentence.12 Another", "verbatim"),
        ("caf\u00e9 noir", "cafe\u0301 noir", "verbatim"),
        ("the cafe noir is", "the cafe\u0301 noir is", "altered"),
        ("it cost 15", "it cost 15.5", "altered"),
        ("it cost 15.", "it cost 15.5", "altered"),
        ("it cost 15.", "it cost 15 euros", "verbatim"),
        ("it cost 15", "it cost 15%", "altered"),
        ("the rate \u03b1 is measured", "the rate a is measured", "altered"),
        ("part thereof) is set", "part thereof ) is set", "verbatim"),
        ("is 0 (zero in most", "is 0(zero in most", "verbatim"),
        ("is 0(zero in most", "is 0 (zero in most", "verbatim"),
        ("the time, the will, and", "the time , the will , and", "verbatim"),
        ("was 10.5 in all", "was 10 .5 in all", "altered"),
        ("was 1,000 in all", "was 1, 000 in all", "altered"),
        ("as one, two or more", "as one,two or more", "verbatim"),
        ("with 20 Gbps assigned", "with 20Gbps assigned", "verbatim"),
        ("the 5th to last", "the 5 th to last", "verbatim"),
        ("and we’ll see it", "and we’ ll see it", "verbatim"),
        ("a total of 5", "a total of 5 % was", "altered"),
        ("a na\u0131\u0308ve path to", "a na\u00efve path to", "verbatim"),
        ("we define the influence", "we deϐine the inϐluence", "verbatim"),
        ("an attack in addition", "an aƩack in addiƟon", "verbatim"),
        ("Stefanović and Dežman say", "Stefanovic´ and Dezˇman say", "verbatim"),
    ],
)
def test_edges_of_words_and_lines(quote: str, page: str, answer: str) -> None:
    look = QuoteSource([f"So {page} indeed."]).look(quote)
    assert look.kind == answer, look
    assert bool(look.edits) == (answer == "altered")


def test_every_place_is_given_in_order() -> None:
    look = QuoteSource(["a red fox", "nothing", "a red fox and a red fox"]).look("red fox")
    assert [passage.page for passage in look.passages] == [0, 2]
    assert QuoteSource(["the same words again"] * 50).look("same words").passages[-1].page == 19


def test_what_was_folded_is_recorded() -> None:
    source = QuoteSource(["the ﬁrst “hyphen\u00ad\nation” rules –\nall"])
    look = source.look('the first "hyphenation" rules - all')
    assert look.kind == "verbatim"
    assert {"ligature", "typographic quote", "line-end hyphen", "dash", "white space"} <= set(look.folded)
    assert source.look("rules").folded == ()


HEADED = [
    "Journal of Tests 81\nThe first page says a lot about foxes\nand ends with a sentence that goes\nPage 81 of it",
    "Journal of Tests 82\non over here for a while and\nthen1 it ends as\n1 A note that explains.\nPage 82 of it",
    "Journal of Tests 83\nall things do.\nPage 83 of it",
]


def test_a_quote_goes_on_behind_running_heads() -> None:
    look = QuoteSource(HEADED).look("a sentence that goes on over here")
    assert (look.kind, look.passages[0].page, look.passages[0].end_page) == ("verbatim", 0, 1)
    assert look.passages[0].text == "a sentence that goes on over here"
    assert {"page break", "running head"} <= set(look.folded)


def test_a_quote_goes_on_behind_footnotes_and_over_their_signs() -> None:
    look = QuoteSource(HEADED).look("for a while and then it ends as all things do.")
    assert (look.kind, look.passages[0].page, look.passages[0].end_page) == ("verbatim", 1, 2)
    assert {"page break", "running head", "footnote"} <= set(look.folded)


def test_furniture_can_be_quoted_too() -> None:
    source = QuoteSource(HEADED)
    assert source.look("A note that explains.").kind == "verbatim"
    assert source.look("Journal of Tests 82").passages[0].page == 1


def test_a_changed_quote_across_pages_is_altered() -> None:
    look = QuoteSource(HEADED).look("says a lot about foxes and ends with a sentence that went on over here")
    assert (look.kind, first(look)) == ("altered", ("word", "went", "goes"))
    assert (look.passages[0].page, look.passages[0].end_page) == (0, 1)


def test_lines_of_the_text_are_not_skipped() -> None:
    pages = ["We need three things:\n1. never run this\n2. wait for it", "3. then stop at once"]
    assert kind("We need three things: 2. wait for it", *pages) != "verbatim"
    assert kind("We need three things: 3. then stop at once", *pages) != "verbatim"


@pytest.mark.parametrize(
    ("quote", "answer"),
    [
        ("In 2019 Smith reported … the accuracy by 15 percent", "verbatim"),
        ("In 2019 Smith reported ... the accuracy by 15 percent", "verbatim"),
        ("In 2019 Smith reported [...] the accuracy by 15 percent", "verbatim"),
        ("In 2019 Smith reported […] the accuracy by 15 percent", "verbatim"),
        ("… the model did not improve …", "verbatim"),
        ("the accuracy by 15 percent … In 2019 Smith reported", "stitched"),
        ("In 2019 Smith reported … the accuracy by 16 percent", "altered"),
        ("the model did … improve the accuracy", "altered"),
        ("[He] reported that the model did not improve", "verbatim"),
        ("Smith reported that [it] did not improve the accuracy", "verbatim"),
        ("the model did not improve [sic] the accuracy", "verbatim"),
        ("[t]he rate of −5 dB was", "verbatim"),
        ("[T]he model did not improve", "verbatim"),
        ("the model did [indeed] improve the accuracy", "altered"),
        ("did not improve the accuracy by [some] percent", "altered"),
        ("[a] [b] [c] percent", "absent"),
    ],
)
def test_what_a_quote_declares(quote: str, answer: str) -> None:
    assert kind(quote) == answer


def test_what_is_declared_is_recorded() -> None:
    assert "declared omission" in QuoteSource([PAGE]).look("In 2019 Smith … the accuracy by 15 percent").folded
    assert "declared insertion" in QuoteSource([PAGE]).look("Smith reported that [it] did not improve").folded


def test_brackets_and_dots_of_the_source_itself() -> None:
    page = "so value[0]..value[len-1] holds the bytes ... and [see 4] ends there"
    assert kind("value[0]..value[len-1] holds the bytes", page) == "verbatim"
    assert kind("value[0].value[len-1] holds the bytes", page) != "verbatim"
    assert kind("holds the bytes ... and [see 4] ends", page) == "verbatim"


OTHER = [
    "The committee met on the first of May to hear the complaint about the noise in the northern halls.",
    "Nobody was willing to speak at length, although the chair had asked for written comments before.",
    "It was decided that the trees along the river would be cut only where the bridge needs room to stand.",
]


def test_a_quote_from_two_places_is_stitched() -> None:
    look = QuoteSource(OTHER).look("to hear the complaint about the noise along the river would be cut only where")
    assert look.kind == "stitched"
    assert [passage.page for passage in look.passages] == [0, 2]
    assert look.passages[0].text.startswith("to hear the complaint")


def test_a_few_words_left_out_in_silence_are_an_alteration() -> None:
    look = QuoteSource(OTHER).look("The committee met to hear the complaint about the noise in the northern halls.")
    assert (look.kind, first(look)) == ("altered", ("omitted", "", "on the first of May"))


def test_what_nobody_wrote_is_absent() -> None:
    look = QuoteSource(OTHER).look("A remarkable increase in profits surprised every analyst on the eastern coast.")
    assert (look.kind, look.passages, look.edits) == ("absent", (), ())


def test_the_gravest_change_comes_first() -> None:
    look = QuoteSource([PAGE]).look(
        "In 2019 Smyth claimed that the model did improve the accuracy by 25 percent on 1,000 samples."
    )
    assert [edit.kind for edit in look.edits] == ["number", "negation", "name", "word"]


def test_an_empty_source_holds_nothing() -> None:
    assert QuoteSource([]).look("words").kind == "absent"
    assert QuoteSource(["", " \n"]).look("some words that are not there").kind == "absent"


def test_long_passages_are_shortened() -> None:
    text = "word another " * 3000
    look = QuoteSource([text]).look(text)
    assert look.kind == "verbatim"
    assert len(look.passages[0].text) <= 2000
    assert look.passages[0].text.endswith("…")
    assert kind("x" * 200_000, "x") == "absent"


PIECES = st.lists(
    st.sampled_from(
        ["a", "b ", "-\n", "\u00ad\n", "1", ".", ",", "ﬁ", "[", "]", "…", "\n", "’", "—", "not ", "Smith ", "0"]
    )
    | st.text(max_size=3),
    max_size=30,
).map("".join)


@given(st.lists(PIECES, max_size=4), PIECES)
def test_looking_never_raises_and_keeps_its_word(pages: list[str], quote: str) -> None:
    look = QuoteSource(pages).look(quote)
    assert look.kind in ("verbatim", "altered", "stitched", "absent", "too-short")
    assert 0.0 <= look.similarity <= 1.0
    assert bool(look.edits) == (look.kind == "altered")
    assert bool(look.passages) == (look.kind in ("verbatim", "altered", "stitched"))
    assert all(0 <= passage.page <= passage.end_page < len(pages) for passage in look.passages)


WORDS = st.lists(
    st.sampled_from("the model of Smith did not reach 15 or 0.5 points well-known “so” ﬁne".split()), min_size=1
)


@given(WORDS, WORDS, WORDS)
def test_a_stretch_of_whole_words_is_verbatim(before: list[str], words: list[str], after: list[str]) -> None:
    text = " ".join([*before, *words, *after])
    assert QuoteSource([text]).look(" ".join(words)).kind == "verbatim"


@given(WORDS, st.integers(0, 30), st.sampled_from(["16", "never", "Jones", "0.05", "±"]))
def test_a_word_that_is_not_there_is_never_verbatim(words: list[str], at: int, other: str) -> None:
    quote = [*words[:at], other, *words[at:]]
    assert QuoteSource([" ".join(words)]).look(" ".join(quote)).kind in ("altered", "absent", "stitched", "too-short")


@given(st.lists(st.integers(0, 99_999), min_size=1, max_size=8), st.integers(0, 99_999))
def test_numbers_are_whole(numbers: list[int], sought: int) -> None:
    look = QuoteSource([" and ".join(map(str, numbers))]).look(f"{sought}")
    assert (look.kind == "verbatim") == (sought in numbers)


RAISED = (
    "We took samples¹²,¹³ that grew by 7.95¹⁷ per cent.⁴ Then 10³ and 10⁻³ mol of DNA⁵ were put on 5 m², near a "
    "(CNN)¹² of (mean)², log² n and RMSE² at 3 s⁻¹ in 2019,¹, ² as Okafor et al.⁹ said¹⁻³: “no”.⁷ Ca²⁺ and "
    "the end¹²–¹⁴ of it"
)


@pytest.mark.parametrize(
    ("quote", "folded"),
    [
        ("We took samples that grew by 7.95¹⁷ per cent. Then 10³", ("footnote sign",)),
        ("We took samples", ("footnote sign",)),
        ("We took samples¹²,¹³ that grew", ()),
        ("We took samples12,13 that grew", ("raised digit",)),
        ("7.95¹⁷ per cent.", ()),
        ("10⁻³ mol of DNA were put on 5 m2, near a (CNN) of (mean)²", ("raised digit", "footnote sign")),
        ("RMSE² at 3 s⁻¹ in 2019, as Okafor et al. said: “no”. Ca2+ and", ("raised digit", "footnote sign")),
        ("and the end of it", ("footnote sign",)),
        ("RMSE² at 3 s-1 in 2019", ("raised digit", "dash")),
    ],
)
def test_signs_of_references_may_be_missing(quote: str, folded: tuple[str, ...]) -> None:
    look = QuoteSource([RAISED]).look(quote)
    assert (look.kind, look.folded) == ("verbatim", folded)


@pytest.mark.parametrize(
    "quote",
    [
        "We took samples12 that grew",
        "We took samples¹⁴,¹³ that grew",
        "that grew by 7.95 per cent.",
        "that grew by 7.9517 per cent.",
        "that grew by 7.95",
        "per cent. Then 103 and",
        "per cent. Then 10 and",
        "per cent. Then 10",
        "and 10-3 mol of DNA",
        "and 10³ mol of DNA",
        "and 10",
        "were put on 5 m, near a (CNN)",
        "were put on 5 m",
        "of (mean), log² n and",
        "of (mean)², log n and",
        "of (mean)², log2 n and",
        "log² n and RMSE at 3 s⁻¹",
        "log² n and RMSE² at 3 s",
        "“no”. Ca and the end",
    ],
)
def test_exponents_may_not(quote: str) -> None:
    assert kind(quote, RAISED) != "verbatim"


def test_a_change_is_not_hidden_behind_missing_signs() -> None:
    page = (
        "The readers of these steady drafts¹²,¹³ rated them 15 points higher than the rest of all,⁴ which is much. " * 2
    )
    look = QuoteSource([page]).look(page.replace("¹²,¹³", "").replace("⁴", "").replace("15 points", "25 points", 1))
    assert (look.kind, [first(look)], len(look.edits)) == ("altered", [("number", "25", "15")], 1)


def test_a_raised_sign_leads_to_its_footnote() -> None:
    pages = ["Some words of a text and\nthen¹ it ends as\n1 A note that explains.", "all things do."]
    look = QuoteSource(pages).look("and then it ends as all things do.")
    assert (look.kind, look.passages[0].page, look.passages[0].end_page) == ("verbatim", 0, 1)


@pytest.mark.parametrize("marks", ['""', "“”", "„“", "«»", "‘’", "''"])
def test_marks_around_the_whole_quote_are_the_quoters_own(marks: str) -> None:
    source = QuoteSource(["The readers rated the steady drafts 15 points higher than the rest."])
    assert source.look(f"{marks[0]}rated the steady drafts 15 points{marks[1]}").kind == "verbatim"
    assert source.look(f"{marks[0]}rated the steady drafts 25 points{marks[1]}").kind == "altered"
    assert source.look(f"rated the {marks[0]}steady{marks[1]} drafts 15 points").kind == "altered"


def test_a_stop_of_ones_own_does_not_stand_in_front_of_not() -> None:
    text = ("Then it will wait; otherwise it will not. The others will go on.",)
    assert QuoteSource(text).look("Then it will wait; otherwise it will.").kind != "verbatim"
    assert QuoteSource(text).look("The others will go.").kind == "verbatim"


def test_a_mark_of_a_reference_stands_where_the_paper_has_it() -> None:
    source = QuoteSource(
        ("It provides externally consistent [16] reads and writes, and reads [7] across the database.",)
    )
    assert (
        source.look("provides externally consistent reads and writes, and reads across the database").kind == "verbatim"
    )
    assert source.look("externally consistent [16] reads and writes, and reads across the database").kind == "verbatim"
    assert source.look("externally consistent reads [16] and writes, and reads across the database").kind != "verbatim"
    assert source.look("externally consistent [7] reads and writes, and reads across the database").kind != "verbatim"
