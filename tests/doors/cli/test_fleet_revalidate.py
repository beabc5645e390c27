"""`pincite fleet revalidate`: what it takes, what it says, and how it ends."""

from __future__ import annotations

import io
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.cli.main import main
from pincite.safe import fetch
from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address
from support_sites import NOT_FOUND, Sites, reply

HOST = "s0.site.example"
PAGE = f"https://{HOST}/page"
QUOTE = "The harbour is fourteen metres deep at low water."
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def all_sites() -> Iterator[Sites]:
    """A server for a few names."""
    found = Sites([f"s{number}.site.example" for number in range(4)])
    yield found
    found.close()


@pytest.fixture
def sites(all_sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Sites:
    """The server, with nothing said or asked yet."""
    all_sites.clear()
    monkeypatch.setattr(fetch, "new_fetcher", all_sites.make_fetcher)
    return all_sites


@pytest.fixture
def revalidate(
    tmp_path: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs the command in a folder of its own: (arguments) -> exit code, output, errors."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("PINCITE_DATABASE", raising=False)
    monkeypatch.delenv("PINCITE_FLEET_SNAPSHOTS", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["fleet", "revalidate", *arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def test_quotes_that_stand_and_one_that_does_not(revalidate: Run, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/page"] = reply(f"<p>{QUOTE}")
    (tmp_path / "list.jsonl").write_text(
        json.dumps({"url": PAGE, "quote": QUOTE, "cited_in": "repo:a.md"}) + f"\nhttps://{HOST}/other\n"
    )
    code, out, _ = revalidate("list.jsonl", "--once", "--delay", "0.1")
    assert code == 0
    assert out.splitlines()[0] == "2 sources added, 0 known already, 1 new quote"
    assert "2 pages visited" in out and "2 snapshots kept" in out
    assert "2 sources on 1 host: 2 same" in out and "1 quote: 1 stand" in out
    assert "next visit: 20" in out
    assert len(list((tmp_path / "data" / "pincite" / "snapshots").rglob("*.warc.gz"))) == 2
    sites.pages["/page"] = reply("<p>The harbour is nine metres deep at low water.")
    with open_store(parse_address(str(tmp_path / "data" / "pincite" / "fleet.db"))) as store:
        store.backend.run("UPDATE web_source SET due = 1")
        store.backend.run("UPDATE web_visit SET due = 1")
    code, out, _ = revalidate("--once", "--delay", "0.1", "--no-snapshots")
    assert code == 1
    assert out.splitlines()[:3] == [
        f"missing  {PAGE}: “{QUOTE}”",
        "  there is now: The harbour is nine metres deep at low water.",
        "  cited in repo:a.md",
    ]
    assert "1 changed, 1 same" in out
    code, out, _ = revalidate("--status", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["schema"] == "pincite.fleet-revalidate/1"
    assert found["counts"]["quotes"] == {"missing": 1}
    assert [(one["state"], one["url"]) for one in found["problems"]] == [("missing", PAGE)]
    assert found["visits"] is None


def test_a_page_that_is_gone(revalidate: Run, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/page"] = NOT_FOUND
    assert revalidate(PAGE, "--once", "--delay", "0.1")[0] == 0
    with open_store(parse_address(str(tmp_path / "data" / "pincite" / "fleet.db"))) as store:
        store.backend.run("UPDATE web_source SET due = 1, absent_days = 2, absent_day = 1")
        store.backend.run("UPDATE web_visit SET due = 1")
    code, out, _ = revalidate("--once", "--delay", "0.1")
    assert code == 1
    assert f"gone  {PAGE}" in out
    code, out, _ = revalidate("--list")
    assert code == 0
    assert out == f"gone       never seen            {PAGE}: it answered 404 Not Found\n"
    assert revalidate("--list", "--state", "same")[1] == ""
    (line,) = revalidate("--list", "--format", "json")[1].splitlines()
    assert json.loads(line)["state"] == "gone"


def test_standard_input_and_what_is_refused(revalidate: Run, sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = f"{PAGE}\nhttp://plain.example/\nhttps://user:hunter2@a.example/\n{{broken\n".encode()
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": io.BytesIO(lines)})())
    code, out, err = revalidate("-", "--once", "--delay", "0.1", "--every", "12h", "--no-snapshots")
    assert code == 0
    assert "1 source added" in out
    assert "standard input:2: http://plain.example/: not added: only HTTPS is fetched" in err
    assert "standard input:3: https://a.example/: not added: there is a user name in it" in err
    assert "standard input:4: not added" in err
    assert "hunter2" not in err + out


def test_a_long_quote_is_refused_without_the_query_of_its_page(revalidate: Run, sites: Sites, tmp_path: Path) -> None:
    long = json.dumps({"url": f"{PAGE}?token=s3cret", "quote": "x" * 10_001})
    (tmp_path / "list").write_text(f"{long}\n{PAGE}?kept=1\n")
    assert f"{PAGE}?…: not added: its quote has more than" in revalidate("list", "--once", "--delay", "0.1")[2]
    assert f"{PAGE}?kept=1" in revalidate("--list")[1]


@pytest.mark.parametrize(
    ("listed", "what"),
    [
        ('{"url": 5}\nftp://x\nnot a url\n', "nothing of what is listed can be visited"),
        ("# nothing yet\n", "no source is listed there"),
    ],
)
def test_a_list_of_which_nothing_can_be_used(
    revalidate: Run, sites: Sites, tmp_path: Path, listed: str, what: str
) -> None:
    (tmp_path / "list").write_text(listed)
    code, out, err = revalidate("list", "--once")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"pincite: list: {what}; nothing was visited"
    assert err.count("warning: list:") == listed.count("\n") - listed.count("#")
    # What is known already can be used.
    (tmp_path / "list").write_text(f"{PAGE}\n")
    assert [revalidate("list", "--once", "--delay", "0.1")[0] for _ in range(2)] == [0, 0]


def test_pause_resume_forget(revalidate: Run, sites: Sites, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{PAGE}\n")
    assert revalidate("--pause", HOST.upper(), "--pause-all")[1] == f"{HOST}: paused\nall hosts are paused\n"
    code, out, _ = revalidate("list", "--once", "--delay", "0.1")
    assert (code, sites.requests) == (0, [])
    assert f"{HOST}: paused" in out and "1 due now" in out
    assert revalidate("--resume-all")[1] == "all hosts: may be asked again\n"
    assert revalidate("--resume", PAGE)[1] == f"{HOST}: not paused\n"
    revalidate("--once", "--delay", "0.1", "--no-snapshots", "-q")
    assert sites.paths() == ["/page"]
    assert revalidate("--forget", "list")[1] == "list: 1 citation forgotten\n"
    assert "0 sources on" in revalidate("--status")[1]
    assert revalidate("--pause", HOST, "--status")[1].splitlines()[:2] == [
        f"{HOST}: paused",
        "0 sources on 1 host: none",
    ]
    assert json.loads(revalidate("--resume", HOST, "--status", "--format", "json")[1])["hosts"] == []
    assert revalidate("--resume-all", "-q")[1] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt: there is no such file or folder"),
        (["."], "there is no research topic below .research"),
        (["--every", "7 days"], "'7 days' is no period; write 12h or 7d"),
        (["--every", "5s"], "no period"),
        (["--every", "900d"], "no period"),
        (["--delay", "0"], "0.1<=x"),
        (["--pause", "not a host"], "name a host"),
        (["https://user:s3cret@a.example/?token=s3cret"], "https://a.example/?…: not added: there is a user name"),
        (["--state", "gone"], "--state goes with --list: pincite fleet revalidate --list --state gone"),
        (["--list", "--status"], "give one of them"),
        (["--pause-all", "--resume-all"], "give one of them"),
        (["--pause", HOST, PAGE], "SOURCES are added to be visited; leave them out"),
        ([PAGE, "--status"], "SOURCES are added to be visited; leave them out"),
        (["--list", "--until-done"], "--until-done is for visits; leave it out"),
        (["--forget", "x", "--once"], "--once is for visits; leave it out"),
        (["--every", "7d", "--once"], "--every is for SOURCES; name the lists"),
        (["--team", "others", "--once"], "team 'others': there is none that you may see"),
        (["--engine", "queue", "--once"], "the queue needs PostgreSQL"),
        (["--database", "mysql://x/y", "--once"], "no kind of store"),
        (["--snapshots", "file/x", "--once", PAGE], "cannot be made"),
    ],
)
def test_bad_arguments(revalidate: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "file").write_text("no folder")
    code, out, err = revalidate(*arguments)
    assert code == 2
    assert message in " ".join(err.split())
    assert "Traceback" not in out + err and "s3cret" not in out + err


def test_no_store_is_made_to_read_it(revalidate: Run, tmp_path: Path) -> None:
    code, _, err = revalidate("--status")
    assert code == 2
    assert "there is no store" in err
    assert not (tmp_path / "data").exists()


def test_the_limit_of_a_team(revalidate: Run, tmp_path: Path, sites: Sites) -> None:
    from pincite.store.shared.records import TeamLimits

    database = str(tmp_path / "own.db")
    with open_store(parse_address(database)) as store:
        store.teams.set("default", TeamLimits(sources=1))
    (tmp_path / "list").write_text(f"{PAGE}\nhttps://{HOST}/2\n")
    code, _, err = revalidate("list", "--once", "--database", database)
    assert code == 2
    assert "2 web sources are more than its limit of 1; nothing was added" in err
    assert sites.requests == []


def test_without_an_end_it_runs_until_it_is_interrupted(revalidate: Run, sites: Sites) -> None:
    def interrupt(sock: Any) -> None:
        sock.sendall(reply("words"))
        # The signal must come while the command waits for the next page, which never is due.
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()

    sites.pages["/page"] = interrupt
    code, out, _ = revalidate(PAGE, "--delay", "0.1", "--no-snapshots")
    assert code == 0
    assert "1 page visited" in out


def test_research_topics(revalidate: Run, sites: Sites, tmp_path: Path) -> None:
    from support_topics import copy_lanternfish, run_stages

    copy_lanternfish(tmp_path / "repo")
    run_stages(tmp_path / "repo")
    revalidate("--pause-all")
    code, out, _ = revalidate(str(tmp_path / "repo"), "--once")
    assert code == 0
    assert "known already" in out
    (first, *_) = revalidate("--list")[1].splitlines()
    assert "1 not looked up yet" in first or "not looked up yet" in first
    assert sites.requests == []


def test_the_queue(revalidate: Run, sites: Sites, postgres_address: str) -> None:
    from pincite.store.shared import open_backend
    from pincite.store.shared.schema import migrate

    backend = open_backend(parse_address(postgres_address))
    migrate(backend)
    backend.close()
    code, _, err = revalidate(PAGE, "--engine", "queue", "--database", postgres_address)
    assert code == 0
    assert "1 host queued; `pincite fleet worker --queue` visits them" in err
    code, out, _ = revalidate("--engine", "queue", "--database", postgres_address, "--status")
    assert "1 due now" in out
    assert sites.requests == []
