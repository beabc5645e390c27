"""The files of one tree, read when needed, searched for many lines in one pass."""

from collections.abc import Callable, Iterable, Sequence

from .likeness import weight
from .model import CitedPassage
from .passage_match import SearchedPassage
from .step import FileVersion
from .without_history import stem

_AT_ONCE = 256
_MOST = 400
"""Places of one line that are kept."""


class TreeFiles:
    """Files by path; `expect` says beforehand which lines will be looked for."""

    def __init__(self, paths: Iterable[str], read: Callable[[Sequence[str]], Sequence[str | None]]) -> None:
        """`read` gives the texts of some files, None for what is none."""
        self._paths = list(paths)
        self.known = frozenset(self._paths)
        self._read = read
        self._texts: dict[str, FileVersion | None] = {}
        self._stems: dict[str, list[str]] | None = None
        self._wanted: set[str] = set()
        self._places: dict[str, list[tuple[str, int]]] = {}

    def expect(self, passages: Iterable[CitedPassage]) -> None:
        """Say which passages will be looked for, so that one pass over the files finds all their lines."""
        for passage in passages:
            self._wanted.update(SearchedPassage(passage).lines)

    def text(self, path: str) -> FileVersion | None:
        """The text of a file; None where there is none."""
        if path not in self._texts:
            read = self._read([path])[0] if path in self.known else None
            self._texts[path] = None if read is None else FileVersion(read)
        return self._texts[path]

    def find_by_stem(self, name: str) -> Sequence[str]:
        """The files of a name, folder and ending aside."""
        if self._stems is None:
            self._stems = {}
            for path in self._paths:
                self._stems.setdefault(stem(path), []).append(path)
        return self._stems.get(name, ())

    def holding(self, line: str) -> Sequence[tuple[str, int]]:
        """Where a line without white space and kinds of quotes stands: file and number from 0; few of very many."""
        if line not in self._places and weight(line) > 2:
            self._wanted.add(line)
            self._search()
        return self._places.get(line, ())

    def _search(self) -> None:
        """Look through all files for the lines that are wanted and not yet known."""
        wanted = self._wanted.difference(self._places)
        found: dict[str, list[tuple[str, int]]] = {line: [] for line in wanted}
        for start in range(0, len(self._paths), _AT_ONCE):
            paths = self._paths[start : start + _AT_ONCE]
            for path, read in zip(paths, self._read(paths), strict=True):
                if read is None:
                    continue
                soft = FileVersion(read).soft
                for key in wanted.intersection(soft):
                    at = -1
                    for _ in range(min(soft.count(key), _MOST - len(found[key]))):
                        at = soft.index(key, at + 1)
                        found[key].append((path, at))
        self._places.update(found)
