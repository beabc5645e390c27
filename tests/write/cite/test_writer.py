"""What is written is read back: the laws of every style on odd paths."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Lines
from pincite.engine.pipeline import Engine
from pincite.project.config import Config
from pincite.safe.escape import escape_text
from pincite.safe.files import Root
from pincite.write.cite.model import STYLES, CiteTarget, Uncitable
from pincite.write.cite.proof import Proof
from pincite.write.cite.target import find_target
from pincite.write.cite.writer import CLAIM, as_citation, memory_with, telling_line, write

TARGET = CiteTarget("src/app.py", Lines(3, 5), text=("# why", "", "LIMIT = 250"))
INLINE = ("bracket", "colon", "link", "cite")


@pytest.mark.parametrize(
    ("style", "into", "text"),
    [
        ("bracket", "", "【F:src/app.py†L3-L5】"),
        ("colon", "", "src/app.py:3-5"),
        ("link", "", "[src/app.py:3-5](src/app.py#L3-L5)"),
        ("link", "docs/a/x.md", "[src/app.py:3-5](../../src/app.py#L3-L5)"),
        ("link", "src/x.md", "[src/app.py:3-5](app.py#L3-L5)"),
        ("cite", "", "[cite:file](src/app.py:3-5)"),
        ("frontmatter", "", "- path: src/app.py\n  line: 5\n  snippet: LIMIT = 250"),
    ],
)
def test_styles(style: str, into: str, text: str) -> None:
    assert write(TARGET, style, into) == text


@pytest.mark.parametrize("style", ["bracket", "colon", "link"])
def test_a_whole_file_needs_a_style_that_can(style: str) -> None:
    with pytest.raises(Uncitable, match="permalink, frontmatter, cite"):
        write(CiteTarget("src/app.py", None), style)
    assert write(CiteTarget("src/app.py", None), "cite") == "[cite:file](src/app.py)"
    assert write(CiteTarget("src/app.py", None), "frontmatter") == "- path: src/app.py"


@pytest.mark.parametrize(
    ("style", "path", "instead"),
    [
        ("bracket", "odd†name.py", "link"),
        ("bracket", "odd】name.py", "link"),
        ("bracket", "un\u200bseen.py", "link"),
        ("colon", "a b.py", "bracket"),
        ("colon", "-a.py", "bracket"),
        ("colon", "a(1).py", "bracket"),
        ("cite", "a(1).py", "bracket"),
        ("cite", "a::b.py", "bracket"),
        ("symbol", "a.py", ""),
        ("permalink", "a.py", ""),
        ("nothing", "a.py", ""),
    ],
)
def test_a_path_that_a_style_cannot_write_is_refused(style: str, path: str, instead: str) -> None:
    with pytest.raises(Uncitable) as refused:
        write(CiteTarget(path, Lines(1, 2), text=("a = 1", "b")), style)
    assert f"--style {instead}" in str(refused.value) if instead else True


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (("}", "", "return limit"), 12),
        (("# about", "def run():"), 11),
        (("@cached", "def run():"), 11),
        (("}", "{"), 10),
        (("// only a comment here",), 10),
        (("", "}"), 11),
    ],
)
def test_a_memory_keeps_the_line_that_says_most(text: tuple[str, ...], line: int) -> None:
    assert telling_line(CiteTarget("a.py", Lines(10, 9 + len(text)), text=text))[0] == line


def test_a_snippet_is_bounded_and_holds_only_what_frontmatter_may() -> None:
    _, words = telling_line(CiteTarget("a.py", Lines(1, 1), text=("  word " * 100,)))
    assert 100 < len(words) <= 160 and words in "  word " * 100
    _, words = telling_line(CiteTarget("a.py", Lines(1, 1), text=("ab\x1bcdef = 1\x7f",)))
    assert words == "cdef = 1"


NAMES = st.text(
    st.one_of(st.sampled_from(list(" []()#%'\"-:§†【】`\\<>&|*_~@+,;=!?.^{}$äß漢🎈L12\u202e\u2028")), st.characters()),
    min_size=1,
    max_size=12,
).filter(lambda name: name not in (".", "..") and "/" not in name and "\0" not in name)
LINES = st.text(st.characters(blacklist_characters="\r\n\0", blacklist_categories=("Cs",)), max_size=30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that examples put their file into and take it out of again."""
    yield tmp_path_factory.mktemp("odd")


