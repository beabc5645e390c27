"""Text of documents, sources, captured output and settings in the log of a build server: no runner finds a command.

Each attempt hides a marked command in one place of a small project and runs a command that prints that place, with the
environment of one build server. What was printed is read as the runners read it: GitHub's accepts `::name::` first in a
line and `##[name]` anywhere, Azure's `##vso[area.event]` anywhere, TeamCity's and GitLab's their own marks.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campaign import Attempt, run_pincite

_SERVERS = {
    "GitHub": {"CI": "true", "GITHUB_ACTIONS": "true"},
    "Azure": {"TF_BUILD": "True"},
    "TeamCity": {"TEAMCITY_VERSION": "2025.03"},
    "GitLab": {"CI": "true", "GITLAB_CI": "true"},
    "any": {"CI": "1"},
}
_MARK = "zq"
_COMMANDS = (
    f"::error file=a.md,line=1::{_MARK}",
    f"::warning::{_MARK}",
    f"::set-output name={_MARK}::1",
    f"::add-mask::{_MARK}",
    f"::stop-commands::{_MARK}",
    f"::save-state name=a::{_MARK}",
    f"::group::{_MARK}",
    f"##[error]{_MARK}",
    f"##[set-output name=a]{_MARK}",
    f"##[add-mask]{_MARK}",
    f"##vso[task.setvariable variable=a]{_MARK}",
    f"##vso[task.complete result=Succeeded;]{_MARK}",
    f"##teamcity[buildStop comment='{_MARK}']",
    f"##teamcity[setParameter name='{_MARK}' value='1']",
    f"section_start:1700000000:{_MARK}",
)
_BEFORE = (
    "",
    " ",
    "\t",
    "   ",
    "\u00a0",
    "\u3000",
    "x ",
    "- ",
    "> ",
    "1. ",
    "`",
    "x\r",
    "x\x0c",
    "x\u2028",
    "\x1b[31m",
)
_NAMES = "error|warning|notice|debug|group|endgroup|add-mask|set-output|save-state|stop-commands|echo|set-env|add-path"
_FIRST = re.compile(rf"::(?:{_NAMES})(?: [^\n]*?)?::", re.IGNORECASE)
_ANYWHERE = (
    re.compile(rf"##\[(?:{_NAMES})(?: [^\]]*)?\]", re.IGNORECASE),
    re.compile(r"##vso\[\w+\.\w+[^\]]*\]", re.IGNORECASE),
    re.compile(r"##teamcity\["),
    re.compile(r"section_(?:start|end):\d+:"),
)
_RUNS: tuple[tuple[str, ...], ...] = (
    ("check",),
    ("check", "--format", "markdown"),
    ("check", "--format", "json"),
    ("check", "--format", "junit"),
    ("fix",),
    ("fix", "--format", "json"),
    ("list",),
    ("list", "--format", "json"),
    ("search", "lanterns"),
    ("search", "lanterns", "--format", "json"),
    ("cite", "--hit", "1", "--style", "mine"),
    ("cite", "--hit", "1", "--style", "quote"),
    ("cite", "src/a.py:4", "--into", "guide.md", "--after", "Words about", "--dry-run"),
    ("cite", "src/a.py:2-4"),
    ("show", "guide.md:1-9"),
    ("show", "src/a.py:1-4", "--format", "json"),
    ("grep", "lanterns"),
    ("log",),
    ("suggest",),
    ("affected",),
    ("memory", "verify-all"),
    ("corpus", "list"),
    ("corpus", "search", "lanterns"),
    ("corpus", "validate-citations", "guide.md"),
    ("research", "audit", "report.md"),
    ("verify-answer", "answer.json", "--docs", "docs"),
    ("policy", "check", "guide.md"),
    ("doctor",),
)


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Projects full of commands, each printed by some of the commands on one of the servers."""
    for number in range(1 if brief else 5):
        project = scratch / f"project-{number}"
        hidden = [f"{random.choice(_BEFORE)}{command}" for command in random.sample(_COMMANDS, len(_COMMANDS))]
        _make_project(project, random, hidden)
        cache = scratch / f"cache-{number}"
        for words in (("index",), ("capture", "log.txt"), ("search", "lanterns")):
            run_pincite(*words, cwd=project, cache=cache)
        for words in random.sample(_RUNS, 8) if brief else _RUNS:
            server = random.choice(sorted(_SERVERS))
            _, out, err = run_pincite(*words, cwd=project, cache=cache, **_SERVERS[server])
            found = [*_obeyed(out), *_obeyed(err)]
            name = f"project {number}, {server}: {' '.join(words)}"
            yield Attempt(f"printed by {words[0]}", name, not found, "; ".join(found[:3]))
        yield _own_commands(project, cache, number)
        shutil.rmtree(project)


