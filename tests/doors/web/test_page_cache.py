"""Pages that are kept."""

from __future__ import annotations

import asyncio

import pytest

from pincite.doors.web.page_cache import PageCache


def _count(made: list[str], body: bytes = b"page"):
    async def make() -> tuple[bytes, str]:
        made.append("made")
        await asyncio.sleep(0)
        return body, "tag"

    return make


def test_a_page_is_made_once_for_each_state() -> None:
    made: list[str] = []

    async def meet() -> None:
        cache = PageCache()
        for state in (1, 1, 2, 2):
            await cache.get("/", state, _count(made))

    asyncio.run(meet())
    assert len(made) == 2


def test_many_clients_at_once_wait_for_one_making() -> None:
    made: list[str] = []

    async def meet() -> None:
        cache = PageCache()
        await asyncio.gather(*(cache.get("/", 1, _count(made)) for _ in range(100)))

    asyncio.run(meet())
    assert len(made) == 1


def test_a_page_that_cannot_be_made_is_tried_again() -> None:
    async def fail() -> tuple[bytes, str]:
        raise ValueError

    async def meet() -> bytes:
        cache = PageCache()
        with pytest.raises(ValueError):
            await cache.get("/", 1, fail)
        return (await cache.get("/", 1, _count([])))[0]

    assert asyncio.run(meet()) == b"page"


def test_a_client_that_goes_away_takes_the_page_from_no_one() -> None:
    made: list[str] = []

    async def meet() -> bytes:
        cache = PageCache()
        gone = asyncio.ensure_future(cache.get("/", 1, _count(made)))
        stays = asyncio.ensure_future(cache.get("/", 1, _count(made)))
        await asyncio.sleep(0)
        gone.cancel()
        return (await stays)[0]

    assert asyncio.run(meet()) == b"page" and len(made) == 1


def test_the_oldest_pages_go_first() -> None:
    made: list[str] = []

    async def meet() -> None:
        cache = PageCache(most=1100)
        for key in ("a", "b", "c", "c", "a"):
            await cache.get(key, 1, _count(made, b"12345"))

    asyncio.run(meet())
    assert len(made) == 4


def test_addresses_count_as_well() -> None:
    async def meet() -> int:
        cache = PageCache(most=100_000)
        for number in range(1000):
            await cache.get(f"/?q={'x' * 5000}{number}", 1, _count([], b"1"))
        return len(cache._kept)

    assert asyncio.run(meet()) < 20
