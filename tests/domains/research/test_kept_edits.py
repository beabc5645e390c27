"""A report that a person edited is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.domains.research.kept_edits import is_untouched, put_report, seal
from pincite.safe.files import Root


@pytest.mark.parametrize("text", ["# A\n", "", "ü\n", "no line end"])
def test_a_seal_tells_what_was_edited(text: str) -> None:
    data = seal(text)
    assert is_untouched(data)
    assert not is_untouched(data + b" ") and not is_untouched(b"x" + data) and not is_untouched(text.encode())


def test_what_was_edited_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        assert put_report(root, "report.md", "one\n") == (True, "")
        assert put_report(root, "report.md", "one\n") == (False, "")
        assert put_report(root, "report.md", "two\n") == (True, "")
        (tmp_path / "report.md").write_bytes(b"by hand")
        assert put_report(root, "report.md", "three\n") == (True, "report.md.bak")
        (tmp_path / "report.md").write_bytes(b"by another hand")
        assert put_report(root, "report.md", "four\n") == (True, "report.md.bak2")
        (tmp_path / "report.md").write_bytes(b"by hand")
        assert put_report(root, "report.md", "five\n") == (True, "report.md.bak")
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert kept == {"report.md": seal("five\n"), "report.md.bak": b"by hand", "report.md.bak2": b"by another hand"}
