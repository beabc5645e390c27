"""Records of arXiv."""

from __future__ import annotations

import pytest

from pincite.papers.bibliography import read_bibliography, read_metadata

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <entry>
    <id>http://arxiv.org/abs/1706.03762v5</id>
    <published>2017-06-12T17:57:34Z</published>
    <title>Green tea
      and sleep</title>
    <author><name>Ada Lovelace</name></author>
    <author><name>Ludwig van Beethoven</name></author>
    <arxiv:doi>10.1000/tea</arxiv:doi>
  </entry>
</feed>"""


def test_an_entry_is_a_paper() -> None:
    (paper,) = read_metadata("record.xml", FEED.encode())
    assert (paper.id, paper.title, paper.authors) == (
        "1706.03762",
        "Green tea and sleep",
        ("Ada Lovelace", "Ludwig van Beethoven"),
    )
    assert (paper.year, paper.doi, paper.url) == ("2017", "10.1000/tea", "https://arxiv.org/abs/1706.03762")


def test_a_feed_is_no_bibliography() -> None:
    assert read_bibliography("x", FEED.encode()).entries == ()


@pytest.mark.parametrize(
    "text",
    [
        "<feed>",
        "<feed/>",
        '<!DOCTYPE x [<!ENTITY a "b">]><feed>&a;</feed>',
        "<" * 10_000,
        "<a>" * 100_000,
        FEED.replace("http://arxiv.org/abs/1706.03762v5", "http://arxiv.org/api/errors#x"),
    ],
)
def test_what_is_no_record_gives_nothing(text: str) -> None:
    assert read_metadata("record.xml", text.encode()) == ()
