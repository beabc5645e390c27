"""Corpus files and bibliographies of any kind: papers, and problems with their lines; what is written is read again."""

from __future__ import annotations

import engine

with engine.instrumented():
    from msgspec.structs import replace

    from pincite.papers.bibliography import read_bibliography, read_metadata
    from pincite.papers.corpus_file import read_paper
    from pincite.papers.corpus_file_writer import mark_validated, render_paper, slug
    from pincite.papers.model import OutlineEntry, Paper, PdfText
    from pincite.papers.printed_pages import page_known, pdf_indexes, printed_page
    from pincite.papers.ranges import normal_ranges
    from pincite.papers.sections import sections_at
    from pincite.text.lines import split_lines

PATH = "corpus/REF-007-x.md"


def law(data: bytes) -> None:
    """Reading gives a paper whose places are right, writing gives it back, and pages agree with their places."""
    for name in ("a.bib", "a.ris", "a.json"):
        found = read_bibliography(name, data)
        assert len({paper.id for paper in found.entries}) == len(found.entries)
        assert all(problem.line >= 1 and problem.message for problem in found.problems)
        read_metadata(name, data)
    text = engine.text_of(data)
    paper = read_paper(PATH, text)
    assert paper.id == "REF-007"
    assert all(1 <= problem.line <= len(split_lines(text)) + 1 for problem in paper.problems), paper.problems
    for quote in paper.key_quotes:
        assert quote.span is not None
        assert 0 <= quote.span.start < quote.span.end <= len(text)
    _written(paper)
    _marked(text, paper)
    _paged(paper, text)


def _written(paper: Paper) -> None:
    """A paper that was read is read again from what is written about it."""
    bare = replace(paper, problems=(), key_quotes=tuple(replace(quote, span=None) for quote in paper.key_quotes))
    again = read_paper(PATH, render_paper(bare))
    assert again.problems == ()
    assert replace(again, key_quotes=tuple(replace(quote, span=None) for quote in again.key_quotes)) == bare
    assert len(slug(paper.title)) <= 60


def _marked(text: str, paper: Paper) -> None:
    """Marks are there where they are said to be, and nowhere else."""
    new, marked = mark_validated(text, paper, range(len(paper.key_quotes)), "2026-01-25", "@j")
    after = read_paper(PATH, new).key_quotes
    assert len(after) == len(paper.key_quotes)
    for at, (was, now) in enumerate(zip(paper.key_quotes, after, strict=True)):
        assert now.validated is (at in marked or was.validated)
        assert now.quote == was.quote


def _paged(paper: Paper, text: str) -> None:
    """A page stands where its place says, for a PDF made of the same text."""
    pieces = tuple(text.split(" ")[:12])
    headings = tuple(OutlineEntry(at % 3, piece, at) for at, piece in enumerate(pieces))
    for pdf in (PdfText(pieces, (), headings), PdfText(pieces, pieces, headings)):
        for at in range(len(pieces)):
            name = printed_page(paper, pdf, at)
            assert not name or at in pdf_indexes(paper, pdf, name), (name, at)
        for page in (*pieces, "7", "iv"):
            known, against = page_known(paper, pdf, page)
            assert (known is None) == (not against)
            sections_at(paper, pdf, page)
            assert normal_ranges(normal_ranges(page)) == normal_ranges(page)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"---\nyear: 12\nsections:\n  - name: A\n    pages: 1-3\nkey_quotes:\n  - quote: a\n    page: 3\n---\n",
            b'# REF-007: T\n\n| Pages | 81-97 |\n\n## Sections\n- A (pp. 1-2)\n\n> "a b" (p. 7, A)\n',
            b"| Section | Pages |\n|---|---|\n| A | 1-2 |\n- **Year**: 2020\n",
            b'@a{k, title={\\"a {b}}, author="A and B", pages={1--2}, file={:x.pdf:PDF}}\n@string{a = "b" # c}\n',
            b"TY  - J\nID  - a\nAU  - A, B\nSP  - 1\nEP  - 9\nER  - \n",
            b'[{"id": "a", "author": [{"family": "A"}], "issued": {"date-parts": [[2020]]}, "page": "1-2"}]',
            b'{"message": {"title": ["t"]}}',
            b"i ii iii iv 1 2 3 4 5 S1 S2-S9",
        ],
        tokens=[
            *(
                "---\n",
                "key_quotes:\n",
                "  - quote: a\n",
                "    page: 3\n",
                "    validated: true\n",
                "sections:\n",
                "REF-007",
            ),
            *(
                "| Pages | 16 |\n",
                "|---|---|\n",
                '> "a" (p. 7)\n',
                "(pp. 7-8)",
                "- ",
                "\u201c",
                "\u201d",
                "**Pages**: ",
                "## Sections\n",
            ),
            *(
                "@a{",
                "@string{",
                "={",
                "}",
                "#",
                '"',
                "\\'e",
                "TY  - J\n",
                "ER  - \n",
                "AU  - ",
                '{"id": 1}',
                "[",
                "]",
                ",",
            ),
            *("81-97", "123-7", "iv-x", "\u2013", "doi:10.1000/x", "https://", "file = {x.pdf}"),
        ],
    )
