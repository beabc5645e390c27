"""Documents with many citations are checked and reported in parts: what is said is the same, and memory stays small."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite import report as formats
from pincite.core.model import Report
from pincite.engine import pipeline
from pincite.engine.pipeline import Engine, join_reports, merge_count_only_parts
from pincite.engine.run import Request, Run
from pincite.project.config import Config
from pincite.safe.files import Root

MIXED = (
    "See src/a.py:1 and src/a.py:99, [words](src/a.py#L2) or [words](gone.py#L3).\n"
    "It is so. 【F:src/a.py†L3】【F:src/a.py†L77】 Not 【F:src/a.py†Lx】 so.\n"
    "| `src/a.py:2` | src/a.py:98 | <!-- pincite: ignore line-out-of-range known -->\n"
    '"These are words that nobody said" [REF-001, p. 3] [REF-002], REF-003.\n\n'
    "```\nsrc/a.py:55\n```\n> src/a.py:1-9\n\n"
)


def tree(top: Path, text: str = MIXED * 9) -> Path:
    """A folder with a few documents, the second of which is the text."""
    (top / "src").mkdir(parents=True)
    (top / "src" / "a.py").write_text("one\ntwo\nthree\n")
    (top / "a.md").write_text("See src/a.py:1.\n")
    (top / "b.md").write_text(text)
    (top / "c.md").write_text("See src/a.py:44.\n")
    return top


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many citations make a part."""

    def use(size: int) -> None:
        monkeypatch.setattr(pipeline, "PART", size)
        monkeypatch.setattr(pipeline, "_SMALL", 0)
        monkeypatch.setattr(pipeline, "_PART_OF_HISTORY", size)
        monkeypatch.setattr(pipeline.Engine.examine_parts, "__defaults__", (size,))

    return use


def written(top: Path, format_: str, **asked: object) -> str:
    """A report as `check` writes it, without its times."""
    pieces: list[str] = []
    with Root(str(top)) as root:
        module = formats.load(format_)
        run = Run(root, Request(every=module.NEEDS_ALL, **asked))  # type: ignore[arg-type]
        reporter = module.Reporter(pieces.append, formats.Options(root=str(top)))
        for report in run.parts():
            reporter.document(report)
        run.summary.seconds = 0
        reporter.close(run.summary)
    return re.sub(r'"retrieved":"[^"]*"', '"retrieved":""', "".join(pieces))


@pytest.mark.parametrize("format_", formats.names())
def test_a_report_in_parts_is_the_same_byte_for_byte(
    tmp_path: Path, small_parts: Callable[[int], None], format_: str
) -> None:
    top = tree(tmp_path / "t")
    whole = written(top, format_, cache=False)
    for size in (1, 2, 7):
        small_parts(size)
        assert written(top, format_, cache=False) == whole
    assert whole.count("\n") > 10


def test_parts_are_taken_from_the_last_run(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    top = tree(tmp_path / "t")
    whole = written(top, "json", cache=False)
    small_parts(3)
    assert [written(top, "json", cache=True) for _ in range(2)] == [whole, whole]
    (top / "c.md").write_text("See src/a.py:2 and src/a.py:45.\n")
    assert written(top, "json", cache=True) == written(top, "json", cache=False)


def test_workers_pass_parts_on(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    top = tree(tmp_path / "t")
    for number in range(70):
        (top / f"d{number:02}.md").write_text(MIXED * (number % 3))
    whole = written(top, "json", cache=False)
    small_parts(2)
    assert written(top, "json", cache=False, jobs=2) == whole


def test_whoever_asks_for_reports_gets_each_document_once(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    top = tree(tmp_path / "t")
    small_parts(2)
    with Root(str(top)) as root:
        run = Run(root, Request(cache=False))
        reports = list(run.reports())
        parts = list(Run(root, Request(cache=False)).parts())
    assert [report.document for report in reports] == ["b.md", "c.md"]
    assert not any(report.more for report in reports)
    assert sum(report.document == "b.md" for report in parts) > 10
    whole = join_reports(report for report in parts if report.document == "b.md")
    assert [verdict.citation for verdict in whole.verdicts] == [verdict.citation for verdict in reports[0].verdicts]
    assert (whole.malformed, whole.held, whole.ignored) == (reports[0].malformed, reports[0].held, reports[0].ignored)
    assert run.summary.documents == 3


def test_parts_that_only_count_are_added_to_the_next() -> None:
    some = [Report("a", held=3, more=True), Report("a", held=4, more=True), Report("a", held=1), Report("b", held=2)]
    assert [(report.document, report.held) for report in merge_count_only_parts(some)] == [("a", 8), ("b", 2)]


def test_findings_in_the_baseline_end_no_document_early(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    top = tree(tmp_path / "t")
    small_parts(2)
    with Root(str(top)) as root:
        first = Run(root, Request(cache=False, named=True))
        list(first.reports())
        then = Run(root, Request(cache=False, known=frozenset(first.fingerprints)))
        parts = list(then.parts())
    assert then.summary.exit_code == 0 and then.summary.known > 20
    assert [report.more for report in parts if report.document == "b.md"][-1] is False


def held(engine: Engine, text: str) -> Iterator[Report]:
    """The parts of a document, each let go before the next."""
    yield from engine.check_parts("b.md", text.encode())


@pytest.mark.parametrize("piece", ["src/a.py:99 ", "src/a.py:1 ", "【F:src/a.py†Lx】 ", "[a](gone.py#L1)\n"])
@pytest.mark.parametrize("every", [False, True])
def test_memory_does_not_grow_with_citations(tmp_path: Path, piece: str, every: bool) -> None:
    top = tree(tmp_path / "t")

    def peak(number: int) -> int:
        with Root(str(top)) as root:
            engine = Engine(root, Config(), every=every)
            text = piece * number
            tracemalloc.start()
            for _ in held(engine, text):
                pass
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return most - 8 * len(text)

    peak(100)
    assert peak(24_000) < 1.5 * peak(6_000) + 200_000


def test_a_claim_is_compared_with_all_that_is_cited_for_it_across_parts(
    tmp_path: Path, small_parts: Callable[[int], None]
) -> None:
    top = tree(tmp_path / "t", "It took 5 s. " + "【abcdef†L1】" * 5 + " And 6 s. 【abcdef†L1】\n")
    whole = written(top, "json", cache=False)
    small_parts(2)
    assert written(top, "json", cache=False) == whole
