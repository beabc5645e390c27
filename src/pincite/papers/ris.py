"""RIS: records are found here, with their lines; each is read by the library once it is known to be tame."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..text.lines import shorten, split_lines
from .attachments import MOST_FILES
from .bibliography import ENTRIES, VALUE, BibliographyBuilder

if TYPE_CHECKING:
    from typing import Any

_TAG = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {1,3}-(?: (.*)|\s*)\Z", re.DOTALL)
_MOST_LINES = 5000


def read_ris(builder: BibliographyBuilder, text: str) -> None:
    """Put the records of RIS text into a builder; what is no record becomes a problem."""
    begun = 0
    record: list[list[str]] = []
    count = 0
    for line, row in enumerate(split_lines(text), 1):
        found = _TAG.match(row)
        tag, value = (found[1], found[2] or "") if found is not None else ("", row.strip())
        if tag == "TY":
            if begun:
                _report_unfinished(builder, begun)
            begun, record = line, [["TY", value]]
        elif tag == "ER" and begun:
            count += 1
            if count > ENTRIES:
                builder.complain(line, "file", f"file: expected at most {ENTRIES:,} entries, got more")
                return
            _add(builder, begun, record)
            begun, record = 0, []
        elif begun and tag:
            record.append([tag, value])
        elif begun and value:
            # A line without a tag goes on with the one before.
            record[-1].append(value)
        elif value or tag:
            builder.complain(
                line, "record", f'record: expected "TY  - " at its beginning, got "{shorten(row.strip(), 60)}"'
            )
    if begun:
        _report_unfinished(builder, begun)


def _report_unfinished(builder: BibliographyBuilder, line: int) -> None:
    builder.complain(line, "record", 'record: expected "ER  - " at its end, got none')


def _add(builder: BibliographyBuilder, line: int, record: list[list[str]]) -> None:
    from rispy import RisParser  # type: ignore[import-untyped]

    if len(record) > _MOST_LINES:
        builder.complain(line, "record", f"record: expected at most {_MOST_LINES:,} fields, got {len(record):,}")
        return
    rows = [f"{parts[0]}  - {' '.join(parts[1:])[:VALUE]}" for parts in record]
    try:
        read: list[dict[str, Any]] = RisParser(skip_unknown_tags=True).parse("\n".join((*rows, "ER  - ", "")))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        builder.complain(line, "record", f"record: expected an RIS record, got one that cannot be read ({error!r})")
        return
    # The library keeps the first of several files.
    files = [" ".join(parts[1:]) for parts in record if parts[0] == "L1"]
    for fields in read[:1]:
        _add_record(builder, line, fields, files[:MOST_FILES])


def _add_record(builder: BibliographyBuilder, line: int, fields: dict[str, Any], files: list[str]) -> None:
    def said(*names: str) -> str:
        for name in names:
            value = fields.get(name)
            if isinstance(value, list):
                value = next((item for item in value if item), "")
            if value:
                return str(value)
        return ""

    key = said("id")
    first, last = said("start_page").strip(), said("end_page").strip()
    paper = builder.paper(
        line,
        key or "(no id)",
        title=said("title", "primary_title", "translated_title", "secondary_title"),
        authors=[*fields.get("first_authors", ()), *fields.get("authors", ())],
        year=said("year", "publication_year", "date"),
        doi=said("doi"),
        url=said("urls"),
        pages=f"{first}-{last}" if first and last else first,
        pdf=";".join(files),
    )
    if key:
        builder.add(line, key, paper)
    else:
        builder.add_nameless(line, paper)
