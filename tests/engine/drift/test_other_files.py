"""Words that left their file, looked for in all others: offered to a reader where there is one place, else not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.model import Finding, Lines, Place, Safety
from pincite.engine.drift.follow import Follower
from pincite.engine.drift.other_files import Bounds, Searcher
from pincite.engine.locking import Locker, Locks, apply, repoint
from pincite.engine.pipeline import Engine
from pincite.engine.repair.edits import apply_edits
from pincite.engine.repair.fix import Fixer, write
from pincite.engine.run import Request, Run
from pincite.project.documents import find_documents
from pincite.safe.files import Root
from pincite.sources import World
from pincite.store import LOCK

WORDS = "retries = settings.most_retries"
MEMORY = ".serena/memories/m.md"
OTHER = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))


def memory(path: str = "src/client.py", line: int = 3, words: str = WORDS) -> str:
    return f"---\nsubject: Retries\ncitations:\n  - path: {path}\n    line: {line}\n    snippet: {words}\n---\nProse.\n"


def put(top: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def searched(top: Path, document: str = MEMORY, bounds: Bounds | None = None, locks: Locks | None = None) -> Finding:
    """The one finding on the one citation of a document, by a search without history."""
    with Root(str(top)) as root:
        engine = Engine(root, follower=Follower(None, locks, None, Searcher(bounds)), every=True)
        report = engine.check_bytes(document, (top / document).read_bytes())
    ((finding,),) = [verdict.findings for verdict in report.verdicts if verdict.findings]
    return finding


def reports(top: Path, **asked: Any) -> list[Finding]:
    """All findings of a run."""
    with Root(str(top)) as root:
        found = [*Run(root, Request(**asked)).reports()]
    return [finding for report in found for verdict in report.verdicts for finding in verdict.findings]


def lock(top: Path) -> None:
    with Root(str(top)) as root:
        run = Run(root, Request(every=True, cache=False))
        config = run.request.config
        listed = find_documents(root, run.git(), (), config.documents, config.exclude).documents
        apply(root, Locker(root, None, World(root, lambda: None), listed, ()).plan(run.reports(), ()))


def test_a_snippet_of_a_file_that_is_gone_is_found_in_another(tmp_path: Path) -> None:
    text = memory()
    put(tmp_path, {MEMORY: text, "lib/http.py": f"import os\n\n    {WORDS}  # often\n", "lib/a.py": OTHER})
    found = searched(tmp_path)
    assert (found.check, found.place) == ("file-not-found", Place("lib/http.py", Lines(3, 3)))
    assert found.detail == "the same words stand only there"
    assert found.message.endswith(". The same words stand at lib/http.py:3")
    assert (found.then, found.now) == ((WORDS,), (f"    {WORDS}  # often",))
    assert found.edit is not None and found.edit.safety is Safety.UNSAFE
    assert apply_edits(text, [found.edit]) == text.replace("src/client.py", "lib/http.py")


@pytest.mark.parametrize(("line", "check"), [(3, "snippet-mismatch"), (99, "line-out-of-range")])
def test_a_snippet_that_left_its_file_is_found_in_another(tmp_path: Path, line: int, check: str) -> None:
    put(tmp_path, {MEMORY: memory(line=line), "src/client.py": OTHER, "src/http.py": f"{WORDS}\n"})
    found = searched(tmp_path)
    assert (found.check, found.place, found.now) == (check, Place("src/http.py", Lines(1, 1)), ())
    assert found.edit is not None and found.edit.safety is Safety.UNSAFE


@pytest.mark.parametrize(
    "files",
    [
        # Two files have the words, or one has them twice.
        {"lib/a.py": f"{WORDS}\n", "lib/b.py": f"x\n{WORDS}\n"},
        {"lib/a.py": f"{WORDS}\nx\n{WORDS}\n"},
        # Of several files of the name, two have them.
        {"lib/client.py": f"{WORDS}\n", "old/client.py": f"{WORDS}\n"},
    ],
)
def test_several_places_are_only_named(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    put(tmp_path, {MEMORY: memory(), **files})
    found = searched(tmp_path)
    assert (found.edit, found.place) == (None, None)
    head, *rows = found.detail.splitlines()
    assert head == "the same words stand at several places"
    assert len(rows) == 2 and {row.strip().partition(":")[0] for row in rows} == set(files)


def test_very_many_places_say_nothing(tmp_path: Path) -> None:
    put(tmp_path, {MEMORY: memory(), "a.py": f"{WORDS}\n" * 1000})
    found = searched(tmp_path)
    assert (found.edit, found.detail) == (None, "")


def test_the_file_of_the_same_name_goes_before_others(tmp_path: Path) -> None:
    put(tmp_path, {MEMORY: memory(), "lib/client.py": f"{WORDS}\n", "docs/x.md": f"We say `{WORDS}`.\n"})
    found = searched(tmp_path)
    assert found.place == Place("lib/client.py", Lines(1, 1)) and found.edit is not None
    assert found.detail.startswith("of all files of that name")


@pytest.mark.parametrize(
    "files",
    [
        {},
        # What says too little stands anywhere.
        {"a.py": "return x\n", MEMORY: memory(words="return x")},
        # A text that only looks like it.
        {"a.py": WORDS.replace("most", "least") + "\n"},
        {"a.py": WORDS.replace(" = ", "\n") + "\n"},
        # What cites them is no evidence: the memory itself, other memories, the lock.
        {MEMORY: memory() + f"\n{WORDS}\n"},
        {".serena/memories/n.md": f"{WORDS}\n", "notes/n.md": memory(path="src/other.py")},
        {LOCK: f'{{"pincite_lock":1}}\n{{"text":["{WORDS}"]}}\n'},
        # What tools make, what is no text, what cannot be read as UTF-8.
        {"node_modules/a.py": f"{WORDS}\n"},
        {"a.bin": f"\0\n{WORDS}\n"},
        {"a.py": f"{WORDS} \xff\n".encode("latin-1")},
    ],
)
def test_what_is_no_evidence_is_not_offered(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    put(tmp_path, {MEMORY: memory(), **files})
    found = searched(tmp_path)
    assert (found.check, found.edit, found.detail) == ("file-not-found", None, "")


def test_words_that_stand_in_their_file_are_not_looked_for_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, {MEMORY: memory(), "src/client.py": f"{WORDS}\nx\ny\n{WORDS}\n", "a.py": f"{WORDS}\n"})
    found = searched(tmp_path)
    assert (found.edit, found.detail) == (None, "the snippet stands on lines 1, 4")


@pytest.mark.parametrize("bounds", [Bounds(files=2), Bounds(bytes=300), Bounds(searched=300)])
def test_beyond_the_bounds_nothing_is_offered(tmp_path: Path, bounds: Bounds) -> None:
    put(tmp_path, {MEMORY: memory(), "a.py": f"{WORDS}\n", "z.py": OTHER})
    found = searched(tmp_path, bounds=bounds)
    assert (found.edit, found.detail) == (None, "")
    assert searched(tmp_path).edit is not None


def test_large_files_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, {MEMORY: memory(), "a.py": f"{WORDS}\n", "z.py": f"{WORDS}\n" + OTHER})
    found = searched(tmp_path, bounds=Bounds(largest=200))
    assert found.edit is not None and found.detail == "the same words stand only there; 1 large file not looked at"


def test_links_lead_to_one_place_and_never_out(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    put(outside, {"a.py": f"{WORDS}\n"})
    put(top, {MEMORY: memory(), "lib/http.py": f"{WORDS}\n"})
    os.symlink("lib/http.py", top / "a.py")
    os.symlink("lib/http.py", top / "z.py")
    os.symlink(outside / "a.py", top / "out.py")
    os.symlink(outside, top / "folder")
    os.symlink("round", top / "round")
    assert searched(top).place == Place("lib/http.py", Lines(1, 1))
    (top / "lib/http.py").unlink()
    assert searched(top).place is None


NAMES = st.sampled_from(("a.py", "b/a.py", "b/client.py", "c.md", "src/x/client.py"))
LINES = st.lists(st.sampled_from((WORDS, f"  {WORDS};", "x = 1", "", WORDS[:-1], WORDS.upper())), max_size=5)


@given(tree=st.dictionaries(NAMES, LINES, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_tree_holds_an_offer_is_the_only_one(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, list[str]]
) -> None:
    top = tmp_path_factory.mktemp("tree")
    put(top, {MEMORY: memory(), **{name: "\n".join(lines) for name, lines in tree.items()}})
    places = [(name, at) for name, lines in tree.items() for at, line in enumerate(lines, 1) if WORDS in line]
    named = [place for place in places if place[0].endswith("client.py")]
    certain = places if len(places) == 1 else named if len(named) == 1 else []
    found = searched(top)
    assert found.place == next((Place(path, Lines(at, at)) for path, at in certain), None)
    assert (found.edit is not None) is bool(certain)


CITED = "The third step. 【F:src/app.py†L{0}】\n"


def locked(top: Path, lines: str, after: dict[str, str | bytes], body: str = BODY) -> Finding:
    """The finding on a citation that was locked, once the tree is another one."""
    put(top, {"docs/a.md": CITED.format(lines), "src/app.py": body})
    lock(top)
    (top / "src/app.py").unlink()
    put(top, after)
    with Root(str(top)) as root:
        return searched(top, "docs/a.md", locks=Locks.load(root))


@pytest.mark.parametrize(
    ("lines", "there"), [("3", Lines(4, 4)), ("3-L5", Lines(4, 6)), ("30", Lines(31, 31)), ("1-L30", Lines(2, 31))]
)
@pytest.mark.parametrize("left", [None, OTHER, "x\n"])
def test_locked_lines_are_found_between_their_neighbours(
    tmp_path: Path, lines: str, there: Lines, left: str | None
) -> None:
    """The file is gone, or what it says is something else now."""
    after: dict[str, str | bytes] = {"lib/steps.py": "# steps\n" + BODY, "lib/other.py": OTHER}
    found = locked(tmp_path, lines, after if left is None else {**after, "src/app.py": left})
    assert found.place == Place("lib/steps.py", there), found
    assert found.detail.endswith("the same words stand only there")
    assert found.edit is not None and found.edit.safety is Safety.UNSAFE
    assert "lib/steps.py†L" in found.edit.replacement and found.then[0] == f"step_{lines.partition('-')[0]} = " + (
        f"prepare({lines.partition('-')[0]})"
    )


def test_lines_too_many_to_be_kept_are_known_by_their_digest(tmp_path: Path) -> None:
    long = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 200))
    top, other = tmp_path / "a", tmp_path / "b"
    found = locked(top, "3-L150", {"lib/steps.py": "# steps\n" + long}, long)
    assert found.place == Place("lib/steps.py", Lines(4, 151)) and found.edit is not None
    edited = long.replace("prepare(100)", "prepare(101)")
    assert locked(other, "3-L150", {"lib/steps.py": "# steps\n" + edited}, long).edit is None


@pytest.mark.parametrize(
    "after",
    [
        # Two copies with all that was around them.
        {"lib/a.py": BODY, "lib/b.py": "#\n" + BODY},
        # The words alone, among others.
        {"lib/a.py": OTHER + "step_3 = prepare(3)\n" + OTHER},
        # Edited words.
        {"lib/a.py": BODY.replace("prepare(3)", "prepare(33)")},
        {"lib/a.py": OTHER},
    ],
)
def test_locked_lines_are_not_offered_where_that_is_not_certain(tmp_path: Path, after: dict[str, str | bytes]) -> None:
    found = locked(tmp_path, "3", after)
    assert (found.edit, found.place) == (None, None)
    assert ("at several places" in found.detail) is (len(after) == 2)


def test_many_files_of_a_name_are_not_taken_for_the_one(tmp_path: Path) -> None:
    after: dict[str, str | bytes] = {f"lib/{at}/app.py": BODY for at in range(9)}
    found = locked(tmp_path, "3", after)
    assert (found.edit, found.place) == (None, None)


def test_what_is_locked_follows_where_a_reader_agreed(tmp_path: Path) -> None:
    put(tmp_path, {"docs/a.md": CITED.format(3), "src/app.py": BODY})
    lock(tmp_path)
    (tmp_path / "src/app.py").unlink()
    put(tmp_path, {"lib/steps.py": "# steps\n" + BODY})
    with Root(str(tmp_path)) as root:
        run = Run(root, Request(cache=False, thorough=True))
        (report,) = run.reports()
        fixer = Fixer(root, run.engine)
        offers = fixer.offers(report)
        assert offers is not None
        fix = fixer.fix(offers, offers.changes)
        write(root, fix)
        assert repoint(root, fixer.engine, [fix]) == 1
    assert (tmp_path / "docs/a.md").read_text() == "The third step. 【F:lib/steps.py†L4】\n"
    assert reports(tmp_path, cache=False) == []
    assert '"cites":"lib/steps.py:4"' in (tmp_path / LOCK).read_text()


def test_a_check_does_not_search_and_each_keeps_its_own_answers(tmp_path: Path) -> None:
    put(tmp_path, {MEMORY: memory(), "lib/http.py": f"{WORDS}\n", "lib/a.py": OTHER})
    for _ in range(2):
        for thorough in (False, True, True):
            (found,) = reports(tmp_path, thorough=thorough)
            assert (found.edit is not None) is thorough
    # A kept answer falls with any file that it rests on, and with one that comes or goes.
    put(tmp_path, {"lib/a.py": OTHER + f"{WORDS}\n"})
    (found,) = reports(tmp_path, thorough=True)
    assert found.edit is None and "lib/a.py:21" in found.detail
    (tmp_path / "lib/a.py").unlink()
    assert reports(tmp_path, thorough=True)[0].edit is not None
    put(tmp_path, {"new/b.py": f"{WORDS}\n"})
    assert reports(tmp_path, thorough=True)[0].edit is None


def test_files_that_git_ignores_are_not_searched(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({MEMORY: memory(), ".gitignore": "made/\n", "x.py": "x\n"})
    put(repo.path, {"made/a.py": f"{WORDS}\n"})
    assert reports(repo.path, thorough=True)[0].edit is None
    put(repo.path, {"lib/new.py": f"{WORDS}\n"})
    (found,) = reports(repo.path, thorough=True)
    assert found.place == Place("lib/new.py", Lines(1, 1))


def test_looking_for_many_takes_time_in_proportion(tmp_path: Path, in_proportion: Callable[..., bool]) -> None:
    put(tmp_path, {f"src/{at}.py": OTHER for at in range(20)})

    def search(count: int) -> None:
        rows = "".join(
            f"  - path: src/gone.py\n    line: 1\n    snippet: number_{at} = lost_words\n" for at in range(count)
        )
        with Root(str(tmp_path)) as root:
            engine = Engine(root, follower=Follower(searcher=Searcher()))
            report = engine.check_bytes(MEMORY, f"---\nsubject: x\ncitations:\n{rows}---\n".encode())
        assert len(report.verdicts) == count

    assert in_proportion(search, 100, 400, 4)
