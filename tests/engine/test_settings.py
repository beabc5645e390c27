"""A dialect from another package: installed, named in the settings, and read like any other."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pincite import dialects
from pincite.core.errors import UsageError
from pincite.core.model import Citation, Lines, Malformed, SourceRef, Span
from pincite.engine.pipeline import Engine
from pincite.engine.settings import merge_settings
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.text.document import Document


def wiki() -> ModuleType:
    """A dialect that reads `{{path 3}}`."""
    import re

    module = ModuleType("wiki_dialect", "Wiki marks: `{{path 3}}`.")

    def find(document: Document) -> list[Citation | Malformed]:
        return [
            Citation("wiki", Span(*m.span()), m[0], SourceRef("file", m[1]), Lines(int(m[2]), int(m[2])))
            for m in re.finditer(r"\{\{([\w./]+) (\d{1,5})\}\}", document.text)
        ]

    vars(module).update(NAME="wiki", RANK=95, OPENERS=(b"{{",), EXAMPLE="{{a.py 1}}", extract=find)
    return module


def test_a_plugin_is_loaded_when_the_settings_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wiki_dialect", wiki())
    point = importlib.metadata.EntryPoint("wiki", "wiki_dialect", "pincite.dialects")
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point] if group == point.group else [])
    monkeypatch.setattr(dialects, "_loaded", dict(dialects._loaded))
    (tmp_path / "a.py").write_text("one\n")
    with Root(str(tmp_path)) as root:
        report = Engine(root, merge_settings(Config(plugins=("wiki",)))).check_bytes(
            "d.md", b"See {{a.py 1}} and {{a.py 9}}.\n"
        )
    assert (report.held, [verdict.citation.raw for verdict in report.verdicts]) == (1, ["{{a.py 9}}"])


def test_a_plugin_that_is_not_installed_is_named() -> None:
    with pytest.raises(UsageError, match="'nowhere' is not installed"):
        merge_settings(Config(plugins=("nowhere",)))
