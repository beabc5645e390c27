"""Measure what is read of title, authors and date, where they are known; prints tables.

    python bench/meta.py FOLDER… [--show WHAT] [--no-witness]

Every `cases.jsonl` below the folders is read. A line is one document and what is known about it:

    {"html": "pages/1.html", "url": "https://…", "date": "2020-01-31", "authors": ["Jo Doe"], "title": "…", "set": "a"}

`html` or `pdf` is the file, from the folder of the cases; it decides which part measures the case. Everything else may
be missing, and what is missing is not measured; `"authors": []` says that the document names nobody. A `date` may have
a time: then it is the moment, and the day may be that of any time zone. `set` is the row that the case is counted in
(the name of the folder). `bench/meta_sets.py` makes such folders of public sets.

`--show` prints every case that is wrong: `date`, `author`, `title` or `verified`. Other libraries are measured beside
us where they are installed (`make bench-meta` installs them). The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from measure import SOURCE

sys.path.insert(0, SOURCE)

PARTS = {"html": "meta_pages", "pdf": "meta_papers"}
"""The module beside this one that measures the cases with this key: its `measure(cases, show, witness)` prints a table
and gives the figures."""

Case = dict[str, Any]


def read_cases(folders: list[str]) -> list[Case]:
    """The cases below the folders, their files as full paths; a document that several sets have is one case."""
    found: dict[tuple[str, bytes], Case] = {}
    for folder in folders:
        for path, folders_below, names in os.walk(folder):
            folders_below.sort()
            if "cases.jsonl" not in names:
                continue
            with open(os.path.join(path, "cases.jsonl"), encoding="utf-8") as lines:
                for line in lines:
                    case = json.loads(line)
                    key = next((key for key in PARTS if key in case), "")
                    if not key:
                        continue
                    case[key] = os.path.join(path, case[key])
                    with open(case[key], "rb") as stream:
                        case["bytes"] = stream.read()
                    case.setdefault("set", os.path.basename(path))
                    # Where two sets know the same, the first is believed.
                    found[key, case["bytes"]] = {**case, **found.get((key, case["bytes"]), {})}
    return list(found.values())


def main() -> int:
    """Measure every part that has cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--show", default="", help="date, author, title or verified")
    parser.add_argument("--no-witness", action="store_true", help="do not measure other libraries")
    options = parser.parse_args()
    cases = read_cases(options.folders)
    if not cases:
        print("no cases.jsonl below", *options.folders, file=sys.stderr)
        return 2
    figures: dict[str, Any] = {}
    for key, name in PARTS.items():
        own = [case for case in cases if key in case]
        if own:
            figures[key] = importlib.import_module(name).measure(own, options.show, not options.no_witness)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
