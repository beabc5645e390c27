"""Any quote in any pages: one answer, kept within its bounds, and never `verbatim` for what is not there."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.quotes.fold import key_of
    from pincite.quotes.lookup import QuoteSource, describe, mark_changes

KINDS = ("verbatim", "altered", "stitched", "absent", "too-short")


def law(data: bytes) -> None:
    """Pages are parted by form feeds, the last part is the quote; every answer is whole and leads to its pages."""
    *pages, quote = engine.text_of(data).split("\f")
    look = QuoteSource(pages).look(quote)
    assert look.kind in KINDS, look.kind
    assert 0 <= look.similarity <= 1
    assert bool(look.edits) == (look.kind == "altered"), look
    assert bool(look.passages) == (look.kind in ("verbatim", "altered", "stitched")), look
    assert (look.kind == "too-short") == (not key_of(quote)), look
    for passage in look.passages:
        assert 0 <= passage.page <= passage.end_page < len(pages), passage
        assert "\n" not in passage.text
        mark_changes(quote, passage.text, look.edits)
    describe(look.edits)
    if look.kind == "verbatim" and not look.folded and len(look.passages) == 1:
        # Nothing folded: what is shown stands there as it is, or the quote does, whose letters may be shown folded.
        there = " ".join(" ".join(pages).split())
        shown = look.passages[0].text
        assert shown.endswith("…") or shown in there or " ".join(quote.split()) in there, look


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"a well-\nknown hyphen\xc2\xad\nation of 15% \x0cwell-known hyphenation of 15%",
            b"Head 1\nsome words1 go\n1 A note.\x0cHead 2\non over here.\x0csome words go on over here",
            b"it did not rise by 15 ms at all\x0cit did rise by 16 s at all",
            b"one two three four. %sfive six seven eight\x0cone two three four five six seven eight" % (b"x " * 14),
            "the ﬁrst “thing” — as Smith says — is −5\x0c[t]he first … Smith [he] says - is 5".encode(),
        ],
        tokens=[
            *(
                "\f",
                "-\n",
                "\u00ad\n",
                "\u00ad",
                "…",
                "...",
                "[",
                "]",
                "[...]",
                "ﬁ",
                "“",
                "’",
                "—",
                "–",
                "−",
                "±",
                "%",
                "‰",
            ),
            *(
                "not ",
                "15",
                "0.5",
                "1,000",
                "1 ",
                "Smith",
                "word1",
                "\n1 A",
                "un",
                "\u0301",
                "²",
                "\u200b",
                "İ",
                "Σ",
                "𝟏",
            ),
        ],
    )
