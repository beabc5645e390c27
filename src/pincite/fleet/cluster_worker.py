"""What a worker of a cluster does. It has its own login of the store, its own mirrors and its own git credentials."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.errors import PinciteError, UsageError
from ..safe.data_folder import choose_folder
from ..store.shared import default_address, open_store
from .metrics import make_metrics
from .shard_runner import ShardRunner
from .structured_log import FleetLog

if TYPE_CHECKING:
    from ..store.shared import SharedStore

MIRRORS = "PINCITE_FLEET_MIRRORS"
"""The environment variable that names the folder of mirrors."""
MIRROR_BYTES = "PINCITE_FLEET_MIRROR_BYTES"
"""The environment variable that says what all mirrors of a worker of a cluster may take."""
LOG_FORMAT = "PINCITE_FLEET_LOG"
_RUNNERS: list[ShardRunner] = []
"""The runner of this process, made with its first shard."""


def mirrors_folder(given: str | None = None) -> str:
    """The folder of mirrors: the one that was named, else PINCITE_FLEET_MIRRORS, else one in the user's data folder."""
    return choose_folder(given, MIRRORS, "--mirrors", "mirrors")


async def run_shard(uri: str) -> str:
    """What became of a shard, as a string. Dask calls this by its name: no code and no secret travels."""
    if not _RUNNERS:
        _RUNNERS.append(make_runner(open_store(default_address()), mirrors_folder()))
    return await _RUNNERS[0].run(uri)


def make_runner(store: SharedStore, mirrors: str) -> ShardRunner:
    """A runner that logs, and keeps mirrors, as the environment says."""
    log = FleetLog(os.environ.get(LOG_FORMAT, "") or "none")
    most = os.environ.get(MIRROR_BYTES, "")
    if most and not (most.isascii() and most.isdigit()):
        raise UsageError(f"{MIRROR_BYTES}: not a number of bytes")
    return ShardRunner(store, mirrors, log, make_metrics(), mirror_bytes=int(most or 0), has_own_mirrors=True)


async def stop_runner() -> None:
    """End the child process of this worker."""
    while _RUNNERS:
        runner = _RUNNERS.pop()
        try:
            await runner.stop()
        except PinciteError:
            continue
