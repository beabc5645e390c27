"""Print the requirements of dependency groups in pyproject.toml, one per line, for a pip that cannot read them.

python tools/groups.py dev frameworks > requirements.txt
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def list_requirements(names: Iterable[str]) -> list[str]:
    """The requirements of the groups and of the groups they include, sorted, each once."""
    groups = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    waiting, seen, found = list(names), set(), set()
    while waiting:
        name = waiting.pop()
        if name not in groups:
            sys.exit(f"{name}: no such dependency group; there are {', '.join(groups)}")
        if name in seen:
            continue
        seen.add(name)
        for entry in groups[name]:
            if isinstance(entry, str):
                found.add(entry)
            else:
                waiting.append(entry["include-group"])
    return sorted(found, key=str.lower)


if __name__ == "__main__":
    print("\n".join(list_requirements(sys.argv[1:])))
