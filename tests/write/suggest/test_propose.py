"""From a document to citations that hold: what is suggested, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.write.suggest.model import Confidence, Suggestions, SuggestOptions
from pincite.write.suggest.propose import insert_suggestions, suggest

LIMITS = "MAX_RETRIES = 5\nMAX_ENTRIES = 250\n"
LEDGER = """class LedgerStore:
    \"\"\"Keeps entries.\"\"\"

    def add_entry(self, entry):
        if len(self.entries) >= MAX_ENTRIES:
            raise OverflowError("the ledger is full")
        self.entries.append(entry)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    put(tmp_path, "src/limits.py", LIMITS)
    put(tmp_path, "src/ledger.py", LEDGER)
    put(tmp_path, "src/gauge.py", "class Gauge:\n    def read(self):\n        return 1\n")
    put(tmp_path, "tests/test_ledger.py", "def test_overflow_guard():\n    LedgerStore().add_entry(1)\n")
    put(tmp_path, "package.json", '{"scripts": {\n  "ship:all": "node tools/ship.js"\n}}\n')
    put(tmp_path, "tools/ship.js", "console.log('shipping all the parcels to the harbour')\n")
    return tmp_path


def put(top: Path, path: str, text: str) -> None:
    place = top / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="")


def found_in(top: Path, text: str, asked: SuggestOptions | None = None, path: str = "docs/a.md") -> Suggestions:
    put(top, path, text)
    with Root(str(top)) as root:
        (found,) = suggest(root, Config(), lambda: None, [path], asked)
    return found


def cited(found: Suggestions) -> list[str]:
    return [one.citation for one in found.suggestions]


def test_a_value_is_pinned_to_the_line_that_sets_it(tree: Path) -> None:
    found = found_in(tree, "A call is made again at most 5 times (`MAX_RETRIES`).\n")
    assert cited(found) == ["【F:src/limits.py†L1】"]
    (one,) = found.suggestions
    assert one.evidence == ("MAX_RETRIES = 5",)
    assert "`MAX_RETRIES` is defined there" in one.reason and "value 5" in one.reason


def test_a_value_that_the_code_does_not_have_is_not_cited(tree: Path) -> None:
    assert cited(found_in(tree, "A call is made again at most 7 times (`MAX_RETRIES`).\n")) == []


def test_behaviour_is_pinned_to_few_lines_of_its_function(tree: Path) -> None:
    (one,) = found_in(tree, "`LedgerStore.add_entry` raises `OverflowError` when the ledger is full.\n").suggestions
    assert one.path == "src/ledger.py"
    assert one.lines.first <= 5 <= one.lines.last <= 7


@pytest.mark.parametrize(
    "text",
    [
        "The store is simple and it is quick to use.\n",
        "Nothing here is called `UnknownThing` by anyone else.\n",
        "# The `LedgerStore` keeps entries in order\n",
        "```\nThe `LedgerStore` keeps `MAX_ENTRIES` entries here.\n```\n",
        "Does the `LedgerStore` keep 250 entries (`MAX_ENTRIES`)?\n",
        "The store is checked by `test_overflow_guard` in all cases.\n",
        "At most 250 entries (`MAX_ENTRIES`) are kept. 【F:src/limits.py†L2】\n",
        "The `Gauge` was removed and does not exist any more.\n",
    ],
)
def test_nothing_is_suggested(tree: Path, text: str) -> None:
    assert cited(found_in(tree, text, SuggestOptions(least=Confidence.LOW))) == []


def test_two_files_that_are_as_likely_are_none(tree: Path) -> None:
    put(tree, "src/other.py", LEDGER)
    assert cited(found_in(tree, "`LedgerStore.add_entry` raises `OverflowError` when it is full.\n")) == []


def test_a_test_is_cited_only_where_it_is_named(tree: Path) -> None:
    text = "`tests/test_ledger.py` has one function, `test_overflow_guard`, for the ledger.\n"
    assert [one.path for one in found_in(tree, text).suggestions] == ["tests/test_ledger.py"]


def test_a_document_never_cites_itself(tree: Path) -> None:
    text = (
        "The file `docs/a.md` says that `SOME_NAME = 5` is what counts.\n\nHere `SOME_NAME = 5` is said again by us.\n"
    )
    assert cited(found_in(tree, text, SuggestOptions(least=Confidence.LOW))) == []


def test_the_most_are_the_best(tree: Path) -> None:
    text = "".join(f"At most {n} of them: `{name}`.\n\n" for n, name in ((5, "MAX_RETRIES"), (250, "MAX_ENTRIES")))
    every = found_in(tree, text)
    assert len(every.suggestions) == 2 and every.more == 0
    one = found_in(tree, text, SuggestOptions(most=1))
    assert len(one.suggestions) == 1 and one.more == 1
    assert one.suggestions[0].score == max(item.score for item in every.suggestions)


