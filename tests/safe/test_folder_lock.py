from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.safe.folder_lock import FolderBusy, own_file, own_folder, use_folder


def test_users_share_and_an_owner_waits(tmp_path: Path) -> None:
    folder = str(tmp_path)
    with (
        use_folder(folder, 0.0),
        use_folder(folder, 0.0),
        pytest.raises(FolderBusy, match="in use"),
        own_folder(folder, 0.0),
    ):
        pass
    with own_folder(folder, 0.0), pytest.raises(FolderBusy), use_folder(folder, 0.01):
        pass
    with own_file(f"{folder}/work", 0.0), pytest.raises(FolderBusy), own_file(f"{folder}/work", 0.0):
        pass
    with own_file(f"{folder}/work", 0.0):
        assert os.path.exists(f"{folder}/work")


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), use_folder(str(tmp_path / "none")):
        pass
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match=r"."), use_folder(str(tmp_path / "link")):
        pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pincite.safe.folder_lock import own_folder\n"
        "with own_folder(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(FolderBusy), use_folder(str(tmp_path), 0.0):
            pass
    finally:
        process.kill()
        process.communicate()
    with own_folder(str(tmp_path), 0.0):
        assert process.returncode == -9
