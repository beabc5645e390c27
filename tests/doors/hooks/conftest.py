"""What the tests of hooks share: a small project, and a way to call the hook of any client."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.doors.cli.main import main

GAUGE = 'LIMIT = 100\n\n\ndef add(amount):\n    """Add to the gauge."""\n    return min(amount, LIMIT)\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project without git: one source, and a folder for documents."""
    (tmp_path / "src").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "src/gauge.py").write_text(GAUGE)
    return tmp_path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Calls a client's hook from another folder: (client, input, *words) -> exit code, output, errors."""
    monkeypatch.chdir("/")

    def run(client: str, said: object, *words: str) -> tuple[int, str, str]:
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with pytest.raises(SystemExit) as ended:
            main(["hook", client, *words])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run
