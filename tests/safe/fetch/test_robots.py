"""The rules for robots: the examples of RFC 9309, and files that nobody would write."""

from __future__ import annotations

import random
import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.safe.fetch.robots import ROBOTS_BYTES, _matches, _normal, _pattern, rules_of


def allows(text: str | bytes, path: str, token: str = "pincite") -> bool:
    return rules_of(text.encode() if isinstance(text, str) else text, token).allows(path)


SIMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

"""


@pytest.mark.parametrize(
    ("token", "path", "allowed"),
    [
        ("other", "/publications/x", True),
        ("other", "/example/x", False),
        ("other", "/a/b.gif", False),
        ("other", "/a/b.gif?x", True),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/", False),
        ("FooBot", "/publications/", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("barbot", "/example/", True),
        ("quxbot", "/example/x", True),
        ("quxbot", "/a.gif", True),
    ],
)
def test_the_simple_example(token: str, path: str, allowed: bool) -> None:
    assert allows(SIMPLE, path, token) is allowed


LONGEST = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"


def test_the_longest_match_wins() -> None:
    assert not allows(LONGEST, "/example/page/disallowed.gif", "foobot")
    assert allows(LONGEST, "/example/page/", "foobot")
    assert allows("User-agent: *\nDisallow: /p\nAllow: /p", "/p")
    assert allows("User-agent: *\nAllow: /$\nDisallow: /", "/")
    assert not allows("User-agent: *\nAllow: /$\nDisallow: /", "/page.htm")


@pytest.mark.parametrize(
    ("rule", "path", "matches"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-$", "/path/foo-", True),
        ("/path/foo-$", "/path/foo-$", False),
        ("/a$b", "/a$b", True),
        ("/allow/this/path/exactly$", "/allow/this/path/exactly", True),
        ("/allow/this/path/exactly$", "/allow/this/path/exactly/x", False),
        ("/this/*/exactly", "/this/path/exactly", True),
        ("/this/*/exactly", "/this/exactly", False),
        ("/fish", "/fish.html", True),
        ("/fish", "/Fish.asp", False),
        ("/fish*", "/fishheads/yummy.html", True),
        ("/fish/", "/fish", False),
        ("/*.php", "/folder/any.php.file.html", True),
        ("/*.php$", "/filename.php?parameters", False),
        ("/*.php$", "/a.php.php", True),
        ("/fish*.php", "/fishheads/catfish.php?x", True),
        ("*", "/anything", True),
        ("/a%2fb", "/a/b", False),
        ("/*a*b*$", "/xaxbx", True),
        ("/*ab*ab$", "/xab", False),
    ],
)
def test_patterns(rule: str, path: str, matches: bool) -> None:
    assert allows(f"User-agent: *\nDisallow: {rule}\n", path) is not matches


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("Disallow: /", True),
        ("User-agent: *\nDisallow:", True),
        ("user-AGENT : *\nDISALLOW : /", False),
        ("User-agent: *\rDisallow: /\r", False),
        ("User-agent: *\r\n\r\nDisallow: /", False),
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("User-agent: * # all\nDisallow: / # everything", False),
        ("User-agent: *\nDisallow: / path", True),
        ("User-agent: pincite/1.0 (x)\nDisallow: /\nUser-agent: *\nAllow: /", False),
        ("User-agent: PINCITE\nDisallow: /", False),
        ("User-agent: pincitebot\nDisallow: /", True),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: other\nUser-agent: pincite\nSitemap: x\nDisallow: /", False),
        ("User-agent: pincite\nSitemap: https://x/\nUser-agent: other\nDisallow: /", False),
        ("User-agent: pincite\nAllow: /x\nUser-agent: *\nDisallow: /", True),
        ("User-agent: pincite\nUser-agent: *\nDisallow: /", False),
        ("User-agent: pincite\nDisallow: /a\n\nUser-agent: pincite\nDisallow: /", False),
        ("User-agent: *\nDisallow: /\nUser-agent: pincite", True),
        ("User-agent *\nDisallow: /", True),
        ("User-agent:\nDisallow: /", True),
        ("<html>Disallow: /</html>", True),
    ],
)
def test_groups(text: str, allowed: bool) -> None:
    assert allows(text, "/some/page") is allowed


def test_the_rules_themselves_may_always_be_read() -> None:
    assert allows("User-agent: *\nDisallow: /", "/robots.txt")


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 5\nUser-agent: pincite\nCrawl-delay: 1\nDisallow:", 1),
        ("User-agent: *\nDisallow:\nCrawl-delay: 5\nUser-agent: pincite\nCrawl-delay: 1", 1),
        ("User-agent: *\nCrawl-delay: nan", 0),
        ("User-agent: *\nCrawl-delay: -1", 0),
        ("User-agent: *\nCrawl-delay: inf", 0),
        ("User-agent: *\nCrawl-delay: 1e9", 0),
        ("Crawl-delay: 9", 0),
    ],
)
def test_the_delay(text: str, delay: float) -> None:
    assert rules_of(text.encode(), "pincite").delay == delay


@given(st.binary(max_size=400), st.text(max_size=40))
def test_any_file_and_any_path(data: bytes, path: str) -> None:
    rules = rules_of(b"User-agent: *\n" + data, "pincite")
    usable = "/" + path.encode("utf-8", "ignore").decode()
    assert rules.allows(usable) in (True, False)


@given(st.text("ab/*$", max_size=8), st.text("ab/$*", max_size=12))
def test_patterns_mean_what_an_expression_would(rule: str, rest: str) -> None:
    pattern, path = _pattern("/" + rule), _normal("/" + rest).replace("*", "%2A").replace("$", "%24")
    closed = pattern.endswith("$")
    expression = ".*".join(re.escape(part) for part in pattern.removesuffix("$").split("*"))
    found = re.fullmatch(expression, path, re.DOTALL) if closed else re.match(expression, path, re.DOTALL)
    assert _matches(pattern, path) is (found is not None)


@pytest.mark.parametrize("rule", ["/" + "*a" * 40 + "\n", "*" * 80 + "\n", "/a\n", "/%41" * 20 + "\n"])
def test_a_large_file_costs_its_size(rule: str) -> None:
    line = "Disallow: " + rule
    path = "/" + "a" * 2000 + "b"

    def spent(size: int) -> float:
        chance = random.Random(1)
        lines = [line.replace("a", chance.choice("abc")) for _ in range(size // len(line))]
        data = ("User-agent: *\n" + "".join(lines)).encode()
        begun = process_time()
        assert rules_of(data, "pincite").allows(path) in (True, False)
        return process_time() - begun

    # The best of three: a busy machine may stop any one of them.
    large, small = (min(spent(ROBOTS_BYTES // part) for _ in range(3)) for part in (4, 32))
    assert large < 40 * max(small, 0.001)


def test_what_is_too_long_is_not_looked_at() -> None:
    assert allows(b"User-agent: *\n" + b"#" * ROBOTS_BYTES + b"\nDisallow: /", "/")