def test_adding_changes_nothing_else_and_is_not_repeated(tree: Path) -> None:
    text = "\ufeffAt most 5 calls are made (`MAX_RETRIES`).\r\n\r\nThe end of it."
    found = found_in(tree, text)
    data = insert_suggestions(found, found.suggestions, "bracket")
    assert data.decode() == text.replace("(`MAX_RETRIES`).", "(`MAX_RETRIES`). 【F:src/limits.py†L1】")
    assert cited(found_in(tree, data.decode())) == []


@pytest.mark.parametrize("style", ["bracket", "colon", "link", "cite"])
def test_every_style_holds(tree: Path, style: str) -> None:
    found = found_in(tree, "At most 5 calls are made (`MAX_RETRIES`).\n", SuggestOptions(style))
    assert len(found.suggestions) == 1
    assert "limits.py" in insert_suggestions(found, found.suggestions, style).decode()


def test_what_cannot_be_read_says_so(tree: Path) -> None:
    (tree / "bad.md").write_bytes(b"\xff\xfe\x00")
    with Root(str(tree)) as root:
        bad, missing = suggest(root, Config(), lambda: None, ["bad.md", "none.md"])
    assert "UTF-16" in bad.error and missing.error


def test_hostile_sources_are_passed_over(tree: Path) -> None:
    (tree / "src" / "raw.py").write_bytes(b"MAX_RETRIES = 5\n\xff\xfe")
    (tree / "src" / "nul.py").write_bytes(b"MAX_RETRIES = 5\n\0\0")
    (tree / "src" / "large.py").write_bytes(b"MAX_RETRIES = 5\n" * 100_000)
    (tree / "src" / "out.py").symlink_to("/etc/passwd")
    found = found_in(tree, "At most 5 calls are made (`MAX_RETRIES`).\n")
    assert all(one.path == "src/limits.py" for one in found.suggestions)


def test_time_grows_with_the_document(tree: Path) -> None:
    from time import process_time

    def spent(times: int) -> float:
        text = "`LedgerStore.add_entry` keeps `MAX_ENTRIES` of `them` at most.\n\n" * times
        start = process_time()
        found_in(tree, text, SuggestOptions(most=1))
        return process_time() - start

    spent(10)
    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(spent(size) for _ in range(3)) for size in (800, 100))
    assert long < 40 * max(short, 0.02)


SAID = "A call is made again at most 5 times (`MAX_RETRIES`)."


@pytest.mark.parametrize(
    ("path", "text", "given"),
    [
        ("docs/a.rst", f"Shown::\n\n    {SAID}\n", False),
        ("docs/a.rst", f"Shown::\n\n> {SAID}\n", False),
        ("docs/a.rst", f".. code-block:: text\n\n   {SAID}\n", False),
        ("docs/a.rst", f">>> show()\n{SAID}\n", False),
        ("docs/a.rst", f".. a comment\n   {SAID}\n", False),
        ("docs/a.rst", f".. note::\n\n   {SAID}\n", True),
        ("docs/a.rst", f"Shown::\n\n    x\n\n{SAID}\n", True),
        ("docs/a.rst", f"- Shown::\n\n      x\n\n  {SAID}\n", True),
        ("docs/a.md", f"Shown.\n\n    {SAID}\n", False),
        ("docs/a.md", f"<!--\n{SAID}\n-->\n", False),
        ("docs/a.md", f"---\ntitle: {SAID}\n---\n", False),
        ("docs/a.md", f"- An item.\n\n    {SAID}\n", True),
    ],
)
def test_what_is_shown_and_not_said_gets_no_suggestion(tree: Path, path: str, text: str, given: bool) -> None:
    assert cited(found_in(tree, text, path=path)) == (["【F:src/limits.py†L1】"] if given else [])


def test_lines_of_an_example_in_prose_are_no_evidence(tree: Path) -> None:
    put(tree, "notes/harbour.rst", "Harbour\n=======\n\nFor example::\n\n    HARBOUR_DEPTH is 12 metres at the pier\n")
    assert cited(found_in(tree, "The `HARBOUR_DEPTH` is 12 metres at the pier.\n")) == []


@pytest.mark.parametrize(
    "text",
    [
        "generic commands are defined inside `db.c`.\n",
        "All the commands that work on keys live in `src/db.c`.\n",
        "Replies to clients are added in `src/db.c`.\n",
        "The tests live in `tests/test_ledger.py`.\n",
    ],
)
def test_words_that_are_everywhere_in_a_file_single_no_lines_out(tree: Path, text: str) -> None:
    block = (
        "/* Generic lookup of keys for a command; commands are handled here. */\n"
        "void generic{0}Command(client *c) {{\n    robj *o = lookupKey{0}(c->db, c->argv[1]);\n"
        "    addReply(c, shared.ok); /* replies, as defined for clients */\n}}\n\n"
    )
    put(tree, "src/db.c", "".join(block.format(number) for number in range(60)))
    assert cited(found_in(tree, text)) == []
    one = found_in(tree, "The object is found by `lookupKey7` in `src/db.c`.\n")
    assert cited(one) == ["【F:src/db.c†L45】"]
