"""Documents and nodes of other frameworks, stood in for by objects and dicts of their shapes, as hits."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from types import ModuleType, SimpleNamespace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import Missing
from pincite.domains.retrieval import CitationService, adapters
from pincite.domains.retrieval.adapters import haystack, langchain, llama_index
from pincite.search.model import EPOCH, SearchHit, chunk_identity

TEXT = "# Gauges\n\nA gauge counts.\n\n## Resets\n\nA reset keeps the peak.\n"
ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def document(content: object = "A gauge counts.", /, id: object = None, **metadata: object) -> SimpleNamespace:
    """What a LangChain document looks like."""
    return SimpleNamespace(page_content=content, metadata={"source": "a.md"} | metadata, id=id, type="Document")


def node(
    content: object = "A gauge counts.", /, start: object = None, end: object = None, **metadata: object
) -> object:
    """What a LlamaIndex text node looks like."""
    return SimpleNamespace(
        id_=ID, text=content, metadata={"file_path": "a.md"} | metadata, start_char_idx=start, end_char_idx=end
    )


def stored(content: object = "A gauge counts.", /, score: object = None, **meta: object) -> SimpleNamespace:
    """What a Haystack document looks like."""
    return SimpleNamespace(id="9e1c" * 16, content=content, meta={"file_path": "a.md"} | meta, score=score)


def one(found: list[SearchHit]) -> SearchHit:
    assert len(found) == 1
    return found[0]


def span(hit: SearchHit) -> tuple[int, int]:
    return hit.chunk.start_offset, hit.chunk.end_offset


def test_langchain_document() -> None:
    hit = one(langchain.hits([document(id=ID, start_index=10, title=" Gauges ")]))
    assert (hit.document.file_path, hit.document.title) == ("a.md", "Gauges")
    assert (span(hit), hit.chunk.content) == ((10, 25), "A gauge counts.")
    assert hit.chunk.id == UUID(ID)
    assert (hit.score, hit.chunk.page, hit.chunk.heading, hit.document.indexed_at) == (0.0, None, None, EPOCH)


def test_langchain_pair_of_document_and_score() -> None:
    found = langchain.hits([(document(), 0.25), [document(), 2], document(relevance_score=0.5)])
    assert [hit.score for hit in found] == [0.25, 2.0, 0.5]


def test_langchain_serialised() -> None:
    plain = {"id": None, "metadata": {"source": "a.md", "start_index": 10}, "page_content": "A gauge counts."}
    wrapped = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "Document"], "kwargs": plain}
    assert langchain.hits([plain]) == langchain.hits([wrapped]) == langchain.hits([document(start_index=10)])


@pytest.mark.parametrize(
    ("metadata", "page"),
    [
        ({"page": 0}, 1),
        ({"page": 4, "page_label": "81"}, 5),
        ({"page_number": 4}, 4),
        ({"page": "iv"}, None),
        ({}, None),
    ],
)
def test_langchain_pages_count_from_zero(metadata: dict[str, object], page: int | None) -> None:
    assert one(langchain.hits([document(**metadata)])).chunk.page == page


@pytest.mark.parametrize(
    ("metadata", "headings"),
    [
        ({"Header 1": "Gauges", "Header 2": "Resets"}, ("Gauges", "Resets")),
        ({"Header 2": "Resets", "Header 1": "Gauges"}, ("Gauges", "Resets")),
        ({"h1": "Gauges", "h3": "Peak"}, ("Gauges", "Peak")),
        ({"heading_2": " Two\n words ", "Header 3": None}, ("Two words",)),
        ({"headings": ["Gauges", 3, "Resets"]}, ("Gauges", "Resets")),
        ({"h7": "no", "h": "no", 5: "no"}, ()),
    ],
)
def test_headings_of_splitters(metadata: dict[str, object], headings: tuple[str, ...]) -> None:
    found = SimpleNamespace(page_content="x", metadata={"source": "a.md", **metadata})
    hit = one(langchain.hits([found]))
    assert hit.chunk.headings == headings
    assert hit.chunk.heading == (headings[-1] if headings else None)


def test_headings_by_names_of_ones_own() -> None:
    hit = one(langchain.hits([document(Section="Resets", Chapter="Gauges")], headings=("Chapter", "Section")))
    assert hit.chunk.headings == ("Gauges", "Resets")


def test_llama_index_node() -> None:
    hit = one(llama_index.hits([node(start=10, end=25, page_label="7")]))
    assert hit.chunk.id == UUID(ID)
    assert (hit.chunk.page, hit.chunk.content) == (7, "A gauge counts.")
    assert span(one(llama_index.hits([node(start=10, end=25)]))) == (10, 25)


def test_llama_index_node_with_score_and_serialised() -> None:
    scored = SimpleNamespace(node=node(start=10, end=25), score=0.75)
    inner = {"id_": ID, "text": "A gauge counts.", "metadata": {"file_path": "a.md"}}
    inner |= {"start_char_idx": 10, "end_char_idx": 25}
    found = llama_index.hits([scored, {"node": inner, "score": 0.75}, {"node": inner, "score": None}])
    assert found[0] == found[1]
    assert [hit.score for hit in found] == [0.75, 0.75, 0.0]


def test_llama_index_document_keeps_its_text_further_in() -> None:
    whole = {"id_": ID, "text_resource": {"text": "A gauge counts."}, "metadata": {"file_name": "a.md"}}
    assert one(llama_index.hits([whole])).chunk.content == "A gauge counts."


@pytest.mark.parametrize(
    ("path", "text", "headings"),
    [
        ("/", "before any heading", ()),
        ("/", "# Gauges\n\nA gauge", ("Gauges",)),
        ("/Gauges/", "##  Resets \nA reset", ("Gauges", "Resets")),
        ("/Gauges/Resets/", "goes on", ("Gauges", "Resets")),
        (">Gauges>TCP/IP>", "#hash is no heading", ("Gauges", "TCP/IP")),
        ("", "text", ()),
    ],
)
def test_llama_index_header_path(path: str, text: str, headings: tuple[str, ...]) -> None:
    assert one(llama_index.hits([node(text, header_path=path)])).chunk.headings == headings


def test_haystack_document() -> None:
    hit = one(haystack.hits([stored(score=0.5, split_idx_start=10, page_number=1)]))
    assert (span(hit), hit.score, hit.chunk.page) == ((10, 25), 0.5, None)
    assert hit.chunk.id == chunk_identity("a.md", "9e1c" * 16)


def test_haystack_serialised_flat_or_not() -> None:
    own = {"id": ID, "content": "A gauge counts.", "blob": None, "score": 0.5, "embedding": None}
    meta = {"file_path": "a.md", "split_idx_start": 10}
    assert haystack.hits([own | meta]) == haystack.hits([own | {"meta": meta}])
    assert span(one(haystack.hits([own | meta]))) == (10, 25)


def test_haystack_page_only_where_there_are_pages() -> None:
    assert one(haystack.hits([stored(file_path="a.pdf", page_number=3)])).chunk.page == 3
    assert one(haystack.hits([stored(file_path="a.md", page_number=3)])).chunk.page is None


def test_haystack_headings() -> None:
    hit = one(haystack.hits([stored(header="Resets", parent_headers=["Gauges"])]))
    assert hit.chunk.headings == ("Gauges", "Resets")
    assert one(haystack.hits([stored(header="", parent_headers=[])])).chunk.headings == ()


@pytest.mark.parametrize(
    ("given", "root", "path"),
    [
        ("docs/a.md", None, "docs/a.md"),
        ("docs/a.md", "/srv", "/srv/docs/a.md"),
        ("./a.md", "/srv/", "/srv/a.md"),
        ("/else/a.md", "/srv", "/else/a.md"),
        ("file:///else/a%20b%23c.md#L3", "/srv", "/else/a b#c.md"),
        ("file://localhost/else/a.md", None, "/else/a.md"),
        ("FILE:///else/a.md", None, "/else/a.md"),
        ("file:///caf%E9.md", None, "/caf\udce9.md"),
        ("file://server/share/a.md", "/srv", "file://server/share/a.md"),
        ("file://[bad/a.md", None, "file://[bad/a.md"),
        ("https://example.org/a.md", "/srv", "https://example.org/a.md"),
        ("s3://bucket/a.md", "/srv", "s3://bucket/a.md"),
        ("a:b.md", "/srv", "/srv/a:b.md"),
        (PurePosixPath("docs/a.md"), "/srv", "/srv/docs/a.md"),
    ],
)
def test_paths(given: object, root: str | None, path: str) -> None:
    assert one(langchain.hits([document(source=given)], root=root)).document.file_path == path


def test_path_from_the_likeliest_metadata() -> None:
    given = {"page_content": "x", "metadata": {"source": {"a": 1}, "filename": "b.md", "url": "https://example.org/"}}
    assert one(langchain.hits([given])).document.file_path == "b.md"
    assert one(langchain.hits([given], key="url")).document.file_path == "https://example.org/"
    # A reader of PDFs for LlamaIndex keeps the page there.
    assert one(llama_index.hits([node(source="3")])).document.file_path == "a.md"


@pytest.mark.parametrize(
    ("given", "identity"),
    [
        (ID, UUID(ID)),
        (ID.upper(), UUID(ID)),
        (ID.replace("-", ""), UUID(ID)),
        (UUID(ID), UUID(ID)),
        ("chunk-7", chunk_identity("a.md", "chunk-7")),
        (7, chunk_identity("a.md", "7")),
        ("{" + ID + "}", chunk_identity("a.md", "{" + ID + "}")),
    ],
)
def test_ids(given: object, identity: UUID) -> None:
    assert one(langchain.hits([document(id=given)])).chunk.id == identity


def test_without_an_id_place_and_words_make_one() -> None:
    first, again, other = langchain.hits([document(start_index=n) for n in (1, 1, 2)])
    assert first.chunk.id == again.chunk.id != other.chunk.id
    assert one(langchain.hits([document(start_index=1, id="")])).chunk.id == first.chunk.id


def test_stores_that_know_only_floats() -> None:
    assert span(one(langchain.hits([document(start_index=10.0)]))) == (10, 25)
    assert one(langchain.hits([document(page=2.0)])).chunk.page == 3


def test_time_of_indexing_is_what_the_caller_says() -> None:
    then = datetime(2026, 1, 2, tzinfo=UTC)
    assert one(langchain.hits([document()], indexed_at=then)).document.indexed_at == then


def test_unknown_offsets_say_so() -> None:
    for found in (
        langchain.hits([document()]),
        langchain.hits([document(start_index=-1)]),
        langchain.hits([document(start_index=None)]),
        llama_index.hits([node(start=10, end=99)]),
        llama_index.hits([node(start=25, end=10)]),
        haystack.hits([stored()]),
    ):
        assert span(one(found)) == (-1, -1)


def test_offsets_in_a_part_are_not_taken_for_those_of_the_document() -> None:
    for found in (
        langchain.hits([document(start_index=0, **{"Header 1": "Gauges"})]),
        langchain.hits([document(start_index=0, page=3)]),
        langchain.hits([document(start_index=0, source="a.pdf")]),
        llama_index.hits([node(start=0, end=15, header_path="/")]),
        haystack.hits([stored(split_idx_start=0, header="Gauges")]),
        haystack.hits([stored(split_idx_start=0, __level=2)]),
        haystack.hits([stored(split_idx_start=0, file_path="a.docx")]),
    ):
        assert span(one(found)) == (-1, -1)


def test_mixed_frameworks() -> None:
    ready = SearchHit.of("b.md", 0, 1)
    found = adapters.hits(
        [document(), (document(), 0.5), node(), SimpleNamespace(node=node(), score=1), stored(), ready], root="/w"
    )
    assert [hit.document.file_path for hit in found] == ["/w/a.md"] * 5 + ["b.md"]
    assert [hit.score for hit in found] == [0.0, 0.5, 0.0, 1.0, 0.0, 0.0]
    assert found[-1] is ready


class Refuses:
    """An object whose every field raises."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)


