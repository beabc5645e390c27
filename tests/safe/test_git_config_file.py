from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.safe.git_config_file import quote_value, read_settings

TEXTS = (
    '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    "[Core]\n\tBare = false ; comment\n  FileMode\n[extensions]objectformat = sha256\n",
    '[a "B c \\"d\\" \\\\e"]\nkey = "quoted # no comment" tail # comment\n',
    '[x]\nlong = one \\\n  two\nescaped = tab\\tquote\\"back\\\\end  \n',
    "\ufeff# comment\n; another\n[old.Style]\nkey=\nother =    \n",
    "[crlf]\r\nkey = value\r\nflag\r\n",
)


def read_with_git(path: Path) -> list[tuple[str, str]]:
    done = subprocess.run(["git", "config", "--file", str(path), "--list", "-z"], capture_output=True, check=True)
    entries = [os.fsdecode(one) for one in done.stdout.split(b"\0") if one]
    return [(key, value if sep else "true") for key, sep, value in (entry.partition("\n") for entry in entries)]


@pytest.mark.parametrize("text", TEXTS)
def test_settings_are_read_as_git_reads_them(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_bytes(text.encode())
    # git writes the old form of a section in lower case.
    assert read_settings(str(path)) == read_with_git(path)


@pytest.mark.parametrize("text", ["[a\nb = 1\n", '[a]\nb = "open\n', "[a]\nb = \\x\n", "[a]\nb c\n"])
def test_what_git_refuses_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"config:[12]: not a setting"):
        read_settings(str(path))
    with pytest.raises(subprocess.CalledProcessError):
        read_with_git(path)


def test_a_file_that_is_not_there_has_no_settings_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    assert read_settings(str(tmp_path / "none")) == []
    os.mkfifo(tmp_path / "config")
    assert read_settings(str(tmp_path / "config")) == []


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=60))
def test_a_quoted_value_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    path = tmp_path_factory.mktemp("quoted") / "config"
    path.write_bytes(f"[a]\nb = {quote_value(value)}\n".encode())
    assert read_settings(str(path)) == [("a.b", value)]
