"""`pincite research new` and `add`: from nothing to a report, and everything that is refused on the way."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.domains.research.model import EXTRACT, SEARCH
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly

Run = Callable[..., tuple[int, str, str]]
TESTS = Path(__file__).parents[2]


def _loaded(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = _loaded("support_research", TESTS / "support_research.py")
MOON, PULL = made.ROWS[0][0], made.ROWS[1][0]


@pytest.fixture
def research(in_folder: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the test's folder; nothing is fetched."""
    made.stand_in(monkeypatch)
    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", made.no_fetcher)

    def run(*arguments: str) -> tuple[int, str, str]:
        code, out, err = in_folder("research", *arguments, "--root", str(tmp_path))
        assert "Traceback" not in out + err
        assert not set(out + err) & {chr(sign) for sign in range(32) if sign != 10} - {"\t"}
        return code, out, err

    return run


@pytest.fixture
def topic(research: Run, tmp_path: Path) -> Path:
    """A topic that was just begun."""
    assert research("new", "tides")[0] == 0
    return tmp_path / ".research" / "tides"


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch, research: Run) -> Callable[..., Any]:
    """Puts a fetcher in place that answers from a table."""

    def put(answers: Any = None, at: str = made.THEN) -> Any:
        fetcher = made.Fetching(answers, at)
        monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", fetcher)
        return fetcher

    return put


def state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def saved(folder: Path, url: str = made.TIDES, name: str = "page.html", day: float = 1_777_622_400) -> Path:
    """A page as a browser saves it, last changed on 2026-05-01."""
    path = folder / name
    path.write_bytes(b"<!DOCTYPE html>\n<!-- saved from url=(0026)" + url.encode() + b" -->\n" + made.PAGES[url][15:])
    os.utime(path, (day, day))
    return path


def mhtml(url: str) -> bytes:
    head = (
        f"From: <Saved by Blink>\r\nSnapshot-Content-Location: {url}\r\nDate: Fri, 1 May 2026 08:00:00 -0000\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="--b"\r\n\r\n\r\n'
        f"----b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: 8bit\r\nContent-Location: {url}\r\n\r\n"
    )
    return head.encode() + made.PAGES[url] + b"\r\n----b--\r\n"


def warc(url: str, body: bytes, more: str = "", status: str = "200 OK") -> bytes:
    block = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-05-01T08:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\n{more}Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def test_new_writes_the_first_files_and_says_what_to_do(research: Run, tmp_path: Path) -> None:
    code, out, err = research("new", "tides")
    assert (code, err) == (0, "")
    assert "created .research/tides/agent-outputs/search-agent.yaml" in out
    assert "pincite research add https://… --quote" in out and "pincite research run tides" in out
    code, out, _ = research("check", "tides", "--format", "json")
    found = json.loads(out)
    assert found["stages"] == {SEARCH: 0, EXTRACT: 0}
    assert {problem["rule"] for problem in found["problems"]} == {"too-few-results", "too-few-extracted"}
    code, out, _ = research("new", "other", "--format", "json")
    assert json.loads(out)["files"] == [f".research/other/agent-outputs/{stage}.yaml" for stage in (SEARCH, EXTRACT)]
    assert "--topic third" in research("new", "third")[1]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../up", "a b", "x" * 101, "a\nb", ".hidden", "a\0b"])
def test_new_refuses_names_that_are_none(research: Run, tmp_path: Path, name: str) -> None:
    code, _, err = research("new", name)
    assert code == 2 and "no name of a topic" in err
    assert not (tmp_path / ".research").exists()


@pytest.mark.parametrize("file", [f"{SEARCH}.yaml", f"{EXTRACT}.json", "claim-grounding-mapper.yml"])
def test_new_replaces_nothing(research: Run, tmp_path: Path, file: str) -> None:
    outputs = tmp_path / ".research/tides/agent-outputs"
    outputs.mkdir(parents=True)
    (outputs / file).write_text("mine")
    before = state(tmp_path)
    code, _, err = research("new", "tides")
    assert code == 2 and "exists already" in err and "nothing was written" in err
    assert state(tmp_path) == before


