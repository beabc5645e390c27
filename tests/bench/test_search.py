"""The measure of searches: its readers on collections of a few lines, and its arithmetic on answers that are known."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"

SMART = ".I 1\n.T\nOn wings\n.A\nA. Author\n.W\nWings lift.\n.I 2\n.W\nTails do not.\n"
ASKED = ".I 4\n.W\nwhat lifts\n.I 9\n.W\nwhat does not\n"
SUPPORTED = {"evidence_id": "a", "article": "On wings", "evidence": "Wings lift.", "evidence_label": "SUPPORTS"}
REFUTED = {"evidence_id": "b", "article": "Tails", "evidence": "do not.", "evidence_label": "REFUTES"}
UNKNOWN = SUPPORTED | {"evidence_label": "NOT_ENOUGH_INFO"}
COLLECTIONS = {
    "cran": {"cran.all.1400": SMART, "cran.qry": ASKED, "QRelsCorrectedforTRECeval": "1 0 1 3\n2 0 2 -1\n"},
    "cacm": {"cacm.all": SMART, "query.text": ASKED, "qrels.text": "04 0001  0 0\n09 0002  0 0\n"},
    "cisi": {"CISI.ALL": SMART, "CISI.QRY": ASKED, "CISI.REL": "     4      1\t0\t0.0\n     9      2\t0\t0.0\n"},
    "med": {"MED.ALL": SMART, "MED.QRY": ASKED, "MED.REL": "4 0 1 1\n9 0 2 1\n"},
    "time": {
        "TIME.ALL": "*TEXT 017 01/04/63\nOn wings\nWings lift.\n*TEXT 018\nTails do not.\n*STOP\n",
        "TIME.QUE": "*FIND      1\nwhat lifts\n*FIND      2\nwhat does not\n*STOP\n",
        "TIME.REL": "1  1\n\n2  2\n",
    },
    "npl": {
        "doc-text": "1\nOn wings\nWings lift.\n   /\n2\nTails do not.\n   /\n",
        "query-text": "1\nwhat lifts\n/\n2\nwhat does not\n/\n",
        "rlv-ass": "1\n    1\n   /\n2\n    2\n   /\n",
    },
    "lisa": {
        "LISA0.001": f"Document    1\nOn wings\n\nWings lift.\n{'*' * 44}\nDocument    2\nTails do not.\n{'*' * 44}\n",
        "LISA.QUE": "1\nwhat lifts #\n2\nwhat does not #\n",
        "LISARJ.NUM": "   1   1   1\n   2   2   2\n   7\n",
    },
    "beir": {
        "corpus.jsonl": '{"_id": "a", "title": "On wings", "text": "Wings lift."}\n'
        '{"_id": "b", "text": "Tails do not."}\n',
        "queries.jsonl": '{"_id": "q", "text": "what lifts"}\n{"_id": "r", "text": "what does not"}\n',
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\ta\t1\nr\tb\t1\nr\ta\t0\n",
    },
    "nfcorpus": {
        "test.docs": "a\tOn wings Wings lift.\nb\tTails do not.\n",
        "test.titles.queries": "q\twhat lifts\nr\twhat does not\n",
        "test.3-2-1.qrel": "q\t0\ta\t1\nr\t0\tb\t1\n",
    },
    "cosqa": {
        "code_idx_map.txt": json.dumps({"On wings Wings lift.": 0, "Tails do not.": 1}),
        "cosqa-retrieval-test-500.json": json.dumps(
            [
                {"idx": "q", "doc": "what lifts", "retrieval_idx": 0},
                {"idx": "r", "doc": "what does not", "retrieval_idx": 1},
            ]
        ),
    },
    "climate": {
        "climate-fever.jsonl": json.dumps({"claim_id": "q", "claim": "what lifts", "evidences": [SUPPORTED]})
        + "\n"
        + json.dumps({"claim_id": "r", "claim": "what does not", "evidences": [REFUTED, UNKNOWN]}),
    },
    "wikiqa": {
        "train.a.toks": "what lifts\nwhat lifts\nwhat does not\n",
        "train.b.toks": "On wings Wings lift.\nTails do not.\nTails do not.\n",
        "train.sim.txt": "1\n0\n1\n",
    },
}


def load(name: str) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        before = set(sys.modules)
        yield importlib.import_module(name)
        for each in set(sys.modules) - before:
            if "." not in each and str(BENCH) in str(getattr(sys.modules[each], "__file__", "")):
                del sys.modules[each]


@pytest.fixture(scope="module")
def sets() -> Iterator[ModuleType]:
    yield from load("search_sets")


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    yield from load("search")


def put(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_collection_is_read(sets: ModuleType, tmp_path: Path, name: str) -> None:
    put(tmp_path / name, COLLECTIONS[name])
    ((found, questions),) = sets.collections(str(tmp_path))
    assert found == name
    assert [" ".join(text.split()) for text in questions.texts] == ["On wings Wings lift.", "Tails do not."]
    assert [" ".join(text.split()) for text in questions.questions] == ["what lifts", "what does not"]
    assert questions.answers == [{0: 1.0}, {1: 1.0}]


def test_a_folder_that_is_a_collection_itself(sets: ModuleType, tmp_path: Path) -> None:
    put(tmp_path, COLLECTIONS["med"])
    (tmp_path / "empty").mkdir()
    assert [name for name, _ in sets.collections(str(tmp_path))] == [tmp_path.name]


def test_gain_and_recall(sets: ModuleType) -> None:
    assert sets.gain([1, 2], {1: 1.0, 2: 1.0}) == 1.0
    assert sets.gain([3, 1], {1: 1.0}) == pytest.approx(0.6309, abs=1e-4)
    assert sets.gain([2, 1], {1: 3.0, 2: 1.0}) == pytest.approx((1 + 3 * 0.6309) / (3 + 0.6309), abs=1e-4)
    assert sets.gain([], {1: 1.0}) == sets.recall([], {1: 1.0}) == 0.0
    assert sets.recall([1, 5], {1: 1.0, 2: 1.0}) == 0.5
    assert sets.recall([*range(3, 20), 1], {1: 1.0}) == 0.0


def test_what_is_reported(bench: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    equal = {"pincite": [0.5] * 40, "bm25s": [0.5] * 40, "bare FTS5": [0.4] * 40}
    better = {"pincite": [0.75, 0.25] * 20, "bm25s": [0.5, 0.0] * 20, "bare FTS5": [0.0] * 40}
    results = [bench.Result("one", 7, equal, equal), bench.Result("two", 9, better, better)]
    rows = bench.report(results)
    assert rows["one"]["met"]
    assert rows["one"]["difference"] == {"bm25s": [0.0, 0.0, 0.0], "bare FTS5": [0.1, 0.1, 0.1]}
    assert rows["mean"]["ndcg"] == {"pincite": 0.5, "bm25s": 0.375, "bare FTS5": 0.2}
    value, low, high = rows["two"]["difference"]["bare FTS5"]
    assert low < value < high
    out = capsys.readouterr().out
    assert "| one | 7 | 40 | 0.5000 | 0.5000 | 0.4000 | +.000 (+.000 to +.000) | +.100 (+.100 to +.100) |" in out


def test_a_collection_below_the_bar(bench: ModuleType) -> None:
    worse = {"pincite": [0.49], "bm25s": [0.5]}
    rows = bench.report([bench.Result("one", 1, worse, worse)])
    assert (rows["one"]["bar"], rows["one"]["met"], rows["mean"]["met"]) == (0.495, False, False)
