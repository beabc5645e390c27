"""Kill `pincite index` at random moments: the index opens, is sound, and the next run completes it.

PINCITE_KILLS=100 python -m pytest tests/domains/retrieval/test_kill.py

Each trial changes a part of the documents and kills the command with SIGKILL, alone or with its workers, at a moment
between its start and its end. Afterwards the database must be sound, every hit must stand word for word in its
document, and the next refresh must give the same passages as an index that nobody disturbed.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from time import monotonic, sleep

from pincite.safe.files import Root
from pincite.search.index import Index
from pincite.store.cache_folder import root_cache_path
from pincite.store.search_index import IndexStore


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


KILLS = int(os.environ.get("PINCITE_KILLS", "6"))
SOURCE = Path(__file__).resolve().parents[3] / "src"
# The same command with many more moments at which something becomes visible.
EAGER = (
    sys.executable,
    "-c",
    "from pincite.search import refresh as r; r._SLICE = 40; "
    "from pincite.store import search_index as s; s._BATCH = 50; "
    "from pincite.doors.cli.main import main; main()",
)
PLAIN = (sys.executable, "-m", "pincite")
FILES = 400


def write(top: Path, chance: random.Random, share: float) -> None:
    """Give a part of the documents other contents, and let some come and go."""
    for at in range(FILES):
        if chance.random() >= share:
            continue
        place = top / f"{at % 9}" / f"{at}.md"
        place.parent.mkdir(exist_ok=True)
        if chance.random() < 0.1:
            place.unlink(missing_ok=True)
        else:
            words = " ".join(f"w{chance.randrange(500)}" for _ in range(60))
            place.write_text(f"# Title {at}\n\ncommon {words}\n\n## Part\n\ncommon readText{chance.randrange(50)}\n")


def start(top: Path, chance: random.Random) -> subprocess.Popen[bytes]:
    command = [*(EAGER if chance.random() < 0.7 else PLAIN), "index", "--jobs", chance.choice("12")]
    if chance.random() < 0.2:
        command.append("--rebuild")
    return subprocess.Popen(
        command,
        cwd=top,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def kill(child: subprocess.Popen[bytes], group: bool) -> bool:
    """End it, with its workers where asked; gives whether it was still at work."""
    if group and child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    _, said = child.communicate()
    assert b"Traceback" not in said, said.decode()
    return child.returncode == -signal.SIGKILL


def is_sound(top: Path) -> None:
    """The database opens as it was left, every hit stands in its document, and SQLite finds nothing wrong."""
    with Root(str(top)) as root:
        store = IndexStore.open(root, write=False)
        if store is None:
            return
        with store:
            known = store.list_documents()
            assert all(len(stored.read_passages()) == stored.count for stored in store.documents())
            spans = sorted((one.base, one.base + max(one.count, 1)) for one in known.values())
            assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))
    connection = sqlite3.connect(kept(top) / "index.db", isolation_level=None)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO passage (passage) VALUES ('integrity-check')")
        (rows,) = connection.execute("SELECT count(*) FROM passage_docsize").fetchone()
        dead = connection.execute("SELECT value FROM state WHERE name = 'dead'").fetchone()
        live = sum(one.count for one in known.values())
        assert rows == live + int.from_bytes(dead[0] if dead else b"", "big")
    finally:
        connection.close()


def hits_are_verbatim(top: Path) -> None:
    with Index.open(top) as index:
        for query in ("common", "w7 w8", "title", "readText3"):
            for hit in index.search(query, 50):
                text = Path(hit.document.file_path).read_text()
                assert text[hit.chunk.start_offset : hit.chunk.end_offset] == hit.chunk.content


def passages(top: Path) -> list[tuple[str, bytes, bytes]]:
    with Index.open(top) as index:
        index.refresh()
        return sorted((stored.path, stored.digest, stored.passages) for stored in index.store.documents())


def undisturbed(top: Path, aside: Path) -> list[tuple[str, bytes, bytes]]:
    """What an index made in one go holds."""
    rmtree(aside, ignore_errors=True)
    aside.mkdir()
    kept(top).rename(aside / "kept")
    try:
        return passages(top)
    finally:
        rmtree(kept(top))
        (aside / "kept").rename(kept(top))


def test_killed_while_indexing(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("PINCITE_SEED", "1"))
    top = tmp_path / "top"
    top.mkdir()
    write(top, chance, 1.0)
    began = monotonic()
    done = start(top, chance)
    done.communicate()
    whole = monotonic() - began
    killed = 0
    for number in range(KILLS):
        if number % 5 == 0:
            rmtree(kept(top))
        write(top, chance, chance.choice((0.05, 0.5, 1.0)))
        child = start(top, chance)
        # Most of a run is the start of Python; what matters comes after it.
        sleep(chance.uniform(0.2, 1.1) * whole)
        killed += kill(child, chance.random() < 0.5)
        if (kept(top) / "index.db").exists():
            is_sound(top)
        hits_are_verbatim(top)
        completed = passages(top)
        is_sound(top)
        assert completed == undisturbed(top, tmp_path / "aside")
    assert killed >= KILLS // 4
