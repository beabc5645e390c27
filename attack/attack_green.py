"""Planted defects that a full check sees, which `--since` and warm runs must see as well.

Each attempt makes a repository, checks it, plants one defect in one of many ways, and compares: what the full check
says now and did not say before has to be in what `check --since BASE` says and in what a warm run says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import sleep

from campaign import Attempt

from pincite.engine.run import Request, Run
from pincite.project.config import load_config
from pincite.safe.files import Root

_SETTLED = 0.05
_ROWS = 24
_PATH = "pkg/mod/core.py"
_GIT = {
    **{f"GIT_{role}_{part}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}

Found = set[tuple[str, str, str]]


def _git(top: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=top, env=os.environ | _GIT, capture_output=True, check=False)


def _check(top: Path, since: str = "", cache: bool = False) -> Found:
    with Root(str(top)) as root:
        run = Run(root, Request(config=load_config(str(top))[0], since=since, cache=cache))
        return {
            (report.document, one.citation.raw, finding.check)
            for report in run.reports()
            for one in report.verdicts
            for finding in one.findings
        }


def _write(top: Path, name: str, text: str) -> None:
    place = top / name
    if place.is_symlink():
        place.unlink()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def _code(random: Random) -> str:
    return (
        "".join(f"name_{row} = {random.randrange(10**6)}\n" for row in range(_ROWS)) + "\n\ndef last():\n    return 1\n"
    )


# How a path may be written; each leads to the same file. What is made for it comes second.
_SPELLINGS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "plain": ("pkg/mod/core.py", ()),
    "dot": ("./pkg/mod/core.py", ()),
    "inner dot": ("pkg/./mod/core.py", ()),
    "dots": ("pkg/mod/../mod/core.py", ()),
    "far dots": ("pkg/../pkg/mod/core.py", ()),
    "slashes": ("pkg//mod/core.py", ()),
    "linked file": ("short.py", (("short.py", "pkg/mod/core.py"),)),
    "linked folder": ("m/core.py", (("m", "pkg/mod"),)),
    "linked top": ("p/mod/core.py", (("p", "pkg"),)),
    "two links": ("p/m/core.py", (("p", "pkg"), ("pkg/m", "mod"))),
    "link and dots": ("m/../mod/core.py", (("m", "pkg/mod"),)),
    "ring of names": ("x/y.py", (("x", "pkg"), ("pkg/y.py", "mod/core.py"))),
}
_FORMS: dict[str, str] = {
    "bracket": "It is set. 【F:{path}†L{line}】\n",
    "bare bracket": "It is set. 【{path}†L{line}】\n",
    "link": "It is [set]({path}#L{line}).\n",
    "angled link": "It is [set](<{path}#L{line}>).\n",
    "definition": "It is [set][r].\n\n[r]: {path}#L{line}\n",
    "prose": "It is set in `{path}:{line}` now.\n",
    "cite": "It is set. [cite:file]({path}:{line})\n",
    "permalink": "It is set: https://github.com/o/r/blob/main/{path}#L{line}\n",
    "function": "It is set. [cite:function]({path}::last)\n",
    "memory": "---\nid: d\ncitations:\n  - path: {path}\n    line: {line}\n    snippet: name_{row}\n---\n\nText.\n",
}


def _shorten(top: Path, random: Random) -> None:
    _write(top, _PATH, f"only = {random.randrange(10**6)}\n")


def _delete(top: Path, random: Random) -> None:
    (top / _PATH).unlink()


def _move(top: Path, random: Random) -> None:
    (top / _PATH).rename(top / "elsewhere.py")


def _replace_by_link(top: Path, random: Random) -> None:
    _write(top, "other.py", "other = 1\n")
    (top / _PATH).unlink()
    (top / _PATH).symlink_to("../../other.py")


def _swap_folder(top: Path, random: Random) -> None:
    _write(top, "spare/core.py", "spare = 1\n")
    (top / "pkg/mod").rename(top / "away")
    (top / "spare").rename(top / "pkg/mod")


def _lead_out(top: Path, random: Random) -> None:
    (top / _PATH).unlink()
    (top / _PATH).symlink_to("/nonexistent/core.py")


def _look_away(top: Path, random: Random) -> None:
    _git(top, "update-index", random.choice(["--assume-unchanged", "--skip-worktree"]), _PATH)
    _shorten(top, random)


def _commit(top: Path, random: Random) -> None:
    _shorten(top, random)
    _git(top, "commit", "-qam", "short")


def _stage(top: Path, random: Random) -> None:
    _shorten(top, random)
    _git(top, "add", "-A")


def _restore(top: Path, random: Random) -> None:
    """What a defect took away comes back, as a plain file."""
    place = top / _PATH
    if place.is_symlink() or place.is_file():
        place.unlink()
    _write(top, _PATH, _code(random))


_DEFECTS: dict[str, Callable[[Path, Random], None]] = {
    "shortened": _shorten,
    "deleted": _delete,
    "moved": _move,
    "link instead": _replace_by_link,
    "folder swapped": _swap_folder,
    "led out": _lead_out,
    "looked away from": _look_away,
    "committed": _commit,
    "staged": _stage,
}


def _ways(random: Random, brief: bool) -> list[tuple[str, str, str, bool]]:
    """Spelling, form, defect, and whether git ignores the evidence."""
    every = [
        (spelling, form, defect, ignored)
        for spelling in _SPELLINGS
        for form in _FORMS
        for defect in _DEFECTS
        for ignored in (False, True)
        if not (ignored and defect in ("looked away from", "committed", "staged"))
    ]
    random.shuffle(every)
    return every[: 14 if brief else 110]


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every planted defect, once for `--since` and once for a warm run."""
    for number, (spelling, form, defect, ignored) in enumerate(_ways(random, brief)):
        top = scratch / f"r{number}"
        top.mkdir()
        written, links = _SPELLINGS[spelling]
        _git(top, "init", "-q", "-b", "main")
        _git(top, "remote", "add", "origin", "https://github.com/o/r.git")
        _write(top, _PATH, _code(random))
        line = random.randrange(2, _ROWS + 1)
        text = _FORMS[form].format(path=written, line=line, row=line - 1)
        _write(top, ".serena/memories/d.md" if form == "memory" else "d.md", text)
        if ignored:
            _write(top, ".gitignore", "pkg/mod/\n")
        for name, target in links:
            (top / name).symlink_to(target)
        _git(top, "add", "-A")
        _git(top, "commit", "-qm", "base")
        _git(top, "tag", "base")
        sleep(_SETTLED)
        before = _check(top, cache=True)
        _DEFECTS[defect](top, random)
        now = _check(top)
        fresh = now - before
        name = f"{spelling}, {form}, {defect}{', ignored' if ignored else ''}"
        since = _check(top, "base")
        yield Attempt("since", name, fresh <= since, f"not told: {sorted(fresh - since)}")
        warm = _check(top, cache=True)
        yield Attempt("warm", name, warm == now, f"warm {sorted(warm)}, cold {sorted(now)}")
        _restore(top, random)
        sleep(_SETTLED)
        warm, now = _check(top, cache=True), _check(top)
        yield Attempt("warm, undone", name, warm == now, f"warm {sorted(warm)}, cold {sorted(now)}")
        shutil.rmtree(top)
    yield from _hidden(random, scratch)


