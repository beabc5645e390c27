"""Entailment models from a local folder: ONNX, or what transformers saves where that is installed. Nothing is fetched.

A folder says by `id2label` in its `config.json` which of its classes is entailment; code that comes with a model is
never run.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, json

from ..core.errors import Missing, Unreadable, UsageError
from ..safe.files import read_path, stat_path
from ..search.encoders import import_package, read_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

_DOING = "judging by an entailment model"
_LONGEST = 512
"""Most tokens of a pair where the model does not say."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_YES, _NO = ("entail", "support"), ("contradict", "refute")


class Model(Protocol):
    """What says how likely a sentence entails a claim."""

    def probabilities(self, premise: str, claim: str) -> tuple[float, float] | None:
        """Of entailment and of contradiction (0 where the model has no such class); None where they do not fit in."""
        ...


class _Config(Struct):
    id2label: dict[str, str] = {}
    max_position_embeddings: int | None = None
    model_type: str = ""


def load_model(folder: str) -> Model:
    """The model of a folder; raises UsageError where a package is missing, Unreadable where the model is unfit."""
    config = _config(folder)
    for name in ("model.onnx", "onnx/model.onnx"):
        if stat_path(f"{folder}/{name}") is not None:
            return _Onnx(folder, f"{folder}/{name}", config)
    if stat_path(f"{folder}/model.safetensors") is None:
        raise Unreadable(
            f"{folder}: no model; wanted are model.onnx or onnx/model.onnx, with tokenizer.json and config.json"
        )
    return _Transformers(folder, config)


def _config(folder: str) -> _Config:
    path = f"{folder}/config.json"
    try:
        return json.decode(read_path(path), type=_Config)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: {error}") from None
    except Missing:
        raise Unreadable(f"{folder}: no config.json; it has to say which class is entailment (id2label)") from None


class _Classes(Struct, frozen=True):
    count: int
    yes: int
    no: int | None

    def probabilities(self, scores: Sequence[float]) -> tuple[float, float]:
        """Of entailment and of contradiction, out of one score for each class."""
        if len(scores) != self.count or not all(map(math.isfinite, scores)):
            # No figure is no support.
            return 0.0, 0.0
        top = max(scores)
        parts = [math.exp(score - top) for score in scores]
        total = sum(parts)
        return parts[self.yes] / total, parts[self.no] / total if self.no is not None else 0.0


def _classes(config: _Config, folder: str) -> _Classes:
    """Which class means what, by the names the model gives them."""
    names = {number: label.strip().lower() for number, label in config.id2label.items()}
    yes = [number for number, label in names.items() if label.startswith(_YES)]
    no = [number for number, label in names.items() if label.startswith(_NO)]
    numbers = sorted(int(number) for number in names if number.isascii() and number.isdecimal() and len(number) < 4)
    if len(yes) != 1 or len(no) > 1 or numbers != list(range(len(names))) or len(names) < 2:
        raise Unreadable(f"{folder}/config.json: id2label does not name exactly one class `entailment`")
    return _Classes(len(names), int(yes[0]), int(no[0]) if no else None)


def _longest(config: _Config) -> int:
    given = config.max_position_embeddings
    if given is None or not 8 <= given <= 1 << 20:
        return _LONGEST
    # Models of this family count their positions from 2 on.
    return given - 2 if config.model_type in ("roberta", "xlm-roberta", "camembert") else given


class _Onnx:
    """A model run with onnxruntime."""

    def __init__(self, folder: str, path: str, config: _Config) -> None:
        self._path = path
        self._numpy, runtime = import_package("numpy", _DOING), import_package("onnxruntime", _DOING)
        self._classes = _classes(config, folder)
        self._longest = _longest(config)
        self._tokenizer = read_tokenizer(f"{folder}/tokenizer.json", _DOING)
        try:
            options = runtime.SessionOptions()
            options.log_severity_level = 4
            self._session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            self._inputs = {given.name: given.type for given in self._session.get_inputs()}
            outputs = [given.name for given in self._session.get_outputs()]
            self._output = "logits" if "logits" in outputs else outputs[0]
            if not set(self._inputs) <= set(_INPUTS) or "input_ids" not in self._inputs:
                raise ValueError("inputs of another kind")
            scores = self._run("A bridge was built.", "There is a bridge.")
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except Exception:  # its errors have no type in common
            raise Unreadable(f"{path}: not a model for pairs of sentences that can be run here") from None
        if scores is None or len(scores) != self._classes.count:
            raise Unreadable(f"{path}: does not give one score for each class of config.json")

    def probabilities(self, premise: str, claim: str) -> tuple[float, float] | None:
        """Of entailment and of contradiction; None where the pair is too long."""
        try:
            scores = self._run(premise, claim)
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except Exception:  # its errors have no type in common
            raise Unreadable(f"{self._path}: fails at a pair of sentences") from None
        return None if scores is None else self._classes.probabilities(scores)

    def _run(self, premise: str, claim: str) -> list[float] | None:
        """One score for each class; None where the pair is too long."""
        texts = [text.encode("utf-8", "replace").decode() for text in (premise, claim)]
        found = self._tokenizer.encode(*texts)
        if not 0 < len(found.ids) <= self._longest:
            return None
        given = {"input_ids": found.ids, "attention_mask": found.attention_mask, "token_type_ids": found.type_ids}
        kinds = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
        arrays = {name: self._numpy.asarray([given[name]], kinds[kind]) for name, kind in self._inputs.items()}
        (scores,) = self._session.run([self._output], arrays)
        return [float(score) for score in scores[0]]


class _Transformers:
    """A model run with transformers, where that is installed."""

    def __init__(self, folder: str, config: _Config) -> None:
        try:
            self._torch = import_module("torch")
            transformers = import_module("transformers")
        except ImportError:
            raise UsageError(
                f"{folder}: holds no model.onnx, and for model.safetensors transformers and torch have to be installed"
            ) from None
        self._classes = _classes(config, folder)
        self._longest = _longest(config)
        # From this folder alone, from plain tensors alone, and without code of the model's own.
        alone = {"local_files_only": True, "trust_remote_code": False}
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **alone)
            kind = transformers.AutoModelForSequenceClassification
            self._model = kind.from_pretrained(folder, use_safetensors=True, **alone)
            self._model.eval()
        except (OSError, ValueError, KeyError, RuntimeError, ImportError):
            raise Unreadable(f"{folder}: not a model for pairs of sentences that transformers can load") from None

    def probabilities(self, premise: str, claim: str) -> tuple[float, float] | None:
        """Of entailment and of contradiction; None where the pair is too long."""
        given = self._tokenizer(premise, claim, return_tensors="pt", truncation=False)
        if given["input_ids"].shape[1] > self._longest:
            return None
        with self._torch.no_grad():
            return self._classes.probabilities(self._model(**given).logits[0].tolist())