class Everything:
    """An object that has every field, and none of the right type."""

    def __getattr__(self, name: str) -> object:
        return Everything()


@pytest.mark.parametrize(
    ("call", "objects", "message"),
    [
        (langchain.hits, [document(), document(None)], "documents[1]: no page_content"),
        (langchain.hits, [document(b"x")], "documents[0]: page_content is a bytes"),
        (langchain.hits, [None], "documents[0]: no page_content"),
        (langchain.hits, "ab", "documents[0]: no page_content"),
        (langchain.hits, [(document(), 1, 2)], "documents[0]: a tuple of 3"),
        (langchain.hits, [(document(), "high")], "documents[0]: score is a str"),
        (langchain.hits, [(document(), float("nan"))], "documents[0]: score is nan"),
        (langchain.hits, [(document(), 10**400)], "documents[0]: score is an int"),
        (langchain.hits, [(document(), True)], "documents[0]: score is a bool"),
        (langchain.hits, [{"page_content": "x"}], "documents[0]: no file is named"),
        (langchain.hits, [{"page_content": "x", "metadata": [1]}], "documents[0]: metadata is a list"),
        (langchain.hits, [document(start_index="10")], "documents[0]: start_index is a str"),
        (langchain.hits, [document(start_index=True)], "documents[0]: start_index is a bool"),
        (langchain.hits, [document(start_index=1.5)], "documents[0]: start_index is a float"),
        (langchain.hits, [document(id=[1])], "documents[0]: id is a list"),
        (langchain.hits, [document(source=" ")], "documents[0]: no file is named"),
        (langchain.hits, [Refuses()], "documents[0]: no page_content"),
        (langchain.hits, [Everything()], "documents[0]: metadata is an Everything"),
        (llama_index.hits, [node(), node(None)], "nodes[1]: no text"),
        (llama_index.hits, [SimpleNamespace(node=Refuses(), score=1)], "nodes[0]: no text"),
        (llama_index.hits, [node(start="1")], "nodes[0]: start_char_idx is a str"),
        (haystack.hits, [stored(None)], "documents[0]: no content"),
        (haystack.hits, [stored(score=[0.5])], "documents[0]: score is a list"),
        (haystack.hits, [stored(file_path=None)], "documents[0]: no file is named"),
        (adapters.hits, [document(), 5], "objects[1]: an int is neither"),
        (adapters.hits, [Refuses()], "objects[0]: a Refuses is neither"),
        (adapters.hits, [Everything()], "objects[0]: metadata is an Everything"),
        (adapters.hits, [document(None)], "objects[0]: no page_content"),
        (adapters.hits, [{"role": "user", "content": "x"}], "objects[0]: a dict is neither"),
    ],
)
def test_odd_objects_are_refused_by_place_and_name(
    call: Callable[..., list[SearchHit]], objects: object, message: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call(objects)


class Nowhere:
    """A path that cannot say which."""

    def __fspath__(self) -> str:
        raise RuntimeError


def test_a_path_that_cannot_be_had_is_none() -> None:
    assert one(langchain.hits([document(source=Nowhere(), file_path="b.md")])).document.file_path == "b.md"


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)
names = st.sampled_from(
    """page_content metadata id id_ node text text_resource content meta score source file_path start_index page lc
    kwargs start_char_idx end_char_idx header_path page_label header parent_headers split_idx_start page_number title h1
    """.split()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=6), max_leaves=20
)


