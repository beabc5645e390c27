"""
The file that lists the cited source cannot be read.

Why: it is not UTF-8, too large, not a regular file, or no bibliography.

Example: a `.bib` file that ends in the middle of an entry.

Remedy: correct the file; the message names it and the place.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.BLOCKED
SEVERITY = Severity.ERROR
