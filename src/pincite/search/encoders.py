"""Models that turn texts into vectors, run here with numpy alone: tables of word vectors, and small BERTs.

What a model needs is read from its folder: weights as safetensors, words as a `tokenizer.json`. Nothing is fetched.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec import Struct, convert, json

from ..core.errors import Missing, Unreadable, UsageError
from ..safe.files import read_path

_MOST_BYTES = 1 << 30
_MOST_HEADER = 1 << 24
_LONGEST = 8_000
"""More characters than this of one text are not looked at."""
_TOKENS_AT_ONCE = 16_384
"""So many are worked on together: more need more memory and gain nothing."""
_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_MOST_TOKENIZER_BYTES = 1 << 28


class _Tensor(Struct):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


class _Shape(Struct):
    """What a BERT says about itself."""

    model_type: str = ""
    num_hidden_layers: int = 0
    num_attention_heads: int = 0
    hidden_act: str = "gelu"
    position_embedding_type: str = "absolute"
    layer_norm_eps: float = 1e-12


class _Pooling(Struct):
    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = True


class _Sentences(Struct):
    max_seq_length: int | None = None


class WordVectors:
    """Every token has a vector, and a text is their mean: coarse, and thousands of passages a second."""

    weight = 0.4

    def __init__(self, name: str, weights: str, tokenizer: str) -> None:
        self._numpy = import_package("numpy")
        self._tokenizer = read_tokenizer(tokenizer)
        tables = [tensor for tensor in _tensors(self._numpy, weights).values() if tensor.ndim == 2]
        if len(tables) != 1:
            raise Unreadable(f"{weights}: not one table of vectors")
        self._table = tables[0]
        self.name = name
        self.dimensions = int(self._table.shape[1])

    def encode(self, texts: list[str]) -> Any:
        """One vector of length 1 for each text; one of zeros where there is no word in it."""
        numpy, rows = self._numpy, len(self._table)
        found = numpy.zeros((len(texts), self.dimensions), numpy.float32)
        for places, tokens in _batches(self._tokenizer, [text.lower() for text in texts], False, _LONGEST):
            for place, numbers in zip(places, tokens, strict=True):
                known = [number for number in numbers if number < rows]
                if known:
                    found[place] = self._table[known].mean(axis=0)
        return _unit(numpy, found)


class Bert:
    """A sentence transformer of the BERT family: it reads words in their context, and takes its time."""

    weight = 0.8

    def __init__(self, name: str, folder: str) -> None:
        self._numpy = import_package("numpy")
        self._shape = _read_description(f"{folder}/config.json", _Shape)
        shape = self._shape
        pooling = _read_description(f"{folder}/1_Pooling/config.json", _Pooling, _Pooling())
        if (
            shape.model_type != "bert"
            or shape.hidden_act != "gelu"
            or shape.position_embedding_type != "absolute"
            or not 0 < shape.num_hidden_layers <= 48
            or not 0 < shape.num_attention_heads <= 64
            or not (pooling.pooling_mode_cls_token or pooling.pooling_mode_mean_tokens)
        ):
            raise Unreadable(f"{folder}: a model of a kind that is not known here; word vectors and plain BERTs are")
        self._by_first = pooling.pooling_mode_cls_token
        self._tokenizer = read_tokenizer(f"{folder}/tokenizer.json")
        found = _tensors(self._numpy, f"{folder}/model.safetensors")
        self._weights = {key.removeprefix("bert."): tensor for key, tensor in found.items()}
        self.name = name
        try:
            self.dimensions = int(self._weights["embeddings.word_embeddings.weight"].shape[1])
            longest = len(self._weights["embeddings.position_embeddings.weight"])
            limit = _read_description(f"{folder}/sentence_bert_config.json", _Sentences, _Sentences()).max_seq_length
            self._longest = max(2, min(longest, limit or longest))
            self.encode(["Does it work?"])
        except (KeyError, ValueError, IndexError):
            raise Unreadable(f"{folder}: the weights do not fit the description") from None

    def encode(self, texts: list[str]) -> Any:
        """One vector of length 1 for each text."""
        numpy = self._numpy
        found = numpy.zeros((len(texts), self.dimensions), numpy.float32)
        for places, tokens in _batches(self._tokenizer, texts, True, self._longest):
            widest = max(map(len, tokens))
            numbers = numpy.zeros((len(tokens), widest), numpy.int64)
            there = numpy.zeros((len(tokens), widest), numpy.float32)
            for row, each in enumerate(tokens):
                numbers[row, : len(each)] = each
                there[row, : len(each)] = 1
            states = self._run(numbers, there)
            if self._by_first:
                found[places] = states[:, 0]
            else:
                counts = numpy.maximum(there.sum(axis=1, keepdims=True), 1)
                found[places] = (states * there[:, :, None]).sum(axis=1) / counts
        return _unit(numpy, found)

    def _run(self, numbers: Any, there: Any) -> Any:
        """The last layer's states."""
        weights, width = self._weights, numbers.shape[1]
        states = weights["embeddings.word_embeddings.weight"][numbers]
        states += weights["embeddings.position_embeddings.weight"][:width]
        states += weights["embeddings.token_type_embeddings.weight"][0]
        states = self._level("embeddings", states)
        hidden = (there[:, None, None, :] - 1) * 1e9
        for number in range(self._shape.num_hidden_layers):
            layer = f"encoder.layer.{number}"
            mixed = self._linear(f"{layer}.attention.output.dense", self._attend(layer, states, hidden))
            states = self._level(f"{layer}.attention.output", mixed + states)
            inner = self._linear(f"{layer}.intermediate.dense", states)
            inner *= 0.5 * (1 + self._numpy.tanh(0.7978845608 * (inner + 0.044715 * inner * inner * inner)))
            states = self._level(f"{layer}.output", self._linear(f"{layer}.output.dense", inner) + states)
        return states

    def _attend(self, layer: str, states: Any, hidden: Any) -> Any:
        numpy, heads = self._numpy, self._shape.num_attention_heads
        count, width, size = states.shape
        query, key, value = (
            self._linear(f"{layer}.attention.self.{part}", states)
            .reshape(count, width, heads, size // heads)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2)
        scores *= (size // heads) ** -0.5
        scores += hidden
        scores -= scores.max(axis=-1, keepdims=True)
        numpy.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return (scores @ value).transpose(0, 2, 1, 3).reshape(count, width, size)

    def _linear(self, name: str, states: Any) -> Any:
        return states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _level(self, name: str, states: Any) -> Any:
        states = states - states.mean(axis=-1, keepdims=True)
        states /= self._numpy.sqrt((states * states).mean(axis=-1, keepdims=True) + self._shape.layer_norm_eps)
        return states * self._weights[f"{name}.LayerNorm.weight"] + self._weights[f"{name}.LayerNorm.bias"]


def _unit(numpy: Any, vectors: Any) -> Any:
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    return numpy.nan_to_num(vectors / numpy.maximum(lengths, 1e-12)).astype(numpy.float32, copy=False)


def _batches(tokenizer: Any, texts: list[str], special: bool, longest: int) -> Any:
    """Places of texts with their tokens, those of like length together; texts without any are left out."""
    cut = [text[:_LONGEST].encode("utf-8", "replace").decode() for text in texts]
    tokens = [found.ids for found in tokenizer.encode_batch(cut, add_special_tokens=special)]
    # Where a text is cut, its end mark stays.
    tokens = [found if len(found) <= longest else found[: longest - 1] + found[-1:] for found in tokens]
    order = sorted((place for place in range(len(texts)) if tokens[place]), key=lambda place: len(tokens[place]))
    at = 0
    while at < len(order):
        count = 1
        while at + count < len(order) and (count + 1) * len(tokens[order[at + count]]) <= _TOKENS_AT_ONCE:
            count += 1
        places = order[at : at + count]
        yield places, [tokens[place] for place in places]
        at += count


def _read_description(path: str, kind: type[Any], default: Any = None) -> Any:
    """A description beside the weights; the default, where there is one, stands for a file that is not there."""
    try:
        return json.decode(read_path(path), type=kind)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: {error}") from None
    except Missing:
        if default is None:
            raise
        return default


def _tensors(numpy: Any, path: str) -> dict[str, Any]:
    """The tensors of real numbers in a safetensors file, as float32."""
    data = read_path(path, _MOST_BYTES)
    size = int.from_bytes(data[:8], "little")
    if not 2 <= size <= min(_MOST_HEADER, len(data) - 8):
        raise Unreadable(f"{path}: not a safetensors file")
    found: dict[str, Any] = {}
    try:
        header = json.decode(data[8 : 8 + size], type=dict[str, Any])
        header.pop("__metadata__", None)
        for key, value in header.items():
            tensor = convert(value, _Tensor)
            if tensor.dtype in _DTYPES:
                start, end = tensor.data_offsets
                if not 0 <= start <= end <= len(data) - 8 - size:
                    raise ValueError("offsets outside the file")
                values = numpy.frombuffer(memoryview(data)[8 + size + start : 8 + size + end], _DTYPES[tensor.dtype])
                if tensor.dtype == "BF16":
                    values = (values.astype(numpy.uint32) << 16).view(numpy.float32)
                found[key] = values.astype(numpy.float32, copy=False).reshape(tensor.shape)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable(f"{path}: damaged: {error}") from None
    return found


def import_package(name: str, doing: str = "ranking by meaning") -> Any:
    """A package of the extra; UsageError says which extra, and for what, where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{doing} needs an extra: install pincite[models]") from None


def read_tokenizer(path: str, doing: str = "ranking by meaning") -> Any:
    """What takes words apart; padding and cutting that the file may ask for are left to the caller."""
    tokenizers = import_package("tokenizers", doing)
    data = read_path(path, _MOST_TOKENIZER_BYTES)
    try:
        found = tokenizers.Tokenizer.from_str(data.decode("utf-8"))
        found.no_padding()
        found.no_truncation()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # what goes wrong in its depths is no Exception
        raise Unreadable(f"{path}: not a tokenizer") from None
    return found
