"""What a change does to citations."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Blocked, Missing, UsageError
from pincite.core.model import Citation, Lines, Place, SourceRef, Span
from pincite.engine.affected import AffectedCitation, AffectedResult, Effect, find_change, look, since_head
from pincite.engine.affected.citation_effect import find_effect
from pincite.project.config import Config, parse_config
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.safe.git_tree import GitTree, changed_files

Repository = Any

GAUGE = """import os

LIMIT = 100


def add(amount):
    return min(amount, LIMIT)


def subtract(amount):
    return max(-amount, -LIMIT)
"""
OLD = 'def a_long_name():\n    return "something telling"\n\n\ndef another_long_name():\n    return "seven"\n'
MEMORY = '---\ncitations:\n  - path: src/gauge.py\n    line: 11\n    snippet: "max(-amount"\n---\nBody.\n'


def seen(
    repository: Repository,
    typed: str = "",
    *keys: str,
    staged: bool = False,
    gone: bool = False,
    config: Config | None = None,
) -> AffectedResult:
    with Root(str(repository.path)) as root:
        git = Git.find(root.path)
        assert git is not None
        change = find_change(git, typed, staged) if typed else since_head(git, staged)
        assert change is not None
        try:
            return look(root, config or Config(), git, change, keys, gone)
        finally:
            git.close()


def told(result: AffectedResult) -> list[tuple[str, str]]:
    return [(item.raw, item.effect.value) for item in result.items]


def only(result: AffectedResult) -> AffectedCitation:
    (item,) = result.items
    return item


@pytest.fixture
def cited(repository: Repository) -> Repository:
    """A repository with code and a document that cites it."""
    repository.commit(
        {
            "src/gauge.py": GAUGE,
            "src/old.py": OLD,
            "src/same.py": "UNTOUCHED = True\n",
            "docs/a.md": "One 【F:src/gauge.py†L3】.\nTwo 【F:src/gauge.py†L10-L11】.\nThree 【F:src/same.py†L1】.\n",
        }
    )
    return repository


def test_nothing_changed(cited: Repository) -> None:
    result = seen(cited)
    assert (result.files, result.items, result.exit_code) == ([], [], 0)


def test_lines_move_and_are_edited(cited: Repository) -> None:
    cited.write("src/gauge.py", GAUGE.replace("import os\n", "import os\nimport sys\n").replace("100", "250"))
    result = seen(cited)
    assert told(result) == [("【F:src/gauge.py†L3】", "edits"), ("【F:src/gauge.py†L10-L11】", "moves")]
    edited, moved = result.items
    assert "-LIMIT = 100" in edited.detail
    assert moved.fix == "【F:src/gauge.py†L11-L12】"
    assert moved.place is not None and moved.place.path == "src/gauge.py"
    assert result.exit_code == 1


def test_other_lines_of_a_changed_file_are_unaffected(cited: Repository) -> None:
    cited.write("src/gauge.py", GAUGE + "\n\ndef more():\n    return LIMIT\n")
    result = seen(cited)
    assert {item.effect for item in result.items} == {Effect.UNAFFECTED}
    assert len(result.items) == 2
    assert result.exit_code == 0


def test_deleted_lines(cited: Repository) -> None:
    cited.write("src/gauge.py", GAUGE.replace("LIMIT = 100\n", ""))
    assert told(seen(cited))[0] == ("【F:src/gauge.py†L3】", "deletes")


def test_a_deleted_file(cited: Repository) -> None:
    (cited.path / "src/gauge.py").unlink()
    result = seen(cited)
    assert [item.effect for item in result.items] == [Effect.DELETES] * 2
    assert result.items[0].why == "the file is deleted"


def test_a_deleted_file_that_is_named_in_prose(repository: Repository) -> None:
    repository.commit({"src/old.py": OLD, "a.md": "See src/old.py:1 and localhost:80.\n"})
    (repository.path / "src/old.py").unlink()
    assert told(seen(repository)) == [("src/old.py:1", "deletes")]


@pytest.mark.parametrize("added", [True, False])
def test_a_renamed_file(repository: Repository, added: bool) -> None:
    repository.commit({"src/old.py": OLD, "docs/a.md": "【F:src/old.py†L5】 [l](../src/old.py#L1)\n"})
    (repository.path / "src/old.py").rename(repository.path / "src/new.py")
    if added:
        repository.git("add", "-A")
    result = seen(repository)
    assert [item.fix for item in result.items] == [
        "【F:src/new.py†L5】",
        "[l](../src/new.py#L1)",
    ]
    assert {item.effect for item in result.items} == {Effect.MOVES}


def test_a_renamed_file_whose_lines_moved_too(repository: Repository) -> None:
    repository.commit({"src/old.py": OLD + "# more\n" * 9, "a.md": "【F:src/old.py†L5】\n"})
    repository.git("mv", "src/old.py", "src/new.py")
    repository.write("src/new.py", "import os\n" + OLD + "# more\n" * 9)
    repository.git("add", "-A")
    assert only(seen(repository)).fix == "【F:src/new.py†L6】"


def test_memories_count_by_their_snippet(repository: Repository) -> None:
    repository.commit({"src/gauge.py": GAUGE, ".serena/memories/m.md": MEMORY})
    repository.write("src/gauge.py", GAUGE.replace("return max(-amount, -LIMIT)", "return max(-amount, -LIMIT)  # low"))
    assert only(seen(repository)).effect is Effect.UNAFFECTED
    repository.write("src/gauge.py", "# first\n" + GAUGE)
    moved = only(seen(repository))
    assert (moved.effect, moved.dialect) == (Effect.MOVES, "memory")
    assert "line: 12" in moved.fix
    repository.write("src/gauge.py", GAUGE.replace("max(-amount", "max(-1 * amount"))
    assert only(seen(repository)).effect in (Effect.EDITS, Effect.DELETES)


def test_what_the_change_cites_is_checked_as_usual(cited: Repository) -> None:
    text = (cited.path / "docs/a.md").read_text(encoding="utf-8")
    cited.write(
        "docs/a.md", "New 【F:src/same.py†L1】, bad 【F:src/same.py†L9】, 【F:no.py†L1】, odd 【F:x†L5-L2】.\n" + text
    )
    result = seen(cited)
    # One of the two that are alike was there before.
    assert [item.outcome for item in result.items] == ["missing", "missing", "malformed", "holds"]
    assert {item.effect for item in result.items} == {Effect.NEW}
    assert result.exit_code == 1


def test_a_citation_that_the_change_corrects_is_new_and_holds(cited: Repository) -> None:
    text = (cited.path / "docs/a.md").read_text(encoding="utf-8")
    cited.write("src/gauge.py", GAUGE.replace("import os\n", "import os\nimport sys\n"))
    cited.write("docs/a.md", text.replace("L3】", "L4】").replace("L10-L11", "L11-L12"))
    result = seen(cited)
    assert [(item.effect, item.outcome) for item in result.items] == [(Effect.NEW, "holds")] * 2
    assert result.exit_code == 0


def test_prose_that_changes_around_a_citation_changes_nothing(cited: Repository) -> None:
    text = (cited.path / "docs/a.md").read_text(encoding="utf-8")
    cited.write("docs/a.md", "# Title\n\n" + text.replace("One", "The first"))
    assert seen(cited).items == []


def test_what_did_not_hold_before_is_not_blamed_on_the_change(repository: Repository) -> None:
    repository.commit({"src/gauge.py": GAUGE, "a.md": "Past 【F:src/gauge.py†L90】.\n"})
    repository.write("src/gauge.py", "# first\n" + GAUGE)
    item = only(seen(repository))
    assert (item.effect, item.needs_attention) == (Effect.UNAFFECTED, False)
    assert "either" in item.why


def test_a_comment_silences_here_too(repository: Repository) -> None:
    note = "Limit 【F:src/gauge.py†L10-L11】. <!-- pincite: ignore lines-moved seen -->\n"
    repository.commit({"src/gauge.py": GAUGE, "a.md": note})
    repository.write("src/gauge.py", "# first\n" + GAUGE)
    result = seen(repository)
    assert (only(result).effect, only(result).ignored, result.exit_code) == (Effect.MOVES, True, 0)


def test_headings(repository: Repository) -> None:
    page = "# Title\n\n## Limits of the gauge\n\nText.\n\n## Another heading\n\nMore.\n"
    repository.commit({"docs/page.md": page, "a.md": "See it [page.md, §Limits of the gauge].\n"})
    repository.write("docs/page.md", page.replace("More.", "Much more."))
    assert only(seen(repository)).effect is Effect.UNAFFECTED
    repository.write("docs/page.md", page.replace("## Limits of the gauge\n", ""))
    assert only(seen(repository)).effect is Effect.DELETES
    repository.git("mv", "docs/page.md", "docs/other.md")
    assert only(seen(repository)).effect is Effect.DELETES
    repository.write("docs/other.md", page)
    repository.git("add", "-A")
    assert only(seen(repository)).effect is Effect.MOVES
    (repository.path / "docs/other.md").unlink()
    assert only(seen(repository)).why == "the file is deleted"


def test_symbols(repository: Repository) -> None:
    pytest.importorskip("tree_sitter_python")
    repository.commit({"src/gauge.py": GAUGE, "a.md": "It subtracts, [cite:function](src/gauge.py::subtract).\n"})
    repository.write("src/gauge.py", "import sys\n" + GAUGE)
    assert only(seen(repository)).effect is Effect.UNAFFECTED
    repository.write("src/gauge.py", GAUGE.replace("max(-amount", "max(amount"))
    edited = only(seen(repository))
    assert (edited.effect, edited.place) == (Effect.EDITS, Place("src/gauge.py", Lines(10, 11)))
    assert "+    return max(amount, -LIMIT)" in edited.detail
    repository.write("src/gauge.py", GAUGE.replace("subtract", "take"))
    assert only(seen(repository)).why == "there is no subtract any more"
    repository.write("src/gauge.py", GAUGE + "\n\nclass A:\n    x = 1\n\n\ndef subtract(x):\n    return x\n")
    assert only(seen(repository)).effect in (Effect.UNKNOWN, Effect.EDITS)
    (repository.path / "src/gauge.py").rename(repository.path / "src/meter.py")
    repository.write("src/meter.py", GAUGE)
    assert only(seen(repository)).effect is Effect.MOVES


def test_papers(repository: Repository) -> None:
    paper = "---\nid: REF-001\ntitle: A paper\nyear: 2020\ntotal_pages: 9\n---\n"
    folder = ".aiwg/research/corpus"
    repository.commit({f"{folder}/REF-001-a-paper.md": paper, "a.md": "So it is [REF-001, p.7].\n", "b.py": "x = 1\n"})
    repository.write("b.py", "x = 2\n")
    assert seen(repository).items == []
    repository.write(f"{folder}/REF-001-a-paper.md", paper.replace("9", "5"))
    assert only(seen(repository)).effect in (Effect.EDITS, Effect.DELETES)
    (repository.path / folder / "REF-001-a-paper.md").unlink()
    assert only(seen(repository)).effect is Effect.DELETES


def test_between_commits_the_work_tree_is_not_looked_at(cited: Repository) -> None:
    first = cited.git("rev-parse", "HEAD")
    second = cited.commit({"src/gauge.py": "# first\n" + GAUGE})
    cited.commit({"src/gauge.py": GAUGE, "docs/a.md": "Nothing.\n"})
    (cited.path / "src/gauge.py").unlink()
    result = seen(cited, f"{first}..{second}")
    assert [item.effect for item in result.items] == [Effect.MOVES] * 2
    assert seen(cited, f"{first}..HEAD").items == []
    assert result.after.startswith(second[:7]) or second[:7] in result.after


def test_three_dots_begin_where_the_branch_did(cited: Repository) -> None:
    cited.git("checkout", "-q", "-b", "topic")
    cited.commit({"src/gauge.py": "# first\n" + GAUGE})
    cited.git("checkout", "-q", "main")
    cited.commit({"src/same.py": "UNTOUCHED = False\n"})
    assert [item.target for item in seen(cited, "main...topic").items] == ["src/gauge.py:3", "src/gauge.py:10-11"]
    assert "src/same.py:1" in [item.target for item in seen(cited, "main..topic").items]


def test_the_index(cited: Repository) -> None:
    cited.write("src/gauge.py", "# first\n" + GAUGE)
    cited.git("add", "-A")
    cited.write("src/gauge.py", GAUGE)
    assert [item.effect for item in seen(cited, staged=True).items] == [Effect.MOVES] * 2
    assert seen(cited).items == []


def test_before_the_first_commit_everything_is_new(repository: Repository) -> None:
    repository.write("src/gauge.py", GAUGE)
    repository.write("a.md", "One 【F:src/gauge.py†L3】 two 【F:src/gauge.py†L99】.\n")
    result = seen(repository)
    assert [(item.effect, item.outcome) for item in result.items] == [(Effect.NEW, "holds"), (Effect.NEW, "missing")]
    assert "no commit yet" in result.before


def test_paths_narrow_the_documents(cited: Repository) -> None:
    cited.commit({"notes/b.md": "Also 【F:src/gauge.py†L3】.\n"})
    cited.write("src/gauge.py", "# first\n" + GAUGE)
    assert {item.document for item in seen(cited, "", "notes").items} == {"notes/b.md"}
    cited.git("add", "-A")
    assert {item.document for item in seen(cited, "", "docs/a.md", staged=True).items} == {"docs/a.md"}
    assert {item.document for item in seen(cited, "HEAD", config=parse_config({"exclude": ["docs/*"]}, "")).items} == {
        "notes/b.md"
    }


def test_documents_that_go_are_named_when_asked_for(cited: Repository) -> None:
    (cited.path / "docs/a.md").unlink()
    assert seen(cited).gone == []
    assert seen(cited, gone=True).gone == ["docs/a.md"]


def test_escaped_paths_are_found(repository: Repository) -> None:
    repository.commit({"src/a b.py": GAUGE, "a.md": "See [it](src/a%20b.py#L3).\n"})
    repository.write("src/a b.py", "# first\n" + GAUGE)
    assert only(seen(repository)).effect is Effect.MOVES


def test_a_file_that_is_no_text_cannot_be_told(cited: Repository) -> None:
    cited.write("src/gauge.py", b"\xff\xfe\x00binary\x00")
    result = seen(cited)
    assert {item.effect for item in result.items} == {Effect.UNKNOWN}


def test_an_unreadable_document_is_an_error(cited: Repository) -> None:
    cited.write("docs/b.md", b"\xff\xe3\x80\x90F:src/gauge.py\xe2\x80\xa0L3\xe3\x80\x91 \n")
    result = seen(cited)
    assert [path for path, _ in result.errors] == ["docs/b.md"]
    assert result.exit_code == 2


def test_names_that_are_no_revision(cited: Repository) -> None:
    git = Git.find(str(cited.path))
    assert git is not None
    for typed in ("nowhere", "-x", "--output=x", "main..nowhere", "\0", "a\nb", "main:src"):
        assert find_change(git, typed) is None
    with pytest.raises(UsageError, match="one revision"):
        find_change(git, "main..HEAD", True)
    cited.git("checkout", "-q", "--orphan", "other")
    cited.commit({"x": "y"})
    with pytest.raises(UsageError, match="no common commit"):
        find_change(git, "main...other")
    git.close()


def test_a_folder_below_the_top_sees_its_own(repository: Repository) -> None:
    repository.commit({"sub/src/gauge.py": GAUGE, "sub/a.md": "One 【F:src/gauge.py†L10】.\n", "src/gauge.py": "x\n"})
    repository.write("sub/src/gauge.py", "# first\n" + GAUGE)
    below = SimpleNamespace(path=repository.path / "sub")
    assert only(seen(below)).place is not None
    repository.git("add", "-A")
    assert only(seen(below, staged=True)).effect is Effect.MOVES


def test_a_root_of_the_past_reads_like_a_folder(cited: Repository) -> None:
    git = Git.find(str(cited.path))
    assert git is not None
    head = git.head()
    assert head is not None
    past = GitTree(git, head)
    (cited.path / "src/gauge.py").unlink()
    assert past.read("src/../src/./gauge.py") == GAUGE.encode()
    assert past.names("src") == ["gauge.py", "old.py", "same.py"]
    assert past.names("") == ["docs", "src"]
    assert past.is_file("src/gauge.py") and not past.is_file("src") and past.stat("src") is not None
    assert past.stat("nowhere") is None and past.names("../x") == [] and past.stat("../x") is None
    for key, refusal in (("../x", Blocked), ("/etc/passwd", Blocked), ("src", Missing), ("no", Missing)):
        with pytest.raises(refusal):
            past.read(key)
    assert past.take("src/same.py")[0] == b"UNTOUCHED = True\n"
    assert past.folder("src") == -1
    with pytest.raises(Missing):
        past.folder("nowhere")
    assert git.tree() == past.files
    assert changed_files(git, head) == [("src/gauge.py", None)]
    git.close()


def test_links_are_no_files_of_a_change(cited: Repository) -> None:
    (cited.path / "src/gauge.py").unlink()
    (cited.path / "src/gauge.py").symlink_to("/etc/passwd")
    result = seen(cited)
    assert {item.effect for item in result.items} <= {Effect.DELETES, Effect.UNKNOWN}
    assert "root:" not in "".join(item.detail for item in result.items)


def test_only_documents_that_may_cite_are_read_for_citations(
    cited: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pincite.engine.pipeline import Engine

    cited.commit({f"docs/n{number}.md": "Nothing 【F:src/same.py†L1】.\n" for number in range(20)})
    cited.write("src/gauge.py", "# first\n" + GAUGE)
    read: list[str] = []
    real = Engine.examine

    def examine(self: Engine, path: str, data: bytes) -> object:
        read.append(path)
        return real(self, path, data)

    monkeypatch.setattr(Engine, "examine", examine)
    assert len(seen(cited).items) == 2
    # What changed is read too: it may cite something that it did not cite before.
    assert read == ["docs/a.md", "src/gauge.py"]


@pytest.mark.parametrize("revision", ["main", "HEAD"])
def test_addresses_of_a_branch_follow_it(repository: Repository, revision: str) -> None:
    link = f"https://github.com/o/n/blob/{revision}/src/gauge.py#L10"
    repository.commit({"src/gauge.py": GAUGE, "a.md": f"It subtracts: {link}\n"})
    config = Config(repository="o/n")
    repository.write("src/gauge.py", "# first\n" + GAUGE)
    assert only(seen(repository, config=config)).place == Place("src/gauge.py", Lines(11, 11))
    (repository.path / "src/gauge.py").unlink()
    assert only(seen(repository, config=config)).effect is Effect.DELETES
    assert seen(repository, config=Config(repository="o/other")).items == []


def test_addresses_of_a_commit_stay_what_they_are(repository: Repository) -> None:
    commit = repository.commit({"src/gauge.py": GAUGE})
    repository.commit({"a.md": f"It subtracts: https://github.com/o/n/blob/{commit}/src/gauge.py#L10\n"})
    (repository.path / "src/gauge.py").unlink()
    assert seen(repository, config=Config(repository="o/n")).items == []


def test_a_conflict_is_looked_at_like_any_other_file(cited: Repository) -> None:
    cited.git("checkout", "-q", "-b", "topic")
    cited.commit({"src/gauge.py": GAUGE.replace("100", "250")})
    cited.git("checkout", "-q", "main")
    cited.commit({"src/gauge.py": GAUGE.replace("100", "300")})
    cited.git("merge", "topic", check=False)
    assert {item.target for item in seen(cited).items} == {"src/gauge.py:3", "src/gauge.py:10-11"}
    assert seen(cited, staged=True).files


def test_the_index_before_the_first_commit(repository: Repository) -> None:
    repository.write("src/gauge.py", GAUGE)
    repository.write("a.md", "One 【F:src/gauge.py†L3】.\n")
    repository.git("add", "-A")
    assert [(item.effect, item.outcome) for item in seen(repository, staged=True).items] == [(Effect.NEW, "holds")]


LINE = st.sampled_from(["", "}", "return None", "value = compute(first)", "value = compute(second)", "total += value"])
TEXT = st.lists(LINE, max_size=9)


@settings(max_examples=150)
@given(TEXT, TEXT, TEXT, st.integers(1, 10), st.integers(0, 2), st.booleans())
def test_a_place_that_is_told_holds_what_was_cited(
    then: list[str], before: list[str], after: list[str], first: int, more: int, renamed: bool
) -> None:
    now = before + then + after if first % 2 else before + then[: len(then) // 2] + after
    lines = Lines(first, first + more)
    citation = Citation("bracket", Span(0, 1), "x", SourceRef("file", "a"), lines)
    told = find_effect(citation, then, now, "b" if renamed else "a", renamed)
    block = then[first - 1 : first + more]
    if told.effect is Effect.UNAFFECTED and not told.why:
        assert not renamed and now[first - 1 : first + more] == block
    elif told.effect is Effect.MOVES and not told.why:
        assert told.place is not None and told.place.lines is not None
        assert now[told.place.lines.first - 1 : told.place.lines.last] == block


@pytest.mark.parametrize("staged", [False, True])
def test_lines_that_are_cited_through_links_and_dots(repository: Repository, staged: bool) -> None:
    for name, target in (("alias.py", "src/gauge.py"), ("lib", "src")):
        (repository.path / name).symlink_to(target)
    written = "One 【F:alias.py†L1】 two 【F:lib/gauge.py†L1】 three 【F:./lib/../src/gauge.py†L1】\n"
    repository.commit({"src/gauge.py": GAUGE, "a.md": written})
    (repository.path / "src/gauge.py").write_text("")
    repository.git("add", "-A")
    effects = [item.effect for item in seen(repository, staged=staged).items]
    assert effects == [Effect.DELETES] * 3


def relink(repository: Repository, name: str, target: str, folder: bool = False) -> None:
    place = repository.path / name
    if folder:
        place.rename(repository.path / "aside")
    else:
        place.unlink(missing_ok=True)
    place.symlink_to(target)


@pytest.mark.parametrize("side", ["work tree", "index", "commits"])
@pytest.mark.parametrize(
    ("link", "target", "cited_as"),
    [
        ("alias.py", "old/gauge.py", "alias.py"),
        ("lib", "old", "lib/gauge.py"),
        ("two.py", "old/gauge.py", "one.py"),
        ("src/gauge.py", "../old/gauge.py", "src/gauge.py"),
    ],
    ids=["file", "folder", "chain", "file becomes a link"],
)
def test_a_link_that_leads_elsewhere_is_a_change(
    repository: Repository, side: str, link: str, target: str, cited_as: str
) -> None:
    links = {"alias.py": "src/gauge.py", "lib": "src", "two.py": "src/gauge.py", "one.py": "two.py"}
    for name, leads in links.items():
        (repository.path / name).symlink_to(leads)
    files = {"src/gauge.py": GAUGE, "old/gauge.py": GAUGE.replace("-amount", "amount")}
    written = f"Kept 【F:{cited_as}†L3】.\nEdited 【F:{cited_as}†L10-L11】.\nOther 【F:old/gauge.py†L3】.\n"
    repository.commit({**files, "a.md": written})
    relink(repository, link, target)
    if side != "work tree":
        repository.git("add", "-A")
    if side == "commits":
        repository.commit()
    result = seen(repository, "HEAD~1..HEAD" if side == "commits" else "", staged=side == "index")
    assert [item.effect for item in result.items] == [Effect.UNAFFECTED, Effect.EDITS]
    assert "+    return max(amount, -LIMIT)" in result.items[1].detail
    assert (link, link) in result.files


def test_a_link_that_leads_to_nothing_deletes_what_is_cited(repository: Repository) -> None:
    (repository.path / "alias.py").symlink_to("src/gauge.py")
    repository.commit({"src/gauge.py": GAUGE, "a.md": "One 【F:alias.py†L1】\n"})
    relink(repository, "alias.py", "nowhere.py")
    assert told(seen(repository)) == [("【F:alias.py†L1】", "deletes")]


def test_a_folder_that_becomes_a_link(repository: Repository) -> None:
    files = {"src/gauge.py": GAUGE, "old/gauge.py": GAUGE.replace("-amount", "amount")}
    repository.commit({**files, "a.md": "Edited 【F:src/gauge.py†L10-L11】.\n"})
    relink(repository, "src", "old", folder=True)
    repository.git("add", "-A")
    (item,) = seen(repository, staged=True).items
    assert item.effect in (Effect.EDITS, Effect.MOVES)


def test_a_link_that_stays_is_not_told(repository: Repository) -> None:
    (repository.path / "alias.py").symlink_to("src/gauge.py")
    (repository.path / "other.py").symlink_to("src/same.py")
    repository.commit({"src/gauge.py": GAUGE, "src/same.py": "x = 1\n", "a.md": "One 【F:alias.py†L1】\n"})
    relink(repository, "other.py", "src/gauge.py")
    assert seen(repository).items == []


TEXT = "one passed\ntwo failed\n"
DIGEST = sha256(TEXT.encode()).hexdigest()


def bundle(**more: object) -> str:
    about = {"id": DIGEST[:6], "digest": DIGEST, "file": f"{DIGEST[:12]}.txt", "bytes": len(TEXT), "lines": 2, **more}
    return json.dumps({"version": 1, "chunks": [about]})


@pytest.mark.parametrize("side", ["work tree", "index", "commits"])
@pytest.mark.parametrize(
    ("name", "text", "effect"),
    [
        (f"b/{DIGEST[:12]}.txt", TEXT.replace("two", "2"), Effect.EDITS),
        (f"b/{DIGEST[:12]}.txt", None, Effect.EDITS),
        ("b/pincite-bundle.json", None, Effect.DELETES),
        ("b/pincite-bundle.json", bundle(file="0123456789ab.txt"), Effect.EDITS),
        ("b/pincite-bundle.json", bundle(masked=0, external=False), Effect.UNAFFECTED),
    ],
    ids=["edited", "gone", "bundle gone", "another file", "said otherwise"],
)
def test_captured_output_that_a_change_touches(
    repository: Repository, side: str, name: str, text: str | None, effect: Effect
) -> None:
    files = {"b/pincite-bundle.json": bundle(), f"b/{DIGEST[:12]}.txt": TEXT}
    repository.commit({**files, "src/a.py": "x = 1\n", "a.md": f"Said. 【{DIGEST[:6]}†L1】\nElse. 【F:src/a.py†L1】\n"})
    if text is None:
        (repository.path / name).unlink()
    else:
        repository.write(name, text)
    if side != "work tree":
        repository.git("add", "-A")
    if side == "commits":
        repository.commit()
    result = seen(repository, "HEAD~1..HEAD" if side == "commits" else "", staged=side == "index")
    assert told(result) == [(f"【{DIGEST[:6]}†L1】", effect.value)]


def test_a_bundle_that_a_change_adds(repository: Repository) -> None:
    repository.commit({"a.md": f"Said. 【{DIGEST[:6]}†L1】\n"})
    repository.write("b/pincite-bundle.json", bundle())
    repository.write(f"b/{DIGEST[:12]}.txt", TEXT)
    assert told(seen(repository)) == [(f"【{DIGEST[:6]}†L1】", "new")]


HABIT = "# D\n\nVoice consistency improves quality [1]. It was shown before (Smith et al., 2023).\n"


@pytest.mark.parametrize(
    ("settings", "files", "seen_at_all"),
    [
        ({}, {}, False),
        ({}, {".aiwg/research/notes.md": "x\n"}, False),
        ({"corpus": {"path": "papers"}}, {}, False),
        ({"corpus": {"bibliography": ["refs.bib"]}}, {}, False),
        ({"corpus": {"bibliography": ["refs.bib"]}}, {"refs.bib": "@article{a, title={X}}\n"}, True),
        ({"corpus": {"path": "papers"}}, {"papers/REF-001-a.md": "---\ntitle: T\n---\n"}, True),
        ({}, {".aiwg/research/corpus/REF-001-a.md": "---\ntitle: T\n---\n"}, True),
    ],
)
def test_numbers_in_brackets_are_seen_only_where_the_commit_has_papers(
    repository: Repository, settings: dict[str, Any], files: dict[str, str], seen_at_all: bool
) -> None:
    repository.commit({"d.md": "# D\n", **files})
    repository.commit({"d.md": HABIT})
    result = seen(repository, "HEAD~1..HEAD", config=parse_config(settings, "x"))
    assert [item.raw for item in result.items] == (["[1]", "(Smith et al., 2023)"] if seen_at_all else [])


def test_a_corpus_that_only_the_work_tree_has_says_nothing_of_commits(repository: Repository) -> None:
    repository.commit({"d.md": "# D\n", ".gitignore": ".aiwg/\n"})
    repository.commit({"d.md": HABIT})
    repository.write(".aiwg/research/corpus/REF-001-a.md", "---\ntitle: T\n---\n")
    assert not seen(repository, "HEAD~1..HEAD").items
