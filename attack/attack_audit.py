"""Statements without a source, put into every place of a report: none may pass as 100 % grounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campaign import Attempt

from pincite.domains.research.kept_edits import seal
from pincite.domains.research.model import Details, GroundedClaim, SeenEvidence, ValidatedCitation
from pincite.domains.research.report_audit import AuditEvidence, audit
from pincite.domains.research.report_writer import render_markdown
from pincite.judge.offline import Offline

_URL = "https://docs.reef.example/tides"
_OTHER = "https://notes.quay.example/harbour"
_QUOTES = (
    (_URL, "The reef has 14 species of coral."),
    (_URL, "The lagoon is 9 metres deep at low water."),
    (_URL, "Divers visit the reef in spring."),
    (_OTHER, "The quay was built of granite in 1884."),
    (_OTHER, "Two cranes stand on the quay."),
    (_OTHER, "The harbour master lives in the old tower."),
)
_SUBJECTS = ("Chrome", "Aspirin", "The vaccine", "Firefox", "The dam", "Bitcoin", "Lake Orrin", "The 737", "Model X")
_VERBS = ("leaks memory in", "harms", "kills", "doubles the risk for", "fails for", "loses data for", "overheats in")
_OBJECTS = ("tabs", "patients", "users", "of all cases", "servers", "households", "flights", "children")
_PLAIN_SUBJECTS = ("The pier", "The mayor", "Our club", "This bank", "Some doctor", "The old bridge", "Every teacher")
_PLAIN_VERBS = ("collapsed in 1987", "stole money", "hates women", "died", "burned down", "is corrupt", "may not swim")
_LABELS = ("Deaths", "Share", "Losses", "Failures", "Mean delay", "Error rate", "Injured", "Cost")

_UNCITED = {
    "paragraph": "{s}.",
    "paragraph without a stop": "{s}",
    "bold line": "**{s}**",
    "italic line": "*{s}*",
    "heading": "## {s}",
    "deep heading": "###### {s} ######",
    "underlined heading": "{s}\n---",
    "double underlined heading": "{s}\n===",
    "item": "- {s}",
    "numbered item": "3. {s}",
    "nested item": "- Notes\n    - {s}",
    "task": "- [x] {s}",
    "emoji bullet": "✅ {s}",
    "block quote": "> {s}",
    "nested quote": "> > {s}",
    "callout title": "> [!NOTE] {s}",
    "caption": "![{s}](chart.png)",
    "title of a picture": '![chart](chart.png "{s}")',
    "title of a link": '[here]({u} "{s}")',
    "title in single quotes": "[here]({u} '{s}')",
    "alt of a tag": '<img src="a.png" alt="{s}">',
    "title of a tag": '<abbr title="{s}">x</abbr>',
    "aria label": '<div aria-label="{s}"></div>',
    "details": "<details><summary>{s}</summary></details>",
    "block of HTML": "<div>\n<p>{s}</p>\n</div>",
    "cell of HTML": "<table><tr><td>{s}</td></tr></table>",
    "caption of HTML": "<figure><figcaption>{s}</figcaption></figure>",
    "code span": "`{s}`",
    "fenced code": "```\n{s}\n```",
    "fenced code with a language": "~~~python\n# {s}\n~~~",
    "indented code": "Text. [1]({u})\n\n    {s}",
    "definition list": "Result\n: {s}",
    "footnote": "[^n]: {s}",
    "footnote with an address": "[^n]: {s} {u}",
    "abbreviation": "*[XQ]: {s}",
    "title of a reference": '[ref]: {u} "{s}"',
    "row": "| Name | Finding |\n|---|---|\n| Result | {s} |",
    "row without a head": "| Result | {s} |",
    "row without outer pipes": "Name | Finding\n---|---\nResult | {s}",
    "name of a column": "| {s}. | x |\n|---|---|\n| a | b |",
    "name of a column without a stop": "| {s} | x |\n|---|---|\n| a | b |",
    "cell beside a grounded one": "| a | b |\n|---|---|\n| The reef has 14 species of coral. [1]({u}) | {s} |",
    "document in an attribute": '<iframe srcdoc="{s}."></iframe>',
    "after a colon": "In short: {s}",
    "question": "Did you know that {s}?",
    "introduction": "The following shows that {s}:",
    "list of sources, item": "## References\n\n- {s}",
    "list of sources, entry": "## References\n\n7. [A page]({u}), {s}",
    "list of sources, title": "## References\n\n7. [{s}]({u})",
    "list of sources, row": "## References\n\n| {s} | {u} |\n|---|---|\n| {s} | {u} |",
    "line below a rule": "***\n{s}",
    "tag inside": "<b>{s}</b>",
    "line break inside": "{s}<br>",
}
_FRONT = ("title", "description", "summary", "abstract", "subtitle")
_SHORT = (
    "- {l}: {n}",
    "{l}: {n}",
    "**{l}:** {n}",
    "| {l} | {n} |",
    "| Name | {l} |\n|---|---|\n| Chrome | {n} |",
    "| {l} |\n|---|\n| {n} |",
    "1. {n}",
    "{l}\n: {n}",
    "## {l}: {n}",
    "<dl><dt>{l}</dt><dd>{n}</dd></dl>",
    "> {l} — {n}",
    "![{l}: {n}](a.png)",
)


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every place, with statements that differ in words and figures."""
    grounds, report = _topic()
    if not audit(report, grounds, Offline()).ok:
        yield Attempt("own report", "unchanged", False, "the report as it was written does not pass")
    for _ in range(2 if brief else 40):
        for place, form in _UNCITED.items():
            said = _sentence(random)
            yield _tried(
                f"sentence: {place.partition(',')[0]}", said, _put(random, report, form.format(s=said, u=_URL)), grounds
            )
            said = _statement(random)
            yield _tried(
                f"place: {place.partition(',')[0]}", said, _put(random, report, form.format(s=said, u=_URL)), grounds
            )
        for key in _FRONT:
            said = _statement(random)
            yield _tried("place: frontmatter", said, f'---\n{key}: "{said}"\n---\n{report}', grounds)
            said = _sentence(random)
            yield _tried("sentence: frontmatter", said, f"---\n{key}: {said}\n---\n{report}", grounds)
        for form in _SHORT:
            said = form.format(l=random.choice(_LABELS), n=_figure(random))
            yield _tried("label and figure", said, _put(random, report, said), grounds)
        yield from _cited(random, report, grounds)
        yield from _recorded(random, report, grounds)
        yield from _edited(random, seal(report).decode(), grounds)


