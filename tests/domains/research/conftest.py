"""What the tests of the stages share: topics that are made, and a judge that can be foreseen."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _loaded() -> ModuleType:
    spec = spec_from_file_location("support_research", Path(__file__).parents[2] / "support_research.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_SUPPORT = _loaded()


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """The module that makes topics, pages and answers."""
    return _SUPPORT


@pytest.fixture
def bed(tmp_path: Path) -> Any:
    """A topic with what search and extraction wrote, and nothing else."""
    return _SUPPORT.Bed(tmp_path).given()


@pytest.fixture
def held(bed: Any) -> Any:
    """The same with a snapshot of every page."""
    return bed.snapshots()


@pytest.fixture
def foreseeable(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Put the foreseeable judge where the offline one is looked for."""
    _SUPPORT.stand_in(monkeypatch)
    return lambda: None
