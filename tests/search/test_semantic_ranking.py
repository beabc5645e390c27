"""Ranking by meaning in an index, with a model that knows four words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.domains.retrieval import Index
from pincite.project.config import Config, RetrievalSettings
from pincite.search import semantic_ranking
from pincite.store import search_index as at_rest

PETS, TAXES = (1.0, 0.0), (0.0, 1.0)
KNOWN = {"cat": PETS, "feline": PETS, "tariff": TAXES, "customs": TAXES}
CONFIG = Config(retrieval=RetrievalSettings(model="known"))


class Model:
    """A text is the mean of its words that are known."""

    dimensions = 2
    weight = 0.4

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[str] = []

    def encode(self, texts: list[str]) -> Any:
        """One vector of length 1, or of zeros, for each text."""
        import numpy

        self.asked += texts
        rows = numpy.zeros((len(texts), 2), numpy.float32)
        for at, text in enumerate(texts):
            for word in text.lower().replace(".", " ").split():
                rows[at] += KNOWN.get(word, (0.0, 0.0))
        return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Model]:
    """Have a model of a name be the one that is installed."""
    pytest.importorskip("numpy")

    def install(name: str) -> Model:
        model = Model(name)
        monkeypatch.setattr(semantic_ranking, "get_embedder", lambda wanted, top: model)
        return model

    return install


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three notes, of which two are about the same."""
    (tmp_path / "a.txt").write_text("The cat sleeps.\n")
    (tmp_path / "b.txt").write_text("A feline rests.\n")
    (tmp_path / "c.txt").write_text("Each tariff was raised.\n")
    return tmp_path


def names(index: Index, query: str, **how: bool) -> list[str]:
    """The files of the hits."""
    return [Path(hit.document.file_path).name for hit in index.search(query, **how)]


def test_what_means_the_same_is_found(root: Path, use: Callable[[str], Model]) -> None:
    use("one")
    with Index.open(root, CONFIG) as index:
        index.refresh()
        assert names(index, "cat")[:2] == ["a.txt", "b.txt"]
        assert names(index, "customs")[:1] == ["c.txt"]
        assert names(index, "cat", by_words=True) == ["a.txt"]
        assert names(index, "customs", by_words=True) == []


def test_only_new_passages_are_worked_out(root: Path, use: Callable[[str], Model]) -> None:
    model = use("one")
    with Index.open(root, CONFIG) as index:
        index.refresh()
        assert len(model.asked) == 3
        index.refresh()
        assert len(model.asked) == 3
        (root / "d.txt").write_text("Customs are slow.\n")
        index.refresh()
        assert model.asked[3:] == ["Customs are slow."]
        assert names(index, "tariff")[:2] == ["c.txt", "d.txt"]


def test_what_is_gone_is_forgotten_once_it_is_the_most(
    root: Path, use: Callable[[str], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    use("one")
    monkeypatch.setattr(at_rest, "_MOST_OTHERS", 2)
    with Index.open(root, CONFIG) as index:
        known = []
        for name in ("a.txt", "b.txt", "c.txt", "a.txt", "b.txt"):
            (root / name).write_text(f"Note {len(known)}.\n")
            index.refresh()
            known.append(len(index.store.vectors()))
        assert known == [3, 4, 5, 6, 3]
        assert len(names(index, "cat note")) == 3


def test_another_model_works_everything_out_again(root: Path, use: Callable[[str], Model]) -> None:
    use("one")
    with Index.open(root, CONFIG) as index:
        index.refresh()
        model = use("other")
        index.refresh()
        assert len(model.asked) == 3


def test_what_was_passed_over_is_worked_out_later(
    root: Path, use: Callable[[str], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = use("one")
    with Index.open(root, CONFIG) as index:
        with monkeypatch.context() as patch:
            patch.setattr(semantic_ranking, "_texts", lambda document, wanted, root: {})
            index.refresh()
        assert model.asked == []
        index.refresh()
        assert len(model.asked) == 3


@pytest.mark.parametrize("name", ["./model", "model/", "sub/../model"])
def test_a_model_of_the_tree_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="keep models outside the tree"):
        semantic_ranking.get_embedder(name, str(tmp_path))
