"""The table of forms that are read: each example in it is read, by the dialect that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite.dialects import dialects, extract
from pincite.text.document import Document

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/citations.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|`]+ \| `([^`]+)` \| \[?([a-z-]+)\]?(?:\([^)]*\))? \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)
LINED = re.compile(r"^(?!.*(?:::|§|†L1-L4|REF-|@)).*$")


def test_the_table_has_every_form() -> None:
    named = {dialect for _, dialect in ROWS}
    elsewhere = {"memory", "key-quote", "habit", "instruction", "org-link", "tex-cite", "tex-path"}
    assert named | elsewhere == {dialect.NAME for dialect in dialects()}
    assert len(ROWS) >= 24


@pytest.mark.parametrize(("example", "dialect"), ROWS)
def test_every_example_is_read_as_the_table_says(example: str, dialect: str) -> None:
    document = Document("docs/x.md", f"The limit is ten.\n\n{example}\n")
    document.mirrored = lambda name: name.endswith("owner/name")
    found = extract(document, dialects())
    assert {item.dialect for item in found} == {dialect}
    cited = found[0]
    if LINED.match(example) and hasattr(cited, "lines"):
        assert cited.lines is not None and cited.lines.first == 4
