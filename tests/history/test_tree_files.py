"""The files of a tree: read when needed, searched in one pass."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.core.model import Lines
from pincite.history.model import CitedPassage
from pincite.history.tree_files import TreeFiles

TEXTS: dict[str, str | None] = {
    "a.py": "import os\nlimit = 'ten'\n",
    "lib/a.ts": "limit = \"ten\"\n\nlimit  =  'ten'\n",
    "picture.png": None,
    "empty": "",
}


class Reader:
    """Counts what is read."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, paths: Sequence[str]) -> list[str | None]:
        self.asked += paths
        return [TEXTS[path] for path in paths]


def test_a_file_is_read_once_and_only_when_asked_for() -> None:
    read = Reader()
    files = TreeFiles(TEXTS, read)
    assert read.asked == []
    first = files.text("a.py")
    assert first is not None and first is files.text("a.py")
    assert (first.lines, read.asked) == (["import os", "limit = 'ten'"], ["a.py"])


def test_what_is_no_text_or_no_file_is_none() -> None:
    read = Reader()
    files = TreeFiles(TEXTS, read)
    assert (files.text("picture.png"), files.text("nowhere.py"), files.text("../a.py")) == (None, None, None)
    assert read.asked == ["picture.png"]
    empty = files.text("empty")
    assert empty is not None and empty.lines == []


def test_lines_are_found_whatever_their_spaces_and_quotes() -> None:
    files = TreeFiles(TEXTS, Reader())
    assert list(files.holding('limit="ten"')) == [("a.py", 1), ("lib/a.ts", 0), ("lib/a.ts", 2)]
    assert list(files.holding("nothing=here")) == []


def test_what_says_nothing_is_not_looked_for() -> None:
    read = Reader()
    assert list(TreeFiles(TEXTS, read).holding("}")) == []
    assert read.asked == []


def test_one_pass_serves_all_that_was_expected() -> None:
    read = Reader()
    files = TreeFiles(TEXTS, read)
    files.expect(
        [
            CitedPassage(Lines(1, 1), ("import os",), after=("limit = 'ten'",)),
            CitedPassage(Lines(1, 1), ("never seen",)),
        ]
    )
    assert [len(files.holding(line)) for line in ("importos", 'limit="ten"', "neverseen")] == [1, 3, 0]
    assert len(read.asked) == len(TEXTS)


def test_files_are_known_by_their_names() -> None:
    files = TreeFiles(TEXTS, Reader())
    assert list(files.find_by_stem("a")) == ["a.py", "lib/a.ts"]
    assert list(files.find_by_stem("b")) == []


def test_a_line_that_stands_everywhere_is_listed_up_to_a_few() -> None:
    text = "return None\n" * 3000
    files = TreeFiles(["a", "b"], lambda paths: [text for _ in paths])
    assert len(files.holding("returnNone")) == 400
