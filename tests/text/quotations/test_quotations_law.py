"""The law of quotes: what a document presents as quoted from a paper never holds without having been found there."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import checks as verify
from pincite.core.model import Citation, SourceRef
from pincite.dialects import ref
from pincite.papers.evidence import PaperEvidence
from pincite.papers.model import Paper, PdfText
from pincite.quotes.lookup import QuotePassage, QuoteSource
from pincite.text.document import Document

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
        "two sentences before": f"“@Q.” So it was said. Voice matters {CITED}.",
        "sentences behind": f"As {CITED} shows. More is known. She said “@Q”.",
        "before another quote": f"“@Q” was said. It says “{GENUINE[1]} {CITED}.”",
        "between two": f"Voice matters {CITED}. She said “@Q”. Voice matters {CITED}.",
        "paragraph above": f"“@Q”\n\nThat is how the authors see it {CITED}.",
        "paragraphs of one quote": f"“@Q\n\n“{GENUINE[1]}” {CITED}.",
        "row of citations": f"“{GENUINE[1]}” {CITED}{CITED}, which says “@Q”.",
        "row, then a sentence": f"“{GENUINE[1]}” {CITED} {CITED}. She said “@Q”.",
        "each its own": f"{CITED} says “{GENUINE[1]}” while {CITED} says “@Q”.",
        "and says": f"“{GENUINE[1]}” {CITED} and {CITED} says “@Q”.",
        "footnote before": f"As Donovan[^1] says, “@Q”.\n\n[^1]: {CITED}",
        "footnote after a sentence": f"It says “@Q”. So be it.[^1]\n\n[^1]: {CITED}",
        "footnote that quotes": f"It says “@Q”[^1].\n\n[^1]: {CITED} says “{GENUINE[1]}”.",
        "inline footnote": f"Text^[“@Q” {CITED}].",
        "glued behind": f'It says "@Q"ish {CITED}.',
        "glued in front": f'It says so"@Q" {CITED}.',
        "mixed": f'It says “@Q" {CITED}.',
        "mixed the other way": f'It says "@Q” {CITED}.',
        "turned": f"It says ”@Q“ {CITED}.",
        "both low": f"It says „@Q„ {CITED}.",
        "both closing": f"It says ’@Q’ {CITED}.",
        "heavy": f"It says ❝@Q❞ {CITED}.",
        "primes": f"It says ″@Q″ {CITED}.",
        "typed primes": f"It says ′′@Q′′ {CITED}.",
        "accents": f"It says ´´@Q´´ {CITED}.",
        "reversed": f"It says ‟@Q” {CITED}.",
        "commas": f"It says ,,@Q'' {CITED}.",
        "manual": f"It says `@Q' {CITED}.",
        "latex twice": f"It says ``@Q'' and ``{GENUINE[1]}'' {CITED}.",
        "angles": f"It says <<@Q>> {CITED}.",
        "entities": f"It says &#8220;@Q&#X201D; {CITED}.",
        "apostrophes as entities": f"It says &apos;@Q&apos; {CITED}.",
        "q with attributes": f'It says <q\nlang="en" cite="x y z">@Q</q> {CITED}.',
        "no tag": f'It says <a b="" "@Q"> {CITED}.',
        "marks around code": f"It says “`@Q`” {CITED}.",
        "in a link": f"[“@Q”](https://example.org) {CITED}",
        "link inside": f"“[@Q](https://example.org)” {CITED}",
        "heading": f"# “@Q” {CITED}",
        "struck": f"~~***“@Q”***~~ {CITED}",
        "label": f"Quote: @Q {CITED}",
        "label and source": f"- **Quote:** @Q\n- **Source:** {CITED}",
        "label with citation": f"**Key quote** ({CITED}): @Q",
        "column": f"| Quote | Source |\n|---|---|\n| @Q | {CITED} |",
        "column behind": f"| Source | Key quote |\n|---|---|\n| {CITED} | @Q |",
        "column of both": f"| Claim | Excerpt |\n|---|---|\n| x | @Q {CITED} |",
        "column without edges": f"Zitat | Quelle\n--- | ---\n@Q | {CITED}",
        "column of elements": "<table><tr><th>Quote</th><th>Source</th></tr>\n"
        f"<tr><td>@Q</td><td>{CITED}</td></tr></table>",
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
        "callout": f"> [!QUOTE]\n> @Q {CITED}",
        "callout with a title": f"> [!quote]- A title\n> @Q\n> — {CITED}",
        "callout that cites first": f"> [!cite] Donovan {CITED}\n> @Q",
        "title of a callout": f"> [!quote] @Q\n> {GENUINE[1]} {CITED}",
        "in a notice": f"> [!NOTE]\n> > @Q {CITED}",
        "introduced in a notice": f"> [!NOTE]\n> As {CITED} says:\n>\n> > @Q",
        "marks in a notice": f"> **Note:** They say “@Q” {CITED}",
        "label of a speaker": f"> **Donovan:** @Q {CITED}",
        "plain label": f"> Note: @Q {CITED}",
        "picture": f"> 💡 @Q {CITED}",
        "item of a citation": f"> - @Q\n> - {CITED}",
        "second item": f"> - {GENUINE[1]} {CITED}\n> - @Q {CITED}",
        "rest of an item": f"> - {GENUINE[1]} {CITED} @Q\n> - {GENUINE[1]} {CITED}",
        "rest of a paragraph": f"> {GENUINE[1]} {CITED}. @Q\n>\n> {GENUINE[1]} {CITED}",
        "code only": f"> `@Q` {CITED}",
        "sentence below": f"> @Q\n\nThat is how the authors see it {CITED}.",
        "below a sentence": f"Voice matters {CITED}.\n\n> @Q\n",
        "between two paragraphs": f"Voice matters {CITED}.\n\n> @Q\n\nThat is the view of the authors {CITED}.",
        "org": f"#+begin_quote\n@Q\n#+end_quote\n{CITED}",
        "latex": f"\\begin{{quote}}\n@Q {CITED}\n\\end{{quote}}",
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
    ",said first,two paragraphs,very many,cited in words,element with paragraphs,element with marks,glued behind"
    ",glued in front,both low,no tag,row of citations,each its own,between two".split(",")
)
"""Shapes that put words of their own into the quote, or more than is looked up."""


class Reader:
    """Reads a paper that was made up."""

    pages, receipts, partial = True, False, False
    allowed = frozenset(("bracket", "parenthesis", "page", "section"))

    def __init__(self) -> None:
        self._source = QuoteSource(PAGES)

    def pdf(self, paper: Paper) -> PdfText | None:
        return PdfText(PAGES)

    def trouble(self, paper: Paper) -> str:
        return ""

    def words(self, paper: Paper) -> QuoteSource | None:
        return self._source

    def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, QuotePassage, str] | None:
        return None


READER = Reader()


def holding(text: str, path: str = "x.md") -> list[bool]:
    """Of each citation of a document, whether no check has anything to say of it."""
    paper = Paper(id="REF-043", path="p/REF-043.md")
    evidence = PaperEvidence(SourceRef("ref", "REF-043"), b"", paper, READER)  # type: ignore[arg-type]
    document = Document(path, text)
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
        # A line ends a block quote without marks, a heading and a row of a table.
        words = _broken(words, at) if not shape.startswith(("block", "heading", "column")) else words
        pieces.append(SHAPES[shape](words).replace("[^1]", f"[^{number}]").replace("[^n]", f"[^n{number}]"))
    text = "\n\nNothing is quoted in this paragraph of plain words.\n\n".join(pieces)
    held = iter(holding(text.replace("\n", ends)))
    for piece, (_, words, _) in zip(pieces, parts, strict=True):
        mine = [next(held) for _ in range(piece.count("REF-043"))]
        assert words not in INVENTED or not all(mine), piece


Wrap = Callable[[str], str]
WRAPS: dict[str, Wrap] = {
    name: (lambda words, form=form: form.replace("@Q", words))  # type: ignore[misc]
    for name, form in {
        "double": "“@Q”",
        "straight": '"@Q"',
        "german": "„@Q“",
        "guillemets": "« @Q »",
        "corner": "「@Q」",
        "single": "‘@Q’",
        "latex": "``@Q''",
        "q": "<q>@Q</q>",
        "coded": "&ldquo;@Q&rdquo;",
        "heavy": "❝@Q❞",
    }.items()
}
INSIDE = ("@Q", "*@Q*", "**@Q**", "_@Q_", "<em>@Q</em>", "[@Q](https://example.org)", "@Q.", "… @Q", "@Q, “as” it were")
SIDES = ("", "It says ", "So, as Donovan et al. put it: ", "There is more to say. ", "See Fig. 3 (p. 2). ")
PLACES = (
    "@S@W @C.",
    "@S@W (@C).",
    "@S@W. Voice matters @C.",
    "As @C has it, @W.",
    "As @C has it. There is more. @S@W.",
    "@S@W @C; @C.",
    "@S@W, and “the effect did not depend on the length of a draft” @C.",
    "“the effect did not depend on the length of a draft” @C, and @W @C.",
    "@S@W[^x].\n\n[^x]: @C",
    "@S@W.[^x] “the effect did not depend on the length of a draft”[^y]\n\n[^x]: @C\n[^y]: @C",
    "| Claim | Source |\n|---|---|\n| @S@W | @C |",
    "- an item\n- @S@W @C\n- another item",
    "1. @S\n   @W\n   @C",
    "> @S@W @C",
    "> [!NOTE]\n> @S@W @C",
    "> [!QUOTE]\n> @W\n> — @C",
    "> **Note:** @S@W @C",
    "> - @W @C\n> - the effect did not depend on the length of a draft @C",
    "<blockquote>\n<p>@W</p>\n</blockquote>\n<p>@C</p>",
    "@W\n\n@C",
    "@C:\n\n@W",
    "<div>@S@W @C</div>",
    "***@S@W @C***",
)


@given(
    words=st.sampled_from([words for words in INVENTED if "three new" not in words]),
    wrap=st.sampled_from(sorted(WRAPS)),
    inside=st.sampled_from(INSIDE),
    side=st.sampled_from(SIDES),
    place=st.sampled_from(PLACES),
    at=st.integers(0, 40),
    deeper=st.integers(0, 2),
    ends=st.sampled_from(("\n", "\r\n", "\r")),
)
@settings(max_examples=EXAMPLES * 20, deadline=None)
def test_no_made_up_document_holds(
    words: str, wrap: str, inside: str, side: str, place: str, at: int, deeper: int, ends: str
) -> None:
    """Marks of every kind around emphasis, links and hard wraps, in every place, in items and quotes of any depth."""
    body = inside.replace("@Q", words)
    if not any(sign in place for sign in "|>"):
        body = _broken(body, at)
    text = place.replace("@W", WRAPS[wrap](body)).replace("@S", side).replace("@C", CITED)
    for _ in range(deeper if "[^" not in text and "|" not in text and text[0] != "[" else 0):
        lead = "> " if text.startswith((">", "- ")) else "- "
        text = lead + text.replace("\n", "\n" + (lead if lead == "> " else "  "))
    assert not all(holding(text.replace("\n", ends))), text


@pytest.mark.parametrize("path", ["x.rst", "x.adoc"])
@pytest.mark.parametrize("words", INVENTED[:4])
def test_invented_words_in_blocks_of_other_formats_never_hold(path: str, words: str) -> None:
    forms = {
        "x.rst": ("As @C says:\n\n   @Q\n", "Text.\n\n   @Q @C\n", ".. epigraph::\n\n   @Q\n\n   -- Donovan, @C\n"),
        "x.adoc": (
            "[quote, Donovan]\n____\n@Q\n____\n\n@C",
            "[quote, REF-043]\n____\n@Q\n____\n",
            "____\n@Q @C\n____\n",
        ),
    }
    for form in forms[path]:
        assert not all(holding(form.replace("@Q", words).replace("@C", CITED), path)), form
