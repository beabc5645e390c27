"""Ranking by meaning: with models made for this, so that nothing has to be installed beside numpy and tokenizers."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import Missing, Unreadable, UsageError
from pincite.search import encoders
from pincite.search import vectors as semantic
from pincite.search.semantic_ranking import get_embedder
from pincite.search.vectors import find_embedder, fuse, nearest, pack

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog", "tariff", "customs", "duty"]
VECTORS = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 0.1], [1, -0.1], [0.1, 1], [0, 2], [-0.1, 1]]


def safetensors(path: Path, tensors: dict[str, tuple[list[int], list[float]]], dtype: str = "F32") -> None:
    """Write tensors the way the format wants them."""
    kind = {"F32": "f", "F16": "e", "F64": "d"}[dtype]
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, (shape, values) in tensors.items():
        data = struct.pack(f"<{len(values)}{kind}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + body)


def tokenizer(path: Path, marked: bool) -> None:
    """Write a tokenizer that splits at spaces, padding and cutting as a careless model would have them."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    pair = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    pair.append({"SpecialToken": {"id": "[SEP]", "type_id": 0}})
    marks = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    processor = {"type": "TemplateProcessing", "single": pair, "pair": pair, "special_tokens": marks}
    path.write_text(
        json.dumps(
            {
                "version": "1.0",
                "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
                "padding": None,
                "added_tokens": [],
                "normalizer": None,
                "pre_tokenizer": {"type": "WhitespaceSplit"},
                "post_processor": processor if marked else None,
                "decoder": None,
                "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
            }
        )
    )


def table(folder: Path, dtype: str = "F32") -> str:
    """A folder with word vectors."""
    folder.mkdir(exist_ok=True)
    safetensors(
        folder / "model.safetensors", {"embeddings": ([len(WORDS), 2], [x for row in VECTORS for x in row])}, dtype
    )
    tokenizer(folder / "tokenizer.json", marked=False)
    return str(folder)


SIZE, INNER, HEADS, LAYERS, PLACES = 4, 6, 2, 2, 8


