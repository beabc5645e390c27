"""The terminal picture: well-formed, self-contained, the same bytes for the same text."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

TOP = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_colors_become_attributes_and_never_text(svg: ModuleType) -> None:
    picture = svg.render("plain \x1b[1;31mred\x1b[0m end", "t")
    assert words(picture) == ["plain", "red", "end"]
    assert "\x1b" not in picture
    red = next(e for e in ElementTree.fromstring(picture).iter(f"{SVG}text") if e.text == "red")
    assert (red.get("fill"), red.get("font-weight")) == (svg.HUES[31], "bold")


def test_markup_in_the_text_is_escaped(svg: ModuleType) -> None:
    assert words(svg.render('<script>&"', '<b>"')) == ['<script>&"']


def test_wide_characters_take_two_columns(svg: ModuleType) -> None:
    assert (svg.cells("【a】"), svg.cells("e\u0301"), svg.cells("†")) == (5, 1, 1)
    narrow, wide = svg.render("a" * 20, "t"), svg.render("【" * 20, "t")
    width = [float(ElementTree.fromstring(picture).get("width", "0")) for picture in (narrow, wide)]
    assert width[1] - width[0] == 20 * svg.CELL


def test_columns_are_kept(svg: ModuleType) -> None:
    (_, second) = ElementTree.fromstring(svg.render("one\n    two", "t")).iter(f"{SVG}text")
    assert float(second.get("x", "0")) == svg.PAD + 4 * svg.CELL


def test_picture_in_the_readme_shows_every_outcome_of_the_demo() -> None:
    picture = (TOP / "docs/assets/demo.svg").read_text(encoding="utf-8")
    shown = " ".join(words(picture))
    for word in ("pincite check", "mismatch", "moved", "missing", "blocked", "malformed", "unchecked", "hold"):
        assert word in shown
    assert "href" not in picture and "<script" not in picture
    assert "docs/assets/demo.svg" in (TOP / "README.md").read_text(encoding="utf-8")
