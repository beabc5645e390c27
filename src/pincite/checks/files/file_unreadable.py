"""
The cited file exists and its text cannot be read.

Why: nothing can be said about lines that were not seen. The file may lack read permission, be larger than the limit,
or not be UTF-8; the message names the reason, and for encodings the first offending byte.

Example: `Cannot read file: not UTF-8 (byte 0xff at offset 12)`.

Remedy: fix the permission, convert the file to UTF-8, or cite something smaller.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """The reason in the words of the memory format."""
    return f"Cannot read file: {found.detail}"
