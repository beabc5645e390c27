"""The files that can be cited: which there are, what kind each is, and which one a written path means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...safe.files import is_generated, walk
from ...text.lines import join

if TYPE_CHECKING:
    from ...safe.files import Root
    from ...safe.git import Git

LARGEST = 1024 * 1024
"""A larger file is not looked into."""
MOST = 60_000
"""Files of one tree that are looked at."""

_TEST = re.compile(
    r"""
      (?:^|/)(?:tests?|testing|specs?|__tests__|__mocks__|fixtures?|testdata|e2e|fuzz|mocks?    # tests/unit/a.py
        |snapshots|__snapshots__)/
    | (?:^|/)(?:test_[^/]*|conftest\.py                                                         # src/test_a.py
        |[^/]*(?:[_.-](?:tests?|spec|mock)|Tests?)\.[a-z0-9]+)\Z                                # src/a.spec.ts
    """,
    re.VERBOSE,
)
_FOREIGN = re.compile(
    r"""
      # Folders of other people's code and of what tools make: node_modules/a/index.js
      (?:^|/)(?:node_modules|vendor|vendored|third[_-]?party|external|dist|build|out|target|coverage|\.git|\.venv|venv
        |site-packages|__pycache__|generated|\.next|\.cache|bower_components|Pods)/
      # Files that a program wrote, and data: app.min.js, api_pb2.py, table.csv
    | (?:^|/)[^/]*(?:\.min\.(?:js|css)|\.lock|-lock\.(?:json|yaml)|\.(?:generated|gen|g|designer|pb|pb2)\.[a-z]+
        |_pb2\.py|\.pb\.go|\.map|\.snap|\.svg|\.[ct]sv|\.jsonl|\.ipynb|\.log|\.patch|\.diff)\Z
      # Files known by their names: go.sum, LICENSE-MIT
    | (?:^|/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|go\.sum|composer\.lock
        |Gemfile\.lock|LICENSE[^/]*|CHANGELOG[^/]*)\Z
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PROSE = re.compile(r"\.(?:md|markdown|mdx|mdc|rst|txt|adoc|org|html?|tex)\Z", re.IGNORECASE)
_LEFT = re.compile(
    # Examples: `vendor/`, `.gen.go`.
    r"""
    (?:^|/)(?:node_modules|vendor|vendored|third[_-]?party|dist|generated|site-packages)/
    |\.txt\Z|\.(?:gen|generated)\.[a-z]+\Z
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BINARY = re.compile(
    r"""\.(?:
      png|jpe?g|gif|webp|ico|psd|ai|icns                            # pictures
      |pdf|zip|gz|tgz|bz2|xz|7z|jar|war                             # documents and archives
      |class|dll|so|dylib|exe|o|a|bin|wasm|pyc                      # programs
      |woff2?|ttf|otf|eot|mp[34]|mov|avi|wav                        # fonts, sound, film
      |db|sqlite3?|parquet|npy|npz|pkl|onnx                         # data
      |pptx?|docx?|xlsx?|keystore|pem|der                           # office files, keys
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)

_MOST_ALIKE = 500
"""Files of one name beyond which only a whole path means one of them."""


class CitableFiles:
    """The citable files below a root, by what they are called."""

    def __init__(self, root: Root, git: Git | None) -> None:
        files = git.list_documents(("",)) if git is not None else walk(root.path, is_generated)[0]
        self.root = root
        self.all = [path for path in files if not _BINARY.search(path)][:MOST]
        self._there = frozenset(self.all)
        self.searched = [
            path for path in self.all if not (_TEST.search(path) or _FOREIGN.search(path) or is_prose(path))
        ]
        """What is looked into without being named: no tests, nothing made or fetched, no prose."""
        self._by_name: dict[str, list[str]] = {}
        for path in self.all:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def meant(self, written: str, folder: str) -> list[str]:
        """The files that a written path can mean: as it stands, from the document's folder, or as the end of a path."""
        written = written.split("#")[0].split("?")[0]
        whole = join("", written)
        for key in (whole, join(folder, written)):
            if key in self._there:
                return [key]
        name = whole.rpartition("/")[2]
        end = "/" + whole.lstrip("./")
        alike = self._by_name.get(name, ())
        return [path for path in alike if ("/" + path).endswith(end)] if len(alike) <= _MOST_ALIKE else []


def is_prose(path: str) -> bool:
    """Whether a file is prose, which repeats what code says."""
    return _PROSE.search(path) is not None


def is_document(path: str, endings: tuple[str, ...]) -> bool:
    """Whether a file is prose that citations can be put into."""
    name = path.rpartition("/")[2]
    return is_prose(path) or name.lower().endswith(endings) or name.startswith("README")


def is_offered(path: str) -> bool:
    """Whether a document is looked at without being named: no plain text, nothing made or fetched."""
    return _LEFT.search(path) is None
