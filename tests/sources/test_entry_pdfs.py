"""Which PDF an entry of a bibliography has, where it is looked for, and what is never read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.core.errors import Refused, UsageError
from pincite.papers.model import Paper
from pincite.project.config import CorpusSettings, add_user_library, parse_config
from pincite.safe.files import Root
from pincite.sources import World
from pincite.sources._entry_pdfs import EntryPdf, EntryPdfs

TOP = Path(__file__).resolve().parents[2]
STORED = "storage/AB12CD34/Smith - 2020 - Steady voices.pdf"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "mine").mkdir()
    return tmp_path


def put(top: Path, *names: str) -> None:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(b"%PDF-1.7 " + name.encode())


def find(
    top: Path, libraries: tuple[str, ...] = (), path: str = "refs.bib", keys: tuple[str, ...] = (), **more: object
) -> EntryPdf:
    """What is found for an entry, `{top}` filled in, in a root with the corpus folder `papers`."""
    given = {"id": "smith2020", "authors": ("Ann Smith",), "doi": "10.1000/night.2021", **more}
    files = tuple(str(one).replace("{top}", str(top)) for one in more.get("files", ()))  # type: ignore[attr-defined]
    entry = Paper(path=path, **{**given, "files": files})  # type: ignore[arg-type]
    with Root(str(top / "root")) as root:
        named = [one.replace("{top}", str(top)) for one in libraries]
        pdfs = EntryPdfs(root, "papers", named, lambda _, key: key in keys)
        try:
            return pdfs.find(entry)
        finally:
            pdfs.close()


@pytest.mark.parametrize(
    ("there", "entry", "key"),
    [
        # By what the entry names.
        ("root/x.pdf", {"pdf": "x.pdf"}, "x.pdf"),
        ("root/docs/files/12/x.pdf", {"path": "docs/refs.bib", "pdf": "files/12/x.pdf"}, "docs/files/12/x.pdf"),
        ("root/x.pdf", {"path": "docs/refs.bib", "files": ("../x.pdf",)}, "x.pdf"),
        ("root/pdf/x.pdf", {"files": ("{top}/root/pdf/x.pdf",)}, "pdf/x.pdf"),
        ("root/lib/x.pdf", {"libraries": ("lib",), "pdf": "x.pdf"}, "lib/x.pdf"),
        (f"root/lib/{STORED}", {"libraries": ("lib",), "files": (f"/home/bo/Zotero/{STORED}",)}, f"lib/{STORED}"),
        (
            "root/lib/AB12CD34/x.pdf",
            {"libraries": ("lib",), "files": ("C:/Z/storage/AB12CD34/x.pdf",)},
            "lib/AB12CD34/x.pdf",
        ),
        (
            f"mine/{STORED}",
            {"libraries": ("{top}/mine",), "files": (f"{{top}}/mine/{STORED}",)},
            f"{{top}}/mine/{STORED}",
        ),
        (
            f"mine/{STORED}",
            {"libraries": ("{top}/mine",), "files": (f"/home/bo/Zotero/{STORED}",)},
            f"{{top}}/mine/{STORED}",
        ),
        (
            "mine/Smith 2020.pdf",
            {"libraries": ("{top}/mine",), "files": ("/home/bo/Smith 2020.pdf",)},
            "{top}/mine/Smith 2020.pdf",
        ),
        # By its key.
        ("root/smith2020.pdf", {}, "smith2020.pdf"),
        ("root/papers/smith2020.PDF", {}, "papers/smith2020.PDF"),
        ("root/smith2020/published.pdf", {}, "smith2020/published.pdf"),
        ("root/papers/smith2020/a.pdf", {}, "papers/smith2020/a.pdf"),
        ("root/files/3/smith2020.pdf", {}, "files/3/smith2020.pdf"),
        (
            "mine/storage/AB12CD34/smith2020.pdf",
            {"libraries": ("{top}/mine",)},
            "{top}/mine/storage/AB12CD34/smith2020.pdf",
        ),
        ("root/lib/smith_2020.pdf", {"libraries": ("lib",), "id": "smith:2020"}, "lib/smith_2020.pdf"),
        ("root/smith2020 - Steady voices.pdf", {}, "smith2020 - Steady voices.pdf"),
        # By its DOI.
        ("root/10.1000_night.2021.pdf", {}, "10.1000_night.2021.pdf"),
        ("root/papers/10.1000-NIGHT.2021.pdf", {}, "papers/10.1000-NIGHT.2021.pdf"),
        ("mine/10.1000%2Fnight.2021.pdf", {"libraries": ("{top}/mine",)}, "{top}/mine/10.1000%2Fnight.2021.pdf"),
    ],
)
def test_where_a_pdf_is_found(top: Path, there: str, entry: dict[str, object], key: str) -> None:
    put(top, there)
    found = find(top, **entry)  # type: ignore[arg-type]
    assert (found.key, found.trouble) == (key.replace("{top}", str(top)), "")
    # What the answer rests on is watched, also outside of the root.
    outside = [one for one in found.looked if one.startswith(str(top / "mine"))]
    assert bool(outside) == ("{top}/mine" in str(entry.get("libraries")))


@pytest.mark.parametrize(
    ("there", "entry"),
    [
        ("outside.pdf", {"files": ("../outside.pdf",)}),
        ("outside.pdf", {"files": ("{top}/outside.pdf",)}),
        ("root/.git/x.pdf", {"pdf": ".git/x.pdf"}),
        ("root/.git/x.pdf", {"files": ("{top}/root/.git/x.pdf",)}),
        ("root/.git/smith2020.pdf", {"libraries": (".git",)}),
        ("root/sub/smith2020.pdf", {}),
        ("root/smith2020.txt", {}),
        ("root/smith2020.pdf.html", {}),
        ("root/Smith2020.pdf", {}),
        ("root/smith2021.pdf", {}),
        ("root/smith2020-supplement.pdf", {}),
        ("root/smith2020b - Steady voices.pdf", {}),
        ("root/smith_2020.pdf", {"id": "smith:2020", "keys": ("smith_2020",)}),
        ("root/papers.pdf", {"id": ""}),
        ("root/10.1000_night.2021a.pdf", {}),
        ("root/10.1000_night.2021.pdf", {"doi": ""}),
        # The file of another machine is looked for only where its name tells whose paper it is.
        ("mine/paper.pdf", {"libraries": ("{top}/mine",), "files": ("/home/bo/paper.pdf",)}),
        ("mine/deep/er/smith2020.pdf", {"libraries": ("{top}/mine",)}),
        ("mine/smith2020.pdf", {}),
        ("mine/x.pdf", {"libraries": ("{top}/nowhere",), "files": ("{top}/mine/x.pdf",)}),
        ("outside.pdf", {"libraries": ("{top}/mine",), "files": ("{top}/mine/../outside.pdf", "../outside.pdf")}),
    ],
)
def test_what_is_no_pdf_of_the_entry(top: Path, there: str, entry: dict[str, object]) -> None:
    put(top, there)
    assert find(top, **entry).key == ""  # type: ignore[arg-type]


@pytest.mark.parametrize("entry", [{"pdf": "x.pdf"}, {}, {"libraries": ("lib",)}, {"libraries": ("{top}/mine",)}])
def test_links_that_lead_out_are_not_followed(top: Path, entry: dict[str, object]) -> None:
    put(top, "secret/smith2020.pdf")
    for name in ("root/x.pdf", "root/smith2020.pdf", "mine/smith2020.pdf"):
        (top / name).symlink_to(top / "secret/smith2020.pdf")
    for name in ("root/smith2020", "root/lib", "root/papers", "root/files", "mine/storage", "mine/AB12CD34"):
        (top / name).symlink_to(top / "secret")
    assert find(top, **entry).key == ""  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("there", "entry"),
    [
        (("root/a.pdf", "root/b.pdf"), {"pdf": "a.pdf", "files": ("b.pdf",)}),
        (("root/smith2020.pdf", "root/smith2020/x.pdf"), {}),
        (("root/smith2020/x.pdf", "root/smith2020/y.pdf"), {}),
        (("root/files/1/smith2020.pdf", "root/files/2/smith2020.pdf"), {}),
        (("root/10.1000_night.2021.pdf", "root/10.1000-night.2021.pdf"), {}),
    ],
)
def test_two_that_may_be_it_are_said(top: Path, there: tuple[str, ...], entry: dict[str, object]) -> None:
    put(top, *there)
    found = find(top, **entry)  # type: ignore[arg-type]
    assert found.key == ""
    assert found.trouble.startswith("2 PDFs may be @smith2020 (") and "`file` field" in found.trouble


def test_copies_are_one_pdf(top: Path) -> None:
    put(top, "root/a.pdf", "root/c.pdf")
    (top / "root/b.pdf").write_bytes((top / "root/a.pdf").read_bytes())
    assert find(top, pdf="a.pdf", files=("b.pdf",)).key == "a.pdf"
    assert find(top, pdf="a.pdf", files=("b.pdf", "c.pdf")).trouble.startswith(
        "2 PDFs may be @smith2020 (a.pdf, c.pdf)"
    )


def test_a_file_outside_is_said_with_the_way_to_it(top: Path) -> None:
    found = find(top, files=("/home/bo/x.pdf",))
    assert found.trouble == (
        "/home/bo/x.pdf is not read: it lies outside the root; name its folder with PINCITE_LIBRARY"
    )


def test_only_what_was_named_is_read(top: Path) -> None:
    put(top, "secret.pdf", "mine/a.pdf", "root/b.pdf", "root/.git/c.pdf")
    with Root(str(top / "root")) as root:
        pdfs = EntryPdfs(root, "papers", [str(top / "mine")], lambda *_: False)
        for key in (str(top / "mine/a.pdf"), "b.pdf"):
            assert pdfs.read(key, 100).startswith(b"%PDF-1.7")
        for key in (str(top / "secret.pdf"), str(top / "mine/../secret.pdf"), "../secret.pdf", ".git/c.pdf"):
            with pytest.raises(Refused):
                pdfs.read(key, 100)
        pdfs.close()


# Settings


@pytest.mark.parametrize("folder", ["/home/ann/Zotero", "~/Zotero", "../papers", "a/../../b", "\\\\server\\x"])
def test_a_project_names_no_folder_outside(folder: str) -> None:
    with pytest.raises(UsageError, match="PINCITE_LIBRARY"):
        parse_config({"corpus": {"library": [folder]}}, "pincite.toml")


def test_the_users_folders_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    config = parse_config({"corpus": {"library": ["papers"]}}, "pincite.toml")
    monkeypatch.delenv("PINCITE_LIBRARY", raising=False)
    assert add_user_library(config).corpus.library == ("papers",)
    monkeypatch.setenv("PINCITE_LIBRARY", os.pathsep.join(["/a", "", "/b"]))
    assert add_user_library(config).corpus.library == ("papers", "/a", "/b")
    monkeypatch.setenv("PINCITE_LIBRARY", os.pathsep.join(["/a"] * 10_000))
    assert len(add_user_library(config).corpus.library) == 21


# Through the command

PAGES = ("Steady voices, a study", "Readers rated the steady drafts 15 points higher.")
DOC = "“Readers rated the steady drafts 15 points higher” [@smith2020, p. 2].\n"


@pytest.fixture
def project(top: Path) -> Iterator[Path]:
    root = top / "root"
    (root / "doc.md").write_text(DOC, encoding="utf-8")
    (root / "pincite.toml").write_text('[corpus]\nbibliography = ["refs.bib"]\n')
    (root / "refs.bib").write_text(
        "@article{smith2020, title={Steady voices}, author={Smith, Ann}, year={2020}, "
        "file={Full Text:/home/bo/Zotero/storage/AB12CD34/Smith.pdf:application/pdf}}\n"
    )
    yield root


def check(project: Path, library: str = "") -> str:
    env = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "PINCITE_LIBRARY": library}
    command = [sys.executable, "-m", "pincite", "check"]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert "Traceback" not in done.stderr
    return done.stdout


def test_pages_and_quotes_are_checked_in_the_users_library(project: Path, make_pdf: Callable[..., bytes]) -> None:
    stored = project.parent / "mine/storage/AB12CD34/Smith.pdf"
    stored.parent.mkdir(parents=True)
    stored.write_bytes(make_pdf(PAGES))
    assert "name its folder with PINCITE_LIBRARY" in check(project)
    library = str(project.parent / "mine")
    for _ in range(2):
        assert "it holds" in check(project, library)
    # What lies outside is looked at again by every run.
    stored.write_bytes(make_pdf((PAGES[0], PAGES[1].replace("15", "25"))))
    assert "quote-altered" in check(project, library)
    assert "name its folder with PINCITE_LIBRARY" in check(project)
    (project / "doc.md").write_text("At night [@smith2020, p. 7].\n", encoding="utf-8")
    assert "page-out-of-range" in check(project, library)


def test_a_pdf_that_comes_later_or_goes_is_noticed(project: Path, make_pdf: Callable[..., bytes]) -> None:
    (project / "lib").mkdir()
    (project / "pincite.toml").write_text('[corpus]\nbibliography = ["refs.bib"]\nlibrary = ["lib"]\n')
    assert "quote-unchecked" in check(project)
    for name in (
        "smith2020.pdf",
        "lib/smith2020.pdf",
        "lib/AB12CD34/Smith.pdf",
        "smith2020/x.pdf",
        "lib/files/7/smith2020.pdf",
    ):
        place = project / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(make_pdf(PAGES))
        assert "it holds" in check(project), name
        place.unlink()
        assert "quote-unchecked" in check(project), name


def test_a_world_without_a_library_opens_nothing_outside(top: Path) -> None:
    with Root(str(top / "root")) as root:
        world = World(root, lambda: None, "", CorpusSettings())
        assert world.any_corpus().bibliographies() == ()
        world.close()
