"""Loading the file of a stage: what can be used of it, what is wrong with it, and that nothing makes it fall over."""

from __future__ import annotations

import string
from hashlib import sha256
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Blocked, Missing, PinciteError, Unreadable
from pincite.domains.research.model import CHECKS, EXTRACT, GROUND, SEARCH, STAGES, VALIDATE
from pincite.domains.research.stage_file import MOST_ENTRIES, TYPES, StageFile, load, load_bytes, stage_of
from pincite.domains.research.stage_values import MOST_PROBLEMS
from pincite.safe.files import Root

CASES = Path(__file__).resolve().parents[3] / "conformance" / "research"
WHOLE = {stage: (CASES / "ground-holds" / f"{stage}.yaml").read_bytes() for stage in STAGES}


def loaded(stage: str, old: str = "", new: str = "", count: int = 1, **more: object) -> StageFile:
    """A file that keeps every rule, with one thing changed."""
    text = WHOLE[stage].decode()
    assert old in text
    return load_bytes(text.replace(old, new, count).encode(), f"{stage}.yaml", stage, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", STAGES)
def test_a_whole_file_gives_its_entries(stage: str) -> None:
    found = loaded(stage)
    assert found.ok and found.whole and found.problems == ()
    assert all(type(item) is TYPES[stage] for item in found.items)
    assert found.positions == tuple(range(1, found.total + 1))
    assert found.digest == sha256(WHOLE[stage]).hexdigest()


def test_positions_survive_entries_that_cannot_be_used() -> None:
    found = loaded(VALIDATE, "    credibility_score: 9\n")
    assert (found.total, found.positions, found.whole) == (3, (2, 3), False)
    assert found.line(0) == 18
    assert found.path(0, "quote") == "validated_citations[1].quote"


def test_entries_that_break_a_rule_and_keep_their_types_can_be_used() -> None:
    found = loaded(SEARCH, "https://coast", "http://coast")
    assert not found.ok and found.whole
    assert found.items[1].url.startswith("http://")


def test_what_else_stands_at_the_top_is_kept() -> None:
    found = load_bytes(b"query: tides\nfound: [1, 2.5, null]\n" + WHOLE[SEARCH], "search-agent.yaml", SEARCH)
    assert found.extra == {"query": "tides", "found": [1, 2.5, None]}
    assert found.ok


def test_required_checks_can_be_fewer() -> None:
    rules = [problem.rule for problem in loaded(VALIDATE, "has_references: true", "has_references: null").problems]
    assert rules == ["validated-without-checks"]
    fewer = tuple(check for check in CHECKS if check != "has_references")
    assert loaded(VALIDATE, "has_references: true", "has_references: null", required=fewer).ok
    assert not loaded(VALIDATE, "has_references: true", 'has_references: "no"', required=fewer).ok


def test_days_of_the_future_are_warned_of_only_where_today_is_known() -> None:
    assert loaded(SEARCH, today="2026-10-19").problems == ()
    late = loaded(SEARCH, today="2026-10-18")
    assert [problem.rule for problem in late.problems] == ["future-date"] * 3
    assert late.ok


@pytest.mark.parametrize(
    ("name", "keys", "stage"),
    [
        ("a/b/search-agent.yaml", (), SEARCH),
        ("source-validator.json", ("results",), VALIDATE),
        ("x.yaml", ("topic", "grounded_claims"), GROUND),
        ("x.yaml", ("citations",), EXTRACT),
        ("x.yaml", ("results", "citations"), ""),
        ("x.yaml", (), ""),
        ("search-agent", (), ""),
        ("search-agent.old.yaml", (), ""),
    ],
)
def test_stage_of_a_file(name: str, keys: tuple[str, ...], stage: str) -> None:
    assert stage_of(name, keys) == stage


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "outside.yaml").write_bytes(WHOLE[SEARCH])
    (tmp_path / "root/link.yaml").symlink_to(tmp_path / "outside.yaml")
    (tmp_path / "root/text.yaml").write_bytes(b"\xff\xfe")
    with Root(str(tmp_path / "root")) as root:
        for key, kind, text in (
            ("none.yaml", Missing, "none.yaml: there is no such file"),
            ("link.yaml", Blocked, "link.yaml: leads outside"),
            ("text.yaml", Unreadable, "text.yaml: UTF-16 text"),
        ):
            with pytest.raises(kind) as refused:
                load(root, key, SEARCH)
            assert text in str(refused.value)


