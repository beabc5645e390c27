"""Text recognised by ocrmypdf: asked for, bounded, and named when it fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincite.core.errors import UsageError
from pincite.core.limits import LIMITS
from pincite.safe.pdf import recognise_text


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program of that script in the place of ocrmypdf."""

    def make(script: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        place = folder / "ocrmypdf"
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.setenv("SECRET_OF_MINE", "x")
        return tmp_path

    return make


def test_it_gets_the_pdf_and_gives_another(program: Callable[[str], Path]) -> None:
    place = program('echo "$@" > "${0%/bin/*}/said"; env > "${0%/bin/*}/env"; printf "%%PDF-1.7 "; cat')
    assert recognise_text(b"given", anew=False) == b"%PDF-1.7 given"
    assert "--skip-text" in (place / "said").read_text()
    assert "SECRET_OF_MINE" not in (place / "env").read_text()


def test_text_that_is_not_what_the_page_shows_is_made_anew(program: Callable[[str], Path]) -> None:
    place = program('echo "$@" > "${0%/bin/*}/said"; printf "%%PDF-1.7"')
    recognise_text(b"given", anew=True)
    assert "--force-ocr" in (place / "said").read_text()


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'no tesseract' >&2; exit 3", "ended with code 3 \\(no tesseract\\)"),
        ("echo nothing like it", "ended with code 0"),
        ("printf '%%PDF'; cat /dev/zero", "gives more than"),
    ],
)
def test_what_goes_wrong_is_said(program: Callable[[str], Path], script: str, message: str) -> None:
    program(script)
    with pytest.raises(UsageError, match=message):
        recognise_text(b"given", anew=False, limits=replace(LIMITS, pdf_bytes=1 << 20))


def test_without_the_program_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="needs the program ocrmypdf, which is not installed; install it"):
        recognise_text(b"given", anew=False)
