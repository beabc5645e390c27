"""Fetching from well-behaved servers: what is asked, what comes back, and in which manner."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from email.utils import formatdate
from time import monotonic, time
from typing import Any

import pytest

from pincite._version import __version__
from pincite.core.errors import UsageError
from pincite.core.web import FetchFailure, Visit
from pincite.pages.body import decode_body
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly, hosts, new_fetcher
from pincite.safe.fetch.hosts import retry_after

A, B = "https://n0.site.example", "https://n1.site.example"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "BACK_OFF", 0.02)


@pytest.fixture
def fetcher(site: Any) -> Iterator[Callable[..., Fetcher]]:
    made: list[Fetcher] = []

    def make(**policy: Any) -> Fetcher:
        settings = FetchPolicy(**{"seconds": 10.0, "robots": False, **policy})
        made.append(Fetcher(settings, test_only=TestOnly(site.hosts, site.ca_pem)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def kind_of(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(FetchFailure) as caught:
        fetcher.fetch(url)
    assert url.split("#")[0] in str(caught.value)
    return caught.value.kind


def test_a_page(site: Any, fetcher: Any) -> None:
    visit = fetcher(contact="me@example.org").fetch(A + "/a%20b?q=ü#part")
    answer = visit.answer
    assert (visit.url, visit.final_url) == (A + "/a%20b?q=ü#part", A + "/a%20b?q=%C3%BC")
    assert (visit.status, answer.reason, answer.body, answer.address) == (200, "OK", b"<p>words", "127.0.0.1")
    assert answer.header("content-type") == "text/html"
    assert ("Content-Length", "8") in answer.headers
    assert len(visit.retrieved) == 20 and visit.retrieved.endswith("Z")
    asked = site.asked[0]
    assert asked.first == "GET /a%20b?q=%C3%BC HTTP/1.1"
    assert asked.headers == {
        "host": "n0.site.example",
        "user-agent": f"pincite/{__version__} (+me@example.org)",
        "accept": asked.headers["accept"],
        "accept-encoding": "gzip, deflate",
    }
    assert {name.lower(): value for name, value in answer.request_headers} == asked.headers


@pytest.mark.parametrize("contact", ["", "a\r\nX: y", "é(\\)\x00"])
def test_a_contact_cannot_break_a_header(contact: str) -> None:
    agent = FetchPolicy(contact=contact).user_agent
    assert agent.isascii() and agent.isprintable()
    assert agent.startswith("pincite/") and agent.count("(") == agent.count(")") == 1


@pytest.mark.parametrize(
    "status", ["204 No Content", "404 Not Found", "410 Gone", "500 Oops", "304 Not Modified", "300 X"]
)
def test_any_status_is_an_answer(site: Any, fetcher: Any, status: str) -> None:
    site.default = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()
    assert fetcher().fetch(A + "/").status == int(status[:3])


def test_the_environment_is_not_asked(site: Any, fetcher: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    site.default = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
    one = fetcher()
    assert one.fetch(A + "/1").status == one.fetch(A + "/2").status == 200
    assert not {"cookie", "referer", "authorization"} & set(site.asked[1].headers)
    assert site.connections == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwor\r\n2;x=y\r\nds\r\n0\r\nTrailer: t\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nwords",
        b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nwords",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwords",
        b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nwords",
    ],
)
def test_ways_to_send_a_body(site: Any, fetcher: Any, raw: bytes) -> None:
    site.default = raw
    assert fetcher().fetch(A + "/").answer.body == b"words"


def test_an_encoding_is_left_as_it_came(site: Any, loopback: Any, fetcher: Any) -> None:
    packed = gzip.compress(b"<p>words")
    site.default = loopback.page(packed, content_encoding="gzip")
    answer = fetcher().fetch(A + "/").answer
    assert answer.body == packed
    assert decode_body(answer, 100) == b"<p>words"


def test_redirects_are_followed_and_told(site: Any, loopback: Any, fetcher: Any) -> None:
    site.answers |= {
        "/1": loopback.page(b"moved", "301 Moved", location="/2?x=1"),
        "/2?x=1": loopback.page(b"", "302 Found", location="//n1.site.example/3"),
        "n1.site.example/3": loopback.page(b"", "307 Temporary", location="4 5/../6#frag"),
        "/6": loopback.page(b"", "308 Permanent", location=A + "/caf\xc3\xa9"),
    }
    visit = fetcher().fetch(A + "/1")
    assert [one.url for one in visit.exchanges] == [A + "/1", A + "/2?x=1", B + "/3", B + "/6", A + "/caf%C3%A9"]
    assert [one.status for one in visit.exchanges] == [301, 302, 307, 308, 200]
    assert visit.exchanges[0].body == b"moved"
    assert "referer" not in site.asked[-1].headers


def test_a_redirect_that_leads_nowhere_is_an_answer(site: Any, loopback: Any, fetcher: Any) -> None:
    site.default = loopback.page(b"", "302 Found")
    assert fetcher().fetch(A + "/").status == 302


def test_five_redirects_and_no_more(site: Any, loopback: Any, fetcher: Any) -> None:
    for number in range(8):
        site.answers[f"/{number}"] = loopback.page(b"", "302 Found", location=f"/{number + 1}")
    assert kind_of(fetcher(), A + "/0") == "redirects"
    assert site.paths() == [f"/{number}" for number in range(6)]
    site.answers["/5"] = loopback.page(b"here")
    assert fetcher().fetch(A + "/0").answer.body == b"here"


@pytest.mark.parametrize(
    ("location", "kind"),
    [
        ("/", "redirects"),
        ("http://n1.site.example/", "not-https"),
        ("file:///etc/passwd", "not-https"),
        ("https://user@n1.site.example/", "bad-url"),
        ("https://n1.site.example:8443/", "bad-url"),
        ("https://127.0.0.1/", "forbidden-address"),
        ("https://[::1]/", "forbidden-address"),
        ("https://localhost/", "bad-url"),
        ("https:\\\\n1.site.example/", "bad-url"),
        ("/" + "x" * 2050, "bad-url"),
        ("https://[/", "bad-url"),
    ],
)
def test_redirects_are_checked_like_any_address(
    site: Any, loopback: Any, fetcher: Any, location: str, kind: str
) -> None:
    site.default = loopback.page(b"", "302 Found", location=location)
    assert kind_of(fetcher(), A + "/") == kind
    assert site.connections == 1


def test_a_page_is_asked_for_once(site: Any, fetcher: Any) -> None:
    one = fetcher()
    first = one.fetch(A + "/x#a")
    second = one.fetch("HTTPS://N0.site.example:443/x#b")
    assert (first.exchanges, second.url) == (second.exchanges, "HTTPS://N0.site.example:443/x#b")
    assert site.paths() == ["/x"]


def test_trouble_is_kept_too(site: Any, loopback: Any, fetcher: Any) -> None:
    site.default = loopback.page(b"", "302 Found", location="http://x.example/")
    one = fetcher()
    assert [kind_of(one, A + "/"), kind_of(one, A + "/")] == ["not-https", "not-https"]
    assert site.paths() == ["/"]


def test_one_connection_for_each_host(site: Any, fetcher: Any) -> None:
    urls = [f"https://n{host}.site.example/{number}" for number in range(4) for host in range(3)]
    got = dict(fetcher().fetch_all(urls))
    assert sorted(got) == sorted(urls)
    assert all(isinstance(one, Visit) and one.status == 200 for one in got.values())
    assert site.connections == 3
    for host in range(3):
        assert [a.path for a in site.asked if a.host == f"n{host}.site.example"] == ["/0", "/1", "/2", "/3"]


def test_a_connection_that_was_closed_meanwhile_is_opened_again(site: Any, loopback: Any, fetcher: Any) -> None:
    def once(sock: Any) -> bool:
        sock.sendall(loopback.page())
        return False

    site.default = once
    one = fetcher(retries=0)
    assert [one.fetch(f"{A}/{number}").status for number in range(3)] == [200, 200, 200]
    assert site.connections == 3


def test_what_follows_an_answer_is_not_the_next_one(site: Any, loopback: Any, fetcher: Any) -> None:
    site.answers["/1"] = loopback.page(b"one") + loopback.page(b"forged")
    site.answers["/2"] = loopback.page(b"two")
    one = fetcher()
    assert [one.fetch(A + path).answer.body for path in ("/1", "/2")] == [b"one", b"two"]


def test_hosts_are_asked_together_within_the_bound(site: Any, loopback: Any, fetcher: Any) -> None:
    now, most, lock = [0], [0], threading.Lock()
    meeting = threading.Barrier(4)

    def answer(sock: Any) -> bool:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        meeting.wait(5)
        with lock:
            now[0] -= 1
        sock.sendall(loopback.page())
        return True

    site.default = answer
    urls = [f"https://n{host}.site.example/" for host in range(12)]
    assert all(isinstance(got, Visit) for _, got in fetcher(connections=4).fetch_all(urls))
    assert most[0] == 4


def test_bad_addresses_are_results_as_well(site: Any, fetcher: Any) -> None:
    urls = [A + "/", "http://x.example/", "nonsense", A + "/", "https://10.0.0.1/", A + "/"]
    got = list(fetcher().fetch_all(iter(urls)))
    kinds = {url: one.kind if isinstance(one, FetchFailure) else one.status for url, one in got}
    assert len(got) == 4
    assert kinds == {
        A + "/": 200,
        "http://x.example/": "not-https",
        "nonsense": "bad-url",
        "https://10.0.0.1/": "forbidden-address",
    }
    assert list(fetcher().fetch_all([])) == []


def test_closing_the_iterator_ends_the_work(site: Any, loopback: Any, fetcher: Any) -> None:
    release = threading.Event()

    def hang(sock: Any) -> bool:
        release.wait(10)
        return False

    site.answers["n0.site.example/"] = loopback.page()
    site.default = hang
    before = threading.active_count()
    one = fetcher(seconds=60.0)
    results = one.fetch_all([f"https://n{host}.site.example/" for host in range(12)])
    assert next(results)[0] == A + "/"
    begun = monotonic()
    results.close()
    assert monotonic() - begun < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fetch ")]
    release.set()
    site.clear()
    assert one.fetch(B + "/").status == 200
    assert threading.active_count() <= before + 24


def test_a_slow_reader_holds_the_fetchers_back(site: Any, fetcher: Any) -> None:
    results = fetcher(connections=2).fetch_all([f"https://n{host}.site.example/" for host in range(20)])
    next(results)
    threading.Event().wait(0.3)
    assert len(site.asked) < 12
    assert len(list(results)) == 19


def test_closing_the_fetcher_tells_whoever_waits(site: Any, fetcher: Any) -> None:
    hanging = threading.Event()

    def hang(sock: Any) -> bool:
        hanging.set()
        threading.Event().wait(3)
        return False

    site.default = hang
    one = fetcher(seconds=60.0)
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.extend(one.fetch_all([f"{A}/{n}" for n in range(3)])))
    reader.start()
    assert hanging.wait(5)
    one.close()
    reader.join(10)
    assert not reader.is_alive() and len(got) == 3
    assert kind_of(one, A + "/") == "offline"


def test_a_busy_host_is_asked_again(site: Any, loopback: Any, fetcher: Any) -> None:
    states = iter(["503 Busy", "429 Slow Down", "200 OK"])

    def answer(sock: Any) -> bool:
        sock.sendall(loopback.page(b"", next(states), retry_after="0"))
        return True

    site.default = answer
    visit = fetcher().fetch(A + "/")
    assert (visit.status, len(visit.exchanges), len(site.asked)) == (200, 1, 3)


def test_a_host_that_stays_busy_says_so(site: Any, loopback: Any, fetcher: Any) -> None:
    site.default = loopback.page(b"", "503 Busy")
    assert fetcher(retries=1).fetch(A + "/").status == 503
    assert len(site.asked) == 2
    site.default = loopback.page(b"", "429 Slow Down", retry_after="3600")
    assert fetcher().fetch(A + "/").status == 429
    assert len(site.asked) == 3


def test_a_date_to_wait_for(site: Any, loopback: Any, fetcher: Any) -> None:
    site.default = loopback.page(b"", "503 Busy", retry_after=formatdate(time() + 3600, usegmt=True))
    assert fetcher().fetch(A + "/").status == 503
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [("120", 120, 120), ("0", 0, 0), ("", 0, 0), ("-5", 0, 0), ("soon", 0, 0), ("9" * 400, 1e8, 1e9), ("١٢", 0, 0)],
)
def test_what_a_busy_host_asks_for(value: str, low: float, high: float) -> None:
    assert low <= retry_after(value) <= high
    assert 50 < retry_after(formatdate(time() + 60, usegmt=True)) < 70
    assert retry_after("Mon, 01 Jan 0001 00:00:00 GMT") == 0
    assert retry_after("Fri, 31 Dec 99999 00:00:00 +9999") == 0


def test_connections_that_break_are_tried_again(site: Any, loopback: Any, fetcher: Any) -> None:
    turns = iter([False, False, True])

    def answer(sock: Any) -> bool:
        if next(turns):
            sock.sendall(loopback.page())
        return False

    site.default = answer
    assert fetcher().fetch(A + "/").status == 200
    assert site.connections == 3
    site.default = lambda sock: False
    assert kind_of(fetcher(retries=1), A + "/x") == "unreachable"
    assert site.connections == 5


ROBOTS = b"User-agent: *\nDisallow: /private\nUser-agent: pincite\nDisallow: /not-us\nCrawl-delay: 0.2\n"


def test_robots_are_asked_once_and_obeyed(site: Any, loopback: Any, fetcher: Any) -> None:
    site.answers["/robots.txt"] = loopback.page(ROBOTS)
    one = fetcher(robots=True)
    assert kind_of(one, A + "/not-us/at-all") == "robots"
    assert site.paths() == ["/robots.txt"]
    begun = monotonic()
    assert [one.fetch(A + path).status for path in ("/private", "/b")] == [200, 200]
    assert monotonic() - begun >= 0.2
    assert site.paths() == ["/robots.txt", "/private", "/b"]
    assert site.connections == 1
    assert fetcher().fetch(A + "/not-us").status == 200


def test_waiting_for_a_polite_moment_is_not_slowness(site: Any, loopback: Any, fetcher: Any) -> None:
    site.answers["/robots.txt"] = loopback.page(b"User-agent: *\nCrawl-delay: 3600\n")
    got = dict(fetcher(robots=True, seconds=1.0).fetch_all(f"{A}/{number}" for number in range(2)))
    assert [one.status for one in got.values() if isinstance(one, Visit)] == [200, 200]


def test_robots_of_the_host_that_a_redirect_leads_to(site: Any, loopback: Any, fetcher: Any) -> None:
    site.answers["n0.site.example/"] = loopback.page(b"", "302 Found", location=B + "/x")
    site.answers["n1.site.example/robots.txt"] = loopback.page(b"User-agent: *\nDisallow: /")
    assert kind_of(fetcher(robots=True), A + "/") == "robots"
    assert site.paths() == ["/robots.txt", "/", "/robots.txt"]


@pytest.mark.parametrize(
    ("status", "body", "allowed"),
    [
        ("404 Not Found", b"User-agent: *\nDisallow: /", True),
        ("403 Forbidden", b"User-agent: *\nDisallow: /", True),
        ("500 Oops", b"", False),
        ("503 Busy", b"", False),
        ("200 OK", b"", True),
        ("200 OK", b"<html>no rules", True),
        ("200 OK", b"User-agent: *\nDisallow: /", False),
        ("200 OK", b"#" * 600_000 + b"\nUser-agent: *\nDisallow: /", True),
        ("200 OK", b"User-agent: *\nDisallow: /\n" + b"#" * 600_000, False),
    ],
)
def test_robots_that_say_nothing_or_cannot_be_had(
    site: Any, loopback: Any, fetcher: Any, status: str, body: bytes, allowed: bool
) -> None:
    site.answers["/robots.txt"] = loopback.page(body, status)
    one = fetcher(robots=True, retries=0)
    if allowed:
        assert one.fetch(A + "/").status == 200
    else:
        assert kind_of(one, A + "/") == "robots"


@pytest.mark.parametrize(
    ("location", "allowed"),
    [(B + "/r", False), ("/robots.txt", True), ("http://x.example/", False), ("https://127.0.0.1/robots.txt", False)],
)
def test_robots_that_moved(site: Any, loopback: Any, fetcher: Any, location: str, allowed: bool) -> None:
    site.answers["/robots.txt"] = loopback.page(b"", "301 Moved", location=location)
    site.answers["/r"] = loopback.page(b"User-agent: *\nDisallow: /")
    one = fetcher(robots=True)
    assert (one.fetch(A + "/").status == 200) if allowed else (kind_of(one, A + "/") == "robots")


def test_packed_robots_are_read(site: Any, loopback: Any, fetcher: Any) -> None:
    packed = gzip.compress(b"User-agent: *\nDisallow: /")
    site.answers["/robots.txt"] = loopback.page(packed, content_encoding="gzip")
    assert kind_of(fetcher(robots=True), A + "/") == "robots"


def test_robots_are_not_waited_for_twice(site: Any, fetcher: Any) -> None:
    site.answers["/robots.txt"] = lambda sock: threading.Event().wait(2) and False
    one = fetcher(robots=True, seconds=0.3)
    begun = monotonic()
    assert {kind_of(one, f"{A}/{number}") for number in range(20)} == {"timeout"}
    assert monotonic() - begun < 20 * 0.3
    assert site.paths() == ["/robots.txt"]


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = "import sys, pincite.safe.fetch as f; f.new_fetcher(f.FetchPolicy()); print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "pincite.safe.fetch.fetcher" in loaded
    assert not loaded & {"httpx2", "httpcore2", "h11", "ssl", "socket", "idna", "asyncio", "urllib.parse", "email"}


def test_a_test_can_put_another_fetcher_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(new_fetcher(FetchPolicy()), Fetcher)
    import pincite.safe.fetch as package

    monkeypatch.setattr(package, "new_fetcher", lambda policy: "another")
    assert package.new_fetcher(FetchPolicy()) == "another"


def test_missing_libraries_are_named(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    for ask in (lambda one: one.fetch(A), lambda one: list(one.fetch_all([A]))):
        with Fetcher() as one, pytest.raises(UsageError, match="pip install --force-reinstall h11"):
            ask(one)


def test_the_system_is_trusted_and_nothing_less() -> None:
    import ssl

    from pincite.safe.fetch.connection import Dialler

    context = Dialler()._tls()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context is not Dialler()._tls()
