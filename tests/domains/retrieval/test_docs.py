"""The examples of the pages on retrieval, run; and what the pages list is what there is."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

from pincite.domains.retrieval import Chunk, Citation, CitationService, SearchHit, SourceDocument, Validation
from pincite.write.passage_citations import FIELDS

TOP = Path(__file__).resolve().parents[3]
REFERENCE = TOP / "docs/reference/retrieval.md"


@pytest.mark.parametrize("name", ["reference", "how-to"])
def test_examples_give_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = TOP / f"docs/{name}/retrieval.md"
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(said)


def test_every_field_method_and_argument_is_described() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for record in (SearchHit, Chunk, SourceDocument, Citation, Validation):
        row = next(line for line in text.splitlines() if line.startswith(f"| `{record.__name__}` |"))
        assert [name for name in record.__struct_fields__ if f"`{name}`" not in row] == []
    methods = [name for name, _ in inspect.getmembers(CitationService, inspect.isfunction) if name[0] != "_"]
    assert [name for name in methods if f"`{name}(" not in text and f" {name}(" not in text] == []
    assert [name for name in inspect.signature(CitationService).parameters if f"| `{name}` |" not in text] == []
    assert [name for name in FIELDS if f"`{name}`" not in text.partition("A template may name")[2]] == []
