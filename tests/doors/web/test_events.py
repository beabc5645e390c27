"""What open pages are told."""

from __future__ import annotations

import asyncio

from pincite.doors.web.events import DocumentsChanged, EventHub, WorkChanged


def test_everyone_who_listens_is_told() -> None:
    async def meet() -> list[bytes]:
        hub = EventHub()
        one, other = hub.listen(7), hub.listen(7)
        await anext(one), await anext(other)
        hub.publish(DocumentsChanged(3, ("docs/a.md",)))
        return [await anext(one), await anext(other)]

    one, other = asyncio.run(meet())
    assert one == other
    assert one.startswith(b"event: changed\ndata: ") and b'"docs/a.md"' in one and one.endswith(b"\n\n")


def test_a_slow_reader_loses_the_oldest_and_holds_up_no_one() -> None:
    async def meet() -> bytes:
        hub = EventHub()
        slow = hub.listen(7)
        await anext(slow)
        for number in range(1000):
            hub.publish(WorkChanged("x", "Index", number, 1000, "running"))
        return await anext(slow)

    assert b'"done":984' in asyncio.run(meet())


def test_many_documents_are_cut_to_a_few() -> None:
    async def meet() -> bytes:
        hub = EventHub()
        page = hub.listen(7)
        await anext(page)
        hub.publish(DocumentsChanged(1, tuple(f"docs/{number}.md" for number in range(5000))))
        return await anext(page)

    event = asyncio.run(meet())
    assert b'"is_everything":true' in event and len(event) < 5000


def test_a_name_with_a_line_end_is_one_event() -> None:
    async def meet() -> bytes:
        hub = EventHub()
        page = hub.listen(7)
        await anext(page)
        hub.publish(DocumentsChanged(1, ("a\n\nevent: evil\ndata: x.md",)))
        return await anext(page)

    assert asyncio.run(meet()).count(b"\n") == 3


def test_who_leaves_is_forgotten() -> None:
    async def meet() -> bool:
        hub = EventHub()
        page = hub.listen(7)
        await anext(page)
        assert hub.has_listeners.is_set()
        await page.aclose()
        return hub.has_listeners.is_set()

    assert asyncio.run(meet()) is False


def test_a_page_learns_which_version_it_should_show() -> None:
    async def meet() -> bytes:
        return await anext(EventHub().listen(7))

    assert b"event: version\ndata: 7\n\n" in asyncio.run(meet())
