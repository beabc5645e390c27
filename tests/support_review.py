"""A repository whose documents wait for a reader: cited lines moved, were edited, were deleted, or may be several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CODE = """LIMIT = 40


def measure(depth):
    if depth > LIMIT:
        raise ValueError(depth)
    return depth * 2


def reset(gauge):
    gauge.value = 0
    gauge.peak = None
"""
LATER = "import math\n\n" + CODE.replace("LIMIT = 40", "LIMIT = 250").replace("    gauge.peak = None\n", "")
DOCUMENT = """# Gauge

The limit is 40 【F:src/gauge.py†L1】.

Depths beyond it are refused 【F:src/gauge.py†L5-L6】.

Twice the depth comes back 【F:src/gauge.py†L7】.

The helper is in util.py:2, and nothing stands here 【F:src/gone.py†L3】.
"""
EDITED, MOVED, TWICE = "【F:src/gauge.py†L1】", "【F:src/gauge.py†L5-L6】", "【F:src/gauge.py†L7】"
AMBIGUOUS, MISSING = "util.py:2", "【F:src/gone.py†L3】"
WINDOWS = "\ufeff# Bytes\r\n\r\nDepths beyond it are refused 【F:src/gauge.py†L5-L6】.\r\n\r\nThe end".encode()
"""A document with a byte order mark, other line ends, and none at its end."""
UTIL = "import os\nVALUE = {}\nDONE = True\n"


def make_review_repository(repository: Any) -> Path:
    """Commit the documents with the code that they cite, then the code as it became."""
    files: dict[str, str | bytes] = {
        "pincite.toml": "",
        "src/gauge.py": CODE,
        "src/util.py": UTIL.format(1),
        "lib/util.py": UTIL.format(2),
        "docs/a.md": DOCUMENT,
        "docs/deep/bytes.md": WINDOWS,
    }
    repository.commit(files)
    repository.commit({"src/gauge.py": LATER})
    path: Path = repository.path
    return path


def list_waiting_raws(web: Any, **query: Any) -> list[str]:
    """What waits, as it is written, in the order of the queue."""
    record = web.get("/review.json", params=query).json()
    return [row["raw"] for row in record["rows"]]


def read_digests(record: dict[str, Any]) -> dict[str, str]:
    """The fields that a form carries for a plan."""
    return {"before": record["plan"]["before"], "after": record["plan"]["after"]}