def bert(folder: Path, **settings: object) -> tuple[str, dict[str, tuple[list[int], list[float]]]]:
    """A folder with a BERT of random weights."""
    random = Random(4)
    folder.mkdir(exist_ok=True)
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 6}))
    description = {"model_type": "bert", "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
    (folder / "config.json").write_text(json.dumps(description | {"hidden_act": "gelu"} | settings))
    shapes: dict[str, list[int]] = {
        "embeddings.word_embeddings.weight": [len(WORDS), SIZE],
        "embeddings.position_embeddings.weight": [PLACES, SIZE],
        "embeddings.token_type_embeddings.weight": [2, SIZE],
        "embeddings.LayerNorm.weight": [SIZE],
        "embeddings.LayerNorm.bias": [SIZE],
    }
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        for part, out, into in (
            *((f"attention.self.{name}", SIZE, SIZE) for name in ("query", "key", "value")),
            ("attention.output.dense", SIZE, SIZE),
            ("intermediate.dense", INNER, SIZE),
            ("output.dense", SIZE, INNER),
        ):
            shapes[f"{layer}.{part}.weight"] = [out, into]
            shapes[f"{layer}.{part}.bias"] = [out]
        for part in ("attention.output", "output"):
            shapes[f"{layer}.{part}.LayerNorm.weight"] = [SIZE]
            shapes[f"{layer}.{part}.LayerNorm.bias"] = [SIZE]
    tensors = {name: (shape, [random.gauss(0, 1) for _ in range(math.prod(shape))]) for name, shape in shapes.items()}
    safetensors(folder / "model.safetensors", {f"bert.{name}": tensor for name, tensor in tensors.items()})
    tokenizer(folder / "tokenizer.json", marked=True)
    return str(folder), tensors


class Slow:
    """The same network written out word by word, with Python's own numbers."""

    def __init__(self, tensors: dict[str, tuple[list[int], list[float]]]) -> None:
        self.tensors = tensors

    def matrix(self, name: str) -> list[list[float]]:
        (rows, columns), values = self.tensors[name]
        return [values[row * columns : (row + 1) * columns] for row in range(rows)]

    def linear(self, name: str, vector: list[float]) -> list[float]:
        bias = self.tensors[f"{name}.bias"][1]
        return [
            sum(map(lambda a, b: a * b, row, vector)) + add
            for row, add in zip(self.matrix(f"{name}.weight"), bias, strict=True)
        ]

    def level(self, name: str, vector: list[float]) -> list[float]:
        mean = sum(vector) / len(vector)
        spread = math.sqrt(sum((value - mean) ** 2 for value in vector) / len(vector) + 1e-12)
        weight, bias = (self.tensors[f"{name}.LayerNorm.{part}"][1] for part in ("weight", "bias"))
        return [(value - mean) / spread * times + add for value, times, add in zip(vector, weight, bias, strict=True)]

    def vector(self, numbers: list[int]) -> list[float]:
        words, places, kinds = (self.matrix(f"embeddings.{part}_embeddings.weight") for part in WHERE)
        states = [
            self.level(
                "embeddings", [a + b + c for a, b, c in zip(words[number], places[place], kinds[0], strict=True)]
            )
            for place, number in enumerate(numbers)
        ]
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            query, key, value = (
                [self.linear(f"{layer}.attention.self.{part}", state) for state in states]
                for part in ("query", "key", "value")
            )
            mixed = [self.attend(query[place], key, value) for place in range(len(states))]
            mixed = [self.linear(f"{layer}.attention.output.dense", state) for state in mixed]
            states = [self.level(f"{layer}.attention.output", add(a, b)) for a, b in zip(mixed, states, strict=True)]
            inner = [self.linear(f"{layer}.intermediate.dense", state) for state in states]
            inner = [[x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in state] for state in inner]
            outer = [self.linear(f"{layer}.output.dense", state) for state in inner]
            states = [self.level(f"{layer}.output", add(a, b)) for a, b in zip(outer, states, strict=True)]
        mean = [sum(column) / len(states) for column in zip(*states, strict=True)]
        length = math.sqrt(sum(x * x for x in mean))
        return [x / length for x in mean]

    @staticmethod
    def attend(query: list[float], keys: list[list[float]], values: list[list[float]]) -> list[float]:
        size = SIZE // HEADS
        found: list[float] = []
        for start in range(0, SIZE, size):
            part = slice(start, start + size)
            likeness = [
                sum(a * b for a, b in zip(query[part], key[part], strict=True)) / math.sqrt(size) for key in keys
            ]
            shares = [math.exp(each) for each in likeness]
            for column in range(start, start + size):
                found.append(
                    sum(share * value[column] for share, value in zip(shares, values, strict=True)) / sum(shares)
                )
        return found


WHERE = ("word", "position", "token_type")


def add(one: list[float], other: list[float]) -> list[float]:
    return [a + b for a, b in zip(one, other, strict=True)]


@pytest.fixture
def numpy() -> Any:
    pytest.importorskip("tokenizers")
    return pytest.importorskip("numpy")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is installed."""
    monkeypatch.setattr(semantic, "_find_package_folder", lambda package: "")


def test_without_a_model_there_is_none(alone: None, tmp_path: Path) -> None:
    assert find_embedder() is None
    assert find_embedder("wordllama") is None
    assert find_embedder(str(tmp_path)) is None
    assert find_embedder("no such model") is None
    assert find_embedder("./no-such-folder/") is None


def test_a_name_is_not_looked_for_in_the_working_folder(
    alone: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    assert find_embedder("model") is None
    with pytest.raises(UsageError, match="not installed"):
        get_embedder("model", str(tmp_path))
    with pytest.raises(UsageError, match="keep models outside the tree"):
        get_embedder("./model", str(tmp_path))


def test_a_package_without_its_weights_is_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(semantic, "_find_package_folder", lambda package: str(tmp_path))
    assert find_embedder("wordllama") is None
    assert find_embedder() is None


def test_packages_are_found_and_not_imported() -> None:
    assert semantic._find_package_folder("json").endswith("json")
    assert semantic._find_package_folder("no_such_package_here") == ""
    assert semantic._find_package_folder("") == ""


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(encoders, "import_module", refuse)
    with pytest.raises(UsageError, match=r"pincite\[models\]"):
        find_embedder(table(tmp_path / "model"))


@pytest.mark.parametrize("dtype", ["F32", "F16", "F64"])
def test_word_vectors_are_averaged(numpy: Any, tmp_path: Path, dtype: str) -> None:
    model = find_embedder(table(tmp_path / "model", dtype))
    assert model is not None
    assert model.dimensions == 2
    cat, pets, tax, nothing = model.encode(["cat", "Cat dog DOG cat", "tariff duty customs", "  "])
    assert pets.tolist() == pytest.approx([1, 0], abs=1e-3)
    assert float(cat @ pets) > 0.99 > 0.2 > float(cat @ tax)
    assert nothing.tolist() == [0, 0]
    assert model.encode([]).shape == (0, 2)


def test_a_bert_gives_what_the_network_written_out_gives(numpy: Any, tmp_path: Path) -> None:
    folder, tensors = bert(tmp_path / "bert")
    model = find_embedder(folder)
    assert model is not None
    texts = ["cat", "tariff duty", "dog cat dog", "customs"]
    expected = [Slow(tensors).vector([2, *(WORDS.index(word) for word in text.split()), 3]) for text in texts]
    for got, wanted in zip(model.encode(texts), expected, strict=True):
        assert got.tolist() == pytest.approx(wanted, abs=5e-3)


def test_what_stands_beside_a_text_does_not_matter(numpy: Any, tmp_path: Path) -> None:
    folder, _ = bert(tmp_path / "bert")
    model = find_embedder(folder)
    assert model is not None
    together = model.encode(["cat dog", "duty", "tariff customs duty dog"])
    assert together[1].tolist() == pytest.approx(model.encode(["duty"])[0].tolist(), abs=1e-5)
    assert numpy.linalg.norm(together, axis=1).tolist() == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_long_text_is_cut_where_the_model_ends(numpy: Any, tmp_path: Path) -> None:
    folder, _ = bert(tmp_path / "bert")
    model = find_embedder(folder)
    assert model is not None
    long, cut = model.encode(["cat " * 3000, "cat cat cat cat"])
    assert long.tolist() == pytest.approx(cut.tolist(), abs=1e-5)


@pytest.mark.parametrize(
    "settings",
    [
        {"model_type": "gpt2"},
        {"num_hidden_layers": 0},
        {"num_hidden_layers": 3},
        {"num_attention_heads": 3},
        {"num_attention_heads": 0},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"num_hidden_layers": "six"},
    ],
)
def test_a_bert_of_another_kind_is_refused(numpy: Any, tmp_path: Path, settings: dict[str, object]) -> None:
    folder, _ = bert(tmp_path / "bert", **settings)
    with pytest.raises(Unreadable):
        find_embedder(folder)


def test_a_bert_that_pools_otherwise_is_refused(numpy: Any, tmp_path: Path) -> None:
    folder, _ = bert(tmp_path / "bert")
    pooling = {"pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": True}
    (tmp_path / "bert" / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    with pytest.raises(Unreadable, match="not known here"):
        find_embedder(folder)


def test_damaged_models_are_refused(numpy: Any, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    table(folder)
    weights = (folder / "model.safetensors").read_bytes()
    empty = b"\x02" + bytes(7)
    for damage in (b"", b"\xff" * 40, weights[:50], weights[:-8], empty + b"[]", empty + b"{}"):
        (folder / "model.safetensors").write_bytes(damage)
        with pytest.raises(Unreadable):
            find_embedder(str(folder))
    (folder / "model.safetensors").write_bytes(weights)
    for damage in (b"", b"{}", b"\xff\xfe", b'{"model": 3}', b"[" * 100_000):
        (folder / "tokenizer.json").write_bytes(damage)
        with pytest.raises(Unreadable):
            find_embedder(str(folder))


@pytest.mark.parametrize(
    "tensor",
    [
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [-8, 8]},
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 0]},
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 1 << 62]},
        {"dtype": "F32", "shape": [1 << 40, 1 << 40], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [-1, 2], "data_offsets": [0, 12]},
        {"dtype": "F32", "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [16], "data_offsets": [0, 16]},
        {"dtype": "I8", "shape": [2, 2], "data_offsets": [0, 4]},
        7,
    ],
)
def test_headers_that_lie_are_refused(numpy: Any, tmp_path: Path, tensor: object) -> None:
    table(tmp_path / "model")
    head = json.dumps({"embeddings": tensor}).encode()
    (tmp_path / "model" / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + bytes(16))
    with pytest.raises(Unreadable):
        find_embedder(str(tmp_path / "model"))


def test_a_description_that_is_not_there_is_missed(numpy: Any, tmp_path: Path) -> None:
    folder, _ = bert(tmp_path / "bert")
    (tmp_path / "bert" / "config.json").unlink()
    with pytest.raises(Missing):
        find_embedder(folder)


def test_another_model_at_the_same_place_has_another_name(numpy: Any, tmp_path: Path) -> None:
    one = find_embedder(table(tmp_path / "model"))
    other = find_embedder(table(tmp_path / "model", "F64"))
    assert one is not None
    assert other is not None
    assert one.name != other.name


def test_texts_that_are_not_unicode_are_encoded_all_the_same(numpy: Any, tmp_path: Path) -> None:
    model = find_embedder(table(tmp_path / "model"))
    assert model is not None
    assert model.encode(["\ud800 cat", "cat\0", "x" * 100_000]).shape == (3, 2)


def test_packed_vectors_keep_their_direction(numpy: Any) -> None:
    random = numpy.random.default_rng(1)
    vectors = random.normal(size=(300, 64)).astype("float32")
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    packed = pack(vectors)
    assert {len(row) for row in packed} == {68}
    found = nearest(vectors[7], b"".join(packed), list(range(1000, 1300)), 5)
    exact = vectors @ vectors[7]
    assert found[0][0] == 1007
    assert [score for _, score in found] == pytest.approx([float(exact[i - 1000]) for i, _ in found], abs=0.01)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_nothing_near_where_nothing_fits(numpy: Any) -> None:
    packed = b"".join(pack([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    assert [number for number, _ in nearest([1.0, 0.0], packed, [5, 6, 7], 10)] == [5, 6, 7]
    assert nearest([1.0, 0.0, 0.0], packed, [5, 6, 7], 10) == []
    assert nearest([1.0, 0.0], packed[:-1], [5, 6, 7], 10) == []
    assert nearest([1.0, 0.0], b"", [], 10) == []
    assert nearest([1.0, 0.0], packed, [5, 6, 7], 0) == []
    assert pack(numpy.zeros((0, 4))) == []


def test_vectors_that_were_tampered_with_come_last(numpy: Any) -> None:
    good = pack([[1.0, 0.0]])[0]
    bad = struct.pack("<f", float("nan")) + good[4:]
    worse = struct.pack("<f", float("inf")) + good[4:]
    found = nearest([1.0, 0.0], bad + good + worse, [1, 2, 3], 3)
    assert found[0][0] == 2
    assert all(math.isfinite(score) for _, score in found)


def test_what_both_rankings_have_comes_first() -> None:
    words = [(1, 9.0), (2, 8.0), (3, 1.0)]
    meaning = [(2, 0.9), (4, 0.8), (1, 0.1)]
    assert [number for number, _ in fuse(words, meaning, 10, 1.0)] == [2, 1, 4, 3]
    assert [number for number, _ in fuse(words, meaning, 10, 0.0)][:2] == [1, 2]
    assert fuse(words, [], 2) == [(1, 1.0), (2, 0.875)]
    assert fuse([], [], 5) == []
    assert fuse(words, meaning, 0) == []


SCORES = st.dictionaries(st.integers(0, 30), st.floats(-100, 100), max_size=15)


@given(SCORES, SCORES, st.integers(0, 40), st.floats(0, 3))
def test_fused_rankings_lose_and_invent_nothing(
    words: dict[int, float], meaning: dict[int, float], k: int, weight: float
) -> None:
    def ranked(hits: dict[int, float]) -> list[tuple[int, float]]:
        return sorted(hits.items(), key=lambda hit: -hit[1])

    found = fuse(ranked(words), ranked(meaning), k, weight)
    numbers = [number for number, _ in found]
    assert len(set(numbers)) == len(numbers) == min(k, len(words.keys() | meaning.keys()))
    assert set(numbers) <= words.keys() | meaning.keys()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert all(0 <= score <= 1 + weight + 1e-9 for _, score in found)
