"""Entries of a bibliography by key: `[@smith2020]`, `[@smith2020, p. 15]`, `[see @a, pp. 3-4; @b]`, `@a [p. 3]`.

They are read where a bibliography is in force: a `.bib`, RIS or CSL-JSON file named in the settings, lying in the
corpus folder, or named by the document's own `bibliography:`. A key outside brackets (`@smith2020 says`) counts only
where the bibliography knows it: elsewhere it is a user name.
"""

from . import defer

NAME = "key"
RANK = 45
OPENERS = (b"@",)
EXAMPLE = "Voice consistency improves quality [@smith2020, p. 15]."
NEEDS = "bibliography"
"""Read only where a bibliography is in force: `@` stands in every address and every handle."""
WITHOUT = (b"bibliography:",)
"""Elsewhere only documents are looked at that may name one themselves."""

extract = defer("_bibliography_keys", "extract")
render = defer("_bibliography_keys", "render")
repoint = defer("_pages", "repoint")
requote = defer("_quote_edit", "requote")
retitle = defer("_quote_edit", "retitle")
