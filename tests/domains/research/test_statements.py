"""What claims something by its form, and what only names something."""

from __future__ import annotations

from time import process_time

import pytest

from pincite.domains.research.statements import is_claim, is_row_claim

CLAIMING = [
    "Chrome leaks memory in 99 % of tabs",
    "Chrome Leaks Memory",
    "Aspirin cures cancer",
    "Vaccines cause autism",
    "Aspirin reduced stroke",
    "Deaths: 4,000",
    "40 dead in crash",
    "Half of tabs leak",
    "Ninety-nine percent leak",
    "Firefox is slow",
    "Chrome: 3 GB",
    "4 of 5 tabs leak",
    "Deaths 4000",
    "Did you know that 99 % leak?",
    "The pier collapsed in 2020",
    "The club hates women",
    "Mayor convicted of fraud",
    "Nobody may swim",
    "Swimming causes cancer",
    "The mayor died",
    "Walls collapsed in 2020",
    "Coffee stunts the growth",
    "Study found errors",
    "Women hate swimming",
    "The council banned swimming",
    "The mayor left town",
    "Ten-hour outage",
    "10-hour outage",
    "Twelve outages",
    "Seven major outages",
    "12-fold slowdown",
    "2024: 3-day outage",
    "Lanternfish vs. MySQL: 10-hour outage",
    "USD-5M fine",
    "EUR-3bn penalty",
    "Mid-2019 bankruptcy",
    "17-segment layout",
    "Zero downtime",
    "Twenty-one crashes",
    "300-node cluster",
]
NAMING = [
    "Two-phase commit",
    "64-bit integers",
    "Three ways to store data",
    "Top ten questions",
    "GPT-4 and CO2",
    "2-way merge",
    "Five engines",
    "3-D printing",
    "The 12-factor app",
    "Two-factor authentication",
    "Mid-2019",
    "Outages",
    "Results for 2024",
    "Top 10 browsers",
    "2. Method",
    "3.1 Storage",
    "How it works",
    "What is a tide",
    "Memory leaks in browsers",
    "Windows 11",
    "Python 3.12 support",
    "COVID-19 vaccines",
    "Lessons learned in production",
    "5 ways to save memory",
    "Chapter 2: History",
    "12 March 2026",
    "Phase 3 trials",
    "Operating systems research",
    "Figure 2: memory use",
    "RFC 9110",
    "Related work",
    "Results and discussion",
    "Known limitations",
    "Installing on Linux",
    "Data collected in 2020",
    "The methods used here",
    "The main sources of error",
    "The operating systems course",
    "Our approach to testing",
    "Frequently asked questions about tides",
    "Reports from May 2020",
    "Questions left open",
    "The New York Times",
    "Tools built in Rust",
]


@pytest.mark.parametrize("text", CLAIMING)
@pytest.mark.parametrize("kind", ["heading", "label"])
def test_a_heading_or_caption_with_a_figure_or_a_verb_claims(text: str, kind: str) -> None:
    assert is_claim(text, kind)


@pytest.mark.parametrize("text", NAMING)
@pytest.mark.parametrize("kind", ["heading", "label"])
def test_a_heading_or_caption_that_names_claims_nothing(text: str, kind: str) -> None:
    assert not is_claim(text, kind)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Deaths: 4,000", True),
        ("Deaths: none", True),
        ("4,000", True),
        ("99 %", True),
        ("Chrome 99", True),
        ("2015", False),
        ("12 March 2026", False),
        ("Date: 2026-01-01", False),
        ("Released: 2015", True),
        ("Yes", False),
    ],
)
def test_short_items(text: str, claims: bool) -> None:
    assert is_claim(text, "entry") is claims


@pytest.mark.parametrize("text", ["The pier collapsed in 2020", "The club hates women", "Nobody may swim"])
@pytest.mark.parametrize("kind", ["code", "front", "source", "cell"])
def test_a_sentence_claims_wherever_it_stands(text: str, kind: str) -> None:
    assert is_claim(text, kind)


@pytest.mark.parametrize(("text", "claims"), [("Pier burned", True), ("Getting started", False), ("Sea level", False)])
def test_two_words_of_running_text(text: str, claims: bool) -> None:
    assert is_claim(text, "text") is claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Smith (2020), J. Foo 12(3), 45–67. doi:10.1000/xyz.", False),
        ("Doe, J. A book, 320 pages", False),
        ("Retrieved 12 March 2026", False),
        ("The dam fails for 318 children", True),
        ("99 % of readers agree", True),
    ],
)
def test_lines_of_sources(text: str, claims: bool) -> None:
    assert is_claim(text, "source") is claims


@pytest.mark.parametrize(
    ("cells", "listing", "claims"),
    [
        (["Chrome", "99 percent"], False, True),
        (["1", "Chrome"], False, False),
        (["12"], False, True),
        (["2024", "12"], False, True),
        (["Chrome", "Google", "Blink"], False, False),
        (["1", "A page", "2024"], True, False),
        (["A page", "12"], True, True),
    ],
)
def test_rows(cells: list[str], listing: bool, claims: bool) -> None:
    assert is_row_claim(cells, listing) is claims


@pytest.mark.parametrize(
    "text", ["10-hour outage", "nine-hour recovery", "17-segment layout", "Insecure.", "Unreliable."]
)
def test_a_short_line_with_a_figure_or_a_verdict_claims(text: str) -> None:
    assert is_claim(text, "text") and is_claim(text, "entry")


@pytest.mark.parametrize("text", ["Methods.", "Summary.", "References.", "Two-phase commit"])
def test_a_short_line_that_names_something_claims_nothing(text: str) -> None:
    assert not is_claim(text, "entry")


@pytest.mark.parametrize("piece", ["1", "11,", "1.1 ", "٣", "1 of ", "1(", "1-"])
@pytest.mark.parametrize("kind", ["text", "heading", "cell"])
def test_a_page_of_digits_takes_no_longer_than_its_length(piece: str, kind: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 1e9
        for _ in range(3):
            start = process_time()
            is_claim(text, kind)
            best = min(best, process_time() - start)
        return best

    assert seconds(32_000) < 20 * max(seconds(4_000), 0.001)
