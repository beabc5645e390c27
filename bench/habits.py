"""Count the citations written from habit in a folder of documents, and print some to be read by eye.

    python bench/habits.py FOLDER [--sample N] [--form FORM]

For documents without such citations every hit is a false alarm: the bar is one in 100 KB. The last line is one JSON
object with the same figures.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator
from time import process_time

from pincite.core.model import Citation
from pincite.dialects import habit
from pincite.project.config import DOCUMENTS
from pincite.safe.escape import escape_text
from pincite.text.document import Document

_AROUND = 60


def main() -> int:
    """Measure one folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--sample", type=int, default=40, help="how many hits to print (40; 0: none, -1: all)")
    parser.add_argument("--form", default="", help="print only hits of this form")
    options = parser.parse_args()
    size, files, seconds = 0, 0, 0.0
    forms: dict[str, int] = {}
    hits: list[tuple[str, int, str, str]] = []
    for path, text in documents(options.folder):
        document = Document(path, text)
        files += 1
        size += len(text.encode())
        start = process_time()
        found = list(habit.extract(document))
        seconds += process_time() - start
        for item in found:
            if isinstance(item, Citation):
                form = item.source.key
                forms[form] = forms.get(form, 0) + 1
                around = text[max(0, item.span.start - _AROUND) : item.span.end + _AROUND]
                hits.append((path, document.position(item.span.start)[0], form, " ".join(around.split())))
    for path, line, form, around in sample([hit for hit in hits if options.form in hit[2]], options.sample):
        print(escape_text(f"{path}:{line} {form}: {around}"))
    kilobytes = size / 1000
    rate = 100 * len(hits) / kilobytes if size else 0.0
    print(f"{files} documents, {kilobytes:.0f} KB, {len(hits)} hits, {rate:.2f} per 100 KB")
    figures = {"documents": files, "kilobytes": round(kilobytes), "hits": len(hits), "per_100_kb": round(rate, 2)}
    speed = round(size / 1e6 / seconds, 1) if seconds else None
    print(json.dumps({**figures, "forms": forms, "megabytes_per_second": speed}))
    return 0


def documents(folder: str) -> Iterator[tuple[str, str]]:
    """Path and text of every document below a folder."""
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(DOCUMENTS):
                path = os.path.join(top, name)
                with open(path, encoding="utf-8", errors="replace") as stream:
                    yield os.path.relpath(path, folder), stream.read()


def sample(hits: list[tuple[str, int, str, str]], most: int) -> list[tuple[str, int, str, str]]:
    """At most so many, the same ones each time, in order."""
    return hits if most < 0 or len(hits) <= most else sorted(random.Random(1).sample(hits, most))


if __name__ == "__main__":
    sys.exit(main())
