"""Keeping the store small and sound: dropping what is not wanted, and comparing everything with its digest."""

from __future__ import annotations

import os
from contextlib import suppress

from . import KEY
from .captures import Captures
from .database import Damaged, translate_sqlite_errors
from .output_files import OUTPUT, PIECE, Output, is_held, list_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Upkeep(Captures):
    """The captures of one root, to be tidied up and examined."""

    def forget(self, chunks: Iterable[tuple[int, int]], runs: Iterable[int] = ()) -> None:
        """Drop chunks, by run and sequence, and whole runs; unreferenced texts go with `sweep`."""
        with self._transaction():
            self._db.executemany("DELETE FROM chunk WHERE run = ? AND sequence = ?", chunks)
            for run in runs:
                self._db.execute("DELETE FROM chunk WHERE run = ?", (run,))
                self._db.execute("DELETE FROM run WHERE id = ?", (run,))

    def sweep(self) -> int:
        """Remove the bytes of texts that no chunk refers to; how many bytes the disk got back."""
        before = self.size()
        with self._transaction():
            self._db.execute("DELETE FROM text WHERE id NOT IN (SELECT text FROM chunk)")
        # What a recorder that was just killed had written without a row is not ours to drop: `recover` takes it up.
        unfinished = {file for (file,) in self._all("SELECT file FROM run WHERE state = 'running'", ())}
        filled = dict(self._all("SELECT file, sum(length) FROM text GROUP BY file", ()))
        for name in set(list_output(self._root)) - unfinished:
            output = Output.resume(self._root, name)
            if output is not None:
                with output:
                    if filled.get(name, 0) < output.end:
                        self._compact(output)
        with translate_sqlite_errors(self._path):
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return before - self.size()

    def _compact(self, output: Output) -> None:
        """Rewrite an output file without what is unreferenced; remove it where nothing is left."""
        with self._transaction():
            live = self._db.execute(
                "SELECT id, start, length FROM text WHERE file = ? ORDER BY start", (output.name,)
            ).fetchall()
            kept = sum(length for _, _, length in live)
            if live and kept >= output.end:
                return
            if live:
                with Output.make(self._root) as fresh:
                    for number, start, length in live:
                        place = (fresh.name, fresh.end, number)
                        self._db.execute("UPDATE text SET file = ?, start = ? WHERE id = ?", place)
                        for at in range(start, start + length, PIECE):
                            fresh.write([output.read(at, min(PIECE, start + length - at))])
                    fresh.sync()
        output.remove()

    def size(self) -> int:
        """Bytes on disk: the database and every output file."""
        total = 0
        for suffix in ("", "-wal"):
            with suppress(OSError):
                total += os.stat(self._path + suffix).st_size
        infos = (self._root.stat(f"{OUTPUT}/{name}") for name in list_output(self._root))
        return total + sum(info.st_size for info in infos if info is not None)

    def examine(self) -> Iterator[tuple[str, str]]:
        """Compare every text with its digest: digest and what is wrong with it, empty where nothing is."""
        for digest, file, start, length in self._all(
            "SELECT digest, file, start, length FROM text ORDER BY file, start", ()
        ):
            if [type(value) for value in (digest, file, start, length)] != [str, str, int, int]:
                yield str(digest), f"{KEY}: its row is damaged"
                continue
            try:
                intact = self.digest_of(file, start, length) == digest
                gone = not intact and is_held(self._root, file) is None
                yield digest, "" if intact else f"{OUTPUT}/{file}: {'is gone' if gone else 'its bytes changed'}"
            except Damaged as error:
                yield digest, str(error)

    def list_used_files(self) -> set[str]:
        """The names of the output files that something refers to."""
        rows = self._all("SELECT file FROM text UNION SELECT file FROM run WHERE state = 'running'", ())
        return {str(file) for (file,) in rows}

    def faults(self) -> list[str]:
        """What is wrong with the database itself, in SQLite's words, and chunks without a text."""
        with translate_sqlite_errors(self._path):
            rows = [text for (text,) in self._db.execute("PRAGMA integrity_check(20)") if text != "ok"]
            lone = self._db.execute(
                "SELECT run, sequence FROM chunk WHERE text NOT IN (SELECT id FROM text) LIMIT 20"
            ).fetchall()
        rows += [f"run {run}, chunk {number}: its text is gone" for run, number in lone]
        return list(map(str, rows))
