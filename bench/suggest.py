"""How often a suggested citation is the one the author wrote.

    python bench/suggest.py [FOLDER] [--repo NAME] [--sample N] [--wrong N]

FOLDER holds repositories as `<owner>+<name>/repo`, git directories or plain folders; without it a small tree is made.
From every document that cites lines of files the citations are taken out, a link whose text is the path with them; then
citations are suggested, and compared with what was there. A sentence's truth is what its author cited for it: the file
as it is in the newest commit, and the lines followed there from the commit that wrote the sentence. Sentences are left
out whose cited files or lines are no longer there. Suggestions for sentences that the author left uncited are neither
right nor wrong: they are counted apart, and --sample prints some to be judged by eye.

The last line is one JSON object: precision (right file), range (of those, lines that overlap the author's), recall.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pincite.core.errors import PinciteError
from pincite.core.model import Citation, Lines
from pincite.dialects import dialects, extract
from pincite.project.config import Config
from pincite.safe.files import Root, is_generated, walk
from pincite.text.document import Document
from pincite.text.lines import decode, join, split_lines
from pincite.write.suggest.document_sentences import find_units
from pincite.write.suggest.model import Confidence, SuggestOptions
from pincite.write.suggest.propose import suggest
from pincite.write.suggest.tree import LARGEST, CitableFiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.write.suggest.model import Suggestion

DIALECTS = ("bracket", "path-line", "link", "permalink")
PAIRS = {"`": "`", "(": ")", "[": "]", "*": "*"}
LINK = re.compile(r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){0,300})\]\(\s*<?\Z")
WHOLE = re.compile(r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){0,300})\]\([^()\n]*\)")
PATH = re.compile(r"[\w./-]+\.[A-Za-z]\w{0,9}|[\w.-]+/[\w./-]+")
CITES = re.compile("【".encode() + rb"|\.[a-z0-9]{1,5}(?::\d|#L\d)")
MOST_COMPARED = 20_000

Truth = list[tuple[str, Lines, int]]
"""What an author cited for a sentence: file, lines, and the line of the document that cites them."""


class Tally:
    """What was counted for one repository, or for all."""

    def __init__(self) -> None:
        self.sentences = self.suggested = self.right = self.ranged = self.overlapping = self.uncited = 0

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, name: str) -> str:
        return (
            f"{name[:34]:34} {self.sentences:6} {self.suggested:8} {share(self.right, self.suggested):>8} "
            f"{share(self.overlapping, self.ranged):>8} {share(self.right, self.sentences):>8} {self.uncited:8}"
        )

    def figures(self) -> dict[str, float | int]:
        return {
            "precision": round(self.right / self.suggested, 4) if self.suggested else 0.0,
            "range": round(self.overlapping / self.ranged, 4) if self.ranged else 0.0,
            "recall": round(self.right / self.sentences, 4) if self.sentences else 0.0,
            "suggestions": self.suggested,
        }


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--repo", action="append", default=[], help="only this one (repeatable)")
    parser.add_argument("--sample", type=int, default=0, help="suggestions for uncited sentences to print")
    parser.add_argument("--wrong", type=int, default=0, help="wrong suggestions to print")
    given = parser.parse_args()
    total, made = Tally(), None
    uncited: list[Suggestion] = []
    wrong: list[tuple[Suggestion, Truth]] = []
    if given.folder is None:
        made = tempfile.TemporaryDirectory(prefix="pincite-suggest-")
        make_tree(os.path.join(made.name, "made+tree", "repo"))
    print(f"{'repository':34} {'cited':>6} {'suggest.':>8} {'file':>8} {'lines':>8} {'recall':>8} {'uncited':>8}")
    folder = given.folder or (made.name if made else "")
    for name in sorted(os.listdir(folder)):
        place = os.path.join(folder, name, "repo")
        if os.path.isdir(place) and (not given.repo or name in given.repo):
            tally = measure(place, uncited, wrong)
            if tally.sentences:
                print(tally.row(name), flush=True)
                total.add(tally)
    print(total.row("all"))
    for one in random.Random(1).sample(uncited, min(given.sample, len(uncited))):
        print(f"\n{one.document}:{one.line} {one.confidence.label} {one.score}\n  {one.sentence}\n  {one.citation}")
        print("\n".join(f"    {line[:150]}" for line in one.evidence[:5]), f"  because {one.reason}", sep="\n")
    for one, truth in random.Random(1).sample(wrong, min(given.wrong, len(wrong))):
        print(f"\n{one.document}:{one.line} {one.score}\n  {one.sentence}\n  {one.citation} because {one.reason}")
        print("   the author cited", ", ".join(f"{path}:{lines.first}-{lines.last}" for path, lines, _ in truth))
    if made is not None:
        made.cleanup()
    print(json.dumps(total.figures()))
    return 0


def measure(place: str, uncited: list[Suggestion], wrong: list[tuple[Suggestion, Truth]]) -> Tally:
    """One repository: its newest tree laid out, its citations taken out, and what is suggested instead."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="pincite-suggest-") as folder:
        is_git = os.path.isfile(os.path.join(place, "HEAD"))
        lay_out(place, folder) if is_git else copy(place, folder)
        with Root(folder) as root:
            truths = {path: truth for path, truth in strip_all(root) if truth}
            asked = SuggestOptions(most=0, least=Confidence.MEDIUM)
            history = History(place) if is_git else None
            for found in suggest(root, Config(), lambda: None, sorted(truths), asked):
                truth = truths[found.document]
                tally.sentences += len(truth)
                for one in found.suggestions:
                    cited = truth.get(one.span.start)
                    if cited is None:
                        tally.uncited += 1
                        uncited.append(one)
                        continue
                    tally.suggested += 1
                    same = [entry for entry in cited if entry[0] == one.path]
                    if not same:
                        wrong.append((one, cited))
                        continue
                    tally.right += 1
                    now = [lines for entry in same if (lines := followed(root, history, found.document, entry))]
                    tally.ranged += bool(now)
                    tally.overlapping += any(
                        one.lines.first <= lines.last and lines.first <= one.lines.last for lines in now
                    )
            if history is not None:
                history.close()
    return tally


