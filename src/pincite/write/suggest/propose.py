"""Documents to suggestions: what their sentences name is looked for in the tree, and what is sure enough is proven."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.model import Outcome
from ...dialects import dialects, extract
from ...text.document import Document
from ...text.lines import decode, encode_like, shorten
from ..cite.insertion import insert
from ..cite.memory_citation import add_citation
from ..cite.model import CiteTarget, Uncitable
from ..cite.permalinks import pin_commit
from ..cite.proof import Proof
from ..cite.writer import as_citation
from .contradictions import find_unsupported_part, names_elsewhere
from .document_sentences import find_units
from .facts import states_fact
from .index import NameIndex, build
from .line_selection import ReadFiles, narrow
from .model import Asked, Suggestion, Suggestions, Unit, confidence_of
from .rank import around_of, candidates
from .reasons import reason_for
from .terms import Terms, terms_of
from .tree import CitableFiles, is_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...core.model import Verdict
    from ...project.config import Config
    from ...safe.files import Root
    from ...safe.git import Git
    from .line_selection import Narrowed, ReadFile
    from .rank import FileCandidate

    Progress = Callable[[str, int, int], None]

_SHOWN = 300
_MARGIN = 0.1
_MOST_SENTENCES = 2000
"""Sentences of one document that are looked at."""
_ELSEWHERE = ("memory", "habit")
"""Dialects that say nothing of where in the text something is cited."""


class _Read(Struct):
    """A document, and its sentences with what each names."""

    found: Suggestions
    units: list[tuple[Unit, Terms]] = []


def suggest(
    root: Root,
    config: Config,
    git: Callable[[], Git | None],
    documents: Sequence[str],
    asked: Asked | None = None,
    progress: Progress | None = None,
) -> Iterator[Suggestions]:
    """What could be cited in each document; one that cannot be read says so.

    The tree is read once for all of them, and only for what they name.
    """
    read: list[_Read] = []
    for number, path in enumerate(documents):
        if progress is not None:
            progress("documents", number, len(documents))
        read.append(_read(root, config, path))
    named = [terms for one in read for unit, own in one.units for terms in (own, around_of(unit))]
    tree = CitableFiles(root, git())
    index = build(tree, named, _of_files(progress))
    judge = _Judge(root, config, git, asked or Asked(), tree, index)
    try:
        for one in read:
            for unit, terms in one.units:
                judge.consider(one.found, unit, terms)
            judge.choose(one.found)
            yield one.found
    finally:
        judge.close()


def insert_suggestions(found: Suggestions, suggestions: Sequence[Suggestion], style: str) -> bytes:
    """The document with these suggestions put in; its bytes are otherwise what they were."""
    text = decode(found.data)
    if style == "frontmatter":
        for one in suggestions:
            text = add_citation(text, found.document, as_citation(_target(one), style))
    else:
        text = insert(text, found.document, [(one.at, one.citation) for one in suggestions])
    return encode_like(text, found.data)


def _of_files(progress: Progress | None) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, all_: progress("files", done, all_)


def _read(root: Root, config: Config, path: str) -> _Read:
    """A document's sentences that could bear a citation, with what each names."""
    if not is_document(path, config.documents):
        return _Read(Suggestions(path, error="is not a document: citations are put into prose, not into code"))
    try:
        data = root.read(path, root.limits.document_bytes)
        text = decode(data)
    except Refused as error:
        return _Read(Suggestions(path, error=f"cannot be read: {error}"))
    document = Document(path, text, memories=config.memories)
    using = tuple(dialect for dialect in dialects() if dialect.NAME not in _ELSEWHERE)
    cited = [item.span for item in extract(document, using)]
    name = path.rpartition("/")[2]
    facts = (unit for unit in find_units(document, cited) if states_fact(unit.text, f"{name} {unit.heading}"))
    units = list(islice(facts, _MOST_SENTENCES))
    return _Read(Suggestions(path, data, sentences=len(units)), [(unit, terms_of(unit.text)) for unit in units])


