"""Citation and evidence to findings. One check per module of the folders here; adding a file adds a check.

The folders are for the reader: `lines`, `files`, `papers`, `output`, `symbols`, `headings`, `form`,
`instructions`. A check is a plain
module, named after the defect it reports (`lines/line_out_of_range.py` reports `line-out-of-range`):

    OUTCOME    what is true of a citation with this defect
    SEVERITY   error, warning or note; settings may change it
    check      (Document, Citation, Evidence) -> Finding or None, for checks that look at every citation; they run in
               the order of the lists below, and the first finding that is worse than HOLDS ends the row
    message    (Citation, Obstacle) -> str, for checks that say why there is no evidence; `detail` (Obstacle) -> str
               beside it where there is more to say
    make_…     facts -> Finding, for checks whose facts another stage finds out, as drift is; words are made here

The docstring is its page: what it says, why it matters, an example, the remedy.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from ..core.limits import LIMITS
from ..core.model import Citation, Finding, Lines, Obstacle, Outcome, Severity
from ..text.lines import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..papers.evidence import PaperEvidence
    from ..text.document import Document
    from ..text.evidence import Evidence
    from .headings._headings import HeadingFacts
    from .papers._paper import PaperFacts as PaperFacts

    Check = Callable[[Document, Citation, Evidence], Finding | None]


class CheckedCitation(Struct, gc=False):
    """A citation on its way through the checks: a later stage may set what an earlier one found."""

    citation: Citation
    evidence: Evidence | Obstacle
    findings: tuple[Finding, ...] = ()
    was_there: bool = False
    """Whether history shows that the cited lines were there when they were cited."""


class CheckModule(Protocol):
    """What a module in this folder offers."""

    OUTCOME: Outcome
    SEVERITY: Severity
    __doc__: str


def names() -> tuple[str, ...]:
    """Every check there is, in alphabetical order."""
    return tuple(sorted(_find_modules()))


@cache
def load(name: str) -> CheckModule:
    """The module of a check; raises KeyError for an unknown name."""
    return cast("CheckModule", import_module(_find_modules()[name]))


@cache
def _find_modules() -> dict[str, str]:
    """The module of every check, by the name of the check."""
    found: dict[str, str] = {}
    for folder in os.listdir(__path__[0]):
        if folder[0] != "_" and "." not in folder:
            for file in os.listdir(os.path.join(__path__[0], folder)):
                if file.endswith(".py") and file[0] != "_":
                    found[file[:-3].replace("_", "-")] = f"{__name__}.{folder}.{file[:-3]}"
    return found


def page(name: str) -> str:
    """The documentation of a check: what, why, example, remedy."""
    from inspect import cleandoc

    return cleandoc(load(name).__doc__)


def obstacle(citation: Citation, found: Obstacle) -> Finding:
    """The finding for a citation whose evidence could not be had."""
    module = load(found.kind)
    message: str = vars(module)["message"](citation, found)
    severity = module.SEVERITY if found.severity is None else found.severity
    beside = getattr(module, "detail", None)
    return Finding(found.kind, module.OUTCOME, severity, message, beside(found) if beside else "")


# The checks that look at every citation, in order. Named here, because importing two dozen modules to find out
# which of them have a `check` would cost more than checking a small document; a test compares this with the folder.
ROW = tuple(
    "line-invalid line-out-of-range range-past-end snippet-mismatch snippet-without-line blank-range "
    "citation-before-claim".split()
)
EXTRA_CHECKS = ("citation-before-claim",)
"""Those that look at more than whether the cited lines are there."""
CAPTURED = ("external-id", "output-masked")
"""Those that look at how captured output came to be at hand."""
HEADED = ("heading-unchecked", "heading-altered", "heading-not-found")
"""Those that look at a citation of a heading."""
PAPER = tuple(
    "format-not-allowed page-out-of-range page-unchecked section-mismatch section-unknown section-unchecked "
    "quote-elsewhere quote-altered quote-stitched quote-misattributed quote-not-found quote-unchecked "
    "pdf-text-damaged receipt-missing".split()
)
"""Those that look at a citation of a paper; each says its own, whatever the others found."""

CLAIM_CHECKS = ("claim-not-shown", "figure-not-found", "section-mismatch")
"""Those that hold the cited text against the sentence: another sentence is another question."""
READER_DECIDES = (
    *"lines-edited lines-moved lines-deleted lines-ambiguous snippet-mismatch snippet-moved".split(),
    *"quote-altered quote-elsewhere quote-misattributed quote-not-found quote-stitched quote-unchecked".split(),
    *CLAIM_CHECKS,
)
"""Those that a reader can settle by reading cited text and sentence again (`pincite accept`). All others say that there
is nothing to read, or that the citation itself is wrong."""


def row(names: tuple[str, ...] = ROW) -> tuple[Check, ...]:
    """The functions of these checks."""
    return tuple(cast("Check", vars(load(name))["check"]) for name in names)


def passage_moved(citation: Citation, evidence: Evidence) -> Finding | None:
    """Where a footnote names a passage of the file by its id and it begins on another line: that it moved."""
    line = passage_line(citation, evidence)
    if line is None or citation.lines is None or line == citation.lines.first:
        return None
    from .lines.lines_moved import make_passage_finding

    return make_passage_finding(line)


def passage_line(citation: Citation, evidence: Evidence) -> int | None:
    """The line on which the passage begins that a footnote names by its id; None where the file has none."""
    from .lines._passages import find_line

    return find_line(citation, evidence)


def passage_then(citation: Citation, evidence: Evidence, then: list[str]) -> Lines | None:
    """The lines of the passage that a footnote names by its id, among those that the file had at another time."""
    from .lines._passages import find_lines_then

    ending = "\r\n" if b"\r\n" in evidence.data else "\n"
    return find_lines_then(citation, evidence.source.key, ending.join((*then, "")))


def find_heading(evidence: Evidence, title: str) -> HeadingFacts:
    """Whether a document has a heading, and which one it means though it is written otherwise."""
    from .headings._headings import look

    return look(evidence, title)


def ask_namesakes(citation: Citation, found: Obstacle, files: Sequence[Evidence | Obstacle]) -> Obstacle:
    """Which of several files is meant cannot be told; but a heading that none of them has is missing."""
    from .headings.heading_not_found import ask_namesakes as ask

    return ask(citation, found, files)


def are_chained(text: str, before: Citation, citation: Citation) -> bool:
    """Whether nothing of their own stands between two citations, so that they are cited for the same claim."""
    from .output.figure_not_found import is_chained

    return is_chained(text, before.span.end, citation.span.start)


def share_quotes(rows: list[CheckedCitation]) -> None:
    """Hold a quote that several citations share to the one of them that fits it best."""
    if any(one is not None and one is other for one, other in pairwise([row.citation.quote for row in rows])):
        from .papers._paper import share

        share(rows)


def assess(citation: Citation, evidence: Evidence) -> PaperFacts | None:
    """What is true of a citation of a paper, check by check; None for any other citation."""
    from .papers._paper import assess as ask

    return ask(citation, evidence)


class PlainPaper(Struct, frozen=True):
    """Which citations of a paper hold without a closer look: its id, and its pages as far as numbers say them."""

    plain: bool
    """Whether the id alone may be cited."""
    low: int = 1
    high: int = 0
    declared: frozenset[str] = frozenset()
    """Pages for which a section is declared, which has to be compared."""
    keys: dict[str, None] = {}
    """What the answer depends on."""


NEVER = PlainPaper(False)


def plain_pages(evidence: PaperEvidence, keys: dict[str, None]) -> PlainPaper:
    """What holds of any citation of a paper that names no more than a page."""
    from .papers._paper import plain_pages as ask

    return ask(evidence, keys)


def quoted_passage(citation: Citation, evidence: PaperEvidence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The passage of the paper that a citation quotes, or the nearest there is, and what was folded to find it."""
    answer = assess(citation, evidence) if citation.quote is not None else None
    look = answer.look if answer is not None else None
    if look is None:
        return (), ()
    return tuple(shorten(passage.text, LIMITS.shown_chars) for passage in look.passages[:1]), look.folded
