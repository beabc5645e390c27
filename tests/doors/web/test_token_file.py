"""The token that the user chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.doors.web.token_file import is_loopback, read_token


def _write(path: Path, text: str, mode: int = 0o600) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_token_is_read_without_its_line_end(tmp_path: Path) -> None:
    assert read_token(_write(tmp_path / "token", "a" * 32 + "\n")) == "a" * 32


@pytest.mark.parametrize("text", ["", "\n", "a" * 31, "a" * 513, "a" * 20 + " " + "a" * 20, "é" * 32, "a" * 32 + "\nb"])
def test_what_is_easy_to_guess_or_no_token_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="not a token"):
        read_token(_write(tmp_path / "token", text))


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(UsageError, match="chmod 600"):
        read_token(_write(tmp_path / "token", "a" * 32, mode))


def test_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            read_token(str(path))


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("localhost", True),
        ("[::1]", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("example.org", False),
        ("127.0.0.1.example.org", False),
        ("", False),
    ],
)
def test_loopback_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
