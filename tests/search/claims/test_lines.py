"""Which lines show what a claim names."""

from __future__ import annotations

from pincite.core.model import Lines
from pincite.search.claims.bound import is_shown
from pincite.search.claims.claim import Claim, read_claim
from pincite.search.claims.file_lines import FileLines
from pincite.search.claims.lines import AS_CITED, weigh

CODE = (
    "import os\n\n\nclass Reader:\n    def read_all(self):\n        return self.rows\n\n\n"
    + "".join(f"step_{at} = prepare({at})\n" for at in range(30))
    + "\n\n# close_all is below\ndef close_all():\n    os.sync()\n"
).split("\n")


def claim_of(said: str) -> Claim:
    return read_claim("a.md", [said], 0, said.index("x.py:1"), len("x.py:1"))


def test_a_definition_is_preferred_to_a_comment_and_to_uses() -> None:
    weighed = weigh(
        FileLines("x.py", CODE), claim_of("It ends in `close_all` (x.py:1)."), Lines(10, 10), Lines(10, 10), AS_CITED
    )
    assert weighed is not None
    assert (weighed.best, weighed.agrees, weighed.shown, weighed.held) == (Lines(42, 42), False, ("close_all",), ())


def test_lines_inside_a_definition_show_its_name() -> None:
    weighed = weigh(FileLines("x.py", CODE), claim_of("In `read_all` (x.py:1)."), Lines(6, 6), Lines(6, 6), AS_CITED)
    assert weighed is not None
    assert weighed.held == ("read_all",)


def test_nothing_is_weighed_where_the_file_has_nothing_that_is_named() -> None:
    file = FileLines("x.py", CODE)
    assert weigh(file, claim_of("By `nowhere_at_all` (x.py:1)."), Lines(6, 6), Lines(6, 6), AS_CITED) is None


def test_chances_are_shares() -> None:
    weighed = weigh(FileLines("x.py", CODE), claim_of("`step_3` (x.py:1)."), Lines(12, 12), Lines(12, 12), AS_CITED)
    assert weighed is not None
    assert 0 <= weighed.chance <= 1 and 0 <= weighed.best_chance <= 1


def test_the_bound_ends_nothing_that_weighing_would_find() -> None:
    file = FileLines("x.py", CODE)
    said = (
        "It ends in `close_all` (x.py:1).",
        "The rows are read by `read_all` (x.py:1).",
        "Sync in `close_all`, x.py:1.",
    )
    ended = accused = 0
    for claim in map(claim_of, said):
        for first in range(1, len(CODE) - 6):
            for last in range(first, first + 6):
                place = Lines(first, last)
                weighed = weigh(file, claim, place, place, AS_CITED)
                assert weighed is not None
                plain = not (weighed.held or weighed.beside) and weighed.best_chance >= 4 * weighed.chance
                ended += is_shown(file, claim, place, 4)
                accused += plain
                assert not (plain and is_shown(file, claim, place, 4)), (claim.clause, place)
    assert ended > 100 and accused > 100
