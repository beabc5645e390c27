"""A site of a repository that cites everything; the tests of this folder only look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support_web import Web

collect_ignore_glob = [] if find_spec("starlette") and find_spec("jinja2") else ["test_*.py"]


@pytest.fixture(scope="package")
def everything(tmp_path_factory: pytest.TempPathFactory, captured: Callable[..., str]) -> Iterator[Web]:
    """The site."""
    from support_evidence import make_everything
    from support_web import open_web

    top = tmp_path_factory.mktemp("everything")
    make_everything(top, captured)
    with open_web(top) as web:
        yield web


@pytest.fixture
def show(everything: Web) -> Callable[..., dict[str, Any]]:
    """The JSON of the evidence behind the citation that is written so; the nth where there are several."""

    def load(raw: str, nth: int = 0, **query: Any) -> dict[str, Any]:
        rows = [row for row in everything.site.documents.all_rows() if raw in row.raw]
        answer = everything.get(f"/c/{rows[nth].id}.json", params=query)
        assert answer.status_code == 200, answer.text
        record: dict[str, Any] = answer.json()
        return record["evidence"]

    return load


@pytest.fixture
def page(everything: Web) -> Callable[..., str]:
    """The HTML of the same."""

    def load(raw: str, nth: int = 0, **query: Any) -> str:
        rows = [row for row in everything.site.documents.all_rows() if raw in row.raw]
        answer = everything.get(f"/c/{rows[nth].id}", params=query)
        assert answer.status_code == 200, answer.text
        text: str = answer.text
        return text

    return load
