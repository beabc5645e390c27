"""Cited output on its way out: only what is cited, everything about it, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pincite.core.errors import UsageError
from pincite.domains.capture.export import CitedText, _merge_occurrences, bundle, find_wanted_ids, gather
from pincite.domains.capture.inline import attach_texts, format_block
from pincite.project.config import Config
from pincite.project.documents import find_documents
from pincite.safe.files import Root
from pincite.sources import World
from pincite.store.bundle import MANIFEST, Manifest, Occurrence, holds_bundle, read_item, read_manifest, write_bundle
from pincite.store.database import StoreTrouble
from pincite.text.attached_output import read_attached

Captured = Callable[..., str]
PASSED = b"collected 3 items\n3 passed\n"
NOISY = b"\x1b[32m9 passed\x1b[0m\r\n"


def text_of(data: bytes, given: str = "", *occurrences: Occurrence) -> CitedText:
    return CitedText(sha256(data).hexdigest(), given, 0, data, occurrences)


def found(folder: Path, *arguments: str) -> tuple[list[CitedText], list[str]]:
    with Root(str(folder)) as root:
        wishes = find_wanted_ids(
            root, lambda: None, Config(), [str(folder / a) if a.endswith(".md") else a for a in arguments]
        )
        return gather(World(root, lambda: None), wishes)


def test_only_what_is_cited_is_found(tmp_path: Path, captured: Captured) -> None:
    digest = captured(tmp_path, PASSED)
    captured(tmp_path, b"not cited\n")
    (tmp_path / "a.md").write_text(f"All pass 【{digest[:7]}†L2】 as before 【{digest[:9]}†L1】.\n", encoding="utf-8")
    texts, failures = found(tmp_path, "a.md")
    assert [(text.digest, text.data) for text in texts] == [(digest, PASSED)]
    assert failures == []


@pytest.mark.parametrize("form", ["{}", "{}:1", "{}:1-2", "【{}†L1-L2】", "see 【{}†L1】 there"])
def test_an_id_may_be_written_in_every_way(tmp_path: Path, captured: Captured, form: str) -> None:
    digest = captured(tmp_path, PASSED)
    texts, failures = found(tmp_path, form.format(digest[:8]))
    assert ([text.digest for text in texts], failures) == ([digest], [])


def test_without_arguments_every_document_counts(tmp_path: Path, captured: Captured) -> None:
    one, two = captured(tmp_path, PASSED), captured(tmp_path, NOISY)
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.md").write_text(f"【{one[:6]}†L1】\n", encoding="utf-8")
    (tmp_path / "docs/b.rst").write_text(f"【{two[:6]}†L1】\n", encoding="utf-8")
    texts, _ = found(tmp_path)
    assert [text.digest for text in texts] == sorted([one, two])


def test_what_was_run_travels_with_a_text(tmp_path: Path, captured: Captured) -> None:
    digest = captured(tmp_path, PASSED, ("pytest", "-q"), 1, started=1_700_000_000.0, revision="a" * 40, dirty=True)
    captured(tmp_path, b"1\n2\n3\n" + PASSED, ("make",), 0, started=1_600_000_000.0, chunk_lines=3)
    ((text,), _) = found(tmp_path, digest)
    assert text.occurrences == (
        Occurrence("run", ("make",), ".", "2020-09-13T12:26:40Z", 1.5, 0, chunk=2, chunks=2),
        Occurrence("run", ("pytest", "-q"), ".", "2023-11-14T22:13:20Z", 1.5, 1, 0, "a" * 40, True),
    )


def test_ids_that_mean_nothing_are_named(tmp_path: Path, captured: Captured) -> None:
    digest = captured(tmp_path, PASSED)
    captured(tmp_path, NOISY, given="abcdef12")
    captured(tmp_path, PASSED, given="abcdef34")
    (file,) = [path for path in (tmp_path / ".pincite/output").iterdir() if path.read_bytes() == PASSED]
    file.write_bytes(PASSED.replace(b"3", b"4"))
    (tmp_path / "a.md").write_text("【ffffff†L1】 【ffffff†L2】\n", encoding="utf-8")
    texts, failures = found(tmp_path, "a.md", digest, "abcdef")
    assert texts == []
    assert [failure.split(": ")[0] for failure in failures] == ["the command line", "the command line", "a.md"]
    assert "gone or changed" in failures[0]
    assert "means 2 texts" in failures[1]
    assert "no captured output" in failures[2]


def test_a_bundle_and_the_document_itself_are_sources_too(tmp_path: Path, captured: Captured) -> None:
    bundled, attached = text_of(PASSED), text_of(NOISY, "abc123")
    write_bundle(str(tmp_path / "ev"), *bundle([bundled]))
    (tmp_path / "a.md").write_text(
        f"【{bundled.digest[:6]}†L1】 【abc123†L1】\n\n" + format_block(attached), encoding="utf-8"
    )
    texts, failures = found(tmp_path, "a.md")
    assert {(text.digest, text.given, text.data) for text in texts} == {
        (bundled.digest, "", PASSED),
        (attached.digest, "abc123", NOISY),
    }
    assert failures == []


def test_a_bundle_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    texts = [text_of(data) for data in (NOISY, PASSED, b"")]
    write_bundle(str(tmp_path / "one"), *bundle(texts))
    write_bundle(str(tmp_path / "two"), *bundle(texts[::-1]))
    write_bundle(str(tmp_path / "two"), *bundle(texts[:1], read(tmp_path / "two")))
    one, two = (
        {path.name: (path.read_bytes(), path.stat().st_mode & 0o7111) for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 5
    assert json.loads(one[MANIFEST][0])["version"] == 1
    assert one[".gitattributes"] == (b"*.txt -text\n", 0)
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("one", "two")] == []


def read(folder: Path) -> Manifest:
    with Root(str(folder)) as root:
        return read_manifest(root, MANIFEST)


def test_adding_to_a_bundle_loses_nothing(tmp_path: Path) -> None:
    early = Occurrence("run", ("a",), started="2020-01-01T00:00:00Z")
    late = Occurrence("run", ("b",), started="2021-01-01T00:00:00Z")
    write_bundle(str(tmp_path / "ev"), *bundle([text_of(PASSED, "", early)]))
    write_bundle(str(tmp_path / "ev"), *bundle([text_of(NOISY), text_of(PASSED, "", late)], read(tmp_path / "ev")))
    manifest = read(tmp_path / "ev")
    assert {item.digest: item.occurrences for item in manifest.chunks} == {
        text_of(PASSED).digest: (early, late),
        text_of(NOISY).digest: (),
    }
    with Root(str(tmp_path / "ev")) as root:
        assert {read_item(root, MANIFEST, item) for item in manifest.chunks} == {PASSED, NOISY}


def test_a_text_cited_by_two_ids_is_there_once(tmp_path: Path) -> None:
    manifest, files = bundle([text_of(PASSED), text_of(PASSED, "abc123")])
    assert [(item.id, item.external) for item in manifest.chunks] == [
        (text_of(PASSED).digest[:12], False),
        ("abc123", True),
    ]
    assert list(files.values()) == [PASSED]


def test_texts_with_one_beginning_get_longer_names() -> None:
    texts = [CitedText("0" * 20 + end * 44, "", 0, b"x", ()) for end in "ab"]
    _, files = bundle(texts)
    assert list(files) == ["0" * 12 + ".txt", "0" * 20 + "b.txt"]


def test_what_is_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "empty").mkdir()
    assert [holds_bundle(str(tmp_path / name)) for name in ("full", "file", "link", "empty", "new")] == [
        *(False, False, False),
        *(True, True),
    ]
    with pytest.raises(StoreTrouble, match="cannot be written"):
        write_bundle(str(tmp_path / "file"), *bundle([text_of(PASSED)]))
    with pytest.raises(StoreTrouble, match="cannot be written"):
        write_bundle(str(tmp_path / "file/below"), *bundle([text_of(PASSED)]))


def test_settings_for_git_that_are_there_stay(tmp_path: Path) -> None:
    (tmp_path / "ev").mkdir()
    (tmp_path / "ev/.gitattributes").write_bytes(b"*.png binary")
    for _ in range(2):
        write_bundle(str(tmp_path / "ev"), *bundle([text_of(PASSED)]))
    assert (tmp_path / "ev/.gitattributes").read_bytes() == b"*.png binary\n*.txt -text\n"


def test_texts_of_a_bundle_are_no_documents(tmp_path: Path) -> None:
    write_bundle(str(tmp_path / "ev"), *bundle([text_of(PASSED)]))
    (tmp_path / "ev/notes.txt").write_text("mine")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / (text_of(PASSED).digest[:12] + ".txt")).write_text("no bundle here")
    with Root(str(tmp_path)) as root:
        listed = find_documents(root, None, (), Config().documents, ()).documents
    assert listed == [f"docs/{text_of(PASSED).digest[:12]}.txt", "ev/notes.txt"]


around = some.text(some.sampled_from("ab <>-!#é\n"), max_size=60)


@given(around, some.lists(some.binary(max_size=40), max_size=3, unique=True), some.sampled_from(["\n", "\r\n"]))
def test_attaching_twice_changes_nothing(document: str, outputs: list[bytes], end: str) -> None:
    document = ("# A\n\n" + document).replace("\n", end)
    texts = [text_of(data) for data in outputs]
    once = attach_texts("a.md", document, texts, Config())
    assert once.startswith(document)
    assert attach_texts("a.md", once, texts, Config()) == once
    assert [piece.data for piece in read_attached(once)] == outputs
    assert once.replace(end, "").count("\n") + once.replace(end, "").count("\r") == 0


def test_more_output_joins_the_section_that_is_there() -> None:
    first = attach_texts("a.md", "# A\n", [text_of(PASSED)], Config())
    end = text_of(b"<!-- /pincite-evidence -->\n")
    both = attach_texts("a.md", first, [text_of(NOISY), end], Config()) + "\nMore.\n"
    assert both.count("<!-- pincite-evidence -->") == 1
    assert both.endswith("</details>\n\n<!-- /pincite-evidence -->\n\nMore.\n")
    third = attach_texts("a.md", both, [text_of(b"3\n")], Config())
    assert [piece.data for piece in read_attached(third)] == [PASSED, NOISY, end.data, b"3\n"]
    assert third.endswith("</details>\n\n<!-- /pincite-evidence -->\n\nMore.\n")


def test_a_changed_block_is_replaced_where_it_stands() -> None:
    document = "# A\n\n" + format_block(text_of(PASSED)) + "\nAfter.\n"
    changed = document.replace("3 passed", "4 passed")
    assert attach_texts("a.md", changed, [text_of(PASSED)], Config()) == document


def test_a_block_kept_elsewhere_in_the_document_is_enough() -> None:
    document = "# A\n\n" + format_block(text_of(PASSED)) + "\nAfter.\n"
    assert attach_texts("a.md", document, [text_of(PASSED)], Config()) == document


@pytest.mark.parametrize("ending", ["```\ncode\n", "~~~\ncode", "> ```\n> code\n"])
def test_a_document_that_ends_inside_code_is_not_added_to(ending: str) -> None:
    noisy = text_of("```\nsrc/app.py:12 【F:src/app.py†L1】\n".encode())
    try:
        new = attach_texts("a.md", "# A\n\n" + ending, [noisy], Config())
    except UsageError as error:
        assert "code block" in str(error)
    else:
        assert ending.startswith(("~~~", ">"))
        assert [piece.data for piece in read_attached(new)] == [noisy.data]


def test_where_code_is_read_output_that_cites_is_not_attached() -> None:
    text = text_of("【F:src/app.py†L1】\n".encode())
    with pytest.raises(UsageError):
        attach_texts("a.md", "# A\n", [text], Config(in_code=True))
    assert attach_texts("a.md", "# A\n", [text], Config()) != "# A\n"


def test_two_quick_runs_that_look_alike_stay_two() -> None:
    alike = Occurrence("run", ("true",), started="2026-01-31T10:00:00Z", seconds=0.024, exit_code=0)
    manifest, _ = bundle([text_of(PASSED, "", alike, alike)])
    again, _ = bundle([text_of(PASSED, "", alike, alike)], manifest)
    assert again.chunks[0].occurrences == (alike, alike), "and exporting again adds none"


def test_runs_of_one_second_stay_in_the_order_of_the_store() -> None:

    first, second = (Occurrence(origin, started="2026-01-01T00:00:00Z") for origin in ("run", "pipe"))
    assert _merge_occurrences((), [first, second]) == (first, second)
    assert _merge_occurrences([first], [first, second]) == (first, second)