class _Judge:
    """Decides which sentences get a suggestion."""

    def __init__(
        self,
        root: Root,
        config: Config,
        git: Callable[[], Git | None],
        asked: Asked,
        tree: CitableFiles,
        index: NameIndex,
    ) -> None:
        self._root = root
        self._config = config
        self._git = git
        self._asked = asked
        self._tree = tree
        self._index = index
        self._sources = ReadFiles(root)
        self._proof = Proof(root, config, git)

    def consider(self, found: Suggestions, unit: Unit, terms: Terms) -> None:
        """Add what a sentence could cite to the document's suggestions, if it is sure enough."""
        ordered = candidates(unit, terms, found.document, self._tree, self._index, self._sources)
        # Where another file is nearly as likely, neither is taken.
        if ordered and (len(ordered) == 1 or ordered[0].chance - ordered[1].chance >= _MARGIN):
            suggestion = self._suggestion(found.document, unit, terms, ordered[0])
            if suggestion is not None:
                found.suggestions.append(suggestion)

    def choose(self, found: Suggestions) -> None:
        """Keep the best of a document's suggestions, each proven to hold where it would stand."""
        ordered = sorted(found.suggestions, key=lambda one: (-one.score, one.at))
        most = self._asked.most or len(ordered)
        kept: list[Suggestion] = []
        at = 0
        while at < len(ordered) and len(kept) < most:
            wanted = ordered[at : at + most - len(kept)]
            at += len(wanted)
            kept += self._holding(found, [one for one in map(self._written, wanted) if one is not None])
        found.suggestions, found.more = kept, len(ordered) - at

    def _holding(self, found: Suggestions, items: list[Suggestion]) -> list[Suggestion]:
        """Those that hold in the document; all are looked at together, and in halves where something is wrong."""
        if not items or self._hold(found, items):
            return items
        if len(items) == 1:
            return []
        middle = len(items) // 2
        return self._holding(found, items[:middle]) + self._holding(found, items[middle:])

    def _hold(self, found: Suggestions, items: list[Suggestion]) -> bool:
        """Whether the document with these reads as before, and cites each of them as well."""
        try:
            new = insert_suggestions(found, items, self._asked.style)
        except Uncitable:
            return False
        before, after = (self._proof.check(found.document, data) for data in (found.data, new))
        if after.error or len(after.malformed) > len(before.malformed):
            return False
        fresh = Counter(map(_get_verdict_key, after.verdicts))
        fresh.subtract(map(_get_verdict_key, before.verdicts))
        # Whatever is new holds, and nothing that was there is gone or worse.
        fine = all(count >= 0 and (not count or key[3] is Outcome.HOLDS) for key, count in fresh.items())
        named = {key[2].rpartition(":")[2] for key, count in fresh.items() if count > 0}
        return fine and sum(fresh.values()) == len(items) and all(one.path in named for one in items)

    def close(self) -> None:
        """Let go of what is kept open."""
        self._proof.close()

    def _suggestion(self, document: str, unit: Unit, terms: Terms, best: FileCandidate) -> Suggestion | None:
        confidence = confidence_of(best.chance)
        source = self._sources.get(best.path)
        if confidence is None or confidence < self._asked.least or source is None or best.narrowed is None:
            return None
        reason = _reason(best, source, terms)
        if reason is None:
            # What points at the file is elsewhere in it than what merely sounds like the sentence.
            best.narrowed = narrow(source, terms, named=True)
            reason = _reason(best, source, terms)
        narrowed = best.narrowed
        if reason is None or narrowed is None or narrowed.contradicts or best.path == document:
            return None
        if not narrowed.is_singled_out:
            return None
        folder = document.rpartition("/")[0]
        if names_elsewhere(
            terms.paths, best.path, lambda written: self._tree.meant(written, folder)
        ) or find_unsupported_part(unit.text, _evidence(source, narrowed), self._index.holders.__contains__):
            return None
        return Suggestion(
            document=document,
            line=unit.line,
            sentence=shorten(" ".join(unit.text.split()), _SHOWN),
            path=best.path,
            lines=narrowed.lines,
            evidence=_evidence(source, narrowed),
            reason=reason,
            confidence=confidence,
            score=round(best.chance, 3),
            span=unit.span,
            at=unit.at,
        )

    def _written(self, one: Suggestion) -> Suggestion | None:
        """The suggestion with its citation, which holds by itself; None where it does not."""
        style = self._asked.style
        try:
            target = _target(one)
            if style == "permalink":
                target = pin_commit(self._root, self._git(), target, self._config.repository)
            return replace(one, citation=self._proof.write(target, style, one.document))
        except Uncitable as error:
            if error.kind in ("style-unknown", "repository-unknown"):
                raise
            return None


def _reason(best: FileCandidate, source: ReadFile, terms: Terms) -> str | None:
    narrowed = best.narrowed
    return None if narrowed is None else reason_for(best, _evidence(source, narrowed), terms)


def _evidence(source: ReadFile, narrowed: Narrowed) -> tuple[str, ...]:
    return tuple(source.lines[narrowed.lines.first - 1 : narrowed.lines.last])


def _get_verdict_key(verdict: Verdict) -> tuple[str, str, str, Outcome]:
    citation = verdict.citation
    return citation.dialect, citation.raw, citation.source.key, verdict.outcome


def _target(one: Suggestion) -> CiteTarget:
    return CiteTarget(one.path, one.lines, text=one.evidence)
