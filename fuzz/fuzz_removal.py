"""Taking citations out of any text: once is enough, nothing new is found, and every line stays a line."""

from __future__ import annotations

import os
import tempfile
from collections import Counter

import engine

with engine.instrumented():
    from pincite.domains.corpus.removal import plan
    from pincite.domains.corpus.validation import ValidatedDocument, Validator, only_papers
    from pincite.engine.drift.follow import Follower
    from pincite.engine.pipeline import Engine
    from pincite.engine.repair.edits import apply_edits
    from pincite.project.config import Config
    from pincite.safe.files import Root

_VALIDATOR: list[Validator] = []


def _validator() -> Validator:
    """Against a corpus of two papers and a bibliography of one."""
    if not _VALIDATOR:
        top = tempfile.mkdtemp()
        corpus = os.path.join(top, ".aiwg/research/corpus")
        os.makedirs(corpus)
        for number in (1, 2):
            with open(os.path.join(corpus, f"REF-00{number}-x.md"), "w") as file:
                file.write("---\ntitle: T\ntotal_pages: 9\nkey_quotes:\n  - quote: a b c d e f\n    page: 4\n---\n")
        with open(os.path.join(corpus, "x.bib"), "w") as file:
            file.write("@book{smith2020, title={T}, author={Smith, A}, year={2020}}\n")
        _VALIDATOR.append(Validator(Engine(Root(top), only_papers(Config()), follower=Follower(), every=True)))
    return _VALIDATOR[0]


def _problems(found: ValidatedDocument) -> Counter[tuple[str, str]]:
    # What is malformed goes by its words, and the last one of a row takes the brackets over.
    return Counter(
        (one.result.ref_id.strip("[]()"), issue.message) for one in found.details for issue in one.result.issues
    )


def law(data: bytes) -> None:
    """Fixing is idempotent, adds no finding, keeps every line, and edits only what was condemned."""
    text = engine.text_of(data)
    if text.startswith("\ufeff"):
        return
    validator = _validator()
    before = validator.validate("x.md", text.encode())
    after = apply_edits(text, plan(before, text).edits)
    again = validator.validate("x.md", after.encode())
    assert not _problems(again) - _problems(before), after
    assert plan(again, after).edits == (), after
    assert after.count("\n") == text.count("\n")
    assert after.count("\r") == text.count("\r")
    for mark in ("`", "<", ">", "#", "|"):
        assert after.count(mark) == text.count(mark)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"quality [REF-001] [REF-099].",
            b"quality [REF-001; REF-099, p.3] and [see @gone; @smith2020].",
            b"| a [REF-099] | (REF-098) |\r\n# H [REF-099]\n",
            "“a b c d e f” [REF-099] [REF-001, p.3].\n[^1]: x [REF-099]\n".encode(),
        ],
        tokens=[
            *(
                "[REF-001]",
                "[REF-099]",
                "(REF-098)",
                "REF-097",
                "REF-001",
                "; ",
                ", p.3",
                "[@gone]",
                "[@smith2020]",
                "@gone",
            ),
            *(
                "[citation needed]",
                " and ",
                ". ",
                "](",
                "[^1]: ",
                "# ",
                "- ",
                "> ",
                "| ",
                "`",
                "```\n",
                "<b>",
                "-->",
                "<!--",
            ),
            *(
                "“a b c d e f”",
                '"a b c d e f"',
                "Smith",
                " (2023)",
                "\r\n",
                "\n\n",
                "---\n",
                "see ",
                "[1]",
                "\\",
                "<!--",
            ),
        ],
    )
