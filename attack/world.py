"""A repository to which random things happen: files, links, folders, settings, papers, output and history change."""

from __future__ import annotations

import json
import mmap
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

from support_pdf import make_pdf

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
SYMBOLS = "def start():\n    return 1\n\n\nclass Pump:\n    def stop(self):\n        return 2\n"
OUTPUTS = ("one passed\ntwo failed\n", "built in 3 s\nno warnings\nall good\n")
CORPUS = ".aiwg/research/corpus"
PAPER = "---\nref: {}\ntitle: A Paper\nauthors: [A. Author]\nyear: 2020\ntotal_pages: {}\n{}---\n\n# A Paper\n"
SAYINGS = ("nine quick foxes jump over the lazy dogs", "the tide returns to the harbour twice a day")
FORMS = (
    "【F:src/a.py†L{}】",
    "【F:./src/a.py†L{}】",
    "【F:src//b.py†L{}】",
    "【F:src/../src/a.py†L{}】",
    "【F:./lib/a.py†L{}】",
    "【F:lib/../old/a.py†L{}】",
    "【F:alias.py†L{}】",
    "【F:sub/n.py†L{}】",
    "【F:made/c.py†L{}】",
    "【F:made/deep/e.py†L{}】",
    "【F:way/out.py†L{}】",
    "[it](src/b.py#L{})",
    "[it](src/%61.py#L{})",
    "[it](./src/./b.py#L{})",
    "[it][r]\n\n[r]: old/a.py#L{}\n",
    "`src/../src/b.py:{}`",
    "src/a.py:{}",
    "new/a.py:{}",
    "old//a.py:{}",
    "https://github.com/o/r/blob/main/src/a.py#L{}",
    "https://github.com/o/r/blob/dev/src/a.py#L{}",
    "https://github.com/o/r/blob/dev/src/%61.py#L{}",
    "https://github.com/o/r/blob/dev/lib/a.py#L{}",
    "https://github.com/o/r/blob/v1/src/b.py#L{}",
)
"""Citations of a line, one for each way to write or reach a file."""
OTHERS = (
    "`src/s.py::start`",
    "`./src/s.py::Pump.stop`",
    "`alias_s.py::Pump`",
    "[guide.md, §Setup]",
    "[docs/guide.md, §Other]",
    "[REF-001]",
    "[REF-001, p.7]",
    "[REF-002, p.1]",
    f'It says "{SAYINGS[0]}" [REF-001, p.1]',
    "[@one]",
    "[@two, p. 3]",
    *(f"【{sha256(text.encode()).hexdigest()[:6]}†L2】" for text in OUTPUTS),
    "【0123ab†L1】",
)
FILES = ("src/a.py", "src/b.py", "made/c.py", "made/deep/e.py", "old/a.py", "new/a.py", "way/out.py", "sub/n.py")
DOCUMENTS = ("d0.md", "d1.md", "d2.md", "src/d3.md", "made/d4.md", "noted/d5.md", ".serena/memories/m.md")
LINKS = {
    "alias.py": ("src/a.py", "old/a.py", "src/b.py", "no", "/etc/x", "alias.py", "lib/a.py"),
    "alias_s.py": ("src/s.py", "src/a.py", "../outside.py"),
    "src/b.py": ("a.py", "../old/a.py", "../../outside.py"),
    "way/out.py": ("../../outside.py", "../src/a.py"),
    "d2.md": ("d0.md", "noted/x.inc", "../outside.py"),
    "lib": ("src", "old", "/nonexistent", "..", "../outside", "./src/../old"),
    "new": ("src", "old"),
    "docs/guide.md": ("../noted/x.inc", "../d0.md"),
}
SETTINGS = (
    "",
    'ignore = ["file-not-found"]\n',
    'exclude = ["d0.md", "src/**"]\n',
    '[corpus]\npath = "papers"\n',
    f'[corpus]\npath = "{CORPUS}"\nbibliography = ["lists/refs.bib"]\n',
    "drift = false\n",
    'documents = [".md", ".inc"]\n',
    'select = ["line-out-of-range", "file-not-found"]\n',
    "strict = true\nin-code = true\n",
    'memories = "noted"\n',
)
IGNORED = ("made/\n", "made/\nold/\n", "", "*.inc\n!made/\n", "src/b.py\nmade/\n")


