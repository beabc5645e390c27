"""Citations in every style that people copy."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from pincite.core.errors import UsageError
from pincite.search.model import Citation
from pincite.write.passage_citations import STYLES, CitationFormat

CITED = Citation(
    chunk_id=UUID("1a2b3c4d-0000-8000-8000-000000000000"),
    document_path="/srv/docs/a.md",
    document_title="The A",
    start_offset=0,
    end_offset=4,
    heading="Top",
    line_number=3,
    end_line=5,
    relative_path="docs/a.md",
    text="some",
)


def writer(style: str, **wishes: object) -> CitationFormat:
    return CitationFormat(style, **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("style", "written"),
    [
        ("inline", "[a.md, §Top]"),
        ("footnote", "[^1a2b3c4d]: docs/a.md:3"),
        ("markdown", "[The A](docs/a.md#L3)"),
        ("bracket", "【F:docs/a.md†L3-L5】"),
        ("quote", "> some\n>\n> — [The A](docs/a.md#L3-L5), §Top"),
    ],
)
def test_styles(style: str, written: str) -> None:
    assert writer(style).write(CITED) == written


def test_every_style_is_written() -> None:
    assert all(writer(style).write(CITED) for style in STYLES)
    assert json.loads(writer("csl").write(CITED))["URL"] == "file:///srv/docs/a.md"


@pytest.mark.parametrize(("style", "path"), [("footnote", "/srv/docs/a.md"), ("bracket", "docs/a.md")])
def test_absolute_paths_where_they_may_stand(style: str, path: str) -> None:
    assert path in writer(style, absolute=True).write(CITED)


def test_outside_the_root_there_is_only_the_absolute_path() -> None:
    away = replace(CITED, relative_path=None)
    assert writer("footnote").write(away) == "[^1a2b3c4d]: /srv/docs/a.md:3"


def test_without_lines() -> None:
    assert writer("footnote", lines=False).write(CITED) == "[^1a2b3c4d]: docs/a.md"
    assert writer("quote", lines=False).write(CITED).endswith("— [The A](docs/a.md), §Top")
    with pytest.raises(UsageError, match="brackets cite lines"):
        writer("bracket", lines=False).write(CITED)


def test_a_page_has_no_lines() -> None:
    paged = replace(CITED, line_number=None, end_line=None, page=7)
    with pytest.raises(UsageError, match="has page 7, and brackets cite lines"):
        writer("bracket").write(paged)
    assert "page 7" in writer("quote").write(paged)


def test_a_name_that_several_files_have() -> None:
    assert writer("inline", is_unique=lambda name: False).write(CITED) == "[docs/a.md, §Top]"
    assert writer("inline", is_unique=lambda name: name == "a.md").write(CITED) == "[a.md, §Top]"


def test_templates() -> None:
    templates = {"mine": "{name}@{line}", "inline": "never"}
    assert writer("mine", templates=templates).write(CITED) == "a.md@3"
    assert writer("inline", templates=templates).write(CITED) == "[a.md, §Top]"
    assert writer("inline", template="{path}").write(CITED) == "docs/a.md"
    assert writer("bracket", template="{path}", absolute=True).write(CITED) == "/srv/docs/a.md"


def test_a_label_of_its_own() -> None:
    assert writer("footnote").write(CITED, "x1") == "[^x1]: docs/a.md:3"


def test_a_style_that_is_not_known() -> None:
    with pytest.raises(UsageError, match=r"style 'nope' is not known; choose from: inline, .*, csl, mine"):
        writer("nope", templates={"mine": ""})


@pytest.mark.parametrize("path", ["a†.md", "a】.md", "a\nb.md"])
def test_what_no_bracket_can_hold(path: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot stand in"):
        writer("bracket").write(replace(CITED, relative_path=path))
