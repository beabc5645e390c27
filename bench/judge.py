"""Measure judges: does this evidence support this claim? Prints tables; the last line is one JSON object.

    python bench/judge.py [FILE...] [--model FOLDER] [--llm MODEL [--provider NAME] [--prices IN OUT]]
                          [--only JUDGE] [--most N] [--changes N] [--seed N] [--show]

A file is JSONL with `claim`, `evidence` and `label` (`supported`, or anything else for not), or a folder of such files.
Beside them, claims are made from the text that lies here and from the evidence of the files: as it stands, lightly
edited, and made false by one small change of each kind. `supported` is what a judge calls high or medium.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from random import Random
from statistics import mean
from time import perf_counter, process_time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from perturb import KINDS, TEXT, Made, evidences_of, made

from pincite.core.errors import PinciteError
from pincite.judge.model import Judge, QuotedEvidence
from run import table

HERE = os.path.dirname(os.path.abspath(__file__))
FALSE_HIGH = 0.1
FALSE_CHANGE = 0.5
VERBATIM = 98.0
LIGHT = 95.0
BALANCED = 0.62
MILLISECONDS = 2.0
"""The bars: shares in percent."""


class Score:
    """What a judge said about pairs whose label is known."""

    def __init__(self, judge: Judge, pairs: Sequence[tuple[str, str]], labels: Sequence[bool]) -> None:
        # What a judge works out itself is measured in CPU, what it waits for in time that passes.
        clock = process_time if judge.name.startswith("offline") else perf_counter
        start = clock()
        answers = judge.assess_all([(claim, QuotedEvidence(evidence)) for claim, evidence in pairs])
        self.milliseconds = (clock() - start) * 1000 / max(1, len(pairs))
        self.levels = [answer.level for answer in answers]
        self.labels = labels
        self.rules = [answer.reasons[0].rule if answer.reasons else "" for answer in answers]

    def count(self, label: bool, *levels: str) -> int:
        """How many of a label got one of these levels; all of them where none is named."""
        return sum(
            is_so is label and (not levels or level in levels)
            for level, is_so in zip(self.levels, self.labels, strict=True)
        )

    @property
    def figures(self) -> dict[str, float]:
        """Balanced accuracy as a part of 1, and what there is to say about `high`, in percent."""
        supported, unsupported = self.count(True), self.count(False)
        high = self.count(True, "high")
        false = self.count(False, "high")
        accepted = [self.count(True, "high", "medium") / supported] if supported else []
        refused = [self.count(False, "low") / unsupported] if unsupported else []
        return {
            "pairs": len(self.levels),
            "supported": supported,
            "balanced": mean(accepted + refused or [0.0]),
            "high": high + false,
            "precision": 100 * high / (high + false) if high + false else 100.0,
            "recall": 100 * high / max(1, supported),
            "false_high": 100 * false / max(1, unsupported),
            "ms": self.milliseconds,
        }


def read_rows(path: str, most: int, seed: int) -> list[tuple[str, str, bool]]:
    """The pairs of a file, or so many of them; lines that are none are named and left out."""
    rows = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                rows.append((str(row["claim"]), str(row["evidence"]), row["label"] in ("supported", True, 1)))
            except (ValueError, KeyError, TypeError) as error:
                print(f"{path}:{number}: not a pair ({error!r})", file=sys.stderr)
    return Random(seed).sample(rows, most) if 0 < most < len(rows) else rows


def listed(paths: Iterable[str]) -> list[str]:
    """The files, with those of folders."""
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".jsonl"))
        else:
            found.append(path)
    return found


def judges(given: argparse.Namespace) -> list[Judge]:
    """Those that can be asked here and were."""
    from pincite.judge.judges import get_judge
    from pincite.project.config import ResearchSettings

    found = [get_judge(ResearchSettings(), HERE)]
    if given.model:
        found.append(get_judge(ResearchSettings(judge="nli", model=os.path.abspath(given.model)), HERE))
    if given.llm:
        settings = ResearchSettings(judge="llm", model=given.llm, provider=given.provider)
        found.append(get_judge(settings, HERE, prices=tuple(given.prices) if given.prices else None))
    return [judge for judge in found if not given.only or judge.name.startswith(given.only)]


def of_files(judge: Judge, paths: Sequence[str], given: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Scores for each file, and for all of them their mean."""
    scores: dict[str, dict[str, float]] = {}
    for path in paths:
        rows = read_rows(path, given.most, given.seed)
        score = Score(judge, [(claim, evidence) for claim, evidence, _ in rows], [label for *_, label in rows])
        scores[os.path.basename(path).removesuffix(".jsonl")] = score.figures
        if given.show:
            for (claim, evidence, label), level, rule in zip(rows, score.levels, score.rules, strict=True):
                if level == "high" and not label:
                    print(f"false high ({rule}): {claim!r}\n    {evidence[:600]!r}")
    if scores:
        each = list(scores.values())
        names = ("balanced", "precision", "recall", "false_high", "ms")
        scores["mean"] = {name: sum(one[name] for one in each) / len(each) for name in names}
        unsupported = sum(one["pairs"] - one["supported"] for one in each)
        false = sum(one["false_high"] * (one["pairs"] - one["supported"]) for one in each) / max(1, unsupported)
        right = sum(one["precision"] * one["high"] for one in each) / max(1, sum(one["high"] for one in each))
        scores["all"] = {"false_high": false, "precision": right, "pairs": sum(one["pairs"] for one in each)}
    return scores


