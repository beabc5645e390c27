"""Whether what was written holds: the same engine that checks documents is asked before anything is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Outcome
from ...engine.pipeline import Engine
from ...text.lines import join
from .model import STYLES, Uncitable
from .writer import CLAIM, as_citation, memory_with, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...core.model import Citation, Report
    from ...project.config import Config
    from ...safe.files import Root
    from ...safe.git import Git
    from .model import CiteTarget

    Cited = tuple[str, str, str, object, object]


class Proof:
    """One engine for many citations; it has no history, because what is written now was never anything else."""

    def __init__(self, root: Root, config: Config, git: Callable[[], Git | None]) -> None:
        self.config = config
        self._engine = Engine(root, config, git, None, True)

    def write(self, target: CiteTarget, style: str, into_path: str = "") -> str:
        """The citation, checked as it would stand in a document at `into_path`; raises Uncitable where it fails."""
        known = STYLES.get(style)
        if known is not None and self.config.dialects and known.dialect not in self.config.dialects:
            read = ", ".join(self.config.dialects)
            raise Uncitable("style-unfit", f"--style {style}: the settings read only these dialects: {read}")
        text = write(target, style, into_path)
        wanted = as_citation(target, style)
        if style == "frontmatter":
            report = self.check("memory.md", memory_with(text).encode())
        else:
            report = self.check(into_path or "document.md", f"{CLAIM} {text}\n".encode())
        trouble = _trouble(report, wanted)
        if trouble:
            raise Uncitable("would-not-hold", f"{target.path}: {trouble}")
        return text

    def check(self, path: str, data: bytes) -> Report:
        """What is true of every citation of a document that goes by that path."""
        return self._engine.check_bytes(path, data)

    def check_added(
        self, path: str, old: bytes, new: bytes, wanted: Sequence[Citation], may_update: bool = False
    ) -> str:
        """Empty where the new document cites what the old one did and these as well, and they hold; else what is wrong.

        With `may_update`, an item of a memory may have changed instead. What did not hold before need not hold now.
        """
        before, after = (self.check(path, data) for data in (old, new))
        if after.error or len(after.malformed) > len(before.malformed):
            return after.error or after.malformed[-1].malformed.reason
        kept, now = _collect_cited(before), _collect_cited(after)
        fresh = len(after.verdicts) - len(before.verdicts)
        updated = may_update and fresh == 0 and all(one.dialect == "memory" for one in wanted)
        read = all(any(_is(verdict.citation, one) for verdict in after.verdicts) for one in wanted)
        if not read or (fresh != len(wanted) and not updated):
            return "it would not be read as a citation there"
        if not updated and any(now.get(cited, (0,))[0] < count for cited, (count, _) in kept.items()):
            return "another citation of the document would be read differently"
        worse = [cited for cited, (_, outcome) in now.items() if outcome > kept.get(cited, (0, Outcome.HOLDS))[1]]
        return f"{worse[0][2]} would not hold there" if worse else ""

    def close(self) -> None:
        """Let go of what is kept open."""
        self._engine.close()


def _trouble(report: Report, wanted: Citation) -> str:
    """Why a made document does not show that the citation in it holds; empty where it does."""
    if report.error:
        return report.error
    if report.malformed:
        return report.malformed[0].malformed.reason
    if len(report.verdicts) != 1:
        return "it would not be read as one citation"
    (verdict,) = report.verdicts
    for finding in (*verdict.findings, *verdict.silenced):
        if finding.outcome > Outcome.HOLDS:
            return finding.message
    if not _is(verdict.citation, wanted):
        return f"it would be read as {verdict.citation.source.key}, which lies nearer"
    return ""


def _is(cited: Citation, wanted: Citation) -> bool:
    """Whether a citation as it was read is the one that was to be written."""
    # The lines of a symbol are found, not written.
    lines = wanted.lines is None or cited.lines == wanted.lines
    return lines and (cited.dialect, cited.quote, _source(cited)) == (wanted.dialect, wanted.quote, _source(wanted))


def _source(citation: Citation) -> tuple[str, str]:
    """What is cited; `./src/x.py` is `src/x.py`."""
    scheme, key = citation.source.scheme, citation.source.key
    return scheme, join("", key) if scheme == "file" and not key.startswith("/") else key


def _collect_cited(report: Report) -> dict[Cited, tuple[int, Outcome]]:
    """What a document cites: how often, and the worst that is true of it."""
    found: dict[Cited, tuple[int, Outcome]] = {}
    for verdict in report.verdicts:
        one = verdict.citation
        key = (one.dialect, one.source.scheme, one.source.key, one.lines, one.quote)
        count, outcome = found.get(key, (0, Outcome.HOLDS))
        found[key] = count + 1, max(outcome, verdict.outcome)
    return found
