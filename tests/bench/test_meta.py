"""The benchmark of titles, authors and dates, and the sets that it is fed with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"
PAGE = '<title>A page of words</title><meta name="author" content="{}"><p class="byline">By {}</p>'


def case(folder: Path, number: int, html: str, **known: Any) -> None:
    (folder / f"{number}.html").write_text(html, encoding="utf-8")
    with (folder / "cases.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps({"html": f"{number}.html", **known}) + "\n")


def test_the_figures_of_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("turbohtml")
    date = '<meta name="pubdate" content="2020-03-05">'
    case(tmp_path, 1, PAGE.format("Jane Doe", "Jane Doe") + date, date="2020-03-05", authors=["Jane Doe"])
    case(tmp_path, 2, PAGE.format("Jane Roe", "Jane Roe") + date, date="2020-03-09", authors=["Ada Quill"])
    case(tmp_path, 3, "<p>Nothing.</p>", date="2020-03-05T23:00:00Z", authors=[])
    made = subprocess.run(
        [sys.executable, str(BENCH / "meta.py"), str(tmp_path), "--no-witness", "--show", "verified"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    figures = json.loads(made.splitlines()[-1])["html"]["pincite"]["all"]
    assert (figures["dates"], figures["authors"], figures["verified"], figures["verified wrong"]) == (3, 2, 2, 1)
    assert (figures["date right %"], figures["date none %"], figures["date wrong %"]) == (33.3, 33.3, 33.3)
    assert (figures["author right %"], figures["unsigned but named %"]) == (50.0, 0.0)
    assert "['Ada Quill'] known, ['Jane Roe'] read" in made


def test_a_folder_without_cases_is_said(tmp_path: Path) -> None:
    made = subprocess.run([sys.executable, str(BENCH / "meta.py"), str(tmp_path)], capture_output=True, check=False)
    assert made.returncode == 2 and b"no cases.jsonl" in made.stderr


def test_a_set_is_converted(tmp_path: Path) -> None:
    source = tmp_path / "source"
    page = source / "test/test-pages/one"
    page.mkdir(parents=True)
    (page / "source.html").write_text("<p>x</p>")
    (page / "expected-metadata.json").write_text('{"title": "One", "byline": "By Jane Doe and John Roe"}')
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.example", "-C", str(source)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    out = tmp_path / "out"
    subprocess.run([sys.executable, str(BENCH / "meta_sets.py"), "readability", str(source), str(out)], check=True)
    [line] = (out / "cases.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "html": "pages/0000.html",
        "title": "One",
        "authors": ["Jane Doe", "John Roe"],
        "set": "readability",
    }
    assert (out / "pages/0000.html").read_text() == "<p>x</p>"
