"""The nouns every stage speaks. Immutable, cheap to create, free of behaviour that needs the world."""

from __future__ import annotations

from enum import Enum, IntEnum

from msgspec import Struct


class Outcome(IntEnum):
    """What is true of a citation, in order of gravity: the worst finding decides."""

    HOLDS = 0
    UNCHECKED = 1
    MOVED = 2
    AMBIGUOUS = 3
    MISMATCH = 4
    MISSING = 5
    BLOCKED = 6

    @property
    def label(self) -> str:
        """The outcome as reports spell it."""
        return self.name.lower()


class Severity(IntEnum):
    """How loudly a finding speaks: notes inform, warnings fail under --strict, errors fail."""

    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The severity as reports and settings spell it."""
        return self.name.lower()


class Safety(Enum):
    """Whether an edit needs a reader before it is applied."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class SilencedBy(Enum):
    """What keeps a finding from being reported."""

    COMMENT = "comment"
    SETTINGS = "settings"
    BASELINE = "baseline"
    READER = "reader"


class Span(Struct, frozen=True, gc=False):
    """A half-open range of code points in the citing document."""

    start: int
    end: int


class Lines(Struct, frozen=True, gc=False):
    """A selector: whole lines, 1-based, both ends included."""

    first: int
    last: int

    @property
    def text(self) -> str:
        """`12`, or `12-34` where they are several."""
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


class Quote(Struct, frozen=True, gc=False):
    """A selector: words that must stand at the cited place."""

    exact: str
    others: tuple[str, ...] = ()
    """Further words that the same sentence quotes from there."""
    doubtful: tuple[str, ...] = ()
    """Those of all these that may not be quoted from there, or not at all: they hold or they are unchecked."""


class Pages(Struct, frozen=True, gc=False):
    """A selector: pages as they are printed (`15`, `iv`), both ends included."""

    first: str
    last: str

    @property
    def text(self) -> str:
        """`15`, or `15-17` where they are several."""
        return self.first if self.first == self.last else f"{self.first}-{self.last}"


CURRENT_REVISIONS = ("HEAD", "main", "master", "trunk")
"""Revisions of an address that stand for a file as it is now; any other pins a commit, in which nothing changes."""


class SourceRef(Struct, frozen=True, gc=False):
    """Where evidence is claimed to be. The key is text from a document until safe/ has made it a place."""

    scheme: str
    """Which module of sources/ finds it: `file` (key: path from the root), `section` (key: a path or a file's name),
    `permalink`, `chunk`, `symbol`, `opaque`, `ref` (key: a paper's id), `bibliography` (key: an entry's), `habit` (key:
    which forbidden form it is), `target` (key: a command, as `make lint (in docs)`), `path` (key: a path, also of a
    folder), `repository` (key: `owner/name:path`, as written), `mirror` (key: `host/owner/name:path`, once it is known
    that the repository has a mirror)."""
    key: str


class Citation(Struct, frozen=True, gc=False):
    """One pointer from a document to evidence, exactly as it was written."""

    dialect: str
    span: Span
    raw: str
    source: SourceRef
    lines: Lines | None = None
    quote: Quote | None = None
    alternate: str = ""
    """A second key to try: some writers mean a path from the root, others one from the document's folder."""
    tentative: bool = False
    """True where the words could be ordinary prose: it counts only if its path exists now or once did."""
    pages: Pages | None = None
    section: str = ""
    """The section that is cited: its name or its number."""
    by_end: str = ""
    """The end of a path, as it is written, where one file is known by it; `source` then has its whole path."""


class Malformed(Struct, frozen=True, gc=False):
    """Text that is clearly meant as a citation and cannot be one."""

    dialect: str
    span: Span
    raw: str
    reason: str
    fatal: bool = False
    """True where the whole document could not be parsed, not just this citation: exit code 2."""
    source: SourceRef | None = None
    """What must be a source for the text to be meant as a citation at all; None where it is without doubt."""
    alternate: str = ""
    """The other key that may be meant, as in `Citation`."""


class Obstacle(Struct, frozen=True, gc=False):
    """Why there is no evidence to look at. `kind` names the check that reports it."""

    kind: str
    detail: str = ""
    severity: Severity | None = None
    """Where the project itself says how loudly; else the check does."""
    paths: tuple[str, ...] = ()
    """The files that may be meant, where they are several."""


class Edit(Struct, frozen=True, gc=False):
    """A replacement of one span of the citing document."""

    span: Span
    replacement: str
    safety: Safety
    withheld: str = ""
    """Why `fix` does not make it though it is safe: what it would do beyond its own citation. Empty where it does."""


class Place(Struct, frozen=True, gc=False):
    """Where evidence stands now."""

    path: str
    lines: Lines | None
    pages: Pages | None = None
    renamed: bool = False
    """Whether the file itself is called so now: then every citation that shares the path leads there, too."""


class Finding(Struct, frozen=True, gc=False):
    """What one check has to say about one citation."""

    check: str
    outcome: Outcome
    severity: Severity
    message: str
    detail: str = ""
    """Evidence beside expectation: a short unified diff, or candidates, one per line."""
    edit: Edit | None = None
    then: tuple[str, ...] = ()
    """What was cited, as far as it is known: the first lines of it."""
    now: tuple[str, ...] = ()
    """What stands where the edit leads; empty where that is the same text."""
    place: Place | None = None
    """Where the edit leads."""
    silenced_by: SilencedBy | None = None
    """What keeps it from being reported; None where it is reported."""
    accepted: str = ""
    """Why a reader accepted it (`pincite accept`); empty where none did."""


