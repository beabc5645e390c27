"""Names from documents lead to a mirror below the folder of mirrors, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.safe.mirror_folder import MirrorFolder

NAME = "github.com/owner/name"


@pytest.fixture
def folder(tmp_path: Path) -> MirrorFolder:
    (tmp_path / "mirrors" / f"{NAME}.git").mkdir(parents=True)
    return MirrorFolder(str(tmp_path / "mirrors"))


def test_a_mirror_is_found_by_its_name_in_any_case(folder: MirrorFolder) -> None:
    assert folder.find(NAME) == folder.find("GitHub.com/Owner/NAME") == f"{folder.path}/{NAME}.git"


def test_names_may_have_groups_dots_and_dashes(folder: MirrorFolder) -> None:
    for name in (
        "git.example%3a8443/a/b",
        "gitlab.example/a/b/c/my-tool",
        "github.com/owner/.github",
        "github.com/owner/x_y.js",
    ):
        Path(folder.path, f"{name}.git").mkdir(parents=True)
        assert folder.find(name) == f"{folder.path}/{name}.git"


@pytest.mark.parametrize(
    "name",
    [
        *("", "owner/name", "name", "/", "//", "github.com//name", "github.com/owner/", "/github.com/owner/name"),
        *("../owner/name", "github.com/../name", "github.com/owner/..", "github.com/./name", "github.com/owner/."),
        *("github.com/owner/na me", "github.com/owner/na\0me", "github.com/owner/näme", "github.com/owner/name\n"),
        *("github.com/owner/\u212aname", "github.com/owner/" + "x" * 101, "a/" * 8 + "name", "github.com\\owner\\name"),
        *("github.com/owner/name.git/refs/heads/x", "github.com%3a/owner/name", "github.com%2f/owner/name"),
        *("github.com/owner%3a1/name", "github.com%3a123456/owner/name", "github.com%3a1%3a2/owner/name"),
    ],
)
def test_what_is_no_name_leads_nowhere(folder: MirrorFolder, name: str) -> None:
    Path(folder.path, "name.git").mkdir()
    Path(folder.path, f"{NAME}.git/refs/heads/x.git").mkdir(parents=True)
    assert folder.locate(name) == ""
    assert folder.find(name) == ""


def test_a_link_inside_of_the_folder_is_followed_and_one_out_of_it_is_not(folder: MirrorFolder, tmp_path: Path) -> None:
    (tmp_path / "away.git").mkdir()
    owner = Path(folder.path, "github.com/owner")
    (owner / "same.git").symlink_to("name.git")
    (owner / "away.git").symlink_to(tmp_path / "away.git")
    Path(folder.path, "github.com/away").symlink_to(tmp_path)
    assert folder.find("github.com/owner/same") == f"{folder.path}/{NAME}.git"
    assert folder.find("github.com/owner/away") == ""
    assert folder.find("github.com/away/away") == ""


def test_a_file_is_no_mirror(folder: MirrorFolder) -> None:
    Path(folder.path, "github.com/owner/file.git").write_text("")
    assert folder.find("github.com/owner/file") == ""
    assert folder.locate("github.com/owner/file") != ""


def test_hosts_are_the_folders_that_can_be_one(folder: MirrorFolder, tmp_path: Path) -> None:
    for name in ("gitlab.example", "Odd Name", ".", "UPPER.example"):
        Path(folder.path, name).mkdir(exist_ok=True)
    Path(folder.path, "file.example").write_text("")
    assert folder.list_hosts() == ["github.com", "gitlab.example"]
    assert MirrorFolder(str(tmp_path / "none")).list_hosts() == []
