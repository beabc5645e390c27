"""What an editor waits for: a language server in a repository of many documents, measured from the client's side.

    python bench/lsp.py [--documents N] [--edits N]

Times pass on a machine that may be busy: beside each stands how long an empty request took at the time. Memory is that
of the server's own process; its child processes are named apart. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from threading import Condition, Thread
from time import perf_counter, sleep
from typing import Any

from measure import PINCITE, SOURCE
from trees import Prose

BARS = {"first": 300.0, "edit p95": 100.0, "hover": 50.0, "memory": 150.0}
DEBOUNCE = 250.0
"""Milliseconds that the server waits after an edit."""
_PATIENCE = 300.0
_FILES = 200
_PER_DOCUMENT = 5


def make_repository(folder: Path, documents: int) -> None:
    """Documents with citations that hold, in two commits: the second moves the lines of every tenth source file."""
    prose = Prose(1)
    sources = {}
    for number in range(_FILES):
        sources[f"src/module_{number}.py"] = prose.code()
    for number in range(documents):
        cited = []
        for _ in range(_PER_DOCUMENT):
            path = prose.random.choice(list(sources))
            line = prose.random.randrange(5, len(sources[path]) - 10)
            cited.append(f"【F:{path}†L{line}-L{line + 3}】")
        write(folder / f"docs/part_{number % 50}/page_{number}.md", prose.document(f"Page {number}", cited))
    for path, lines in sources.items():
        write(folder / path, "\n".join(lines) + "\n")
    run_git(folder, "init", "-q", "-b", "main")
    commit(folder)
    for number in range(0, _FILES, 10):
        path = f"src/module_{number}.py"
        write(folder / path, "# moved\n# down\n" + "\n".join(sources[path]) + "\n")
    commit(folder)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run_git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=b", "-c", "user.email=b@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def commit(folder: Path) -> None:
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "state")


class Client:
    """A client that keeps the time at which each message came."""

    def __init__(self, folder: Path, cache: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
        environment = {**kept, "PYTHONPATH": SOURCE, "PINCITE_CACHE": cache}
        self.started = perf_counter()
        self.process = subprocess.Popen(
            [*PINCITE, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.folder = folder
        self._messages: list[tuple[float, dict[str, Any]]] = []
        self._came = Condition()
        self._number = 0
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            size = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            body = stream.read(size)
            now = perf_counter()
            with self._came:
                self._messages.append((now, json.loads(body)))
                self._came.notify_all()

    def send(self, method: str, params: Any, number: int | None = None) -> float:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if number is None else {**message, "id": number}).encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()
        return perf_counter()

    def wait(self, fits: Callable[[dict[str, Any]], bool], since: float) -> tuple[float, dict[str, Any]]:
        """The first message after a time that fits, and when it came."""

        def find() -> tuple[float, dict[str, Any]] | None:
            return next((one for one in self._messages if one[0] >= since and fits(one[1])), None)

        with self._came:
            if not self._came.wait_for(lambda: find() is not None, _PATIENCE):
                raise SystemExit("the server did not answer")
            found = find()
        assert found is not None
        return found

    def ask(self, method: str, params: Any) -> tuple[float, dict[str, Any]]:
        """Milliseconds that a request took, and its answer."""
        self._number += 1
        number = self._number
        sent = self.send(method, params, number)
        came, answer = self.wait(lambda one: one.get("id") == number and "method" not in one, 0.0)
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return (came - sent) * 1000, answer

    def wait_for_problems(self, uri: str, version: int, since: float) -> float:
        """Milliseconds until the problems of a version were sent."""
        came, _ = self.wait(
            lambda one: (
                one.get("method") == "textDocument/publishDiagnostics"
                and one["params"]["uri"] == uri
                and one["params"].get("version") == version
            ),
            since,
        )
        return (came - since) * 1000

    def megabytes(self, which: str = "VmRSS") -> float:
        """The resident memory of the server's process."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(row.split()[1]) / 1024 for row in rows if row.startswith(which + ":"))

    def end(self) -> None:
        self.ask("shutdown", None)
        self.send("exit", None)
        self.process.wait(60)


