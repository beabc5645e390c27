"""Other repositories: which mirror an address means, what stands there, and what an answer about it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from pincite.core.model import Citation, Lines, Obstacle, SourceRef, Span
from pincite.safe.files import Root
from pincite.safe.folder_lock import FolderBusy, own_folder
from pincite.sources import World
from pincite.text.evidence import Evidence
from support_mirrors import CODE, NAME, MirroredPair


@pytest.fixture
def pair(make_repository: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MirroredPair:
    made = MirroredPair(make_repository, tmp_path)
    monkeypatch.setenv("PINCITE_MIRRORS", str(made.folder))
    made.publish(1, {"src/a.py": CODE, "b.bin": b"\xff\xfe\x00"})
    return made


@pytest.fixture
def world(pair: MirroredPair) -> Iterator[World]:
    with Root(str(pair.here.path)) as root:
        made = World(root, lambda: None)
        yield made
        made.close()


def cite(key: str, scheme: str = "permalink", line: int = 1) -> Citation:
    return Citation("permalink", Span(0, 1), "x", SourceRef(scheme, key), Lines(line, line), tentative=True)


def look_up(world: World, citation: Citation) -> tuple[str, Evidence | Obstacle | None]:
    """What is cited, and what is found there."""
    assert world.others is not None
    located = world.others.locate(citation)
    assert located is not None
    found, obstacle = located
    return found.source.key, obstacle or world.find(found)


def test_without_the_variable_there_are_no_other_repositories(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        world = World(root, lambda: None)
        assert world.others is None and not world.offers("mirrors")
        assert world.find(cite(f"{NAME}:src/a.py", "mirror")) is None
        assert world.find(cite("other/name:src/a.py", "repository")) is None


def test_a_file_of_the_current_state_and_one_of_a_commit(pair: MirroredPair, world: World) -> None:
    commit = pair.there.git("rev-parse", "HEAD")
    key, found = look_up(world, cite("Other/Name@main:src/a.py"))
    assert isinstance(found, Evidence)
    assert (key, found.source) == (f"{NAME}:src/a.py", SourceRef("mirror", f"{NAME}:src/a.py"))
    assert found.data == CODE.encode()
    key, pinned = look_up(world, cite(f"other/name@{commit[:9]}:src/a.py"))
    assert isinstance(pinned, Evidence)
    assert key == pinned.source.key == f"{NAME}@{commit[:9]}:src/a.py"
    assert world.offers("mirrors")


def test_of_one_file_there_is_one_evidence_however_often_it_is_cited(world: World) -> None:
    one, other = (look_up(world, cite("other/name@main:src/a.py", line=at))[1] for at in (1, 2))
    assert one is other


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("other/name@main:src/none.py", "file-not-found"),
        ("other/name@main:src", "file-not-found"),
        ("other/name@main:../x.py", "path-blocked"),
        ("other/name@main:.git/config", "file-not-found"),
        ("other/name@main:b.bin", "file-unreadable"),
        ("other/name@v9:src/a.py", "revision-unknown"),
        ("other/name@HEAD~9:src/a.py", "revision-unknown"),
        ("other/name@-x:src/a.py", "revision-unknown"),
    ],
)
def test_why_there_is_no_evidence(world: World, key: str, kind: str) -> None:
    found = look_up(world, cite(key))[1]
    assert isinstance(found, Obstacle)
    assert found.kind == kind


def test_a_large_file_is_not_read(pair: MirroredPair, world: World) -> None:
    pair.publish(2, {"large.txt": b"x" * (world.root.limits.source_bytes + 1)})
    for key in ("other/name@main:large.txt", f"other/name@{pair.there.git('rev-parse', 'HEAD')}:large.txt"):
        found = look_up(world, cite(key))[1]
        assert isinstance(found, Obstacle) and found.kind == "file-unreadable"


def test_a_file_whose_content_is_not_there_is_unchecked(pair: MirroredPair, world: World) -> None:
    blob = pair.there.git("rev-parse", "HEAD:src/a.py")
    rmtree(pair.place)
    copytree(pair.there.path / ".git", pair.place)
    (pair.place / "objects" / blob[:2] / blob[2:]).unlink()
    for key in ("other/name@main:src/a.py", f"other/name@{pair.there.git('rev-parse', 'HEAD')}:src/a.py"):
        found = look_up(world, cite(key))[1]
        assert isinstance(found, Obstacle)
        assert (found.kind, "its content is not in the mirror" in found.detail) == ("revision-unknown", True)


@pytest.mark.parametrize("part", ["objects", "HEAD", "refs"])
def test_a_damaged_mirror_is_unchecked_with_a_reason_and_without_its_place(
    pair: MirroredPair, world: World, part: str
) -> None:
    place = pair.place / part
    place.rename(pair.folder / "away")
    (pair.place / "packed-refs").unlink(missing_ok=True)
    key, found = look_up(world, cite("other/name@main:src/a.py"))
    assert isinstance(found, Obstacle)
    assert (key, found.kind) == (f"{NAME}:src/a.py", "revision-unknown")
    assert NAME in found.detail and str(pair.folder) not in found.detail


def test_objects_of_another_place_are_not_read(pair: MirroredPair, world: World, tmp_path: Path) -> None:
    (pair.place / "objects/info").mkdir(exist_ok=True)
    (pair.place / "objects/info/alternates").write_text(f"{tmp_path}/here/.git/objects\n")
    found = look_up(world, cite("other/name@main:src/a.py"))[1]
    assert isinstance(found, Obstacle)
    assert "borrowed" in found.detail


def test_objects_of_another_mirror_are_read(pair: MirroredPair, world: World) -> None:
    shared = pair.folder / "shared.git"
    pair.place.rename(shared)
    pair.there.git("clone", "-q", "--bare", "--shared", str(shared), str(pair.place))
    assert isinstance(look_up(world, cite("other/name@main:src/a.py"))[1], Evidence)


def test_the_reference_of_the_fleet_comes_before_head(pair: MirroredPair, world: World) -> None:
    first = pair.there.git("rev-parse", "HEAD")
    pair.publish(2, {"src/a.py": "new\n"})
    pair.there.git("--git-dir", str(pair.place), "update-ref", "refs/pincite/head", first)
    found = look_up(world, cite("other/name@main:src/a.py"))[1]
    assert isinstance(found, Evidence) and found.data == CODE.encode()
    assert world.others is not None and world.others.seen == {NAME: first}


def test_what_was_asked_for_is_known(pair: MirroredPair, world: World) -> None:
    others = world.others
    assert others is not None
    for citation in (cite("other/name@main:src/a.py"), cite("third/name@main:src/a.py")):
        others.locate(citation)
    assert others.locate(cite("fourth/name:src/a.py", "repository")) is None
    head = pair.there.git("rev-parse", "HEAD")
    assert others.seen == {NAME: head, "github.com/third/name": "", "*/fourth/name": ""}


def test_an_answer_depends_on_the_state_of_the_mirror(pair: MirroredPair, world: World) -> None:
    look_up(world, cite("other/name@main:src/a.py"))
    place = str(pair.place)
    assert {f"{place}/HEAD", f"{place}/packed-refs", f"{place}/refs/pincite/head"} <= set(world.touched)
    look_up(world, cite("other/name@v1:src/a.py"))
    assert f"{place}/refs/tags/v1" in world.touched


def test_an_answer_depends_on_mirrors_that_are_not_there(pair: MirroredPair, world: World) -> None:
    assert world.others is not None
    world.others.locate(cite("third/name@main:src/a.py"))
    assert list(world.touched) == [f"{pair.folder}/github.com/third/name.git/HEAD"]
    world.others.locate(cite("third/name:src/a.py", "repository"))
    assert str(pair.folder) in world.touched


def test_what_never_was_a_file_is_no_citation(pair: MirroredPair, world: World) -> None:
    assert world.others is not None
    pair.publish(2, {"old.py": "x\n"})
    (pair.there.path / "old.py").unlink()
    pair.publish(3)
    for key in ("other/name:latest", "other/name:src/none.py", "other/name:config", "other/name:1.2"):
        assert world.others.locate(cite(key, "repository")) is None
    for key in ("other/name:src/a.py", "other/name:old.py", f"{NAME}:src/a.py"):
        assert world.others.locate(cite(key, "repository")) is not None


def test_two_hosts_are_ambiguous(pair: MirroredPair, world: World) -> None:
    (pair.folder / "gitlab.example/other").mkdir(parents=True)
    pair.there.git("clone", "-q", "--bare", str(pair.there.path), str(pair.folder / "gitlab.example/other/name.git"))
    found = look_up(world, cite("other/name:src/a.py", "repository"))[1]
    assert isinstance(found, Obstacle)
    assert (found.kind, found.paths) == ("file-ambiguous", (NAME, "gitlab.example/other/name"))
    key, evidence = look_up(world, cite("gitlab.example/other/name:src/a.py", "repository"))
    assert key == "gitlab.example/other/name:src/a.py" and isinstance(evidence, Evidence)


def test_few_mirrors_are_open_at_once_and_each_is_kept_from_being_removed(pair: MirroredPair, world: World) -> None:
    places = [pair.folder / f"github.com/many/name{at}.git" for at in range(10)]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        pair.there.git("clone", "-q", "--bare", str(pair.there.path), str(place))
    for at in range(10):
        assert isinstance(look_up(world, cite(f"many/name{at}@main:src/a.py"))[1], Evidence)
    with own_folder(str(places[0]), 0.0):
        pass
    with pytest.raises(FolderBusy), own_folder(str(places[9]), 0.0):
        pass
    world.close()
    with own_folder(str(places[9]), 0.0):
        pass
    assert isinstance(look_up(world, cite("many/name9@main:src/a.py"))[1], Evidence)


def test_a_branch_with_slashes_is_told_from_the_path(pair: MirroredPair, world: World) -> None:
    pair.there.git("branch", "release/2026/summer")
    pair.publish(2, {"src/a.py": "new\n"})
    key, found = look_up(world, cite("other/name@release:2026/summer/src/a.py"))
    assert key == f"{NAME}@release/2026/summer:src/a.py"
    assert isinstance(found, Evidence) and found.data == CODE.encode()


def test_any_number_of_names_is_remembered_in_bounds(world: World) -> None:
    others = world.others
    assert others is not None
    for number in range(10_050):
        others.has(f"x/y{number}")
    assert len(others.seen) == 10_000


def test_a_repository_is_taken_up_again_as_long_as_its_mirror_is_what_it_was(pair: MirroredPair, world: World) -> None:
    others = world.others
    assert others is not None
    first = others.open(NAME)
    world.close()
    with own_folder(str(pair.place), 0.0):
        pass
    assert others.open(NAME) is first
    with pytest.raises(FolderBusy), own_folder(str(pair.place), 0.0):
        pass
    world.close()
    pair.publish(2, {"src/a.py": "new\n"})
    second = others.open(NAME)
    assert second is not first
    assert others.seen == {NAME: pair.there.git("rev-parse", "HEAD")}
    world.close()
    rmtree(pair.place)
    assert others.open(NAME) is None


def test_only_so_many_revisions_are_looked_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.sources._mirrored_repository._MOST_REVISIONS", 3)
    kinds = []
    for number in range(5):
        found = look_up(world, cite(f"other/name@v{number}:a.py"))[1]
        assert isinstance(found, Obstacle) and found.kind == "revision-unknown"
        kinds.append("more than 3" in found.detail)
    assert kinds == [False, False, False, True, True]


def test_a_whole_id_that_is_no_commit_is_unknown(pair: MirroredPair, world: World) -> None:
    tree = pair.there.git("rev-parse", "HEAD^{tree}")
    found = look_up(world, cite(f"other/name@{tree}:src/a.py"))[1]
    assert isinstance(found, Obstacle)
    assert (found.kind, found.detail) == ("revision-unknown", tree)
