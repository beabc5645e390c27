"""A scratch repository, and the `pincite` command as an installed one would be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


class Scratch:
    """A repository of its own, with nothing of the user's git settings in it."""

    def __init__(self, path: Path, env: dict[str, str]) -> None:
        self.path = path
        self.env = env

    def run(self, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command in the repository; its output is text, both streams together."""
        return subprocess.run(
            words,
            cwd=self.path,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )

    def git(self, *words: str) -> str:
        """Run git and insist that it works."""
        done = self.run("git", *words)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def write(self, name: str, text: str) -> None:
        """Write a file and add it to the index."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.git("add", "--", name)


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """A `pincite` that runs this checkout, in a folder of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "pincite"
    script.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        f"sys.path.insert(0, {str(TOP / 'src')!r})\n"
        "from pincite.doors.cli.main import main\n"
        "sys.exit(main())\n"
    )
    script.chmod(0o755)
    return script


@pytest.fixture
def scratch(tmp_path: Path, command: Path) -> Scratch:
    """An empty repository whose commands find `pincite` and the tools of this environment."""
    path = tmp_path / "repository"
    path.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    env = {
        **kept,
        "PATH": os.pathsep.join([str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
    }
    scratch = Scratch(path, env)
    scratch.git("init", "--quiet", "--initial-branch=main")
    return scratch
