"""Settings: the nearest file counts, and what cannot be obeyed is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.project.config import Config, find_root, load_config, parse_config


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


TEXT_SETTINGS = [
    *("baseline", "repository", "memories", "corpus.path", "corpus.policy", "corpus.receipts", "retrieval.style"),
    *("retrieval.model", "retrieval.templates.mine", "research.sources", "research.model", "research.contact"),
]
LIST_SETTINGS = [
    *("documents", "exclude", "dialects", "select", "ignore", "plugins", "corpus.bibliography", "retrieval.exclude"),
]


def written(key: str, value: object) -> dict[str, object]:
    for name in reversed(key.split(".")):
        value = {name: value}
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("character", ["\0", "\x1b", "\r", "\x7f", "\x85", "\u2028"])
@pytest.mark.parametrize("key", [*TEXT_SETTINGS, *LIST_SETTINGS])
def test_a_control_character_is_refused_with_file_key_and_value(key: str, character: str) -> None:
    text = f"a{character}b"
    with pytest.raises(UsageError) as caught:
        parse_config(written(key, [text] if key in LIST_SETTINGS else text), "pincite.toml")
    assert f"pincite.toml: `{key}` holds the control character \\u{{{ord(character):x}}}" in str(caught.value)
    assert f'"a\\u{{{ord(character):x}}}b"; remove it' in str(caught.value)


def test_a_control_character_in_the_name_of_a_template_is_refused() -> None:
    with pytest.raises(UsageError, match="control character"):
        parse_config({"retrieval": {"templates": {"a\0": "x"}}}, "pincite.toml")


def test_a_template_may_have_several_lines() -> None:
    config = parse_config({"retrieval": {"templates": {"mine": "a\n\tb"}}}, "pincite.toml")
    assert config.retrieval.templates == {"mine": "a\n\tb"}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"exclude": ["a*"] * 10_001}, "`exclude` lists 10,001 items, the limit is 10,000"),
        ({"retrieval": {"exclude": ["a*"] * 10_001}}, "`retrieval.exclude` lists 10,001 items"),
        ({"documents": [".md"] * 1001}, "`documents` lists 1,001 items, the limit is 1,000"),
        ({"exclude": ["a" * 5000]}, "`exclude` is too long"),
        ({"exclude": ["a" * 4000] * 80}, "`exclude` is too long"),
        ({"baseline": "a" * 5000}, "`baseline` is too long"),
    ],
)
def test_settings_beyond_all_measure_are_refused(data: dict[str, object], problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_config(data, "pincite.toml")
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_five_thousand_patterns_are_settings() -> None:
    assert len(parse_config({"exclude": [f"*a{n}*" for n in range(5000)]}, "").exclude) == 5000


def test_the_message_about_an_endless_key_ends() -> None:
    with pytest.raises(UsageError) as caught:
        parse_config({"k" * 100_000: 1}, "pincite.toml")
    assert len(str(caught.value)) < 5000


@pytest.mark.parametrize("name", ["pincite.toml", "pyproject.toml"])
def test_tables_in_keys_in_tables_are_no_settings(tmp_path: Path, name: str) -> None:
    head = "[tool.pincite]\n" if name == "pyproject.toml" else ""
    (tmp_path / name).write_text(f"{head}x = {('{' + '.'.join('a' * 30) + ' = ') * 30}1{'}' * 30}\n")
    with pytest.raises(UsageError, match="unknown field `x`"):
        load_config(str(tmp_path))


@pytest.mark.parametrize("name", ["pincite.toml", "pyproject.toml"])
def test_a_key_of_many_parts_is_refused_in_either_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f"[tool.pincite]\n{'.'.join('a' * 100_000)} = 1\n")
    with pytest.raises(UsageError, match=r"line 2: a key of more than 32 parts"):
        load_config(str(tmp_path))


@pytest.mark.parametrize("what", ["pipe", "folder", "device", "link to a pipe"])
def test_settings_that_are_no_file_are_refused_at_once(tmp_path: Path, what: str) -> None:
    place = tmp_path / "pincite.toml"
    if what == "folder":
        place.mkdir()
    elif what == "device":
        place.symlink_to("/dev/zero")
    else:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "pipe").rename(place) if what == "pipe" else place.symlink_to("pipe")
    with pytest.raises(UsageError, match=r"pincite\.toml: (not a regular file|cannot read)"):
        load_config(str(tmp_path))


def test_a_pyproject_that_is_no_file_is_passed_by(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    assert load_config(str(tmp_path)) == (Config(), "")
