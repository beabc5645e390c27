"""What an audit says of a report: its sentences with what each rests on, and what was not judged."""

from __future__ import annotations

from msgspec import Struct

from ...judge.model import Reason
from .report_records import HIGH, MEDIUM

ON_TRUST = "on-trust"
"""The rule by which a sentence that rests on a foreign file alone needs a reader."""
GROUNDED, READER, UNSUPPORTED, UNCITED = "grounded", "needs a reader", "unsupported", "uncited"


class Audited(Struct, frozen=True):
    """A sentence of a report, and what it rests on."""

    start: int
    end: int
    tail: int
    """Behind the marks that follow the sentence."""
    line: int
    text: str
    state: str
    """GROUNDED, READER (only strongly implied, where that is not enough, or on trust), UNSUPPORTED or UNCITED."""
    citation_id: int = 0
    citation_url: str = ""
    """For a grounded sentence the source that carries it, else the first that it cites."""
    quote: str = ""
    level: str = ""
    claim_id: int = 0
    """The grounded claim that it is, word for word."""
    judge: str = ""
    attested: str = ""
    reasons: tuple[Reason, ...] = ()
    remedy: str = ""
    kind: str = "text"
    """Where it stands: `text`, `entry`, `heading`, `cell`, `row`, `record` (the table of grounded claims), `source`,
    `label` (a caption or title), `code`, `front` (frontmatter) or `seal` (that a report was edited)."""


class Skipped(Struct, frozen=True):
    """A stretch of the report that was not judged."""

    line: int
    kind: str
    """`heading`, `question`, `label` (a few words), `source`, `code`, `front` (frontmatter), `comment` or `record`
    (of a report that was edited since)."""
    text: str


class ReportAudit(Struct, frozen=True):
    """What became of the sentences that claim something."""

    sentences: tuple[Audited, ...]
    skipped: tuple[Skipped, ...] = ()
    """What claims nothing by its form, and was not judged."""
    recognised: int = 0
    """Rows of claims, lines of sources and counts that are as the stages recorded them."""

    @property
    def medium(self) -> int:
        """How many sentences rest on *medium* alone: no quote states them, and no person vouches for them."""
        return sum(
            one.level == MEDIUM and not one.attested for one in self.sentences if one.state in (GROUNDED, READER)
        )

    @property
    def on_trust(self) -> int:
        """How many sentences rest on the word of a file alone that came with a clone."""
        return sum(one.state == READER and any(said.rule == ON_TRUST for said in one.reasons) for one in self.sentences)

    @property
    def attested(self) -> int:
        """For how many sentences a person vouches."""
        return sum(bool(one.attested) and one.level != HIGH for one in self.sentences if one.state == GROUNDED)

    @property
    def total(self) -> int:
        """How many sentences claim something."""
        return len(self.sentences)

    def count(self, state: str) -> int:
        """How many sentences are in a state."""
        return sum(one.state == state for one in self.sentences)

    @property
    def ok(self) -> bool:
        """Whether there are claims and all of them are grounded; 99.9 % are not all."""
        return bool(self.sentences) and self.count(GROUNDED) == self.total

    @property
    def percentage(self) -> str:
        """How much is grounded, cut and never rounded: only all of it is `100 %`."""
        if not self.sentences:
            return "nothing claimed"
        tenths = 1000 * self.count(GROUNDED) // self.total
        return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"
