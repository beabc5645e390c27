"""What to type to see new problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.fleet.new_problems import name_command
from pincite.store.shared.records import StoredVerdict
from support_fleet_store import MOVED


def place(document: str, outcome: int = MOVED, written: str = "") -> StoredVerdict:
    return StoredVerdict(1, document, 1, outcome, "", "", written, 1, 0, "", "")


@pytest.mark.parametrize(
    ("location", "documents", "command"),
    [
        ("/srv/git/a b", ["x.md"], "cd '/srv/git/a b' && pincite fix -- x.md"),
        ("https://h/o/n.git/", ["x.md", "x.md"], "git clone https://h/o/n.git/ && cd n && pincite fix -- x.md"),
        ("git@host:n.git", ["$(rm).md"], "git clone git@host:n.git && cd n && pincite fix -- '$(rm).md'"),
        ("https://h/o/n", ["-a", "b", "c", "d", "e"], "git clone https://h/o/n && cd n && pincite fix"),
        ("", ["x.md"], ""),
    ],
)
def test_the_command_can_be_typed_whatever_the_names_are(location: str, documents: list[str], command: str) -> None:
    assert name_command(location, [place(one) for one in documents]) == command


def test_what_did_not_only_move_is_checked_and_not_fixed() -> None:
    assert name_command("/a", [place("x.md"), place("x.md", 5)]) == "cd /a && pincite check -- x.md"


@pytest.mark.parametrize(
    ("written", "is_other"),
    [
        ("weather/gauge:src/gauge.py:4", True),
        ("`git.example.org/group/weather/gauge:src/gauge.py:4", True),
        ("https://github.com/weather/gauge/blob/main/src/gauge.py#L4", True),
        ("[gauge](https://github.com/weather/gauge)", False),
        ("src/gauge.py:4", False),
        ("src/gauge.py:4:1", False),
        ("gauge.py:4", False),
        ("\u3010F:src/gauge.py\u2020L4\u3011", False),
    ],
)
def test_what_cites_another_repository_is_seen_with_its_mirrors(
    written: str, is_other: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_FLEET_MIRRORS", f"{tmp_path}/the mirrors")
    found = [place("x.md", MOVED, written)]
    assert name_command("/a", found, "sea") == f"cd /a && {'PINCITE_MIRRORS=FOLDER ' * is_other}pincite fix -- x.md"
    (tmp_path / "the mirrors/sea").mkdir(parents=True)
    named = f"PINCITE_MIRRORS='{tmp_path}/the mirrors/sea' " * is_other
    assert name_command("/a", found, "sea") == f"cd /a && {named}pincite fix -- x.md"