def _topic() -> tuple[AuditEvidence, str]:
    details = Details(True, True, True, "2026-01-02", "Ada", True, True)
    seen = SeenEvidence(
        "snapshot", snapshot="snapshots/a.warc.gz", digest="sha256:" + "ab" * 32, credibility=("base 7: a", "= 7")
    )
    citations = [
        ValidatedCitation(quote, quote, url, "secondary", "A page", "2026-03-01", True, 7, details, None, evidence=seen)
        for url, quote in _QUOTES
    ]
    claims = [
        GroundedClaim(at, quote, at, url, quote, "high", judge="offline") for at, (url, quote) in enumerate(_QUOTES, 1)
    ]
    return AuditEvidence(claims, citations), render_markdown("reef", claims, citations)


def _statement(random: Random) -> str:
    figure = random.choice((f"{random.randint(3, 99)} %", f"{random.randint(2, 99)} percent", _figure(random)))
    of = "of " if "%" in figure or "percent" in figure else ""
    return f"{random.choice(_SUBJECTS)} {random.choice(_VERBS)} {figure} {of}{random.choice(_OBJECTS)}"


def _sentence(random: Random) -> str:
    """A statement without a figure."""
    return f"{random.choice(_PLAIN_SUBJECTS)} {random.choice(_PLAIN_VERBS)}"


def _edited(random: Random, report: str, grounds: AuditEvidence) -> Iterator[Attempt]:
    """A report with its seal, of which a line was changed, taken out, doubled or put in."""
    if not audit(report, grounds, Offline()).ok:
        yield Attempt("sealed: unchanged", "unchanged", False, "the report as it was written does not pass")
    for old, new in (
        ("Ada", random.choice(("Bob", "Eve", "The Ministry"))),
        ("published 2026-01-02", f"published {random.randint(1990, 2025)}-01-02"),
        ("accessed 2026-03-01", f"accessed 2026-03-{random.randint(10, 28)}"),
        ("sha256:abab", f"sha256:{random.randrange(16**4):04x}"),
        ("[A page]", f"[{random.choice(_LABELS)}]"),
    ):
        yield _tried("sealed: field", f"{old} → {new}", report.replace(old, new, 1), grounds)
    lines = report.splitlines(keepends=True)
    at = random.choice([number for number, line in enumerate(lines[:-1]) if line.strip()])
    for kind, middle in (("taken out", []), ("doubled", [lines[at]] * 2), ("put in", [lines[at], "Other\n"])):
        changed = "".join([*lines[:at], *middle, *lines[at + 1 :]])
        yield _tried(f"sealed: line {kind}", lines[at], changed, grounds)


