"""Topics and papers for tests of pages: the example topic, a hostile one, and a corpus of one paper."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path

from pincite.domains.research.stage_runner import run
from pincite.domains.research.stages import open_topic
from support_pdf import make_pdf
from support_research import HARBOUR, TIDES, WEIR, Bed, html

LANTERNFISH = Path(__file__).resolve().parents[1] / "examples" / "lanternfish"
SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(1)>"
PAGE = "Gauges are read twice a day.\nThe lossy reset was seen in every plant."


def copy_lanternfish(top: Path) -> None:
    """Put the example topic, with its snapshots, into a folder."""
    shutil.copytree(LANTERNFISH, top, dirs_exist_ok=True, ignore=shutil.ignore_patterns("pages"))


def run_stages(top: Path, topic: str = "lanternfish") -> None:
    """Run the stages of a topic as the command line does."""
    work = open_topic(topic, top, offline=True)
    try:
        assert [step.stage for step in run(work)][-1] == "report"
    finally:
        work.root.close()


def make_hostile_topic(top: Path) -> Bed:
    """A topic whose claims, quotes, titles and pages are full of markup; its stages can be run."""
    escaped = SCRIPT.replace("<", "&lt;").replace(">", "&gt;")
    pages = {
        TIDES: html(f"On tides {escaped}", [f"The moon {escaped} raises two tides a day. It pulls hardest."]),
        HARBOUR: html("The harbour", [f"The harbour is 14 metres deep {escaped} at low water. Ships can turn in it."]),
        WEIR: html("Fish", ["Salmon climb the weir in autumn. A ladder of 9 pools helps them."]),
    }
    said = [
        (f"The moon {SCRIPT} raises two tides a day.", TIDES),
        ("It pulls hardest.", TIDES),
        (f"The harbour is 14 metres deep {SCRIPT} at low water.", HARBOUR),
        ("Ships can turn in it.", HARBOUR),
        ("Salmon climb the weir in autumn.", WEIR),
        ("A ladder of 9 pools helps them.", WEIR),
    ]
    rows = [(text, text, url) for text, url in said]
    return Bed(top, "hostile").given(rows).snapshots(pages)


def add_paper(top: Path, number: int = 1, title: str = "On gauges", pages: tuple[str, ...] = (PAGE,)) -> Path:
    """A paper in the corpus, with its PDF; gives its corpus file."""
    folder = top / ".aiwg" / "research" / "corpus"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"REF-{number:03}"
    file = folder / f"{name}-paper.md"
    quoted = "key_quotes:\n  - quote: The lossy reset was seen in every plant.\n    page: 1\n"
    file.write_text(f"---\nid: {name}\ntitle: {title!r}\ntotal_pages: {len(pages)}\n{quoted}---\n\n# {name}\n")
    (folder / f"{name}-paper.pdf").write_bytes(make_pdf(list(pages)))
    return file


class Markup(HTMLParser):
    """What a browser would make of a page: its tags, and what scripts could run by."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.forms: list[str] = []
        self.hostile: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.tags.append(tag)
        if tag == "form":
            self.forms.append(f"{names.get('method', 'get')} {names.get('action')}")
        if tag in ("img", "iframe", "object", "style") or (tag == "script" and "src" not in names):
            self.hostile.append(tag)
        self.hostile += [name for name in names if name.startswith("on") or name == "style"]
        self.hostile += [value for value in names.values() if (value or "").strip().lower().startswith("javascript:")]
