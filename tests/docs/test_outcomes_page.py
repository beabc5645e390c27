"""The table of what pincite reads and says, compared with what it says about one of everything."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pincite

TOP = Path(__file__).resolve().parents[2]
PAGE = (TOP / "docs/reference/outcomes.md").read_text(encoding="utf-8")
TWIN = "twin = 'the same words twice'"

THEN = ["first = 'stays where it is'", "", "third = 'changes its place'", "fourth = 'changes its words'"]
THEN += (
    [f"old_{number} = 'goes'" for number in range(3)] + [TWIN] + [f"old_{number} = 'goes'" for number in range(3, 6)]
)
NOW = [*THEN[:2], "new = 'inserted'", THEN[2], "fourth = 'has new words'"]
for group in ("red", "blue", "green"):
    NOW += [f"{group}_{letter * 9} = [{letter!r}]" for letter in "xyz"] + [TWIN]
PLACES = {
    "holds": "a.py:1",
    "moved": "a.py:3",
    "ambiguous": "a.py:8",
    "mismatch": "a.py:4",
    "missing": "a.py:900",
    "blocked": "../a.py:1",
    "unchecked": "latin.txt:1",
}
DEFINED = """class One:
    def both(self): ...


class Two:
    def both(self): ...
"""
SYMBOLS = ("named.py::One", "old.py::One", "named.py::both", "named.py::None", "../named.py::One", "latin.py::One")
"""Holds, moved, ambiguous, missing, blocked (prose there), unchecked."""
MEMORY = """---
citations:
  - {path: a.py, line: 1, snippet: stays where}
  - {path: a.py, line: 3, snippet: changes its place}
  - {path: a.py, line: 4, snippet: nowhere at all}
  - {path: gone.py}
  - {path: ../a.py}
  - {path: latin.txt, line: 1}
---
"""

CAPTURED = """Kept. 【{kept}†L1】

Given to two texts. 【d05d1b†L1】

Changed since. 【{changed}†L1】

Kept, but shorter. 【{kept}†L9】

Never seen. 【abcdef†L1-L7】
"""

PAPERS = {
    "REF-002-two.md": "# Two\n",
    "REF-002-second.md": "# Second\n",
    "REF-003-latin.md": "caf\xe9\n",
    "REF-004-silent.md": "# Silent\n",
    "REF-006-without.md": '- "Keeping the peak costs one number per gauge" (p. 84)\n',
    "broken.bib": "@article{half",
    "sources.bib": "@article{known, title = {Known}, pages = {1--9}}\n@book{silent, title = {Silent}}\n",
}
SECTION = """Holds [headed.md, §One]. Moved [before.md, §Two]. Mismatch [headed.md, §ONE!].

Ambiguous [same.md, §One]. Missing [headed.md, §Three]. Blocked [../headed.md, §One]. Unchecked [latin.txt, §One].
"""

REF = """Holds [REF-001, p.83].

Moved: "Keeping the peak costs one number per gauge" [REF-001, p.83].

Ambiguous [REF-002]. Blocked [REF-003]. Unchecked [REF-004, p.3]. Missing [REF-009].

Mismatch: "they agreed on 79% of them" [REF-001, p.82].
"""
QUOTES = ".aiwg/research/corpus/REF-005-quotes"
KEY_QUOTES = """---
pdf: REF-001-paper.pdf
key_quotes:
  - {quote: Keeping the peak costs one number per gauge, page: 84}
  - {quote: Keeping the peak costs one number per gauge, page: 83}
  - {quote: they agreed on 79% of them, page: 82}
  - {quote: nobody ever wrote such a thing, page: 82}
---
"""

ALSO = {QUOTES: ".aiwg/research/corpus/REF-006-without"}
"""A paper has one PDF or none: it takes a second file to show both."""


def rows() -> dict[str, set[str]]:
    """The table: how a citation is written, and the outcomes with a tick."""
    table = re.search(r"^\| written as .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert table is not None
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].strip().splitlines()]
    names = lines[0][2:]
    return {row[0]: {name for name, cell in zip(names, row[2:], strict=True) if cell == "✓"} for row in lines[2:]}


def git(folder: Path, *words: str) -> str:
    person = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**os.environ, **person, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *words], cwd=folder, env=env, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What is said about one of everything: document to outcomes."""
    folder = tmp_path_factory.mktemp("everything")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "remote", "add", "origin", "https://github.com/owner/name.git")
    (folder / "a.py").write_text("\n".join(THEN) + "\n")
    for name in ("named.py", "old.py"):
        (folder / name).write_text(f"# {name}\n{DEFINED}")
    for name in ("latin.txt", "latin.py"):
        (folder / name).write_bytes(b"caf\xe9\n")
    for name, title in (("headed", "One"), ("before", "Two"), ("x/same", "One"), ("y/same", "One")):
        (folder / f"{name}.md").parent.mkdir(exist_ok=True)
        (folder / f"{name}.md").write_text(f"# {title}\n\nWords of {name}.\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "code")
    commit = git(folder, "rev-parse", "HEAD")
    known = capture(folder)
    collect(folder / ".aiwg/research/corpus")
    for name, text in documents(commit).items():
        text = text.format(**known) if name == "captured" else text
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "documents")
    (folder / "a.py").write_text("\n".join(NOW) + "\n")
    git(folder, "mv", "before.md", "after.md")
    git(folder, "mv", "old.py", "young.py")
    git(folder, "commit", "--quiet", "--all", "--message", "change")
    result = pincite.check(root=folder)
    return {
        report.document: {verdict.outcome.label for verdict in report.verdicts if verdict.findings or verdict.seen}
        for report in result.reports
    }