class World:
    """One repository, and beside it a few files that lie outside of it."""

    def __init__(self, place: Path, random: Random, tracked: bool = False) -> None:
        """With `tracked`, nothing happens to what no commit says: how much of history is here, what a clone ignores."""
        shutil.rmtree(place, ignore_errors=True)
        self.path, self.random = place / "repo", random
        self.path.mkdir(parents=True)
        (place / "outside").mkdir()
        (place / "outside.py").write_text(CODE)
        (place / "outside/a.py").write_text(CODE)
        self.done: list[str] = []
        self.clock = 1_700_000_000
        self._mapped: mmap.mmap | None = None
        self._tracked = tracked
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", "https://github.com/o/r.git")
        for name in FILES[:5]:
            self.write(name, CODE)
        self.write("src/s.py", SYMBOLS)
        self.write(".gitignore", "made/\n")
        self.write("noted/x.inc", self._text())
        self.write("docs/guide.md", "# Setup\n\nDo it.\n\n# Other\n\nOr not.\n")
        for name, target in (("lib", "src"), ("alias.py", "src/a.py"), ("alias_s.py", "src/s.py")):
            (self.path / name).symlink_to(target)
        self.paper()
        self.bundle()
        self.note()
        for name in DOCUMENTS[:4]:
            self.write(name, self._text())
        self.commit()
        self.git("branch", "dev")
        self.git("tag", "v1")
        self.git("branch", "side")
        self._acts: list[tuple[Callable[[], object], int]] = [
            (self.edit, 5),
            (self.overwrite, 2),
            (self.drop, 2),
            (self.relink, 4),
            (self.unlink, 2),
            (self.document, 4),
            (self.note, 1),
            (self.commit, 4),
            (self.branch, 2),
            (self.swap, 1),
            (self.rename, 2),
            (self.chmod, 1),
            (self.same_times, 2),
            (self.write_mapped, 2),
            (self.nest, 1),
            (self.look_away, 2),
            (self.paper, 2),
            (self.pdf, 1),
            (self.bibliography, 1),
            (self.bundle, 2),
            (self.settings, 1),
            (self.ignore, 1),
            (self.attributes, 1),
            (self.symbols, 1),
            (self.guide, 1),
            (self.undo, 2),
            (self.checkout, 2),
            (self.stash, 1),
            (self.amend, 1),
            (self.rebase, 1),
            (self.merge, 1),
            (self.collect, 1),
            (self.stage, 1),
            (self.outside, 1),
            (self.remote, 1),
            (self.cut, 1),
            (self.deepen, 1),
            (self.spoil, 2),
        ]

        if tracked:
            self._acts = [(act, weight) for act, weight in self._acts if act not in (self.cut, self.deepen)]

    def close(self) -> None:
        """Let go of what is mapped, and of the folder."""
        if self._mapped is not None:
            self._mapped.close()
        shutil.rmtree(self.path.parent, ignore_errors=True)

    def step(self) -> None:
        """One random thing."""
        act = self.random.choices([act for act, _ in self._acts], [weight for _, weight in self._acts])[0]
        self.done.append(getattr(act, "__name__", "?"))
        # What cannot be done now (a folder stands where a file is written) is left out.
        with suppress(OSError, subprocess.CalledProcessError):
            act()

    def say(self, *words: object) -> None:
        """Add to the name of what was done last."""
        if self.done:
            self.done[-1] += " " + " ".join(str(word) for word in words)

    def git(self, *words: str, cwd: str = "", check: bool = False) -> str:
        """Git with fixed names and dates; what cannot be done is left out unless `check` is set."""
        self.clock += 60
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        who = {f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        who |= {f"GIT_{role}_DATE": f"{self.clock} +0000" for role in ("AUTHOR", "COMMITTER")}
        who |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
        done = subprocess.run(
            ["git", *words], cwd=self.path / cwd, env=kept | who, capture_output=True, text=True, check=check
        )
        return done.stdout.strip()

    def write(self, name: str, text: str | bytes) -> None:
        """Put a new file there, whatever stands in the way."""
        place = self.path / name
        if place.is_symlink() or place.is_file():
            place.unlink()
        if place.parent.is_symlink():
            place.parent.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def _text(self) -> str:
        random = self.random
        rows = []
        for _ in range(random.randrange(1, 5)):
            cited = random.choice(FORMS if random.random() < 0.7 else OTHERS).format(random.randrange(1, 25))
            quiet = " <!-- pincite: ignore -->" if random.random() < 0.05 else ""
            rows.append(f"Sentence {random.randrange(99)}. {cited}{quiet}\n\n")
        return "".join(rows)

    def _lines(self) -> str:
        rows = CODE.splitlines(keepends=True)
        begin, end = sorted((self.random.randrange(20), self.random.randrange(21)))
        return "".join(rows[:begin] + rows[end:]) + self.random.choice(["", "more = 1\n"])

    def _pick(self) -> Path:
        name = self.random.choice(FILES)
        self.say(name)
        return self.path / name

    def edit(self) -> None:
        """A new file with other lines."""
        self.write(str(self._pick().relative_to(self.path)), self._lines())

    def overwrite(self) -> None:
        """Other lines in the same file, through whatever link stands there, unless it leads out."""
        place = self._pick()
        if place.resolve().is_relative_to(self.path.resolve()) and place.is_file():
            place.write_text(self._lines())

    def drop(self) -> None:
        """A file that goes."""
        place = self._pick()
        if place.is_symlink() or place.is_file():
            place.unlink()

    def relink(self) -> None:
        """A link that leads elsewhere, or a file or folder that becomes one."""
        name = self.random.choice(list(LINKS))
        target = self.random.choice([*LINKS[name], str(self.path / "src/a.py")])
        self.say(name, "->", target)
        place = self.path / name
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif place.is_dir():
            place.rename(self.path / f"away{self.random.randrange(1000)}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def unlink(self) -> None:
        """A link that becomes what it is called: a file, or a folder with a file."""
        name = self.random.choice(list(LINKS))
        self.say(name)
        place = self.path / name
        if place.is_symlink():
            place.unlink()
            self.write(name if "." in name else f"{name}/a.py", self._lines())

    def document(self) -> None:
        """A document with other citations."""
        name = self.random.choice(DOCUMENTS[:-1])
        self.say(name)
        self.write(name, self._text())

    def note(self) -> None:
        """A memory."""
        path = self.random.choice(("src/a.py", "./src/../src/b.py", "alias.py", "lib/a.py", "made/c.py"))
        line = self.random.randrange(1, 23)
        about = f"  - path: {path}\n    line: {line}\n    snippet: compute({line})\n"
        self.write(DOCUMENTS[-1], f"---\nid: m\ncitations:\n{about}---\n\nText.\n")

    def commit(self) -> None:
        """Everything as it is now, but what git was told not to look at."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "step")

    def stage(self) -> None:
        """Everything as it is now, or nothing, in the index alone."""
        self.git(*self.random.choice([("add", "-A"), ("reset", "-q"), ("add", "src")]))

    def branch(self) -> None:
        """A branch or a tag that is moved to where we are; packed at times."""
        words = self.random.choice([("branch", "-f", "dev"), ("tag", "-f", "v1"), ("branch", "-f", "side")])
        self.git(*words, *self.random.choice([(), ("HEAD~1",)]))
        if self.random.random() < 0.3:
            self.git("pack-refs", "--all")

    def swap(self) -> None:
        """Two folders that change places."""
        one, two, aside = self.path / "src", self.path / "old", self.path / "aside"
        if one.is_dir() and two.is_dir() and not one.is_symlink() and not two.is_symlink():
            one.rename(aside)
            two.rename(one)
            aside.rename(two)

    def rename(self) -> None:
        """A file or folder under another name."""
        names = [
            ("src/a.py", "new/a.py"),
            ("new/a.py", "src/a.py"),
            ("src/b.py", "old/b.py"),
            ("old", "new"),
            ("new", "old"),
        ]
        one, other = self.random.choice(names)
        self.say(one, other)
        if self.random.random() < 0.5:
            self.git("mv", one, other)
        elif (self.path / one).exists() and not (self.path / other).exists():
            (self.path / other).parent.mkdir(exist_ok=True)
            (self.path / one).rename(self.path / other)

    def chmod(self) -> None:
        """A file that may be run, or no longer."""
        place = self._pick()
        if place.is_file() and not place.is_symlink():
            place.chmod(self.random.choice((0o644, 0o755)))

    def same_times(self) -> None:
        """Other bytes with the size and the times of those before, in place or as a new file."""
        place = self._pick()
        if place.is_symlink() or not place.is_file():
            return
        info, data = place.stat(), place.read_bytes()
        other = self._alike(data)
        if self.random.random() < 0.5:
            place.write_bytes(other)
        else:
            aside = place.with_name("aside.tmp")
            aside.write_bytes(other)
            aside.rename(place)
        os.utime(place, ns=(info.st_atime_ns, info.st_mtime_ns))

    def _alike(self, data: bytes) -> bytes:
        """Other bytes of the same number."""
        if self.random.random() < 0.5:
            return data.replace(b"\n", b" ")
        return data.replace(b"compute", self.random.choice([b"reckons", b"compute", b"numbers"]))

    def write_mapped(self) -> None:
        """Other bytes through a mapping that stays open."""
        if self._mapped is None or self.random.random() < 0.3:
            place = self._pick()
            if place.is_symlink() or not place.is_file() or not place.stat().st_size:
                return
            if self._mapped is not None:
                self._mapped.close()
            with place.open("r+b") as opened:
                self._mapped = mmap.mmap(opened.fileno(), 0)
        size = min(len(self._mapped), self._mapped.size())
        with suppress(ValueError, IndexError):
            if size == len(self._mapped):
                self._mapped[:] = self._alike(self._mapped[:])

    def nest(self) -> None:
        """A repository in the repository, or another state of it."""
        place = self.path / "sub"
        if not (place / ".git").exists():
            place.mkdir(exist_ok=True)
            self.git("init", "-q", cwd="sub")
        self.write("sub/n.py", self._lines())
        self.git("add", "-A", cwd="sub")
        if self.random.random() < 0.7:
            self.git("commit", "-q", "-m", "inner", cwd="sub")
        elif self.random.random() < 0.3:
            shutil.rmtree(place / ".git")

    def look_away(self) -> None:
        """A file that git is told to take as unchanged, or to look at again."""
        flags = ("assume-unchanged", "skip-worktree", "no-assume-unchanged", "no-skip-worktree")
        name, flag = self.random.choice(["src/a.py", "src/b.py", "d0.md", "old/a.py"]), self.random.choice(flags)
        self.say(name, flag)
        self.git("update-index", f"--{flag}", name)
        if self.random.random() < 0.5:
            self.write(name, self._text() if name.endswith(".md") else self._lines())

    def look_again(self) -> None:
        """Have git look at all files."""
        for flag in ("--no-assume-unchanged", "--no-skip-worktree"):
            self.git("update-index", flag, *self.git("ls-files").splitlines())

    def paper(self) -> None:
        """A paper that comes, changes, comes twice or goes."""
        random = self.random
        folder = random.choice([CORPUS, CORPUS, "papers"])
        name = random.choice(["REF-001", "REF-002"])
        place = f"{folder}/{name}-{random.choice('aab')}.md"
        self.say(place)
        if random.random() < 0.2:
            (self.path / place).unlink(missing_ok=True)
        else:
            declared = "pdf: ../../../pdfs/one.pdf\n" if random.random() < 0.3 else ""
            self.write(place, PAPER.format(name, random.choice([1, 5, 10]), declared))

    def pdf(self) -> None:
        """A PDF that a paper may declare."""
        if self.random.random() < 0.2:
            (self.path / "pdfs/one.pdf").unlink(missing_ok=True)
        else:
            self.write("pdfs/one.pdf", make_pdf((self.random.choice(SAYINGS),)))

    def bibliography(self) -> None:
        """A list of works, in the corpus folder or where a setting names it."""
        name = self.random.choice([f"{CORPUS}/refs.bib", "lists/refs.bib", "papers/more.bib"])
        if self.random.random() < 0.3:
            (self.path / name).unlink(missing_ok=True)
        else:
            self.write(name, f"@book{{{self.random.choice(['one', 'two'])},title={{A}},year=2020}}\n")

    def bundle(self) -> None:
        """Captured output that is exported, damaged, or gone."""
        random = self.random
        chunks = []
        for text in OUTPUTS[: random.randrange(1, 3)]:
            digest = sha256(text.encode()).hexdigest()
            about = {"id": digest[:6], "digest": digest, "file": f"{digest[:12]}.txt", "bytes": len(text)}
            about |= {"lines": text.count("\n"), "masked": 0, "external": False}
            chunks.append(about | {"occurrences": [{"origin": "run", "command": ["make"], "exitCode": 0}]})
            if random.random() < 0.7:
                self.write(f"b/{digest[:12]}.txt", random.choice([text, text, text.replace("o", "0"), ""]))
            else:
                (self.path / f"b/{digest[:12]}.txt").unlink(missing_ok=True)
        data = json.dumps({"version": 1, "chunks": chunks})
        self.write("b/pincite-bundle.json", random.choice([data, data, data, data[:-9], "{}"]))
        if random.random() < 0.1:
            shutil.rmtree(self.path / "b")

    def settings(self) -> None:
        """Other settings."""
        text = self.random.choice(SETTINGS)
        self.say(repr(text))
        if text:
            self.write("pincite.toml", text)
        else:
            (self.path / "pincite.toml").unlink(missing_ok=True)

    def ignore(self) -> None:
        """Other files that git ignores, by the tree or by the clone."""
        places = [".gitignore", ".gitignore", "src/.gitignore", *([] if self._tracked else [".git/info/exclude"])]
        place = self.random.choice(places)
        text = self.random.choice(IGNORED)
        self.say(place, repr(text))
        self.write(place, text)

    def attributes(self) -> None:
        """How git writes files."""
        self.write(".gitattributes", self.random.choice(["*.py text eol=crlf\n", "*.py -text\n", "*.py text=auto\n"]))

    def symbols(self) -> None:
        """Other definitions."""
        self.write(
            "src/s.py", self.random.choice([SYMBOLS, SYMBOLS.replace("stop", "halt"), "x = 1\n", "def start(:\n"])
        )

    def guide(self) -> None:
        """A document whose headings are cited, and one of the same name."""
        name = self.random.choice(["docs/guide.md", "docs/guide.md", "noted/guide.md", "made/guide.md"])
        self.say(name)
        if self.random.random() < 0.3:
            (self.path / name).unlink(missing_ok=True)
        else:
            self.write(name, self.random.choice(["# Setup\n\nDo.\n", "# Other\n\nOr.\n", "# Setup\n\n# Other\n"]))

    def undo(self) -> None:
        """Back to a commit."""
        self.git(
            "reset", "-q", self.random.choice(["--hard", "--mixed"]), self.random.choice(["HEAD", "HEAD~1", "dev"])
        )

    def checkout(self) -> None:
        """Another branch, or a commit without one."""
        words = self.random.choice([("main",), ("side",), ("--detach", "HEAD~1"), ("-b", f"b{self.clock}")])
        self.say(*words)
        self.git("checkout", "-q", *self.random.choice([(), ("-f",)]), *words)

    def stash(self) -> None:
        """Put aside, or back."""
        self.git("stash", *self.random.choice([("push", "-q"), ("push", "-q", "-u"), ("pop", "-q")]))

    def amend(self) -> None:
        """The last commit made anew with all there is."""
        self.git("add", "-A")
        self.git("commit", "-q", "--amend", "--allow-empty", "-m", f"amended {self.clock}")

    def rebase(self) -> None:
        """This branch onto another."""
        self.git("rebase", "-q", "-f", "-X", "theirs", self.random.choice(["side", "dev", "HEAD~2"]))
        self.git("rebase", "--abort")

    def merge(self) -> None:
        """Another branch into this one."""
        self.git(
            "merge", "-q", "-X", self.random.choice(["ours", "theirs"]), self.random.choice(["side", "dev"]), "-m", "m"
        )
        self.git("merge", "--abort")

    def collect(self) -> None:
        """All objects packed, and those that nothing names dropped; where history is cut, that would be its loss."""
        if (self.path / ".git/shallow").exists():
            self.git("gc", "-q")
            return
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "-q", "--prune=now")

    def cut(self) -> None:
        """History as a shallow clone has it: from some commit on."""
        commit = self.git("rev-parse", self.random.choice(["HEAD", "HEAD~1", "HEAD~2"]), check=True)
        (self.path / ".git/shallow").write_text(f"{commit}\n")

    def deepen(self) -> None:
        """All of history again."""
        (self.path / ".git/shallow").unlink(missing_ok=True)

    def spoil(self) -> None:
        """What earlier runs kept, cut short, emptied or gone, as a crash leaves it."""
        folder = os.environ.get("PINCITE_CACHE", "")
        kept = sorted(place for place in Path(folder, "roots").rglob("*") if folder and place.is_file())
        if not kept:
            return
        place = self.random.choice(kept)
        self.say(place.name)
        if self.random.random() < 0.3:
            place.unlink()
        else:
            place.write_bytes(place.read_bytes()[: self.random.randrange(place.stat().st_size + 1)])

    def outside(self) -> None:
        """Something outside of the repository that a link may lead to."""
        (self.path.parent / "outside.py").write_text(self._lines())

    def remote(self) -> None:
        """The address this repository is known by."""
        self.git("remote", "set-url", "origin", f"https://github.com/o/{self.random.choice(['r', 'r', 'other'])}.git")