def test_new_does_not_write_through_a_link_that_leads_out(research: Run, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (tmp_path / ".research").symlink_to(outside)
    code, _, err = research("new", "tides")
    assert code == 2 and "outside the root" in err and not list(outside.iterdir())


def test_a_page_is_fetched_looked_at_and_entered(topic: Path, research: Run, answering: Callable[..., Any]) -> None:
    fetcher = answering()
    code, out, err = research("add", made.TIDES, "--quote", MOON, "--claim", "Two tides a day.")
    assert (code, err) == (0, "")
    assert f"{made.TIDES}  On tides" in out
    assert "entered as result 1, tertiary (unknown host), credibility 7/10, page of 2026-05-01" in out
    assert "reject" not in out
    assert "quote verbatim  the exact words stand there" in out
    assert "1 page, 1 citation; a report needs 3 pages and 5 claims" in out
    assert fetcher.asked == [made.TIDES]
    assert len(list((topic / "snapshots").iterdir())) == 1
    # The page is known from then on, and so is the claim.
    before = state(topic)
    code, out, _ = research("add", f"{made.TIDES}#part", "--quote", MOON, "--claim", "Two tides a day.")
    assert code == 0 and "known already as result 1" in out and "known already  the exact words" in out
    assert state(topic) == before and fetcher.asked == [made.TIDES]
    code, out, _ = research(
        "add", made.TIDES, "--quote", PULL, "--claim", "It pulls.", "--offline", "--section", "Moon"
    )
    assert code == 0 and "1 page, 2 citations" in out and "  2 ✓ It pulls." in out
    assert (topic / f"agent-outputs/{SEARCH}.yaml").read_bytes() == before[f"agent-outputs/{SEARCH}.yaml"]
    assert b'section: "Moon"' in (topic / f"agent-outputs/{EXTRACT}.yaml").read_bytes()
    assert fetcher.asked == [made.TIDES]


def test_a_page_may_be_entered_without_a_quote(topic: Path, research: Run, answering: Callable[..., Any]) -> None:
    answering()
    options = ("--title", "Of <b>tides</b>\u202e", "--type", "primary")
    code, out, _ = research("add", made.TIDES, *options, "--format", "json")
    found = json.loads(out)
    assert (code, found["title"], found["source_type"], found["quotes"]) == (0, "Of tides", "primary", [])
    assert (found["results"], found["citations"], found["aborted"]) == (1, 0, None)
    code, _, err = research("add", made.TIDES, "--type", "tertiary")
    assert code == 2 and "is entered as primary (result 1)" in err


def test_what_validation_will_reject_is_said_at_once(topic: Path, research: Run, answering: Callable[..., Any]) -> None:
    answering({made.TIDES: made.html("On tides", [MOON], author="", references=0)})
    code, out, _ = research("add", made.TIDES, "--quote", MOON, "--claim", "One.", "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["citations"] == 1 and found["credibility"] < 5
    assert "author_verified is false" in found["rejected"] and "research attest" in found["rejected"]
    code, out, _ = research("add", made.TIDES, "--quote", MOON, "--claim", "Two.")
    assert code == 0 and "validation will reject it: author_verified is false" in out
    assert research("run", "tides", "--offline")[0] == 1


def test_several_quotes_and_several_claims(topic: Path, research: Run, answering: Callable[..., Any]) -> None:
    answering()
    pairs = ("--quote", MOON, "--claim", "One.", "--quote", PULL, "--claim", "Two.")
    code, out, _ = research("add", made.TIDES, *pairs, "--format", "json")
    assert code == 0
    assert [(one["claim"], one["quote"], one["citation_id"]) for one in json.loads(out)["quotes"]] == [
        ("One.", MOON, 1),
        ("Two.", PULL, 2),
    ]
    code, out, _ = research("add", made.TIDES, "--quote", f" {MOON}\n", "--claim", "Three.", "--claim", "One.")
    assert code == 0 and "2 citations" not in out and "1 page, 3 citations" in out


@pytest.mark.parametrize(
    ("quote", "word", "shown"),
    [
        ("The moon raises three tides a day.", "quote not verbatim", "the page has “two”, the quote “three”"),
        ("the moon raises two tides a day.", "quote not verbatim", "“The”"),
        ("The moon … two tides a day.", "quote not verbatim", "quote the passage whole"),
        ("Whales sing at night below the ice.", "quote not found", "nothing on the page comes near it"),
        ("?!", "quote not found", "no word that could be looked for"),
    ],
)
def test_a_quote_that_does_not_stand_there_is_refused(
    topic: Path, research: Run, answering: Callable[..., Any], quote: str, word: str, shown: str
) -> None:
    answering()
    before = state(topic / "agent-outputs")
    code, out, err = research(
        "add", made.TIDES, "--quote", MOON, "--claim", "One.", "--quote", quote, "--claim", "Two."
    )
    assert code == 1 and word in out and shown in out
    assert "1 of 2 quotes does not stand on" in err and "nothing was written" in err
    assert state(topic / "agent-outputs") == before
    code, out, _ = research("add", made.TIDES, "--quote", quote, "--claim", "Two.", "--format", "json")
    found = json.loads(out)
    assert code == 1 and found["quotes"][0]["citation_id"] == 0 and found["aborted"]["stage"] == EXTRACT


def test_a_page_that_changed_is_fetched_again_on_request(
    topic: Path, research: Run, answering: Callable[..., Any]
) -> None:
    answering()
    research("add", made.TIDES, "--quote", MOON, "--claim", "One.")
    fetcher = answering({made.TIDES: made.html("On tides", ["The moon raises four tides."])}, made.NOW)
    code, _, err = research("add", made.TIDES, "--quote", "The moon raises four tides.", "--claim", "Four.")
    assert code == 1 and "pass --refresh" in err and not fetcher.asked
    code, out, _ = research(
        "add", made.TIDES, "--quote", "The moon raises four tides.", "--claim", "Four.", "--refresh"
    )
    assert code == 0 and "page of 2026-09-01" in out and fetcher.asked == [made.TIDES]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (FetchFailure("robots", "the robots.txt of tides.example forbids it"), "robots.txt"),
        (FetchFailure("unresolved", "its name leads nowhere"), "leads nowhere"),
        (made.visit(made.TIDES, b"gone", status=404), "answered 404 Not Found"),
        (made.visit(made.TIDES, bytes(300), headers=(("Content-Type", "image/png"),)), "neither HTML nor text nor PDF"),
        (b"<div id=root></div><noscript>Please enable JavaScript</noscript><script src=a></script>", "runs scripts"),
    ],
)
def test_a_page_that_cannot_be_read_is_not_entered(
    topic: Path, research: Run, answering: Callable[..., Any], answer: Any, why: str
) -> None:
    answering({made.TIDES: answer})
    before = state(topic / "agent-outputs")
    code, out, err = research("add", made.TIDES, "--quote", MOON, "--claim", "One.")
    assert code == 1 and why in out + err and "save it, and add the file" in err
    if "scripts" not in why:
        assert research("add", made.TIDES)[0] == 1
    assert state(topic / "agent-outputs") == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("http://tides.example/moon",), "https"),
        (("ftp://tides.example/moon",), "https"),
        (("https://user@tides.example/",), "user name"),
        (("https://nowhere/",), "full name"),
        (("https://",), "host"),
        ((made.TIDES, "--url", made.TIDES), "--url is for saved pages"),
        ((made.TIDES, "--saved", "2026-05-01"), "--saved is for saved pages"),
        ((made.TIDES, "--quote", MOON), "1 quote and 0 claims"),
        ((made.TIDES, "--claim", MOON), "0 quotes and 1 claim"),
        ((made.TIDES, "--claim", "a", "--quote", "b", "--quote", "c"), "2 quotes and 1 claim"),
        ((made.TIDES, "--claim", " ", "--quote", "b"), "--claim is empty"),
        ((made.TIDES, "--topic", "none"), "begin it: `pincite research new none`"),
        ((made.TIDES, "--topic", "../x"), "no such topic"),
        ((made.TIDES, "--offline", "--refresh"), "choose one"),
        (("missing.html",), "there is no such file"),
        ((".",), "there is no such file"),
        (("page.html", "--offline"), "--offline is for addresses"),
    ],
)
def test_misuse_is_named(
    topic: Path, research: Run, answering: Callable[..., Any], arguments: tuple[str, ...], why: str
) -> None:
    answering({})
    before = state(topic)
    code, out, err = research("add", *arguments)
    assert code in (1, 2) and why in out + err
    assert state(topic) == before


