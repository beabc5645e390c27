"""Pipes, devices and folders in the place of files, and bytes that are no text in them: a message, and no waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from pincite.core.errors import UsageError
from pincite.domains.retrieval.recent_hits import last_found
from pincite.project.policy import load_policy
from pincite.safe.files import Root
from pincite.safe.report_output import read_file
from pincite.store.bundle import MANIFEST, read_manifest
from pincite.store.database import StoreTrouble

SPECIAL = ["pipe", "folder", "device", "link to a pipe"]


def put_special(place: Path, what: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    elif what == "device":
        place.symlink_to("/dev/zero")
    else:
        os.mkfifo(place.parent / "pipe")
        place.symlink_to("pipe")


def pincite(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PINCITE_CACHE": f"{folder}-cache", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pincite", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "d.md").write_text("One. 【F:a.py†L1】 Two. 【F:no.py†L1】\n")
    return tmp_path


@pytest.mark.parametrize("what", SPECIAL)
def test_a_file_that_is_none_is_not_waited_for(tmp_path: Path, what: str) -> None:
    put_special(tmp_path / "x", what)
    with pytest.raises(UsageError, match="x: not a regular file; name a file, or remove what is there"):
        read_file(str(tmp_path / "x"), 1000)


@pytest.mark.parametrize("what", SPECIAL)
@pytest.mark.parametrize("how", ["setting", "option", "update"])
def test_a_baseline_that_is_no_file_is_refused(tree: Path, what: str, how: str) -> None:
    put_special(tree / "known", what)
    words = {"setting": (), "option": ("--baseline", "known"), "update": ("--baseline", "known", "--update-baseline")}[
        how
    ]
    if how == "setting":
        (tree / "pincite.toml").write_text('baseline = "known"\n')
    done = pincite(tree, "check", *words)
    assert done.returncode == 2
    assert "not a regular file" in done.stderr or "outside the root" in done.stderr


def test_a_baseline_with_a_nul_is_refused_with_file_and_key(tree: Path) -> None:
    (tree / "pincite.toml").write_text('baseline = "a\\u0000b"\n')
    done = pincite(tree, "check")
    assert done.returncode == 2
    assert "pincite.toml: `baseline` holds the control character \\u{0}" in done.stderr


def test_a_model_with_a_nul_is_refused_with_file_and_key(tree: Path) -> None:
    (tree / "pincite.toml").write_text('[retrieval]\nmodel = "a\\u0000b"\n')
    done = pincite(tree, "index")
    assert done.returncode == 2
    assert "pincite.toml: `retrieval.model` holds the control character \\u{0}" in done.stderr


@pytest.mark.parametrize("what", ["pipe", "folder", "link to a pipe"])
def test_a_policy_that_is_no_file_is_refused(tmp_path: Path, what: str) -> None:
    put_special(tmp_path / "citation-integrity.yaml", what)
    with Root(str(tmp_path)) as root, pytest.raises(UsageError, match=r"citation-integrity\.yaml: not a regular file"):
        load_policy(root)


@pytest.mark.parametrize(
    "data",
    [
        b'{"version": 1, "chunks": [{"id": "\xff"}]}',
        b'{"version": 1, "chunks": [{"\xff": 1}]}',
        b'{"version": 1, "chunks": "\xed\xa0\x80"}',
        b"[" * 100_000,
        b'{"version": ' + b"9" * 5000 + b"}",
        b"\xff\xfe",
        b"",
    ],
)
def test_a_bundle_that_is_no_text_is_named(tmp_path: Path, data: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(data)
    with Root(str(tmp_path)) as root, pytest.raises(StoreTrouble, match=MANIFEST):
        read_manifest(root, MANIFEST)


def test_a_bundle_that_is_no_text_is_a_finding(tree: Path) -> None:
    (tree / "evidence").mkdir()
    (tree / "evidence" / MANIFEST).write_bytes(b'{"version": 1, "chunks": [{"id": "\xff"}]}')
    (tree / "d.md").write_text("Seen. 【d05d1b†L1】\n")
    assert pincite(tree, "check").returncode in (0, 1)
    assert pincite(tree, "doctor").returncode == 1


def test_hits_that_are_no_text_are_no_hits(tmp_path: Path) -> None:
    (tmp_path / ".pincite").mkdir()
    damaged = msgspec.msgpack.encode({"version": 1, "query": "qqqq"}).replace(b"qqqq", b"\xff\xfe\xff\xfe")
    for data in (damaged, b"\xa4\xff\xfe\xff\xfe", b"\x91" * 100_000, b""):
        (tmp_path / ".pincite/found").write_bytes(data)
        with Root(str(tmp_path)) as root:
            assert not last_found(root).citations


def test_a_cache_that_is_no_text_changes_no_answer(tree: Path) -> None:
    expected = pincite(tree, "check")
    places = [path for path in (*tree.glob(".pincite/*"), *Path(f"{tree}-cache").rglob("*")) if path.is_file()]
    assert any(b"d.md" in path.read_bytes() for path in places)
    for path in places:
        path.write_bytes(path.read_bytes().replace(b"d.md", b"\xff.md").replace(b"file-not", b"\xff\xfe\xff\xfe-not"))
    again = pincite(tree, "check")
    assert (again.returncode, again.stdout) == (expected.returncode, expected.stdout)
