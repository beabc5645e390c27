"""Hostile settings, special files, damaged stores: every command ends soon, with an exit code of its own.

A small project is copied for each attempt, one thing in it is replaced, and a command that reads it is run. An attempt
holds where the command ends within thirty seconds with 0, 1 or 2 and prints no traceback.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campaign import Attempt, run_pincite

_SECONDS = 30.0
_CODES = (0, 1, 2)
_PAPER = """---
ref_id: REF-001
title: Lanterns at sea
authors: [Ada Keeper]
year: 2020
pages: 10
---

## Page 1

Lanterns are lit at dusk.
"""
_POLICY = """version: "1.0.0"
retrieval_first_policy: {}
whitelist_enforcement: {}
page_validation: {}
"""
_RESULT = """  - result_id: {0}
    title: "Lanterns"
    url: "https://example.org/{0}"
    snippet: "Lanterns are lit."
    source_type: "primary"
    accessed_date: "2026-01-02"
"""
_EXTRACTED = """  - claim: "Lanterns are lit."
    quote: "Lanterns are lit at dusk."
    source_url: "https://example.org/{0}"
    source_type: "primary"
    page_title: "Lanterns"
    accessed_date: "2026-01-02"
"""
_FILES = {
    "src/a.py": "def lit():\n    return 1\n",
    "docs/guide.md": "See [it](../src/a.py#L1), `src/a.py:2`, [REF-001, p.1] and [@keeper2020].\n\nLanterns are lit.\n",
    ".serena/memories/m.md": "---\nid: m\ncitations:\n  - path: src/a.py\n    line: 1\n---\nLit.\n",
    "baseline.txt": "# known findings\n0123456789abcdef  # none\n",
    ".aiwg/research/corpus/REF-001.md": _PAPER,
    "refs.bib": "@article{keeper2020, title={Lanterns at sea}, author={Keeper, Ada}, year={2020}}\n",
    "citation-integrity.yaml": _POLICY,
    "hosts.yaml": "hosts: {news-2: [example.org]}\n",
    ".research/t/agent-outputs/search-agent.yaml": "results:\n"
    + _RESULT.format(1)
    + _RESULT.format(2)
    + _RESULT.format(3),
    ".research/t/agent-outputs/citation-extractor.yaml": "extracted_citations:\n"
    + _EXTRACTED.format(1)
    + _EXTRACTED.format(2),
    ".research/t/attestations.yaml": "attestations: []\n",
    ".research/t/report.md": "Lanterns are lit ([source](https://example.org/a)).\n",
    ".research/t/snapshots/pages.warc": "WARC/1.0\r\n\r\n",
    "answer.json": '{"content": [{"type": "text", "text": "Lanterns are lit."}]}',
    "log.txt": "lanterns lit\n",
}
_SETTINGS = 'baseline = "baseline.txt"\n[corpus]\nbibliography = ["refs.bib"]\n[research]\nsources = "hosts.yaml"\n'
_CHECK = ("check",)
_READERS: dict[str, tuple[str, ...]] = {
    "pincite.toml": _CHECK,
    "pyproject.toml": _CHECK,
    "pincite.lock": _CHECK,
    "baseline.txt": _CHECK,
    "docs/guide.md": ("check", "docs/guide.md"),
    "src/a.py": _CHECK,
    "refs.bib": ("corpus", "list"),
    ".aiwg/research/corpus/REF-001.md": ("corpus", "check"),
    "citation-integrity.yaml": ("policy", "show"),
    "hosts.yaml": ("research", "audit", ".research/t/report.md"),
    ".research/t/agent-outputs/search-agent.yaml": ("research", "check", "t"),
    ".research/t/attestations.yaml": ("research", "validate", "t", "--offline"),
    ".research/t/report.md": ("research", "audit", ".research/t/report.md"),
    ".research/t/snapshots/pages.warc": ("research", "validate", "t", "--offline"),
    "answer.json": ("verify-answer", "answer.json", "--docs", "docs"),
    "evidence/pincite-bundle.json": ("doctor",),
    ".pincite/index.db": ("search", "lanterns"),
    ".pincite/store.db": ("log",),
    ".pincite/found": ("cite", "--hit", "1"),
}
"""A file of the project, and the command that reads it."""
_GIT_FILES = (
    *("HEAD", "config", "config.worktree", "commondir", "index", "packed-refs", "shallow", "info/attributes"),
    *("info/exclude", "info/grafts", "objects/info/alternates", "objects/info/commit-graph", "logs/HEAD"),
    *(
        "refs/heads/main",
        "refs/heads/other",
        "refs/tags/one",
        "refs/replace/x",
        "objects/pack/pack-0.idx",
        "MERGE_HEAD",
    ),
)
_TEXTS = (
    *("a\\u0000b", "\\u001b[31m", "a\\nb", "a\\rb", "\\u0007", "\\u0085", "\\u2028", "..", "../..", "/", "/etc/passwd"),
    *(
        ".git",
        ".git/config",
        "~",
        "~root/x",
        "C:\\\\x",
        "a//b",
        "./",
        " ",
        "-x",
        "--help",
        "*",
        "[",
        "\\U0001f600",
        "{x}",
    ),
    *(
        "x" * 4000,
        "x" * 200_000,
        "a/" * 2000,
        "%s%n",
        "\\u202e",
        "::error::x",
        "{path!r:>9999999}",
        "file:///etc/passwd",
    ),
)
_KEYS = {
    "baseline": _CHECK,
    "memories": ("memory", "health"),
    "repository": _CHECK,
    "corpus.path": ("corpus", "list"),
    "corpus.policy": ("policy", "show"),
    "corpus.receipts": ("corpus", "cite", "Lanterns are lit"),
    "retrieval.model": ("search", "lanterns"),
    "retrieval.style": ("search", "lanterns"),
    "retrieval.templates.x": ("cite", "--hit", "1", "--style", "x"),
    "research.sources": ("research", "audit", ".research/t/report.md"),
    "research.model": ("research", "audit", ".research/t/report.md"),
    "research.contact": ("research", "audit", ".research/t/report.md"),
}
_LISTS = ("documents", "exclude", "dialects", "select", "ignore", "plugins", "corpus.bibliography", "retrieval.exclude")


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every family, in the short form a few of each."""
    base = _make_project(scratch / "base")
    families = (_toml_attempts, _value_attempts, _special_attempts, _git_attempts, _damage_attempts)
    for family in families:
        planned = list(family(random))
        chosen = random.sample(planned, min(len(planned), 4 if brief else _MOST[family.__name__]))
        for kind, name, change, command in chosen:
            yield _attempt(base, scratch, kind, name, change, command)


