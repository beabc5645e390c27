"""Topics of research: what there is, and how far each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....domains.research.topic import topics
from ..records import Paging, cut_page
from ..routes import PageRoute
from ..topic_view import StageRow, describe_stages, open_topic_of

if TYPE_CHECKING:
    from ..routes import PageContext

_TOPICS_PER_PAGE = 25
"""The stage files of each topic on a page are read and checked."""


class TopicListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which topics are listed."""

    page: int = 1


class TopicRow(Struct, frozen=True):
    """A topic and its stages."""

    topic: str
    folder: str
    stages: tuple[StageRow, ...]


class TopicList(Struct, frozen=True):
    """The topics below the root."""

    topics: tuple[TopicRow, ...]
    paging: Paging


def list_topics(context: PageContext, query: TopicListQuery) -> TopicList:
    """The topics of a site, by name."""
    with context.site.open() as project:
        found = topics(project.root)
    shown, paging = cut_page(found, query.page, _TOPICS_PER_PAGE)
    rows = []
    for topic in shown:
        with open_topic_of(context.site, topic.name) as work:
            rows.append(TopicRow(topic.name, topic.folder, describe_stages(work)))
    return TopicList(tuple(rows), paging)


PAGES = (
    PageRoute(
        "research",
        "/research",
        "Topics of research, and how far each is",
        TopicListQuery,
        TopicList,
        list_topics,
        "research.html",
        title="Research",
    ),
)
