"""Two repositories of which one cites the other, and the folder of mirrors between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HOUR = 3600
NAME = "github.com/other/name"
CODE = "".join(f"def function_{at}(value):\n    return value * {at} + offset_{at}\n\n\n" for at in range(1, 9))
SHIFTED = f"# Two lines\n# come first.\n{CODE}"


class MirroredPair:
    """A citing repository `here`, another one `there`, and a folder in which `there` has a mirror once it is made."""

    def __init__(self, make_repository: Any, top: Path) -> None:
        self.here, self.there = make_repository("here"), make_repository("there")
        self.folder = top / "mirrors"

    @property
    def place(self) -> Path:
        """The git directory of the mirror."""
        return self.folder / f"{NAME}.git"

    def publish(self, hours: float, files: dict[str, str | bytes] | None = None) -> str:
        """Commit files there, so many hours after the beginning, and bring the mirror up to date."""
        commit = self.commit(self.there, hours, files)
        self.mirror()
        return commit

    def cite(self, hours: float, text: str, name: str = "doc.md") -> str:
        """Commit a document here, so many hours after the beginning."""
        return self.commit(self.here, hours, {name: text})

    def commit(self, repository: Any, hours: float, files: dict[str, str | bytes] | None = None) -> str:
        """Commit files to one of them at a moment."""
        repository.clock = 1_700_000_000 + int(hours * HOUR) - 60
        made: str = repository.commit(files)
        return made

    def mirror(self) -> None:
        """Make the mirror what `there` is."""
        head = self.there.git("rev-parse", "HEAD")
        if not self.place.exists():
            self.place.parent.mkdir(parents=True, exist_ok=True)
            self.there.git("clone", "-q", "--bare", str(self.there.path), str(self.place))
        self.there.git("push", "-q", "--mirror", str(self.place))
        self.there.git("--git-dir", str(self.place), "update-ref", "refs/pincite/head", head)
