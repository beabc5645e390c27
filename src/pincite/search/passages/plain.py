"""Plain text: paragraphs, no headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...text.markdown import unify_line_ends
from .cut import cut
from .model import DocumentReading

if TYPE_CHECKING:
    from .model import Heading

NAME = "text"
ENDINGS = (".txt", ".text", ".adoc", ".asciidoc", ".org", ".tex", ".log")
NAMES = tuple(
    "readme license licence copying notice authors contributors maintainers contributing changelog changes news "
    "history install todo thanks version codeowners makefile gnumakefile dockerfile containerfile jenkinsfile procfile "
    "vagrantfile justfile brewfile".split()
)


def outline(text: str, path: str = "") -> list[Heading]:
    """Nothing: plain text has no headings that one could be sure of."""
    return []


def read(text: str, path: str = "") -> DocumentReading:
    """The paragraphs of a text."""
    return DocumentReading(text, tuple(cut(unify_line_ends(text), [(0, 0, ())], len(text))))