def _own_commands(project: Path, cache: Path, number: int) -> Attempt:
    """Our annotations are commands; what they say must not be."""
    _, out, _ = run_pincite("check", "--format", "github", cwd=project, cache=cache, **_SERVERS["GitHub"])
    ours = re.compile(r"::(?:error|warning|notice) (?:file|title)=")
    found = [line for line in _obeyed(out) if not ours.match(line) or any(mark.search(line) for mark in _ANYWHERE)]
    missing = [] if ours.search(out) else ["no annotation at all"]
    return Attempt("annotations", f"project {number}", not found and not missing, "; ".join((found + missing)[:3]))


def _obeyed(text: str) -> list[str]:
    """The lines in which a runner finds a command."""
    found = []
    for line in re.split(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", text):
        if _FIRST.match(line.lstrip()) or any(mark.search(line) for mark in _ANYWHERE):
            found.append(line.strip()[:200])
    return found


def _make_project(folder: Path, random: Random, hidden: list[str]) -> None:
    def some(count: int = 3) -> str:
        return "\n".join(f"{random.choice(hidden)} lanterns" for _ in range(count))

    quoted = random.choice(hidden).encode("unicode_escape").decode().replace("\\x", "\\u00").replace('"', "")
    broken = "[x](gone.md#L1) [REF-001, p.99]"
    files = {
        "src/a.py": f"{some()}\nlit = 1  # lanterns\n",
        "guide.md": f"# Lanterns\n\n{some()}\n\nWords about lanterns. 【F:src/a.py†L4】\n{some()}\n\n{broken}\n",
        "docs/b.md": f"## {random.choice(hidden)}\n\n{some()}\n\n```\n{some()}\n```\n\n`src/a.py:99` {some(1)}\n",
        "log.txt": f"{some()}\nlanterns\n",
        "report.md": f"{some()}\n\nLanterns are lit ([{random.choice(hidden)}](https://example.org)).\n",
        "answer.json": '{"content": [{"type": "text", "text": "' + quoted + '"}]}',
        ".aiwg/research/corpus/REF-001.md": f"---\ntitle: Lanterns\ntotal_pages: 2\n---\n\n## Page 1\n\n{some()}\n",
        ".serena/memories/m.md": f"---\nid: m\ncitations:\n  - path: src/a.py\n    line: 99\n---\n{some()}\n",
        "pincite.toml": f"[retrieval.templates]\nmine = '''{random.choice(_COMMANDS).replace(chr(39), '')}\n"
        f"{random.choice(_COMMANDS).replace(chr(39), '')} {{path}} {{text}}'''\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    names = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", random.choice(hidden) or "start"]):
        subprocess.run(["git", *command], cwd=folder, check=True, env={**os.environ, **names}, capture_output=True)
    (folder / "src/a.py").write_text(f"{some(5)}\n\nlit = 1  # lanterns\n", newline="")
    # A name is printed, too, and may hold anything but a slash and a NUL.
    (folder / f"n\n{random.choice(_COMMANDS[:5])}.md".replace("/", "-")).write_text("[x](gone.md#L1)\n")
