"""Command lines: where one command ends, and where it runs."""

import pytest

from pincite.text.command_lines import UNKNOWN_FOLDER, CommandFolder, has_prompt, read_commands


def words(line: str) -> list[list[str]]:
    return [[word.text for word in command] for command in read_commands(line, 0, len(line))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("make lint", [["make", "lint"]]),
        ("$ make lint  # all of it", [["make", "lint"]]),
        ("(venv) $ make lint", [["make", "lint"]]),
        ("cd a && make b; make c | tee d", [["cd", "a"], ["make", "b"], ["make", "c"], ["tee", "d"]]),
        ("CI=1 sudo make lint", [["make", "lint"]]),
        ("git commit -m 'make; it'", [["git", "commit", "-m", "'make; it'"]]),
        ("echo a#b", [["echo", "a#b"]]),
        ("# make lint", []),
        ("", []),
    ],
)
def test_words_of_each_command(line: str, expected: list[list[str]]) -> None:
    """Prompts, comments and assignments are left out, quotes are kept whole."""
    assert words(line) == expected


def test_places_of_words() -> None:
    """Every word stands where it says."""
    line = "$ cd docs && make html"
    for command in read_commands(line, 0, len(line)):
        assert all(line[word.start : word.end] == word.text for word in command)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["cd a"], "a"),
        (["cd a", "cd b"], "a/b"),
        (["cd a/b", "cd .."], "a"),
        (["cd ./a/"], "a"),
        (["cd"], UNKNOWN_FOLDER),
        (["cd $HOME"], UNKNOWN_FOLDER),
        (["cd ~/x"], UNKNOWN_FOLDER),
        (["cd .."], UNKNOWN_FOLDER),
        (["cd -", "cd a"], UNKNOWN_FOLDER),
        (["popd"], UNKNOWN_FOLDER),
        (["cd abcdefgh"] * 40, UNKNOWN_FOLDER),
        (["make a"], ""),
    ],
)
def test_folder_after_cd(lines: list[str], expected: str) -> None:
    """What is not spelled out is not known."""
    folder = CommandFolder()
    for line in lines:
        for command in read_commands(line, 0, len(line)):
            folder.change(command)
    assert folder.path == expected


def test_what_follows_a_clone_runs_in_it() -> None:
    """Also in the next block; entering it twice is entering it once."""
    folder = CommandFolder()
    for line in ("git clone https://example.org/x.git", "cd x"):
        for command in read_commands(line, 0, len(line)):
            assert folder.change(command)
    folder.begin()
    assert (folder.path, folder.entered) == ("x", "x")
    for command in read_commands("cd x", 0, 4):
        folder.change(command)
    assert folder.path == "x"


def test_prompts() -> None:
    """What a shell shows before a command."""
    assert has_prompt("  $ make")
    assert not has_prompt("$HOME")
