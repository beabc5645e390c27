"""What in a report points at a source: links, numbers, footnotes, addresses, and the names of sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from html import unescape
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.sentences import NEEDED, is_abbreviated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Sources = Mapping[str, tuple[str, ...]]
    """The addresses of the report's own list: by number, by footnote (`^1`), by label, by title (`title:…`); and of
    the pages that are known (`page:…`)."""

_LABEL = r"(?P<label>(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\]){0,100}+\]){0,500}+)"
_TARGET = r"\([ \t]*+(?:<(?P<angled>[^<>\n]{0,2000}+)>|(?P<target>(?:[^\s()<>]|\([^\s()<>]{0,500}+\)){0,2000}+))"
_TITLE = r"(?:[ \t\n]+(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?[ \t]*\)"
_TOKEN = re.compile(
    rf"""
      (?P<escape>\\[!-/:-@\[-`{{-~])                        # \*
    | (?P<needed>{re.escape(NEEDED)})                       # the words that ask for a citation
    | (?P<auto><https?://[^\s<>]{{1,2000}}+>)               # <https://a.example>
    | (?P<anchor>                                           # <a href="https://a.example">words</a>
        <a\s[^<>]{{0,500}}?\bhref\s*=\s*["']?(?P<href>https?://[^\s"'<>]{{1,2000}}+)[^<>]{{0,500}}+>
        (?P<inner>(?:[^<>]|</?(?!a\b)[a-z][^<>]{{0,100}}+>){{0,500}}+)</a>)
    | (?P<raised>                                           # <sup>[1, 2]</sup> or ¹²
        <sup>\s*+\[?[0-9]{{1,4}}(?:\s*+[,;–-]\s*+[0-9]{{1,4}})*+\]?\s*+</sup>
        |[⁰¹²³⁴-⁹]++)
    | (?P<tag></?[A-Za-z][^<>]{{0,500}}+>)                  # <em>
    | (?P<link>(?P<picture>!?)                              # [words](https://a.example "title") or [words][name]
        \[{_LABEL}\](?:{_TARGET}{_TITLE}|\[(?P<name>[^\[\]\n]{{0,100}}+)\]))
    | (?P<short>\[\^?[^\[\]\n]{{1,100}}+\])                 # [1] or [^1]
    | (?P<lens>【[0-9]{{1,4}}(?![0-9])[^【】\n]{{0,100}}+】)  # 【1†source】
    | (?P<bare>https?://[^\s<>\0\[\]"]{{1,2000}}+)          # https://a.example
    | (?P<entity>&(?:\#[0-9]{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});)  # &amp;
    | (?P<named>\([ \t]*sources?[ \t]*:(?![ \t]*https?:)[^()\[\]<>\n]{{1,300}}+\))  # (source: a title)
    | (?P<emphasis>\*{{1,3}}(?!(?<=\s\*)\s)|~~|(?<![^\W_])_{{1,3}}|_{{1,3}}(?![^\W_]))  # **
    | (?P<code>\0++)                                        # what stood for code
    | (?P<hidden>\x01++)                                    # what no reader sees
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Tags that part what stands beside them: those of a block end a sentence, those of a cell or a line only a word.
_PARTING_TAG = re.compile(r"</?(?:br|option|td|text|th)\b", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|blockquote|caption|center|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre"
    r"|section|summary|table|title|tr|ul)\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"[0-9]{1,4}(?:\s*[,;–-]\s*[0-9]{1,4})*")
_RANGE = re.compile(r"([0-9]{1,4})(?:\s*[–-]\s*([0-9]{1,4}))?")
_MOST_IN_RANGE = 50
# The text of a link that says nothing but that there is one.
_BARE_LABEL = re.compile(
    # Examples: `[12]`, `source 3`, `https://e.org/x`.
    r"""
    [\[(]?\^?[0-9]{1,4}[\])]?|\W*(?:sources?|links?|refs?\.?|references?|citations?|cite)(?:\ ?[0-9]{1,4})?\W*
    |https?://\S*|\W*
    """,
    re.IGNORECASE | re.VERBOSE,
)
# In brackets, capitalised words are a source's name, and other words are said.
_NAME = re.compile(
    r"(?:[A-Z0-9][\w.&'’-]*|of|the|and|for|et|al\.)(?:,? (?:[A-Z0-9][\w.&'’-]*|of|the|and|for|et|al\.)){0,6}"
)
_BEFORE = re.compile(
    r"(?:(?<=\s)|\A)(?:(?P<opens>\()\s*(?P<says>(?:sources?|see|via|cf\.|refs?|references?)\s*:?\s*)?|sources?\s*:\s*)\Z",
    re.IGNORECASE,
)
# Behind a stop, the name or the host of a source is no part of what follows, unless that goes on with it.
_SOURCE = re.compile(rf"{_NAME.pattern}(?: \([0-9]{{4}}[a-z]?\))?|[\w-]+(?:\.[\w-]+)+|\w{{1,2}}")
_STOPPED = re.compile(r"[.!?…][\"'”’»)\]*_]{0,4}\s*(?P<dash>(?:[—–―]|--)\s*)?\Z")
_NEXT = re.compile(r"[.;]?\s*(?:\Z|[^\W\d_a-zß-öø-ÿ]|[0-9\"“‘'(\[*])")
# Where a raised number is a mark and no power or unit: behind a word or a stop.
_RAISED_BEHIND = re.compile(r"(?:[^\W\d_]{3}|[.!?…,;:)\]\"”’»*_>⁰¹²³⁴-⁹])\s?\Z")
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_AFTER = re.compile(r"[.,;]?\s*\)")
_BETWEEN = re.compile(r"\s*(?:[,;]|and|&)?\s*", re.IGNORECASE)
_LOOK_BACK = 40
_STOPS = frozenset(".,;:!?)。！？")
_TRAILING = ".,;:!?'*_"


class Mark(Struct, frozen=True):
    """A place in a report that points at sources."""

    start: int
    end: int
    urls: tuple[str, ...]
    missing: tuple[str, ...] = ()
    """What is named and cannot be found in the report's own list."""
    words: str = ""
    """What a reader sees of it; empty where that is no part of the sentence."""


class ReferenceScan:
    """What stands between two places of a report: its marks, and what a reader sees in place of markup."""

    def __init__(self, text: str, prose: str, start: int, end: int, sources: Sources) -> None:
        self._text = text
        self._prose = prose
        self._sources = sources
        self._end = end
        self._said: list[tuple[int, int, str]] = []
        found: list[Mark] = []
        at = start
        while (token := _TOKEN.search(prose, at, end)) is not None:
            mark, at = self._take(token)
            if mark is not None:
                found.append(mark)
        self.marks = self._group_marks(found, start)
        gaps = [(mark.start, mark.end, "") for mark in self.marks if not mark.words]
        self.gaps = sorted([*gaps, *self._said], key=lambda gap: (gap[0], -gap[1]))
        """Everything that is not seen as it is written, with what is."""
        self._begins = [gap[0] for gap in self.gaps]

    def read(self, start: int, end: int) -> str:
        """What a reader sees between two places, on one line; marks that say nothing are left out."""
        pieces: list[str] = []
        at = start
        for index in range(bisect_left(self._begins, start), len(self.gaps)):
            begin, stop, said = self.gaps[index]
            if begin >= end:
                break
            if begin < at or stop > end:
                continue
            pieces.append(self._text[at:begin])
            if not said and self._text[stop : stop + 1] in _STOPS:
                # A mark goes with the space before it: the stop behind it belongs to the word.
                while pieces and not pieces[-1].strip():
                    pieces.pop()
                pieces[-1:] = [piece.rstrip() for piece in pieces[-1:]]
            pieces.append(said)
            at = stop
        return " ".join("".join([*pieces, self._text[at:end]]).split())

    def _take(self, token: re.Match[str]) -> tuple[Mark | None, int]:
        """The mark that a token is, and where to go on."""
        kind = token.lastgroup
        start, end = token.span()
        if kind == "link":
            return self._link(token)
        if kind == "short":
            return self._short(start, end)
        if kind == "anchor":
            return self._read_link(start, end, token.span("inner"), (unescape(token["href"]),))
        if kind == "raised" and (mark := self._read_raised_number(token)) is not None:
            return mark, end
        if kind == "auto":
            return Mark(start, end, (unescape(token[0][1:-1]),)), end
        if kind == "bare":
            url = _trim_url(token[0])
            return Mark(start, start + len(url), (unescape(url),)), start + len(url)
        if kind == "lens":
            number = re.split(r"[^0-9]", token[0][1:], maxsplit=1)[0]
            return self._read_number(start, end, number), end
        if kind == "named":
            return self._read_named_source(token), end
        said = ""
        if kind == "escape":
            said = token[0][1]
        elif kind == "entity":
            said = unescape(token[0])
        elif kind == "code":
            said = self._text[start:end].strip("`").strip()
        elif kind == "tag":
            said = "\n" if _BLOCK_TAG.match(token[0]) else " " if _PARTING_TAG.match(token[0]) else ""
        elif kind == "raised":
            said = re.sub(r"</?sup>", "", token[0])
        self._said.append((start, end, said))
        return None, end

    def _link(self, token: re.Match[str]) -> tuple[Mark | None, int]:
        start, end = token.span()
        if token["picture"]:
            self._said.append((start, end, ""))
            return None, end
        inner = token.span("label")
        missing: tuple[str, ...] = ()
        if token["name"] is not None:
            both = token["label"], token["name"]
            if any(one.startswith("^") for one in both) or all(map(_NUMBERS.fullmatch, both)):
                # `[1][2]` or `[^a][^b]` are two marks, and not a link with its name.
                return self._short(start, inner[1] + 1)
            name = token["name"] or token["label"]
            urls = self._sources.get(_key(name), ())
            missing = () if urls else (f"[{' '.join(name.split())}]",)
        else:
            written = token["angled"] if token["angled"] is not None else token["target"]
            url = unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written))
            urls = (url,) if url.lower().startswith(("https://", "http://")) else ()
        return self._read_link(start, end, inner, urls, missing)

    def _read_link(
        self, start: int, end: int, inner: tuple[int, int], urls: tuple[str, ...], missing: tuple[str, ...] = ()
    ) -> tuple[Mark | None, int]:
        """A link with its text, which is part of the sentence unless it only says that there is one."""
        label = ReferenceScan(self._text, self._prose, *inner, {})
        words = label.read(*inner)
        if (urls or missing) and _BARE_LABEL.fullmatch(words):
            return Mark(start, end, urls, missing), end
        self._said += [(start, inner[0], ""), *label._said, (inner[1], end, "")]
        return (Mark(start, end, urls, missing, words) if urls or missing else None), end

    def _short(self, start: int, end: int) -> tuple[Mark | None, int]:
        """A label in brackets: numbers, a footnote, or the name of a link that is defined elsewhere."""
        bare = " ".join(self._prose[start + 1 : end - 1].split())
        if bare.startswith("^") and not _NUMBERS.fullmatch(bare[1:]):
            urls = self._sources.get(_key(bare), ())
            return Mark(start, end, urls, () if urls else (f"[{bare}]",)), end
        if _NUMBERS.fullmatch(bare.lstrip("^")):
            return self._read_number(start, end, bare), end
        urls = self._sources.get(_key(bare), ())
        if not urls:
            # Words in brackets, and markup in them perhaps.
            return None, start + 1
        self._said += [(start, start + 1, ""), (end - 1, end, "")]
        return Mark(start, end, urls, words=bare), end

    def _read_number(self, start: int, end: int, written: str) -> Mark:
        urls: list[str] = []
        missing: list[str] = []
        for number in _expand_numbers(written.lstrip("^")):
            names = (f"^{number}", number) if written.startswith("^") else (number, f"^{number}")
            found = next((self._sources[name] for name in names if name in self._sources), ())
            urls += found
            missing += [] if found else [f"[{number}]"]
        return Mark(start, end, tuple(dict.fromkeys(urls)), tuple(missing))

    def _read_raised_number(self, token: re.Match[str]) -> Mark | None:
        """A raised number that the list of sources has, behind a word."""
        start, end = token.span()
        written = re.sub(r"</?sup>|[\[\]\s]", "", token[0]).translate(_POWERS)
        if not _RAISED_BEHIND.search(self._prose[max(0, start - 4) : start]):
            return None
        mark = self._read_number(start, end, written) if _NUMBERS.fullmatch(written) else None
        return mark if mark is not None and mark.urls else None

    def _read_named_source(self, token: re.Match[str]) -> Mark:
        """A source that is named in words: its number, or its title in the report's list."""
        start, end = token.span()
        name = " ".join(token[0][1:-1].partition(":")[2].split())
        urls = self._sources.get(_key(name), ()) or self._sources.get(f"title:{_key(name)}", ())
        return Mark(start, end, urls, () if urls else (f"“{name}”",))

    def _group_marks(self, marks: list[Mark], floor: int) -> list[Mark]:
        """Marks with the brackets and the word `Source` around them, which are no part of the sentence."""
        found: list[Mark] = []
        at = 0
        while at < len(marks):
            last = at
            while last + 1 < len(marks) and self._is_run(marks[last].end, marks[last + 1].start):
                last += 1
            look = max(floor, marks[at].start - _LOOK_BACK, found[-1].end if found else 0)
            run = marks[at : last + 1]
            around = self._find_attribution(run, look) or self._behind(run, floor)
            if around is not None:
                starts = [around[0], *(mark.start for mark in run[1:])]
                ends = [*starts[1:], around[1]]
                run = [
                    Mark(start, end, mark.urls, mark.missing)
                    for mark, start, end in zip(run, starts, ends, strict=True)
                ]
            found += run
            at = last + 1
        return found

    def _is_run(self, start: int, end: int) -> bool:
        """Whether what parts two marks is no more than a comma."""
        return end - start < _LOOK_BACK and _BETWEEN.fullmatch(self._prose, start, end) is not None

    def _find_attribution(self, run: list[Mark], look: int) -> tuple[int, int] | None:
        """Where an attribution begins and ends that consists of a run of marks; None where there is none."""
        before = _BEFORE.search(self._prose[look : run[0].start])
        if before is None:
            return None
        start = look + before.start()
        if not before["opens"]:
            return start, run[-1].end
        after = _AFTER.match(self._prose, run[-1].end)
        if after is None:
            return None
        if not before["says"] and not all(_NAME.fullmatch(mark.words) for mark in run if mark.words):
            return None
        return start, after.end()

    def _behind(self, run: list[Mark], floor: int) -> tuple[int, int] | None:
        """Where a run of marks begins and ends that names sources behind a sentence's stop; None if it does not."""
        start, end = run[0].start, run[-1].end
        worded = [mark for mark in run if mark.words]
        titled = [mark for mark in worded if self._sources.get(f"page:{_key(mark.words)}", ()) == mark.urls != ()]
        if not worded or not all(_SOURCE.fullmatch(mark.words) or mark in titled for mark in worded):
            return None
        before = self._prose[max(floor, start - _LOOK_BACK) : start]
        stop = _STOPPED.search(before)
        if stop is None or is_abbreviated(before, 0, stop.start() + 1) or not _NEXT.match(self._prose, end, self._end):
            return None
        return start - len(stop["dash"] or ""), end


def _key(label: str) -> str:
    return " ".join(label.split()).casefold()


def _expand_numbers(written: str) -> Iterator[str]:
    """Every number of `1, 3-5`."""
    for part in _RANGE.finditer(written):
        first, last = int(part[1]), int(part[2] or part[1])
        if first <= last:
            yield from map(str, range(first, min(last, first + _MOST_IN_RANGE) + 1))
        else:
            yield from (part[1], part[2])


def _trim_url(url: str) -> str:
    """An address without the signs that end its sentence."""
    end, extra = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in _TRAILING or (url[end - 1] == ")" and extra > 0)):
        extra -= url[end - 1] == ")"
        end -= 1
    return url[:end]