def _figure(random: Random) -> str:
    number = random.randint(3, 899)
    return random.choice(
        (f"{number},{random.randint(100, 999)}", f"{number} million", f"{number} %", f"${number}", f"{number}")
    )


def _put(random: Random, report: str, lines: str) -> str:
    """The report with lines in the middle of it or at its end."""
    places = [match.start() for match in re.finditer(r"(?m)^## ", report)]
    at = random.choice([*places, len(report)])
    if "## References" in lines:
        at = len(report)
    return f"{report[:at]}\n{lines}\n\n{report[at:]}"


def _cited(random: Random, report: str, grounds: AuditEvidence) -> Iterator[Attempt]:
    """Statements that cite a validated source which does not say them, beside one that it says."""
    url, true = random.choice(_QUOTES)
    said, bare = _statement(random), true.rstrip(".")
    other = next(one for one, _ in _QUOTES if one != url)
    forms = {
        "cited: alone": f"{said}. [1]({url})",
        "cited: first of two clauses": f"{said} [1]({other}), and {bare[0].lower()}{bare[1:]} [2]({url}).",
        "cited: second of two clauses": f"{bare} [1]({url}), and {said} [2]({other}).",
        "cited: clauses without a comma": f"{bare} [1]({url}) while {said} [2]({other}).",
        "cited: words of a link in brackets": f"{said} ([{true}]({url})).",
        "cited: words of a link behind": f"{said} [{bare}]({url}).",
        "cited: words of a link before": f"[{bare}]({url}): {said}.",
        "cited: row": f"| {said} | [1]({url}) |",
        "cited: heading": f"## {said} [1]({url})",
        "cited: raised": f"{said}.<sup><a href='{url}'>1</a></sup>",
        "cited: caption": f"![{said}](a.png) [1]({url})",
    }
    for kind, lines in forms.items():
        yield _tried(kind, lines, _put(random, report, lines), grounds)


def _recorded(random: Random, report: str, grounds: AuditEvidence) -> Iterator[Attempt]:
    """The report's own table and list of sources, altered."""
    rows = [line for line in report.splitlines() if re.match(r"\| \d", line)]
    row = random.choice(rows)
    cells = row.strip("| ").split(" | ")
    said = _statement(random)
    for kind, at, text in (
        ("claim", 1, said),
        ("quote", 4, f"“{said}”"),
        ("confidence", 3, "medium"),
        ("judge", 5, said),
    ):
        changed = [*cells[:at], text, *cells[at + 1 :]]
        yield _tried(f"table: {kind}", text, report.replace(row, f"| {' | '.join(changed)} |"), grounds)
    number = re.search(r"\d+", row[4 : row.index("](")].rpartition("[")[0])
    if number is not None:
        figure = str(int(number[0]) + random.randint(1, 50))
        yield _tried(
            "table: figure",
            figure,
            report.replace(row, row[: 4 + number.start()] + figure + row[4 + number.end() :]),
            grounds,
        )
    yield _tried(
        "table: added row",
        said,
        report.replace(row, f"{row}\n| 9 | {said} | [1]({_URL}) | high | “x” | offline |"),
        grounds,
    )
    line = "accessed 2026-03-01"
    yield _tried("sources: added line", said, report.replace(line, f"{line}\\\n   {said}", 1), grounds)
    yield _tried(
        "sources: score",
        "10",
        report.replace("credibility 7/10", "credibility 10/10; 99 % of readers agree", 1),
        grounds,
    )
    yield _tried("sources: title", said, report.replace("[A page]", f"[{said}]", 1), grounds)


def _tried(kind: str, name: str, report: str, grounds: AuditEvidence) -> Attempt:
    found = audit(report, grounds, Offline())
    return Attempt(kind, name, not found.ok, report[-600:] if found.ok else "")
