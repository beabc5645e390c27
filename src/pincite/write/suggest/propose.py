"""Documents to suggestions: what their sentences name is looked for in the tree, and what is sure enough is proven."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...dialects import dialects, extract
from ...search.claims.terms import Terms, terms_of
from ...text.document import Document
from ...text.lines import decode, encode_like, shorten
from ..cite.insertion import insert
from ..cite.memory_citation import add_citation
from ..cite.model import CiteTarget, Uncitable
from ..cite.permalinks import pin_commit
from ..cite.proof import Proof
from ..cite.writer import as_citation
from .contradictions import find_unsupported_part, names_elsewhere, states_fact
from .document_sentences import find_units
from .index import NameIndex, build
from .line_selection import ReadFiles, narrow
from .model import Suggestion, Suggestions, SuggestOptions, Unit, confidence_of
from .rank import around_of, candidates
from .reasons import reason_for
from .tree import CitableFiles, is_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...core.model import Citation
    from ...project.config import Config
    from ...safe.files import Root
    from ...safe.git import Git
    from .rank import FileCandidate

    Progress = Callable[[str, int, int], None]
    Units = list[tuple[Unit, Terms]]
    """Sentences with what each names."""

_SHOWN = 300
_MARGIN = 0.1
_MOST_SENTENCES = 2000
"""Sentences of one document that are looked at."""
_ELSEWHERE = ("memory", "habit")
"""Dialects that say nothing of where in the text something is cited."""


def suggest(
    root: Root,
    config: Config,
    git: Callable[[], Git | None],
    documents: Sequence[str],
    asked: SuggestOptions | None = None,
    progress: Progress | None = None,
) -> Iterator[Suggestions]:
    """What could be cited in each document; one that cannot be read says so.

    The tree is read once for all of them, and only for what they name.
    """
    read: list[tuple[Suggestions, Units]] = []
    for number, path in enumerate(documents):
        if progress is not None:
            progress("documents", number, len(documents))
        read.append(_read(root, config, path))
    named = [terms for _, units in read for unit, own in units for terms in (own, around_of(unit))]
    tree = CitableFiles(root, git())
    index = build(tree, named, None if progress is None else partial(progress, "files"))
    proof = Proof(root, config, git)
    judge = _Judge(root, config, git, asked or SuggestOptions(), tree, index, ReadFiles(root), proof)
    try:
        for found, units in read:
            for unit, terms in units:
                judge.consider(found, unit, terms)
            judge.choose(found)
            yield found
    finally:
        proof.close()


def insert_suggestions(found: Suggestions, suggestions: Sequence[Suggestion], style: str) -> bytes:
    """The document with these suggestions put in; its bytes are otherwise what they were."""
    text = decode(found.data)
    if style == "frontmatter":
        for one in suggestions:
            text = add_citation(text, found.document, as_citation(_target(one), style))
    else:
        text = insert(text, found.document, [(one.at, one.citation) for one in suggestions])
    return encode_like(text, found.data)


def _read(root: Root, config: Config, path: str) -> tuple[Suggestions, Units]:
    """A document's sentences that could bear a citation, with what each names."""
    if not is_document(path, config.documents):
        return Suggestions(path, error="is not a document: citations are put into prose, not into code"), []
    try:
        data = root.read(path, root.limits.document_bytes)
        text = decode(data)
    except Refused as error:
        return Suggestions(path, error=f"cannot be read: {error}"), []
    document = Document(path, text, memories=config.memories)
    using = tuple(dialect for dialect in dialects() if dialect.NAME not in _ELSEWHERE)
    cited = [item.span for item in extract(document, using)]
    name = path.rpartition("/")[2]
    facts = (unit for unit in find_units(document, cited) if states_fact(unit.text, f"{name} {unit.heading}"))
    units = list(islice(facts, _MOST_SENTENCES))
    return Suggestions(path, data, sentences=len(units)), [(unit, terms_of(unit.text)) for unit in units]


