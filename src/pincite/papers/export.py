"""Papers written as bibliographies: BibTeX, RIS and CSL-JSON, from which the same papers are read again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .csl import marked_up_title
from .people import part_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from .model import Paper
    from .people import Person

_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}
_DASHES = re.compile("-(?=-)")
_SIMPLE = re.compile(r"([^\s,-]+)-([^\s,-]+)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_YEAR = re.compile(r"[0-9]{1,4}")


def render(papers: Iterable[Paper], form: str) -> str:
    """Papers in a form of bibliography: `bibtex`, `ris` or `csl`."""
    return FORMS[form](map(_on_one_line, papers))


def _on_one_line(paper: Paper) -> Paper:
    """The paper with nothing in its texts that would begin a line or a field of its own."""
    return replace(
        paper,
        title=_line(paper.title),
        authors=tuple(name for name in map(_line, paper.authors) if name),
        pdf=_line(paper.pdf),
    )


def _line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())


def _sure(paper: Paper) -> dict[str, Any]:
    """What an entry states: fields that a person still has to look at are left out, but for the title."""
    kept = {name: getattr(paper, name) for name in ("authors", "year", "doi", "url", "page_range")}
    return {name: value for name, value in kept.items() if value and name not in paper.unsure}


def _bibtex(papers: Iterable[Paper]) -> str:
    return "\n".join(_bibtex_entry(paper) for paper in papers)


def _bibtex_entry(paper: Paper) -> str:
    said = _sure(paper)
    rows = [("title", f"{{{_latex(paper.title)}}}" if paper.title else "")]
    rows.append(("author", " and ".join(_latex_name(part_name(name)) for name in said.get("authors", ()))))
    rows += [("year", said.get("year", "")), ("doi", said.get("doi", "")), ("url", said.get("url", ""))]
    pages = said.get("page_range", "")
    rows.append(("pages", pages.replace("-", "--")))
    rows.append(("pagetotal", str(paper.total_pages) if paper.total_pages is not None else ""))
    rows.append(("file", paper.pdf if paper.pdf.lower().endswith(".pdf") else ""))
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in rows if value)
    return f"@{'article' if pages else 'misc'}{{{paper.id},\n{fields}}}\n"


def _latex(text: str) -> str:
    """A text as LaTeX writes it; two hyphens stay two."""
    return _DASHES.sub("-{}", "".join(_SPECIAL.get(char, char) for char in text))


def _latex_name(person: Person) -> str:
    """A name with the family name first; one that has no other parts stands in braces, so that nothing is split."""
    if not (person.given or person.particle or person.suffix):
        return f"{{{_latex(person.family)}}}"
    parts = (f"{person.particle} {person.family}".strip(), person.suffix, person.given)
    # `and` parts the names of a list wherever it stands outside braces.
    return ", ".join(_protect_and(_latex(part)) for part in parts if part)


def _protect_and(text: str) -> str:
    return " ".join(f"{{{word}}}" if word.lower() == "and" else word for word in text.split(" "))


def _ris(papers: Iterable[Paper]) -> str:
    return "\n".join("".join(f"{tag}  - {value}\n" for tag, value in _ris_fields(paper)) for paper in papers)


def _ris_fields(paper: Paper) -> Iterator[tuple[str, str]]:
    said = _sure(paper)
    pages = said.get("page_range", "")
    yield "TY", "JOUR" if pages else "GEN"
    yield "ID", paper.id
    if paper.title:
        yield "TI", paper.title
    for name in said.get("authors", ()):
        person = part_name(name)
        listed = (f"{person.particle} {person.family}".strip(), person.given, person.suffix)
        yield "AU", ", ".join(part for part in listed if part)
    for tag, field in (("PY", "year"), ("DO", "doi"), ("UR", "url")):
        if field in said:
            yield tag, said[field]
    simple = _SIMPLE.fullmatch(pages)
    if simple:
        yield "SP", simple[1]
        yield "EP", simple[2]
    elif pages:
        yield "SP", pages
    if paper.pdf.lower().endswith(".pdf"):
        yield "L1", paper.pdf
    yield "ER", ""


def _csl(papers: Iterable[Paper]) -> str:
    from json import dumps

    return dumps([_csl_item(paper) for paper in papers], ensure_ascii=False, indent=2) + "\n"


def _csl_item(paper: Paper) -> dict[str, Any]:
    said = _sure(paper)
    item: dict[str, Any] = {"id": paper.id, "type": "article-journal" if "page_range" in said else "document"}
    if paper.title:
        item["title"] = marked_up_title(paper.title)
    if "authors" in said:
        item["author"] = [_csl_name(part_name(name)) for name in said["authors"]]
    if "year" in said:
        year = said["year"]
        item["issued"] = {"date-parts": [[int(year)]]} if _YEAR.fullmatch(year) else {"literal": year}
    for name, field in (("DOI", "doi"), ("URL", "url"), ("page", "page_range")):
        if field in said:
            item[name] = said[field]
    if paper.total_pages is not None:
        item["number-of-pages"] = paper.total_pages
    return item


def _csl_name(person: Person) -> dict[str, str]:
    if not (person.given or person.particle or person.suffix):
        return {"literal": person.family}
    parts = {"family": person.family, "given": person.given}
    parts |= {"non-dropping-particle": person.particle, "suffix": person.suffix}
    return {name: value for name, value in parts.items() if value}


FORMS: dict[str, Callable[[Iterable[Paper]], str]] = {"bibtex": _bibtex, "ris": _ris, "csl": _csl}
