"""A model's answer, checked: every citation held against the documents that it claims to quote.

read -> one model for every provider (`model`), found by shape (`load`, `providers/`)
documents -> what was given, found by what a citation calls it
evidence -> there, elsewhere, altered, nowhere, or unknown; and the sentences without a citation
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ....project.project import Project
    from .library import DocumentLibrary
    from .load import LoadedResponse
    from .model import AnswerReport

__all__ = ["check_responses", "open_repository", "provider_names"]


def provider_names() -> tuple[str, ...]:
    """What the providers are called."""
    from .providers import providers

    return tuple(one.NAME for one in providers())


def check_responses(
    data: bytes,
    source: str,
    docs: Sequence[str] | DocumentLibrary,
    provider: str = "",
    repository: Callable[[], DocumentLibrary] | None = None,
) -> Iterator[AnswerReport]:
    """A report for every response in the bytes; raises PinciteError where they, or the documents, cannot be read.

    `docs` are paths, or a library that has the documents already. `repository` gives the documents of responses that
    bring none themselves, where no `docs` are named.
    """
    from .library import DocumentLibrary
    from .load import load

    loaded = load(data, source)
    with docs if isinstance(docs, DocumentLibrary) else DocumentLibrary(docs) as named:
        for one in loaded:
            yield _report(one, named, provider, repository)


def open_repository(project: Project, response: str) -> DocumentLibrary:
    """The text files of a project as documents, as they are searched; without the response itself."""
    from .library import DocumentLibrary

    library = DocumentLibrary()
    library.add_project(project, response)
    return library


def _report(
    loaded: LoadedResponse, library: DocumentLibrary, provider: str, repository: Callable[[], DocumentLibrary] | None
) -> AnswerReport:
    from msgspec.structs import replace

    from .evidence import check_answer
    from .load import Unrecognised, read_answer
    from .model import AnswerReport

    if loaded.error:
        return AnswerReport(source=loaded.source, error=loaded.error)
    try:
        answer = read_answer(loaded, provider)
    except Unrecognised as error:
        return AnswerReport(source=loaded.source, error=str(error))
    answer = replace(answer, defects=(*loaded.defects, *answer.defects))
    brought = any(one.text or one.pdf for one in answer.documents)
    if repository is not None and answer.citations and not brought and not library.documents:
        library = repository()
    return check_answer(answer, library, loaded.source)
