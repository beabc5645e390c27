"""Lines that no commit edited stand where git says they stand: random histories, git blame as the referee.

`make prove-history` is the same with at least 10,000 regions.
"""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace


@pytest.fixture(scope="module")
def campaign() -> Any:
    """The module of the long form."""
    spec = spec_from_file_location("blame", Path(__file__).with_name("blame.py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_place_differs_from_that_of_git_blame(campaign: Any) -> None:
    comparison = campaign.Comparison()
    for seed in range(1, 7):
        comparison.compare_history(seed, 40, 300)
    assert comparison.differences == []
    assert comparison.counts["compared"] > 400, comparison.counts


def test_a_place_that_is_off_by_one_is_a_difference(campaign: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the comparison can fail."""
    trace = campaign.Tracer.trace

    def shift(tracer: Any, asks: Any) -> list[Any]:
        ends = trace(tracer, asks)
        return [
            end and replace(end, region=end.region and campaign.TextRegion(end.region.first + 1, end.region.last + 1))
            for end in ends
        ]

    monkeypatch.setattr(campaign.Tracer, "trace", shift)
    comparison = campaign.Comparison()
    comparison.compare_history(1, 20, 100)
    assert len(comparison.differences) >= comparison.counts["compared"] > 20


@pytest.mark.parametrize("seed", range(1, 4))
def test_histories_have_all_that_makes_following_hard(campaign: Any, seed: int, tmp_path: Path) -> None:
    history = campaign.Author(seed).write(60)
    campaign.import_history(history, tmp_path / "repo")
    assert any(len(parents) > 1 for parents in history.parents)
    paths = [set(tree) for tree in history.trees]
    assert any(old - new and new - old for old, new in pairwise(paths)), "no file was renamed"
    files = {file for tree in history.trees for file in tree.values()}
    assert {file.end for file in files} == {"\n", "\r\n"}
    assert {file.closed for file in files} == {True, False}
    git = campaign.Git.find(str(tmp_path / "repo"))
    assert git is not None and git.head() == history.commits[history.branch[-1]]
    git.close()
