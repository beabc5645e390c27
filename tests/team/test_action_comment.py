"""The one comment on a pull request, written to a host that answers on the loopback."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlparse

import pytest

from support_action import ACTION, HOSTILE, SCRIPTS, Runner

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from conftest import Scratch

TOP = Path(__file__).resolve().parents[2]
MARKER = "<!-- pincite: this comment is renewed with every run -->"
BOT = "github-actions[bot]"
SOURCE = "def area(r):\n    return 3.14159 * r * r\n"


class Host:
    """Keeps the comments of pull request 7 of `o/r`, as far as a token allows."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str, str]] = []
        self.status = 0
        """An answer to give to everything that writes."""
        self.answer = b""
        """What to answer instead of the comments."""
        self.late: list[dict[str, Any]] = []
        """Comments that come while another one is being written."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add(self, body: str, login: str = BOT) -> None:
        self.comments.append({"id": 100 + len(self.comments), "body": body, "user": {"login": login}})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        host = self

        class Handler(BaseHTTPRequestHandler):
            def _respond(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                data = json.loads(self.rfile.read(size)) if size else {}
                host.asked.append((self.command, self.path, self.headers["Authorization"]))
                status, answer = host.respond(self.command, self.path, data)
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PATCH = do_DELETE = _respond

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def respond(self, method: str, path: str, data: dict[str, Any]) -> tuple[int, bytes]:
        place = urlparse(path)
        one = re.fullmatch(r"/repos/o/r/issues/comments/(\d+)", place.path)
        if method == "GET" and place.path == "/repos/o/r/issues/7/comments":
            page = int(parse_qs(place.query)["page"][0])
            return 200, self.answer or json.dumps(self.comments[100 * page - 100 : 100 * page]).encode()
        if self.status:
            return self.status, b'{"message": "::error::no"}'
        if method == "POST" and place.path == "/repos/o/r/issues/7/comments":
            self.comments += self.late
            self.comments.append({"id": 1000 + len(self.comments), "body": data["body"], "user": {"login": BOT}})
            return 201, b"{}"
        known = [comment for comment in self.comments if one and comment["id"] == int(one[1])]
        if method == "PATCH" and known:
            known[0]["body"] = data["body"]
            return 200, b"{}"
        if method == "DELETE" and known:
            self.comments.remove(known[0])
            return 204, b""
        return 404, b"{}"

    def own(self) -> list[str]:
        return [one["body"] for one in self.comments if one["user"]["login"] == BOT]


@pytest.fixture
def host() -> Iterator[Host]:
    made = Host()
    yield made
    made.close()


@pytest.fixture
def runner(scratch: Scratch, command: Path, tmp_path: Path) -> Runner:
    made = Runner(scratch, command, tmp_path / "runner")
    python = made.temp / "pincite" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    scratch.write("src/shapes.py", SOURCE)
    scratch.write("docs/guide.md", "The area 【F:src/shapes.py†L1-L2】.\n")
    scratch.git("commit", "--quiet", "-m", "first")
    return made


def comment(runner: Runner, host: Host, **given: str) -> CompletedProcess[str]:
    """Run the check and the comment as the action does."""
    runner.output.unlink(missing_ok=True)
    runner.run("check", base="HEAD~1")
    inputs = {"base": "HEAD~1", "github_token": "secret-token", "github_repository": "o/r"}
    inputs |= {"github_event_pull_request_number": "7"} | given
    runner.scratch.env["GITHUB_API_URL"] = host.address
    return runner.run("comment", **inputs)


def move(runner: Runner) -> None:
    runner.scratch.write("src/shapes.py", "import math\n\n" + SOURCE)
    runner.scratch.git("commit", "--quiet", "-m", "second")


def test_a_change_that_moves_a_citation_is_commented_once(runner: Runner, host: Host) -> None:
    move(runner)
    done = comment(runner, host)
    assert (done.returncode, done.stdout) == (0, "Comment on the pull request: created.\n")
    (body,) = host.own()
    assert body.startswith(MARKER)
    assert "moves 1" in body
    assert "<code>src/shapes.py:3-4</code>" in body
    assert body.count("### ") == 2
    done = comment(runner, host)
    assert done.stdout == "Comment on the pull request: renewed.\n"
    assert host.own() == [body]
    assert {one[2] for one in host.asked} == {"Bearer secret-token"}
    # What says the same already is not written again.
    assert [one[0] for one in host.asked].count("PATCH") == 0


def test_the_comment_is_renewed_when_the_change_is_repaired(runner: Runner, host: Host) -> None:
    move(runner)
    comment(runner, host)
    runner.scratch.run("pincite", "fix", "--write")
    runner.scratch.git("commit", "--quiet", "--all", "--amend", "-m", "second")
    assert "renewed" in comment(runner, host).stdout
    (body,) = host.own()
    assert "moves" not in body


def test_nothing_is_said_where_there_is_nothing_to_say(runner: Runner, host: Host) -> None:
    runner.scratch.write("README.md", "Hello.\n")
    runner.scratch.git("commit", "--quiet", "-m", "second")
    assert comment(runner, host).stdout == "Comment on the pull request: not needed.\n"
    assert host.comments == []


def test_comments_of_others_are_left_alone(runner: Runner, host: Host) -> None:
    for at in range(130):
        host.add(f"{MARKER}\nforged" if at % 2 else "hello", "somebody")
    host.add(f"{MARKER}\nold")
    before = [dict(one) for one in host.comments[:-1]]
    move(runner)
    assert "renewed" in comment(runner, host).stdout
    assert host.comments[:-1] == before
    assert "moves 1" in host.own()[0]


def test_doubles_are_removed(runner: Runner, host: Host) -> None:
    for text in ("one", "two", "three"):
        host.add(f"{MARKER}\n{text}")
    move(runner)
    comment(runner, host)
    assert [one["id"] for one in host.comments] == [100]


def test_a_run_at_the_same_time_leaves_one(runner: Runner, host: Host) -> None:
    host.late = [{"id": 5, "body": f"{MARKER}\nof the other run", "user": {"login": BOT}}]
    move(runner)
    comment(runner, host)
    assert [one["id"] for one in host.comments] == [5]
    assert "moves 1" in host.own()[0]


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (401, "may not write comments"),
        (403, "may not write comments"),
        (404, "may not write comments"),
        (302, "the host answered with 302"),
        (500, "the host answered with 500"),
    ],
)
def test_without_permission_the_job_summary_has_it(runner: Runner, host: Host, status: int, why: str) -> None:
    host.status = status
    move(runner)
    done = comment(runner, host)
    assert done.returncode == 0
    assert done.stdout.startswith("::notice title=pincite::No comment was written: ")
    assert why in done.stdout
    assert done.stdout.count("\n") == 1
    assert "secret-token" not in done.stdout
    summary = runner.summary.read_text(encoding="utf-8")
    assert "moves 1" in summary
    assert summary.count("citations") < 5


@pytest.mark.parametrize("answer", [b"nonsense", b"{}", b"[1]", b'[{"id": "x", "body": null}]', b"[" * 100_000])
def test_a_host_that_answers_anything(runner: Runner, host: Host, answer: bytes) -> None:
    host.answer = answer
    move(runner)
    done = comment(runner, host)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout


def test_a_host_that_is_not_there(runner: Runner, host: Host) -> None:
    move(runner)
    host.close()
    done = comment(runner, host)
    assert done.returncode == 0
    assert "the host could not be asked" in done.stdout


@pytest.mark.parametrize("value", HOSTILE[::3])
@pytest.mark.parametrize("name", ["base", "github_repository", "github_event_pull_request_number", "github_token"])
def test_hostile_values_are_data(runner: Runner, host: Host, name: str, value: str) -> None:
    move(runner)
    done = comment(runner, host, **{name: value})
    assert done.returncode == 0, done.stdout
    assert "Traceback" not in done.stdout
    assert not list(runner.scratch.path.rglob("pwned"))


def test_a_long_report_is_cut_at_a_line(runner: Runner, host: Host, tmp_path: Path) -> None:
    many = "".join(f"Claim {at} of many {'x' * 80} 【F:src/shapes.py†L1-L2】.\n\n" for at in range(900))
    runner.scratch.write("docs/long.md", many)
    runner.scratch.git("commit", "--quiet", "-m", "second")
    move(runner)
    comment(runner, host)
    (body,) = host.own()
    assert 50_000 < len(body) <= 64_000
    assert body.endswith("… The rest is in the summary of the job.\n")


def test_the_step_runs_only_where_it_is_asked_for() -> None:
    step = SCRIPTS["comment"]
    assert "inputs.comment == 'true'" in step["if"]
    assert "github.event.pull_request.number > 0" in step["if"]
    assert ACTION["inputs"]["comment"]["default"] == "false"
