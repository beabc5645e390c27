"""The obvious program: a plain YAML loader for each memory, and the cited file opened again for each citation."""

import sys
from pathlib import Path

import yaml

root = Path(sys.argv[1]).resolve()
valid = stale = 0
for memory in sorted((root / ".serena/memories").rglob("*.md")):
    front = memory.read_text(encoding="utf-8").split("---\n", 2)[1]
    for citation in yaml.safe_load(front).get("citations", []):
        target = (root / citation["path"]).resolve()
        holds = target.is_relative_to(root) and target.exists()
        line = citation.get("line")
        if holds and line is not None:
            lines = target.read_text(encoding="utf-8").splitlines()
            holds = 1 <= line <= len(lines) and citation.get("snippet", "") in lines[line - 1]
        valid += holds
        stale += not holds
print(valid, stale)