def test_problems_are_bounded_and_counted() -> None:
    found = load_bytes(b"results:\n" + b"  - {}\n" * 1000, "x.yaml", SEARCH)
    assert len(found.problems) == MOST_PROBLEMS + 1
    assert found.problems[-1].rule == "more-problems"
    assert "5,500 more errors" in found.problems[-1].message
    assert not found.ok


def test_only_warnings_left_off_change_nothing() -> None:
    entry = "  - {claim: a, quote: b, source_url: 'https://a.example/', source_type: primary, page_title: c,"
    entries = f"{entry} accessed_date: 2026-10-20}}\n" * 700
    found = load_bytes(f"citations:\n{entries}".encode(), "citation-extractor.yaml", EXTRACT)
    assert {problem.rule for problem in found.problems} == {"duplicate-citation"}
    assert found.ok and len(found.items) == 700


def test_a_list_that_nobody_would_read_is_refused() -> None:
    found = load_bytes(b"results:\n" + b"  - a\n" * (MOST_ENTRIES + 1), "x.yaml", SEARCH)
    assert found.problems[0].rule == "too-many-entries"
    assert found.total == MOST_ENTRIES + 1


def test_time_grows_with_the_file() -> None:
    """Long quotes, many stops and many unknown fields cost no more than their length."""

    def seconds(size: int) -> float:
        quote = ". " * size + "." * size
        fields = "".join(f"   titlee{at}: 1\n" for at in range(size // 100))
        text = f'citations:\n - claim: "{quote}"\n   quote: "{quote}"\n{fields}'.encode()
        start = process_time()
        assert load_bytes(text, "x.yaml", EXTRACT).problems
        return process_time() - start

    seconds(1000)
    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(seconds(size) for _ in range(3)) for size in (160_000, 20_000))
    assert long < 40 * max(short, 0.005)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(STAGES), st.binary(max_size=200), st.sampled_from(["x.yaml", "x.json"]))
def test_any_bytes_are_loaded_or_refused(stage: str, data: bytes, key: str) -> None:
    try:
        found = load_bytes(data, key, stage)
    except PinciteError as error:
        assert error.exit_code == 2 and key in str(error)
    else:
        assert not found.ok


VALUES = [
    "null",
    "true",
    "0",
    "-1",
    "11",
    "1e9",
    ".nan",
    ".inf",
    "[]",
    "{}",
    '""',
    "' '",
    "[[1]]",
    "{a: b}",
    "2026-02-30",
]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(STAGES), st.data())
def test_damaged_files_never_raise_and_each_problem_has_its_place(stage: str, data: st.DataObject) -> None:
    lines = WHOLE[stage].decode().split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 2))
        head, colon, _ = lines[at].partition(": ")
        change = data.draw(st.sampled_from(["value", "drop", "key", "twice"]))
        if change == "value" and colon:
            lines[at] = f"{head}: {data.draw(st.sampled_from(VALUES))}"
        elif change == "drop":
            del lines[at]
        elif change == "key" and colon:
            lines[at] = lines[at].replace(data.draw(st.sampled_from(string.ascii_lowercase)), "q", 1)
        elif change == "twice":
            lines.insert(at, lines[at])
    try:
        found = load_bytes("\n".join(lines).encode(), "x.yaml", stage)
    except PinciteError as error:
        assert error.exit_code == 2
        return
    assert len(found.items) == len(found.positions) == len(found.types) <= found.total
    for problem in found.problems:
        assert 1 <= problem.line <= len(lines) + 1
        assert problem.message and problem.remedy and problem.rule