_MOST = {
    "_toml_attempts": 30,
    "_value_attempts": 60,
    "_special_attempts": 60,
    "_git_attempts": 40,
    "_damage_attempts": 60,
}
_Planned = tuple[str, str, object, tuple[str, ...]]


def _attempt(base: Path, scratch: Path, kind: str, name: str, change: object, command: tuple[str, ...]) -> Attempt:
    folder = scratch / "project"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder, symlinks=True)
    change(folder)  # type: ignore[operator]
    code, out, err = run_pincite(*command, cwd=folder, cache=scratch / "cache", seconds=_SECONDS)
    held = code in _CODES and "Traceback (most recent call last)" not in out + err
    return Attempt(kind, f"{name}: {' '.join(command)}", held, f"exit {code}: {err[-300:]}")


def _make_project(folder: Path) -> Path:
    for name, text in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "pincite.toml").write_text(_SETTINGS)
    names = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", *command], cwd=folder, check=True, env={**os.environ, **names}, capture_output=True)
    cache = folder.parent / "cache"
    for words in (("lock",), ("index",), ("search", "lanterns"), ("capture", "log.txt"), ("check",)):
        run_pincite(*words, cwd=folder, cache=cache)
    _, listed, _ = run_pincite("log", "--format", "json", cwd=folder, cache=cache)
    digests = [word for word in listed.replace('"', " ").split() if len(word) in (12, 64) and word.isalnum()]
    if digests:
        run_pincite("export", digests[0][:12], "--to", "evidence", cwd=folder, cache=cache)
    bundle = folder / "evidence/pincite-bundle.json"
    if not bundle.exists():
        bundle.parent.mkdir(exist_ok=True)
        bundle.write_text('{"version": 1, "chunks": []}\n')
    return folder


