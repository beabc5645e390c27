"""Topics of research for tests: pages, snapshots, stage files, somebody who fetches and somebody who judges."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from pincite.core.web import Exchange, FetchFailure, Visit
from pincite.domains.research.model import EXTRACT, KEYS, SEARCH, ExtractedCitation, SearchResult
from pincite.domains.research.stage_writer import dump
from pincite.domains.research.stages import TopicContext
from pincite.domains.research.topic import find_topic
from pincite.judge.model import Assessment, QuotedEvidence, Reason
from pincite.project.config import ResearchSettings
from pincite.safe.files import Root
from pincite.store.warc import Snapshots

THEN, NOW = "2026-05-01T08:00:00Z", "2026-09-01T08:00:00Z"
TIDES, HARBOUR, WEIR = "https://tides.example/moon", "https://harbour.example/depth", "https://weir.example/fish"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
MOON = "The moon raises two tides a day. It pulls the water nearest to it hardest."
DEPTH = "The harbour is 14 metres deep at low water. Ships of 200 metres can turn in it."
FISH = "Salmon climb the weir in autumn. A ladder of 9 pools helps them."


def html(
    title: str, paragraphs: Sequence[str], author: str = "Mira Holt", date: str = "2026-03-01", references: int = 3
) -> bytes:
    """A signed page that says by whom and when, with references."""
    signed = f'<meta name="author" content="{author}">' if author else ""
    linked = f',"author":{{"@type":"Person","name":"{author}"}}' if author else ""
    dated = f',"datePublished":"{date}"' if date else ""
    byline = f'<p class="byline">By <a rel="author" href="/people/1">{author}</a></p>' if author else ""
    links = "".join(f'<li><a href="https://o{at}.example/x">A source of it</a></li>' for at in range(references))
    listed = f"<h2>References</h2><ol>{links}</ol>" if references else ""
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{signed}'
        f'<script type="application/ld+json">{{"@type":"Article","headline":"{title}"{linked}{dated}}}</script></head>'
        f"<body><article><h1>{title}</h1>{byline}{''.join(f'<p>{text}</p>' for text in paragraphs)}{listed}</article>"
        "</body></html>"
    ).encode()


PAGES = {
    TIDES: html("On tides", [MOON]),
    HARBOUR: html("The harbour", [DEPTH], "Jon Ode"),
    WEIR: html("Fish at the weir", [FISH], "Ana Ruiz"),
}
TITLES = {TIDES: "On tides", HARBOUR: "The harbour", WEIR: "Fish at the weir"}
ROWS = (
    ("The moon raises two tides a day.", "The moon raises two tides a day.", TIDES),
    ("It pulls the water nearest to it hardest.", "It pulls the water nearest to it hardest.", TIDES),
    ("The harbour is 14 metres deep at low water.", "The harbour is 14 metres deep at low water.", HARBOUR),
    ("Ships of 200 metres can turn in it.", "Ships of 200 metres can turn in it.", HARBOUR),
    ("Salmon climb the weir in autumn.", "Salmon climb the weir in autumn.", WEIR),
    ("A ladder of 9 pools helps them.", "A ladder of 9 pools helps them.", WEIR),
)


def visit(url: str, body: bytes, at: str = THEN, status: int = 200, headers: Any = HTML, via: str = "") -> Visit:
    """An answer; with `via`, after a redirect from there."""
    last = Exchange(url, status, {200: "OK", 404: "Not Found"}.get(status, "Odd"), headers, body)
    first = (Exchange(via, 301, "Moved", (("Location", url),), b""),) if via else ()
    return Visit(via or url, at, (*first, last))


def citation(claim: str, quote: str, url: str, **more: Any) -> ExtractedCitation:
    """An extracted citation of a page of ours."""
    made = ExtractedCitation(claim, quote, url, "secondary", TITLES.get(url, "A page"), "2026-05-02")
    return replace(made, **more)


class Fetching:
    """Answers from a table; what is not in it is not there. Counts what it was asked."""

    def __init__(self, answers: Mapping[str, Any] | None = None, at: str = THEN) -> None:
        self.answers = dict(PAGES if answers is None else answers)
        self.at = at
        self.asked: list[str] = []

    def __call__(self, *_: object) -> Fetching:
        return self

    def __enter__(self) -> Fetching:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def fetch_all(self, urls: Iterable[str]) -> Iterator[tuple[str, Visit | FetchFailure]]:
        """Every address once, in order."""
        for url in dict.fromkeys(urls):
            self.asked.append(url)
            got = self.answers.get(url, FetchFailure("unresolved", f"{url}: its name leads nowhere; correct it"))
            yield url, visit(url, got, self.at) if isinstance(got, bytes) else got


class Literal:
    """High where the claim stands in the quote, contradicted where a number differs, medium where most words are there.

    What it says is easy to foresee: tests of the stages are not tests of judging.
    """

    name = "literal"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement."""
        text = evidence if isinstance(evidence, str) else evidence.text
        self.asked.append((claim, text))
        said, there = (set(re.findall(r"\w+", one.lower())) for one in (claim, text))
        at = text.find(claim.rstrip("."))
        level, verdict = "low", "not shown"
        spans: tuple[tuple[int, int], ...] = ()
        if at >= 0:
            level, verdict, spans = "high", "stated", ((at, at + len(claim.rstrip("."))),)
        elif len(said & there) >= 0.6 * len(said):
            wrong = {word for word in said - there if word.isdecimal()}
            level, verdict = ("low", "contradicted") if wrong else ("medium", "implied")
        score = {"high": 1.0, "medium": 0.6, "low": 0.1}[level]
        return Assessment(level, verdict, score, (Reason("literal", f"it is {verdict}", spans),), self.name)

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many of them."""
        return [self.assess(claim, evidence) for claim, evidence in pairs]


def stand_in(monkeypatch: Any) -> None:
    """Put the foreseeable judge where the offline one is looked for."""
    module = ModuleType("pincite.judge.offline")
    module.Offline = type("Offline", (Literal,), {"name": "offline"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pincite.judge.offline", module)


class Bed:
    """A topic below a folder."""

    def __init__(self, top: Path, name: str = "tides") -> None:
        self.top = top
        self.name = name
        self.folder = top / ".research" / name
        self.outputs = self.folder / "agent-outputs"
        self.outputs.mkdir(parents=True, exist_ok=True)

    def file(self, stage: str, ending: str = ".yaml") -> Path:
        """The file of a stage."""
        return self.outputs / f"{stage}{ending}"

    def given(self, rows: Sequence[Sequence[str]] = ROWS, urls: Sequence[str] = (TIDES, HARBOUR, WEIR)) -> Bed:
        """What search and extraction write."""
        pages = list(dict.fromkeys([*urls, *(row[2] for row in rows)]))
        self.write(SEARCH, [result(at, url) for at, url in enumerate(pages, 1)])
        return self.write(EXTRACT, [citation(*row) for row in rows])

    def write(self, stage: str, items: Sequence[Any], ending: str = ".yaml", **extra: Any) -> Bed:
        """The file of a stage."""
        data = dump(stage, items, extra=extra, form="json" if ending == ".json" else "yaml")
        self.file(stage, ending).write_bytes(data)
        return self

    def snapshots(self, pages: Mapping[str, bytes] | None = None, at: str = THEN) -> Bed:
        """Keep pages as they were."""
        for url, body in (PAGES if pages is None else pages).items():
            self.keep(visit(url, body, at))
        return self

    def keep(self, *visits: Visit) -> Bed:
        """Keep visits."""
        with Root(str(self.top)) as root:
            kept = Snapshots(root, f".research/{self.name}/snapshots")
            for one in visits:
                kept.add(one)
        return self

    def work(self, fetcher: Callable[..., Any] | None = None, **more: Any) -> TopicContext:
        """The topic, ready to be worked on; without a fetcher nothing may be fetched."""
        root = Root(str(self.top))
        judge = more.pop("judge", None) or Literal()
        settings = more.pop("settings", None) or ResearchSettings()
        fetcher = fetcher or no_fetcher
        return TopicContext(root, find_topic(root, self.name), settings, judge=judge, fetcher=fetcher, **more)

    def state(self) -> dict[str, bytes]:
        """Every file of the topic, hidden ones too."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }


def no_fetcher(*_: object) -> Any:
    """For those who must not fetch."""
    raise AssertionError("nobody should be asked")


def result(number: int, url: str) -> SearchResult:
    """A page that a search found."""
    return SearchResult(number, TITLES.get(url, "A page"), url, "words about it", "secondary", "2026-05-02")


def listed(stage: str, data: Any) -> list[Any]:
    """The entries of a stage's file that was loaded as plain data."""
    found: list[Any] = data[KEYS[stage]]
    return found
