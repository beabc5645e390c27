"""Hostile git: no setting changes an answer or runs a program, no foreign object is read, no project picks a judge

Settings are drawn by chance, for the user and for the repository; objects, git directories and work trees of another
repository are borrowed in every way that git knows. Each borrowed way is first seen to work with git itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from campaign import Attempt

import pincite
from pincite.core.errors import PinciteError
from pincite.judge.judges import choose_judge
from pincite.project.config import ResearchSettings
from pincite.safe.git import Git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SECRET = b"the secret of another repository\n"
_BOOL = ("true", "false")
SETTINGS: dict[str, tuple[str, ...]] = {
    "blame.ignoreRevsFile": (".missing", "{revs}", "/dev/null"),
    "blame.markIgnoredLines": _BOOL,
    "blame.markUnblamableLines": _BOOL,
    "blame.blankBoundary": _BOOL,
    "blame.showRoot": _BOOL,
    "blame.showEmail": _BOOL,
    "blame.coloring": ("repeatedLines", "highlightRecent"),
    "color.ui": ("always", "never"),
    "color.diff": ("always",),
    "core.abbrev": ("4", "7", "no"),
    "core.attributesFile": ("{attributes}",),
    "core.bigFileThreshold": ("1", "10"),
    "core.checkStat": ("minimal", "default"),
    "core.excludesFile": ("{excludes}",),
    "core.precomposeUnicode": _BOOL,
    "core.quotePath": _BOOL,
    "core.trustctime": _BOOL,
    "core.untrackedCache": _BOOL,
    "core.splitIndex": _BOOL,
    "core.warnAmbiguousRefs": _BOOL,
    "core.whitespace": ("tab-in-indent",),
    "diff.algorithm": ("patience", "histogram", "minimal"),
    "diff.autoRefreshIndex": _BOOL,
    "diff.colorMoved": ("zebra", "blocks"),
    "diff.context": ("0", "9", "40"),
    "diff.dirstat": ("lines",),
    "diff.dstPrefix": ("y/", ""),
    "diff.ignoreSubmodules": ("all", "none"),
    "diff.indentHeuristic": _BOOL,
    "diff.interHunkContext": ("3", "99"),
    "diff.mnemonicPrefix": _BOOL,
    "diff.noprefix": _BOOL,
    "diff.orderFile": ("{missing}", "{excludes}"),
    "diff.relative": _BOOL,
    "diff.renameLimit": ("1", "0"),
    "diff.renames": ("false", "copies"),
    "diff.srcPrefix": ("x/", ""),
    "diff.submodule": ("log", "diff"),
    "diff.suppressBlankEmpty": _BOOL,
    "diff.wsErrorHighlight": ("all",),
    "format.notes": _BOOL,
    "format.pretty": ("oneline", "raw", "fuller"),
    "i18n.commitEncoding": ("latin1", "UTF-16"),
    "i18n.logOutputEncoding": ("UTF-16", "latin1"),
    "log.abbrevCommit": _BOOL,
    "log.date": ("human", "iso"),
    "log.decorate": ("full", "short"),
    "log.diffMerges": ("off", "combined", "first-parent"),
    "log.follow": _BOOL,
    "log.mailmap": _BOOL,
    "log.showRoot": _BOOL,
    "log.showSignature": _BOOL,
    "merge.renames": _BOOL,
    "notes.displayRef": ("*",),
    "status.relativePaths": _BOOL,
    "status.renames": ("false", "copies"),
    "status.showUntrackedFiles": ("no", "all"),
    "submodule.recurse": _BOOL,
}
PROGRAMS = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.alternateRefsCommand", "core.askPass"),
    *("credential.helper", "diff.external", "pager.log", "pager.diff", "pager.blame", "gpg.program", "gpg.ssh.program"),
    *("diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process"),
    *("alias.log", "alias.blame", "alias.ls-files", "merge.evil.driver", "sequence.editor", "interactive.diffFilter"),
    *("uploadpack.packObjectsHook", "remote.origin.uploadpack", "trailer.x.command", "man.viewer", "browser.x.cmd"),
)


def git(folder: Path, *words: str) -> str:
    """The real git, undisturbed."""
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    done = subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True, check=False)
    return os.fsdecode(done.stdout).rstrip("\n") if done.returncode == 0 else ""


def make_repository(folder: Path) -> Path:
    """A repository with citations that moved, changed and vanished."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    code = "".join(f"line {number} of the code\n" for number in range(1, 31))
    _commit(folder, {"a.py": code, "b.py": code.replace("line", "row"), "gone.py": code.replace("line", "word")})
    _commit(folder, {"d.md": "One. 【F:a.py†L3】\n", "ü e.md": "Two. 【F:b.py†L9-L10】\n\nThree. 【F:gone.py†L5】\n"})
    git(folder, "mv", "gone.py", "there.py")
    _commit(
        folder, {"a.py": "new first line\n" + code, "b.py": code.replace("line", "row").replace("row 9", "row nine")}
    )
    (folder / "new.md").write_text("Four. 【F:no.py†L1】\n", encoding="utf-8")
    return folder