def strip_all(root: Root) -> Iterator[tuple[str, dict[int, Truth]]]:
    """Write every citing document without its citations; what each sentence, by its offset, cited."""
    tree = CitableFiles(root, None)
    lengths: dict[str, int] = {}
    for path in walk(root.path, is_generated)[0]:
        if not path.endswith((".md", ".mdx", ".markdown")):
            continue
        try:
            data = root.read(path, LARGEST)
            text = decode(data)
        except PinciteError:
            continue
        if CITES.search(data) is None:
            continue
        stripped, truth = strip(path, text, tree, lengths)
        if truth:
            with open(os.path.join(root.path, path), "w", encoding="utf-8", newline="") as stream:
                stream.write(stripped)
            yield path, truth


def strip(path: str, text: str, tree: CitableFiles, lengths: dict[str, int]) -> tuple[str, dict[int, Truth]]:
    """A document without its citations, and what each of its sentences cited; none whose evidence is not there."""
    document = Document(path, text)
    using = tuple(dialect for dialect in dialects() if dialect.NAME in DIALECTS)
    cited = [one for one in extract(document, using) if isinstance(one, Citation) and one.lines is not None]
    parts, kept, at, removed = [], [], 0, 0
    for one in cited:
        begin, end, label = of_link(text, one)
        if not label:
            begin, end = widened(text, begin, end)
        if begin < at:
            continue
        kept.append((one, begin - removed + len(label)))
        parts += text[at:begin], label
        removed += end - begin - len(label)
        at = end
    stripped = "".join((*parts, text[at:]))
    units = find_units(Document(path, stripped), [])
    found: dict[int, Truth] = {}
    gone: set[int] = set()
    for one, offset in kept:
        sentence = sentence_of(units, offset, one.dialect == "bracket")
        if sentence is None or one.lines is None:
            continue
        file = file_of(one, path, tree, lengths)
        if file is None:
            gone.add(sentence)
        else:
            found.setdefault(sentence, []).append((file, one.lines, document.position(one.span.start)[0]))
    return stripped, {start: truth for start, truth in found.items() if start not in gone}


def sentence_of(units: list, offset: int, behind: bool) -> int | None:
    """The sentence that a citation stood in or behind, by where it begins."""
    if not behind:
        for unit in units:
            if unit.span.start <= offset <= unit.span.end:
                return unit.span.start
    return next((unit.span.start for unit in units if unit.span.start < offset <= unit.span.end + 2), None)


def file_of(one: Citation, path: str, tree: CitableFiles, lengths: dict[str, int]) -> str | None:
    """The cited file, where it is there and has the cited lines."""
    keys = [join("", key) for key in (one.source.key, one.alternate) if key]
    meant = tree.meant(one.source.key, path.rpartition("/")[0])
    for key in [*keys, *(meant if len(meant) == 1 else [])]:
        if key not in lengths:
            try:
                lengths[key] = len(split_lines(decode(tree.root.read(key, LARGEST))))
            except PinciteError:
                lengths[key] = 0
        if one.lines is not None and one.lines.last <= lengths[key]:
            return key
    return None


