"""Citations to evidence. One kind of source per module here, named after its scheme; adding a file adds a source.

A source is a plain module with `find(citation, world, document) -> Evidence | Obstacle | None`; None means that the
words are no citation after all. The document is the citing one, which may carry evidence itself; None where a citation
stands alone. The docstring is its page in the documentation.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.errors import Missing, Refused
from ..core.model import Obstacle, SourceRef
from ..papers.evidence import PaperEvidence
from ..project.config import POLICIES
from ..safe.git_names import has_git_name
from ..text.citation_styles import looks_like_a_file
from ..text.evidence import Evidence
from ..text.lines import join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.model import Citation
    from ..project.config import CorpusSettings
    from ..safe.files import Root
    from ..safe.git import Git
    from ..safe.git_tree import LeftOutPaths
    from ..safe.renamed_root import PathMoves
    from ..text.document import Document
    from ._captured_output import CapturedOutput
    from ._corpus import Corpus as Corpus
    from ._definition_search import DefinitionSearch
    from ._definitions import DefinitionFiles
    from ._mirror_lookup import OtherRepositories
    from ._mirrored_repository import OtherRepository as OtherRepository
    from ._repository_paths import RepositoryPaths
    from ._tree import FileNames

CORPUS = ".aiwg/research/corpus"
MIRRORS = "PINCITE_MIRRORS"
"""The environment variable that names the folder of mirrors; nothing else is taken for it."""
BIBLIOGRAPHIES = (".bib", ".bibtex", ".ris", ".json")
"""Endings of the files in the corpus folder whose entries may be cited by key."""

_ENTRY = 400
"""Bytes that an entry takes beside its text: a million names of files that are not there fill memory too."""


@cache
def _load_source(scheme: str) -> ModuleType:
    return import_module(f"{__name__}.{scheme}")


class World:
    """What sources may look at: the files below the root, each read once, and the repository's git, if there is one."""

    def __init__(
        self,
        root: Root,
        git: Callable[[], Git | None],
        repository: str = "",
        corpus: CorpusSettings | None = None,
        cache: bool = True,
    ) -> None:
        self.root = root
        self.git = git
        self.repository = repository
        self.sources: dict[str, Evidence | Obstacle] = {}
        self.touched: dict[str, None] = {}
        """Every key that was looked for, found or not: what the answer depends on. The engine has one for each
        document."""
        self.captured: CapturedOutput | None = None
        """Everything captured that was found so far; made by the module that needs it."""
        self.cache = cache
        """Whether what is read of PDFs may be kept for the next run."""
        self.moves: PathMoves | None = None
        """What is renamed in the root and not yet on disk, where files are listed; None where nothing is."""
        self.others: OtherRepositories | None = None
        """The repositories that have a mirror; None where the environment names no folder of mirrors."""
        if mirrors := os.environ.get(MIRRORS, ""):
            from ._mirror_lookup import OtherRepositories

            self.others = OtherRepositories(self, mirrors)
        self._settings = corpus
        self._corpus: Corpus | None = None
        self._in_force: bool | None = None
        """Whether papers are held to the corpus; None until somebody asks."""
        self._bytes = 0

    @contextmanager
    def record(self) -> Iterator[dict[str, None]]:
        """Keep apart what is looked for meanwhile; afterwards it counts for what was asked before, too."""
        before = self.touched
        apart = self.touched = {}
        try:
            yield apart
        finally:
            before.update(apart)
            self.touched = before

    def close(self) -> None:
        """Let go of the store, and of folders outside of the root."""
        if self._corpus is not None:
            self._corpus.close()
        if self.captured is not None:
            self.captured.close()
            self.captured = None
        if self.others is not None:
            self.others.close()

    def corpus(self) -> Corpus | None:
        """What papers may be cited; None where the project has no corpus."""
        if self._in_force is None:
            self._in_force = self.has_corpus()
        return self.any_corpus() if self._in_force else None

    def any_corpus(self) -> Corpus:
        """The corpus as it is or would be, whether or not the project has one."""
        if self._corpus is None:
            from ..project.config import CorpusSettings
            from ._corpus import Corpus as Corpus

            self._corpus = Corpus(self, self._settings or CorpusSettings())
        return self._corpus

    def enforce_corpus(self) -> Corpus:
        """The corpus, in force from now on also where the project has none: then nothing may be cited."""
        self._in_force = True
        return self.any_corpus()

    def has_corpus(self) -> bool:
        """Whether the project has a corpus: its folder, a policy, or settings that name one."""
        settings = self._settings
        if settings is not None and (settings.path or settings.policy or settings.bibliography):
            return True
        stat = self.root.stat
        if stat(CORPUS) is not None or any(stat(key) is not None for key in POLICIES):
            return True
        try:
            self.root.locate(CORPUS)
        except Refused as error:
            # A link that leads out of the root, or nowhere, says that there is one; it must not switch checks off.
            return error.kind != "file-not-found"
        return True

    def offers(self, need: str) -> bool:
        """Whether the project has a `corpus`, a `whitelist` in force, a `bibliography` that counts everywhere; or
        whether the environment names a folder of `mirrors`."""
        if need == "mirrors":
            return self.others is not None
        corpus = self.corpus()
        if corpus is None:
            return False
        if need == "bibliography":
            return bool(corpus.bibliographies())
        return need == "corpus" or corpus.policy.whitelist

    def holds_papers(self) -> bool:
        """Whether papers are there to hold citations to, or a policy is: settings may name what this tree has not."""
        corpus = self.corpus()
        if corpus is None:
            return False
        policies = (self._settings.policy,) if self._settings is not None and self._settings.policy else POLICIES
        there = any(self.root.is_file(key) for key in (*corpus.bibliographies(), *policies))
        return corpus.exists or bool(corpus.closed) or there

    def keys_of(self, evidence: object) -> dict[str, None]:
        """What an answer about a paper depends on."""
        corpus = self.corpus()
        if corpus is None or not isinstance(evidence, PaperEvidence):
            return {}
        known: dict[str, None] | None = evidence.answers.get("keys")
        if known is None:
            keys = (corpus.folder, evidence.paper.path, corpus.pdf_key(evidence.paper))
            known = evidence.answers["keys"] = {key: None for key in keys if key}
        return known

    def file(self, key: str) -> Evidence | Obstacle:
        """The file at a key, or why it cannot be had; read once however often it is cited."""
        self.touched[key] = None
        known = self.sources.get(key)
        if known is not None:
            if type(known) is Obstacle and known.kind == "path-blocked":
                self._forget(key)
            return known
        found: Evidence | Obstacle
        try:
            data = self.read(key)
            found = Evidence(SourceRef("file", key), data)
        except Refused as error:
            found = Obstacle(error.kind, key if error.kind != "file-unreadable" else str(error))
            if found.kind == "path-blocked":
                self._forget(key)
        self.keep(key, found)
        return found

    def _forget(self, key: str) -> None:
        """Do not watch what can never lead below the root; a link that leads out may lead elsewhere some day."""
        if not self.root.trace(key):
            del self.touched[key]

    @cached_property
    def tree(self) -> FileNames:
        """The names of all files."""
        from ._tree import FileNames

        names = FileNames(self)
        if self.moves is not None:
            names.rename(self.moves.after)
        return names

    @cached_property
    def target_files(self) -> DefinitionFiles:
        """What makefiles and files of that kind define."""
        from ._definitions import DefinitionFiles

        return DefinitionFiles(self)

    @cached_property
    def paths(self) -> RepositoryPaths:
        """What else shows whether a path belongs to the repository: the ends of its paths, and what git ignores."""
        from ._repository_paths import RepositoryPaths

        return RepositoryPaths(self)

    def keep(self, key: str, found: Evidence | Obstacle) -> None:
        """Keep a source for the next citation of it; a bounded number of bytes is kept."""
        self._bytes += len(found.data) + _ENTRY if type(found) is Evidence else _ENTRY
        if self._bytes > self.root.limits.cached_source_bytes:
            # Citations of one source cluster, so starting over costs less than keeping count of what was used last.
            self.sources.clear()
            self._bytes = 0
        self.sources[key] = found

    def read(self, key: str) -> bytes:
        """The bytes of a file that may be cited; git's own files may not: they hold credentials. Raises Refused."""
        if has_git_name(key):
            raise Missing(key)
        return self.root.read(key)

    def read_document(self, key: str) -> bytes:
        """The bytes of a document, which may have been read already as what another one cites. Raises Refused."""
        limit = self.root.limits.document_bytes
        known = self.sources.get(key)
        return known.data if type(known) is Evidence and len(known.data) <= limit else self.root.read(key, limit)

    def exists(self, key: str) -> Obstacle | None:
        """None where a regular file is at the key, else why not; the file is not read."""
        self.touched[key] = None
        if has_git_name(key):
            return Obstacle("file-not-found", key)
        if self.root.is_file(key):
            return None
        try:
            self.root.locate(key)
        except Refused as error:
            if error.kind == "path-blocked":
                self._forget(key)
            return Obstacle(error.kind, key if error.kind != "file-unreadable" else str(error))
        return Obstacle("file-not-found", key)

    def why_left_out(self, key: str) -> str:
        """Why a file that is not there may be part of the repository all the same; empty where nothing says so."""
        return self._left_out.explain(join("", key)) if self._left_out is not None else ""

    @cached_property
    def _left_out(self) -> LeftOutPaths | None:
        """What git has and the work tree has not."""
        from ..safe.git_tree import LeftOutPaths

        git = self.git()
        return None if git is None else LeftOutPaths(git)

    def find_left_out(self, citation: Citation) -> tuple[Citation, Obstacle] | None:
        """A citation of a file that is part of the repository and was not checked out; None for any other."""
        scheme = citation.source.scheme
        for key in filter(None, (citation.source.key, citation.alternate)):
            path = key.partition("::")[0] if scheme == "symbol" else key
            named = not citation.tentative or "/" in path or looks_like_a_file(path)
            if named and (why := self.why_left_out(path)):
                cited = replace(citation, source=SourceRef(scheme, key))
                return cited, Obstacle("not-checked-out", f"{path} ({why})")
        return None

    def find_by_end(self, citation: Citation) -> tuple[Citation, Evidence | Obstacle] | None:
        """A citation that gives the end of a path, with the one file that has it; None where no file does."""
        if citation.source.scheme != "file" or citation.lines is None:
            return None
        from ._path_end import find_by_end

        return find_by_end(citation, self)

    def names_a_file(self, citation: Citation) -> bool:
        """Whether the path of a citation is clearly meant to be a file, though there is none."""
        if citation.source.scheme != "file":
            return False
        from ._path_end import names_a_file

        return names_a_file(citation.source.key, self)

    @cached_property
    def code_definitions(self) -> DefinitionSearch:
        """Where the code of the repository defines names."""
        from ._definition_search import DefinitionSearch

        return DefinitionSearch(self)

    def find(self, citation: Citation, document: Document | None = None) -> Evidence | Obstacle | None:
        """The evidence of a citation in a document, from the module named after its scheme."""
        found: Evidence | Obstacle | None = _load_source(citation.source.scheme).find(citation, self, document)
        return found

    def find_namesakes(self, citation: Citation) -> list[Evidence | Obstacle]:
        """The files that go by the name that a citation gives."""
        from .section import find_namesakes

        return find_namesakes(citation, self)
