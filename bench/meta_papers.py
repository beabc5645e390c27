"""Measure what is read of title, authors and year of papers, where they are known; prints a table.

    python bench/meta_papers.py CASES.jsonl… [--show FIELD] [--names]

A line is one paper: `{"pdf": "a.pdf", "title": "…", "authors": ["Jo Doe"], "year": "2014", "set": "a"}`. The file
is named from the folder of the cases. A field that is missing or empty is not measured. Files are read as if they were
called `paper.pdf`; with `--names` their own names count as witnesses, too. `--show` prints every case of a field that
is not right. The last line is one JSON object.

Of each field: *right* and *wrong* are stated as sure; *unsure* are marked and asked for, with the number of those that
would have been right in parentheses; *none* is nothing at all.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from pincite.papers.fields import fold_text
from pincite.papers.head.reading import PaperHead, read_head
from pincite.papers.people import part_name
from pincite.safe.pdf import PdfTrouble, read_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

FIELDS = ("title", "authors", "year")
_SUBTITLE = (":", "—", "–", "-", "(")
_TRAILING = 12
"""Letters that a title may have beyond the known one: a mark, a number."""


def measure(cases: list[dict[str, Any]], show: str = "", witness: bool = False, names: bool = False) -> dict[str, Any]:
    """Read every case and print a table; gives the figures by set and field."""
    tables: dict[str, dict[str, Counter[str]]] = {}
    for case in cases:
        head = read_case(case, names)
        table = tables.setdefault(str(case.get("set", "papers")), {field: Counter() for field in FIELDS})
        for field in FIELDS:
            known = case.get(field) or (str(case.get("date", ""))[:4] if field == "year" else "")
            if known:
                kind = judge(head, field, known)
                table[field][kind] += 1
                if show == field and kind != "right":
                    print(f"{kind:13} {os.path.basename(case['pdf'])}: {getattr(head, field)!r}, known: {known!r}")
    _print(tables)
    return {name: {field: dict(counts) for field, counts in table.items()} for name, table in tables.items()}


def read_case(case: dict[str, Any], names: bool) -> PaperHead:
    """What is read of one paper; nothing where its PDF cannot be read."""
    data = case.get("bytes")
    if data is None:
        with open(case["pdf"], "rb") as stream:
            data = stream.read()
    stem = os.path.splitext(os.path.basename(case["pdf"]))[0] if names else "paper"
    try:
        return read_head(read_pdf(data), stem)
    except PdfTrouble:
        return PaperHead()


def judge(head: PaperHead, field: str, known: Any) -> str:
    """How a field was read."""
    value = getattr(head, field)
    if not value:
        return "none"
    right = is_right(field, value, known)
    if field in head.unsure:
        return "unsure, right" if right else "unsure"
    return "right" if right else "wrong"


def is_right(field: str, value: Any, known: Any) -> bool:
    """Whether a value is the known one; accents, case and signs aside, names in any order, given names
    shortened or not, with or without subtitle."""
    if field == "year":
        return str(value) == str(known)
    if field == "authors":
        return are_same_people(value, known)
    ours, theirs = fold_text(value), fold_text(known)
    if ours == theirs or (ours.startswith(theirs) and len(ours) - len(theirs) < _TRAILING):
        return True
    rest = known[len(value.rstrip()) :].lstrip()
    return (
        bool(ours)
        and theirs.startswith(ours)
        and (rest.startswith(_SUBTITLE) or fold_text(known.split(":")[0]) == ours)
    )


def are_same_people(names: Sequence[str], known: Sequence[str]) -> bool:
    """Whether two lists name the same people, in any order; bibliographies shorten given names: `J. Doe`."""
    left = list(known)
    for name in names:
        same = next((other for other in left if fold_text(other) == fold_text(name)), None)
        same = same or next((other for other in left if _is_same_person(name, other)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _is_same_person(one: str, other: str) -> bool:
    """Whether the family names are the same and the first given names, as far as both are written out."""
    left, right = part_name(one), part_name(other)
    family = fold_text(left.particle + left.family), fold_text(right.particle + right.family)
    # `Karl Levitt` and `Levitt`, which a list may leave without a given name, are not the same for sure.
    given = fold_text(left.given.split(" ")[0]), fold_text(right.given.split(" ")[0])
    short = min(given, key=len)
    if not short or family[0] != family[1]:
        return False
    return given[0] == given[1] or (len(short) == 1 and given[0][0] == given[1][0])


def _print(tables: dict[str, dict[str, Counter[str]]]) -> None:
    print(f"{'set':24} {'field':8} {'papers':>6} {'right':>11} {'wrong':>11} {'unsure':>14} {'none':>11}")
    for name, table in sorted(tables.items()):
        for field, counts in table.items():
            total = counts.total()
            if total:
                share = {kind: f"{count} ({100 * count / total:.0f} %)" for kind, count in counts.items()}
                sure_right = counts["unsure, right"]
                unsure = f"{counts['unsure'] + sure_right} ({sure_right} right)"
                row = (share.get("right", "0"), share.get("wrong", "0"))
                print(
                    f"{name[:24]:24} {field:8} {total:6} {row[0]:>11} {row[1]:>11} {unsure:>14}"
                    f" {share.get('none', '0'):>11}"
                )


def main() -> int:
    """Measure the cases of one or more files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--show", default="", choices=("", *FIELDS))
    parser.add_argument("--names", action="store_true", help="the names of the files count as well")
    options = parser.parse_args()
    cases = []
    for path in options.files:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                case["pdf"] = os.path.join(os.path.dirname(os.path.abspath(path)), case["pdf"])
                case.setdefault("set", os.path.splitext(os.path.basename(path))[0])
                cases.append(case)
    print(json.dumps({"pdf": measure(cases, options.show, names=options.names)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
