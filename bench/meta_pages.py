"""The part of `bench/meta.py` for web pages: dates, authors and titles that `pincite.pages` reads, beside others."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from time import process_time
from typing import Any, NamedTuple

from pincite.pages.read import read_html

Case = dict[str, Any]
_URL = "https://unknown.invalid/page"
_WORD = re.compile(r"[^\W\d_]+")
_UNNAMED = frozenset("dr prof mr mrs ms by von par por md phd".split())
_WEST, _EAST = timedelta(hours=12), timedelta(hours=14)


class Answer(NamedTuple):
    """What one reader says of a page."""

    title: str
    authors: list[str]
    date: str
    verified: bool = False
    unsure: bool = False


def measure(cases: list[Case], show: str, witness: bool) -> dict[str, Any]:
    """Print a table for each reader; the figures by reader and set."""
    read_html(b"<p>x</p>", "", _URL)
    readers: dict[str, Callable[[Case], Answer]] = {"pincite": _pincite}
    readers |= _witnesses() if witness else {}
    figures: dict[str, Any] = {}
    for name, reader in readers.items():
        counts: dict[str, Counter[str]] = {}
        started = process_time()
        for case in cases:
            answer = reader(case)
            for row in (case["set"], "all"):
                counts.setdefault(row, Counter()).update(_judged(case, answer))
            if name == "pincite" and show:
                _show(show, case, answer)
        print(f"{name}: {1000 * (process_time() - started) / len(cases):.1f} ms of CPU a page")
        figures[name] = {row: _rates(count) for row, count in counts.items()}
        _print(figures[name])
    return figures


def _pincite(case: Case) -> Answer:
    page = read_html(case["bytes"], "", case.get("url") or _URL)
    names = page.author.value.split("; ") if page.author is not None else []
    day = page.published.value if page.published is not None and not page.changed_last else ""
    unsure = bool(getattr(page, "date_unsure", ""))
    return Answer(page.title, names, day, page.author_confirmed is not None, unsure)


def _witnesses() -> dict[str, Callable[[Case], Answer]]:
    """Other readers that are installed."""
    found: dict[str, Callable[[Case], Answer]] = {}
    try:
        from htmldate import find_date

        found["htmldate"] = partial(_htmldate, find_date)
    except ImportError:
        pass
    try:
        from trafilatura.metadata import extract_metadata

        found["trafilatura"] = partial(_trafilatura, extract_metadata)
    except ImportError:
        pass
    return found


def _htmldate(find_date: Callable[..., str | None], case: Case) -> Answer:
    try:
        day = find_date(case["bytes"], original_date=True, url=case.get("url"))
    except (ValueError, TypeError):
        day = None
    return Answer("", [], day or "")


def _trafilatura(extract_metadata: Callable[..., Any], case: Case) -> Answer:
    said = extract_metadata(case["bytes"], default_url=case.get("url"))
    if said is None:
        return Answer("", [], "")
    return Answer(said.title or "", [name for name in (said.author or "").split("; ") if name], said.date or "")


def _judged(case: Case, answer: Answer) -> Counter[str]:
    """What is right and what is not, as counts."""
    count: Counter[str] = Counter(pages=1)
    if case.get("date") and days(case["date"]):
        count["dates"] = 1
        kind = "none" if not answer.date else "right" if answer.date in days(case["date"]) else "wrong"
        count[f"date {kind}"] = 1
        count["date wrong and sure"] = int(kind == "wrong" and not answer.unsure)
        count["date unsure"] = int(answer.unsure)
    if case.get("authors"):
        count["authors"] = 1
        kind = _compared(case["authors"], answer.authors)
        count[f"author {kind}"] = 1
        count["verified"] = int(answer.verified)
        count["verified wrong"] = int(answer.verified and kind == "wrong")
    elif "authors" in case:
        count["unsigned"] = 1
        count["unsigned but named"] = int(bool(answer.authors))
    if case.get("title") and answer.title:
        count["titles"] = 1
        ours, theirs = _plain(answer.title), _plain(case["title"])
        count["title right"] = int(ours == theirs or (len(ours) > 10 and (ours in theirs or theirs in ours)))
    return count


def days(said: str) -> set[str]:
    """The days that a known date may be: of a moment, those of any time zone; none where a set has no such day."""
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        for form in ("%B %d, %Y", "%Y-%m-%d"):
            try:
                return {datetime.strptime(said if form[1] == "B" else said[:10], form).date().isoformat()}
            except ValueError:
                continue
        return set()
    if len(said) <= 10 or ((moment.hour, moment.minute, moment.second) == (0, 0, 0) and not moment.utcoffset()):
        return {said[:10]}
    return {said[:10], (moment - _WEST).date().isoformat(), (moment + _EAST).date().isoformat()}


def _compared(known: list[str], ours: list[str]) -> str:
    """`right`: the same people; `part`: some of them, or others too; `wrong`: nobody in common; `none`."""
    if not ours:
        return "none"
    ours = [name for name in ours if not re.fullmatch(r"and \d+ more", name)]
    theirs, mine = [_words(name) for name in known[:10]], [_words(name) for name in ours[:10]]
    met = [any(_same(one, other) for other in mine) for one in theirs]
    own = [any(_same(one, other) for other in theirs) for one in mine]
    if not any(met):
        return "wrong"
    return "right" if all(met) and all(own) else "part"


def _words(name: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return frozenset(word for word in _WORD.findall(plain) if word not in _UNNAMED)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return one == other or (min(len(one), len(other)) >= 2 and (one <= other or other <= one))


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _rates(count: Counter[str]) -> dict[str, float]:
    rates: dict[str, float] = {"pages": count["pages"]}
    for what, kinds in (("date", ("right", "none", "wrong", "wrong and sure", "unsure")),):
        rates[f"{what}s"] = count[f"{what}s"]
        rates |= {f"{what} {kind} %": _percent(count[f"{what} {kind}"], count[f"{what}s"]) for kind in kinds}
    rates["authors"] = count["authors"]
    rates |= {
        f"author {kind} %": _percent(count[f"author {kind}"], count["authors"])
        for kind in ("right", "part", "none", "wrong")
    }
    rates["verified"] = count["verified"]
    rates["verified wrong"] = count["verified wrong"]
    rates["verified wrong %"] = _percent(count["verified wrong"], count["verified"])
    rates["unsigned but named %"] = _percent(count["unsigned but named"], count["unsigned"])
    rates["title right %"] = _percent(count["title right"], count["titles"])
    return rates


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _print(rows: dict[str, dict[str, float]]) -> None:
    columns = (
        ("pages", "pages"),
        ("dates", "dates"),
        ("date right %", "right"),
        ("date none %", "none"),
        ("date wrong %", "wrong"),
        ("date unsure %", "unsure"),
        ("authors", "authors"),
        ("author right %", "right"),
        ("author part %", "part"),
        ("author none %", "none"),
        ("author wrong %", "wrong"),
        ("verified", "verified"),
        ("verified wrong", "wrong"),
        ("unsigned but named %", "unsigned"),
        ("title right %", "title"),
    )
    print(f"{'':14}", *(f"{head:>8}" for _, head in columns))
    for row, rates in rows.items():
        print(f"{row:14}", *(f"{rates[key]:8g}" for key, _ in columns))
    print()


def _show(what: str, case: Case, answer: Answer) -> None:
    """One line for a case that is not right."""
    if what == "date" and (known := days(case.get("date") or "")) and answer.date not in known:
        print(f"{case['html']}: {case['date']} known, {answer.date or 'none'} read; {case.get('url', '')}")
    named = case.get("authors") or []
    kind = _compared(named, answer.authors) if named else ""
    if (what == "author" and kind not in ("", "right")) or (what == "verified" and kind == "wrong" and answer.verified):
        print(f"{case['html']}: {named} known, {answer.authors} read ({kind}); {case.get('url', '')}")
    if what == "title" and case.get("title") and _judged(case, answer)["title right"] == 0:
        print(f"{case['html']}: {case['title']!r} known, {answer.title!r} read")
