"""A folder that is written as a whole: complete or not at all, and nothing of others is removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.safe.folder_output import write_folder

MARKER = "list.json"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "out"


def write(place: Path, **files: str) -> None:
    with write_folder(str(place), MARKER, "test") as add:
        for name, text in files.items():
            add(name.replace("__", "/"), text.encode())


def names(place: Path) -> set[str]:
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def test_it_appears_when_it_is_complete(place: Path) -> None:
    with write_folder(str(place), MARKER, "test") as add:
        add("a/b/c.txt", b"1")
        assert not place.exists()
    assert names(place) == {"a/b/c.txt", MARKER}
    write(place, d="2")
    assert names(place) == {"d", MARKER}
    assert os.listdir(place.parent) == ["out"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError, UsageError])
def test_what_fails_leaves_what_was_there(place: Path, error: type[BaseException]) -> None:
    write(place, a="1")
    with pytest.raises(UsageError if error is OSError else error), write_folder(str(place), MARKER, "test") as add:
        add("b", b"2")
        raise error("x")
    assert names(place) == {"a", MARKER} and os.listdir(place.parent) == ["out"]


def test_what_others_put_there_meanwhile_is_kept(place: Path) -> None:
    write(place, a="1")
    with pytest.raises(UsageError, match="did not write"), write_folder(str(place), MARKER, "test") as add:
        add("b", b"2")
        (place / "mine").write_text("x")
    assert names(place) == {"a", "mine", MARKER}


@pytest.mark.parametrize("key", ["../x", "/x", "a/../../x", "..", "a//b", ""])
def test_nothing_is_written_outside_of_it(place: Path, key: str) -> None:
    before = set(os.listdir(place.parent))
    with pytest.raises((UsageError, ValueError)), write_folder(str(place), MARKER, "test") as add:
        add(key, b"x")
    assert set(os.listdir(place.parent)) == before


def test_a_name_that_is_taken_twice_is_refused(place: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"), write_folder(str(place), MARKER, "test") as add:
        add("a", b"1")
        add("a", b"2")
    assert not place.exists()


def test_links_inside_of_an_earlier_folder_are_not_followed(place: Path, tmp_path: Path) -> None:
    write(place, a="1")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept").write_text("x")
    (place / "a").unlink()
    (place / "a").symlink_to(tmp_path / "other")
    with pytest.raises(UsageError, match="did not write|holds files"):
        (place / "linked").symlink_to(tmp_path / "other")
        write(place, b="2")
    (place / "linked").unlink()
    write(place, b="2")
    assert (tmp_path / "other" / "kept").read_text() == "x" and names(place) == {"b", MARKER}


def test_two_at_once_do_not_mix(place: Path) -> None:
    with write_folder(str(place), MARKER, "test") as add:
        add("a", b"1")
        with pytest.raises(UsageError, match="another run"):
            write(place, b="2")
    assert names(place) == {"a", MARKER}


@pytest.mark.parametrize("name", ["x" * 250, "a b", "é"])
def test_long_and_odd_names_of_the_folder_are_fine(place: Path, name: str) -> None:
    write(place.parent / name, a="1")
    assert names(place.parent / name) == {"a", MARKER}
