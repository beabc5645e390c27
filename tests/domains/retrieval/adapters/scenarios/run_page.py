"""Runs the examples of a page: its first block, and those below one heading. Run by test_frameworks_page.py."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

page, heading = Path(sys.argv[1]), sys.argv[2]
text = page.read_text(encoding="utf-8")
saved = re.compile(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
for name, body in saved.findall(text):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(body, encoding="utf-8")
sections = re.split(r"^## (.+)$", saved.sub("", text), flags=re.MULTILINE)
chosen = sections[0] + sections[sections.index(heading) + 1]
blocks = re.findall(r"^```python\n(.*?)^```$", chosen, re.MULTILINE | re.DOTALL)
test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
result = doctest.DocTestRunner().run(test)
if result.failed:
    sys.exit(1)
print(result.attempted)
