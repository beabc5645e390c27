"""Claims made from the sentences of a text: as they stand, lightly edited, and made false by one small change.

    python bench/perturb.py [FILE...] [--seed N] [--most N] [--kind KIND]

Prints what it makes, one JSON object a line. A file is JSONL with `evidence`, or plain text with a blank line between
the pieces of evidence; without one, the text beside this module is taken.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from perturb_false import FALSE, names_of
from perturb_light import LIGHT

TEXT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge_text.txt")
KINDS = tuple(FALSE)
"""The kinds of small change that make a claim false."""
_ENDS = re.compile(r"(?<=[.!?])[\"'”’)\]]{0,2}\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_SHORTENED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Lt|Sgt|Rev|Hon|No|Nos|Fig|vs|etc|al|Inc|Ltd|Co|Corp|approx|ca|cf|e\.g"
    r"|i\.e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)|\b[A-Z])\.$"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|do|does|did|became|began|made|won|led"
    r"|held|ran|beat|taught|sent|bought|rises|runs|lies|wrote|built|gave|took|sold|fell|rose|grew|kept|came|went|saw|met|said|left|lost|\w{3,}(?:ed|es))\b"
)
_WORD = re.compile(r"\w+(?:['’]\w+)?")


class Made:
    """A claim, the evidence it was made from, and what was done to it."""

    __slots__ = ("claim", "evidence", "how", "kind")

    def __init__(self, claim: str, evidence: str, kind: str, how: str) -> None:
        self.claim, self.evidence, self.kind, self.how = claim, evidence, kind, how

    @property
    def supported(self) -> bool:
        """Whether the evidence supports it."""
        return self.kind in ("verbatim", "light")


def sentences(text: str) -> Iterator[str]:
    """The whole sentences of a text that state something; what may be a fragment or a question is left out."""
    at, pieces = 0, []
    for end in _ENDS.finditer(text):
        if not _SHORTENED.search(text[at : end.start()].rstrip("\"'”’)]")):
            pieces.append(text[at : end.end()].strip())
            at = end.end()
    for piece in (*pieces, text[at:].strip()):
        words = _WORD.findall(piece)
        if (
            5 <= len(words) <= 45
            and piece.endswith(".")
            and piece[0].isalnum()
            and not re.search(r"[?!;:|…=<>{}\[\]_*\\#@]|\.\.", piece)
            and piece.count("(") == piece.count(")")
            and piece.count('"') % 2 == 0
            and piece.count("“") == piece.count("”")
            and _VERB.search(piece)
        ):
            yield piece


def made(evidences: Iterable[str], seed: int = 1, most: int = 500, every: bool = False) -> dict[str, list[Made]]:
    """Claims by kind, at most so many of each way to make one; with `every` all ways to change a sentence are taken."""
    rng = Random(seed)
    texts = list(dict.fromkeys(" ".join(text.split()) for text in evidences))
    rng.shuffle(texts)
    found: dict[str, list[Made]] = {kind: [] for kind in ("verbatim", "light", *KINDS)}
    counts: dict[tuple[str, str], int] = defaultdict(int)
    seen: set[tuple[str, str]] = set()
    pool = _pool(texts[:2000])

    def take(claim: str, evidence: str, kind: str, how: str) -> None:
        if counts[kind, how] < most and (claim, kind) not in seen:
            seen.add((claim, kind))
            counts[kind, how] += 1
            found[kind].append(Made(claim, evidence, kind, how))

    for evidence in texts:
        # Long evidence makes more of the same; a quote has 150 words at most.
        if len(evidence) > 1500:
            continue
        for sentence in sentences(evidence):
            bare = sentence if rng.random() < 0.5 else sentence.rstrip(".")
            take(bare, evidence, "verbatim", "as it stands")
            for how, edit in LIGHT.items():
                edited = edit(sentence, rng)
                for claim in edited if every else rng.sample(edited, min(1, len(edited))):
                    take(claim, evidence, "light", how)
            for kind, change in FALSE.items():
                changed = [
                    (claim, how)
                    for claim, how in change(sentence, evidence, pool, rng)
                    if kind == "cut" or _differs(claim, evidence)
                ]
                for claim, how in changed if every else rng.sample(changed, min(1, len(changed))):
                    take(claim, evidence, kind, how)
    return {kind: _capped(rng, each, most) for kind, each in found.items()}


def _capped(rng: Random, each: list[Made], most: int) -> list[Made]:
    """At most twice as many of a kind as of one way to make it, every way in turn: none outweighs the rest."""
    ways: dict[str, list[Made]] = defaultdict(list)
    for one in each:
        ways[one.how].append(one)
    rows = zip_longest(*(rng.sample(many, len(many)) for many in ways.values()))
    return [one for row in rows for one in row if one is not None][: 2 * most]


def _pool(texts: Sequence[str]) -> list[str]:
    """Names of all texts."""
    return sorted({name for text in texts for _, _, name in names_of(text)})


def _differs(claim: str, evidence: str) -> bool:
    """Whether the words of the claim do not stand in the evidence one after the other."""
    return " ".join(_WORD.findall(claim.lower())) not in " ".join(_WORD.findall(evidence.lower()))


def evidences_of(path: str) -> list[str]:
    """The pieces of evidence of a file, each once."""
    with open(path, encoding="utf-8") as stream:
        if path.endswith(".txt"):
            return [piece for piece in stream.read().split("\n\n") if piece.strip()]
        found: dict[str, None] = {}
        for line in stream:
            try:
                found[str(json.loads(line)["evidence"])] = None
            except (ValueError, KeyError, TypeError):
                continue
        return list(found)


def main() -> int:
    """Print what is made of the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=[TEXT])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=500)
    parser.add_argument("--kind", choices=("verbatim", "light", *KINDS))
    given = parser.parse_args()
    found = made((text for path in given.files for text in evidences_of(path)), given.seed, given.most)
    for kind, each in found.items():
        for one in each if given.kind in (None, kind) else ():
            label = "supported" if one.supported else "not"
            row = {"claim": one.claim, "evidence": one.evidence, "label": label, "cat": f"{kind}: {one.how}"}
            print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
