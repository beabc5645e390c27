"""Rules of single values, at their edges."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pincite.domains.research.model import EXTRACT, GROUND, VALIDATE
from pincite.domains.research.schemas import schema
from pincite.domains.research.stage_rules import shortfalls
from pincite.domains.research.stage_values import KINDS, day_of, wrong_with
from pincite.project.policy.schema import plain
from pincite.text.yaml import Scalar

LEAVES = {kind: leaf for stage in (VALIDATE, GROUND) for kind, leaf in schema(stage)["$defs"].items() if kind in KINDS}


def rules(kind: str, text: str, style: str = '"') -> list[str]:
    return [wrong.rule for wrong in wrong_with(Scalar(text, 0, len(text), style), kind)]


def fits(kind: str, text: str, style: str = '"') -> bool:
    whole = {"$ref": f"#/$defs/{kind}", "$defs": LEAVES}
    validator = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return validator.is_valid(plain(Scalar(text, 0, len(text), style)))


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://a.example",
            "https://a.example/",
            "https://a.example?q=1",
            "https://a.example#x",
            "HTTPS://A.example/",
        ),
        *("https://a.example.:443/x", "https://[2001:db8::1]/x", "https://192.0.2.1/", "https://localhost/"),
        *("https://bücher.example/ä?ö=ü", "https://xn--bcher-kva.example/", "https://a.example/%20(x)'[1]|{2}^`"),
        *("https://a.example/" + "x" * 2030, "https://_dmarc.a-b.example/~me;p=1,2@3:4"),
    ],
)
def test_addresses_that_can_be_fetched(url: str) -> None:
    assert rules("url", url) == []
    assert fits("url", url)


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        *(
            (url, "not-https")
            for url in ("http://a.example/", "//a.example/", "a.example", "ftp://a.example", "file:///x")
        ),
        *((url, "not-https") for url in (" https://a.example/", "data:text/html,x", "https//a.example", "httpss://a")),
        *((url, "bad-url") for url in ("https:", "https://", "https:///x", "https:a.example", "https:/a.example")),
        *((url, "bad-url") for url in ("https://a@b.example/", "https://a.example/\n", "https://a.example/ ")),
        *((url, "bad-url") for url in ("https://a b.example/", "https://.example/", "https://a..example/")),
        *((url, "bad-url") for url in ("https://a.example:port/", "https://a.example:123456/", "https://a.example\\x")),
        *(
            (url, "bad-url")
            for url in ("https://a%2e.example/", "https://a.example/\x00", "https://[::1/", "https://a]/")
        ),
        *((url, "bad-url") for url in ('https://a.example/"x"', "https://a.example/<b>", "https://a.example/\u2028x")),
        *((url, "bad-url") for url in ("https://" + "a" * 64 + ".example/", "https://a.example/" + "x" * 2031)),
        *((url, "empty") for url in ("", " ", "\n")),
    ],
)
def test_addresses_that_cannot(url: str, rule: str) -> None:
    assert rules("url", url) == [rule]
    assert not fits("url", url)


@pytest.mark.parametrize("text", ["2026-10-20", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
def test_days_that_exist(text: str) -> None:
    assert rules("date", text) == []
    assert fits("date", text)


@pytest.mark.parametrize(
    "text",
    ["2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-10-00", "2026-13-01", "0000-01-01", "2026-1-1"]
    + [
        "20261020",
        "2026-10-20 ",
        "2026-10-20\n",
        "26-10-20",
        "2026/10/20",
        "2026-W43-2",
        "",
        "٢٠٢٦-10-20",
        "+2026-10-20",
    ],
)
def test_days_that_do_not(text: str) -> None:
    assert rules("date", text) == ["bad-date"]
    assert not fits("date", text)
    assert day_of(text) is None


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("One. Two. Three.", []),
        ("One. Two. Three. Four.", ["too-many-sentences"]),
        ("One! Two? Three… Four.", ["too-many-sentences"]),
        ("One.\n\nTwo.\n\nThree.\n\nFour.", ["too-many-sentences"]),
        ("Ver. 3.11.2 of e.g. CPython vs. PyPy, cf. No. 4 by J. R. Doe et al. Two. Three.", []),
        ("The U.S. Army, Mr. and Mrs. Smith, Inc. and Dr. Who met at St. Ives. Two. Three.", []),
        ("See https://a.example/x.html. It loads a.b.c. Then it stops.", []),
        ("它在运行。它很旧。它很大。它很高。", ["too-many-sentences"]),
        ("“Is it?” he asked. “It is.” She left.", []),
        ("word " * 150, []),
        ("word " * 151, ["quote-too-long"]),
        ("a\u00a0b\u2003c " * 50, []),
        ("a\u00a0b\u2003c " * 50 + "d", ["quote-too-long"]),
        ("-" * 3000, []),
        ("A. " * 200, ["quote-too-long"]),
        ("It rose. " * 151, ["quote-too-long", "too-many-sentences"]),
        ("a run-on sentence of many letters " + "x" * 2000, []),
    ],
)
def test_length_of_quotes(quote: str, found: list[str]) -> None:
    assert rules("quote", quote) == found
    assert fits("quote", quote) is ("quote-too-long" not in found)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(KINDS)),
    st.text(max_size=12)
    | st.sampled_from(["null", "true", "no", "0", "1", "5.0", "10", "11", "-1", "0.5", "1e3", "high", "low", "primary"])
    | st.dates().map(str)
    | st.from_regex(r"https?://[a-z.]{0,6}[/?#:@]?[a-z ]{0,3}", fullmatch=True),
    st.sampled_from(["", '"']),
)
def test_rules_and_schema_agree(kind: str, text: str, style: str) -> None:
    """On a single value the schema and the rules have one opinion; sentences are beyond a schema."""
    broken = set(rules(kind, text, style)) - {"too-many-sentences"}
    assert fits(kind, text, style) is not bool(broken), broken


def test_shortfalls_name_what_was_found_and_needed() -> None:
    assert list(shortfalls(VALIDATE, 4, 2, [5, 6, 7, 4])) == []
    both = list(shortfalls(VALIDATE, 2, 0, [4, 3]))
    assert [short.rule for short in both] == ["all-low-credibility", "too-few-validated"]
    assert "the best has 4" in both[0].found
    (one,) = shortfalls(EXTRACT, 1, 0, [])
    assert (one.found, one.needed) == ("1 citation", "at least 2 citations needed")
