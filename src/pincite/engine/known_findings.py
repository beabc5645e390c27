"""Known findings: those a team has decided to live with for now, and the names by which they are known."""

from __future__ import annotations

from msgspec.structs import replace

from ..core.model import Finding, Report, Severity, Verdict
from ..report._fingerprint import Fingerprints


class KnownFindings:
    """Tells the findings of a run that are known from those that are new."""

    def __init__(self, known: frozenset[str], wanted: bool) -> None:
        self._known = known
        self._wanted = wanted
        """Whether the names of all findings will be asked for."""
        self._names = Fingerprints()
        self._named: dict[str, str] = {}
        self._unnamed: list[tuple[str, str, str, bool]] = []
        """Findings that have no name yet: document, check, citation, and whether a baseline would hold it."""

    @property
    def fingerprints(self) -> dict[str, str]:
        """What a baseline written from this run would hold: fingerprints and what they stand for."""
        for document, check, raw, lasting in self._unnamed:
            name = self._names.of(document, check, raw)
            if lasting:
                self._named[name] = f"{document}: {check} {raw}"
        self._unnamed = []
        return self._named

    def leave_out(self, report: Report) -> Report:
        """The report without what is known; every finding is named where that is asked for."""
        if not report.verdicts and not report.malformed:
            return report
        if not self._known and not self._wanted:
            return report
        if not self._known:
            # Names are computed when they are needed.
            for verdict in report.verdicts:
                for finding in verdict.findings:
                    lasting = finding.severity > Severity.NOTE
                    self._unnamed.append((report.document, finding.check, verdict.citation.raw, lasting))
            for defect in report.malformed:
                self._unnamed.append((report.document, "malformed-citation", defect.malformed.raw, True))
            return report
        verdicts: list[Verdict] = []
        known = 0
        for verdict in report.verdicts:
            loud: list[Finding] = []
            silent = [*verdict.silenced]
            for finding in verdict.findings:
                name = self._names.of(report.document, finding.check, verdict.citation.raw)
                (silent if name in self._known else loud).append(finding)
                if finding.severity > Severity.NOTE:
                    self._named[name] = f"{report.document}: {finding.check} {verdict.citation.raw}"
            if len(loud) < len(verdict.findings):
                known += len(verdict.findings) - len(loud)
                verdict = replace(verdict, findings=tuple(loud), silenced=tuple(silent))
            verdicts.append(verdict)
        malformed = []
        for defect in report.malformed:
            name = self._names.of(report.document, "malformed-citation", defect.malformed.raw)
            if name in self._known:
                known += 1
                continue
            malformed.append(defect)
            self._named[name] = f"{report.document}: malformed-citation {defect.malformed.raw}"
        if not known:
            return report
        return replace(report, verdicts=tuple(verdicts), malformed=tuple(malformed), known=known)
