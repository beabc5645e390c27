"""What the user has seen is kept by root, and damage counts as nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import Refused
from pincite.safe.files import Root
from pincite.store.cache_folder import save_kept
from pincite.store.seen_findings import SeenFindings, load_seen, save_seen

SEEN = SeenFindings(1_700_000_000, frozenset({"0123456789abcdef"}))


def test_what_was_seen_is_found_again(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        assert load_seen(root) is None
        save_seen(root, SEEN)
        assert load_seen(root) == SEEN


def test_another_root_has_seen_nothing(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with Root(str(tmp_path / "one")) as one, Root(str(tmp_path / "other")) as other:
        save_seen(one, SEEN)
        assert load_seen(other) is None


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x93\x01\x02\x03", b"\x92\xa1x\x90"])
def test_what_is_damaged_counts_as_nothing_seen(tmp_path: Path, data: bytes) -> None:
    with Root(str(tmp_path)) as root:
        assert save_kept(root, "seen-findings", data)
        assert load_seen(root) is None


def test_a_mark_that_cannot_be_kept_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", "relative")
    with Root(str(tmp_path)) as root, pytest.raises(Refused, match="PINCITE_CACHE"):
        save_seen(root, SEEN)
