"""Settings: the nearest file counts, and what cannot be obeyed is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.config import Config, find_root, load_config, parse_config
from pincite.errors import UsageError


def test_nothing_written_means_defaults(tmp_path: Path) -> None:
    assert load_config(str(tmp_path)) == (Config(), "")


def test_the_nearest_file_upward_counts(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    assert load_config(str(tmp_path / "a/b"))[0].strict
    (tmp_path / "a/pyproject.toml").write_text("[tool.pincite]\nin-code = true\n")
    config, source = load_config(str(tmp_path / "a/b"))
    assert (config.strict, config.in_code, Path(source).name) == (False, True, "pyproject.toml")


def test_a_pyproject_without_our_table_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    (tmp_path / "a/pyproject.toml").write_text('[project]\nname = "pincite-user"\n')
    assert load_config(str(tmp_path / "a"))[0].strict


def test_settings_above_the_repository_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    assert not load_config(str(tmp_path / "repo"))[0].strict


def test_underscores_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("in_code = true\n")
    assert load_config(str(tmp_path))[0].in_code


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("strictt = true\n", "unknown field `strictt`"),
        ("strict = 1\n", "Expected `bool`"),
        ('ignore = "all"\n', "Expected `array`"),
        ("ignore = [1]\n", "Expected `str`"),
        ("strict = \n", "not valid TOML"),
        ("a = " + "[" * 3000 + "\n", "not valid TOML"),
    ],
)
def test_what_cannot_be_obeyed_is_named_with_its_file(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "pincite.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        load_config(str(tmp_path))
    assert problem in str(caught.value)
    assert "pincite.toml" in str(caught.value)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-16"):
        load_config(str(tmp_path))


def test_the_root_is_the_repository_then_the_settings_then_the_folder(tmp_path: Path) -> None:
    (tmp_path / "x/y").mkdir(parents=True)
    assert find_root(str(tmp_path / "x/y")) == str(tmp_path / "x/y")
    (tmp_path / "x/pincite.toml").write_text("")
    assert find_root(str(tmp_path / "x/y")) == str(tmp_path / "x")
    (tmp_path / ".git").mkdir()
    assert find_root(str(tmp_path / "x/y")) == str(tmp_path)


def test_a_wrong_setting_of_a_table_names_the_settings_of_that_table() -> None:
    with pytest.raises(UsageError, match=r"known settings: .*required-checks"):
        parse_config({"research": {"requird-checks": []}}, "pincite.toml")
