"""The measure of judges: its arithmetic on answers that are known."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite.judge.model import Assessment, QuotedEvidence, Reason

BENCH = Path(__file__).resolve().parents[2] / "bench"


class Told:
    """A judge that says what the claim tells it to."""

    name = "told"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        return Assessment(claim.split()[0], "", 0.0, (Reason("told", claim),), self.name)

    def assess_all(self, pairs: Any) -> list[Assessment]:
        return [self.assess(*pair) for pair in pairs]


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        before = set(sys.modules)
        yield importlib.import_module("judge")
        for name in set(sys.modules) - before:
            if "." not in name and str(BENCH) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def test_figures(bench: ModuleType) -> None:
    pairs = [("high 1", "e"), ("medium 2", "e"), ("low 3", "e"), ("low 4", "e"), ("high 5", "e"), ("low 6", "e")]
    found = bench.Score(Told(), pairs, [True, True, True, True, False, False]).figures
    assert found["balanced"] == pytest.approx((0.5 + 0.5) / 2)
    assert (found["precision"], found["recall"], found["false_high"]) == (50.0, 25.0, 50.0)
    assert (found["pairs"], found["supported"], found["high"]) == (6, 4, 2)


def test_one_class_alone_is_measured_alone(bench: ModuleType) -> None:
    found = bench.Score(Told(), [("low 1", "e"), ("high 2", "e")], [False, False]).figures
    assert (found["balanced"], found["precision"]) == (0.5, 0.0)
    assert bench.Score(Told(), [], []).figures["pairs"] == 0


def test_files_folders_and_lines_that_are_no_pairs(
    bench: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"claim": "high a", "evidence": "e", "label": label} for label in ("supported", "not", True, "SUPPORTS")]
    text = "\n".join([*map(json.dumps, rows), "", "nonsense", '{"claim": "x"}', "[1]"])
    (tmp_path / "one.jsonl").write_text(text)
    (tmp_path / "notes.txt").write_text("x")
    assert bench.listed([str(tmp_path)]) == [str(tmp_path / "one.jsonl")]
    found = bench.read_rows(str(tmp_path / "one.jsonl"), 0, 1)
    assert [label for *_, label in found] == [True, False, True, False]
    assert capsys.readouterr().err.count("not a pair") == 3
    assert len(bench.read_rows(str(tmp_path / "one.jsonl"), 2, 1)) == 2


def test_bars(bench: ModuleType) -> None:
    claims = [bench.Made("high a", "e", "number", "x"), bench.Made("low b", "e", "number", "x")]
    light = [bench.Made("high c", "e", "light", "y")]
    changes = bench.of_changes(Told(), {"number": claims, "light": light}, show=False)
    assert (changes["number"]["high"], changes["light"]["high"], changes["light: y"]["n"]) == (50.0, 100.0, 1)
    met = {figure.what.partition(":")[0]: figure.met for figure in bench.bars({}, changes) if figure.bar is not None}
    assert met == {"number": False, "light": True}
