"""The tools that write and run the documentation, and the documents themselves."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

TOP = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    """A module of `tools/`, under a name of its own."""
    known = f"pincite_tools_{name}"
    if known not in sys.modules:
        spec = spec_from_file_location(known, TOP / "tools" / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[known] = module
        sys.path.insert(0, str(TOP / "tools"))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(TOP / "tools"))
    return sys.modules[known]


@pytest.fixture(scope="session")
def console() -> ModuleType:
    """What runs the commands of a document."""
    return load("console")


@pytest.fixture(scope="session")
def generator() -> ModuleType:
    """What writes the reference pages."""
    return load("docs")


@pytest.fixture(scope="session")
def svg() -> ModuleType:
    """What draws terminals."""
    return load("terminal_svg")
