"""Known findings: those a team has decided to live with for now, and the names by which they are known."""

from msgspec.structs import replace

from ..core.model import Finding, Report, Severity, SilencedBy, Verdict
from ..report._fingerprint import Fingerprints


class KnownFindings:
    """Tells the findings of a run that are known from those that are new."""

    def __init__(self, known: frozenset[str], wanted: bool) -> None:
        self._known = known
        self._wanted = wanted
        """Whether the names of all findings will be asked for."""
        self._names = Fingerprints()
        self.fingerprints: dict[str, str] = {}
        """What a baseline written from this run would hold: fingerprints and what they stand for."""

    def leave_out(self, report: Report) -> Report:
        """The report without what is known; every finding is named where that is asked for."""
        if not (report.verdicts or report.malformed) or not (self._known or self._wanted):
            return report
        verdicts: list[Verdict] = []
        known = 0
        for verdict in report.verdicts:
            loud: list[Finding] = []
            silent = [*verdict.silenced]
            for finding in verdict.findings:
                lasting = finding.severity > Severity.NOTE
                is_known = self._name(report.document, finding.check, verdict.citation.raw, lasting)
                if is_known:
                    silent.append(replace(finding, silenced_by=SilencedBy.BASELINE))
                else:
                    loud.append(finding)
            if len(loud) < len(verdict.findings):
                known += len(verdict.findings) - len(loud)
                verdict = replace(verdict, findings=tuple(loud), silenced=tuple(silent))
            verdicts.append(verdict)
        malformed = []
        silenced = [*report.silenced]
        for defect in report.malformed:
            is_known = self._name(report.document, "malformed-citation", defect.malformed.raw, True)
            known += is_known
            if is_known:
                silenced.append(replace(defect, silenced_by=SilencedBy.BASELINE))
            else:
                malformed.append(defect)
        if not known:
            return report
        kept = {"verdicts": tuple(verdicts), "malformed": tuple(malformed), "silenced": tuple(silenced)}
        return replace(report, **kept, known=known)

    def _name(self, document: str, check: str, raw: str, lasting: bool) -> bool:
        """Name a finding, and keep the name if a baseline would hold it; whether it is known."""
        name = self._names.of(document, check, raw)
        if lasting:
            self.fingerprints[name] = f"{document}: {check} {raw}"
        return name in self._known
