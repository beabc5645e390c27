"""Trees to measure on: the same bytes on every machine, shaped like what people write."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping

_NOUNS = (
    "request retry gauge session parser buffer cursor token ledger worker queue index digest snapshot reader writer "
    "schema record window budget limit handler router shard lease cache header payload signal timer"
).split()
_VERBS = "reads writes retries drops merges counts splits closes opens checks updates signs skips holds".split()
_LINKING = "before after because while unless whenever although".split()
_SENTENCES = 400


class Prose:
    """Markdown that has headings, lists, links, code and colons in about the measure of real documentation."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._sentences = [self._sentence() for _ in range(_SENTENCES)]

    def _sentence(self) -> str:
        pick = self.random.choice
        first, second = (f"the {pick(_NOUNS)} {pick(_VERBS)}" for _ in range(2))
        words = f"T{first[1:]} the {pick(_NOUNS)} {pick(_LINKING)} {second} it"
        kind = self.random.random()
        if kind < 0.10:
            return f"{words}, see `{pick(_NOUNS)}.{pick(_NOUNS)}()` for the details."
        if kind < 0.16:
            return f"Note: {words.lower()} at 12:30 with a ratio of 3:1."
        if kind < 0.20:
            return f"{words} ([background](https://example.org/{pick(_NOUNS)}/{pick(_NOUNS)}.html))."
        if kind < 0.24:
            return f"{words}; the default is `{pick(_NOUNS)}: {self.random.randrange(90)}`."
        return f"{words}."

    def paragraph(self, sentences: int) -> str:
        """That many sentences."""
        return " ".join(self.random.choices(self._sentences, k=sentences))

    def document(self, title: str, citations: list[str]) -> str:
        """Two to three kilobytes with the citations strewn in, each after a sentence."""
        parts = [f"# {title}", self.paragraph(4)]
        for number, citation in enumerate(citations):
            if number % 2 == 0:
                parts.append(f"## {self.random.choice(_NOUNS).title()} and {self.random.choice(_NOUNS)}")
                parts.append(self.paragraph(3))
                parts.append(f"{self.paragraph(2)} {citation} {self.paragraph(1)}")
            else:
                items = [f"- {self.paragraph(1)}" for _ in range(3)]
                items.append(f"- {self.paragraph(1)} {citation}")
                parts.append("\n".join(items))
        if self.random.random() < 0.25:
            noun = self.random.choice(_NOUNS)
            parts.append(f"```python\n{noun} = open_{noun}(limit=12)\nfor line in {noun}:\n    print(line)\n```")
        parts.append(self.paragraph(3))
        return "\n\n".join(parts) + "\n"

    def code(self, size: int = 4000) -> list[str]:
        """Lines that look like Python, about `size` characters in all."""
        pick, lines, total = self.random.choice, ['"""One module of many."""', "", "import os", ""], 0
        number = self.random.randrange
        while total < size:
            name, argument = f"{pick(_VERBS)}_{pick(_NOUNS)}_{number(10_000)}", pick(_NOUNS)
            block = [f"def {name}({argument}: int, {pick(_NOUNS)}_size: int = {number(64)}) -> int:"]
            block += [f'    """{pick(self._sentences)}"""']
            for _ in range(number(3, 9)):
                block.append(f"    {pick(_NOUNS)}_{number(100)} = {argument} * {number(1000)} + os.getpid()")
            block += [f"    return {argument}", "", ""]
            lines += block
            total += sum(map(len, block)) + len(block)
        return lines


def source_name(number: int) -> str:
    """The path of one source file."""
    return f"src/pkg_{number // 50:04d}/{_NOUNS[number % len(_NOUNS)]}_{number % 50:02d}.py"


def document_name(number: int) -> str:
    """The path of one document."""
    return f"docs/area_{number // 1000:03d}/topic_{number // 100 % 10}/note_{number:06d}.md"


def cited_sources(prose: Prose, number: int, documents: int, sources: int, count: int) -> list[int]:
    """Which files one document cites: nearly always those of its own part of the project."""
    home = number * sources // documents // 50 * 50
    choose = prose.random.randrange
    return [home + choose(min(50, sources - home)) if choose(10) else choose(sources) for _ in range(count)]