def of_changes(judge: Judge, claims: dict[str, list[Made]], show: bool) -> dict[str, dict[str, float]]:
    """For each kind how many claims, and the share in percent that is called high, also by the way they were made."""
    found: dict[str, dict[str, float]] = {}
    for kind, each in claims.items():
        score = Score(judge, [(one.claim, one.evidence) for one in each], [one.supported for one in each])
        ways: dict[str, list[bool]] = {}
        for one, level, rule in zip(each, score.levels, score.rules, strict=True):
            ways.setdefault(one.how, []).append(level == "high")
            if show and (level == "high") is not one.supported:
                print(f"{kind}, {one.how}: {level} ({rule}): {one.claim!r}\n    {one.evidence[:600]!r}")
        highs = sum(level == "high" for level in score.levels)
        found[kind] = {"n": len(each), "high": 100 * highs / max(1, len(each)), "ms": score.milliseconds}
        if kind == "light":
            found |= {
                f"light: {how}": {"n": len(many), "high": 100 * sum(many) / len(many)}
                for how, many in sorted(ways.items())
            }
    return found


def file_table(scores: dict[str, dict[str, float]]) -> str:
    """The scores of files as a markdown table."""
    columns = ("pairs", "supported", "balanced", "high", "precision", "recall", "false_high", "ms")
    rows = ["| file | pairs | supported | balanced accuracy | high | precision % | recall % | false high % | ms |"]
    rows.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, score in scores.items():
        cells = [
            "" if column not in score else f"{score[column]:.{0 if column in ('pairs', 'supported', 'high') else 3}f}"
            for column in columns
        ]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def bars(scores: dict[str, dict[str, float]], changes: dict[str, dict[str, float]]) -> list[Figure]:
    """What has a bar, beside it."""
    figures = []
    if scores:
        figures.append(Figure("balanced accuracy, mean", scores["mean"]["balanced"], "", BALANCED, True))
        figures.append(Figure("false high among unsupported", scores["all"]["false_high"], "%", FALSE_HIGH))
        figures.append(Figure("time a pair, mean", scores["mean"]["ms"], "ms", MILLISECONDS))
    for kind, one in changes.items():
        what = f"{kind}: high ({one['n']:.0f})"
        if kind in KINDS:
            figures.append(Figure(what, one["high"], "%", FALSE_CHANGE))
        else:
            least = {"verbatim": VERBATIM, "light": LIGHT}.get(kind)
            figures.append(Figure(what, one["high"], "%", least, True))
    return figures


def main() -> int:
    """Measure and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="JSONL files, or folders of them")
    parser.add_argument("--model", default="", help="the folder of an entailment model")
    parser.add_argument("--llm", default="", metavar="MODEL", help="ask this model; PINCITE_LLM_KEY has to be set")
    parser.add_argument("--provider", choices=("openai", "anthropic"), default="openai")
    parser.add_argument("--prices", nargs=2, type=float, metavar=("IN", "OUT"), help="of a million tokens")
    parser.add_argument("--only", default="", help="judges whose name begins so")
    parser.add_argument("--most", type=int, default=0, help="pairs of each file at most (all)")
    parser.add_argument("--changes", type=int, default=300, help="claims of each way to make them at most")
    parser.add_argument("--texts", type=int, default=8000, help="pieces of evidence that claims are made of at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was answered wrongly")
    given = parser.parse_args()
    paths = listed(given.files)
    shipped = made(evidences_of(TEXT), given.seed, given.changes, every=True)
    texts = [text for path in paths for text in evidences_of(path)]
    texts = Random(given.seed).sample(texts, min(given.texts, len(texts)))
    drawn = made(texts, given.seed, given.changes) if texts else {}
    results = {}
    missed = 0
    for judge in judges(given):
        print(f"\n## {judge.name}\n")
        scores = of_files(judge, paths, given)
        if scores:
            print(file_table(scores) + "\n")
        result: dict[str, object] = {"files": scores}
        for name, claims in (("shipped", shipped), ("drawn", drawn)):
            if claims:
                changes = of_changes(judge, claims, given.show)
                figures = bars(scores if name == "shipped" else {}, changes)
                missed += sum(figure.met is False for figure in figures)
                print(f"Claims made from the {name} text\n\n{table(figures)}\n")
                result[name] = changes
        spent = getattr(judge, "spent", None)
        if spent is not None:
            print(f"{spent}\n")
        results[judge.name] = result
    print(json.dumps(results))
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PinciteError as error:
        sys.exit(f"judge.py: {error}")