def test_the_topic_has_to_be_plain(research: Run, tmp_path: Path) -> None:
    saved(tmp_path)
    code, _, err = research("add", "page.html")
    assert code == 2 and "begin one: `pincite research new TOPIC`" in err
    research("new", "a")
    research("new", "b")
    code, _, err = research("add", "page.html")
    assert code == 2 and "which topic? pass --topic NAME (topics: a, b)" in err
    assert research("add", "page.html", "--topic", "b")[0] == 0


def test_a_file_keeps_its_page_and_names_who_dated_it(topic: Path, research: Run, tmp_path: Path) -> None:
    path = saved(tmp_path)
    code, out, _ = research("add", "page.html", "--quote", MOON, "--claim", "One.")
    assert code == 0 and "page of 2026-05-01" in out
    assert "saved page  HTML saved by a browser; its day: the day the file was last changed; file: page.html" in out
    # Copied since, it is the same page; with a day of the user's it is kept once more, as of that day.
    os.utime(path, (1_790_000_000, 1_790_000_000))
    code, out, _ = research("add", "page.html", "--quote", PULL, "--claim", "Two.")
    assert code == 0 and "page of 2026-05-01" in out and len(list((topic / "snapshots").iterdir())) == 1
    code, out, _ = research("add", "page.html", "--saved", "2026-04-02")
    assert code == 0 and "page of 2026-04-02" in out and "as given with --saved" in out
    assert len(list((topic / "snapshots").iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("plain.html",), "does not say where it comes from; pass --url"),
        (("plain.html", "--url", "http://a.example/"), "only https counts"),
        (("plain.html", "--url", "file:///etc/passwd"), "only https counts"),
        (("plain.html", "--url", "https://a b.example/"), "cannot be kept|no address|spaces"),
        (("page.html", "--saved", "yesterday"), "write it as YYYY-MM-DD"),
        (("page.html", "--saved", "2026-02-30"), "write it as YYYY-MM-DD"),
        (("page.html", "--saved", "1871-01-01"), "write it as YYYY-MM-DD"),
        (("page.html", "--saved", "2999-01-01"), "which is to come"),
        (("page.html", "--refresh"), "--refresh is for addresses"),
        (("http.html",), "comes from http://a.example/x, and only https counts"),
        (("later.mhtml",), "which is to come"),
        (("future.html",), "which is to come"),
        (("picture.png", "--url", made.TIDES), "of another kind"),
        (("archive.wacz", "--url", made.TIDES), "a ZIP archive"),
        (("empty.html", "--url", made.TIDES), "it is empty"),
        (("broken.pdf", "--url", made.TIDES), "PDF"),
        (("linked.html", "--url", made.TIDES), "leads outside the root"),
        (("two.warc",), "pass the one you mean with --url"),
        (("two.warc", "--url", "https://c.example/"), "holds no page of https://c.example/"),
        (("none.warc",), "no page stands in it"),
        (("gone.warc", "--url", made.TIDES), "it answered 404"),
        (("damaged.warc", "--url", made.TIDES), "its record is damaged"),
        (("one.warc", "--saved", "2026-01-01"), "no record of it up to 2026-01-01"),
        (("bomb.warc.gz", "--url", made.TIDES), "holds no page"),
        (("page.html.gz", "--url", made.TIDES), "packed with gzip"),
    ],
)
def test_files_that_are_refused(
    topic: Path, research: Run, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    page = made.PAGES[made.TIDES]
    saved(tmp_path)
    saved(tmp_path, name="future.html", day=4_000_000_000)
    outside = tmp_path.parent / f"{tmp_path.name}.html"
    outside.write_bytes(page)
    (tmp_path / "linked.html").symlink_to(outside)
    one = warc(made.TIDES, page)
    for name, data in {
        "plain.html": page,
        "http.html": b"<!-- saved from url=(0018)http://a.example/x -->" + page,
        "later.mhtml": mhtml(made.TIDES).replace(b"2026", b"2999"),
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(50),
        "archive.wacz": b"PK\x03\x04" + bytes(50),
        "empty.html": b"",
        "broken.pdf": b"%PDF-1.4\nnothing",
        "one.warc": one,
        "two.warc": one + warc(made.WEIR, page),
        "none.warc": b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
        "gone.warc": warc(made.TIDES, page, status="404 Not Found"),
        "damaged.warc": warc(made.TIDES, page, "WARC-Block-Digest: sha256:" + "0" * 64 + "\r\n"),
        "bomb.warc.gz": gzip.compress(b"WARC/1.0\r\n" + bytes(200_000_000), 1),
        "page.html.gz": gzip.compress(page),
    }.items():
        (tmp_path / name).write_bytes(data)
    before = state(topic)
    code, out, err = research("add", *arguments)
    assert code in (1, 2), out
    assert any(part in out + err for part in why.split("|")), out + err
    assert state(topic) == before


def test_a_file_names_another_address_than_the_user(topic: Path, research: Run, tmp_path: Path) -> None:
    saved(tmp_path)
    code, out, _ = research("add", "page.html", "--url", "https://tides.example/moon/#a")
    assert code == 0 and "the file itself names" not in out
    code, out, _ = research("add", "page.html", "--url", made.WEIR)
    assert code == 0 and f"the file itself names {made.TIDES}" in out
    plain = saved(tmp_path, name="plain.html")
    plain.write_bytes(plain.read_bytes().replace(b"https://tides", b"http://tides"))
    code, out, _ = research("add", "plain.html", "--url", made.TIDES)
    assert code == 0 and "the file itself names http://tides.example/moon" in out
    (tmp_path / "page.mhtml").write_bytes(mhtml(made.HARBOUR))
    code, out, _ = research("add", "page.mhtml", "--saved", "2026-04-01")
    assert code == 0 and "its day: as given with --saved; the file itself says 2026-05-01; file: page.mhtml" in out


def test_a_snapshot_that_is_handed_on_keeps_what_it_says_of_itself(topic: Path, research: Run, tmp_path: Path) -> None:
    saved(tmp_path)
    assert research("add", "page.html")[0] == 0
    (kept,) = (topic / "snapshots").iterdir()
    research("new", "other")
    code, out, _ = research("add", str(kept), "--topic", "other")
    assert code == 0 and "page of 2026-05-01" in out
    assert "there: HTML saved by a browser; its day: the day the file was last changed; file: page.html" in out


def test_those_who_add_at_once_all_find_their_place(topic: Path, tmp_path: Path) -> None:
    saved(tmp_path)
    words = [sys.executable, "-m", "pincite", "research", "add", "page.html", "--quote", MOON, "--claim"]
    running = [subprocess.Popen([*words, f"Claim {at}."], cwd=tmp_path, stdout=subprocess.DEVNULL) for at in range(4)]
    assert [one.wait(60) for one in running] == [0] * 4
    text = (topic / f"agent-outputs/{EXTRACT}.yaml").read_text()
    assert sorted(re.findall("Claim [0-3]", text)) == [f"Claim {at}" for at in range(4)]
    assert (topic / f"agent-outputs/{SEARCH}.yaml").read_text().count("result_id") == 1


def test_hostile_titles_claims_and_names_are_only_text(topic: Path, research: Run, tmp_path: Path) -> None:
    page = made.html('"] }\n--- \u202e&lt;script&gt;', [MOON, 'It says "a: b" # c'])
    name = "a\x1b]0;x\x07\nb\u202e.html"
    (tmp_path / name).write_bytes(page)
    claim = 'x" \\ # : - {a: b} <script>alert(1)</script> | [z](javascript:1)'
    arguments = ("--url", made.TIDES, "--quote", 'It says "a: b" # c', "--claim", claim)
    code, out, _ = research("add", name, *arguments, "--format", "json")
    assert code == 0 and json.loads(out)["quotes"][0]["claim"] == claim
    for data in state(topic / "agent-outputs").values():
        assert b"\x1b" not in data and "\u202e".encode() not in data
    code, out, _ = research("check", "tides", "--format", "json")
    rules = {problem["rule"] for problem in json.loads(out)["problems"]}
    assert rules == {"too-few-results", "too-few-extracted"}
    code, out, err = research("add", name, "--url", made.TIDES, "--quote", MOON, "--claim", "bell \x07 rings")
    assert code == 1 and "control-character" in out + err


@pytest.mark.parametrize(
    ("claim", "quote", "rule"),
    [
        ("One.", "word " * 151, "quote-too-long"),
        ("One.", "One day. Two days. Three days. Four days.", "too-many-sentences"),
    ],
)
def test_rules_of_a_quote_are_those_of_its_stage(
    topic: Path, research: Run, tmp_path: Path, claim: str, quote: str, rule: str
) -> None:
    (tmp_path / "page.html").write_bytes(made.html("A page", [quote]))
    before = state(topic)
    code, out, _ = research("add", "page.html", "--url", made.TIDES, "--quote", quote, "--claim", claim)
    assert code == 1 and rule in out
    assert state(topic) == before


def test_files_that_break_a_rule_get_no_entry(topic: Path, research: Run, tmp_path: Path) -> None:
    saved(tmp_path)
    (topic / f"agent-outputs/{SEARCH}.yaml").write_text("results: [{result_id: 1}]\n")
    before = state(topic)
    code, out, err = research("add", "page.html", "--quote", MOON, "--claim", "One.")
    assert code == 1 and "missing-field" in out and "nothing was written" in err
    (topic / f"agent-outputs/{SEARCH}.yaml").write_text("results: [\n")
    code, _, err = research("add", "page.html", "--quote", MOON, "--claim", "One.")
    assert code == 2 and f"{SEARCH}.yaml:" in err
    (topic / f"agent-outputs/{SEARCH}.yaml").write_bytes(before[f"agent-outputs/{SEARCH}.yaml"])
    assert state(topic) == before


@pytest.fixture(scope="module")
def site() -> Iterator[Any]:
    """One server on loopback for all names."""
    loopback = _loaded("fetch_loopback", TESTS / "safe" / "fetch" / "loopback.py")
    found = loopback.Site(("tides.example", "harbour.example"))
    page = loopback.page(made.PAGES[made.TIDES], content_type="text/html; charset=utf-8")
    found.answers["tides.example/moon"] = page
    rules = b"User-agent: *\nDisallow: /\n"
    found.answers["harbour.example/robots.txt"] = loopback.page(rules, content_type="text/plain")
    yield found
    found.close()


def test_from_nothing_to_a_report(
    site: Any,
    topic: Path,
    research: Run,
    tmp_path: Path,
    make_pdf: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fetched page, and pages that were saved as MHTML, WARC, SingleFile and PDF, become a report offline."""

    def new(policy: FetchPolicy) -> Fetcher:
        return Fetcher(policy, test_only=TestOnly(site.hosts, site.ca_pem))

    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", new)
    rows = {claim: quote for claim, quote, _ in made.ROWS}
    (one, two, three, four, five, six) = rows
    code, out, _ = research("add", made.TIDES, "--quote", one, "--claim", one, "--quote", two, "--claim", two)
    assert code == 0
    # The harbour forbids robots: a person who can open the page saves it.
    code, _, err = research("add", made.HARBOUR, "--quote", three, "--claim", three)
    assert code == 1 and "robots" in err and "/depth" not in site.paths()
    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", made.no_fetcher)
    (tmp_path / "harbour.mhtml").write_bytes(mhtml(made.HARBOUR))
    code, out, _ = research("add", "harbour.mhtml", "--quote", three, "--claim", three)
    assert code == 0 and "page of 2026-05-01" in out and "MHTML page; its day: as the file says" in out
    crawl = warc(made.WEIR, made.PAGES[made.WEIR]) + warc("https://weir.example/style.css", b"p {}")
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(crawl.replace(b"html\r\n\r\np {}", b"css \r\n\r\np {}")))
    code, out, _ = research("add", "crawl.warc.gz", "--quote", five, "--claim", five, "--quote", six, "--claim", six)
    assert code == 0 and "WARC; its day: as the file says; file: crawl.warc.gz" in out
    assert "now run `pincite research run tides`" in out
    comment = (
        "<html><!--\n Page saved with SingleFile \n url: https://harbour.example/turn \n"
        " saved date: Fri May 01 2026 10:00:00 GMT+0200\n-->"
    )
    (tmp_path / "turn.html").write_bytes(comment.encode() + made.PAGES[made.HARBOUR][15:])
    code, out, _ = research("add", "turn.html", "--quote", four, "--claim", four)
    assert code == 0 and "SingleFile page; its day: as the file says" in out
    (tmp_path / "eels.pdf").write_bytes(make_pdf(["A paper", "Eels climb it as well."], title="Eels"))
    code, out, _ = research(
        "add",
        "eels.pdf",
        "--url",
        "https://weir.example/eels.pdf",
        "--quote",
        "Eels climb it as well.",
        "--claim",
        "Eels.",
    )
    assert code == 0 and "last changed" in out
    assert research("check", "tides")[0] == 0
    code, out, err = research("run", "tides", "--offline")
    assert (code, err) == (0, ""), out
    assert ".research/tides/report.html" in out
    report = (topic / "report.md").read_text()
    assert "saved by a person, not fetched: MHTML page; its day: as the file says; file: harbour.mhtml" in report
    assert report.count("saved by a person") == 3
    page = (topic / "report.html").read_text()
    assert page.count("saved by a person") == 3 and "<script" not in page
    assert research("audit", ".research/tides/report.md")[0] == 0
    code, out, _ = research("validate", "tides", "--offline")
    assert "https://harbour.example/depth as of 2026-05-01, a saved page (MHTML page; its day: as the file says" in out
    assert "https://tides.example/moon answered 200 OK on" in out


def test_run_writes_the_page_of_the_report(research: Run, tmp_path: Path) -> None:
    bed = made.Bed(tmp_path).given().snapshots()
    code, out, _ = research("run", "tides", "--offline", "--format", "json")
    step = json.loads(out)["stages"][-1]
    assert (code, step["file"], step["page"]) == (0, ".research/tides/report.md", ".research/tides/report.html")
    first = bed.state()
    assert research("report", "tides")[0] == 0
    assert bed.state() == first
    code, out, _ = research("run", "tides", "--offline", "--format", "json")
    assert json.loads(out)["stages"][-1]["state"] == "kept"
    html = bed.folder / "report.html"
    html.write_text(html.read_text().replace("<h1>", "<h1>My own "))
    code, out, _ = research("run", "tides", "--offline")
    assert "kept as .research/tides/report.html.bak" in out and "My own" in (bed.folder / "report.html.bak").read_text()
    assert bed.state()["report.html"] == first["report.html"]


def test_run_that_stops_writes_no_report(research: Run, tmp_path: Path) -> None:
    bed = made.Bed(tmp_path).given(made.ROWS[:4]).snapshots()
    assert research("run", "tides", "--offline")[0] == 1
    assert not (bed.folder / "report.html").exists() and not (bed.folder / "report.md").exists()


def test_a_report_of_an_orchestrator_has_no_page_of_ours(tmp_path: Path) -> None:
    from pincite.domains.research import Stages, run

    bed = made.Bed(tmp_path).given().snapshots()
    stages = Stages(report=lambda work, found, citations: "# Mine\n")
    *_, last = run(bed.work(offline=True), stages)
    assert (last.file, last.page) == (".research/tides/report.md", "")
    assert not (bed.folder / "report.html").exists()
