"""Which papers are exported, and how a bibliography learns where the PDF of an entry is."""

from __future__ import annotations

import re
from posixpath import relpath
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...papers.bibliography import read_bibliography
from .paper_list import NoSuchPaper, get_paper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...papers.bibliography import Bibliography
    from ...papers.model import Paper
    from ...safe.files import Root
    from ...sources import Corpus

_RIS_ID = re.compile(r"(?m)^[ \t]{0,3}ID {1,3}- (.*?)[ \t]*\r?$")


def choose(corpus: Corpus, names: Iterable[str]) -> list[Paper]:
    """The papers with these ids or keys, or all of them; raises NotThere for one that is not there."""
    wanted = list(dict.fromkeys(names))
    if not wanted:
        papers = [found.paper for found in corpus.papers()]
        return papers + [entry for entry in corpus.list_entries() if not corpus.find_linked_paper(entry)]
    return [get_paper(corpus, name).paper for name in wanted]


def link_pdf(root: Root, corpus: Corpus, name: str, pdf: str) -> str:
    """Write into a bibliography that an entry has this PDF; gives the bibliography.

    Raises NotThere for a key that no entry has, UsageError where the bibliography has no place for it.
    """
    from ...core.limits import LIMITS
    from ...safe.write import replace

    name = name.removeprefix("@")
    entry = next((one for one in corpus.list_entries() if one.id == name), None)
    if entry is None:
        raise NoSuchPaper(f"@{name}: no bibliography has such an entry; `pincite corpus list` names those there are")
    if not root.is_file(pdf) or not pdf.lower().endswith(".pdf"):
        raise UsageError(f"{pdf}: is no PDF inside the project; copy it there first")
    key = entry.path
    old = root.read(key, LIMITS.document_bytes)
    path = relpath(pdf, key.rpartition("/")[0] or ".")
    if ".." in path.split("/"):
        raise UsageError(f"{pdf}: lies above {key}; put it beside the bibliography or below")
    new = _with_file(key, old.decode(errors="surrogateescape"), name, path).encode(errors="surrogateescape")
    if not _only_linked(read_bibliography(key, old), read_bibliography(key, new), name, path):
        raise UsageError(
            f"{key}: the entry {name} cannot be changed safely;"
            f" name the PDF {name}.pdf and put it beside the bibliography"
        )
    replace(root, key, old, new)
    return key


def _with_file(key: str, text: str, name: str, path: str) -> str:
    """The bibliography with a field for the PDF in one entry; as it was where there is no place for it."""
    if key.lower().endswith((".bib", ".bibtex")):
        found = re.search(rf"@\w{{1,64}}[ \t]{{0,64}}[{{(][ \t\r\n]{{0,64}}{re.escape(name)}[ \t]{{0,64}},", text)
        return f"{text[: found.end()]}\n  file = {{{path}}},{text[found.end() :]}" if found else text
    if key.lower().endswith(".ris"):
        for found in _RIS_ID.finditer(text):
            if found[1] == name:
                return f"{text[: found.end()]}\nL1  - {path}{text[found.end() :]}"
    return text


def _only_linked(old: Bibliography, new: Bibliography, name: str, path: str) -> bool:
    """Whether nothing but the PDF of one entry is another."""
    from msgspec.structs import replace

    wanted = tuple(replace(one, pdf=path) if one.id == name else one for one in old.entries)
    return new.entries == wanted and len(new.problems) <= len(old.problems)
