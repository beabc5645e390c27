"""Command lines as documents show them: the words of each simple command, with their places.

This is no shell: quotes are kept as they are, and nothing is expanded. It tells where one command ends and the next
begins, which words are a comment, and in which folder a command runs after `cd`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .lines import join

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    # Examples: `&&`, `|`, `# a comment`, `--prefix`, `"two words"`.
    r"""
    (?P<mark> && | \|\| | [;|&()\n\r] )
    | (?P<comment> (?<!\S)\#[^\n]*+ )
    | (?P<word> (?: [^\s;&|()"'\\] | "[^"\n]*+" | '[^'\n]*+' | \\[^\n] )++ )
    """,
    re.VERBOSE,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PROMPT = re.compile(r"[ \t]*(?:\([\w.-]{1,40}\)[ \t]+)?[$%❯>][ \t]+")
_BEFORE = frozenset("sudo time env exec command nohup dotenv cross-env".split())
"""Words that run the command behind them."""
_PLAIN_FOLDER = re.compile(r"[\w.@+][\w.@+-]*(?:/[\w.@+-]+)*/?")
_LONGEST = 200
UNKNOWN_FOLDER = "?"
"""Where `cd` leads to a place that the text does not spell out."""


class CommandWord(Struct, frozen=True, gc=False):
    """One word of a command, and where it stands."""

    text: str
    start: int
    end: int


class CommandFolder(Struct):
    """The folder that commands run in, as `cd` leaves it; empty where no `cd` was seen."""

    path: str = ""
    entered: str = ""
    """The clone of a repository that `cd` led into: what follows in the same document runs there, too."""
    cloned: bool = False

    def change(self, words: list[CommandWord]) -> bool:
        """Whether these words only change the folder."""
        name = words[0].text
        if name == "git" and len(words) > 1 and words[1].text == "clone":
            self.cloned = True
            return True
        if name == "popd":
            self.path = UNKNOWN_FOLDER
        if name not in ("cd", "pushd"):
            return name == "popd"
        target = words[1].text.rstrip("/") if len(words) > 1 else "~"
        if not _PLAIN_FOLDER.fullmatch(target) or self.path == UNKNOWN_FOLDER:
            self.path = UNKNOWN_FOLDER
        elif target != self.entered:
            whole = join(self.path, target)
            self.path = UNKNOWN_FOLDER if whole.startswith("..") or len(whole) > _LONGEST else whole
        if self.cloned:
            self.entered, self.cloned = self.path, False
        return True

    def begin(self) -> None:
        """Another block of commands begins: it runs where the repository is."""
        self.path = self.entered


def read_commands(text: str, start: int, end: int) -> Iterator[list[CommandWord]]:
    """The simple commands between two places, each as its words; comments, prompts and assignments are left out."""
    prompt = _PROMPT.match(text, start, end)
    words: list[CommandWord] = []
    for match in _TOKEN.finditer(text, prompt.end() if prompt else start, end):
        if match["word"] is not None:
            if words or not (_ASSIGNMENT.match(match[0]) or match[0] in _BEFORE):
                words.append(CommandWord(match[0], match.start(), match.end()))
        elif match["mark"] is not None and words:
            yield words
            words = []
    if words:
        yield words


def has_prompt(line: str) -> bool:
    """Whether a line begins with the prompt of a shell, as `$ make test` does."""
    return line.lstrip()[:2] in ("$ ", "% ", "❯ ")
