"""Whatever style a passage was copied in, the citation follows it: shifted in its file, or with its file renamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.search.model import Citation
from pincite.write.passage_citations import CitationFormat
from support_fixes import find_fixes

BODY = "# Guide\n\n" + "".join(f"Step {number} prepares part {number} of it.\n" for number in range(1, 31))
PASSAGE = "Step 3 prepares part 3 of it.\nStep 4 prepares part 4 of it."
STYLES = ("inline", "footnote", "markdown", "bracket", "quote")


def cited(path: str, style: str, absolute: str = "") -> str:
    """A passage of the guide as it is copied."""
    start = BODY.index("Step 3")
    citation = Citation(
        chunk_id=UUID("1a2b3c4d5e6f70819a2b3c4d5e6f7081"),
        document_path=f"{absolute}/{path}" if absolute else path,
        document_title="The guide [of] old",
        start_offset=start,
        end_offset=start + len(PASSAGE),
        heading="Guide",
        line_number=5,
        end_line=6,
        relative_path=path,
        text=PASSAGE,
    )
    return CitationFormat(style, bool(absolute)).write(citation) + "\n"


def fix(repo: Any) -> dict[str, str]:
    """Every document that is fixed, as it is then."""
    with Root(str(repo.path)) as root:
        found = list(find_fixes(root, Run(root, Request(cache=False)).reports()))
    return {fix.document: fix.new.decode() for fix in found}


@pytest.mark.parametrize("path", ["old guide (1).md"])
def test_every_style_is_followed(path: str, make_repository: Callable[..., Any]) -> None:
    """One repository for all of them: a shift first, then another name."""
    repo = make_repository()
    texts = {f"note-{style}.md": f"\ufeffé\r\n\r\n{cited(path, style)}" for style in STYLES if style != "bracket"}
    # A bracket comes after the sentence that it supports.
    texts["note-bracket.md"] = f"\ufeffSo it is, é says. {cited(path, 'bracket')}"
    texts["note-absolute-footnote.md"] = cited(path, "footnote", str(repo.path))
    texts["note-absolute-link.md"] = cited(path, "markdown", str(repo.path))
    repo.commit({path: BODY, **texts})
    assert fix(repo) == {}
    repo.commit({path: "More\n\nof it\n\n" + BODY})
    shifted = fix(repo)
    assert set(shifted) == set(texts) - {"note-inline.md"}
    for name, text in shifted.items():
        expected = texts[name].replace("#L5-L6", "#L9-L10").replace("†L5-L6", "†L9-L10").replace(".md:5\n", ".md:9\n")
        assert text == expected.replace("#L5)", "#L9)")
    repo.git("mv", path, "renamed.md")
    repo.commit()
    renamed = fix(repo)
    assert set(renamed) == set(texts)
    for name, text in renamed.items():
        assert "renamed.md" in text and path not in text
        assert ("§Guide" in text) == (name in ("note-inline.md", "note-quote.md"))
