"""Citations behind sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.text.document import Document
from pincite.write.cite.insertion import end_after, end_on_line, insert
from pincite.write.cite.model import Uncitable

C = "【F:a.py†L1】"


def at(text: str, words: str) -> int:
    """The offset behind some words."""
    return text.index(words) + len(words)


@pytest.mark.parametrize(
    ("text", "behind", "new"),
    [
        ("One. Two.\n", "One.", f"One. {C} Two.\n"),
        ("One. Two.\n", "Two.", f"One. Two. {C}\n"),
        ("One", "One", f"One {C}"),
        ("**One.** Two.\n", "One.", f"**One.** {C} Two.\n"),
        ("(One.) Two.", "One.", f"(One.) {C} Two."),
        ("He said “one.” Two.", "one.", f"He said “one.” {C} Two."),
        ("One. 【F:b.py†L2】 Two.", "One.", f"One. 【F:b.py†L2】 {C} Two."),
        ("One. 【F:b.py†L2】【F:c.py†L2】\nTwo.", "One.", f"One. 【F:b.py†L2】【F:c.py†L2】 {C}\nTwo."),
        ("One.\n【F:b.py†L2】\nTwo.", "One.", f"One.\n【F:b.py†L2】 {C}\nTwo."),
        ("One. [cite:file](b.py:2)\n", "One.", f"One. [cite:file](b.py:2) {C}\n"),
        ("One. [x](b.py#L2)\nTwo.", "One.", f"One. [x](b.py#L2) {C}\nTwo."),
        ("One. [x](b.py#L2) sets it.\n", "One.", f"One. {C} [x](b.py#L2) sets it.\n"),
        ("One. src/b.py:2 sets it.\n", "One.", f"One. {C} src/b.py:2 sets it.\n"),
        ("One.\nsrc/b.py:2\n", "One.", f"One. {C}\nsrc/b.py:2\n"),
        ("One.  \nTwo.", "One.", f"One. {C}  \nTwo."),
        ("One.\r\nTwo.\r\n", "One.", f"One. {C}\r\nTwo.\r\n"),
        ("| one | two |\n", "one", f"| one {C} | two |\n"),
        ("一つ。二つ。", "一つ。", f"一つ。 {C} 二つ。"),
        ("", "", C),
    ],
)
def test_places(text: str, behind: str, new: str) -> None:
    assert insert(text, "x.md", [(at(text, behind), C)]) == new


def test_several_keep_their_order() -> None:
    text = "One. Two.\n"
    assert (
        insert(text, "x.md", [(9, "【F:b†L2】"), (4, C), (9, "【F:c†L3】")]) == f"One. {C} Two. 【F:b†L2】 【F:c†L3】\n"
    )
    assert insert(text, "x.md", []) == text


@given(
    text=st.text(st.sampled_from("ab. \n\r`|【】†#*)]("), max_size=60),
    offsets=st.lists(st.integers(-5, 80), min_size=1, max_size=4),
)
@settings(max_examples=300, deadline=None)
def test_nothing_is_lost(text: str, offsets: list[int]) -> None:
    marks = [chr(0xE000 + number) for number, _ in enumerate(offsets)]
    new = insert(text, "x.md", list(zip(offsets, marks, strict=True)))
    assert sorted(set(new) & set(marks)) == marks
    assert "".join(char for char in new if char not in marks and char != " ") == text.replace(" ", "")


def test_what_stands_there_is_not_repeated() -> None:
    text = f"One. 【F:b.py†L2】 {C}\n"
    assert insert(text, "x.md", [(4, C), (4, "【F:b.py†L2】")]) == text
    assert insert("One.\n", "x.md", [(4, C), (4, C)]) == f"One. {C}\n"
    assert insert(f"One. {C} Two.", "x.md", [(at(f"One. {C} Two.", "Two."), C)]) == f"One. {C} Two. {C}"


DOC = """# Title

The limit is 250 (see e.g. the code). It is
fixed. Both are `a. b`
numbers.

- An item without a stop
- Another. With two

```python
code. here.
```
Text right below: it
goes on.
Before a block.
```
x
```

| Name | Says |
|---|---|
| limit | It is 250. Always |
"""


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        (1, "# Title"),
        (3, "the code)."),
        (4, "fixed."),
        (5, "numbers."),
        (7, "without a stop"),
        (8, "With two"),
        (14, "goes on."),
        (15, "a block."),
    ],
)
def test_the_last_sentence_that_ends_on_a_line(line: int, behind: str) -> None:
    assert end_on_line(DOC, "x.md", line) == at(DOC, behind)
    crlf = DOC.replace("\n", "\r\n")
    assert end_on_line(crlf, "x.md", line) == at(crlf, behind)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (0, "lines"),
        (99, "22 lines"),
        (2, "blank"),
        (11, "code"),
        (13, "ends on line 14"),
        (22, "--after"),
    ],
)
def test_lines_on_which_no_sentence_ends(line: int, said: str) -> None:
    with pytest.raises(Uncitable, match=said) as refused:
        end_on_line(DOC, "x.md", line)
    assert refused.value.kind == "place-unfit"


@pytest.mark.parametrize(
    ("words", "behind"),
    [
        ("250 (see", "the code)."),
        ("It is\nfixed", "fixed."),
        ("Both are", "numbers."),
        ("a. b", "numbers."),
        ("Another", "Another."),
        ("limit |", "It is 250."),
        ("Always", "Always"),
        ("Before a block.", "a block."),
    ],
)
def test_the_sentence_that_holds_words(words: str, behind: str) -> None:
    assert end_after(DOC, "x.md", words) == at(DOC, behind)


@pytest.mark.parametrize(
    ("words", "said"),
    [("nowhere", "does not hold"), ("It is", "lines 3, 22"), ("code. here", "code"), (" \n", "does not hold")],
)
def test_words_that_say_no_place(words: str, said: str) -> None:
    with pytest.raises(Uncitable, match=said):
        end_after(DOC, "x.md", words)


def test_frontmatter_is_no_prose() -> None:
    text = "---\ntitle: Words.\n---\nWords. More.\n"
    with pytest.raises(Uncitable, match="frontmatter"):
        end_on_line(text, "x.md", 2)
    assert end_after(text, "x.md", "Words.") == text.rindex("Words.") + 6


TEXTS = st.text(st.sampled_from("ab. \n\r`|#-*>~:【】†"), max_size=80)


@given(text=TEXTS, line=st.integers(1, 12), path=st.sampled_from(["x.md", "x.txt"]))
@settings(max_examples=300, deadline=None)
def test_any_line_of_any_text_gives_a_place_on_it_or_a_reason(text: str, line: int, path: str) -> None:
    try:
        end = end_on_line(text, path, line)
    except Uncitable as refused:
        assert refused.kind == "place-unfit"
        return
    document = Document(path, text)
    assert document.position(end - 1)[0] == line
    assert not text[end - 1].isspace()


@given(text=TEXTS, words=st.text(st.sampled_from("ab. \n`|"), max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_words_give_a_place_behind_them_or_a_reason(text: str, words: str) -> None:
    try:
        end = end_after(text, "x.md", words)
    except Uncitable as refused:
        assert refused.kind == "place-unfit"
        return
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    assert words.strip("\n") in unified
    assert 0 < end <= len(text)
