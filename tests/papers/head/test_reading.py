"""Title, authors and year together: which witnesses make them sure."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pincite.papers.head.reading import read_head
from pincite.papers.model import HeadLine, PdfText

spec = spec_from_file_location("support_head", Path(__file__).with_name("support_head.py"))
assert spec is not None and spec.loader is not None
made = module_from_spec(spec)
spec.loader.exec_module(made)
BODY = "\n".join(made.BODY * 6)
PAGE = f"Green tea and sleep\nAda Lovelace and Alan Turing\nCopyright 2014 ACM\n{BODY}"
HEAD = made.page((180, "Green tea and sleep"), (110, "Ada Lovelace and Alan Turing"))


def test_a_plain_page_is_sure() -> None:
    head = read_head(PdfText((PAGE,), head=HEAD), "paper")
    assert (head.title, head.authors, head.year) == ("Green tea and sleep", ("Ada Lovelace", "Alan Turing"), "2014")
    assert head.unsure == ()


def test_junk_of_the_file_is_no_witness() -> None:
    head = read_head(PdfText((PAGE,), title="Microsoft Word - x.doc", authors="root", head=HEAD), "paper")
    assert (head.title, head.authors, head.unsure) == ("Green tea and sleep", ("Ada Lovelace", "Alan Turing"), ())


def test_a_title_only_the_file_tells_is_unsure() -> None:
    head = read_head(PdfText(("x",), title="Green tea and sleep"), "paper")
    assert (head.title, head.unsure) == ("Green tea and sleep", ("title",))


def test_names_of_the_file_count_where_the_page_has_them() -> None:
    lines = made.page((180, "Green tea and sleep"), (110, "Ada Lovelace"), (90, "x"), (80, "Alan Turing"))
    head = read_head(PdfText((PAGE,), authors="Ada Lovelace, Alan Turing", head=lines), "paper")
    assert (head.authors, head.unsure) == (("Ada Lovelace", "Alan Turing"), ())
    head = read_head(PdfText(("x",), authors="Grace Hopper"), "paper")
    assert (head.authors, head.unsure) == (("Grace Hopper",), ("authors",))


def test_names_below_make_a_title_sure_that_is_no_larger() -> None:
    lines = made.page((100, "*GREEN TEA AND SLEEP"), (100, "Ada Lovelace and Alan Turing"))
    assert read_head(PdfText((PAGE,), head=lines), "paper").unsure == ()


def test_a_cover_that_may_leave_names_out_is_unsure() -> None:
    page = f"See https://www.researchgate.net/publication/1\n{PAGE}"
    assert read_head(PdfText((page,), head=HEAD), "paper").unsure == ("authors",)


lines = st.builds(
    HeadLine,
    *(st.integers(0, 10_000) for _ in range(4)),
    st.integers(0, 1),
    st.text(max_size=60),
)


@given(st.lists(lines, max_size=12), st.text(max_size=300), st.text(max_size=40))
def test_any_head_is_read(head: list[HeadLine], page: str, said: str) -> None:
    found = read_head(PdfText((page,), title=said, authors=said, head=tuple(head)), said)
    assert set(found.unsure) <= {"title", "authors", "year"}
