"""Which words a citation quotes: those beside it, in its sentence, and no others."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Quote
from pincite.dialects import ref
from pincite.text.document import Document
from pincite.text.quotations import has_no_quotes

WORDS = "whales sing to their young"


def quotes(text: str) -> list[str | None]:
    """What each citation of a document surely quotes, in order; None for nothing."""
    found = read(text)
    return [quote.exact if quote is not None and quote.exact not in quote.doubtful else None for quote in found]


def read(text: str) -> list[Quote | None]:
    """The selector of each citation."""
    return [item.quote for item in ref.extract(Document("x.md", text)) if isinstance(item, Citation)]


def doubts(text: str) -> list[str]:
    """The words that may belong to a citation or not."""
    return [words for quote in read(text) if quote is not None for words in quote.doubtful]


QUOTING = [
    # Before the citation.
    f"It is said that “{WORDS}” [REF-001, p.3].",
    f'It is said that "{WORDS}" [REF-001, p.3].',
    f"It is said that „{WORDS}“ [REF-001].",
    f"It is said that „{WORDS}” [REF-001].",
    f"It is said that «{WORDS}» [REF-001].",
    f"It is said that “{WORDS}” (REF-001).",
    f"It is said that “{WORDS}” (see [REF-001, p.3]).",
    f"It is said that “{WORDS}”, as REF-001 has it.",
    f"It is said that “{WORDS}” at night and in summer [REF-001].",
    f"“{WORDS}”[REF-001].",
    f"It is said that\n“{WORDS}”\n[REF-001].",
    "It is said that “whales sing\nto   their young” [REF-001].",
    "It is said that “whales *sing* to **their** young” [REF-001].",
    "It is said that “whales sing to their _young_” [REF-001].",
    f"- an item: “{WORDS}” [REF-001]",
    f"| it is said that “{WORDS}” | [REF-001] |",
    f"“Another quote of four words” was said. And “{WORDS}” [REF-001].",
    # Stops that end no sentence, and sentences that only point.
    f"It is said that “{WORDS}” (p. 2 of REF-001).",
    f"It is said that “{WORDS}” (Sec. 2 of [REF-001]).",
    f"It is said that “{WORDS}” (No. 4 in [REF-001, p.1]).",
    f"It is said that “{WORDS}” on Jan. 5 [REF-001].",
    f"It is said that “{WORDS}” in the U.S. study [REF-001].",
    f"It is said that “{WORDS}”, as R. Rivest put it [REF-001].",
    f"It is said that “{WORDS}” approx. in these words [REF-001].",
    f"Is it said that “{WORDS}”? See [REF-001].",
    # Spaces inside the marks, and apostrophes for marks.
    f'It is said that "{WORDS} " [REF-001].',
    f'It is said that " {WORDS} " [REF-001].',
    f"It is said that ''{WORDS}'' [REF-001].",
    # After it.
    f"As [REF-001] says, “{WORDS}”.",
    f"As REF-001 (p. 3) says: “{WORDS}”",
    f"REF-001 holds that “{WORDS}”, and more.",
    f"See [REF-001], “{WORDS}”.",
    # A citation in HTML below a block quote, and a line that a backslash breaks.
    f"<blockquote>{WORDS}</blockquote>\n<p>[REF-001]</p>",
    f"<blockquote>{WORDS}</blockquote>\n\n<cite>[REF-001]</cite>",
    f"<figure><blockquote>{WORDS}</blockquote>\n<figcaption>— [REF-001]</figcaption></figure>",
    f"> {WORDS}\n\n<small>[REF-001]</small>",
    "It is said that “whales sing\\\nto their young” [REF-001].",
    # Block quotes.
    f"> {WORDS} [REF-001]",
    f"> {WORDS}\n> [REF-001]",
    "> whales sing\n> to their young [REF-001]",
    f"> {WORDS}\n> — [REF-001]",
    f"> {WORDS} — [REF-001]",
    f"> {WORDS} — A. Donovan [REF-001]",
    f"> {WORDS}\n>\n> — [REF-001]",
    f"> {WORDS}\n>\n> — Donovan, in [REF-001]",
    f"> “{WORDS}” [REF-001]",
    f"> {WORDS}\n\n— [REF-001]",
    f"> {WORDS}\n\n[REF-001]",
    f"Text before.\n\n> {WORDS}\n> ([REF-001])",
    f"> {WORDS}\n>\n> Source: [REF-001]",
    f"> {WORDS}\n\nSource: [REF-001]",
    f"> # A heading\n> {WORDS} [REF-001]",
    f"> - another item of it\n> - {WORDS} [REF-001]",
    f"As [REF-001, p.3] says:\n\n> {WORDS}\n",
    f"As [REF-001, p.3] says:\n> {WORDS}\n> — A. Donovan\n\nMore of it.",
    f"[REF-001]:\n\n> “{WORDS}”\n",
    # Around it.
    f"It is said that “{WORDS} [REF-001, p.3].” And so on.",
    f'It is said that "{WORDS} [REF-001]".',
    # Marks of other habits and languages, and as HTML.
    f"It is said that ‘{WORDS}’ [REF-001].",
    f"It's said that '{WORDS}' [REF-001].",
    f"It is said that »{WORDS}« [REF-001].",
    f"It is said that ‹{WORDS}› [REF-001].",
    f"It is said that ”{WORDS}” [REF-001].",
    f"It is said that ``{WORDS}'' [REF-001].",
    f"It is said that &ldquo;{WORDS}&rdquo; [REF-001].",
    f"It is said that &quot;{WORDS}&quot; [REF-001].",
    f"It is said that <q>{WORDS}</q> [REF-001].",
    f"<blockquote>{WORDS}</blockquote> [REF-001]",
    f'It is said that \\"{WORDS}\\" [REF-001].',
    # Markup inside.
    "“whales <em>sing</em><br>to their&nbsp;young” [REF-001]",
    "“whales [sing](https://example.org) to their young[^3]” [REF-001]",
    "“whales sing <!-- never --> to their young” [REF-001]",
    # Code is part of its sentence.
    "“whales `sing` to their young” [REF-001]",
    "> whales `sing` to their young [REF-001]",
    # In lists, without marks on every line, across paragraphs, in footnotes.
    f"- > {WORDS} [REF-001]",
    f"1. > {WORDS}\n   > [REF-001]",
    "> whales sing\nto their young [REF-001]",
    f"As [REF-001] says:\n\n“{WORDS}”",
    f"It is said that “{WORDS}”[^1] there.\n\n[^1]: [REF-001]",
    f"> {WORDS}[^a]\n\nMore of it.\n\n[^a]: See REF-001 (p. 3).",
    # Tags of block quotes.
    f"<BLOCKQUOTE cite='x'>\n<p>{WORDS}</p>\n</BLOCKQUOTE>\n\n— [REF-001]",
    f"<blockquote><p>{WORDS}</p><footer>— [REF-001]</footer></blockquote>",
    f"As [REF-001] says:\n\n<blockquote>\n\n{WORDS}\n\n</blockquote>",
    # A writer who quotes others in a block quote.
    f"> The authors say “{WORDS}” [REF-001]",
    f"> Donovan et al.: “{WORDS}” [REF-001]",
    f"> According to Donovan, “{WORDS}” [REF-001]",
    f"> “{WORDS},” says Donovan [REF-001]".replace("young,", "young"),
    # Callouts that quote, with a title or without, and labels that say that they quote.
    f"> [!QUOTE]\n> {WORDS} [REF-001]",
    f"> [!quote]- Donovan\n> {WORDS}\n> — [REF-001]",
    f"> [!cite] Donovan [REF-001]\n> {WORDS}",
    f"> **Quote:** {WORDS} [REF-001]",
    f"> [!NOTE]\n> > {WORDS} [REF-001]",
    f"> [!NOTE]\n> As [REF-001] says:\n>\n> > {WORDS}",
    # Two quotes as LaTeX writes them, which Markdown takes for code.
    f"It says ``{WORDS}'' but not ``never'' [REF-001].",
    # An item of its own for the citation.
    f"> - {WORDS}\n> - [REF-001]",
    # Cells of a column of quotes.
    f"| Quote | Source |\n|---|---|\n| {WORDS} | [REF-001] |",
    f"| Source | Key quote |\n|:--|--:|\n| [REF-001] | “{WORDS}” |",
    f"Zitat | Quelle\n--- | ---\n{WORDS} | [REF-001]",
    f"| Excerpt | Source |\n|-------+--------|\n| {WORDS} | [REF-001] |",
    f"| Claim | Quotation |\n|---|---|\n| They sing. | {WORDS} [REF-001] |",
    f"<table><tr><th>Quote</th><th>Source</th></tr>\n<tr><td>{WORDS}</td><td>[REF-001]</td></tr></table>",
    # Blocks of other formats.
    f"#+begin_quote\n{WORDS}\n#+end_quote\n[REF-001]",
    f"As [REF-001] says:\n\n#+BEGIN_QUOTE\n{WORDS}\n#+END_QUOTE",
    f"\\begin{{quote}}\n{WORDS} [REF-001]\n\\end{{quote}}",
    # A word in marks beside the quote, and a dot that ends no sentence.
    f"“{WORDS}” is a “big” word [REF-001].",
    f"“{WORDS}” (see Fig. 3) [REF-001].",
    f"“{WORDS}” by Dr. Donovan [REF-001].",
]


MARKED = (
    "“@” „@“ „@” ‟@” ⹂@‟ «@» »@« ❝@❞ ❛@❜ ❮@❯ ″@″ ‶@″ ʺ@ʺ ״@״ “@“ ”@” ”@“ “@\" \"@” ‘@’ ‚@‘ ‚@’ ‛@’ ‹@› ``@''"
    " ``@´´ ´´@´´ ´@´ ,,@'' ,,@`` `@' ''@'' '@' ‘‘@’’ ′′@′′ 「@」 『@』 〝@〟 〝@〞 ｢@｣ ﹁@﹂ ﹃@﹄ ＂@＂"
    " &ldquo;@&rdquo; &#8220;@&#8221; &#x201C;@&#X201D; &laquo;@&raquo; &bdquo;@&ldquo;"
    " &OpenCurlyDoubleQuote;@&CloseCurlyDoubleQuote;"
).split()


@pytest.mark.parametrize("marks", MARKED)
def test_quotation_marks_of_all_kinds(marks: str) -> None:
    assert quotes(f"It says {marks.replace('@', WORDS)} [REF-001].") == [WORDS]


@pytest.mark.parametrize(
    "marks", ["《@》", "〈@〉", "≪@≫", "⟪@⟫", "<<@>>", "’@’", "&apos;@&apos;", "„@„", "«@«", "›@‹"]
)
def test_marks_that_mean_something_else_as_well_are_in_doubt(marks: str) -> None:
    (quote,) = read(f"It says {marks.replace('@', WORDS)} [REF-001].")
    assert quote is not None and quote.exact in quote.doubtful and WORDS in quote.exact


@pytest.mark.parametrize(
    "text",
    [
        'See <img alt="whales sing to their young" src="x y.png"> and [REF-001].',
        f'See [this](https://example.org "{WORDS}") and [REF-001].',
    ],
)
def test_marks_of_markup_quote_nothing(text: str) -> None:
    assert read(text) == [None]


@pytest.mark.parametrize("path", ["x.rst", "x.adoc", "x.org"])
def test_the_same_marks_in_other_formats(path: str) -> None:
    found = list(ref.extract(Document(path, f"It says “{WORDS}” [REF-001].")))
    assert isinstance(found[0], Citation) and found[0].quote == Quote(WORDS)


OTHERS = [
    ("x.adoc", f"[quote, Donovan, The Sea]\n____\n{WORDS}\n____\n\n[REF-001]"),
    ("x.adoc", f"[quote, Donovan, REF-001]\n____\n{WORDS}\n____\n"),
    ("x.adoc", f"____\n{WORDS} [REF-001]\n____\n"),
    ("x.adoc", f"[quote]\n{WORDS}\n\n— [REF-001]\n"),
    ("x.rst", f"As [REF-001] says:\n\n   {WORDS}\n\nText."),
    ("x.rst", f"Text.\n\n   {WORDS}\n\n   -- Donovan [REF-001]\n\nText."),
    ("x.rst", f".. epigraph::\n\n   {WORDS}\n\n   -- Donovan [REF-001]\n"),
    ("x.rst", f".. pull-quote::\n\n   {WORDS} [REF-001]\n"),
]


@pytest.mark.parametrize(("path", "text"), OTHERS)
def test_block_quotes_of_other_formats(path: str, text: str) -> None:
    (found,) = ref.extract(Document(path, text))
    assert isinstance(found, Citation) and found.quote == Quote(WORDS)


@pytest.mark.parametrize(
    "text",
    [
        f".. note::\n\n   {WORDS} [REF-001]\n",
        f"- an item\n\n  {WORDS} [REF-001]\n",
        f"Term\n   {WORDS} [REF-001]\n",
    ],
)
def test_what_is_indented_for_another_reason_is_no_quote(text: str) -> None:
    (found,) = ref.extract(Document("x.rst", text))
    assert isinstance(found, Citation) and found.quote is None


def test_a_literal_block_cites_nothing() -> None:
    assert list(ref.extract(Document("x.rst", f"So::\n\n   {WORDS} [REF-001]\n"))) == []


def test_what_is_only_indented_is_in_doubt() -> None:
    (found,) = ref.extract(Document("x.rst", f"Text.\n\n   {WORDS} [REF-001]\n\nText."))
    assert isinstance(found, Citation) and found.quote == Quote(WORDS, (), (WORDS,))


@pytest.mark.parametrize(
    "label",
    ["[!NOTE]", "[!WARNING]", "[!tip]+ A title", "**Note:**", "**Warning**", "**Note for readers:**", "⚠️ **Warning:**"]
    + ["__Tip__:", "*Note:*", "<b>Note:</b>", "**Hinweis:**", "**注意：**", "**Key takeaway:**"],
)
def test_a_notice_is_the_writers_own(label: str) -> None:
    assert read(f"> {label}\n> {WORDS} [REF-001]") == [None]
    assert read(f"> {label} {WORDS} [REF-001]") == [None]
    assert quotes(f"> {label} They say “{WORDS}” [REF-001]") == [WORDS]


@pytest.mark.parametrize("label", ["**Donovan:**", "**Finding**:", "Note:", "💡", "⚠️"])
def test_a_label_that_may_name_a_speaker_leaves_it_in_doubt(label: str) -> None:
    assert read(f"> {label} {WORDS} [REF-001]") == [Quote(WORDS, (), (WORDS,))]


def test_each_item_of_a_block_quote_is_its_own() -> None:
    other = "dolphins swim all night"
    assert quotes(f"> - {WORDS} [REF-001, p.2]\n> - {other} [REF-002, p.3]") == [WORDS, other]
    first, second = read(f"> - {WORDS} [REF-001, p.2] and so they do\n> - {other} [REF-002, p.3]")
    assert first == Quote(WORDS, ("and so they do",), ("and so they do",))
    assert second == Quote(other)


def test_two_citations_in_a_row_of_a_table_leave_it_in_doubt() -> None:
    text = f"| Quote | A | B |\n|---|---|---|\n| {WORDS} | [REF-001] | [REF-002] |"
    assert all(quote == Quote(WORDS, (), (WORDS,)) for quote in read(text))


@pytest.mark.parametrize("head", ["Quote ID", "Quoted from", "Quote source", "Claim"])
def test_a_column_of_something_else_quotes_nothing(head: str) -> None:
    assert read(f"| {head} | Source |\n|---|---|\n| {WORDS} | [REF-001] |") == [None]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (f"“dolphins swim all night” [REF-001] and [REF-002] says “{WORDS}”.", WORDS),
        (f"[REF-001] says “dolphins swim all night” while [REF-002] says “{WORDS}”.", WORDS),
    ],
)
def test_a_citation_beside_another_has_words_of_its_own(text: str, own: str) -> None:
    assert quotes(text)[1] == own


def test_words_behind_citations_that_share_a_quote_are_in_doubt() -> None:
    first, second = read(f"“dolphins swim all night” [REF-001] [REF-002]. She said “{WORDS}”.")
    assert first == Quote("dolphins swim all night", (WORDS,), (WORDS,))
    assert second is first


def test_a_long_row_of_citations_shares_its_quote_in_time() -> None:
    text = f"“{WORDS}”" + " [REF-001]" * 1500
    assert [quote is not None for quote in read(text)] == [True] * 1000 + [False] * 500


@pytest.mark.parametrize("text", QUOTING)
def test_these_words_are_quoted(text: str) -> None:
    assert quotes(text) == [WORDS]


@pytest.mark.parametrize("text", QUOTING)
def test_line_ends_make_no_difference(text: str) -> None:
    assert quotes(text.replace("\n", "\r\n")) == [WORDS]


@pytest.mark.parametrize(
    "text",
    [
        # Another sentence, paragraph, item or heading.
        f"“{WORDS}.” So she said. Voice matters [REF-001].",
        f"She said “{WORDS}”. Voice matters [REF-001].",
        f"She said “{WORDS}”! Voice matters [REF-001].",
        f"“{WORDS}”\n\n[REF-001] shows more.",
        f"As [REF-001] shows. She said “{WORDS}”.",
        f"As [REF-001] shows.\n\n“{WORDS}”",
        f"- “{WORDS}”\n- voice matters [REF-001]",
        f"# “{WORDS}”\n\nVoice matters [REF-001].",
        # Too far away.
        f"“{WORDS}” is what {'very ' * 30}many people say about them at sea [REF-001].",
        # Too little to be a quotation.
        "The “steady voice” effect [REF-001].",
        "The “voice” effect [REF-001].",
        "The “a b c d” effect [REF-001].",
        "The “– – – – – – – –” effect [REF-001].",
        # Marks that are none.
        'A board of 12" by 14" was used here and there [REF-001].',
        f"Write `“{WORDS}”` [REF-001].",
        f"It's the whales' habit to {WORDS[7:]} [REF-001].",
        f"“{WORDS} [REF-001].",
        f"{WORDS}” [REF-001].",
        # No block quote.
        f"{WORDS} [REF-001]",
        f"> {WORDS}\n\nVoice matters [REF-001].",
        "> [REF-001]",
        f"> {WORDS}\n\n\n\n[REF-001] shows more.",
        f"> `{WORDS}` [REF-001]",
        f"> [!NOTE]\n> {WORDS} [REF-001]",
        f"As [REF-001] says.\n\n> {WORDS}\n",
        f"As [REF-001] says:\n\n> `{WORDS}`\n",
        "Rock 'n' roll in the '80s was the whales' habit [REF-001].",
        "He did not see 'em in the whales' own sea [REF-001].",
        f"« {WORDS[:6]} » et puis toujours « {WORDS[-5:]} » [REF-001].",
    ],
)
def test_nothing_is_quoted(text: str) -> None:
    assert quotes(text) == [None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"“{WORDS}” [REF-001], but “an other one of these” [REF-002].", [WORDS, "an other one of these"]),
        (f"“{WORDS}” [REF-001] [REF-002].", [WORDS, WORDS]),
        (f"“{WORDS}” [REF-001; REF-002].", [WORDS, WORDS]),
        (f"“{WORDS}” [REF-001] and [REF-002].", [WORDS, WORDS]),
        (f"As [REF-001] and [REF-002] say, “{WORDS}”.", [None, WORDS]),
        (f"As [REF-001] says, “{WORDS}” [REF-002].", [None, WORDS]),
        (f"[REF-001] says “{WORDS}”. [REF-002] does not.", [WORDS, None]),
        (f"“{WORDS}” [REF-001]. Voice matters [REF-002].", [WORDS, None]),
        (f"Voice matters [REF-001]. And “{WORDS}” [REF-002].", [None, WORDS]),
        (f"> {WORDS} [REF-001]\n\nVoice matters [REF-002].", [WORDS, None]),
        (f"> {WORDS} [REF-001]\n>\n> — [REF-002]", [WORDS, None]),
        (f"| [REF-001] | “{WORDS}” |\n| [REF-002] | “an other one of these” |", [WORDS, "an other one of these"]),
        (f"| “{WORDS}” | [REF-001] |\n| “an other one of these” | [REF-002] |", [WORDS, "an other one of these"]),
        (f"[REF-001]: “{WORDS}”\n[REF-002]: “an other one of these”", [WORDS, "an other one of these"]),
        (f"As [REF-001] says:\n\n> {WORDS}\n\n— [REF-002]", [None, WORDS]),
        (f"As [REF-001] says:\n\n> {WORDS} [REF-002]", [None, WORDS]),
    ],
)
def test_each_quote_belongs_to_one_citation(text: str, expected: list[str | None]) -> None:
    assert quotes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"[REF-001, p.2] says “{WORDS}” while [REF-002, p.1] does not.",
        f"In [REF-001, p.2] we read that “{WORDS}”, unlike in [REF-002, p.1].",
        f"Unlike [REF-001], it is held that “{WORDS}” in [REF-002].",
        f"REF-001 shows “{WORDS}” and REF-002 agrees.",
    ],
)
def test_a_quote_between_two_citations_is_shared_and_looking_decides(text: str) -> None:
    first, second = read(text)
    assert first is not None and first.exact == WORDS
    assert second is first


def test_a_quote_between_two_that_stands_beside_one_is_its_own() -> None:
    assert quotes(f"[REF-001] says: “{WORDS}”, and [REF-002] agrees.") == [WORDS, None]
    assert quotes(f"Unlike [REF-001], “{WORDS}” [REF-002].") == [None, WORDS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> whales sing — not always to their young [REF-001]", "whales sing — not always to their young"),
        ("> whales sing to their young. — Donovan [REF-001]", "whales sing to their young."),
        ("> “They” – as ever – sing to us. — A. Donovan, The Sea [REF-001]", "“They” – as ever – sing to us."),
        ("> “They” – as ever – sing to us [REF-001]", "“They” – as ever – sing to us"),
        ("> whales sing. – And so do the birds [REF-001]", "whales sing. – And so do the birds"),
        ("> whales sing to their young.\n> -- A. Donovan, p. 3, in [REF-001]", "whales sing to their young."),
        ("> One paragraph of it.\n>\n> And a second one.\n>\n> — [REF-001]", "One paragraph of it. And a second one."),
        ('> whales sing and "never" stop [REF-001]', 'whales sing and "never" stop'),
        ("> whales sing, as “they all” say [REF-001]", "whales sing, as “they all” say"),
        ("‘whales sing “to them” at night’ [REF-001]", "whales sing “to them” at night"),
        ("「我々は漏れを観察しなかった」と述べた [REF-001]。", "我々は漏れを観察しなかった"),
        ("他写道“我们没有观察到\n任何泄漏”[REF-001]。", "我们没有观察到任何泄漏"),
        ('他写道"我们没有观察到泄漏"了 [REF-001]。', "我们没有观察到泄漏"),
        ("> 我们没有观察到\n> 任何泄漏 [REF-001]", "我们没有观察到任何泄漏"),
        ("“ผลการทดลองไม่พบความแตกต่าง” [REF-001]", "ผลการทดลองไม่พบความแตกต่าง"),
        ("“没有观察到泄”[REF-001]", "没有观察到泄"),
        ("> One paragraph of it.\n>\n> And a second one [REF-001]", "One paragraph of it. And a second one"),
        ("“whales “sing” to their young” [REF-001]", "whales “sing” to their young"),
        ("‘whales don’t sing to them’ [REF-001]", "whales don’t sing to them"),
        ("“whales &amp; dolphins sing” [REF-001]", "whales & dolphins sing"),
        (r"“whales \[sing\] to their young” [REF-001]", "whales [sing] to their young"),
        ("“a snake_case_name is no emphasis” [REF-001]", "a snake_case_name is no emphasis"),
    ],
)
def test_what_of_it_is_quoted(text: str, expected: str) -> None:
    assert quotes(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Never closed, never opened, closed behind the citation.
        (f"“{WORDS} [REF-001].", [WORDS]),
        (f'She says "{WORDS} [REF-001].', [WORDS]),
        (f"{WORDS}” [REF-001].", [WORDS]),
        (f"As [REF-001] says, “{WORDS}.", [f"{WORDS}."]),
        ("“whales sing [REF-001] to their young” at night.", [WORDS]),
        # Far away, in the paragraph or the item before, in that behind.
        (f"“{WORDS}” is what {'very ' * 30}many people say about them at sea [REF-001].", [WORDS]),
        (f"“{WORDS}”\n\n[REF-001] shows more.", [WORDS]),
        (f"[REF-001]\n\n“{WORDS}”", [WORDS]),
        (f"“whales swim to their young” [REF-001], which adds: “{WORDS}”.", [WORDS]),
        # Marks of titles.
        ("《我们没有观察到任何泄漏》[REF-001]", ["我们没有观察到任何泄漏"]),
        # Block quotes that go on behind their citation, or are not plainly introduced by it.
        (f"> whales swim to their young [REF-001]. {WORDS}", [WORDS]),
        (f"> [REF-001] {WORDS}", [WORDS]),
        (f"As [REF-001] says.\n\n> {WORDS}\n", [WORDS]),
        (f"> {WORDS}\n\nThis is what the authors wrote [REF-001].", [WORDS]),
        (f"> # {WORDS}\n> whales swim to their young [REF-001]", [WORDS]),
        # Further away in the paragraph, in the paragraph that is nothing else, and across paragraphs.
        (f"“{WORDS}.” So she said. Voice matters [REF-001].", [f"{WORDS}."]),
        (f"As [REF-001] shows. More is known. She said “{WORDS}”.", [WORDS]),
        (f"“{WORDS}”\n\nThat is how the authors see it [REF-001].", [WORDS]),
        (f"> {WORDS}\n\nThat is how the authors see it [REF-001].", [WORDS]),
        (f"Voice matters [REF-001].\n\n> {WORDS}\n", [WORDS]),
        (f"“{WORDS}\n\n“dolphins swim all night” [REF-001].", [WORDS]),
        # Around a footnote.
        (f"As Donovan[^1] says, “{WORDS}”.\n\n[^1]: [REF-001]", [WORDS]),
        (f"It says “{WORDS}”. So be it.[^1]\n\n[^1]: [REF-001]", [WORDS]),
        # Marks without a partner, and marks around code.
        (f'It says "{WORDS}"ish things [REF-001].', [WORDS]),
        (f"It says “`{WORDS}`” [REF-001].", [WORDS]),
        (f"> `{WORDS}` [REF-001]", [WORDS]),
        # Lines that say that they quote.
        (f"Quote: {WORDS} [REF-001]", [WORDS]),
        (f"- **Quote:** {WORDS}\n- Source: [REF-001]", [WORDS]),
        (f"**Key quote** ([REF-001]): {WORDS}", [WORDS]),
        # Words around a quote in a block quote, which may be the writer's.
        (f"> Donovan says “{WORDS}” and he is right [REF-001]", [f"Donovan says “{WORDS}” and he is right"]),
    ],
)
def test_what_may_belong_to_a_citation_is_in_doubt(text: str, expected: list[str]) -> None:
    assert doubts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"> - {WORDS}\n> - whales swim to their young [REF-001]", ("whales swim to their young", WORDS)),
        (" and ".join(f"“{WORDS} {number}”" for number in range(12)) + " [REF-001]", None),
        (f"> Donovan says “{WORDS}” and he is right [REF-001]", (WORDS, f"Donovan says “{WORDS}” and he is right")),
    ],
)
def test_all_that_a_citation_quotes_is_known(text: str, expected: tuple[str, ...] | None) -> None:
    (quote,) = read(text)
    assert quote is not None
    if expected is None:
        assert len(quote.others) == 11 and not quote.doubtful
    else:
        assert (quote.exact, *quote.others) == expected


def test_a_quote_of_many_pages_is_known_as_a_whole() -> None:
    words = "whales sing to their young " * 2000
    assert quotes(f"“{words.strip()}” [REF-001]") == [words.strip()]
    assert quotes("".join(f"> {WORDS}\n" for _ in range(2000)) + "> — [REF-001]") == [" ".join([WORDS] * 2000)]


def test_more_quotes_than_are_looked_up_are_in_doubt() -> None:
    (quote,) = read(" and ".join(f"“{WORDS} {number}”" for number in range(60)) + " [REF-001]")
    assert quote is not None and len(quote.others) == 50
    assert len(quote.doubtful) == 1 and quote.doubtful[0].startswith(f"“{WORDS} 0”")


@pytest.mark.parametrize(
    "text", ["", "plain", "it's", "a > b", "no -> quote", "-> [REF-001]", "ein „", "\n> x", "> x", '"']
)
def test_a_text_that_may_quote_is_passed_over_or_not(text: str) -> None:
    assert has_no_quotes(text) == (not any(mark in text for mark in '"„') and "\n>" not in text and text[:1] != ">")


@pytest.mark.parametrize(
    "text",
    [
        "- > x",
        "a\n   > x",
        "a\n1. > x",
        "a\r> x",
        "<BLOCKQUOTE>x",
        "<q>x</q>",
        "&quot;x",
        "「",
        "『",
        "《",
        "＂",
        "a '",
        "|'x'",
    ],
)
def test_a_text_that_may_quote_is_not_passed_over(text: str) -> None:
    assert not has_no_quotes(text)


HOSTILE = {
    "open marks": "“a b c d [REF-001] ",
    "open straight marks": '"a b c d [REF-001] ',
    "lines of a block quote": "> a b c d [REF-001]\n",
    "lines that go on": "> a\nb c d e [REF-001]\n",
    "one paragraph": "a b c d [REF-001]\n“a” ",
    "terms": "“a” ",
    "open tags": "<blockquote> a [REF-001] ",
    "footnotes": "x[^1] “a b c d”[^1] y\n\n[^1]: [REF-001]\n\n",
    "names": "> Aa Bb Cc Dd: ",
    "verbs": "> X says “a b c d” and ",
    "dashes": "> a — ",
    "code": "`a` “`b c d e`” [REF-001] ",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_written_takes_time_in_proportion(name: str) -> None:
    from time import process_time

    def cost(times: int) -> float:
        text = HOSTILE[name] * (times * 8000 // len(HOSTILE[name])) + "\n\n> x [REF-001]"
        best = 1e9
        for _ in range(3):
            started = process_time()
            quotes(text)
            best = min(best, process_time() - started)
        return best

    assert cost(6) < 24 * cost(1) + 0.2


def test_many_marks_take_time_in_proportion() -> None:
    """Nothing is looked at again for every citation beyond its reach: the work on twice the text is about twice."""
    from time import process_time

    def cost(size: int) -> float:
        text = "“a quote of some words” [REF-001] and “ open „ « " * size
        best = 1e9
        for _ in range(3):
            started = process_time()
            assert len(quotes(text)) == size
            best = min(best, process_time() - started)
        return best

    assert cost(1600) < 6 * cost(400) + 0.5
