"""The measure of suggestions: what it takes out of documents, and its arithmetic on a tree that is known."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from pincite.safe.files import Root
from pincite.write.suggest.tree import CitableFiles

BENCH = Path(__file__).resolve().parents[3] / "bench" / "suggest.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = spec_from_file_location("pincite_bench_suggest", BENCH)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_made_tree(bench: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["suggest.py"])
    assert bench.main() == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["precision"] == 1.0 and figures["range"] == 1.0
    assert figures["suggestions"] >= 10 and 0.4 < figures["recall"] < 1


@pytest.mark.parametrize(
    ("text", "stripped", "cited"),
    [
        ("It keeps five of them. 【F:a.py†L1-L2】 More.\n", "It keeps five of them.  More.\n", True),
        ("It keeps five of them (`a.py:2`).\n", "It keeps five of them .\n", True),
        ("It keeps five of them ([a.py:2](a.py#L2)).\n", "It keeps five of them .\n", True),
        ("It keeps [five of them](a.py#L2) there.\n", "It keeps five of them there.\n", True),
        ("It keeps five of them. 【F:a.py†L99】\n", "It keeps five of them. \n", False),
        ("It keeps five of them. 【F:gone.py†L1】\n", "It keeps five of them. \n", False),
        ("It keeps five of `a.py` there.\n", "It keeps five of `a.py` there.\n", False),
    ],
)
def test_what_is_taken_out(bench: ModuleType, tmp_path: Path, text: str, stripped: str, cited: bool) -> None:
    (tmp_path / "a.py").write_text("a = 1\nb = 2\n")
    with Root(str(tmp_path)) as root:
        seen, truth = bench.strip("doc.md", text, CitableFiles(root, None), {})
    assert seen == stripped
    assert [entry[0] for entries in truth.values() for entry in entries] == (["a.py"] if cited else [])
