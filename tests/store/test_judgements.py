"""Answers at rest: given back whole or not at all, and nobody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store import judgements
from pincite.store.digest_cache import DigestCache
from pincite.store.judgements import StoredJudgement, keep, question_key, recall

KEY = question_key("openai", "model", "1", "claim", "evidence")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_was_kept_comes_back(place: Path) -> None:
    assert recall(KEY) is None
    keep(KEY, StoredJudgement('{"level": "low"} ü', 12, 3))
    assert recall(KEY) == StoredJudgement('{"level": "low"} ü', 12, 3)
    assert recall(question_key("openai", "model", "2", "claim", "evidence")) is None
    keep(KEY, StoredJudgement("other"))
    assert recall(KEY) == StoredJudgement("other")


def test_nobody_else_may_look(place: Path) -> None:
    keep(KEY, StoredJudgement("x"))
    folder = place / "judgements"
    assert [path.stat().st_mode & 0o777 for path in (place, folder, folder / KEY)] == [0o700, 0o700, 0o600]
    folder.chmod(0o755)
    assert recall(KEY) is None
    folder.chmod(0o700)
    (folder / KEY).chmod(0o666)
    assert recall(KEY) is None


@pytest.mark.parametrize("damage", [b"", b"\x00", b"\xc1" * 40, b"\x94" * 5000, b"not ours at all"])
def test_damage_is_passed_over(place: Path, damage: bytes) -> None:
    keep(KEY, StoredJudgement("x"))
    (place / "judgements" / KEY).write_bytes(damage)
    assert recall(KEY) is None
    keep(KEY, StoredJudgement("again"))
    assert recall(KEY) == StoredJudgement("again")


def test_one_flipped_byte_is_noticed(place: Path) -> None:
    keep(KEY, StoredJudgement("level high"))
    path = place / "judgements" / KEY
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert recall(KEY) is None


def test_an_entry_under_another_name_is_not_believed(place: Path) -> None:
    keep(KEY, StoredJudgement("x"))
    other = question_key("other")
    os.rename(place / "judgements" / KEY, place / "judgements" / other)
    assert recall(other) is None


def test_links_and_other_things_are_not_read(place: Path, tmp_path: Path) -> None:
    keep(KEY, StoredJudgement("x"))
    path = place / "judgements" / KEY
    kept = path.read_bytes()
    path.unlink()
    (tmp_path / "elsewhere").write_bytes(kept)
    path.symlink_to(tmp_path / "elsewhere")
    assert recall(KEY) is None
    path.unlink()
    os.mkfifo(path)
    assert recall(KEY) is None


def test_a_place_that_cannot_be_used_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for given_place in (str(tmp_path / "file"), "relative", "/dev/null/x"):
        monkeypatch.setenv("PINCITE_CACHE", given_place)
        keep(KEY, StoredJudgement("x"))
        assert recall(KEY) is None
    assert not os.path.exists("relative")


def test_what_is_too_long_is_not_kept(place: Path) -> None:
    keep(KEY, StoredJudgement("x" * 100_000))
    assert recall(KEY) is None
    keep(KEY, StoredJudgement("lone \ud800"))
    assert recall(KEY) is None


def test_the_oldest_go(place: Path) -> None:
    DigestCache("few", 1, bytes, 100, 1000).save("size", b"x")
    size = (place / "few" / "size").stat().st_size
    (place / "few" / "size").unlink()
    few = DigestCache("few", 1, bytes, 100, most_bytes=8 * size)
    for number in range(20):
        few.save(f"{number:02}", b"x")
        os.utime(place / "few" / f"{number:02}", (number, number))
    left = sorted(os.listdir(place / "few"))
    assert len(left) <= 8
    assert "19" in left
    assert "00" not in left


def test_another_version_is_another_answer(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(KEY, StoredJudgement("x"))
    monkeypatch.setattr(judgements, "_ANSWERS", DigestCache("judgements", 99, judgements.StoredJudgement, 1000, 10))
    assert recall(KEY) is None


@given(st.lists(st.text(max_size=8), max_size=4), st.lists(st.text(max_size=8), max_size=4))
def test_another_question_has_another_name(one: list[str], other: list[str]) -> None:
    assert (question_key(*one) == question_key(*other)) is (one == other)
