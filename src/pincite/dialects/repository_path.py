"""Lines of other repositories in prose: `owner/name:path:12`, `owner/name:path:12-34`, `owner/name@v2.1:path#L12-L34`.

What follows the colon is read as in `path:12`, with its ranges, columns and lists. A host may stand before the owner:
`github.com/owner/name:path:12`. A revision after `@` is a commit, a branch or a tag; without one the current state of
the default branch is meant, and so it is with `main`, `master`, `trunk` and `HEAD`.

Prose is full of words like these, so they count only where a mirror of the repository is at hand and has the file, now
or in its history. The environment names the folder of mirrors: `PINCITE_MIRRORS`. Without it nothing is read in this
form, and `path:12` is read as ever. Where mirrors of several hosts have the owner and the name, it is ambiguous.
"""

from . import defer

NAME = "repository-path"
NEEDS = "mirrors"
RANK = 87
OPENERS = tuple(b"%b%d" % (mark, digit) for mark in (b":", b":L", b"#", b"#L") for digit in range(10))
EXAMPLE = "The retry loop of the client starts at owner/name:src/net/client.py:42-58."
FIRST_LINE_MEANS_FILE = True
LOOKS_LIKE_PROSE = True
IN_SOURCE = (rb"/[\w.\-]{1,100}(?:@[\w.\-/+]{1,200})?:[\w./@+\-]{1,250}[:#]L?\d",)

extract = defer("_repository_prefix", "extract")
render = defer("_repository_prefix", "render")
repoint = defer("_repository_prefix", "repoint")
