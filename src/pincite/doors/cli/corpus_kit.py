"""What the commands over papers share: the corpus, and a validator of the documents that cite it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...core.errors import PinciteError
from ...engine.settings import merge_settings
from ...project.documents import find_documents, root_key
from ...project.project import open_project
from .kit import complain, format_option, root_option, with_receipts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...domains.corpus.validation import ValidatedDocument, Validator
    from ...project.config import Config
    from ...safe.files import Root
    from ...sources import Corpus

at_root = root_option("Folder of the project")
in_format = format_option("How to print (default: text).")


@contextmanager
def open_corpus(root: str | None) -> Iterator[tuple[Root, Config, Corpus]]:
    """The project's folder, its settings and its corpus, whether or not that has papers yet."""
    from ...domains.corpus.opening import open_corpus_of

    project = open_project(root)
    with project.root, open_corpus_of(project) as corpus:
        yield project.root, project.config, corpus


class CorpusValidation:
    """What the commands over documents work on: a project, and a validator of its documents."""

    def __init__(self, root: str | None, paths: Sequence[str] = (), receipts: bool = False) -> None:
        from ...domains.corpus.audit import open_validator

        self._project = open_project(root, paths)
        self.root = self._project.root
        config = merge_settings(self._project.config)
        self.config = with_receipts(config) if receipts else config
        self.git = self._project.git()
        self.validator: Validator = open_validator(self.root, self.config, self._project.git)
        corpus = self.validator.corpus
        if corpus.closed:
            complain(corpus.closed)
        elif not corpus.exists and not corpus.bibliographies():
            complain(f"there is no corpus at {corpus.folder}: nothing may be cited; `pincite corpus add` begins one")

    def documents(self, paths: Iterable[str] = ()) -> list[str]:
        """The keys of the documents at the paths as typed, or of all there are."""
        keys = [root_key(self.root, path) for path in paths]
        return find_documents(self.root, self.git, keys, self.config.documents, self.config.exclude).documents

    def close(self) -> None:
        """Let go of git and of what is kept open."""
        self.validator.engine.close()
        self._project.close_git()


def tell_unread(documents: Iterable[ValidatedDocument]) -> bool:
    """Name the documents that could not be read; whether there was one."""
    failed = [document for document in documents if document.error]
    for document in failed:
        complain(f"{document.document}: {document.error}")
    return bool(failed)


def keep_beside(project: CorpusValidation, failure: str, write: Callable[[], str]) -> str:
    """Write what a project keeps of a run, where it keeps such things; gives the key, or says why there is none."""
    from ...domains.corpus.report_folder import are_reports_wanted, describe_refusal

    try:
        return write() if are_reports_wanted(project.root, project.validator) else ""
    except PinciteError as error:
        complain(f"{failure}: {describe_refusal(error)}")
        return ""
