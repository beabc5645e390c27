"""Links in the documentation lead somewhere, and its own citations hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pincite
from pincite import Severity

TOP = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md")])
_CODE = re.compile(r"^ *```.*?^ *```|^    .*?$|`+[^`\n]+`+", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
MACHINE = re.compile(r"(?:/home/|/root/|/work/|/Users/|C:\\)")


def name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub gives to headings."""
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#{1,6} (.+?)\s*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(_CODE, "", path.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        there = (path.parent / place).resolve() if place else path
        assert there.is_relative_to(TOP) and there.exists(), f"{name(path)} links to {target}"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{name(path)} links to {target}"


def test_index_names_every_page() -> None:
    index = TOP / "docs/index.md"
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in _LINK.findall(index.read_text())}
    assert {path for path in TOP.glob("docs/**/*.md") if path != index} <= linked


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_no_path_of_a_machine(path: Path) -> None:
    assert not MACHINE.search(path.read_text(encoding="utf-8"))


def test_our_own_citations_lead_somewhere() -> None:
    result = pincite.check(root=TOP)
    assert result.summary.citations, "the documentation cites code"
    wrong = [(v.citation.raw, f.message) for v in result.verdicts for f in v.findings if f.severity is Severity.ERROR]
    assert (wrong, result.malformed, result.exit_code) == ([], (), 0)
