"""What became of cited text: told from what its author saw, and never more than can be told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.checks import CheckedCitation
from pincite.core.model import Citation, Finding, Outcome, Safety, Severity
from pincite.dialects import get_dialect
from pincite.engine.drift.follow import Follower
from pincite.engine.pipeline import Engine
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.sources import World
from pincite.text.document import Document
from pincite.text.evidence import Evidence

OLD = ["import os", "", "def main():", "    limit = 10", "    return limit", "", "main()"]
COMMIT = "1f0c9ae2b7d4c6e8a0b1c2d3e4f5061728394a5b"


class FakeHistory:
    """A history in which one commit wrote every citing line and saw these files."""

    trouble = ""

    def __init__(self, files: dict[str, str], witness: str = COMMIT, renamed: dict[str, str] | None = None) -> None:
        self.files = files
        self.witness = witness
        self.names = renamed or {}

    def explain_unknown(self, document: str) -> str:
        return ""

    def is_link(self, path: str) -> bool:
        return False

    def witnesses(self, document: str, lines: list[str], blob: str) -> list[str]:
        assert blob
        return [self.witness] * len(lines)

    def blob_ids(self, pairs: list[tuple[str, str]]) -> list[str | None]:
        return [path if path in self.files else None for _, path in pairs]

    def blob_id(self, data: bytes) -> str:
        return next((path for path, text in self.files.items() if text.encode() == data), "none")

    def foresee(self, blobs: list[str]) -> None:
        assert all(blob in self.files for blob in blobs)

    def text_of(self, blob: str) -> bytes:
        return self.files[blob].encode()

    def vanished_in(self, path: str) -> str | None:
        return None

    def past_paths_by_end(self, end: str) -> list[str]:
        return []

    def last_blob(self, path: str) -> str:
        return path if path in self.files else ""

    @property
    def is_cut(self) -> bool:
        return False

    @property
    def candidates(self) -> dict[str, None]:
        return {}

    def has_existed(self, path: str) -> bool:
        return path in self.files

    def find_rename(self, path: str) -> str | None:
        return self.names.get(path)


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def follow(
    tmp_path: Path, body: str, now: dict[str, str], past: FakeHistory | None, path: str = "x.md"
) -> list[Finding]:
    """The findings on the one citation of a document, after following it."""
    for name, content in now.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    with Root(str(tmp_path)) as root:
        follower = Follower(past)  # type: ignore[arg-type]
        engine = Engine(root, follower=follower, every=True)
        report = engine.check_bytes(path, body.encode())
    (verdict,) = report.verdicts
    return list(verdict.findings)


def one(tmp_path: Path, now: list[str], lines: str = "L3-L5", witness: str = COMMIT) -> list[Finding]:
    past = FakeHistory({"a.py": text(OLD)}, witness)
    return follow(tmp_path, f"So.【F:a.py†{lines}】\n", {"a.py": text(now)}, past)


def test_unchanged_says_nothing(tmp_path: Path) -> None:
    assert one(tmp_path, OLD) == []
    assert one(tmp_path, [*OLD, "more"]) == []


def test_moved_names_the_place_and_offers_it(tmp_path: Path) -> None:
    (found,) = one(tmp_path, ["# top", *OLD])
    assert (found.check, found.severity) == ("lines-moved", Severity.WARNING)
    assert found.message == "Moved to L4-L6, unchanged since 1f0c9ae, when it was cited"
    assert found.edit is not None and found.edit.replacement == "【F:a.py†L4-L6】"


def test_moved_takes_the_place_of_past_the_end(tmp_path: Path) -> None:
    (found,) = one(tmp_path, OLD[2:5])
    assert found.check == "lines-moved"
    (found,) = one(tmp_path, ["something else"])
    assert found.check == "line-out-of-range"


def test_edited_shows_a_short_diff_and_offers_nothing(tmp_path: Path) -> None:
    (found,) = one(tmp_path, [line.replace("10", "12") for line in OLD])
    assert (found.check, found.outcome, found.edit) == ("lines-edited", Outcome.MISMATCH, None)
    assert found.detail.split("\n") == [" def main():", "-    limit = 10", "+    limit = 12", "     return limit"]


def test_a_long_diff_is_cut(tmp_path: Path) -> None:
    past = FakeHistory({"a.py": text([f"old {number}" for number in range(60)])})
    now = {"a.py": text([f"new {number}" for number in range(60)])}
    (found,) = follow(tmp_path, "So.【F:a.py†L1-L60】\n", now, past)
    assert found.detail.count("\n") == 12
    assert found.detail.endswith("more lines")


def test_deleted(tmp_path: Path) -> None:
    (found,) = one(tmp_path, OLD[:3] + OLD[5:], "L4-L5")
    assert (found.check, found.outcome) == ("lines-deleted", Outcome.MISSING)


def test_several_places_are_listed_and_none_is_offered(tmp_path: Path) -> None:
    (found,) = one(tmp_path, ["a", "    return limit", "b", "    return limit", "c", "d"], "L5")
    assert (found.check, found.outcome, found.edit) == ("lines-ambiguous", Outcome.AMBIGUOUS, None)
    assert found.detail == "  a.py:2\n  a.py:4"


def test_an_unknown_past_is_unchecked_never_unchanged(tmp_path: Path) -> None:
    (found,) = one(tmp_path, OLD, witness="unknown")
    assert (found.check, found.outcome) == ("drift-unknown", Outcome.UNCHECKED)


def test_a_line_that_is_not_committed_was_written_against_the_work_tree(tmp_path: Path) -> None:
    assert one(tmp_path, ["# top", *OLD], witness="worktree") == []


@pytest.mark.parametrize(
    ("lines", "check"), [("L0", "line-invalid"), ("L8", "line-out-of-range"), ("L6-L9", "range-past-end")]
)
def test_what_was_never_right_has_nothing_to_follow(tmp_path: Path, lines: str, check: str) -> None:
    found = one(tmp_path, [*OLD[:-1], "main( )"], lines)
    assert [finding.check for finding in found] == [check]
    assert found[0].edit is None


def test_a_renamed_file_is_followed(tmp_path: Path) -> None:
    past = FakeHistory({"a.py": text(OLD)}, renamed={"a.py": "lib/b.py"})
    (found,) = follow(tmp_path, "So.【F:a.py†L3-L5】\n", {"lib/b.py": text(["# top", *OLD])}, past)
    assert (found.check, found.message) == ("file-renamed", "Renamed to lib/b.py:4-6, unchanged")
    assert found.edit is not None and found.edit.replacement == "【F:lib/b.py†L4-L6】"


@pytest.mark.parametrize("lines", ["L0", "L0-L4", "L7-L8", "L40"])
def test_a_line_that_never_existed_does_not_follow_a_rename(tmp_path: Path, lines: str) -> None:
    past = FakeHistory({"a.py": text(OLD)}, renamed={"a.py": "b.py"})
    (found,) = follow(tmp_path, f"So.【F:a.py†{lines}】\n", {"b.py": text(OLD)}, past)
    assert (found.check, found.edit) == ("file-not-found", None)


def test_a_renamed_file_with_other_text_is_only_hinted_at(tmp_path: Path) -> None:
    past = FakeHistory({"a.py": text(OLD)}, renamed={"a.py": "b.py"})
    (found,) = follow(tmp_path, "So.【F:a.py†L4】\n", {"b.py": text(["something", "else"])}, past)
    assert (found.check, found.edit) == ("file-not-found", None)
    assert "b.py" in found.detail


@pytest.mark.parametrize(
    ("old", "expected"), [({"a.py": 1}, "lib/b.py#L4"), ({"a.py": 1, "notes/a.py": 1}, ""), ({"notes/a.py": 1}, "")]
)
def test_a_link_that_means_the_root_is_followed(tmp_path: Path, old: dict[str, int], expected: str) -> None:
    """Of the two files that a path may mean, the one that was there when it was cited; the likelier one where both."""
    past = FakeHistory(dict.fromkeys(old, text(OLD)), renamed={"a.py": "lib/b.py"})
    (found,) = follow(tmp_path, "So [x](a.py#L3).\n", {"lib/b.py": text(["# top", *OLD])}, past, "notes/x.md")
    assert found.check == ("file-renamed" if expected else "file-not-found")
    assert (found.edit is not None and f"[x]({expected})" == found.edit.replacement) is bool(expected)


def test_a_rename_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    past = FakeHistory({"a.py": text(OLD)}, renamed={"a.py": "../b.py"})
    (found,) = follow(tmp_path, "So.【F:a.py†L4】\n", {}, past)
    assert (found.check, found.edit) == ("file-not-found", None)


def memory(*rows: str) -> str:
    return "---\ncitations:\n  - path: a.py\n" + "".join(f"    {row}\n" for row in rows) + "---\n"


def test_a_snippet_on_one_other_line_is_moved_and_still_an_error(tmp_path: Path) -> None:
    (found,) = follow(tmp_path, memory("line: 3", "snippet: return limit"), {"a.py": text(OLD)}, None)
    assert (found.check, found.severity) == ("snippet-moved", Severity.ERROR)
    assert found.message.endswith("It stands on line 5")
    assert found.edit is not None


def test_a_snippet_on_several_lines_is_not_moved(tmp_path: Path) -> None:
    (found,) = follow(tmp_path, memory("line: 1", "snippet: return limit"), {"a.py": text(["x", *OLD, *OLD])}, None)
    assert (found.check, found.edit) == ("snippet-mismatch", None)
    assert found.detail == "the snippet stands on lines 6, 13"


def test_a_snippet_without_a_line_is_offered_one(tmp_path: Path) -> None:
    (found,) = follow(tmp_path, memory("snippet: return limit"), {"a.py": text(OLD)}, None)
    assert found.check == "snippet-without-line"
    assert found.edit is not None and "line: 5" in found.edit.replacement


def test_a_snippet_of_a_file_that_grew_shorter_is_followed(tmp_path: Path) -> None:
    (found,) = follow(tmp_path, memory("line: 40", "snippet: return limit"), {"a.py": text(OLD)}, None)
    assert found.check == "snippet-moved"
    assert found.message == "Line 40 exceeds file length (7 lines). It stands on line 5"
    assert found.edit is not None and found.edit.replacement == "5"
    (found,) = follow(tmp_path, memory("line: 40", "snippet: return limit"), {"a.py": text(["x", "y"])}, None)
    assert (found.check, found.edit) == ("line-out-of-range", None)


def test_a_memory_of_a_renamed_file_is_an_error(tmp_path: Path) -> None:
    past = FakeHistory({"a.py": text(OLD)}, renamed={"a.py": "b.py"})
    (found,) = follow(tmp_path, memory("line: 5", "snippet: return limit"), {"b.py": text(OLD)}, past)
    assert (found.check, found.severity) == ("file-renamed", Severity.ERROR)
    assert found.edit is not None and found.edit.replacement == "b.py"


def test_prose_is_a_citation_only_of_what_is_or_was_a_file(tmp_path: Path) -> None:
    past = FakeHistory({"old.py": "x\n"})
    (found,) = follow(tmp_path, "See old.py:1 and never.py:1.\n", {}, past)
    assert found.check == "file-not-found"


def test_without_history_nothing_is_compared(tmp_path: Path) -> None:
    assert follow(tmp_path, "So.【F:a.py†L3-L5】\n", {"a.py": text(["# top", *OLD])}, None) == []


def test_a_citation_over_two_lines_is_witnessed_by_the_line_with_the_number(tmp_path: Path) -> None:
    asked: list[str] = []

    class Asking(FakeHistory):
        def witnesses(self, document: str, lines: list[str], blob: str) -> list[str]:
            asked.extend(lines)
            return ["worktree"] * len(lines)

    document = Document("x.md", "It is [set\nhere](a.py#L1).\n")
    (citation,) = get_dialect("link").extract(document)
    assert isinstance(citation, Citation)
    rows = [CheckedCitation(citation, Evidence(citation.source, b"x\n"))]
    with Root(str(tmp_path)) as root:
        Follower(Asking({})).follow(document, rows, World(root, lambda: None))  # type: ignore[arg-type]
    assert asked == ["here](a.py#L1)."]


def test_a_deleted_file_is_told_with_its_commit(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/a.py": "one = 1\ntwo = 2\n", "doc.md": "Said. 【F:src/a.py†L2】\n"})
    (repo.path / "src/a.py").unlink()
    gone = repo.commit()
    (finding,) = pincite.check(root=repo.path).verdicts[0].findings
    assert (finding.check, finding.detail) == ("file-not-found", f"it was deleted in {gone[:7]}")


def test_a_citation_younger_than_the_rename_is_held_to_the_last_text_of_the_old_name(
    make_repository: Callable[..., Any],
) -> None:
    repo = make_repository()
    repo.commit({"old.py": "\n".join(OLD), "d.md": "See 【F:old.py†L4】.\n"})
    repo.git("mv", "old.py", "new.py")
    repo.commit({"d.md": "Do see 【F:old.py†L4】.\n"})
    (found,) = checked(repo.path)
    assert (found.check, found.message) == ("file-renamed", "Renamed to new.py:4, unchanged")
    assert found.edit is not None
    assert found.edit.safety is Safety.UNSAFE
    repo.commit({"new.py": "\n".join(OLD).replace("10", "11")})
    (found,) = checked(repo.path)
    assert (found.check, found.edit) == ("file-not-found", None)
    assert found.detail == "git knows it as new.py now, where the cited text does not stand unchanged"


def test_an_older_citation_is_held_to_what_its_author_saw_not_to_the_last_text(
    make_repository: Callable[..., Any],
) -> None:
    repo = make_repository()
    repo.commit({"old.py": "\n".join(OLD), "d.md": "See 【F:old.py†L4】.\n"})
    repo.commit({"old.py": "\n".join(OLD).replace("    limit = 10", "    total = frob(1, 2, 3)")})
    repo.git("mv", "old.py", "new.py")
    repo.commit()
    (found,) = checked(repo.path)
    assert found.check == "file-not-found"


def checked(path: Path) -> list[Finding]:
    with Root(str(path)) as root:
        run = Run(root, Request(cache=False))
        return [found for report in run.reports() for verdict in report.verdicts for found in verdict.findings]
