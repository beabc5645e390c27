"""Reports: what they hold, what they refuse, and that nothing in them is more than text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from pincite.domains.research.escape_markdown import (
    escape_markdown,
    fold_sentence,
    link_target,
    show_on_one_line,
    url_key,
)
from pincite.domains.research.model import Aborted, Details, GroundedClaim, SeenEvidence, ValidatedCitation
from pincite.domains.research.report_audit import GROUNDED, AuditEvidence, audit
from pincite.domains.research.report_writer import RejectingJudge, render_html, render_markdown

SEEN = SeenEvidence(
    availability="snapshot",
    final_url="https://a.example.org/one",
    status=200,
    retrieved="2026-08-31T10:00:00Z",
    snapshot="snapshots/one.warc.gz",
    digest="sha256:" + "ab" * 32,
    credibility=(
        "base 9: official documentation (a.example.org)",
        "±0 publication date unknown",
        "+1 verified author",
        "= 10",
    ),
)
QUOTE = "Words of the page."
EXAMPLES = int(os.environ.get("PINCITE_EXAMPLES", "40"))


def citation(url: str = "https://a.example.org/one", title: str = "One", **more: object) -> ValidatedCitation:
    details = Details(True, True, True, "2026-01-02", "Ada Writer", True, True)
    made = ValidatedCitation("c", QUOTE, url, "primary", title, "2026-08-31", True, 10, details, None, evidence=SEEN)
    return replace(made, **more)  # type: ignore[arg-type]


def grounded(
    texts: list[str], url: str = "https://a.example.org/one", section: str | None = None
) -> list[GroundedClaim]:
    return [
        GroundedClaim(number, text, 1, url, QUOTE, "high", section=section, judge="offline")
        for number, text in enumerate(texts, 1)
    ]


FIVE = ["One is a number.", "Two is another", "Three is “odd”!", "Four is even.", "Five fingers make a hand"]


def test_a_report_has_findings_sources_and_the_table() -> None:
    claims = grounded(FIVE[:3], section="Numbers") + grounded(FIVE[3:], section="Hands")
    claims = [replace(claim, claim_id=number) for number, claim in enumerate(claims, 1)]
    claims[4] = replace(
        claims[4],
        citation_id=2,
        citation_url="https://b.example.org/x?a=1&b=2",
        attested="attested by Bo on 2026-01-01",
    )
    sources = [
        citation(),
        citation("https://b.example.org/x?a=1&b=2", "Two | more", evidence=replace(SEEN, availability="archived")),
    ]
    text = render_markdown("numbers", claims, sources)
    assert (
        text
        == """\
# numbers

## Numbers

