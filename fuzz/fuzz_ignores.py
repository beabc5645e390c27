"""Ignore comments in any text: each speaks for a line that exists."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.text.document import Document
    from pincite.text.ignore_comments import ignores, is_silenced


def law(data: bytes) -> None:
    """Lines are lines of the document, checks are words, and a silenced check is silenced where it says."""
    document = Document("x.md", engine.text_of(data))
    found = ignores(document)
    for line, checks in found.items():
        assert 1 <= line <= len(document.starts), line
        assert checks is not None
        for check in checks:
            assert check.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == "", check
            assert is_silenced(found, line, check)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"<!-- pincite: ignore lines-moved, known since then -->\na.py:3\n",
            b"a.py:3 <!-- pincite: ignore all,lines-edited because -->\r\n",
            b"---\nx: 1 # pincite: ignore file-not-found gone\n---\n",
            b"```\n<!-- pincite: ignore all x -->\n```\n",
        ],
        tokens=["<!--", "-->", "pincite:", "ignore ", "all", "# pincite: ignore ", "lines-moved", ",", "---\n", "`"],
    )
