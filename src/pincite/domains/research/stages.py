"""What a stage works with, and the stages themselves as functions: what goes in, what comes out, nothing written."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Blocked, Missing, Refused, UsageError
from .attestations import load_attestations
from .grounding import candidates
from .stage_file import load_bytes
from .stage_parser import stage_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any

    from ...judge.model import Judge
    from ...project.config import ResearchSettings
    from ...safe.fetch import Fetcher
    from ...safe.files import Root
    from .attestations import Attestations
    from .grounding import ClaimCandidate, Grounding
    from .model import ExtractedCitation, ValidatedCitation
    from .page_fetching import PageChange
    from .source_kinds import SourceKinds
    from .stage_file import StageFile
    from .topic import Topic

_MEGABYTE = 1024 * 1024
_TABLE_BYTES = 4 * _MEGABYTE


class StageValidation(Struct, frozen=True):
    """What the third stage found."""

    citations: tuple[ValidatedCitation, ...]
    changes: tuple[PageChange, ...] = ()
    """With a refresh: what became of the pages."""
    unread: tuple[str, ...] = ()
    """What in the folder of snapshots could not be read or believed: the file, and why."""


class TopicContext:
    """A topic that is worked on: where, by which settings, and with whose help."""

    def __init__(
        self,
        root: Root,
        topic: Topic,
        settings: ResearchSettings,
        *,
        offline: bool = False,
        refresh: bool = False,
        judge: Judge | None = None,
        fetcher: Callable[[], Fetcher] | None = None,
        progress: Callable[[str, int, int], None] = lambda *_: None,
    ) -> None:
        self.root = root
        self.topic = topic
        self.settings = settings
        self.offline = offline
        self.refresh = refresh
        self.progress = progress
        self._judge = judge
        self._fetcher = fetcher
        self._parsed: dict[tuple[object, ...], StageFile] = {}

    @property
    def judge(self) -> Judge:
        """Who says whether a quote supports a claim."""
        if self._judge is None:
            from ...judge.judges import get_judge

            self._judge = get_judge(self.settings, self.root.path, prices=self.settings.prices)
        return self._judge

    @property
    def most_bytes(self) -> int:
        """The largest page that is read."""
        return self.settings.megabytes * _MEGABYTE

    def fetcher(self) -> Fetcher:
        """Who fetches pages, by these settings."""
        if self._fetcher is not None:
            return self._fetcher()
        from ...safe.fetch import FetchPolicy
        from ...safe.fetch import fetcher as fetching

        own = self.settings
        return fetching.new_fetcher(
            FetchPolicy(own.connections, float(own.seconds), self.most_bytes, robots=own.robots, contact=own.contact)
        )

    def attestations(self) -> Attestations:
        """What people vouch for in this topic."""
        return load_attestations(self.root, self.topic.attestations)

    def table(self) -> SourceKinds:
        """How credible hosts are, the user's own table first."""
        return read_table(self.root, self.settings.sources)

    def load_stage(self, stage: str) -> StageFile:
        """The file of a stage as it is now; raises Refused where it cannot be read or parsed."""
        key = self.topic.path(stage)
        return self.parse_stage(stage_bytes(self.root, key), key, stage)

    def parse_stage(self, data: bytes, key: str, stage: str) -> StageFile:
        """What the bytes of a stage's file hold; the same bytes are parsed once.

        A run asks for each file several times. The bytes decide, so a file that changed in between is parsed again.
        """
        asked = (key, stage, self.settings.required_checks)
        known = self._parsed.get(asked)
        if known is None or known.digest != sha256(data).hexdigest():
            known = self._parsed[asked] = load_bytes(data, key, stage, self.settings.required_checks)
        return known

    def digest(self, key: str) -> str:
        """The digest of a file's bytes, empty where there is none."""
        try:
            return sha256(self.root.read(key)).hexdigest()
        except Missing:
            return ""


def read_table(root: Root, name: str) -> SourceKinds:
    """The table of sources, with the user's own file before it where it has a name; raises UsageError."""
    from .source_kinds import load_table

    if not name:
        return load_table()
    try:
        data = root.read(name, _TABLE_BYTES)
    except Refused as error:
        why = {Missing: "there is no such file", Blocked: "it lies outside the root"}.get(type(error), str(error))
        raise UsageError(f"{name}: {why}; correct `sources` under [research]") from None
    return load_table(data, name)


def open_topic(topic: str, root: str | PathLike[str] | None = None, **options: Any) -> TopicContext:
    """A topic below a root (default: the repository around the working folder), with the settings that apply there.

    Options are those of Work.
    """
    from ...judge.judges import choose_judge
    from ...project.project import open_project
    from .topic import find_topic

    project = open_project(root, option="")
    try:
        own = project.config.research
        # A judge that the caller brings leaves nothing to choose.
        settings = own if options.get("judge") is not None else choose_judge(own)
        return TopicContext(project.root, find_topic(project.root, topic), settings, **options)
    except BaseException:
        project.close()
        raise


def validate(work: TopicContext, citations: Sequence[ExtractedCitation]) -> StageValidation:
    """Look at every source, from its snapshot or fetched, and say what holds; writes nothing but snapshots."""
    from ...store.warc import Snapshots
    from .page_fetching import PageReader, find_page_changes, obtain
    from .quote_lookup import QuoteFinder
    from .validation import SourceRules
    from .validation import validate as judge_sources

    # Read first: a table that cannot be read should not cost a hundred requests.
    rules = SourceRules(work.table(), work.attestations(), work.settings.required_checks)
    snapshots = Snapshots(work.root, work.topic.snapshots)
    held = obtain(
        snapshots,
        (citation.source_url for citation in citations),
        None if work.offline else work.fetcher,
        refresh=work.refresh,
        progress=lambda done, total: work.progress("fetching", done, total),
    )
    reader = PageReader(work.most_bytes)
    finder = QuoteFinder(reader)
    found = judge_sources(citations, held, finder, rules)
    changed = find_page_changes(citations, held, reader, finder) if work.refresh else []
    unread = tuple(f"{file}: {why}" if file else why for file, why in snapshots.problems())
    return StageValidation(tuple(found), tuple(changed), unread)


def ground(
    work: TopicContext, citations: Sequence[ValidatedCitation], wanted: Sequence[ClaimCandidate] | None = None
) -> Grounding:
    """Judge the claims, those of the citations where none are given."""
    from .grounding import ground as judge_claims

    return judge_claims(
        candidates(citations) if wanted is None else wanted,
        citations,
        work.judge,
        work.attestations(),
        lambda done, total: work.progress("judging", done, total),
    )


def report(work: TopicContext, found: Grounding, citations: Sequence[ValidatedCitation]) -> str:
    """The report in markdown; raises Aborted where not every sentence is grounded."""
    from .report_writer import render_markdown

    return render_markdown(work.topic.name, found.grounded, citations, found.rejected)
