"""Paths that the user typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.safe.user_paths import refuse_way_out


def test_dots_behind_a_link_lead_out_of_what_it_leads_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside/docs").mkdir(parents=True)
    (tmp_path / "outside/log.txt").write_text("secret\n")
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "docs").symlink_to(tmp_path / "outside/docs")
    monkeypatch.chdir(tree)
    for path in ("docs/../log.txt", "docs/.."):
        with pytest.raises(UsageError, match="leads outside the root"):
            refuse_way_out(path)
    refuse_way_out("src/../log.txt")
