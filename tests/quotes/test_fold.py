"""Folding: keys add up, forms keep what matters, and nothing else counts as the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.fold import are_forms_equal, foldings, form_of, key_lines, key_of, normalize_text
from pincite.quotes.lookup import QuoteSource


@given(st.text(max_size=40), st.text(max_size=40))
def test_keys_of_pieces_add_up(one: str, other: str) -> None:
    assert key_of(one) + key_of(other) == key_of(one + other)
    assert len(key_lines(one)) == one.count("\n") + 1


@given(st.text())
def test_a_text_is_the_same_as_itself(text: str) -> None:
    form = form_of(normalize_text(text))
    assert are_forms_equal(form, form)
    assert foldings(text, text) == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ab-1 c!", b"ab1c"),
        ("ﬁﬂ", b"fifl"),
        ("É", "é".encode()),
        ("10⁻³", b"103"),
        ("ΟΔΟΣ", "οδοσ".encode()),
        ("_–“”…", b""),
        ("\ud800x", b"x"),
    ],
)
def test_keys(text: str, key: bytes) -> None:
    assert key_of(text) == key


@pytest.mark.parametrize(
    ("there", "quoted"),
    [
        ("hyphen-\nation", "hyphenation"),
        ("hyphen-\nation", "hyphen-ation"),
        ("hyphenation", "hyphen-\nation"),
        ("a – b", "a — b"),
        ("a−b", "a-b"),
        ("‘a’", '"a"'),
        ("``a''", "“a”"),
        ("a\u00a0\tb", "a b"),
        ("a…", "a..."),
        ("zero\u200bwidth", "zerowidth"),
        ("m²", "m2"),
        ("s⁻¹", "s-1"),
        ("Ca²⁺ and", "Ca2+ and"),
        ("samples¹²,¹³ that", "samples12,13 that"),
        ("the end.¹²–¹⁴ So", "the end.12–14 So"),
    ],
)
def test_the_same(there: str, quoted: str) -> None:
    assert are_forms_equal(form_of(there), form_of(quoted))
    assert foldings(there, quoted)


@pytest.mark.parametrize(
    ("there", "quoted"),
    [
        ("1-\n5", "15"),
        ("a-1", "a1"),
        ("-5", "5"),
        ("a–b", "ab"),
        ("a b", "ab"),
        ("a--b", "ab"),
        ("x --y", "x -y"),
        ("5'", '5"'),
        ("a\u202eb", "ab"),
        ("10⁻³", "10-3"),
        ("10³", "103"),
        ("7.95¹⁷", "7.9517"),
        ("7.95¹⁷", "7.95"),
        ("m²", "m"),
        ("m2", "m²"),
        ("log² n", "log2 n"),
        ("in 2019.¹² So", "in 2019.12 So"),
        ("Case", "case"),
        ("A-\nBc", "ABc "),
        ("aB-\nC", "aBc"),
    ],
)
def test_not_the_same(there: str, quoted: str) -> None:
    assert not are_forms_equal(form_of(there), form_of(quoted))


@given(st.text("ab-\n\u00ad 1", max_size=12), st.text("ab-\n\u00ad 1", max_size=12))
def test_being_the_same_goes_both_ways(one: str, other: str) -> None:
    forms = form_of(one), form_of(other)
    if are_forms_equal(*forms) and "\x02" not in forms[1]:
        assert key_of(one) == key_of(other)


def test_accents_that_a_font_has_apart_are_joined_to_their_letters() -> None:
    assert normalize_text("the Schr¨odinger equation, caf´e, na¨ıve, fran¸cais, ´Ecole") == (
        "the Schrödinger equation, café, naïve, français, École"
    )
    assert normalize_text("the 5´end, ¨ alone, ´x and 3 ˜ 4") == "the 5´end, ¨ alone, ´x and 3 ˜ 4"
    assert form_of(normalize_text("Schr¨odinger")) != form_of(normalize_text("Schrodinger"))


@pytest.mark.parametrize(
    ("there", "quoted"),
    [
        ("潮汐由月球\n引起。", "潮汐由月球引起。"),
        ("潮汐由月球 \n  引起。", "潮汐由月球引起。"),
        ("潮汐由月球引起。", "潮汐由月球\n引起。"),
        ("潮の満ち\r\n引きは月による。", "潮の満ち引きは月による。"),
        ("第一。\n第二。", "第一。第二。"),
        ("น้ำขึ้น\nน้ำลง", "น้ำขึ้นน้ำลง"),
        ("潮汐由月球\n引起。", "潮汐由月球 引起。"),
        ("潮汐由 月球引起。", "潮汐由月球引起。"),
        ("潮高3 米。", "潮高3米。"),
    ],
)
def test_a_line_end_between_letters_of_a_script_without_spaces_is_nothing(there: str, quoted: str) -> None:
    assert are_forms_equal(*(form_of(normalize_text(text).strip()) for text in (there, quoted)))
    found = QuoteSource((f"前文。\n\n{there}\n\n后文。",)).verbatim(quoted)
    assert found is not None and found.folded == ("white space",)


@pytest.mark.parametrize(
    ("there", "quoted"),
    [
        ("潮汐由月球\n引起。", "潮汐由月亮引起。"),
        ("潮汐由月球\n引起。", "潮汐由月球不引起。"),
        ("물이 높\n다.", "물이 높다."),
        ("low\nwater", "lowwater"),
        ("潮 3\n4 米", "潮 34 米"),
    ],
)
def test_other_white_space_and_other_words_still_count(there: str, quoted: str) -> None:
    assert not are_forms_equal(*(form_of(normalize_text(text).strip()) for text in (there, quoted)))
    assert QuoteSource((there,)).verbatim(quoted) is None