@settings(max_examples=150, deadline=None)
@given(
    name=NAMES, deep=st.booleans(), body=st.lists(LINES, min_size=1, max_size=6), into=st.sampled_from(["", "d/x.md"])
)
def test_what_is_printed_holds(folder: Path, name: str, deep: bool, body: list[str], into: str) -> None:
    path = f"sub/{name}" if deep else name
    try:
        place = folder / os.fsdecode(os.fsencode(path))
        place.parent.mkdir(exist_ok=True)
        place.write_bytes("\n".join(body).encode())
    except (OSError, ValueError):
        return
    try:
        with Root(str(folder)) as root:
            proof = Proof(root, Config(), lambda: None)
            try:
                target = find_target(root, f"{path}#L1-L{len(body)}")
            except Uncitable as refused:
                assert str(refused)
                return
            written = 0
            for style in (*INLINE, "frontmatter"):
                try:
                    text = proof.write(target, style, into)
                except Uncitable as refused:
                    assert refused.kind in ("style-unfit", "would-not-hold")
                    continue
                written += 1
                assert all(escape_text(row) == row for row in text.split("\n"))
                _holds(root, text, style, into, path)
            # Every path that UTF-8 can write has a style; others cannot stand in a document at all.
            assert written == len(INLINE) + 1 if path.isascii() and path.isalpha() else written or _is_broken(path)
            proof.close()
    finally:
        place.unlink()


def _is_broken(path: str) -> bool:
    """Whether a path has bytes that are no UTF-8."""
    return any("\ud800" <= char <= "\udfff" for char in path)


def _holds(root: Root, text: str, style: str, into: str, path: str) -> None:
    """Checks a document with the citation in it as `check` would, with an engine of its own."""
    made = memory_with(text) if style == "frontmatter" else f"{CLAIM} {text}\n"
    report = Engine(root, Config(), every=True).check_bytes(
        "m.md" if style == "frontmatter" else into or "x.md", made.encode()
    )
    assert not report.malformed
    (verdict,) = report.verdicts
    assert (verdict.findings, verdict.citation.dialect) == ((), STYLES[style].dialect)
    assert verdict.citation.source.key == path


def test_a_nearer_file_of_the_same_name_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for place in ("a.py", "docs/a.py"):
        (tmp_path / place).write_text("x = 1\n")
    with Root(str(tmp_path)) as root:
        proof = Proof(root, Config(), lambda: None)
        target = find_target(root, "docs/a.py:1")
        assert proof.write(target, "colon", "docs/x.md") == "docs/a.py:1"
        assert proof.write(find_target(root, "a.py:1"), "link", "docs/x.md") == "[a.py:1](../a.py#L1)"


def test_a_dialect_that_is_not_read_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with Root(str(tmp_path)) as root:
        proof = Proof(root, Config(dialects=("link",)), lambda: None)
        with pytest.raises(Uncitable, match="read only these dialects: link"):
            proof.write(find_target(root, "a.py:1"), "bracket")
        assert proof.write(find_target(root, "a.py:1"), "link") == "[a.py:1](a.py#L1)"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("A.\n", "A. 【F:a.py†L1】\n", ""),
        ("A.\n", "A. `【F:a.py†L1】`\n", "not be read"),
        ("A.\n", "A. 【F:a.py†L9】\n", "not be read"),
        ("A. 【F:gone.py†L1】\n", "A. 【F:gone.py†L1】 【F:a.py†L1】\n", ""),
        ("A. 【F:b.py†L1】\n", "A. `【F:b.py†L1】` 【F:a.py†L1】 【F:a.py†L1】\n", "read differently"),
        ("A.\n", "A. 【F:a.py†L1】【F:\n", "closed"),
    ],
)
def test_a_document_that_was_added_to_is_looked_at_whole(tmp_path: Path, old: str, new: str, said: str) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    with Root(str(tmp_path)) as root:
        proof = Proof(root, Config(), lambda: None)
        wanted = as_citation(find_target(root, "a.py:1"), "bracket")
        trouble = proof.check_added("x.md", old.encode(), new.encode(), [wanted])
        assert said in trouble and bool(said) == bool(trouble)
