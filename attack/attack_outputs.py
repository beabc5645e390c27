"""Links, roots and outputs: nothing outside the tree is read, nothing is written through a link

Every attempt builds a tree whose links lead, by chance and by many ways of writing them, into a folder of the user or
into `.git`, and names a path in it: as an output, as a document, as another file, or in a whole command. The user's
folder has to stay as it was, and its secret must not come out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from campaign import Attempt, run_pincite

from pincite.core.errors import PinciteError
from pincite.project.documents import find_documents, root_key
from pincite.safe.files import Root
from pincite.safe.report_output import output_to, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SECRET = "the-secret-of-the-user"
COMMANDS = (
    ("check", "--no-cache", "--output={}"),
    ("check", "--format=sarif", "--output={}"),
    ("check", "--baseline={}", "--update-baseline"),
    ("check", "--baseline={}"),
    ("corpus", "citation-audit", "--no-save", "--output={}"),
    ("affected", "HEAD", "--output={}"),
    ("check", "{}"),
    ("check", "--fix", "{}"),
    ("fix", "--write", "{}"),
    ("list", "{}"),
    ("lock", "{}"),
    ("index", "{}"),
    ("suggest", "{}"),
    ("corpus", "validate-citations", "{}"),
    ("research", "audit", "{}"),
    ("cite", "a.py:1", "--into", "{}"),
    ("verify-answer", "{}"),
    ("verify-answer", "fine.json", "--docs", "{}"),
    ("capture", "--quiet", "{}"),
    ("policy", "check", "{}"),
    ("check", "--root", "{}"),
    ("memory", "verify-all", "--repo-root", "{}", "--dir", "."),
)


class Tree:
    """A repository with links out of it, and the user's folder that they lead to."""

    def __init__(self, random: Random, scratch: Path, number: int) -> None:
        self.random = random
        self.top = scratch / f"t{number}"
        self.path, self.home = self.top / "tree", self.top / "home"
        for folder in (self.path / "docs/deep", self.path / ".git/hooks", self.home / "notes"):
            folder.mkdir(parents=True)
        (self.path / ".git/config").write_text(f"[core]\n\tbare = false\n[x]\n\ttoken = {SECRET}\n")
        (self.path / "a.py").write_text("x = 1\n")
        (self.path / "d.md").write_text("One. 【F:a.py†L1】 Two. 【F:no.py†L1】\n", encoding="utf-8")
        (self.path / "fine.json").write_text('{"type": "message", "content": [{"type": "text", "text": "x"}]}')
        for name in ("profile", "n.md", "notes/n.md", "answer.json"):
            (self.home / name).write_text(f"{SECRET} 【F:profile†L1】\n", encoding="utf-8")
        self.names: list[str] = []
        """Names in the tree that lead out of it, or into `.git`."""
        for place in range(random.randint(2, 5)):
            self._link(place)

    def _link(self, number: int) -> None:
        random = self.random
        folder = random.choice(("", "docs/", "docs/deep/"))
        name = f"{folder}l{number}{random.choice(('', '.md', '.sarif'))}"
        inner = random.choice(("", "profile", "n.md", "notes", "notes/n.md", "new", "notes/new.md"))
        goal = (
            str(self.home / inner)
            if random.random() < 0.8
            else str(self.path / ".git" / random.choice(("config", "", "new")))
        )
        way = random.choice(("absolute", "relative", "chain", "climb"))
        if way == "relative":
            target = os.path.relpath(goal, self.path / folder)
        elif way == "chain" and self.names:
            target = os.path.relpath(self.path / random.choice(self.names), self.path / folder)
        elif way == "climb":
            target = f"{self.path}/docs/../../{os.path.relpath(goal, self.top)}"
        else:
            target = goal
        os.symlink(target, self.path / name)
        self.names.append(name)

    def name(self) -> str:
        """A way to write a path that leads out."""
        random = self.random
        name = random.choice(self.names)
        if random.random() < 0.5:
            name = f"{name}/{random.choice(('profile', 'n.md', 'notes/n.md', 'new', 'config', 'hooks/pre-commit'))}"
        return random.choice(
            (
                name,
                f"./{name}",
                f"docs/../{name}",
                name.replace("/", "//"),
                f"{self.path}/{name}",
                f"{self.path}/./{name}",
            )
        )

    def state(self) -> dict[str, bytes]:
        """What must not change."""
        return {
            str(path): path.read_bytes()
            for top in (self.home, self.path / ".git")
            for path in sorted(top.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }

    def remove(self) -> None:
        """Take it away again."""
        shutil.rmtree(self.top)


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """All tries."""
    here = os.getcwd()
    try:
        for number in range(150 if brief else 1500):
            tree = Tree(random, scratch, number)
            os.chdir(tree.path)
            yield from _write(tree, number)
            yield from _read(tree, number)
            os.chdir(here)
            tree.remove()
        yield from _git_names(random, scratch, 100 if brief else 1500)
        for number in range(12 if brief else 160):
            yield _command(random, scratch, number)
    finally:
        os.chdir(here)


def _write(tree: Tree, number: int) -> Iterator[Attempt]:
    before, name = tree.state(), tree.name()
    root = tree.random.choice(("", str(tree.path), str(tree.path / "docs")))
    with suppress(PinciteError), output_to(name, root) as write:
        write(SECRET[::-1])
    yield Attempt("output through a link", f"{number} {name}", tree.state() == before, "a file outside changed")


def _read(tree: Tree, number: int) -> Iterator[Attempt]:
    name = tree.name()
    seen = b""
    with suppress(PinciteError), Root(str(tree.path)) as root:
        key = root_key(root, name)
        for document in find_documents(root, None, [key], (".md", ""), ()).documents:
            seen += document.encode() if "n.md" in document else b""
            with suppress(PinciteError):
                seen += root.read(document)
    held = SECRET.encode() not in seen
    yield Attempt("document behind a link", f"{number} {name}", held, "read a file outside")
    data = None
    with suppress(PinciteError):
        data = read_file(name, 1 << 20)
    yield Attempt("file behind a link", f"{number} {name}", SECRET.encode() not in (data or b""), "read a file outside")


def _git_names(random: Random, scratch: Path, count: int) -> Iterator[Attempt]:
    invisible = "\u200c\u200d\u200e\u200f\u202a\u202e\u206a\u206f\ufeff"
    for number in range(count):
        name = "".join(random.choice((letter, letter.upper())) for letter in random.choice((".git", ".git", "git~1")))
        for _ in range(random.randint(0, 2)):
            at = random.randint(0, len(name))
            name = name[:at] + random.choice(invisible) + name[at:]
        name += random.choice(("", "", " ", ".", ". .", "::$INDEX_ALLOCATION", ":x"))
        top = scratch / f"g{number}"
        folder = top / random.choice(("", "sub/")) / name
        folder.mkdir(parents=True)
        (folder / "config").write_text(SECRET)
        key = os.path.relpath(folder / "config", top)
        os.symlink(key, top / "link.md")
        with Root(str(top)) as root:
            seen = b""
            for one in (key, f"./{key}", "link.md"):
                with suppress(PinciteError):
                    seen += root.read(one)
            listed = find_documents(root, None, (), ("config",), ()).documents
        yield Attempt(".git by another name", f"{number} {name!a}", not seen and not listed, f"read {key!a}")
        shutil.rmtree(top)


def _command(random: Random, scratch: Path, number: int) -> Attempt:
    tree = Tree(random, scratch, 100_000 + number)
    shutil.rmtree(tree.path / ".git")
    subprocess.run(["git", "init", "-q", str(tree.path)], check=True)
    (tree.path / ".git/config").open("a").write(f"[x]\n\ttoken = {SECRET}\n")
    before, name = tree.state(), tree.name()
    words = [word.format(name) for word in COMMANDS[number % len(COMMANDS)]]
    code, out, err = run_pincite(*words, cwd=tree.path, cache=tree.top / "cache")
    trouble = ""
    if code == -1 or "Traceback" in err:
        trouble = f"exit {code}: {err[-300:]}"
    elif SECRET in out + err:
        trouble = "the secret was printed"
    elif tree.state() != before:
        trouble = "a file outside changed"
    elif code != 2:
        trouble = f"exit {code}: {(out + err)[-300:]}"
    tree.remove()
    return Attempt("command", f"{number} {' '.join(words)}", not trouble, trouble)
