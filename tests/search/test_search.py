"""From a query to hits that stand in their documents word for word."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from time import sleep

import pytest

from pincite.core.limits import LIMITS, Limits
from pincite.search import search as module
from pincite.search.index import Index
from pincite.search.passages.identity import chunk_identity
from pincite.text.lines import decode

FILES = {
    "guide.md": "---\ntitle: The Guide\n---\n# Start\n\nIntro lamp.\n\n## Renewing sessions\n\nA session is renewed by "
    "`renew_session`, see readText.\n\n## Other\n\nNothing of note.\n",
    "notes.rst": "Notes\n=====\n\nLamp oil burns.\n\nDeep\n----\n\nThe naïve Zoë résumé.\n",
    "plain.txt": "Just words about whales.\n\nMore words about the sea.\n",
    "code/server.py": '"""Serving."""\n\n\nclass HTTPServer:\n    """Answers."""\n\n    def read_text(self):\n        '
    "return utf8Decoder(self)\n\n\ndef stop():\n    return None\n",
    "page.html": "<!DOCTYPE html><title>A page</title><h1>Top</h1><p>Fish &amp; chips are <b>fried</b>.</p>",
    "ja.md": "# 見出し\n\n日本語の文章です。検索できます。\n",
    "nfd.txt": "re\u0301sume\u0301 alone\n",
}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


@pytest.fixture
def index(top: Path, make_pdf: Callable[..., bytes]) -> Iterator[Index]:
    pages = ["Whales are mammals.", "A second page about krill."]
    (top / "paper.pdf").write_bytes(make_pdf(pages, title="On whales", outline=[(0, "Food", 2)]))
    sleep(0.04)
    with Index.open(top) as opened:
        opened.refresh()
        yield opened


def names(index: Index, query: str, **wishes: str) -> list[str]:
    found = (os.path.relpath(hit.document.file_path, index.root.path) for hit in index.search(query, **wishes))
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("whales sea", "plain.txt"),
        ("LAMP OIL", "notes.rst"),
        ('"lamp oil"', "notes.rst"),
        ("renew session", "guide.md"),
        ("renewing", "guide.md"),
        ("renew_session", "guide.md"),
        ("renewSession", "guide.md"),
        ("read text", "code/server.py"),
        ("http server", "code/server.py"),
        ("HTTPServer", "code/server.py"),
        ("utf8Decoder", "code/server.py"),
        ("decoder", "code/server.py"),
        ("sess*", "guide.md"),
        ("zoe", "notes.rst"),
        ("ZOË", "notes.rst"),
        ("naive", "notes.rst"),
        ("fish & chips", "page.html"),
        ("日本語", "ja.md"),
        ('"日本語の文章"', "ja.md"),
        ("検索", "ja.md"),
        ("見出し", "ja.md"),
        ("krill", "paper.pdf"),
        ("guide", "guide.md"),
    ],
)
def test_what_is_found_first(index: Index, query: str, first: str) -> None:
    assert names(index, query)[0] == first


@pytest.mark.parametrize("name", ["read_text", "readText", "ReadText", "read text"])
def test_a_name_is_found_however_it_is_spelt(index: Index, name: str) -> None:
    assert {"code/server.py", "guide.md"} <= set(names(index, name))


@pytest.mark.parametrize("word", ["résumé", "re\u0301sume\u0301", "resume", "RÉSUMÉ"])
def test_accents_of_either_form(index: Index, word: str) -> None:
    assert set(names(index, word)) == {"notes.rst", "nfd.txt"}


@pytest.mark.parametrize("query", ["zzzz", '"zz zzz"', "", "  ", "?!…", '"', "zz*", '"英国"'])
def test_what_is_not_there_is_not_found(index: Index, query: str) -> None:
    assert index.search(query) == []


def test_a_phrase_that_stands_somewhere_is_required(index: Index) -> None:
    assert (names(index, '"lamp oil" session'), index.notes) == (["notes.rst"], ())


@pytest.mark.parametrize(
    ("query", "phrase", "words"),
    [
        ('"oil lamp"', "oil lamp", "oil lamp"),
        ('"oil lamp" wick', "oil lamp", "oil lamp wick"),
        ('"日語"', "日 語", "日語"),
    ],
)
def test_a_phrase_that_stands_nowhere_is_searched_for_as_words(
    index: Index, query: str, phrase: str, words: str
) -> None:
    found = names(index, query)
    assert (index.notes, index.loosened) == ((f'no passage has "{phrase}": searched for the words',), (phrase,))
    assert found == names(index, words) != []
    assert (index.notes, index.loosened) == ((), ())


def test_of_two_phrases_the_one_that_stands_somewhere_is_required(index: Index) -> None:
    assert names(index, '"oil lamp" "lamp oil"') == ["notes.rst"]
    assert index.notes == ('no passage has "oil lamp": searched for the words',)


def test_phrases_that_do_not_stand_together(index: Index) -> None:
    assert {"notes.rst", "guide.md"} <= set(names(index, '"lamp oil" "renew_session"'))
    assert index.notes == ('no passage that was asked for has "lamp oil" and "renew_session": searched for the words',)


def test_a_phrase_that_stands_in_other_files_only(index: Index) -> None:
    assert names(index, '"lamp oil"', path="guide.md") == ["guide.md"]
    assert index.notes == ('no passage that was asked for has "lamp oil": searched for the words',)


def test_a_phrase_in_the_middle_of_a_question_only_counts_more(index: Index) -> None:
    found = names(index, 'who renews a session, "lamp oil", whales, fish and chips in the end')
    assert found[0] == "notes.rst"
    assert {"guide.md", "page.html"} <= set(found)
    assert index.notes == ('a question this long does not require "lamp oil": passages with it only count more',)


def test_words_that_every_text_has_count_where_there_are_no_others(index: Index) -> None:
    assert names(index, "the")
    assert names(index, "the zzzz") == []


def test_hits_stand_word_for_word_where_they_say(index: Index) -> None:
    seen = set()
    for query in ("lamp", "whales", "session", "server", "fish", "日本", "krill", "words", "none", "page"):
        for hit in index.search(query, 50):
            path = os.path.relpath(hit.document.file_path, index.root.path)
            data = Path(hit.document.file_path).read_bytes()
            seen.add(path)
            assert hit.document.digest == sha256(data).hexdigest()
            start, end = hit.chunk.start_offset, hit.chunk.end_offset
            if path.endswith((".html", ".pdf")):
                assert hit.chunk.content.strip()
            else:
                assert decode(data)[start:end] == hit.chunk.content
            assert hit.chunk.heading == (hit.chunk.headings[-1] if hit.chunk.headings else None)
            assert hit.chunk.id == chunk_identity(path, hit.chunk.content)
    assert seen >= {*FILES, "paper.pdf"} - {"nfd.txt"}


def test_where_hits_stand(index: Index) -> None:
    (hit,) = index.search("renewed")
    assert (hit.document.title, hit.chunk.headings) == ("The Guide", ("Start", "Renewing sessions"))
    (hit,) = index.search("krill")
    assert (hit.document.title, hit.chunk.page) == ("On whales", 2)
    (hit,) = index.search("fried")
    assert (hit.document.title, hit.chunk.content, hit.chunk.headings) == (
        "A page",
        "Top\n\nFish & chips are fried.",
        ("Top",),
    )
    assert "read_text" in index.search("read_text")[0].chunk.headings[-1]


def test_scores_descend_and_the_limit_holds(index: Index) -> None:
    hits = index.search("words whales lamp", 3)
    assert len(hits) == 3
    assert index.search("lamp", 0) == [] == index.search("lamp", -1)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("code", {"code/server.py"}),
        ("code/", {"code/server.py"}),
        ("./code", {"code/server.py"}),
        ("code/server.py", {"code/server.py"}),
        ("server.py", {"code/server.py"}),
        ("*.py", {"code/server.py"}),
        ("code/*", {"code/server.py"}),
        ("cod", set()),
        ("*.md", {"guide.md"}),
        (".", {"code/server.py", "guide.md"}),
        ("./", {"code/server.py", "guide.md"}),
        ("[", set()),
        ("nowhere/*.py", set()),
    ],
)
def test_only_some_files(index: Index, path: str, found: set[str]) -> None:
    assert set(names(index, "read text", path=path)) == found


def test_only_below_a_heading(index: Index) -> None:
    assert names(index, "lamp session", heading="renewing") == ["guide.md"]
    assert names(index, "lamp session", heading="RENEWING SESS") == ["guide.md"]
    assert names(index, "lamp session", heading="nowhere") == []
    assert names(index, "lamp", heading="start", path="*.rst") == []


def test_a_document_that_changed_is_left_out_and_named(index: Index, top: Path) -> None:
    (top / "notes.rst").write_text(FILES["notes.rst"] + "\nMore.\n", encoding="utf-8")
    (top / "plain.txt").unlink()
    assert (names(index, "lamp"), index.outdated) == (["guide.md"], ("notes.rst",))
    assert (names(index, "whales sea"), index.outdated) == (["paper.pdf"], ("plain.txt",))
    assert (names(index, "session"), index.outdated) == (["guide.md"], ())
    index.refresh()
    assert (set(names(index, "lamp")), index.outdated) == ({"guide.md", "notes.rst"}, ())


def test_a_heading_that_changed_above_the_same_words_is_not_cited(index: Index, top: Path) -> None:
    (top / "guide.md").write_text(FILES["guide.md"].replace("# Start", "# Stars"))
    assert (index.search("nothing"), index.outdated) == ([], ("guide.md",))


def test_a_touched_document_is_found(index: Index, top: Path) -> None:
    os.utime(top / "guide.md", (1, 1))
    assert (names(index, "session"), index.outdated) == (["guide.md"], ())


def test_many_passages_that_changed_do_not_crowd_out_others(top: Path) -> None:
    (top / "many.md").write_text("".join(f"# H{at}\n\nkraken kraken kraken\n\n" for at in range(300)))
    (top / "one.md").write_text("A kraken among many other words that make it a poor match.\n")
    with Index.open(top) as index:
        index.refresh()
        (top / "many.md").write_text("changed\n")
        assert (names(index, "kraken"), index.outdated) == (["one.md"], ("many.md",))


def test_a_filter_over_more_documents_than_are_kept(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_DOCUMENTS", 3)
    for at in range(20):
        (top / f"{at}.md").write_text("kraken\n")
    with Index.open(top) as index:
        index.refresh()
        assert len(index.search("kraken", 20, path="*.md")) == 20


def test_more_text_than_is_kept(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", Limits(cached_source_bytes=100))
    assert LIMITS.cached_source_bytes > 100
    for at in range(4):
        (top / f"{at}.md").write_text("".join(f"# H{number}\n\nkraken {number}\n\n" for number in range(5)))
    with Index.open(top) as index:
        index.refresh()
        assert (len(index.search("kraken", 50)), index.outdated) == (20, ())


def test_the_same_words_twice_have_two_ids(top: Path) -> None:
    (top / "twice.md").write_text("# A\n\n# B\n\nkraken\n\n# C\n\nkraken\n\n# B\n\nkraken\n")
    with Index.open(top) as index:
        index.refresh()
        hits = index.search("kraken")
    assert len({hit.chunk.id for hit in hits}) == len(hits) == 3
    equal = sorted((hit for hit in hits if "B" in hit.chunk.content), key=lambda hit: hit.chunk.start_offset)
    assert [hit.chunk.id for hit in equal] == [
        chunk_identity("twice.md", hit.chunk.content, nth) for nth, hit in enumerate(equal)
    ]


def test_a_document_that_became_unreadable_is_read_once(
    index: Index, top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (top / "guide.md").write_bytes(b"\xff")
    reads: list[str] = []
    really = module.Root.read

    def read(root: module.Root, key: str, limit: int | None = None) -> bytes:
        reads.append(key)
        return really(root, key, limit)

    monkeypatch.setattr(module.Root, "read", read)
    assert (names(index, "session intro"), index.outdated) == ([], ("guide.md",))
    assert reads == ["guide.md"]


def test_a_query_costs_in_proportion_to_what_it_finds(tmp_path: Path, in_proportion: Callable[..., bool]) -> None:
    def made(number: int) -> Index:
        top = tmp_path / str(number)
        top.mkdir()
        (top / "a.md").write_text("".join(f"# H{at}\n\ncommon w{at}\n\n" for at in range(number)))
        index = Index.open(top)
        index.refresh()
        return index

    short, long = made(1000), made(20_000)
    assert in_proportion(lambda index: index.search("common", path="*.md"), short, long, 20)
    short.close()
    long.close()