def measure(folder: Path, cache: str, edits: int) -> dict[str, float]:
    """The figures of one session."""
    client = Client(folder, cache)
    start, _ = client.ask(
        "initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {"textDocument": {}}}
    )
    client.send("initialized", {})
    found: dict[str, float] = {"start": start}
    name = "docs/part_1/page_1.md"
    uri, text = (folder / name).as_uri(), (folder / name).read_text(encoding="utf-8")
    row = next(number for number, line in enumerate(text.split("\n")) if "【" in line)
    column = text.split("\n")[row].index("【") + 4
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    sent = client.send("textDocument/didOpen", {"textDocument": item})
    found["first"] = client.wait_for_problems(uri, 1, sent)
    place = {"textDocument": {"uri": uri}, "position": {"line": row, "character": column}}
    found["index"] = client.ask("textDocument/references", {**place, "context": {"includeDeclaration": False}})[0]
    others = []
    for number in range(2, 22):
        other = f"docs/part_{number % 50}/page_{number}.md"
        words = (folder / other).read_text(encoding="utf-8")
        address = (folder / other).as_uri()
        item = {"uri": address, "languageId": "markdown", "version": 1, "text": words}
        others.append(client.wait_for_problems(address, 1, client.send("textDocument/didOpen", {"textDocument": item})))
    found["open, 20 more, median"] = median(others)
    found["open, 20 more, slowest"] = max(others)
    delays = []
    for number in range(edits):
        change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "x"}
        identity = {"uri": uri, "version": number + 2}
        sent = client.send("textDocument/didChange", {"textDocument": identity, "contentChanges": [change]})
        delays.append(client.wait_for_problems(uri, number + 2, sent) - DEBOUNCE)
    delays.sort()
    found["edit median"], found["edit p95"] = median(delays), delays[int(len(delays) * 0.95)]
    if client.ask("textDocument/hover", place)[1]["result"] is None:
        raise SystemExit("there is nothing under the cursor")
    hovers = sorted(client.ask("textDocument/hover", place)[0] for _ in range(50))
    found["hover"], found["hover median"] = hovers[int(len(hovers) * 0.95)], median(hovers)
    found["references"] = median(
        client.ask("textDocument/references", {**place, "context": {"includeDeclaration": False}})[0] for _ in range(10)
    )
    empty = {"textDocument": {"uri": "file:///nowhere.md"}, "position": {"line": 0, "character": 0}}
    found["empty request"] = median(client.ask("textDocument/hover", empty)[0] for _ in range(50))
    sleep(1.0)
    found["memory"], found["memory at most"] = client.megabytes(), client.megabytes("VmHWM")
    client.end()
    return found


def main() -> int:
    """Measure, print the table; 1 while a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--edits", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as top:
        folder = Path(top).resolve() / "repository"
        make_repository(folder, options.documents)
        cold = measure(folder, os.path.join(top, "cache"), options.edits)
        warm = measure(folder, os.path.join(top, "cache"), options.edits)
    print(f"{options.documents:,} documents; load {os.getloadavg()[0]:.1f}\n")
    print("| what | first session | second session | bar | met? |\n| --- | ---: | ---: | ---: | --- |")
    met = True
    for name in cold:
        unit = "MB" if "memory" in name else "ms"
        bar = BARS.get(name)
        fits = bar is None or max(cold[name], warm[name]) <= bar
        met = met and fits
        limit = f"≤ {bar:g} {unit}" if bar is not None else ""
        said = "" if bar is None else "yes" if fits else "no"
        print(f"| {name} | {cold[name]:.1f} {unit} | {warm[name]:.1f} {unit} | {limit} | {said} |")
    print(json.dumps({"documents": options.documents, "cold": cold, "warm": warm, "bars": BARS}))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