def capture(folder: Path) -> dict[str, str]:
    """Output of every kind; gives the ids of a text that is as it was and of one that is not."""
    logs = {"kept": b"all is well\n", "changed": b"so it was\n", "one": b"1\n", "two": b"2\n"}
    for name, data in logs.items():
        (folder / f"{name}.log").write_bytes(data)
    ids = {name: hashlib.sha256(data).hexdigest() for name, data in logs.items()}
    pincite_in(folder, "capture", "kept.log")
    for name in ("one", "two"):
        pincite_in(folder, "capture", f"{name}.log", "--id", "d05d1b")
    # Only a bundle can be changed by hand: the store has each text once, and this one is not in it.
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    pincite_in(folder, "capture", "changed.log", "--root", str(elsewhere))
    pincite_in(folder, "export", ids["changed"], "--root", str(elsewhere), "-o", str(folder / "evidence"))
    next((folder / "evidence").glob("*.txt")).write_bytes(b"so it is!\n")
    shutil.rmtree(elsewhere)
    return ids


def collect(corpus: Path) -> None:
    """A corpus with papers of every kind, and bibliographies."""
    corpus.mkdir(parents=True)
    subprocess.run([sys.executable, TOP / "examples/paper.py", corpus / "REF-001-paper.pdf"], check=True, timeout=60)
    (corpus / "REF-001-paper.md").write_text("# REF-001: A paper\n")
    for name, text in PAPERS.items():
        (corpus / name).write_text(text, encoding="latin-1")


def pincite_in(folder: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-m", "pincite", *words], cwd=folder, capture_output=True, check=True, timeout=60)


def documents(commit: str) -> dict[str, str]:
    """One document per row of the table, in its order."""

    def each(form: str) -> str:
        parts = (place.rpartition(":") for place in PLACES.values())
        return "".join(
            f"Words. {form.format(path=path, line=line, number=number)}\n\n"
            for number, (path, _, line) in enumerate(parts)
        )

    link = "https://github.com/owner/name/blob/{0}/{1}"
    links = (f"{commit}/a.py#L1", f"{commit}/a.py#L2-L900", f"{commit}/gone.py#L1", f"{'0' * 40}/a.py#L1")
    return {
        "memory": MEMORY,
        "bracket": each("【F:{path}†L{line}】"),
        "captured": CAPTURED,
        "opaque": "Words. 【4:0†source】\n",
        "cite": each("[cite:file]({path}:{line})"),
        "function": "".join(f"Words. [cite:class]({name})\n\n" for name in SYMBOLS),
        "permalink": "".join(
            f"See {link.format(*place.split('/', 1))} there.\n" for place in (*links, "main/../x.py#L1")
        ),
        "link": each("[text]({path}#L{line})"),
        "path-line": each("{path}:{line}"),
        "symbol": "".join(f"Words. {name}\n\n" for name in SYMBOLS),
        "section": SECTION,
        "footnote": each("[^{number:08x}]: {path}:{line}").replace("Words. ", ""),
        "ref": REF,
        QUOTES: KEY_QUOTES,
        "key": "Holds [@known, p. 3]. Missing [@known, p. 12]. Unchecked [@silent, p. 3]. Blocked [@x].\n",
        "habit": "From memory (Smith et al., 2023).\n",
    }


@pytest.mark.parametrize(("number", "document"), list(enumerate(documents(""))))
def test_table_says_what_pincite_says(said: dict[str, set[str]], number: int, document: str) -> None:
    written, ticked = list(rows().items())[number]
    assert ticked == said[f"{document}.md"] | said.get(f"{ALSO.get(document)}.md", set()), written


def test_every_outcome_is_explained() -> None:
    explained = re.findall(r"^\| ([a-z]+) \| [^|]+ \|(?: note | warning | error | )\|$", PAGE, re.MULTILINE)
    assert explained == [outcome.label for outcome in pincite.Outcome]