def _commit(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")


def answer(folder: Path, few: bool = False) -> object:
    """What pincite says of a repository; the exit code of an error where it gives up."""
    paths = [folder / "d.md", folder / "ü e.md"] if few else []
    try:
        found = pincite.check(paths, root=folder, strict=True)
    except PinciteError as error:
        return error.exit_code
    rows = [
        (report.document, verdict.line, verdict.outcome.label, tuple(finding.message for finding in verdict.findings))
        for report in found.reports
        for verdict in report.verdicts
    ]
    return found.exit_code, rows, found.summary.drift


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """All tries."""
    os.environ["HOME"] = str(scratch / "home")
    for name in ("XDG_CONFIG_HOME", "PINCITE_GIT_OBJECTS", "PINCITE_JUDGE"):
        os.environ.pop(name, None)
    (scratch / "home").mkdir()
    yield from _settings(random, scratch, 8 if brief else 120)
    yield from _programs(random, scratch, 4 if brief else 40)
    yield from _objects(random, scratch, brief)
    yield from _directories(scratch)
    yield from _judges(random, 100 if brief else 2000)


def _as_file(pairs: list[tuple[str, str]]) -> str:
    rows = []
    for name, value in pairs:
        section, _, key = name.rpartition(".")
        head, _, sub = section.partition(".")
        rows.append(f'[{head} "{sub}"]' if sub else f"[{head}]")
        rows.append(f"\t{key} = {value}")
    return "\n".join(rows) + "\n"


def _settings(random: Random, scratch: Path, count: int) -> Iterator[Attempt]:
    folder = make_repository(scratch / "settings")
    expected = {few: answer(folder, few) for few in (False, True)}
    places = {name: str(scratch / name) for name in ("revs", "attributes", "excludes", "missing")}
    (scratch / "revs").write_text(git(folder, "rev-list", "HEAD") + "\n")
    (scratch / "attributes").write_text("* binary -diff\n")
    (scratch / "excludes").write_text("*.md\n*.py\n")
    config, user = folder / ".git/config", scratch / "home/.gitconfig"
    before = config.read_text()
    for number in range(count):
        names = random.sample(sorted(SETTINGS), random.randint(1, 12))
        pairs = [(name, random.choice(SETTINGS[name]).format(**places)) for name in names]
        scope, few = random.choice(("user", "repository")), random.random() < 0.5
        (user if scope == "user" else config).write_text(("" if scope == "user" else before) + _as_file(pairs))
        found = answer(folder, few)
        said = " ".join(f"{name}={value}" for name, value in pairs)
        yield Attempt(f"setting of the {scope}", f"{number} {said}", found == expected[few], f"{found}")
        user.unlink(missing_ok=True)
        config.write_text(before)


def _programs(random: Random, scratch: Path, count: int) -> Iterator[Attempt]:
    folder = make_repository(scratch / "programs")
    mark, run = scratch / "pwned", scratch / "run"
    run.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    run.chmod(0o755)
    config = folder / ".git/config"
    before = config.read_text()
    (folder / ".git/info/attributes").write_text("* diff=evil filter=evil merge=evil\n")
    for number in range(count):
        names = random.sample(PROGRAMS, random.randint(1, len(PROGRAMS)))
        pairs = [(name, ("!" if name.startswith("alias.") else "") + str(run)) for name in names]
        config.write_text(before + _as_file([*pairs, ("log.showSignature", "true"), ("filter.evil.required", "true")]))
        # A new time makes git look at the content of the file, through its filters.
        os.utime(folder / "a.py", (number, number))
        answer(folder, random.random() < 0.5)
        with suppress(PinciteError):
            pincite.check(root=folder, since="HEAD~1")
        yield Attempt("program named by a setting", f"{number} {' '.join(names)}", not mark.exists(), "it ran")
        mark.unlink(missing_ok=True)


WAYS = (
    *("alternates", "relative", "quoted", "chained", "comment", "store", "folder", "object", "packs", "pack", "info"),
    "linked file",
)


def _borrow(random: Random, thief: Path, victim: Path, way: str, blob: str) -> None:
    own, other = thief / ".git/objects", victim / ".git/objects"
    alternates = own / "info/alternates"
    if way == "alternates":
        alternates.write_text(f"{other}{random.choice(('', '/', '/.', '/../objects'))}\n")
    elif way == "relative":
        alternates.write_text(f"{os.path.relpath(other, own)}\n")
    elif way == "quoted":
        alternates.write_text(
            '"' + "".join(f"\\{ord(c):03o}" if random.random() < 0.3 else c for c in str(other)) + '"\n'
        )
    elif way == "comment":
        alternates.write_text(f"# {own}\n\n{thief}/nowhere\n{other}\n")
    elif way == "chained":
        depth = random.randint(1, 3)
        places = [thief / f"store{number}" for number in range(depth)]
        for place, follower in zip(places, [*places[1:], other], strict=True):
            (place / "info").mkdir(parents=True)
            (place / "info/alternates").write_text(f"{follower}\n")
        alternates.write_text(f"{places[0]}\n")
    elif way == "linked file":
        (thief / "names").write_text(f"{other}\n")
        alternates.symlink_to(thief / "names")
    elif way == "info":
        (thief / "i").mkdir()
        (thief / "i/alternates").write_text(f"{other}\n")
        shutil.rmtree(own / "info")
        (own / "info").symlink_to(thief / "i")
    elif way == "store":
        shutil.rmtree(own)
        own.symlink_to(random.choice((str(other), os.path.relpath(other, own.parent))))
    elif way == "folder":
        shutil.rmtree(own / blob[:2], ignore_errors=True)
        (own / blob[:2]).symlink_to(other / blob[:2])
    elif way == "object":
        (own / blob[:2]).mkdir(exist_ok=True)
        (own / blob[:2] / blob[2:]).symlink_to(other / blob[:2] / blob[2:])
    else:
        git(victim, "repack", "-a", "-d", "-q")
        if way == "packs":
            shutil.rmtree(own / "pack")
            (own / "pack").symlink_to(other / "pack")
        else:
            for file in (other / "pack").iterdir():
                (own / "pack" / file.name).symlink_to(file)


def _objects(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    for number in range(len(WAYS) * (1 if brief else 4)):
        way = WAYS[number % len(WAYS)]
        victim, thief = scratch / f"victim{number}", scratch / f"thief{number}"
        for folder in (victim, thief):
            folder.mkdir()
            git(folder, "init", "-q", "-b", "main")
        _commit(victim, {"secret.md": SECRET.decode(), "other.md": f"{number}\n"})
        commit, blob = git(victim, "rev-parse", "HEAD"), git(victim, "rev-parse", "HEAD:secret.md")
        _commit(thief, {"d.md": f"One https://github.com/o/n/blob/{commit}/secret.md#L1\n", "a.py": "x\n"})
        (thief / "pincite.toml").write_text('repository = "o/n"\n')
        _borrow(random, thief, victim, way, blob)
        real = git(thief, "cat-file", "blob", blob) == SECRET.decode().rstrip("\n")
        seen = None
        with suppress(PinciteError):
            found = Git.find(str(thief))
            seen = found.objects().blob(blob, 1000) if found is not None else None
        told = str(answer(thief))
        held = real and seen is None and SECRET.decode().strip() not in told
        yield Attempt("borrowed objects", f"{number} {way}", held, f"way works: {real}, read: {seen!r}, told: {told}")
        for folder in (victim, thief):
            shutil.rmtree(folder)


def _directories(scratch: Path) -> Iterator[Attempt]:
    victim = make_repository(scratch / "owner")
    own = victim / ".git"
    git(victim, "worktree", "add", "-q", str(scratch / "real"))
    for number, kind in enumerate(("file", "link", "commondir", "work tree file", "fake work tree", "linked common")):
        thief = scratch / f"guest{number}"
        thief.mkdir()
        if kind == "file":
            (thief / ".git").write_text(f"gitdir: {own}\n")
        elif kind == "link":
            (thief / ".git").symlink_to(own)
        elif kind == "work tree file":
            (thief / ".git").write_text(f"gitdir: {own}/worktrees/real\n")
        else:
            git(thief, "init", "-q")
            if kind == "commondir":
                (thief / ".git/commondir").write_text(f"{own}\n")
            else:
                fake = thief / "fake"
                shutil.move(thief / ".git", fake)
                (fake / "worktrees/x").mkdir(parents=True)
                (fake / "worktrees/x/HEAD").write_text("ref: refs/heads/main\n")
                (fake / "worktrees/x/gitdir").write_text(f"{thief}/.git\n")
                (fake / "worktrees/x/commondir").write_text(f"{own}\n" if kind == "fake work tree" else "../../way\n")
                (fake / "way").symlink_to(own)
                (thief / ".git").write_text(f"gitdir: {fake}/worktrees/x\n")
        read = False
        with suppress(PinciteError):
            found = Git.find(str(thief))
            read = found is not None and bool(found.tree("main") or found.head())
        yield Attempt("borrowed git directory", kind, not read, "its history was read")


def _judges(random: Random, count: int) -> Iterator[Attempt]:
    for number in range(count):
        project = ResearchSettings(
            judge=random.choice(("offline", "nli", "llm")),
            model=random.choice(("", "theirs", "/theirs", "../theirs")),
            provider=random.choice(("openai", "anthropic")),
        )
        given = (
            random.choice((None, "offline", "nli", "llm")),
            random.choice((None, "mine")),
            random.choice((None, "anthropic")),
        )
        try:
            chosen = choose_judge(project, *given)
            held = chosen.judge == (given[0] or "offline") and "theirs" not in chosen.model
            held = held and chosen.provider == (given[2] or "openai")
        except PinciteError:
            held = given[0] is None and project.judge != "offline"
        yield Attempt("judge of a project", f"{number} {project.judge} {given}", held, "the project had a say")
