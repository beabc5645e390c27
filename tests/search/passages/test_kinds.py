"""Which file is of which kind, and that asking costs little."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pincite.search import passages
from pincite.search.passages import plain


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *[
            ("a.md", "markdown"),
            ("docs/A.MD", "markdown"),
            ("x.mdx", "markdown"),
            ("a/b.rst", "rst"),
            ("a.txt", "text"),
        ],
        *[("README", "text"), ("sub/Makefile", "text"), ("Dockerfile", "text"), ("LICENSE", "text"), ("a.PY", "code")],
        *[("a.tsx", "code"), ("a.hs", "code"), ("a.html", "html"), ("a.HTM", "html"), ("p.pdf", "pdf")],
        *[("a.png", None), ("a", None), ("", None), (".md", None), ("a.md/", None), ("a.md.bak", None), ("md", None)],
    ],
)
def test_the_name_tells_the_kind(path: str, kind: str | None) -> None:
    assert passages.find_kind(path) == kind


def test_every_ending_belongs_to_one_kind() -> None:
    names = ("markdown", "rst", "text", "code", "html", "pdf")
    claimed = [(ending, name) for name in names for ending in passages.get_kind(name).ENDINGS]
    assert all(ending[0] == "." and ending == ending.lower() for ending, _ in claimed)
    assert len(claimed) == len(dict(claimed))
    assert all(passages.find_kind("a" + ending) == name for ending, name in claimed)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        passages.read("spreadsheet", "")
    with pytest.raises(KeyError):
        passages.get_kind("cut")


def test_no_parser_is_loaded_before_a_page_is_read() -> None:
    code = "import sys, pincite.search.passages as p; p.find_kind('a.html'); p.read('markdown', '# a'); "
    done = subprocess.run(
        [sys.executable, "-c", code + "print('turbohtml' in sys.modules, 'unicodedata' in sys.modules)"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["False", "False"]


def test_plain_text_is_cut_at_paragraphs() -> None:
    paragraph = "word " * 100
    text = "\n\n".join([paragraph] * 7)
    found = passages.read("text", text).passages
    assert len(found) == 3 and all(one.headings == () for one in found)
    assert all(text[one.end : one.end + 3] in (" \n\n", " ", "") for one in found)
    assert plain.outline("# no\n") == []
