"""The example topic, lanternfish: a storage server that does not exist, and four pages about it.

python examples/topic.py         keep the pages as snapshots of the topic, as if they had been fetched
python examples/topic.py DIR     copy the topic into a folder
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent / "lanternfish"
RETRIEVED = "2026-03-01T10:00:00Z"
_ADDRESS = re.compile(r'<link rel="canonical" href="([^"]+)">')


def keep(top: Path) -> list[str]:
    """Keep the pages as snapshots below `top`, and give the names of their files."""
    from pincite.core.web import Exchange, Visit
    from pincite.safe.files import Root
    from pincite.store.warc import Snapshots

    made = []
    with Root(str(top)) as root:
        snapshots = Snapshots(root, ".research/lanternfish/snapshots")
        for page in sorted((HERE / "pages").glob("*.html")):
            body = page.read_bytes()
            found = _ADDRESS.search(body.decode())
            assert found is not None, f"{page.name} does not say its address"
            answer = Exchange(found[1], 200, "OK", (("Content-Type", "text/html; charset=utf-8"),), body)
            made.append(snapshots.add(Visit(found[1], RETRIEVED, (answer,))).file)
    return made


def copy(target: Path) -> None:
    """Put the topic, with its settings and snapshots, into a folder."""
    shutil.copytree(HERE, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("pages"))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if len(sys.argv) == 2:
        copy(Path(sys.argv[1]))
    else:
        for old in (HERE / ".research/lanternfish/snapshots").glob("*.warc.gz"):
            old.unlink()
        print(*keep(HERE), sep="\n")
