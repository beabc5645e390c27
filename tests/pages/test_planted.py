"""Quotes planted in real pages: none that was altered is word for word, and next to none that was not is refused."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from pincite.pages.read import read_html
from pincite.quotes.lookup import QuoteSource


@pytest.fixture(scope="module")
def planted() -> ModuleType:
    spec = spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules.setdefault("planted", module)
    spec.loader.exec_module(module)
    return module


def test_quotes_from_the_descriptions_of_installed_packages(planted: ModuleType) -> None:
    pages = list(islice(planted.readmes(), 45))
    random = Random(6)
    count = -(-320 // len(pages))
    asked = {True: 0, False: 0}
    passed, refused = [], []
    for name, html in pages:
        dressed, paragraphs = planted.dress(html, random)
        source = QuoteSource(read_html(dressed.encode(), "utf-8", "https://example.org/").texts)
        for case in planted.quotes(paragraphs, count, random):
            asked[case.verbatim] += 1
            if (source.verbatim(case.quote) is not None) != case.verbatim:
                (refused if case.verbatim else passed).append((name, case))
    assert asked[True] + asked[False] >= 500
    assert passed == []
    assert len(refused) * 100 <= asked[True], refused