def _write(name: str, data: bytes | str) -> object:
    def change(folder: Path) -> None:
        path = folder / name
        _remove(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    return change


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()


def _toml_attempts(random: Random) -> Iterator[_Planned]:
    """Texts that cost a parser more than their length."""
    many = random.randint(90_000, 200_000)
    shapes = {
        "dotted key": ".".join("a" * many) + " = 1",
        "dotted header": "[" + ".".join("a" * many) + "]",
        "quoted parts": ".".join(['"a"'] * (many // 2)) + " = 1",
        "spaced parts": " . ".join(["a"] * (many // 2)) + " = 1",
        "dotted inline table": "x = {" + ".".join("a" * many) + " = 1}",
        "array of tables": "[[" + ".".join("a" * many) + "]]",
        "many deep keys": "\n".join(f"{'a.' * 30}x{n} = 1" for n in range(12_000)),
        "nested arrays": "x = " + "[" * many,
        "nested tables": "x = " + "{a = " * (many // 4),
        "both": "x = " + ("{" + ".".join("a" * 30) + " = ") * 30 + "1" + "}" * 30,
        "long key": "a" * many + " = 1",
        "long number": "strict = " + "1" * many,
        "hexadecimal": "strict = 0x" + "f" * many,
        "long date": "strict = 1979-05-27T07:32:00." + "9" * many,
        "open string": 'baseline = """' + '\\"' * many,
        "same header": "[capture]\n" * (many // 10),
        "too large": "#" * 1_200_000,
        "patterns": "exclude = [" + ",".join(f'"*a*b{n}*c"' for n in range(5000)) + "]",
        "wild patterns": "exclude = [" + ",".join(f'"{"*?" * 40}{n}"' for n in range(2000)) + "]",
        "sets": "exclude = [" + ",".join(f'"[!{chr(97 + n % 26)}-z{n}]*[a-z]x"' for n in range(5000)) + "]",
        "too many patterns": "exclude = [" + '"a*b",' * 50_000 + "]",
        "endings": "documents = [" + ",".join(f'".x{n}"' for n in range(900)) + "]",
        "too many endings": "documents = [" + '".md",' * 5000 + "]",
        "a long pattern": f'exclude = ["{"*a" * 2000}"]',
        "not text": "strict = \udcff\udcfe",
        "huge numbers": "[capture]\nkeep-days = 9223372036854775807\nkeep-megabytes = 9223372036854775807",
        "no numbers": "[research]\nprices = [nan, inf]",
        "wrong types": "exclude = {a = 1}\nbaseline = []\ncapture = 1",
    }
    for name, text in shapes.items():
        data = text.encode("utf-8", "surrogateescape")
        yield "settings files", name, _write("pincite.toml", data), _CHECK
        yield "settings files", f"{name} in pyproject", _write_pyproject(data), _CHECK
    yield "settings files", "huge numbers", _write("pincite.toml", shapes["huge numbers"]), ("gc", "--dry-run")


def _write_pyproject(data: bytes) -> object:
    def change(folder: Path) -> None:
        (folder / "pincite.toml").unlink()
        head = b"[tool.pincite]\n"
        data_there = data.replace(b"\n[", b"\n[tool.pincite.").replace(b"[tool.pincite.[", b"[[tool.pincite.")
        (folder / "pyproject.toml").write_bytes(head + data_there)

    return change


def _value_attempts(random: Random) -> Iterator[_Planned]:
    """Every setting with texts that are no path, no name and no pattern."""
    for key, command in _KEYS.items():
        for text in _TEXTS:
            yield "settings values", f"{key} = {text[:30]}", _write("pincite.toml", _setting(key, f'"{text}"')), command
    for key in _LISTS:
        for text in random.sample(_TEXTS, 12):
            yield (
                "settings values",
                f"{key} = [{text[:30]}]",
                _write("pincite.toml", _setting(key, f'["{text}"]')),
                _CHECK,
            )


def _setting(key: str, value: str) -> str:
    table, _, name = key.rpartition(".")
    return f"[{table}]\n{name} = {value}\n" if table else f"{name} = {value}\n"


def _make_special(path: Path, what: str) -> None:
    _remove(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "link to a pipe":
        pipe = path.parent / "a-pipe"
        if not pipe.exists():
            os.mkfifo(pipe)
        path.symlink_to("a-pipe")
    elif what == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            # The name of a socket is short, so it is made from its folder.
            here = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                server.bind(f"/proc/self/fd/{here}/{path.name}")
            finally:
                os.close(here)
    elif what == "sparse giant":
        with path.open("wb") as stream:
            stream.truncate(1 << 36)
    else:
        path.symlink_to(what)


_SPECIAL = ("pipe", "folder", "socket", "link to a pipe", "/dev/zero", "/dev/tty", "/dev/full", "sparse giant")


def _put_special(name: str, what: str) -> object:
    return lambda folder: _make_special(folder / name, what)


def _special_attempts(random: Random) -> Iterator[_Planned]:
    """Something else in the place of every file that a command reads."""
    for name, command in _READERS.items():
        for what in _SPECIAL:
            yield "special files", f"{name} is {what}", _put_special(name, what), command
    for name in (".pincite", ".research/t", ".aiwg/research/corpus", "evidence", "docs", ".pincite/history"):
        yield "special files", f"{name} is a pipe", _put_special(name, "pipe"), _CHECK
    for name in ("baseline.txt", "other.txt"):
        words = ("check", "--baseline", name, "--update-baseline")
        yield "special files", f"{name} is a pipe", _put_special(name, "pipe"), words


def _git_attempts(random: Random) -> Iterator[_Planned]:
    """Something else in the place of git's own files."""
    for name in _GIT_FILES:
        for what in _SPECIAL:
            yield "files of git", f"{name} is {what}", _put_special(f".git/{name}", what), _CHECK
    for name in (".gitignore", ".gitattributes", ".mailmap", ".gitmodules"):
        for what in ("pipe", "link to a pipe", "/dev/zero"):
            yield "files of git", f"{name} is {what}", _put_special(name, what), _CHECK
    yield "files of git", "docs/.gitignore is a pipe", _put_special("docs/.gitignore", "pipe"), _CHECK
    yield "files of git", "docs/.gitattributes is a pipe", _put_special("docs/.gitattributes", "pipe"), _CHECK
    yield "files of git", "objects are pipes", _make_objects_special, _CHECK
    yield "files of git", "the settings include a pipe", _include_special, _CHECK


def _make_objects_special(folder: Path) -> None:
    for path in (folder / ".git/objects").glob("??/*"):
        _make_special(path, "pipe")


def _include_special(folder: Path) -> None:
    _make_special(folder / "included", "pipe")
    with (folder / ".git/config").open("a") as stream:
        stream.write("[include]\n\tpath = ../included\n")


def _damage_attempts(random: Random) -> Iterator[_Planned]:
    """Bytes that are no text, depth, numbers and names beyond all measure in what is parsed."""
    shapes = {
        "not UTF-8": b'{"version": 1, "chunks": ["\xff\xfe"]}\n\xff: \xfe\n',
        "not UTF-8 in a name": b'{"\xff": 1, "version": 1}',
        "deep": b"[" * 100_000,
        "deep objects": b'{"a":' * 50_000,
        "deep YAML": b"".join(b" " * n + b"a:\n" for n in range(400)),
        "flow YAML": b"a: " + b"[" * 60_000,
        "huge number": b'{"version": ' + b"9" * 50_000 + b"}",
        "huge exponent": b'{"version": 1e999999, "chunks": 1e308}\nyear: 1e999999\n',
        "lone surrogate": b'{"version": 1, "chunks": "\\ud800"}\ntitle: "\\ud800"\n',
        "duplicates": b'{"version": 1, "version": 2, "chunks": [], "chunks": [1]}\na: 1\na: 2\n',
        "long name": b'{"' + b"k" * 300_000 + b'": 1}\n' + b"k" * 300_000 + b": 1\n",
        "NUL": b"\0" * 5000,
        "empty": b"",
        "control characters": bytes(range(32)) * 50,
        "byte order mark": b"\xff\xfe{\0}\0",
        "anchors": b"a: &a [*a, *a]\nb: *a\n",
    }
    for name, command in _READERS.items():
        for shape, data in shapes.items():
            yield "damaged files", f"{name} is {shape}", _write(name, data), command
        for _ in range(6):
            seed = random.getrandbits(32)
            yield "damaged files", f"{name} mutated {seed}", _mutate(name, seed), command


def _mutate(name: str, seed: int) -> object:
    def change(folder: Path) -> None:
        path = folder / name
        data = bytearray(path.read_bytes() if path.is_file() else json.dumps({"version": 1}).encode())
        random = Random(seed)
        for _ in range(random.randint(1, 12)):
            at = random.randrange(len(data) + 1)
            data[at : at + random.randint(0, 3)] = random.choice(
                (b"\xff", b"\0", b"\xed\xa0\x80", b"{", b'"', b"-", b"\n")
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    return change
