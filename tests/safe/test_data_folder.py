"""Where what lasts is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.safe.data_folder import choose_folder, find_data_place


def test_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert find_data_place("fleet.db", "x") == f"{tmp_path}/pincite/fleet.db"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/me")
    assert find_data_place("fleet.db", "x") == "/home/me/.local/share/pincite/fleet.db"


def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("HOME", "relative")
    with pytest.raises(UsageError, match=r"there is no data folder; name one with --mirrors, or set PINCITE_X"):
        choose_folder(None, "PINCITE_X", "--mirrors", "mirrors")


def test_an_option_goes_before_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINCITE_X", "/elsewhere")
    assert choose_folder(None, "PINCITE_X", "--mirrors", "mirrors") == "/elsewhere"
    monkeypatch.chdir(tmp_path)
    assert choose_folder("here", "PINCITE_X", "--mirrors", "mirrors") == f"{tmp_path}/here"
