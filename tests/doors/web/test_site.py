"""What the pages of a server share: the threads that they are made in."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

from pincite.doors.web.site import Site
from support_web import PATIENCE


def test_a_kind_of_page_that_takes_long_leaves_threads_to_the_others(repository: Path) -> None:
    site = Site(str(repository))
    begun: list[int] = []
    release = Event()

    def take_long(number: int) -> None:
        begun.append(number)
        assert release.wait(PATIENCE)

    async def ask() -> None:
        slow = [asyncio.ensure_future(site.run("/c/{id}/fix", take_long, number)) for number in range(50)]
        for kind in ("/", "/review", "/c/{id}"):
            assert await asyncio.wait_for(site.run(kind, str, kind), PATIENCE) == kind
        assert len(begun) == 2 and not any(one.done() for one in slow)
        release.set()
        await asyncio.wait_for(asyncio.gather(*slow), PATIENCE)
        await site.close()

    asyncio.run(ask())
    assert sorted(begun) == list(range(50)), "those that waited had their turn"


def test_what_fails_gives_its_thread_back(repository: Path) -> None:
    site = Site(str(repository))

    async def ask() -> None:
        failed = await asyncio.gather(*(site.run("/x", int, "no number") for _ in range(10)), return_exceptions=True)
        assert all(isinstance(one, ValueError) for one in failed)
        assert await asyncio.wait_for(site.run("/x", int, "7"), PATIENCE) == 7
        await site.close()

    asyncio.run(ask())