class EvidenceStamp(Struct, frozen=True, gc=False):
    """The evidence a verdict rests on: which source, its SHA-256, and when it was read (epoch seconds, UTC)."""

    path: str
    digest: str
    retrieved: float
    folded: tuple[str, ...] = ()
    """What was not compared letter by letter: line-end hyphens, ligatures, the shape of quotation marks."""


class Verdict(Struct, frozen=True, gc=False):
    """One citation, where it stands in its document, and what was found about it."""

    citation: Citation
    line: int
    column: int
    findings: tuple[Finding, ...] = ()
    seen: EvidenceStamp | None = None
    excerpt: tuple[str, ...] = ()
    """The first cited lines as they are now; empty where there are none."""
    silenced: tuple[Finding, ...] = ()
    """Findings that an ignore comment, a setting, the baseline or a reader's acceptance keeps from being reported; they
    stay true."""
    rests_on: tuple[str, ...] = ()
    """Every path that was looked at for it, where that was asked for."""

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all findings, silenced ones too; HOLDS where there is none."""
        return max((finding.outcome for finding in (*self.findings, *self.silenced)), default=Outcome.HOLDS)

    @property
    def severity(self) -> Severity:
        """The loudest severity of the findings that are reported."""
        return max((finding.severity for finding in self.findings), default=Severity.NOTE)


class UnreadText(Struct, frozen=True, gc=False):
    """Text that looks like a citation and was not read as one, with its place in the document."""

    raw: str
    line: int
    column: int
    reason: str


class Defect(Struct, frozen=True, gc=False):
    """A malformed citation with its place in the document."""

    malformed: Malformed
    line: int
    column: int
    silenced_by: SilencedBy | None = None


class Report(Struct):
    """What is true of one document. Citations that hold are only counted unless all were asked for."""

    document: str
    verdicts: tuple[Verdict, ...] = ()
    malformed: tuple[Defect, ...] = ()
    held: int = 0
    """Citations that hold and have no finding; they are in `verdicts` only if all were asked for."""
    ignored: int = 0
    """Findings silenced by a comment in the document."""
    known: int = 0
    """Findings silenced by the baseline."""
    skipped: int = 0
    """Citations below a code fence that is never closed."""
    unread: tuple[UnreadText, ...] = ()
    """What looks like a citation and was not read as one, the first of them."""
    error: str = ""
    """Why the document itself could not be read; it was not checked then."""
    doubtful: bool = False
    """With an error: nothing shows that the document cites at all, so the error is a warning."""
    compared: int = 0
    """Citations for which history said what their authors saw."""
    more: bool = False
    """Whether this is a part, and the next report goes on with the same document."""
    silenced: tuple[Defect, ...] = ()
    """Malformed citations that an ignore comment, a setting or the baseline keeps from being reported."""
    accepted: int = 0
    """Findings that a reader accepted."""


class HiddenFindings(Struct):
    """What the change from a commit to what is checked keeps from being reported."""

    since: str
    """The commit, as it was named."""
    documents: tuple[str, ...] = ()
    """Documents that are there and were checked before the change, or would have been, and are not any more."""
    ignored: int = 0
    """Findings silenced by comments or settings that were not there before the change."""
    baselined: int = 0
    """Findings that the change adds to the baseline."""
    settings: tuple[str, ...] = ()
    """The settings that the change alters, of those that decide what is checked and reported."""
    fails: bool = False
    """Whether that fails the run, because warnings do or did before the change."""
    locked: tuple[str, ...] = ()
    """Entries of the lock that the change renews, adds or removes for citations that were there before it."""
    accepted: int = 0
    """Citations that the change accepts as still true."""

    def __bool__(self) -> bool:
        silenced = self.ignored or self.baselined or self.accepted
        return bool(self.documents or silenced or self.locked or self.settings)


class Summary(Struct):
    """The whole run in numbers."""

    documents: int = 0
    citations: int = 0
    outcomes: dict[str, int] = {}
    """Outcome label to number of citations; every label is present."""
    errors: int = 0
    warnings: int = 0
    notes: int = 0
    malformed: int = 0
    ignored: int = 0
    known: int = 0
    unreadable: int = 0
    """Documents that could not be read or parsed."""
    seconds: float = 0.0
    root: str = ""
    """The folder that paths are relative to, where the paths that were named lie outside of the working folder's root;
    else empty."""
    drift: str = ""
    """Empty when cited lines were compared with history; else why they were not."""
    skipped: int = 0
    """Citations that were seen and not checked, because they stand below a code fence that is never closed."""
    unread: int = 0
    """What looks like a citation and was not read as one: its file neither is nor was in the repository."""
    fixable: int = 0
    """Citations that `fix --write` would correct, where that was asked for."""
    hidden: HiddenFindings | None = None
    """What this change keeps from being reported; None where no commit was named to compare with."""
    accepted: int = 0
    """Findings that a reader accepted."""
    exit_code: int = 0


def target_of(citation: Citation) -> str:
    """The cited place in the form people type: `path`, `path:12`, `path:12-34`, `path, §Heading`, `REF-043, p.15`."""
    key = citation.source.key
    lines, pages = citation.lines, citation.pages
    if lines is not None:
        return f"{key}:{lines.text}"
    sign = "§" if citation.source.scheme == "section" else ""
    section = f", {sign}{citation.section}" if citation.section else ""
    return key + section + (f", p.{pages.text}" if pages is not None else "")
