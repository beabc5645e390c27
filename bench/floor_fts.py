"""The floor for indexing: put passages that are in memory already into a bare FTS5 table. Prints seconds and CPU."""

import os
import sqlite3
import sys
from time import monotonic, process_time

from msgspec.msgpack import decode

with open(sys.argv[1], "rb") as stream:
    passages = [(text,) for text in decode(stream.read(), type=list[str])]
for suffix in ("", "-journal"):
    if os.path.exists(sys.argv[2] + suffix):
        os.unlink(sys.argv[2] + suffix)
connection = sqlite3.connect(sys.argv[2], isolation_level=None)
connection.execute("CREATE VIRTUAL TABLE passage USING fts5 (text)")
started, spent = monotonic(), process_time()
connection.execute("BEGIN")
connection.executemany("INSERT INTO passage (text) VALUES (?)", passages)
connection.execute("COMMIT")
print(monotonic() - started, process_time() - spent)
