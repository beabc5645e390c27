"""The law of quotes: what a document presents as quoted from a paper never holds without having been found there."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import verify
from pincite.document import Document
from pincite.evidence import PaperEvidence
from pincite.extract import ref
from pincite.model import Citation, SourceRef
from pincite.papers.model import Paper, PdfText
from pincite.quoting.look import Passage, Source

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40"))
GENUINE = (
    "We asked 240 readers to rate eighteen drafts each, in random order",
    "the effect did not depend on the length of a draft",
    "A steady voice improves what readers remember by 15 percent",
    "No leak was seen in any of the 32 plants",
    "结果表明该方法并不能显著提高识别的准确率",
    "実験の結果、温度の上昇は検出されなかった",
)
INVENTED = (
    "Purple elephants dance on the moon and never come home again",
    "the effect did depend on the length of a draft",
    "A steady voice improves what readers remember by 25 percent",
    "No leak was seen in any of the 33 plants",
    "结果表明该方法能够显著提高识别的准确率",
    "実験の結果、温度の上昇は検出された",
    "three new words",
    "紫色的大象在月球上",
)
PAGES = tuple(f"{text}.\nMore was said about it on this page." for text in GENUINE)
CITED = "[REF-043]"
FAR = (
    "which is what many people say about them wherever they meet and whatever the weather is like in that year or place"
)

Shape = Callable[[str], str]
MARKED: dict[str, Shape] = {
    name: (lambda words, form=form: form.replace("@Q", words))  # type: ignore[misc]
    for name, form in {
        "double": f"It says “@Q” {CITED}.",
        "straight": f'It says "@Q" {CITED}.',
        "single": f"It says ‘@Q’ {CITED}.",
        "straight single": f"It says '@Q' {CITED}.",
        "german": f"Es sagt „@Q“ {CITED}.",
        "guillemets": f"Il dit « @Q » {CITED}.",
        "guillemets turned": f"Es sagt »@Q« {CITED}.",
        "single guillemets": f"Il dit ‹@Q› {CITED}.",
        "swedish": f"Det säger ”@Q” {CITED}.",
        "latex": f"It says ``@Q'' {CITED}.",
        "corner": f"述べた「@Q」{CITED}。",
        "white corner": f"述べた『@Q』{CITED}。",
        "title marks": f"他写道《@Q》{CITED}。",
        "chinese": f"他写道：“@Q”{CITED}。",
        "chinese straight": f'他写道"@Q"了 {CITED}。',
        "wide straight": f"他写道＂@Q＂{CITED}。",
        "coded": f"It says &ldquo;@Q&rdquo; {CITED}.",
        "q element": f"It says <q>@Q</q> {CITED}.",
        "after": f"As {CITED} says, “@Q”.",
        "after a colon": f"As {CITED} says:\n\n“@Q”",
        "next paragraph": f"“@Q”\n\n{CITED}",
        "next paragraph and more": f"“@Q”\n\n{CITED} shows more.",
        "paragraph below": f"{CITED}\n\n“@Q”",
        "around": f"It says “@Q {CITED}.”",
        "inside": f"It says “@Q {CITED} and goes on like that”.",
        "never closed": f"It says “@Q {CITED}.",
        "never closed straight": f'It says "@Q {CITED}.',
        "never opened": f"@Q” {CITED}.",
        "opened behind": f"As {CITED} says “@Q.",
        "far": f"“@Q” {FAR} {CITED}.",
        "far behind": f"{CITED} {FAR}: “@Q”.",
        "and behind": f"“{GENUINE[1]}” {CITED}, which also says “@Q”.",
        "nested": f"“It was said that ‘@Q’ to us” {CITED}.",
        "nested other way": f"‘It was said that “@Q” to us’ {CITED}.",
        "term beside": f"“@Q” is a “big” word {CITED}.",
        "with code": f"“@Q and `code` in it” {CITED}.",
        "item": f"- “@Q” {CITED}",
        "item below": f"- “@Q”\n  - {CITED}",
        "cell": f"| a | b |\n|---|---|\n| “@Q” | {CITED} |",
        "cell before": f"| a | b |\n|---|---|\n| {CITED} | “@Q” |",
        "footnote": f"It says “@Q”[^1] there.\n\n[^1]: {CITED}",
        "footnote with words": f"It says “@Q”[^n].\n\n[^n]: See {CITED} for it.",
        "footnote of a block": f"> @Q[^1]\n\n[^1]: {CITED}",
        "emphasis": f"It says “*@Q*” {CITED}.",
        "many": " and ".join([f"“{GENUINE[1]}”"] * 9) + f" and “@Q” and “{GENUINE[3]}” {CITED}.",
        "very many": "“@Q” and " + " and ".join([f"“{GENUINE[1]}”"] * 60) + f" {CITED}.",
    }.items()
}
BLOCKS: dict[str, Shape] = {
    name: (lambda words, form=form: form.replace("@Q", words))  # type: ignore[misc]
    for name, form in {
        "plain": f"> @Q {CITED}",
        "dash": f"> @Q\n> — {CITED}",
        "dash below": f"> @Q\n\n— {CITED}",
        "name": f"> @Q\n>\n> — A. Donovan, in {CITED}",
        "source": f"> @Q\n>\n> Source: {CITED}",
        "inner term": f"> @Q, as “they” say {CITED}",
        "inner quote": f"> @Q and “{GENUINE[1]}” {CITED}",
        "said": f"> @Q, and the authors say “{GENUINE[1]}” {CITED}",
        "said first": f"> The authors say “{GENUINE[1]}” and @Q {CITED}",
        "only said": f"> The authors say “@Q” {CITED}",
        "named": f"> Donovan: “@Q” {CITED}",
        "marks": f"> “@Q” {CITED}",
        "code": f"> @Q with `code` {CITED}",
        "dash in it": f"> {GENUINE[1]}. — @Q {CITED}",
        "dash behind a mark": f"> “{GENUINE[1]}” – @Q {CITED}",
        "dash on a line": f"> {GENUINE[1]}\n> — @Q {CITED}",
        "lazy": f"> @Q\nand so on it goes {CITED}",
        "two paragraphs": f"> @Q.\n>\n> {GENUINE[1]} {CITED}",
        "items": f"> - @Q\n> - {GENUINE[1]} {CITED}",
        "heading": f"> # @Q\n> {GENUINE[1]} {CITED}",
        "goes on": f"> {GENUINE[1]} {CITED}. @Q",
        "goes on below": f"> {GENUINE[1]} {CITED}.\n>\n> @Q",
        "cited first": f"> {CITED} @Q",
        "cited in words": "> As REF-043 says, @Q",
        "in a list": f"- > @Q {CITED}",
        "indented": f"  > @Q\n  > {CITED}",
        "deep": f"> > @Q {CITED}",
        "introduced": f"As {CITED} says:\n\n> @Q\n",
        "introduced without a colon": f"As {CITED} says\n\n> @Q\n",
        "said below": f"> @Q\n\nThis is what the authors wrote {CITED}.",
        "element": f"<blockquote>@Q</blockquote> {CITED}",
        "element around": f"<blockquote>@Q {CITED}</blockquote>",
        "element with paragraphs": f"<blockquote>\n<p>{GENUINE[1]}</p>\n\n<p>@Q</p>\n— {CITED}\n</blockquote>",
        "large element": f"<BLOCKQUOTE cite='x'>@Q</BLOCKQUOTE>\n\n{CITED}",
        "element below": f"As {CITED} says:\n\n<blockquote>@Q</blockquote>",
        "element with marks": f"<blockquote>@Q and “so” on {CITED}</blockquote>",
    }.items()
}
SHAPES = {**MARKED, **{f"block: {name}": shape for name, shape in BLOCKS.items()}}
ADDED = frozenset(
    "code,dash in it,dash behind a mark,lazy,nested,nested other way,with code,inside,inner term,inner quote,said"
    ",said first,two paragraphs,very many,cited in words,element with paragraphs,element with marks".split(",")
)
"""Shapes that put words of their own into the quote, or more than is looked up."""


class Reader:
    """Reads a paper that was made up."""

    pages, receipts, partial = True, False, False
    allowed = frozenset(("bracket", "parenthesis", "page", "section"))

    def __init__(self) -> None:
        self._source = Source(PAGES)

    def pdf(self, paper: Paper) -> PdfText | None:
        return PdfText(PAGES)

    def trouble(self, paper: Paper) -> str:
        return ""

    def words(self, paper: Paper) -> Source | None:
        return self._source

    def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, Passage, str] | None:
        return None


READER = Reader()


def holding(text: str) -> list[bool]:
    """Of each citation of a document, whether no check has anything to say of it."""
    paper = Paper(id="REF-043", path="p/REF-043.md")
    evidence = PaperEvidence(SourceRef("ref", "REF-043"), b"", paper, READER)  # type: ignore[arg-type]
    document = Document("x.md", text)
    cited = [item for item in ref.extract(document) if isinstance(item, Citation)]
    assert cited
    checks = verify.row(verify.PAPER)
    return [all(check(document, one, evidence) is None for check in checks) for one in cited]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("words", INVENTED)
def test_invented_words_never_hold(shape: str, words: str) -> None:
    assert not all(holding(SHAPES[shape](words))), SHAPES[shape](words)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name.removeprefix("block: ") not in ADDED])
def test_genuine_words_hold(shape: str) -> None:
    assert all(holding(SHAPES[shape](GENUINE[2]))), SHAPES[shape](GENUINE[2])


def _broken(words: str, at: int) -> str:
    """Words with a line end in place of one space."""
    spaces = [place for place, sign in enumerate(words) if sign == " "]
    return words if not spaces else words[: (place := spaces[at % len(spaces)])] + "\n" + words[place + 1 :]


PARTS = st.tuples(st.sampled_from(sorted(SHAPES)), st.sampled_from((*INVENTED, *GENUINE)), st.integers(0, 20))


@given(parts=st.lists(PARTS, min_size=1, max_size=4), ends=st.sampled_from(("\n", "\r\n")))
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_no_quote_holds_unseen_in_any_company(parts: list[tuple[str, str, int]], ends: str) -> None:
    """Whatever stands above and below: where words are invented, not every citation of their part holds."""
    pieces: list[str] = []
    for number, (shape, words, at) in enumerate(parts):
        words = _broken(words, at) if not shape.startswith("block") and "heading" not in shape else words
        pieces.append(SHAPES[shape](words).replace("[^1]", f"[^{number}]").replace("[^n]", f"[^n{number}]"))
    text = "\n\nNothing is quoted in this paragraph of plain words.\n\n".join(pieces)
    held = iter(holding(text.replace("\n", ends)))
    for piece, (_, words, _) in zip(pieces, parts, strict=True):
        mine = [next(held) for _ in range(piece.count("REF-043"))]
        assert words not in INVENTED or not all(mine), piece
