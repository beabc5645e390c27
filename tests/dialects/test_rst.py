"""Citations in reStructuredText: read outside literals, repaired and written in a form that it renders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.model import Citation, Lines, Place
from pincite.dialects import dialects, extract, get_dialect
from pincite.text.document import Document
from pincite.write.cite.insertion import insert
from pincite.write.cite.model import CiteTarget, Uncitable
from pincite.write.cite.writer import write

PLACE = Place("src/a.py", Lines(13, 13))


def repaired(text: str, place: Place = PLACE) -> str:
    """A document with its one citation led to another place."""
    document = Document("docs/x.rst", text)
    (found,) = (item for item in extract(document, dialects()) if isinstance(item, Citation))
    edit = get_dialect(found.dialect).repoint(document, found, place)
    assert edit is not None
    return text[: edit.span.start] + edit.replacement + text[edit.span.end :]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See ``src/a.py:12``.\n", "See ``src/a.py:13``.\n"),
        ("See :file:`src/a.py:12`.\n", "See :file:`src/a.py:13`.\n"),
        ("See `it <../src/a.py#L12>`_.\n", "See `it <../src/a.py#L13>`_.\n"),
        ("See `src/a.py:12 <../src/a.py#L12>`__.\n", "See `src/a.py:13 <../src/a.py#L13>`__.\n"),
        ("See `<../src/a.py#L12>`_.\n", "See `<../src/a.py#L13>`_.\n"),
        ("See `a\nb <../src/a.py#L12>`_.\n", "See `a\nb <../src/a.py#L13>`_.\n"),
    ],
)
def test_a_citation_is_repaired_in_its_form(text: str, expected: str) -> None:
    assert repaired(text) == expected


def test_a_renamed_file_keeps_the_form() -> None:
    assert repaired("`a.py <../src/a.py#L12>`_\n", Place("lib/b.py", Lines(3, 3))) == "`b.py <../lib/b.py#L3>`_\n"


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("bracket", "【F:src/__init__.py†L3】"),
        ("colon", "``src/__init__.py:3``"),
        ("link", "`src/__init__.py:3 <../src/__init__.py#L3>`__"),
    ],
)
def test_a_citation_is_written_in_a_form_that_is_rendered(style: str, expected: str) -> None:
    assert write(CiteTarget("src/__init__.py", Lines(3, 3)), style, "docs/x.rst") == expected


@pytest.mark.parametrize("style", ["cite", "frontmatter"])
def test_a_style_of_markdown_is_refused(style: str) -> None:
    with pytest.raises(Uncitable, match="has no form in reStructuredText; use --style bracket"):
        write(CiteTarget("src/a.py", Lines(3, 3), text=("a",)), style, "docs/x.rst")


@pytest.mark.parametrize("citation", ["【F:a.py†L3】", "``a.py:3``", "`a.py:3 <a.py#L3>`__"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is so::\n\n  code\n", "It is so {}::\n\n  code\n"),
        ("It is so ::\n\n  code\n", "It is so {} ::\n\n  code\n"),
        ("It is so.\n", "It is so. {}\n"),
    ],
)
def test_a_citation_does_not_part_a_literal_block_from_its_mark(citation: str, text: str, expected: str) -> None:
    once = insert(text, "x.rst", [(text.index("\n"), citation)])
    assert once == expected.format(citation)
    # The same again adds nothing.
    assert insert(once, "x.rst", [(once.index("\n"), citation)]) == once


def test_in_markdown_two_colons_mean_nothing() -> None:
    assert insert("It is so::\n", "x.md", [(10, "【F:a.py†L3】")]) == "It is so:: 【F:a.py†L3】\n"


def test_a_moved_line_is_fixed_in_prose_and_left_in_examples(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.engine.run import Request, Run
    from pincite.safe.files import Root
    from support_fixes import find_fixes

    repo = make_repository()
    body = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
    text = "See ``src/a.py:12``.\n\nLike this::\n\n  src/a.py:12\n"
    repo.commit({"src/a.py": body, "docs/x.rst": text})
    repo.commit({"src/a.py": "# one\n" + body})
    with Root(str(repo.path)) as root:
        (fix,) = find_fixes(root, list(Run(root, Request(cache=False)).reports()))
    assert fix.new.decode() == text.replace("12``", "13``")
