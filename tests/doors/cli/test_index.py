"""`pincite index`: documents to passages."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import sleep

import pytest

from pincite.core.limits import LIMITS
from pincite.safe.files import Root
from pincite.search.document_text import take_in
from pincite.search.index import Index
from pincite.store.cache_folder import root_cache_path
from pincite.text.lines import decode


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


Run = Callable[..., tuple[int, str, str]]
TOP = Path(__file__).resolve().parents[3]
PINCITE = [sys.executable, "-m", "pincite"]
FILES = {
    "guide.md": "# Guide\n\nIntro.\n\n## Setup\n\nRun it.\n",
    "notes.rst": "Notes\n=====\n\nWords.\n\nDeep\n----\n\nMore words.\n",
    "plain.txt": "One paragraph.\n\nAnother.\n",
    "src/tool.py": "import os\n\n\nclass Tool:\n    def run(self):\n        return os\n",
    "page.html": "<title>Page</title><h1>Top</h1><p>Fish &amp; chips.</p><h2>Sub</h2><p>Tea.</p>",
}


@pytest.fixture
def index(in_folder: Run) -> Run:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "index")


def write(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8", newline="")
    sleep(0.04)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", **more}


def plain(said: str) -> str:
    return re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', said)


def test_what_is_kept_is_what_the_documents_say(tmp_path: Path, index: Run, make_pdf: Callable[..., bytes]) -> None:
    write(tmp_path, FILES)
    pdf = make_pdf(["First page words.", "Second page words."], title="Paper", outline=[(0, "End", 2)])
    (tmp_path / "paper.pdf").write_bytes(pdf)
    code, out, err = index()
    assert (code, err) == (0, "")
    assert re.fullmatch(r"6 documents, \d+ passages: 6 added\.\n", out)
    seen: dict[str, list[tuple[object, ...]]] = {}
    with Index.open(tmp_path) as opened:
        for stored in opened.store.documents():
            data = (tmp_path / stored.path).read_bytes()
            assert stored.digest == sha256(data).digest()
            reading = take_in(stored.path, data, LIMITS)
            seen[stored.path] = []
            for kept in stored.read_passages():
                words = reading.text_between(kept.start, kept.end)
                assert kept.digest == sha256(words.encode()).digest()
                if stored.kind not in ("pdf", "html"):
                    text = decode(data)
                    assert words == text[kept.start : kept.end]
                    assert kept.first == text.count("\n", 0, kept.start) + 1
                    assert kept.last == text.count("\n", 0, kept.end - 1) + 1
                seen[stored.path].append((kept.headings, kept.page, words.split("\n")[-1]))
    assert seen["guide.md"] == [(("Guide",), 0, "Intro."), (("Guide", "Setup"), 0, "Run it.")]
    assert seen["notes.rst"] == [(("Notes",), 0, "Words."), (("Notes", "Deep"), 0, "More words.")]
    assert [row[0] for row in seen["plain.txt"]] == [()] * len(seen["plain.txt"])
    assert any("run" in headings[-1] for headings, *_ in seen["src/tool.py"] if headings)
    assert seen["page.html"] == [(("Top",), 0, "Fish & chips."), (("Top", "Sub"), 0, "Tea.")]
    assert [(page, words) for _, page, words in seen["paper.pdf"]] == [
        (1, "First page words."),
        (2, "Second page words."),
    ]


def test_what_was_done_is_said(tmp_path: Path, index: Run) -> None:
    write(tmp_path, FILES)
    index()
    assert index()[1].endswith(": 5 unchanged.\n")
    write(tmp_path, {"guide.md": "# New\n"})
    (tmp_path / "plain.txt").rename(tmp_path / "moved.txt")
    (tmp_path / "notes.rst").unlink()
    write(tmp_path, {"deep/er/new.md": "# New\n\nwords\n"})
    assert index()[1].endswith(": 1 added, 1 changed, 1 moved, 1 dropped, 2 unchanged.\n")
    assert index("--rebuild")[1].endswith(": 5 added.\n")


def test_an_empty_folder(index: Run) -> None:
    assert index() == (0, "0 documents, 0 passages: -.\n", "")


def test_json(tmp_path: Path, index: Run) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    code, out, err = index("--format", "json")
    assert (code, err, plain(out)) == (
        0,
        "",
        '{"schema":"pincite.index/1","documents":1,"passages":1,"added":1,"changed":0,"moved":0,"dropped":0,'
        '"unchanged":0,"skipped":[["bad.txt","not UTF-8 (byte 0xff at offset 0)"]],"seconds":0}\n',
    )


def test_what_was_skipped_is_said_and_fails_only_where_it_was_named(tmp_path: Path, index: Run) -> None:
    for at in range(12):
        (tmp_path / f"{at:02}\x1b.txt").write_bytes(b"\xff")
    code, _, err = index()
    assert (code, len(err.splitlines())) == (0, 11)
    assert err.startswith("skipped 00\\u{1b}.txt: not UTF-8 (byte 0xff at offset 0)\n")
    assert err.endswith("and 2 more; --format json names all\n")
    assert index("00\x1b.txt")[0] == 2


def test_only_a_part(tmp_path: Path, index: Run) -> None:
    write(tmp_path, FILES)
    assert index("src", "plain.txt")[1].startswith("2 documents")
    assert index("page.html")[1].endswith(": 1 added.\n")
    assert index()[1].endswith(": 2 added, 3 unchanged.\n")
    write(tmp_path, {"guide.md": "# Other\n", "plain.txt": "other\n"})
    assert index("guide.md")[1] == "5 documents, 8 passages: 1 changed.\n"


@pytest.mark.parametrize("path", ["nowhere", "nowhere/x.md", "../outside", "/", "a\nb"])
def test_a_path_that_cannot_be(tmp_path: Path, index: Run, path: str) -> None:
    code, out, err = index("--root", ".", path)
    assert (code, out, err.startswith("pincite: ")) == (2, "", True)


def test_a_root_that_is_not_there(index: Run) -> None:
    assert index("--root", "nowhere") == (2, "", "pincite: nowhere: no such folder; pass an existing one with --root\n")


@pytest.mark.parametrize("kind", ["file", "link", "folder in its place"])
def test_a_place_that_is_taken(tmp_path: Path, index: Run, kind: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = kept(tmp_path)
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    if kind == "file":
        place.write_text("x")
    elif kind == "link":
        place.symlink_to(tmp_path / "elsewhere")
    else:
        (place / "index.db").mkdir(parents=True)
        place.chmod(0o700)
    code, out, err = index()
    remedy = "remove what is there" if kind == "folder in its place" else "set PINCITE_CACHE"
    assert (code, out, err.startswith("pincite: "), remedy in err) == (2, "", True, True)
    assert not os.listdir(tmp_path / "elsewhere")


def test_names_that_terminals_would_obey(tmp_path: Path, index: Run) -> None:
    (tmp_path / "a\x1b[2J.md").write_bytes(b"\xff")
    _, out, err = index()
    assert "\x1b" not in out + err


def test_watch(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    command = [*PINCITE, "index", "--watch", "--interval", "0.1", "--format", "json"]
    child = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    lines = iter(child.stdout)

    def told(what: str) -> dict[str, int]:
        """The next line that tells of this; a file that is seen half written is told of twice."""
        return next(line for line in map(json.loads, lines) if line[what])

    try:
        assert told("added")["documents"] == 1
        write(tmp_path, {"a.md": "# B\n"})
        assert told("changed")["added"] == 0
        write(tmp_path, {"new/b.md": "# B\n\nwords\n"})
        assert told("added")["documents"] == 2
        (tmp_path / "new").rename(tmp_path / "newer")
        assert told("moved")["documents"] == 2
        write(tmp_path, {"new/b.md": "# Again\n"})
        assert told("added")["documents"] == 3
        (tmp_path / "a.md").unlink()
        assert told("dropped")["documents"] == 2
    finally:
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=30)
        finally:
            child.kill()
    assert (child.returncode, said.strip()) == (130, b"")


def test_two_at_once(tmp_path: Path) -> None:
    for at in range(200):
        write_one = tmp_path / f"{at % 5}/{at}.md"
        write_one.parent.mkdir(exist_ok=True)
        write_one.write_text(f"# T{at}\n\ncommon word{at}\n")
    sleep(0.04)
    children = [
        subprocess.Popen(
            [*PINCITE, "index", "--format", "json"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    told = []
    for child in children:
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err) == (0, b"")
        told.append(json.loads(out))
    assert sorted(one["added"] for one in told) == [0, 0, 200]
    assert {(one["documents"], one["passages"]) for one in told} == {(200, 200)}
    with Index.open(tmp_path) as opened:
        assert opened.store.counts() == (200, 200, 0)
        assert len(opened.search("common", 300)) == 200


def test_two_that_find_it_damaged(tmp_path: Path, index: Run) -> None:
    write(tmp_path, FILES)
    index()
    with open(kept(tmp_path) / "index.db", "r+b") as stream:
        stream.write(bytes(4096))
    command = [*PINCITE, "index"]
    children = [
        subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for child in children:
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err, out.startswith(b"5 documents")) == (0, b"", True)
    assert index()[1].endswith(": 5 unchanged.\n")


def test_search_while_indexing(tmp_path: Path, in_folder: Run) -> None:
    for at in range(300):
        (tmp_path / f"{at}.md").write_text(f"# T{at}\n\ncommon word{at}\n" * 5)
    in_folder("index")
    child = subprocess.Popen([*PINCITE, "index", "--rebuild"], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE)
    codes = set()
    while child.poll() is None:
        code, _, err = in_folder("search", "--no-refresh", "common", "--format", "json")
        codes.add(code)
        assert err == ""
    child.communicate()
    assert codes <= {0, 1} and codes
    assert in_folder("search", "common")[0] == 0


def test_it_looks_as_it_did(tmp_path: Path, terminal: Callable[..., str], snapshot: Callable[[str, str], None]) -> None:
    write(tmp_path, FILES)
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    seen = terminal([*PINCITE, "index"], tmp_path)
    sleep(0.04)
    write(tmp_path, {"new.md": "# New\n"})
    seen += terminal([*PINCITE, "index"], tmp_path)
    snapshot("index", seen)
