"""The judge that asks an entailment model of the user's own, from a local folder; nothing is fetched.

A model alone is never believed to `high`: such models pass exchanged names and changed numbers far too often. What the
offline judge finds stated is high without it, what that finds contradicted is low in spite of it, and the model decides
between medium and low for the rest. Each sentence of the quote is asked for, and the whole; the best counts. What is
entailed so has to be entailed by the whole sentence of the quote too, and not be denied with the sentence beside it.

A model is ONNX, or what transformers saves where that is installed. Its folder says by `id2label` in `config.json`
which of its classes is entailment; code that comes with a model is never run.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, json

from ..core.errors import Missing, Unreadable, UsageError
from ..safe.files import read_path, stat_path
from ..search.encoders import import_package, read_tokenizer
from ..text.sentences import split_sentences
from .model import CONTRADICTED, IMPLIED, NOT_SHOWN, Assessment, QuotedEvidence, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Judge

ENTAILED = 0.7
"""From this probability of entailment on, a claim is taken as implied."""
DENIED = 0.9
"""From this probability of contradiction on, it is taken as contradicted where no sentence entails it."""
_MOST_SENTENCES = 40
_MOST_CHARS = 20_000
_STOPS = ".!?…。！？”\"’'"
_DOING = "judging by an entailment model"
_LONGEST = 512
"""Most tokens of a pair where the model does not say."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_YES, _NO = ("entail", "support"), ("contradict", "refute")


class Nli:
    """An entailment model in a folder; raises UsageError and Unreadable where there is none that can be run."""

    def __init__(self, folder: str, *, offline: Judge | None = None) -> None:
        if offline is None:
            from .offline import Offline

            offline = Offline()
        self._offline = offline
        self._model = load_model(folder)
        self.name = f"nli:{folder.rstrip('/').rpartition('/')[2]}"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement; the same input gives the same answer."""
        quoted = QuotedEvidence(evidence) if isinstance(evidence, str) else evidence
        first = self._offline.assess(claim, quoted)
        if first.level == "high" or first.verdict == CONTRADICTED:
            reason = Reason("no-model-needed", f"the offline judge finds it {first.verdict}; the model was not asked")
            return Assessment(first.level, first.verdict, first.score, (*first.reasons, reason), self.name)
        found = self._ask_model(claim, quoted.text)
        return self._in_context(claim, quoted, found) if found.level != "low" else found

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many judgements, in order. One at a time: in a batch, what stands beside a pair would move its figures."""
        return [self.assess(claim, quoted) for claim, quoted in pairs]

    def _ask_model(self, claim: str, text: str) -> Assessment:
        """What the model makes of each sentence and of all together."""
        if not claim.strip() or not text.strip():
            return self._low("empty", "there is nothing to compare")
        if max(len(claim), len(text)) > _MOST_CHARS:
            return self._low("too-long", f"longer than {_MOST_CHARS:,} characters; not put to the model")
        spans = list(split_sentences(text))
        tried = dict.fromkeys([*spans[:_MOST_SENTENCES], (0, len(text))] if len(spans) > 1 else [(0, len(text))])
        best, against, where, asked = 0.0, 0.0, (0, 0), 0
        for start, end in tried:
            found = self._model.probabilities(text[start:end], claim)
            if found is None:
                continue
            asked += 1
            against = max(against, found[1])
            if found[0] > best:
                best, where = found[0], (start, end)
        if not asked:
            return self._low("too-long", "no sentence of the quote fits into the model together with the claim")
        left = len(tried) - asked + max(0, len(spans) - _MOST_SENTENCES)
        unseen = f"; {left} parts were too long or too many for it" if left else ""
        if best >= ENTAILED:
            reason = Reason("entailed", f"the model gives entailment {best:.2f}{unseen}", (where,))
            return Assessment("medium", IMPLIED, best, (reason,), self.name)
        if against >= DENIED:
            reason = Reason("denied", f"the model gives contradiction {against:.2f}, entailment {best:.2f}{unseen}")
            return Assessment("low", CONTRADICTED, best, (reason,), self.name)
        return self._low("not-entailed", f"the model gives entailment {best:.2f} of {ENTAILED:.2f}{unseen}", best)

    def _in_context(self, claim: str, quoted: QuotedEvidence, found: Assessment) -> Assessment:
        """What is left of a judgement once the quote is read where it stands on its page."""
        begun, before = _split_context(quoted.before, -1)
        rest, after = _split_context(quoted.after, 0)
        whole = f"{begun}{quoted.text}{rest}"
        asked = self._model.probabilities(whole, claim) if whole != quoted.text else None
        if asked is not None and asked[0] < ENTAILED:
            return self._low("context", f"in its whole sentence the model gives entailment {asked[0]:.2f}", asked[0])
        for text in filter(None, (f"{before} {whole}" if before else "", f"{whole} {after}" if after else "")):
            asked = self._model.probabilities(text, claim)
            if asked is not None and asked[1] >= DENIED:
                reason = Reason("context", f"with the sentence beside it the model gives contradiction {asked[1]:.2f}")
                return Assessment("low", NOT_SHOWN, asked[0], (reason,), self.name)
        return found

    def _low(self, rule: str, text: str, score: float = 0.0) -> Assessment:
        return Assessment("low", NOT_SHOWN, score, (Reason(rule, text),), self.name)


def _split_context(text: str, at: int) -> tuple[str, str]:
    """Of what stands beside a quote: the part that belongs to its sentence, and the sentence beside that."""
    spans = list(split_sentences(text))
    if not spans:
        return "", ""
    start, end = spans[at]
    sentence = text[start:end]
    if at:
        # A stop, or the end of a block, parts the quote from what stands before it.
        if sentence[-1] in _STOPS or "\n" in text[end:]:
            return "", sentence
        return text[start:], text[slice(*spans[-2])] if len(spans) > 1 else ""
    if "\n" in text[:start] or sentence[0].isupper() or sentence[0].isdigit():
        return "", sentence
    return text[:end], text[slice(*spans[1])] if len(spans) > 1 else ""


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
