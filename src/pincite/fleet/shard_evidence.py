"""The captured output that a team shares, brought for the check of a commit.

The worker brings it: the process that reads the repository knows no store, and gets a folder.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..safe.commit_worktree import hold_new_folder
from ..safe.files import Root
from ..store.captures import open_for_writing
from .output_exchange import OutputBounds, WantedOutput, pull_output

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from ..store.shared import SharedStore
    from ..store.shared.records import Team
    from .output_exchange import OutputCount

BOUNDS = OutputBounds(runs=100_000, texts=10_000, bytes=64 * 1024 * 1024)
"""What is brought for one repository."""
_FOLDER = ".evidence"
_MOST_TOLD = 3


@asynccontextmanager
async def bring_output(
    store: SharedStore, team: Team, project: str, prefixes: Sequence[str] | None, mirrors: str
) -> AsyncIterator[tuple[str, str]]:
    """A folder with the output that documents cite, as `pull` writes it, and what was left out, in a line.

    `prefixes` are the ids that they cite it by; None stands for all. The folder is this user's alone, lies in the
    folder of mirrors, and is removed at the end; its name is empty where nothing was brought. Raises PinciteError.
    """
    with hold_new_folder(os.path.join(mirrors, _FOLDER)) as folder:
        bringing = asyncio.ensure_future(asyncio.to_thread(_pull, store, team, project, prefixes, folder))
        try:
            count = await asyncio.shield(bringing)
        finally:
            # A thread cannot be ended, and what it writes must not outlive the folder.
            await asyncio.wait([bringing])
        yield folder if count.texts else "", _describe(count.skipped)


def _pull(store: SharedStore, team: Team, project: str, prefixes: Sequence[str] | None, folder: str) -> OutputCount:
    with Root(folder) as root, open_for_writing(root) as captures:
        return pull_output(captures, store.evidence, team, project, WantedOutput(prefixes), BOUNDS)


def _describe(skipped: list[str]) -> str:
    """What was left out, in a line."""
    said = skipped[:_MOST_TOLD]
    if len(skipped) > len(said):
        said.append(f"{len(skipped) - len(said):,} more")
    return f"of the evidence of the team: {'; '.join(said)}" if said else ""
