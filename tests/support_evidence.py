"""A repository that cites everything that can be cited, for the pages that show evidence."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from pincite.domains.research.topic import topic_named
from pincite.safe.files import Root
from pincite.search import passages
from pincite.search.passages.identity import chunk_identity
from pincite.store.warc import Snapshots
from support_pdf import make_pdf
from support_research import HARBOUR, PAGES, visit

CORPUS = ".aiwg/research/corpus"
GAUGE = '''"""A gauge that counts what it sees."""

LIMIT = 100


class Gauge:
    def __init__(self):
        self.value = 0

    def add(self, amount):
        self.value = min(self.value + amount, LIMIT)

    def reset(self):
        self.value = 0
'''
GAUGE_NOW = GAUGE.replace("LIMIT = 100", "LIMIT = 250").replace(
    "    def add", '    def peak(self):\n        """The most it ever was."""\n        return self.most\n\n    def add'
)
GUIDE = "# Guide\n\n## Limits\n\nThe limit is 250.\n\n## Resetting\n\nA reset sets the value to zero.\n"
PAPER = "---\nref_id: REF-001\ntitle: A study of steady voices\nauthors: [Ada Holt]\nyear: 2024\ntotal_pages: 3\n---\n"
PAPER_PAGES = (
    "A study of steady voices\nWe ask whether a steady voice changes what readers remember.",
    "Methods\nWe asked 240 readers to rate eighteen drafts each.",
    "Results\nReaders rated the \ufb01rst drafts 15 points high-\ner than the others.\nThe length is no cause.",
)
UNREADABLE = "---\nref_id: REF-002\ntitle: A paper without its PDF\ntotal_pages: 9\n---\n"
BIBLIOGRAPHY = f"@misc{{harbour, title={{The harbour}}, url={{{HARBOUR}}}, year=2026}}\n"
HOSTILE_NAME = "src/<img src=x>.py"
HOSTILE = "<script>alert(1)</script> = '\u202e evil' # \x1b[31m </code></pre>\n" + "x = 1  # " + "y" * 5000 + "\n"
OUTPUT = b"collected 3 items\n\ntest_gauge.py ...\n\x1b[32m3 passed\x1b[0m in 0.1s\n<b>done</b>\n"
DESIGN = """# Design

It never exceeds 100. 【F:src/gauge.py†L3】
A reset forgets the value. 【F:src/gauge.py†L13-L14】
A gauge starts at zero, see `src/gauge.py:7-8`.
Readings are stored. 【F:src/store.py†L1-L2】
The host does not matter. 【F:../../etc/passwd†L1】
Adding is bounded. 【F:src/gauge.py†L13-L11】
It is `src/gauge.py::Gauge.add` that counts.
The limit is told in the guide [guide.md, §Limits], and somewhere else [notes.md, §Alpha].
Odd names stand too. 【F:src/<img src=x>.py†L1-L2】
"""
PAPERS = """# Papers

“Readers rated the first drafts 15 points higher than the others” [REF-001, p.3].
“Readers rated the first drafts 25 points higher than the others” [REF-001, p.3].
It asked many readers [REF-001, p.2].
It cannot be read [REF-002, p.4].
“The harbour is 14 metres deep at low water.” [@harbour]
"""
AGENTS = "# Agents\n\nRun `make lint` before a commit. The code is in `src/`, and `make gone` is not.\n"
MAKEFILE = "all: lint\n\nlint: src\n\tpython -m compileall src\n\techo done\n\n.PHONY: lint all\n"


def run_git(top: Path, *arguments: str) -> str:
    """Run git with fixed names and dates."""
    names = {f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(["git", *arguments], cwd=top, env=kept | names | alone, capture_output=True, check=True)
    return done.stdout.decode().strip()


def name_passage(path: str, text: str, number: int) -> tuple[str, int]:
    """The id of a passage of a document, and its first line."""
    read = passages.read("markdown", text, path)
    passage = read.passages[number]
    return chunk_identity(path, read.text_between(passage.start, passage.end)).hex, passage.first


def make_everything(top: Path, keep_output: Callable[..., str]) -> None:
    """Write the repository: cited code that changed, papers, output, a snapshot, a rule, and what is hostile."""
    first = {
        "src/gauge.py": GAUGE,
        HOSTILE_NAME: HOSTILE,
        "src/store.py": "one = 1\ntwo = 2\n",
        "docs/design.md": DESIGN,
        "docs/guide.md": GUIDE,
        "docs/x/notes.md": "# Alpha\n\nOne.\n",
        "docs/y/notes.md": "# Alpha\n\nTwo.\n",
        "pincite.toml": 'repository = "example/gauge"\n',
        "Makefile": MAKEFILE,
        "AGENTS.md": AGENTS,
        f"{CORPUS}/REF-001-voices.md": PAPER,
        f"{CORPUS}/REF-002-lost.md": UNREADABLE,
        f"{CORPUS}/refs.bib": BIBLIOGRAPHY,
        "docs/papers.md": PAPERS,
    }
    for name, text in first.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    (top / CORPUS / "REF-001-voices.pdf").write_bytes(make_pdf(PAPER_PAGES))
    run_git(top, "init", "-q", "-b", "main")
    run_git(top, "add", "-A")
    run_git(top, "commit", "-q", "-m", "first")
    commit = run_git(top, "rev-parse", "HEAD")
    (top / "src/gauge.py").write_text(GAUGE_NOW)
    (top / "src/store.py").unlink()
    run_git(top, "add", "-A")
    run_git(top, "commit", "-q", "-m", "second")
    chunk = keep_output(top, OUTPUT)[:8]
    named, line = name_passage("docs/guide.md", GUIDE, 1)
    more = (
        f"All tests pass. 【{chunk}†L3-L4】\n\nNothing is at hand. 【a1b2c3†L1】\n\n"
        f"As it was: https://github.com/example/gauge/blob/{commit}/src/gauge.py#L3\n\n"
        f"[^{named[:12]}]: docs/guide.md:{line}\n"
    )
    (top / "docs/more.md").write_text(f"# More\n\n{more}\nIt is told[^{named[:12]}].\n")
    with Root(str(top)) as root:
        snapshots = Snapshots(root, topic_named("harbours").snapshots)
        snapshots.add(visit(HARBOUR, PAGES[HARBOUR]))
