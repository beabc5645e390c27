"""`pincite check` on definitions that are cited by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pincite
from pincite import symbols
from pincite.symbols import grammar, lookup

CODE = "import os\n\n\n@cached\ndef main():\n    return 1\n\n\nclass Box:\n    def open(self): ...\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(CODE)
    return tmp_path


def said(project: Path, text: str, cache: bool = False) -> list[tuple[str, str]]:
    """Outcome and first message of every citation."""
    (project / "doc.md").write_text(text)
    verdicts = pincite.check(root=project, cache=cache).verdicts
    return [(one.outcome.label, one.findings[0].message if one.findings else "") for one in verdicts]


def test_without_the_grammars_nothing_is_claimed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_loaded", {})
    monkeypatch.setattr(lookup, "_kept", {})
    monkeypatch.setattr(symbols, "at_hand", lambda: False)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tree_sitter_python", None)
        ((outcome, message),) = said(project, "See a.py::main.\n", cache=True)
    assert outcome == "unchecked"
    assert "pip install 'pincite[symbols]'" in message
    # What was kept of that run does not outlive the missing grammars.
    monkeypatch.setattr(symbols, "at_hand", lambda: True)
    monkeypatch.setattr(lookup, "_kept", {})
    assert said(project, "See a.py::main.\n", cache=True) == [("holds", "")]


def test_a_change_of_the_file_is_seen_by_the_next_run(project: Path) -> None:
    assert said(project, "See a.py::main.\n", cache=True) == [("holds", "")]
    (project / "a.py").write_text(CODE.replace("main", "begin"))
    assert said(project, "See a.py::main.\n", cache=True) == [("missing", "No definition of main in a.py")]


def test_a_thousand_citations_of_a_file_parse_it_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, calls = lookup.run_in_child, []
    monkeypatch.setattr(lookup, "run_in_child", lambda *given: calls.append(1) or run(*given))
    (project / "a.py").write_text(f"{CODE}# once\n")
    assert said(project, "See a.py::main, a.py::nothing.\n" * 500).count(("holds", "")) == 500
    assert len(calls) == 1


def test_the_document_s_folder_counts_where_the_root_has_no_such_file(project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "b.py").write_text("def here(): ...\n")
    (project / "docs" / "doc.md").write_text("See b.py::here, b.py::there and ../a.py::main, c.py::x.\n")
    verdicts = pincite.check(root=project).verdicts
    assert [(one.citation.source.key, one.outcome.label) for one in verdicts] == [
        ("docs/b.py::here", "holds"),
        ("docs/b.py::there", "missing"),
        ("a.py::main", "holds"),
    ]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def main():\n    return (1\n\n\nclass Box(:\n  def open(self) ...\n", "its syntax has errors"),
        ("".join(f"{' ' * depth}class C{depth}:\n" for depth in range(40)) + f"{' ' * 40}deep = 1\n", "nested deeper"),
    ],
)
def test_a_name_that_is_not_found_in_what_could_not_be_read_whole_is_unchecked(
    project: Path, code: str, why: str
) -> None:
    (project / "b.py").write_text(code)
    ((outcome, message),) = said(project, "See b.py::nothing.\n")
    assert outcome == "unchecked"
    assert "no definition of nothing was found" in message and why in message


def test_a_name_that_is_found_beside_an_error_holds(project: Path) -> None:
    (project / "b.py").write_text("def main():\n    return 1\n\n\nx = = 2\n")
    assert said(project, "See b.py::main.\n") == [("holds", "")]


def test_a_function_of_a_shell_may_have_colons_in_its_name(project: Path) -> None:
    (project / "a.sh").write_text("ns::fn() {\n  echo hi\n}\n")
    assert said(project, "See a.sh::ns::fn.\n") == [("holds", "")]
