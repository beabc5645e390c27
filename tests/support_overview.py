"""Commits and changes for the tests of the overview, the trend and the graph."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support_web import Web

BROKEN = "Gone as well 【F:src/other.py†L3】 and `src/gauge.py:99`.\n"


def git(top: Path, *arguments: str, name: str = "Ada") -> str:
    """Run git in a folder, in the name of an author."""
    who = ["-c", f"user.name={name}", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], cwd=top, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(top: Path, name: str = "Ada") -> str:
    """Commit everything; gives the commit's id."""
    if not (top / ".git").exists():
        git(top, "init", "-q", "-b", "main")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "change", name=name)
    return git(top, "rev-parse", "HEAD")


def change(web: Web, name: str, text: str) -> None:
    """Write a document, and wait until it is checked."""
    version = web.site.documents.version
    (Path(web.site.root) / name).write_text(text)

    def is_checked() -> bool:
        # A look that began before the file was written does not see it.
        web.site.look_again()
        return web.site.documents.version != version

    web.wait(is_checked)
