"""Functions of modules that take long to load, loaded when they are called: most runs meet no citation of theirs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def defer(module: str, name: str) -> Callable[..., Any]:
    """A function of a module in this folder."""

    def call(*given: object) -> Any:
        return getattr(import_module(f"{__package__}.{module}"), name)(*given)

    return call