def of_link(text: str, one: Citation) -> tuple[int, int, str]:
    """The span with the link that a citation is, or is the target of, and the link's text unless that is a path."""
    start, end = one.span.start, one.span.end
    whole = WHOLE.fullmatch(one.raw)
    if whole is not None:
        return start, end, "" if PATH.search(whole[1]) else whole[1]
    match = LINK.search(text, max(0, start - 400), start)
    close = text.find(")", end, end + 200)
    if match is None or close < 0:
        return start, end, ""
    return match.start(), close + 1, "" if PATH.search(match[1]) else match[1]


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the brackets or backticks that hold nothing else."""
    while start > 0 and end < len(text) and PAIRS.get(text[start - 1]) == text[end]:
        start, end = start - 1, end + 1
    return start, end


def followed(root: Root, history: History | None, document: str, entry: tuple[str, Lines, int]) -> Lines | None:
    """Where the lines are now that an author cited; None where too much changed to tell."""
    path, lines, row = entry
    if history is None:
        return lines
    then = history.at_writing(document, row, path)
    now = split_lines(decode(root.read(path, LARGEST)))
    if then is None or not then[lines.first - 1 : lines.last]:
        return None
    if then == now:
        return lines
    if len(then) + len(now) > MOST_COMPARED:
        return None
    kept = [
        block.b + at
        for block in SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
        for at in range(block.size)
        if lines.first - 1 <= block.a + at < lines.last
    ]
    return Lines(min(kept) + 1, max(kept) + 1) if kept else None


class History:
    """What files were when a line of a document was written."""

    def __init__(self, place: str) -> None:
        self._git = ["git", "--git-dir", place]
        self._writers: dict[str, list[str]] = {}
        self._texts: dict[str, list[str] | None] = {}

    def at_writing(self, document: str, row: int, path: str) -> list[str] | None:
        """The lines of a file in the commit that wrote a line of a document."""
        if document not in self._writers:
            told = self._run("blame", "-l", "-s", "--root", "HEAD", "--", document)
            self._writers[document] = [line.split(b" ", 1)[0].decode() for line in told.split(b"\n") if line]
        writers = self._writers[document]
        key = f"{writers[row - 1]}:{path}" if row <= len(writers) else ""
        if key not in self._texts:
            data = self._run("show", key) if key else b""
            self._texts[key] = split_lines(data.decode(errors="replace")) or None
        return self._texts[key]

    def close(self) -> None:
        self._texts.clear()

    def _run(self, *arguments: str) -> bytes:
        return subprocess.run([*self._git, *arguments], capture_output=True, check=False).stdout


def lay_out(place: str, folder: str) -> None:
    """The files of the newest commit, without what is missing there, too large, or a link."""
    git = ["git", "--git-dir", place]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], capture_output=True, check=True).stdout
    rows = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry]
    blobs = [(head.split()[2], name) for head, _, name in rows if head.startswith(b"100")]
    with tempfile.TemporaryFile() as wanted:
        wanted.write(b"".join(digest + b"\n" for digest, _ in blobs))
        wanted.seek(0)
        child = subprocess.Popen([*git, "cat-file", "--batch"], stdin=wanted, stdout=subprocess.PIPE)
    assert child.stdout is not None
    for _, name in blobs:
        head = child.stdout.readline().split()
        if head[1] == b"missing":
            continue
        data = child.stdout.read(int(head[2]) + 1)[:-1]
        if len(data) <= LARGEST:
            put(folder, os.fsdecode(name), data)
    child.wait()


def copy(place: str, folder: str) -> None:
    for path in walk(place, is_generated)[0]:
        with open(os.path.join(place, path), "rb") as stream:
            put(folder, path, stream.read(LARGEST))


def put(folder: str, path: str, data: bytes) -> None:
    whole = os.path.join(folder, path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "wb") as stream:
        stream.write(data)


def make_tree(folder: str) -> None:
    """A small project whose documents cite it: modules that define things, settings, and sentences about both."""
    rng = random.Random(7)
    things = ("Ledger", "Gauge", "Courier", "Orchard", "Beacon", "Harbour", "Kiln", "Loom", "Quarry", "Sluice")
    rows = ["# How it works", ""]
    for number, thing in enumerate(things):
        most, name = rng.randrange(20, 900), thing.lower()
        code = (
            f'"""The {name}."""\n\nMOST_{thing.upper()}_ENTRIES = {most}\n\n\nclass {thing}Store:\n'
            '    """Keeps entries."""\n\n'
            f"    def add_{name}_entry(self, entry):\n        if len(self.entries) >= MOST_{thing.upper()}_ENTRIES:\n"
            f"            raise OverflowError\n        self.entries.append(entry)\n"
        )
        put(folder, f"src/{name}.py", code.encode())
        path = f"src/{name}.py"
        rows += [
            f"A {name} keeps at most {most} entries (`MOST_{thing.upper()}_ENTRIES`). 【F:{path}†L3】",
            f"`{thing}Store.add_{name}_entry` raises `OverflowError` when it is full. 【F:{path}†L9-L11】",
            f"People have used every kind of {name} for a long time.",
            "",
        ]
        if number % 3 == 0:
            rows += ["Nobody knows which store is the oldest. 【F:src/ledger.py†L6】", ""]
    put(folder, "docs/how.md", "\n".join(rows).encode())


if __name__ == "__main__":
    sys.exit(main())
