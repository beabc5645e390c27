"""The page on anchoring: the numbers it names are those that decide."""

from __future__ import annotations

import re
from pathlib import Path

from pincite import history
from pincite.engine.drift import other_files
from pincite.history import changed_lines, passage_match, region, step, without_history

TEXT = (Path(__file__).resolve().parents[2] / "docs/explanation/anchoring.md").read_text(encoding="utf-8")


def test_numbers_are_those_that_decide() -> None:
    table = TEXT.partition("## Numbers")[2].partition("\n##")[0]
    shown = [float(number) for number in re.findall(r"^\| .+ \| ([0-9.]+) \|$", table, re.MULTILINE)]
    assert shown[1:] == [
        history._CONTEXT,
        changed_lines.FLOOR,
        changed_lines.MARGIN,
        changed_lines._LARGEST_HUNK,
        changed_lines._MOST_OF_IT,
        changed_lines._ALL_TOGETHER,
        step._LEAST_WORDS,
        step._STANDS_ALONE,
        region._LEAST_ELSEWHERE,
        region._LEAST_NEIGHBOURS,
        region._LIKE_A_FILE,
        without_history._PROBABLE,
        passage_match._BESIDE_COPY,
        other_files._LEAST,
    ]
    letters = "x" * int(shown[0])
    assert history._telling([letters]) and not history._telling([letters[1:]])


def test_figures_stand_in_both_places_alike() -> None:
    benchmarks = (Path(__file__).resolve().parents[2] / "docs/benchmarks.md").read_text(encoding="utf-8")
    found = [
        re.findall(r"([0-9.]+) % \| ([0-9.]+) % \|", text.partition(title)[2].partition("\n\n##")[0])
        for text, title in ((TEXT, "\n## Figures\n"), (benchmarks, "\n## Anchoring\n"))
    ]
    assert len(found[0]) == 4 and found[0] == found[1]