@given(st.lists(values, max_size=3), st.sampled_from([adapters, langchain, llama_index, haystack]))
def test_anything_gives_hits_or_a_type_error(objects: list[object], module: ModuleType) -> None:
    try:
        found = module.hits(objects, root="/w", read=lambda path: TEXT)
    except TypeError as error:
        assert re.match(r"(documents|nodes|objects)\[\d\]: ", str(error))
    else:
        assert len(found) == len(objects)
        assert all(hit.chunk.start_offset >= 0 or span(hit) == (-1, -1) for hit in found)


@given(
    st.sampled_from([langchain, llama_index, haystack]),
    st.dictionaries(names | st.text(max_size=3), values, max_size=6),
    st.text(max_size=8),
)
def test_odd_metadata_give_hits_or_a_type_error(module: ModuleType, metadata: dict[str, object], content: str) -> None:
    both = {"file_path": "a.md"} | metadata
    given_one = {"page_content": content, "text": content, "content": content, "metadata": both, "meta": both}
    try:
        hit = one(module.hits([given_one], read=lambda path: TEXT))
    except TypeError as error:
        assert re.match(r"(documents|nodes)\[0\]: ", str(error))
    else:
        assert span(hit) == (-1, -1) or TEXT[slice(*span(hit))] == hit.chunk.content


