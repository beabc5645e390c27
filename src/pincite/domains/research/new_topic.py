"""A new topic: the files of its first two stages, with nothing in their lists yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import UsageError
from .model import EXTRACT, KEYS, SEARCH
from .topic import ENDINGS, OUTPUTS, stage_files, topic_named

if TYPE_CHECKING:
    from ...safe.files import Root
    from .topic import Topic

_SAYS = {
    SEARCH: "The pages of this topic. `pincite research add` enters them; so may any other program.",
    EXTRACT: "What is claimed, each with the words of a page that say so. `pincite research add` enters it.",
}


def create_topic(root: Root, name: str) -> Topic:
    """A topic with the files of its first stages; raises UsageError where it has one already. Nothing is replaced."""
    from ...safe.write import create_together

    topic = topic_named(name)
    known = stage_files(root, f"{topic.folder}/{OUTPUTS}")
    if known:
        there = ", ".join(sorted(key for keys in known.values() for key in keys))
        raise UsageError(
            f"{name}: this topic exists already ({there}); nothing was written. "
            f"Go on with `pincite research add … --topic {name}`"
        )
    files = [(f"{stage}{ENDINGS[0]}", f"# {said}\n{KEYS[stage]}: []\n".encode()) for stage, said in _SAYS.items()]
    create_together(root, topic.outputs, files)
    return topic
