"""
The cited lines exist, but what they said when the citation was written cannot be told.

Why: the history that would show it is not here, most often because the clone is shallow; or the file had another
name, or fewer lines, in the commit that wrote the citation. That is *unchecked*, never *unchanged*.

Example: a check in a CI job that fetched one commit. Where no citation could be compared, `--strict` fails.

Remedy: fetch the history (`git fetch --unshallow`, or `fetch-depth: 0` in the workflow); where it is all here, read the
cited lines and touch the citing line.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE

WAS_ABSENT = "The cited file was not there"
"""How the message begins where git did not have the cited file when it was cited, as in a submodule."""
