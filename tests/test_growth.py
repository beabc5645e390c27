"""Time grows with the length of the input and no faster, also where someone wrote the input to make it grow.

Each text is measured at two lengths in one run and only the two are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.dialects import dialects
from pincite.engine.pipeline import Engine
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.text.document import Document
from pincite.text.ignore_comments import ignores
from pincite.text.markdown import fences, frontmatter_span

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
        dialect.NAME: lambda text, dialect=dialect: list(dialect.extract(Document("docs/x.md", text)))  # type: ignore[misc]
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


def deepening(length: int) -> str:
    """Fences each of which stands one block quote deeper than the one before."""
    rows, depth = [], 0
    while length > 0:
        depth += 1
        rows.append(f"{'>' * depth} ```\n{'>' * depth} ```\n")
        length -= len(rows[-1])
    return "".join(rows)


def test_time_grows_with_length_where_block_quotes_deepen(in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(fences, deepening(60_000), deepening(60_000 * TIMES), TIMES)


CITED = {
    "broken in one line": "src/a.py:99 ",
    "held in one line": "src/a.py:1 ",
    "broken, each on its line": "See src/a.py:99 there.\n",
    "links in one line": "[words](src/a.py#L99) ",
    "malformed in one line": "【F:src/a.py†Lx】 ",
    "ignored in one line": "src/a.py:99 <!-- pincite: ignore all --> ",
    "chained brackets": "【F:src/a.py†L1】",
    "chained papers with a quote": '[REF-001] "these are some words" [REF-002]',
    "captured output": "It took 5 s. 【abcdef†L1】 ",
    "table": "| `src/a.py:1` | src/a.py:99 |\n",
}


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("name", CITED)
def test_time_grows_with_citations(in_proportion: Callable[..., bool], tmp_path: Path, name: str, every: bool) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("one\ntwo\n")

    def check(number: int) -> None:
        with Root(str(tmp_path)) as root:
            engine = Engine(root, Config(), every=every)
            for _ in engine.check_parts("doc.md", (CITED[name] * number).encode()):
                pass

    assert in_proportion(check, 700, 700 * TIMES, TIMES)
