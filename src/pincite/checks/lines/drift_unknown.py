"""
The cited lines exist, but what they said when the citation was written cannot be told.

Why: the history that would show it is not here, most often because the clone is shallow; or the file had another
name, or fewer lines, in the commit that wrote the citation. Of a document that is a symbolic link git has no lines: the
file that it leads to is compared. Of another repository, the mirror may begin later than the citation. That is
*unchecked*, never *unchanged*.

Example: a check in a CI job that fetched one commit. Where no citation could be compared, `--strict` fails.

Remedy: fetch the history (`git fetch --unshallow`, or `fetch-depth: 0` in the workflow). Objects that are missing come
back with `git fetch --refetch`; in a partial clone add `--no-filter`. Where objects are damaged, make a new clone.
Where all is here, read the cited lines and touch the citing line.
"""

from ...core.model import Finding, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE

WAS_ABSENT = "The cited file was not there"
"""How the message begins where git did not have the cited file when it was cited, as in a submodule."""
NOT_TOLD = "What the cited lines said when they were cited cannot be told"
"""How it begins where git cannot read the history of the document."""
CANNOT_BE_READ = "Git cannot read the cited file"
"""How it begins where git had the file and has lost its content."""
IN_LINK = "The document is a symbolic link"
"""How it begins where git has no lines of the document because they are those of another file."""
OF_MIRROR = "The mirror of"
"""How it begins where another repository is cited, and its mirror does not say what the author saw."""


def make_finding_without_history(why: str = "") -> Finding:
    """Where the commit that wrote the citation is not at hand."""
    if why:
        return _make(f"{NOT_TOLD}: {why}")
    return _make("What the cited lines said when they were cited is not in this clone's history")


def make_finding_in_link() -> Finding:
    """Where the document is a symbolic link."""
    return _make(f"{IN_LINK}: git does not say when the lines that it leads to were written")


def make_finding_before_mirror(repository: str) -> Finding:
    """Where a citation of another repository is older than all that its mirror has."""
    return _make(f"{OF_MIRROR} {repository} begins after this was cited; what the cited lines said then is not in it")


def make_finding_of_mirror(repository: str, why: str) -> Finding:
    """Where the history of a mirror cannot be read."""
    return _make(f"{OF_MIRROR} {repository} does not tell what the cited lines said when they were cited: {why}")


def make_finding_without_text(commit: str, absent: bool) -> Finding:
    """Where the commit that wrote the citation has no text of the file: the file was absent, or is no text."""
    what = WAS_ABSENT if absent else "The cited file cannot be read as text"
    return _make(f"{what} in {commit[:7]}, when it was cited")


def make_finding_without_object(commit: str, why: str) -> Finding:
    """Where the commit that wrote the citation has the file, and the clone lacks its content or cannot read it."""
    return _make(f"{CANNOT_BE_READ} as it was in {commit[:7]}, when it was cited: {why}")


def make_finding_without_line(line: int, since: str) -> Finding:
    """Where the file had fewer lines when it was cited: that the line is there now shows nothing."""
    when = since.removeprefix("since ")
    return _make(f"Line {line} was not there {'when' if when.startswith('it ') else 'in'} {when}")


def _make(message: str) -> Finding:
    return Finding("drift-unknown", OUTCOME, SEVERITY, message)