def bracket(path: str, first: int, last: int) -> str:
    """A bracket citation."""
    return f"【F:{path}†L{first}-L{last}】"


def mixed(path: str, first: int, last: int) -> str:
    """A citation in one of the forms people use, by its line number."""
    forms = (
        f"【F:{path}†L{first}-L{last}】",
        f"({path}:{first})",
        f"(`{path}:{first}-{last}`)",
        f"([here](/{path}#L{first}-L{last}))",
        f"[cite:file]({path}:{first})",
    )
    return forms[first % len(forms)]


def put(top: str, name: str, text: str) -> None:
    """Write one file, its folders made as needed."""
    path = f"{top}/{name}"
    try:
        stream = open(path, "w", encoding="utf-8", newline="")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        stream = open(path, "w", encoding="utf-8", newline="")
    with stream:
        stream.write(text)


def solid_line(lines: list[str], wanted: int) -> int:
    """The 1-based number of a line at or before the wanted one that is not blank."""
    at = min(wanted, len(lines))
    while not lines[at - 1].strip():
        at -= 1
    return at


def write_sources(top: str, prose: Prose, sources: int) -> list[list[str]]:
    """Write the source files; gives the lines they begin with, file n those at n modulo the length of the list."""
    variants = [prose.code() for _ in range(200)]
    for number in range(sources):
        put(top, source_name(number), "\n".join([*variants[number % 200], f"NUMBER = {number}", ""]))
    return variants


def inline_tree(top: str, documents: int, sources: int, form: Callable[[str, int, int], str] = bracket) -> None:
    """Documents with five inline citations each, all of which hold."""
    prose = Prose(1)
    variants = write_sources(top, prose, sources)
    for number in range(documents):
        citations = []
        for source in cited_sources(prose, number, documents, sources, 5):
            lines = variants[source % 200]
            first = solid_line(lines, prose.random.randrange(1, len(lines) - 12))
            citations.append(form(source_name(source), first, first + prose.random.randrange(11)))
        put(top, document_name(number), prose.document(f"Note {number}", citations))


def memory_tree(top: str, memories: int, sources: int) -> None:
    """Memories with three citations each: one of a path, one of a line, one of a line with its snippet."""
    prose = Prose(2)
    variants = write_sources(top, prose, sources)
    for number in range(memories):
        rows = []
        for kind, source in enumerate(cited_sources(prose, number, memories, sources, 3)):
            rows.append(f"  - path: {source_name(source)}")
            if kind:
                lines = variants[source % 200]
                line = solid_line(lines, prose.random.randrange(1, len(lines)))
                rows.append(f"    line: {line}")
                if kind == 2:
                    snippet = lines[line - 1].strip().replace("\\", "\\\\").replace('"', '\\"')
                    rows.append(f'    snippet: "{snippet}"')
            rows.append("    verified: 2026-01-24T10:30:00Z")
        related = f"  - related: memory-{(number + 1) % memories:05d}"
        head = [
            "---",
            f"id: memory-{number:05d}",
            f"subject: What the {prose.random.choice(_NOUNS)} does",
            "citations:",
            *rows,
        ]
        head += ["links:", related, "tags:", "  - architecture", "  - storage", "confidence: 1.0", "---"]
        body = prose.document(f"Memory {number}", [prose.paragraph(1) for _ in range(4)])
        put(top, f".serena/memories/memory-{number:05d}.md", "\n".join(head) + f"\n\n{body}")