- One is a number. [1](https://a.example.org/one)
- Two is another. [1](https://a.example.org/one)
- Three is “odd”! [1](https://a.example.org/one)

## Hands

- Four is even. [1](https://a.example.org/one)
- Five fingers make a hand. [2](https://b.example.org/x?a=1&amp;b=2)

## Sources

1. [One](https://a.example.org/one)\\
   Ada Writer, published 2026-01-02\\
   official documentation (a.example.org)\\
   credibility 10/10 (base 9; +1 verified author; = 10)\\
   accessed 2026-08-31\\
   snapshot snapshots/one.warc.gz, sha256:{digest}
2. [Two &#124; more](https://b.example.org/x?a=1&amp;b=2)\\
   Ada Writer, published 2026-01-02\\
   official documentation (a.example.org)\\
   credibility 10/10 (base 9; +1 verified author; = 10)\\
   accessed 2026-08-31\\
   snapshot snapshots/one.warc.gz, sha256:{digest}\\
   archived: the page is gone, its snapshot is not

## Grounded claims

|  | Claim | Source | Confidence | Quote | Judged by |
|---|---|---|---|---|---|
| 1 | One is a number. | [1](https://a.example.org/one) | high | “Words of the page.” | offline |
| 2 | Two is another | [1](https://a.example.org/one) | high | “Words of the page.” | offline |
| 3 | Three is “odd”! | [1](https://a.example.org/one) | high | “Words of the page.” | offline |
| 4 | Four is even. | [1](https://a.example.org/one) | high | “Words of the page.” | offline |
| 5 | Five fingers make a hand | [2](https://b.example.org/x?a=1&amp;b=2) | high | “Words of the page.” | {whom} |

Grounded claims: 5, stated by their quotes (high): 5
""".replace("{digest}", "ab" * 32).replace("{whom}", claims[4].attested)
    )


@pytest.mark.parametrize(
    ("claims", "sources", "said"),
    [
        (grounded(FIVE[:4]), [citation()], "4 grounded claims; at least 5"),
        ([], [], "0 grounded claims"),
        (grounded(FIVE), [], "claim 1 names citation 1, which does not exist"),
        (grounded(FIVE), [citation(validated=False)], "citation 1, which is not validated"),
        (grounded(FIVE), [citation("https://other.example.org/")], "another address or quote"),
        (grounded(FIVE), [citation(quote="Other words.")], "another address or quote"),
        (grounded(FIVE, "http://a.example.org/"), [citation("http://a.example.org/")], "not plain https"),
        (grounded(FIVE, "https://u@a.example.org/"), [citation("https://u@a.example.org/")], "not plain https"),
        ([replace(claim, confidence="low") for claim in grounded(FIVE)], [citation()], "the confidence 'low'"),
        (grounded([*FIVE, "…"]), [citation()], "claim 6 says nothing"),
    ],
)
@pytest.mark.parametrize("render", [render_markdown, render_html])
def test_what_does_not_stand_is_refused(
    render: Callable[..., str], claims: list[GroundedClaim], sources: list[ValidatedCitation], said: str
) -> None:
    with pytest.raises(Aborted) as caught:
        render("t", claims, sources)
    assert said in str(caught.value)
    assert caught.value.exit_code == 1


HOSTILE = [
    "A raised number.¹ Words¹ and 10 m² and x.² ³",
    "[click](https://evil.example.com/) here now",
    "![x](https://evil.example.com/p.png) is a picture",
    "<script>alert(1)</script> runs here",
    "# Not a heading at all",
    "- not an item at all",
    "1. not a number at all",
    "2024) was not an item",
    "--- not a rule",
    "=== not an underline",
    "> not a quotation at all",
    "a | b | c are no cells",
    "`code` and ``` more of it",
    "*bold* and _italic_ and ~~struck~~ words",
    "https://evil.example.com/ is an address",
    "www.evil.example.com is one too",
    "Mail @someone about #12 and a@b.example.org",
    "&lt;b&gt; and &amp; and &#91;x&#93; stay",
    "One sentence. Two sentences. Three of them!",
    "Lower case. and more of it. iPhones too.",
    "It costs $5 and $6, or 2 * 3 * 4 of it",
    "Back\\slash and \\[escaped\\] and \\",
    "Cites [1] and [^1] and 【1】 and [a][b] itself",
    "Is it (Source: nobody) after all?",
    "Why is this a question?",
    "The following holds:",
    "Ends with [citation needed]",
    "\u202eright to left\u202c and \x1b[31mred\x00",
    "two\nlines\r\nand\ttabs\u2028here",
    "Unicode: été, 中文。第二句。",
    "<!-- hidden --> words here",
    "$$x$$ and {{ template }} and {% tag %}",
    "[ ] is a box to tick",
    "[x]: https://evil.example.com/",
    "[^1]: a footnote of one",
    "+1 is a sum",
    "No.",
    "Sources",
    "a" * 3000 + " is long",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_claim_is_only_text(text: str) -> None:
    sources = [citation(title=text, accessed_date="2026-08-31", evidence=replace(SEEN, snapshot=text))]
    claims = [replace(claim, section=text) for claim in grounded([*FIVE, text])]
    claims[5] = replace(claims[5], attested=text)
    report = render_markdown(text, claims, sources)
    check_markdown(report)
    assert audit(report, AuditEvidence(claims, sources), RejectingJudge()).ok
    tags = tags_of(render_html(text, claims, sources))
    assert {target for _, target in tags if target} <= {"https://a.example.org/one", "#source-1"}
    assert not {name for name, _ in tags} & {"script", "img", "iframe", "b"}


def check_markdown(report: str) -> None:
    """Everything that a reader can follow leads to the source, and there is no markup but the report's own."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(report)
    for token in tokens:
        assert token.type not in ("html_block", "blockquote_open", "code_block", "fence", "hr"), token
        for child in token.children or ():
            assert child.type not in ("image", "code_inline", "em_open", "strong_open", "s_open"), child
            if child.type == "link_open":
                assert child.attrs["href"] == "https://a.example.org/one"
            if child.type == "html_inline":
                assert child.content == "<!-- -->"
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h2", "h2"]


def tags_of(page: str) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs).get("href") or dict(attrs).get("src")))

    Reader().feed(page)
    return found


TEXTS = st.one_of(
    st.text(min_size=1, max_size=60),
    st.lists(
        st.sampled_from([*HOSTILE[:-1], "it", "Is.", "One", "(", ")", "]", "*", "_", "`", "\\", "&", "。"]),
        min_size=1,
        max_size=4,
    ).map(" ".join),
)


def test_a_claim_that_ends_as_another_does_is_not_refused() -> None:
    texts = ["Salmon climb the weir.", "The moon raises two tides. Salmon climb the weir."]
    claims = grounded([*FIVE, *texts])
    report = render_markdown("topic", claims, [citation()])
    found = audit(report, AuditEvidence(claims, [citation()]), RejectingJudge())
    assert found.ok and [one.claim_id for one in found.sentences[-3:]] == [6, 7, 7]


@given(st.lists(TEXTS, min_size=1, max_size=3))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_report_is_always_grounded_or_refused(texts: list[str]) -> None:
    claims = [replace(claim, section=texts[0]) for claim in grounded([*FIVE, *texts])]
    sources = [citation()]
    try:
        report = render_markdown("topic", claims, sources)
    except Aborted as refused:
        assert "says nothing" in str(refused)
        assert any(not re.search(r"[^\W_]", fold_sentence(text)) for text in texts)
        return
    found = audit(report, AuditEvidence(claims, sources), RejectingJudge())
    assert found.ok and found.percentage == "100 %"
    assert all(one.state == GROUNDED and one.citation_id == 1 for one in found.sentences)
    check_markdown(report)


@given(TEXTS)
@settings(max_examples=2 * EXAMPLES, deadline=None)
def test_what_is_written_reads_as_what_was_meant(text: str) -> None:
    rendered = MarkdownIt("commonmark", {"html": True}).parse(escape_markdown(text))
    said = "".join(
        "" if child.type == "html_inline" else child.content for token in rendered for child in token.children or ()
    )
    assert said.strip() == show_on_one_line(text).strip()


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://a.org/x", "https://a.org/x"),
        ("HTTPS://A.org:443/X", "https://a.org/X"),
        ("https://a.org:8443", "https://a.org:8443"),
        (
            "https://a.org/x_(y)?q=a b&c=\"<>`|\\^[]{}'#f",
            "https://a.org/x_%28y%29?q=a%20b&amp;c=%22%3C%3E%60%7C%5C%5E%5B%5D%7B%7D%27#f",
        ),
        ("https://a.org/ünï", "https://a.org/%C3%BCn%C3%AF"),
        ("https://bücher.org/", "https://xn--bcher-kva.org/"),
        *((f"https://{host}.org/", "") for host in ("faß", "FAẞ", "βόλος", "a\u200db", "a\u200cb")),
        ("https://a.org/%41%zz", "https://a.org/%41%zz"),
        ("http://a.org/", ""),
        ("javascript:alert(1)", ""),
        ("https://", ""),
        ("https://user@a.org/", ""),
        ("https://a.org:x/", ""),
        ("https://127.0.0.1/", ""),
        ("https://a b.org/", ""),
        ("https://a.org/" + "x" * 9000, ""),
    ],
)
def test_addresses_are_plain_https(url: str, target: str) -> None:
    assert link_target(url) == target


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.org", "https://a.org/", True),
        ("https://A.ORG/x#part", "https://a.org:443/x", True),
        ("https://a.org/x", "https://a.org/x/", False),
        ("https://a.org/x", "https://a.org/X", False),
        ("https://a.org/x", "http://a.org/x", False),
        ("https://a.org/x?a", "https://a.org/x?b", False),
        ("https://a.org/(x)", "https://a.org/%28x%29", True),
    ],
)
def test_when_two_addresses_are_one_page(one: str, other: str, same: bool) -> None:
    assert (url_key(one) == url_key(other)) == same


def test_claims_under_a_heading_that_lists_sources_stay_claims() -> None:
    claims = [replace(claim, section="References") for claim in grounded(FIVE)]
    report = render_markdown("t", claims, [citation()])
    assert "## Findings: References" in report
    assert audit(report, AuditEvidence(claims, [citation()]), RejectingJudge()).total == 5