def _hidden(random: Random, scratch: Path) -> Iterator[Attempt]:
    """A change that silences its own defect is told by `hidden`."""
    ways: dict[str, dict[str, str]] = {
        "exclude": {"pincite.toml": 'exclude = ["d.md"]\n'},
        "exclude by star": {"pincite.toml": 'exclude = ["*.m*"]\n'},
        "other endings": {"pincite.toml": 'documents = [".rst"]\n'},
        "in pyproject": {"pyproject.toml": '[tool.pincite]\nexclude = ["d.md"]\n'},
        "ignored check": {"pincite.toml": 'ignore = ["file-not-found"]\n'},
        "selected check": {"pincite.toml": 'select = ["blank-range"]\n'},
        "no dialects": {"pincite.toml": 'dialects = ["cite"]\n'},
        "comment": {"d.md": "Gone. 【F:no.py†L1】 <!-- pincite: ignore all -->\n"},
        "comment above": {"d.md": "<!-- pincite: ignore file-not-found -->\nGone. 【F:no.py†L1】\n"},
    }
    for name, files in ways.items():
        top = scratch / f"h-{name.replace(' ', '-')}"
        top.mkdir()
        _git(top, "init", "-q", "-b", "main")
        _write(top, "d.md", "Fine.\n")
        _git(top, "add", "-A")
        _git(top, "commit", "-qm", "base")
        for path, text in {"d.md": "Gone. 【F:no.py†L1】\n", **files}.items():
            _write(top, path, text)
        with Root(str(top)) as root:
            run = Run(root, Request(config=load_config(str(top))[0], base="HEAD", strict=True))
            list(run.reports())
        summary = run.summary
        yield Attempt("hidden", name, bool(summary.hidden) and summary.exit_code == 1, f"{summary.hidden}")
        shutil.rmtree(top)
