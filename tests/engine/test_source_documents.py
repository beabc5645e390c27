"""Comments of source code, and notebooks, in whole runs: what is listed, counted, silenced and repaired."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.core.limits import Limits
from pincite.core.model import Report, Summary
from pincite.doors.cli.main import main
from pincite.engine.run import Request, Run
from pincite.project.config import Config
from pincite.safe.files import Root

APP = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
CITING = '"""The third: `src/app.py:3`."""\nTEXT = "src/app.py:3"  # and src/app.py:4-5\r\n'


def run(path: Path, limits: Limits | None = None, **wishes: object) -> tuple[list[Report], Summary]:
    with Root(str(path), limits or Limits()) as root:
        one = Run(root, Request(**wishes))  # type: ignore[arg-type]
        return list(one.reports()), one.summary


@pytest.fixture
def repo(repository: Any) -> Any:
    repository.commit({"src/app.py": APP, "lib/citing.py": CITING, "README.md": "Nothing.\n"})
    return repository


def test_source_files_are_searched_and_count_where_they_cite(repo: Any) -> None:
    for _ in range(2):  # The second answer comes from the cache.
        _, summary = run(repo.path)
        assert (summary.citations, summary.documents) == (2, 2)


def test_the_setting_turns_it_off_and_a_named_file_is_read_anyway(repo: Any) -> None:
    off = Config(in_source=False)
    assert run(repo.path, config=off)[1].citations == 0
    assert run(repo.path, config=off, paths=("lib/citing.py",))[1].citations == 2


def test_repairs_change_comments_and_no_other_byte(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("src/app.py", "import compute\n\n" + APP)
    monkeypatch.chdir(repo.path)
    with pytest.raises(SystemExit):
        main(["fix", "--write", "--unsafe", "."])
    fixed = CITING.replace("`src/app.py:3`", "`src/app.py:5`").replace("4-5", "6-7")
    assert (repo.path / "lib/citing.py").read_bytes() == fixed.encode()


def test_a_citation_far_down_in_a_long_docstring_is_repaired(repo: Any) -> None:
    long = '"""' + "words of a long docstring\n" * 9000 + 'See src/app.py:3.\n"""\n'
    repo.commit({"lib/citing.py": long})
    repo.write("src/app.py", "import compute\n\n" + APP)
    reports, _ = run(repo.path)
    (verdict,) = reports[0].verdicts
    assert verdict.findings[0].edit is not None
    assert verdict.findings[0].edit.replacement == "src/app.py:5"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "# src/app.py:99  # pincite: ignore line-out-of-range\n"),
        ("a.go", "// pincite: ignore all, it is gone\n// src/app.py:99\n"),
        ("a.tex", "% pincite: ignore line-out-of-range\nsrc/app.py:99\n"),
        ("a.org", "# pincite: ignore line-out-of-range\nsrc/app.py:99\n"),
    ],
)
def test_a_comment_of_the_language_silences(repo: Any, path: str, text: str) -> None:
    repo.write(path, text)
    _, summary = run(repo.path)
    assert (summary.errors, summary.ignored) == (0, 1)


def test_a_string_silences_nothing(repo: Any) -> None:
    repo.write("a.py", 'x = "# pincite: ignore all"  # src/app.py:99\n')
    assert run(repo.path)[1].errors == 1


def test_large_and_unreadable_sources_are_passed_over_unless_they_are_named(repo: Any) -> None:
    repo.write("lib/data.py", "# src/app.py:99\n" * 100)
    (repo.path / "lib/old.c").write_bytes(b"// M\xfcller src/app.py:99\n")
    small = Limits(document_bytes=1000)
    assert run(repo.path, small)[1].exit_code == 0
    assert run(repo.path, small, paths=("lib/data.py",))[1].exit_code == 2


def test_a_notebook_is_repaired_in_its_own_bytes(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": ['A "b" \\ ü\n', "see src/app.py:3, src/app.py:4."]}
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["# src/app.py:3"]}
    text = json.dumps({"cells": [cell, code], "metadata": {}, "nbformat": 4}, indent=1, ensure_ascii=False) + "\n"
    repo.commit({"a.ipynb": text, "lib/citing.py": ""})
    repo.write("src/app.py", "import compute\n\n" + APP)
    monkeypatch.chdir(repo.path)
    with pytest.raises(SystemExit):
        main(["fix", "--write", "--unsafe", "."])
    fixed = text.replace("see src/app.py:3, src/app.py:4.", "see src/app.py:5, src/app.py:6.")
    assert (repo.path / "a.ipynb").read_text("utf-8") == fixed


def test_history_of_source_files_is_blamed_and_not_read_whole(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.history.authorship import History

    monkeypatch.setattr(History, "prepare", lambda self: pytest.fail("the history of all documents was read"))
    repo.write("src/app.py", "import compute\n" + APP)
    (report,) = run(repo.path)[0]
    assert {finding.check for verdict in report.verdicts for finding in verdict.findings} == {"lines-moved"}