class _Judge(Struct):
    """Decides which sentences get a suggestion."""

    root: Root
    config: Config
    git: Callable[[], Git | None]
    asked: SuggestOptions
    tree: CitableFiles
    index: NameIndex
    sources: ReadFiles
    proof: Proof

    def consider(self, found: Suggestions, unit: Unit, terms: Terms) -> None:
        """Add what a sentence could cite to the document's suggestions, if it is sure enough."""
        ordered = candidates(unit, terms, found.document, self.tree, self.index, self.sources)
        # Where another file is nearly as likely, neither is taken.
        if ordered and (len(ordered) == 1 or ordered[0].chance - ordered[1].chance >= _MARGIN):
            suggestion = self._suggestion(found.document, unit, terms, ordered[0])
            if suggestion is not None:
                found.suggestions.append(suggestion)

    def choose(self, found: Suggestions) -> None:
        """Keep the best of a document's suggestions, each proven to hold where it would stand."""
        ordered = sorted(found.suggestions, key=lambda one: (-one.score, one.at))
        most = self.asked.most or len(ordered)
        kept: list[Suggestion] = []
        at = 0
        while at < len(ordered) and len(kept) < most:
            wanted = ordered[at : at + most - len(kept)]
            at += len(wanted)
            kept += self._holding(found, [one for one in map(self._write_suggestion, wanted) if one is not None])
        found.suggestions, found.more = kept, len(ordered) - at

    def _holding(self, found: Suggestions, items: list[tuple[Suggestion, Citation]]) -> list[Suggestion]:
        """Those that hold in the document; all are looked at together, and in halves where something is wrong."""
        suggestions = [one for one, _ in items]
        try:
            new = insert_suggestions(found, suggestions, self.asked.style)
            if not items or not self.proof.check_added(
                found.document, found.data, new, [wanted for _, wanted in items]
            ):
                return suggestions
        except Uncitable:
            pass
        middle = len(items) // 2
        return self._holding(found, items[:middle]) + self._holding(found, items[middle:]) if middle else []

    def _suggestion(self, document: str, unit: Unit, terms: Terms, best: FileCandidate) -> Suggestion | None:
        confidence = confidence_of(best.chance)
        source = self.sources.get(best.path)
        if confidence is None or confidence < self.asked.least or source is None or best.narrowed is None:
            return None
        reason = reason_for(best, best.narrowed.evidence, terms)
        if reason is None:
            # What points at the file is elsewhere in it than what merely sounds like the sentence.
            best.narrowed = narrow(source, terms, named=True)
            reason = reason_for(best, best.narrowed.evidence, terms) if best.narrowed is not None else None
        narrowed = best.narrowed
        if reason is None or narrowed is None or not narrowed.is_singled_out or best.path == document:
            return None
        folder = document.rpartition("/")[0]
        if names_elsewhere(
            terms.paths, best.path, lambda written: self.tree.meant(written, folder)
        ) or find_unsupported_part(unit.text, narrowed.evidence, self.index.holders.__contains__):
            return None
        return Suggestion(
            document=document,
            line=unit.line,
            sentence=shorten(" ".join(unit.text.split()), _SHOWN),
            path=best.path,
            lines=narrowed.lines,
            evidence=narrowed.evidence,
            reason=reason,
            confidence=confidence,
            score=round(best.chance, 3),
            span=unit.span,
            at=unit.at,
        )

    def _write_suggestion(self, one: Suggestion) -> tuple[Suggestion, Citation] | None:
        """The suggestion with its citation, which holds by itself, and how it is read; None where it does not hold."""
        style = self.asked.style
        try:
            target = _target(one)
            if style == "permalink":
                target = pin_commit(self.root, self.git(), target, self.config.repository)
            written = self.proof.write(target, style, one.document)
            return replace(one, citation=written), as_citation(target, style)
        except Uncitable as error:
            if error.kind in ("style-unknown", "repository-unknown"):
                raise
            return None


def _target(one: Suggestion) -> CiteTarget:
    return CiteTarget(one.path, one.lines, text=one.evidence)
