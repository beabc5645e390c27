"""The server on loopback that the tests of one module share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest


def _loaded() -> ModuleType:
    spec = spec_from_file_location("fetch_loopback", Path(__file__).with_name("loopback.py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def loopback() -> ModuleType:
    """The module with the server and its answers."""
    return _loaded()


@pytest.fixture(scope="module")
def one_site(loopback: ModuleType) -> Iterator[object]:
    """A server for twenty names."""
    site = loopback.Site(tuple(f"n{number}.site.example" for number in range(20)))
    yield site
    site.close()


@pytest.fixture
def site(one_site: object) -> object:
    """The server, with nothing said yet."""
    one_site.clear()  # type: ignore[attr-defined]
    return one_site