def history(top: str, documents: int, commits: int) -> None:
    """A git repository that grew for that many commits: documents written and edited, sources edited, lines moved."""
    import subprocess

    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    child = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=top, stdin=subprocess.PIPE)
    assert child.stdin is not None
    prose = Prose(3)
    sources = max(documents // 2, 50)
    code = {number: prose.code(2500) for number in range(sources)}
    texts: dict[int, list[str]] = {}
    write = child.stdin.write

    def put_blob(path: str, text: str) -> None:
        data = text.encode()
        write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))

    for commit in range(commits):
        message = f"Step {commit}".encode()
        write(b"commit refs/heads/main\n")
        write(b"committer Someone <someone@example.org> %d +0000\n" % (1_600_000_000 + commit * 600))
        write(b"data %d\n%b\n" % (len(message), message))
        if commit == 0:
            for number, lines in code.items():
                put_blob(source_name(number), "\n".join(lines) + "\n")
        for number in range(documents * commit // commits, documents * (commit + 1) // commits):
            citations = []
            for source in cited_sources(prose, number, documents, sources, 3):
                first = prose.random.randrange(1, len(code[source]) - 12)
                citations.append(bracket(source_name(source), first, first + prose.random.randrange(3, 11)))
            texts[number] = prose.document(f"Note {number}", citations).split("\n")
            put_blob(document_name(number), "\n".join(texts[number]))
        if commit % 2 and texts:
            number = prose.random.choice(range(len(texts)))
            at = prose.random.randrange(1, len(texts[number]) - 1)
            texts[number].insert(at, f"\n{prose.paragraph(2)}\n")
            put_blob(document_name(number), "\n".join(texts[number]))
        elif commit:
            number = prose.random.randrange(sources)
            lines = code[number]
            at = prose.random.randrange(4, len(lines) - 1)
            if commit % 4:
                lines.insert(at, f"# {prose.paragraph(1)}")
            else:
                lines[at] = f"    changed = {commit}"
            put_blob(source_name(number), "\n".join(lines) + "\n")
    write(b"done\n")
    child.stdin.close()
    if child.wait():
        raise SystemExit("git fast-import failed")
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=top, check=True)


def import_history(top: str, versions: Iterable[Mapping[str, str]]) -> None:
    """A git repository with a commit for each version; one names the files that the commit writes."""
    import subprocess

    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    child = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=top, stdin=subprocess.PIPE)
    assert child.stdin is not None
    for number, files in enumerate(versions):
        when = 1_600_000_000 + number * 600
        child.stdin.write(b"commit refs/heads/main\ncommitter Someone <someone@example.org> %d +0000\n" % when)
        child.stdin.write(b"data 4\nStep\n")
        for path, text in files.items():
            data = text.encode()
            child.stdin.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
    child.stdin.write(b"done\n")
    child.stdin.close()
    if child.wait():
        raise SystemExit("git fast-import failed")
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=top, check=True)


def edit_one_file(commits: int) -> Iterator[dict[str, str]]:
    """A document that cites 20 places of a file, and what so many commits made of that file: a line or two each."""
    prose = Prose(11)
    lines = prose.code(20_000)
    places = sorted(prose.random.sample(range(1, len(lines) - 10), 20))
    said = "\n\n".join(f"See `src/app.py:{place}-{place + 4}` there." for place in places)
    yield {"src/app.py": "\n".join(lines) + "\n", "doc.md": f"{said}\n"}
    for commit in range(1, commits):
        at = prose.random.randrange(len(lines))
        match commit % 4:
            case 0:
                lines[at] = f"    changed = {commit}"
            case 1 | 2:
                lines.insert(at, f"    # {prose.paragraph(1)}"[:100])
            case _:
                del lines[at]
        yield {"src/app.py": "\n".join(lines) + "\n"}


def corpus_tree(top: str, documents: int, papers: int, each: int = 10) -> None:
    """Documents that cite papers by id and page, and the corpus of those papers."""
    prose = Prose(7)
    pages = [prose.random.randrange(12, 60) for _ in range(papers)]
    for number, total in enumerate(pages, 1):
        name = f".aiwg/research/corpus/REF-{number:03d}-{prose.random.choice(_NOUNS)}.md"
        head = f"---\ntitle: {prose.paragraph(1)[:-1]!r}\nyear: 2024\ntotal_pages: {total}\n---\n"
        put(top, name, f"{head}\n# REF-{number:03d}\n\n{prose.paragraph(6)}\n")
    for number in range(documents):
        cited = [prose.random.randrange(papers) for _ in range(each)]
        citations = [f"[REF-{paper + 1:03d}, p.{prose.random.randrange(1, pages[paper] + 1)}]" for paper in cited]
        put(top, document_name(number), prose.document(f"Document {number}", citations))


def names(top: str) -> list[str]:
    """Every file below a folder, in sorted order, hidden tool folders left out."""
    found: list[str] = []
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name not in (".git", ".pincite")]
        found.extend(os.path.join(folder, name) for name in files)
    return sorted(found)
