"""`pincite store export` and `import`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from support_store import fill_store, make_store, make_verdicts, write_check

Store = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store(in_folder: Callable[..., tuple[int, str, str]]) -> Store:
    return partial(in_folder, "store")


def test_a_store_moves_to_another_kind_of_database(store: Store, tmp_path: Path, postgres_address: str) -> None:
    first = f"sqlite://{tmp_path}/first.db"
    with make_store(first) as opened:
        fill_store(opened)
        shown = opened.overview.summarize()
    code, out, error = store("export", "store.jsonl.gz", "--database", first)
    assert (code, error) == (0, "")
    assert out.startswith("store.jsonl.gz: ") and out.endswith(" bytes\n")
    code, out, error = store("import", "store.jsonl.gz", "--database", postgres_address)
    assert (code, error) == (0, "")
    assert out.startswith(f"{postgres_address}: ") and out.endswith(" from store.jsonl.gz\n")
    found = json.loads(store("export", "again.gz", "--database", postgres_address, "--format", "json")[1])
    assert (found["schema"], found["file"]) == ("pincite.store-export/1", "again.gz")
    assert found["bytes"] == (tmp_path / "again.gz").stat().st_size
    assert (tmp_path / "again.gz").read_bytes() == (tmp_path / "store.jsonl.gz").read_bytes()
    found = json.loads(store("import", "again.gz", "--database", "third.db", "--format", "json")[1])
    assert (found["schema"], found["rows"]["repository"]) == ("pincite.store-import/1", len(shown))
    code, _, error = store("import", "again.gz", "--database", "third.db")
    assert (code, "is not empty; name a new database with --database" in error) == (2, True)


def test_a_store_that_did_not_add_up_is_named(store: Store, tmp_path: Path) -> None:
    with make_store(f"sqlite://{tmp_path}/first.db") as opened:
        write_check(opened, "a", "1", make_verdicts(5), 1)
        opened.backend.run("DELETE FROM verdict WHERE line = 1")
    assert store("export", "x.gz", "--database", "first.db")[0] == 0
    code, _, error = store("import", "x.gz", "--database", "second.db")
    assert (code, error) == (1, "pincite: a: shard 1 counted 2 malformed, 1 stand\n")


def test_wrong_files(store: Store, tmp_path: Path) -> None:
    make_store(f"sqlite://{tmp_path}/first.db").close()
    assert store("export", "first.db", "--database", "first.db")[0] == 2
    assert store("export", "no/folder/x.gz", "--database", "first.db")[0] == 2
    (tmp_path / "x.gz").write_text("no")
    for name in ("x.gz", "missing.gz", "."):
        code, _, error = store("import", name, "--database", "second.db")
        assert (code, error.count("\n")) == (2, 1)
    assert not (tmp_path / "second.db").exists()
    code, _, error = store("export", "y.gz", "--database", "second.db")
    assert (code, "there is no store" in error) == (2, True)
