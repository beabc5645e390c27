"""What to type to see new problems."""

from __future__ import annotations

import pytest

from pincite.fleet.new_problems import name_command
from pincite.store.shared.records import StoredVerdict
from support_fleet_store import MOVED


def place(document: str, outcome: int = MOVED) -> StoredVerdict:
    return StoredVerdict(1, document, 1, outcome, "", "", "", 1, 0, "", "")


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
