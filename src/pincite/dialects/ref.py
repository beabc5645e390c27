"""Papers of the corpus by id: `[REF-043]`, `(REF-043)`, `[REF-043, p.15]`, `[REF-018, Section 3]`.

An id is `REF-` and three digits, or four and more from `REF-1000` on, not inside a longer word. Pages are written
`p.15`, `p. 15` or `pp. 15-17`, sections `Section 3` or `§3`, several papers in one bracket `[REF-001; REF-002, p.3]`.
An id in running text counts as well, with a page where one follows (`REF-043, p. 15` or `REF-043 (p. 15)`), but not in
the file of that name. Words in quotation marks beside a citation, and the block quote it ends, must stand on the cited
page. File names (`REF-043-voice.md`) are no citations.
"""

from . import defer

NAME = "ref"
RANK = 25
PLAIN_PAGES = True
OPENERS = (b"REF-",)
EXAMPLE = "Voice consistency improves quality [REF-043, p.15]."

extract = defer("_ids", "extract")
render = defer("_ids", "render")
repoint = defer("_pages", "repoint")
requote = defer("_quote_edit", "requote")
retitle = defer("_quote_edit", "retitle")