def test_a_hit_without_a_place_is_cited_without_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    service = CitationService(root=str(tmp_path))
    placed, open_ = service.create_citations(langchain.hits([document(start_index=10), document("A gauge weighs.")]))
    assert (placed.line_number, placed.document_path, placed.text) == (3, "a.md", "A gauge counts.")
    assert (open_.line_number, open_.document_path, open_.text) == (None, "a.md", "A gauge weighs.")


def test_nothing_gives_nothing() -> None:
    assert adapters.hits(iter(())) == langchain.hits([]) == []
    with pytest.raises(TypeError):
        langchain.hits(5)  # type: ignore[arg-type]


def test_a_document_is_read_once_and_never_an_address() -> None:
    asked: list[str] = []

    def read(path: str) -> str:
        asked.append(path)
        return TEXT

    found = langchain.hits([document(), document("A reset"), document(source="https://example.org/")], read=read)
    assert asked == ["a.md"]
    assert [span(hit) for hit in found] == [(10, 25), (38, 45), (-1, -1)]


@pytest.mark.parametrize("error", [OSError("gone"), Missing("a.md"), UnicodeDecodeError("utf-8", b"x", 0, 1, "bad")])
def test_what_cannot_be_read_keeps_what_the_index_said(error: Exception) -> None:
    def read(path: str) -> str:
        raise error

    assert [span(hit) for hit in langchain.hits([document(start_index=7), document()], read=read)] == [
        (7, 22),
        (-1, -1),
    ]


def test_a_read_that_gives_bytes_is_told() -> None:
    with pytest.raises(TypeError, match=r"read gave bytes for 'a\.md'"):
        langchain.hits([document()], read=lambda path: TEXT.encode())  # type: ignore[arg-type,return-value]
