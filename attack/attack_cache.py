"""Repositories that ship, copy, cut or replay what pincite keeps, and writers led into git's own folders."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import msgspec
from campaign import Attempt, run_pincite

from pincite.core.errors import PinciteError
from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.domains.retrieval.recent_hits import last_found, recently_cited
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.safe.write import append, create, create_together, put, replace
from pincite.search.index import Index
from pincite.store.last_run import _Stored

SETTLED = 0.045
"""Seconds after which a change is told from a look at it."""
_FIELDS = _Stored.__struct_fields__
WATCHED, MARKS, PLAIN, HELD, SPOKEN, ENTRIES = (
    _FIELDS.index(name) for name in ("watched", "marks", "plain_documents", "plain_held", "spoken", "entries")
)
"""Where these stand in a snapshot."""
INVISIBLE = "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u206a\u206f\ufeff"
WORDS = ("walrus", "oil", "seal", "tide", "ice")

Say = tuple[Any, ...]


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """All tries of this campaign."""
    yield from _planted(random, scratch / "planted", 12 if brief else 80)
    yield from _misled(random, scratch / "misled", 8 if brief else 50)
    yield from _cut(random, scratch / "cut", 6 if brief else 40)
    yield from _replayed(random, scratch / "replayed", 6 if brief else 40)
    yield from _copied(random, scratch / "copied", 5 if brief else 30)
    yield from _edits(random, scratch / "edits", 2 if brief else 16)
    yield from _spelled(random, scratch / "spelled", 150 if brief else 2_000)
    yield from _separate(random, scratch / "separate", 3 if brief else 20)


class Bed:
    """A tree to check, with a cache folder of its own beside it."""

    def __init__(self, random: Random, place: Path, git: bool) -> None:
        shutil.rmtree(place, ignore_errors=True)
        self.random, self.git = random, git
        self.top, self.cache = place / "tree", place / "cache"
        self.top.mkdir(parents=True)
        os.environ["PINCITE_CACHE"] = str(self.cache)
        self.write()
        if git:
            self.run_git("init", "-q")
            self.commit()
        sleep(SETTLED)

    def write(self) -> None:
        """Documents of which some hold and some do not."""
        random = self.random
        (self.top / "src").mkdir(exist_ok=True)
        (self.top / "src/app.py").write_text("".join(f"line {at}\n" for at in range(random.randint(3, 9))))
        for at in range(random.randint(2, 5)):
            lines = (f"See [x](src/{random.choice(('app', 'gone'))}.py#L{random.randint(1, 14)})." for _ in range(3))
            words = " ".join(random.choices(WORDS, k=8))
            (self.top / f"d{at}.md").write_text("\n\n".join((f"# {words}", *lines, words)) + "\n")

    def change(self) -> None:
        """Make other answers right."""
        (self.top / "src/app.py").write_text("line 0\n" * self.random.randint(1, 3))
        self.write()
        if self.git and self.random.random() < 0.7:
            self.commit()
        sleep(SETTLED)

    def commit(self) -> None:
        """Commit everything but what pincite keeps."""
        self.run_git("add", "--", "src", *(path.name for path in self.top.glob("*.md")))
        self.run_git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "x")

    def run_git(self, *arguments: str) -> None:
        """git, whatever the user's settings are."""
        alone = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", *arguments], cwd=self.top, env=alone, check=True, capture_output=True)

    def ask(self, cache: bool = True) -> Say:
        """What `check` says, without the times."""
        with Root(str(self.top)) as root:
            run = Run(root, Request(cache=cache))
            reports = [_essence(report) for report in run.reports()]
            summary = run.summary
        return reports, summary.documents, summary.citations, dict(summary.outcomes), summary.exit_code

    def look(self) -> Say:
        """What a search finds, and what is listed as found and cited."""
        with Index.open(self.top) as index:
            index.refresh()
            hits = sorted((hit.document.file_path, hit.chunk.content) for hit in index.search(WORDS[0], 50))
        with Root(str(self.top)) as root:
            return hits, len(last_found(root).citations), len(recently_cited(root))

    def kept(self) -> list[Path]:
        """Every file that was kept, wherever that is."""
        return [path for path in (*self.top.glob(".pincite/*"), *self.cache.glob("roots/*/*")) if path.is_file()]

    def forget(self) -> None:
        """Remove all that was kept."""
        shutil.rmtree(self.top / ".pincite", ignore_errors=True)
        shutil.rmtree(self.cache, ignore_errors=True)


def _essence(report: Report) -> Say:
    found = [
        (verdict.line, verdict.column, [(finding.check, finding.message) for finding in verdict.findings])
        for verdict in report.verdicts
    ]
    return report.document, found, report.held, report.error


