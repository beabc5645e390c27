"""Whether citations of lines are held to what their sentences say, by people's labels.

    python bench/claims.py CASES.jsonl REPOS

A case names a repository, a commit, the place of a citation in a document, the file and the lines that it cites, and as
`truth` the lines of that file that its sentence is about. Repositories are git directories `REPOS/<owner>+<name>/repo`.
Each commit is checked out into a folder that is removed afterwards, the documents are checked as `pincite check` does,
and only then is `truth` read. The last line of the output is the result as JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from time import process_time
from typing import Any

from msgspec import Struct

from pincite import check
from pincite.core.model import Lines, Outcome, Safety, Verdict

ASKED = ("repo", "commit", "document", "line", "column", "target", "cited")
DRIFT = ("lines-moved", "lines-edited", "lines-deleted", "lines-ambiguous")


class Answer(Struct, frozen=True):
    """What was said of one citation."""

    seen: bool = False
    """Whether it was read as a citation of those lines of that file."""
    wrong: bool = False
    """Whether it was said not to hold."""
    checks: tuple[str, ...] = ()
    candidate: Lines | None = None
    """The first place that was named for it in its file."""
    safe: Lines | None = None
    """Where a fix without a reader would lead."""


def answer_of(case: dict[str, Any], verdict: Verdict | None) -> Answer:
    """What a verdict says of a case."""
    if verdict is None:
        return Answer()
    findings = [finding for finding in verdict.findings if finding.outcome > Outcome.UNCHECKED]
    led = [finding for finding in findings if finding.place is not None]
    safe = [finding for finding in led if finding.edit is not None and finding.edit.safety is Safety.SAFE]
    # Lines of another file overlap nothing.
    places = [
        finding.place.lines if finding.place and finding.place.path == case["target"] else Lines(0, 0)
        for finding in (*led[:1], *safe[:1])
    ]
    return Answer(
        True,
        bool(findings),
        tuple(finding.check for finding in findings),
        places[0] if led else None,
        places[-1] if safe else None,
    )


def check_commit(folder: Path, cases: list[dict[str, Any]]) -> list[Answer]:
    """Answers to the cases of one commit, which is checked out in a folder."""
    documents = sorted({case["document"] for case in cases})
    found: dict[tuple[str, int, str, Lines | None], list[Verdict]] = defaultdict(list)
    for report in check(documents, folder).reports:
        for verdict in report.verdicts:
            citation = verdict.citation
            found[report.document, verdict.line, citation.source.key, citation.lines].append(verdict)
    answers: list[Answer] = []
    for case in cases:
        near = found[case["document"], case["line"], case["target"], Lines(*case["cited"])]
        at = min(near, key=lambda verdict: abs(verdict.column - case["column"]), default=None)
        answers.append(answer_of(case, at))
    return answers


def measure(cases: list[dict[str, Any]], repos: Path) -> tuple[list[Answer], float]:
    """Answers to all cases, and the seconds of computing that they took."""
    asked = [{key: case[key] for key in ASKED} for case in cases]
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, case in enumerate(asked):
        groups[case["repo"], case["commit"]].append(at)
    answers = [Answer()] * len(cases)
    taken = 0.0
    for (repo, commit), members in groups.items():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "checkout"
            bare = repos / repo.replace("/", "+") / "repo"
            subprocess.run(["git", "clone", "-q", "--no-checkout", str(bare), str(folder)], check=True)
            subprocess.run(["git", "-C", str(folder), "checkout", "-q", "--detach", commit], check=True)
            begun = process_time()
            found = check_commit(folder, [asked[at] for at in members])
            taken += process_time() - begun
        for at, answer in zip(members, found, strict=True):
            answers[at] = answer
    return answers, taken


def overlaps(truth: list[int], lines: Lines | None) -> bool:
    """Whether lines share one with the true ones."""
    return lines is not None and lines.first <= truth[1] and truth[0] <= lines.last


def report(cases: list[dict[str, Any]], answers: list[Answer]) -> dict[str, float]:
    """Print the table; the figures."""
    rows = list(zip(cases, answers, strict=True))
    wrong = [(case, answer) for case, answer in rows if not case["right"]]
    right = [(case, answer) for case, answer in rows if case["right"]]
    told = sum(answer.wrong for _, answer in wrong)
    accused = sum(answer.wrong for _, answer in right)
    candidates = sum(overlaps(case["truth"], answer.candidate) for case, answer in wrong)
    safe = [(case, answer) for case, answer in rows if answer.safe is not None]
    lies = sum(not overlaps(case["truth"], answer.safe) for case, answer in safe)
    seen = sum(answer.seen for _, answer in rows)
    print(f"{'seen, with the right target':44} {seen:>5} of {len(rows)}")
    print(f"{'wrong ones that are said not to hold':44} {told:>5} of {len(wrong)}")
    for name in ("claim-not-shown", *DRIFT):
        print(f"{'  ' + name:44} {sum(name in answer.checks for _, answer in wrong):>5}")
    print(f"{'right ones that are said not to hold':44} {accused:>5} of {len(right)}")
    print(f"{'wrong ones whose first candidate is right':44} {candidates:>5} of {len(wrong)}")
    print(f"{'fixes without a reader':44} {len(safe):>5}")
    print(f"{'  that lead past the true lines':44} {lies:>5}")
    by_check = Counter(name for _, answer in right for name in answer.checks)
    print("\n".join(f"{'  accused by ' + name:44} {number:>5}" for name, number in by_check.most_common()))
    shares = told / max(1, len(wrong)), 1 - accused / max(1, len(right))
    return {
        "seen": round(seen / max(1, len(rows)), 4),
        "balanced_accuracy": round(sum(shares) / 2, 4),
        "accused": round(accused / max(1, len(right)), 4),
        "candidate": round(candidates / max(1, len(wrong)), 4),
        "lies": round(lies / max(1, len(rows)), 4),
        "sites": len(rows),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Whether citations are held to what their sentences say.")
    parser.add_argument("cases", type=Path, help="cases, one JSON object a line")
    parser.add_argument("repos", type=Path, help="folder with <owner>+<name>/repo git directories")
    parser.add_argument("--show", action="store_true", help="print every case that is not told right")
    asked = parser.parse_args()
    cases = [json.loads(line) for line in asked.cases.read_text(encoding="utf-8").splitlines() if line.strip()]
    answers, taken = measure(cases, asked.repos)
    if asked.show:
        for case, answer in zip(cases, answers, strict=True):
            if (
                answer.wrong == case["right"]
                or not answer.seen
                or not (case["right"] or overlaps(case["truth"], answer.candidate))
            ):
                print(json.dumps(case), answer)
    figures = report(cases, answers)
    print(f"{taken:.1f} s of computing\n{json.dumps(figures)}")


if __name__ == "__main__":
    main()
