"""Everyday edits of real sentences: those that keep the meaning, and for each kind those that only look like it.

    python bench/everyday.py FILE... [--most N] [--seed N] [--show]

A file is JSONL with `evidence`, or plain text with a blank line between pieces. Each kind of edit is measured twice:
how often the judge calls the harmless edits *high*, and how often the hostile ones, which make the same movement and
change what is said. The words here are not those of the judge: what it knows must not decide what it is asked.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from everyday_hostile import (
    abbreviation_hostile,
    adverbial_hostile,
    aside_hostile,
    contraction_hostile,
    dates_hostile,
    figures_hostile,
    genitive_hostile,
    hyphens_hostile,
    lead_hostile,
    marks_hostile,
    percent_hostile,
    relative_hostile,
    spelling_hostile,
)
from everyday_light import (
    Pair,
    abbreviation,
    adverbial,
    aside,
    contraction,
    dates,
    figures,
    genitive,
    hyphens,
    lead,
    marks,
    percent,
    relative,
    spelling,
)
from perturb import evidences_of, sentences

from pincite.judge.offline import Offline

KINDS: dict[str, tuple[Callable[..., Iterator[Pair]], Callable[..., Iterator[Pair]]]] = {
    "spelling": (spelling, spelling_hostile),
    "hyphens": (hyphens, hyphens_hostile),
    "percent": (percent, percent_hostile),
    "genitive": (genitive, genitive_hostile),
    "moved time": (adverbial, adverbial_hostile),
    "contraction": (contraction, contraction_hostile),
    "leading phrase dropped": (lead, lead_hostile),
    "which clause dropped": (aside, aside_hostile),
    "which and that": (relative, relative_hostile),
    "figures": (figures, figures_hostile),
    "abbreviation": (abbreviation, abbreviation_hostile),
    "dates": (dates, dates_hostile),
    "marks": (marks, marks_hostile),
}


_RANDOM = (lead, lead_hostile, aside, aside_hostile)


def made(texts: list[str], most: int, seed: int) -> dict[str, tuple[list[Pair], list[Pair]]]:
    """Harmless and hostile edits by kind, of each sentence at most one of a kind."""
    rng = Random(seed)
    stated = list(dict.fromkeys(one for text in texts for one in sentences(" ".join(text.split()))))
    rng.shuffle(stated)
    found: dict[str, tuple[list[Pair], list[Pair]]] = defaultdict(lambda: ([], []))
    for text in stated:
        for kind, makers in KINDS.items():
            for maker, kept in zip(makers, found[kind], strict=True):
                if len(kept) < most:
                    ways = list(maker(text, rng)) if maker in _RANDOM else list(maker(text))
                    ways = [way for way in ways if way[0] != way[1]]
                    kept += [rng.choice(ways)] if ways else []
    return found


def main() -> int:
    """Measure and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--most", type=int, default=60, help="edits of each kind at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was answered wrongly")
    given = parser.parse_args()
    judge = Offline()
    totals = [[0, 0], [0, 0]]
    print("| kind | harmless | high | hostile | high |\n|---|---:|---:|---:|---:|")
    texts = [text for path in given.files for text in evidences_of(path)]
    wrong: list[str] = []
    for kind, sides in made(texts, given.most, given.seed).items():
        cells = []
        for side, pairs in enumerate(sides):
            answers = [judge.assess(claim, quote) for claim, quote in pairs]
            high = sum(answer.level == "high" for answer in answers)
            totals[side][0] += len(pairs)
            totals[side][1] += high
            cells += [str(len(pairs)), f"{100 * high / max(1, len(pairs)):.1f} %"]
            for (claim, quote), answer in zip(pairs, answers, strict=True):
                if (answer.level == "high") is bool(side):
                    rule = answer.reasons[0].rule if answer.reasons else ""
                    wrong.append(
                        f"{kind}, {('harmless', 'hostile')[side]}: {answer.level} ({rule})\n  C {claim}\n  Q {quote}"
                    )
        print(f"| {kind} | {' | '.join(cells)} |")
    shares = [100 * high / max(1, many) for many, high in totals]
    print(f"| all | {totals[0][0]} | {shares[0]:.1f} % | {totals[1][0]} | {shares[1]:.1f} % |")
    if given.show:
        print("\n".join(wrong))
    return 1 if shares[0] < 95 or shares[1] > 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
