"""Time grows with the length of the input and no faster, also where someone wrote the input to make it grow.

Each text is measured at two lengths in one run and only the two are compared.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.document import Document
from pincite.extract import dialects
from pincite.ignores import ignores
from pincite.markup import fences, frontmatter_span

SHORT, TIMES = 6_000, 8
PIECES = {
    "code spans": "`a` src/x.py:1 ",
    "open code spans": "` src/x.py:1 ",
    "backtick runs": "```a`` src/x.py:1 ",
    "escaped backticks": "\\` a.py:1 ",
    "one paragraph": "src/x.py:1 ",
    "fences": "```\nx\n```\nsrc/x.py:1\n",
    "fences in a quote": "> ```\n> x\n> ```\n> src/x.py:1\n",
    "open fences in quotes": "> ```\nsrc/x.py:1\n",
    "fences in list items": "- a\n  ```\n  x\n  ```\n  src/x.py:1\n",
    "indented fences": "   ```\n   x\n   ```\n   src/x.py:1\n",
    "list": "- `a` src/x.py:1\n",
    "table": "| `a.py:1` | src/x.py:1 |\n",
    "quote marks": ">",
    "nested markers": "> - ",
    "blank lines": "\n",
    "carriage returns": "a.py:1\r",
    "brackets": "【F:a†L1】 ",
    "open brackets": "【F:a",
    "dashes in brackets": "【F:a†L1-",
    "links": "[a](b#L1) ",
    "open links": "[a](b",
    "square brackets": "[",
    "half links": "](",
    "escapes in links": "[a](%20%20",
    "cite links": "[cite:file](a:1) ",
    "open cite links": "[cite:file](",
    "permalinks": "https://github.com/o/r/blob/main/a.py#L1 ",
    "open permalinks": "https://github.com/o/r/blob/",
    "colons": ":1",
    "ranges": "a:1-",
    "hashes": "a#L1-L2",
    "dots": "../",
    "one word": "a",
    "ignore comments": "<!-- pincite: ignore all x --> a.py:1 ",
    "open ignore comments": "<!-- pincite: ignore a",
    "frontmatter": "---\ncitations:\n",
}
READERS: dict[str, Callable[[str], object]] = {
    "fences": fences,
    "frontmatter": frontmatter_span,
    "ignores": lambda text: ignores(Document("docs/x.md", text)),
    **{
        dialect.NAME: lambda text, dialect=dialect: dialect.extract(Document("docs/x.md", text))  # type: ignore[misc]
        for dialect in dialects()
    },
}


@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("reader", READERS)
def test_time_grows_with_length(in_proportion: Callable[..., bool], reader: str, name: str) -> None:
    piece = PIECES[name]
    short = (piece * (SHORT // len(piece) + 1))[:SHORT]
    long = (piece * (SHORT * TIMES // len(piece) + 1))[: SHORT * TIMES]
    assert in_proportion(READERS[reader], short, long, TIMES)
