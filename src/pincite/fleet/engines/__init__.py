"""What does the shards: processes of this machine, or a Dask cluster. Each engine takes strings and gives strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


class ShardEngine(Protocol):
    """Does shards in any order, several at a time."""

    def run(self, uris: Sequence[str]) -> AsyncIterator[str]:
        """The answer of every shard, as they come. Raises PinciteError where the engine itself fails."""

    async def close(self) -> None:
        """End everything that was started."""