def _forge(random: Random, data: bytes) -> bytes:
    """A snapshot that says something else; one that depends on nothing half of the time."""
    stored = msgspec.msgpack.decode(data)
    if not isinstance(stored, list) or len(stored) <= ENTRIES:
        return data
    way = random.randrange(4)
    if way < 2:
        stored[WATCHED], stored[MARKS] = [], []
    stored[SPOKEN] = [] if way != 1 else stored[SPOKEN][: len(stored[SPOKEN]) // 2]
    stored[PLAIN], stored[HELD] = random.randrange(10_000), random.randrange(1_000_000)
    if way == 3:
        stored[ENTRIES] = [[entry[0], [], 99] for entry in stored[ENTRIES] if isinstance(entry, list)]
    return msgspec.msgpack.encode(stored)


def _planted(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """What was kept, forged, lies in the tree when the next one checks it."""
    for number in range(times):
        bed = Bed(random, place, git=number % 3 == 0)
        bed.ask()
        bed.look()
        shipped = [(path.name, path.read_bytes()) for path in bed.kept()]
        bed.forget()
        if number % 2:
            bed.change()
        truth = bed.ask(cache=False), bed.look()
        bed.forget()
        (bed.top / ".pincite").mkdir()
        for name, data in shipped:
            (bed.top / ".pincite" / name).write_bytes(_forge(random, data) if name.startswith("check-") else data)
        for name in ("found", "cited"):
            forged = [random.choice((1, 2)), "q", [_hit(bed.top)]]
            (bed.top / ".pincite" / name).write_bytes(msgspec.msgpack.encode(forged))
        sleep(SETTLED)
        yield _compared("forged, in the tree", f"tree {number}", truth, (bed.ask(), bed.look()))


def _hit(top: Path) -> dict[str, object]:
    base = {"chunk_id": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "document_path": f"{top}/d0.md"}
    return {**base, "document_title": "Forged", "start_offset": 0, "end_offset": 4, "text": "evil"}


def _misled(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """The cache folder itself is one that a repository brings, or that others can write to."""
    for number in range(times):
        bed = Bed(random, place, git=number % 3 == 0)
        bed.ask()
        truth = bed.ask(cache=False)
        way = random.choice(("inside", "deep inside", "link", "open to all", "open to the group"))
        for path in bed.kept():
            if path.name.startswith("check-"):
                path.write_bytes(_forge(random, path.read_bytes()))
        if way.startswith("open"):
            bed.cache.mkdir(0o700, exist_ok=True)
            bed.cache.chmod(0o777 if way == "open to all" else 0o770)
        else:
            inside = bed.top / (".cache/pincite" if way != "deep inside" else "a/b/c/d/e/f")
            inside.parent.mkdir(parents=True)
            if bed.cache.exists():
                shutil.copytree(bed.cache, inside)
            named = inside
            if way == "link":
                named = place / "link"
                named.symlink_to(inside)
            os.environ["PINCITE_CACHE"] = str(named)
        yield _compared("a cache folder of somebody else", f"{way} {number}", truth, bed.ask())


def _cut(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """Files end anywhere."""
    for number in range(times):
        bed = Bed(random, place, git=number % 3 == 0)
        truth = bed.ask(), bed.look()
        for path in bed.kept():
            os.truncate(path, random.randrange(path.stat().st_size + 1))
        yield _compared("cut off", f"tree {number}", truth, (bed.ask(), bed.look()))


def _replayed(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """What was true before a change is put back after it."""
    for number in range(times):
        bed = Bed(random, place, git=number % 2 == 0)
        bed.ask()
        bed.look()
        old = {path: path.read_bytes() for path in bed.kept()}
        bed.change()
        if random.random() < 0.5:
            bed.ask()
            bed.look()
        for path, data in old.items():
            path.write_bytes(data)
        warm = bed.ask(), bed.look()
        bed.forget()
        yield _compared("replayed", f"tree {number}", (bed.ask(cache=False), bed.look()), warm)


def _copied(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """A copy of the tree, changed, stands where the tree stood, and finds what was kept about it."""
    for number in range(times):
        bed = Bed(random, place, git=number % 2 == 0)
        bed.ask()
        bed.look()
        old = [(path.name, path.read_bytes()) for path in bed.kept()]
        bed.top.rename(place / "aside")
        shutil.copytree(place / "aside", bed.top)
        bed.change()
        truth = bed.ask(cache=False), bed.look()
        bed.ask()
        for folder in bed.cache.glob("roots/*"):
            for name, data in old:
                (folder / name).write_bytes(data)
        yield _compared("from another clone", f"tree {number}", truth, (bed.ask(), bed.look()))


def _compared(kind: str, name: str, truth: Say, seen: Say) -> Attempt:
    return Attempt(kind, name, seen == truth, f"{str(seen)[:200]} instead of {str(truth)[:200]}")


def _edits(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """An answer asks for an edit that no document calls for."""
    for number in range(times):
        bed = Bed(random, place, git=True)
        (place / "outside.md").write_text("Mine.\n")
        target = random.choice((".git/config", "d0.md", "../outside.md", ".git/hooks/pre-commit.sample", "src/app.py"))
        options = random.choice((("fix", "--write"), ("fix", "--write", "--unsafe"), ("check", "--fix")))
        run_pincite(*options, cwd=bed.top, cache=bed.cache)
        report = msgspec.msgpack.encode(_demand(bed.top, target))
        in_tree = random.random() < 0.5
        for path in bed.kept():
            if path.name.startswith("check-"):
                stored = msgspec.msgpack.decode(path.read_bytes())
                if in_tree:
                    stored[WATCHED], stored[MARKS] = [], []
                stored[SPOKEN] = [report]
                forged = bed.top / ".pincite" / path.name if in_tree else path
                forged.parent.mkdir(exist_ok=True)
                forged.write_bytes(msgspec.msgpack.encode(stored))
        before = _state(place, cache=False)
        run_pincite(*options, cwd=bed.top, cache=bed.cache)
        changed = [name for name, data in _state(place, cache=False).items() if before.get(name) != data]
        yield Attempt("edits nobody asked for", f"{' '.join(options)}: {target} {number}", not changed, str(changed))


def _demand(top: Path, target: str) -> Report:
    text = (top / target).read_text()
    span = Span(0, len(text))
    citation = Citation("link", span, text, SourceRef("file", "src/app.py"), Lines(1, 1))
    edit = Edit(span, f"{text}[core]\n\tfsmonitor = touch /tmp/ran\n", Safety.SAFE)
    finding = Finding("lines-moved", Outcome.MOVED, Severity.ERROR, "moved", edit=edit)
    return Report(target, (Verdict(citation, 1, 1, (finding,)),))


def _state(place: Path, cache: bool) -> dict[str, bytes]:
    """Every file, but for git's index, which git itself renews."""
    files = (path for path in place.rglob("*") if path.is_file() and path.name != "index")
    return {
        str(path): path.read_bytes()
        for path in files
        if cache or not ({"cache", ".pincite"} & set(path.relative_to(place).parts))
    }


def _writers() -> list[Callable[[Root, str], None]]:
    return [
        lambda root, key: put(root, key, b"new"),
        lambda root, key: create(root, key, b"new"),
        lambda root, key: append(root, key, b"new"),
        lambda root, key: replace(root, key, b"old", b"new"),
        lambda root, key: create_together(root, key.rpartition("/")[0], [(key.rpartition("/")[2], b"new")]),
    ]


def _spelled(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """Names that some disk takes for `.git`, with every writer."""
    for number in range(times):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        name = _name(random)
        inside = random.choice(("config", "hooks/post-checkout", "new", "a/b/c"))
        before = random.choice(("", "docs/", "docs/../", "./", "sub/deep/"))
        key = f"{before}{name}/{inside}" if random.random() < 0.9 else f"{before}{name}"
        for folder in ("docs", "sub/deep"):
            (place / folder).mkdir(parents=True)
        if random.random() < 0.6 and "/" in key:
            (place / key).parent.mkdir(parents=True, exist_ok=True)
            (place / key).write_bytes(b"old")
        yield _written(random, place, key, "names that are .git somewhere", number)


def _name(random: Random) -> str:
    name = "".join(random.choice((char, char.upper())) for char in random.choice((".git", ".git", "git~1", "git~4")))
    for _ in range(random.choice((0, 0, 1, 3))):
        at = random.randint(0, len(name))
        name = name[:at] + random.choice(INVISIBLE) + name[at:]
    return name + random.choice(("", "", "", ".", " ", " . .", "::$INDEX_ALLOCATION", ":x"))


def _separate(random: Random, place: Path, times: int) -> Iterator[Attempt]:
    """Git folders of another name, directly and through links."""
    for number in range(times):
        bed = Bed(random, place, git=True)
        name = random.choice(("meta", "store/of/it", "docs", ".hidden", "objects"))
        folder = bed.top / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        way = random.choice(("moved", "bare", "separate"))
        if way == "moved":
            (bed.top / ".git").rename(folder)
            (bed.top / ".git").write_text(f"gitdir: {name}\n")
        elif way == "bare":
            bed.run_git("clone", "-q", "--bare", ".", name)
        else:
            bed.run_git("clone", "-q", "--separate-git-dir", name, ".", "sub")
        (bed.top / "link").symlink_to(name)
        (bed.top / "chain").symlink_to("link")
        for first in (name, "link", "chain", f"src/../{name}", f"{name}/refs/.."):
            key = f"{first}/{random.choice(('config', 'hooks/update', 'info/attributes', 'new', 'deep/er'))}"
            yield _written(random, bed.top, key, "git folders of any name", number)


def _written(random: Random, top: Path, key: str, kind: str, number: int) -> Attempt:
    """Have one of the writers write; whatever it says, nothing may have changed."""
    at = random.randrange(len(_writers()))
    before = _state(top, cache=True), sorted(map(str, top.rglob("*")))
    said = ""
    with Root(str(top)) as root:
        try:
            _writers()[at](root, key)
        except PinciteError as error:
            said = str(error)
    same = (_state(top, cache=True), sorted(map(str, top.rglob("*")))) == before
    return Attempt(kind, f"{key!r} by writer {at}, {number}", same and bool(said), said or "written")
