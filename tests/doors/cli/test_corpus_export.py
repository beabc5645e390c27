"""`pincite corpus export` and `link`, and entries of bibliographies in `list` and `search`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = ".aiwg/research/corpus"
BIB = """@article{lovelace2021, title = {Tea and sleep}, author = {Lovelace, Ada}, year = {2021}, doi = {10.1000/a1}}
% a comment stays
@article{turing1950,
  title = {Machines that think}, author = {Alan Turing and others}, year = 1950}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, make_pdf: Callable[..., bytes], in_folder: Run) -> Path:
    (tmp_path / "pincite.toml").write_text("")
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / "REF-001-tea.md").write_text(
        "---\ntitle: Tea and sleep\nauthors: [Ada Lovelace]\nyear: 2021\ndoi: 10.1000/A1\nunsure: [year]\n---\n"
    )
    (folder / "refs.bib").write_text(BIB)
    (folder / "machines.pdf").write_bytes(make_pdf(["Can machines think?", "Imitation games are played."]))
    return tmp_path


def test_list_has_the_entries_of_bibliographies(project: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("corpus", "list")
    assert code == 0
    rows = out.splitlines()
    assert [row.split()[0] for row in rows] == ["REF-001", "@lovelace2021", "@turing1950"]
    assert "2021?" in rows[0]
    assert rows[1].endswith("Tea and sleep (= REF-001)")
    listed = json.loads(in_folder("corpus", "list", "--format", "json")[1])
    assert [row["paper"] for row in listed] == ["", "REF-001", ""]
    assert listed[0]["unsure"] == ["year"]


def test_search_finds_entries_by_their_titles(project: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("corpus", "search", "machines think")
    assert code == 0
    assert "[@turing1950]  Machines that think (entry of a bibliography)" in out


def test_an_entry_is_linked_to_its_pdf(project: Path, in_folder: Run) -> None:
    code, out, err = in_folder("corpus", "link", "turing1950", f"{FOLDER}/machines.pdf")
    assert (code, err) == (0, "")
    assert f"wrote {FOLDER}/refs.bib" in out
    text = (project / FOLDER / "refs.bib").read_text()
    assert text == BIB.replace("turing1950,", "turing1950,\n  file = {machines.pdf},")
    assert "PDF" in in_folder("corpus", "list")[1].splitlines()[2]
    code, out, _ = in_folder("corpus", "search", "imitation games")
    assert "[@turing1950, p. 2]" in out
    assert in_folder("corpus", "cite", "imitation games are played")[0] == 1


def test_a_pdf_named_after_the_key_is_linked(project: Path, in_folder: Run) -> None:
    (project / FOLDER / "machines.pdf").rename(project / FOLDER / "turing1950.pdf")
    listed = json.loads(in_folder("corpus", "list", "--format", "json")[1])
    assert listed[2]["pdf"] == f"{FOLDER}/turing1950.pdf"
    (project / "doc.md").write_text("Games [@turing1950, p. 2] and [@turing1950, p. 9].\n")
    _, out, _ = in_folder("corpus", "validate-citations", "doc.md", "--format", "json", "--no-log")
    assert [one["checks"]["page_valid"] for one in json.loads(out)] == [True, False]


def test_an_entry_has_the_pdf_of_the_paper_with_its_doi(project: Path, in_folder: Run) -> None:
    (project / FOLDER / "machines.pdf").rename(project / FOLDER / "REF-001-tea.pdf")
    listed = json.loads(in_folder("corpus", "list", "--format", "json")[1])
    assert listed[1]["pdf"] == f"{FOLDER}/REF-001-tea.pdf"


@pytest.mark.parametrize(
    ("key", "pdf", "code", "said"),
    [
        ("nobody", f"{FOLDER}/machines.pdf", 1, "no bibliography has such an entry"),
        ("turing1950", f"{FOLDER}/none.pdf", 2, "is no PDF inside the project"),
        ("turing1950", "above.pdf", 2, "lies above"),
    ],
)
def test_what_cannot_be_linked(project: Path, in_folder: Run, key: str, pdf: str, code: int, said: str) -> None:
    (project / "above.pdf").write_bytes(b"%PDF")
    found, _, err = in_folder("corpus", "link", key, pdf)
    assert found == code
    assert said in err
    assert (project / FOLDER / "refs.bib").read_text() == BIB


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl", "csl-json"])
def test_export_and_import(project: Path, in_folder: Run, form: str) -> None:
    name = {"bibtex": "out.bib", "ris": "out.ris"}.get(form, "out.json")
    code, out, err = in_folder("corpus", "export", "--format", form, "--output", name)
    assert code == 0
    assert f"wrote 2 entries to {name}" in out
    assert "REF-001: year left out: marked unsure" in err
    code, out, _ = in_folder("corpus", "add", name, "--dry-run")
    assert code == 1
    assert "Machines that think" in out


def test_export_of_one(project: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("corpus", "export", "@turing1950")
    assert code == 0
    assert (
        out
        == "@misc{turing1950,\n  title = {{Machines that think}},\n  author = {Turing, Alan},\n  year = {1950},\n}\n"
    )
    assert in_folder("corpus", "export", "REF-999")[0] == 1
