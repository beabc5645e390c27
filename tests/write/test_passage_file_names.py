"""A name that is cited leads to the one file that was found, whatever the index leaves out."""

from __future__ import annotations

from pathlib import Path

from pincite.project.config import Config, RetrievalSettings
from pincite.project.project import Project
from pincite.safe.files import Root
from pincite.write.passage_citations import name_finder


def test_a_file_that_is_kept_out_of_the_index_still_has_its_name(tmp_path: Path) -> None:
    for folder in ("docs", "docs/old"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "guide.md").write_text("# Guide\n")
    (tmp_path / "docs/other.md").write_text("# Other\n")
    project = Project(Root(str(tmp_path)), Config(retrieval=RetrievalSettings(exclude=("docs/old",))))
    is_enough = name_finder(project, lambda _: True)
    assert not is_enough("guide.md")
    assert is_enough("other.md")


def test_the_index_is_asked_alone_where_nothing_is_kept_out_of_it(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("# A\n")
    project = Project(Root(str(tmp_path)), Config())
    assert name_finder(project, lambda _: True)("a.md")
    assert not name_finder(project, lambda _: False)("a.md")
