"""The judge with an entailment model: which class is which, how far it is believed, and folders that hold no model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite.core.errors import Missing, Unreadable, UsageError
from pincite.judge.judges import get_judge
from pincite.judge.model import CONTRADICTED, IMPLIED, NOT_SHOWN, STATED, Assessment, QuotedEvidence, Reason
from pincite.judge.nli import Nli
from pincite.project.config import ResearchSettings

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

LABELS = {"0": "ENTAILMENT", "1": "neutral", "2": "Contradiction"}
# Each word moves the scores of the three meanings, in this order: entailed, neither, contradicted.
WORDS = {
    "[UNK]": (0, 0, 0),
    "[CLS]": (0, 0, 0),
    "[SEP]": (0, 0, 0),
    "yes": (6, 0, 0),
    "no": (0, 0, 6),
    "nan": (3e38, 0, 0),
}
ORDER = ("ENTAILMENT", "neutral", "Contradiction")


class Fixed:
    """An offline judge with one opinion."""

    name = "fixed"

    def __init__(self, level: str = "low", verdict: str = NOT_SHOWN) -> None:
        self.answer = Assessment(level, verdict, 0.1, (Reason("fixed", "so it is"),), "fixed")

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        return self.answer

    def assess_all(self, pairs: Any) -> list[Assessment]:
        return [self.answer for _ in pairs]


def graph(labels: dict[str, str], inputs: tuple[str, ...], kind: int, output: str) -> bytes:
    """A model that adds up what each word says."""
    from onnx import TensorProto, helper

    order = [ORDER.index(labels[str(number)]) if labels[str(number)] in ORDER else 1 for number in range(len(labels))]
    table = [float(row[place]) for row in WORDS.values() for place in order]
    nodes = [
        helper.make_node("Gather", ["table", inputs[0]], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axes"], [output], keepdims=0),
    ]
    given = [helper.make_tensor_value_info(name, kind, ["batch", "length"]) for name in inputs]
    values = [
        helper.make_tensor("table", TensorProto.FLOAT, [len(WORDS), len(labels)], table),
        helper.make_tensor("axes", TensorProto.INT64, [1], [1]),
    ]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", len(labels)])]
    made = helper.make_graph(nodes, "words", given, outputs, values)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return bytes(model.SerializeToString())


def save(
    folder: Path,
    labels: dict[str, str] = LABELS,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids"),
    name: str = "model.onnx",
    output: str = "logits",
    kind: int = 7,
    config: dict[str, Any] | None = None,
) -> Path:
    """A folder as models are saved in."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(graph(labels, inputs, kind, output))
    (folder / "config.json").write_text(json.dumps({"id2label": labels} | (config or {})))
    words = tokenizers.models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]")
    made = tokenizers.Tokenizer(words)
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    made.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("models") / "tiny")


def judge(folder: Path, level: str = "low", verdict: str = NOT_SHOWN) -> Nli:
    return Nli(str(folder), offline=Fixed(level, verdict))


def test_a_model_alone_says_medium_at_most(folder: Path) -> None:
    text = "It is cold. It is yes. It is late."
    found = judge(folder).assess("It is warm.", text)
    assert (found.level, found.verdict, found.judge) == ("medium", IMPLIED, "nli:tiny")
    assert found.score > 0.9
    ((start, end),) = found.reasons[0].spans
    assert text[start:end] == "It is yes."


def test_one_sentence_can_decide(folder: Path) -> None:
    """Together the sentences even out; one of them entails the claim."""
    assert judge(folder).assess("So.", "Here yes. There no.").level == "medium"
    assert judge(folder).assess("So.", "Here yes and there no.").level == "low"


def test_otherwise_it_is_not_shown_or_contradicted(folder: Path) -> None:
    asked = judge(folder)
    found = asked.assess("It is warm.", "It is cold.")
    assert (found.level, found.verdict, found.reasons[0].rule) == ("low", NOT_SHOWN, "not-entailed")
    found = asked.assess("It is warm.", "It is no.")
    assert (found.level, found.verdict, found.reasons[0].rule) == ("low", CONTRADICTED, "denied")


def test_the_offline_judge_goes_first(folder: Path) -> None:
    found = judge(folder, "high", STATED).assess("So.", "It is no.")
    assert (found.level, found.verdict, [one.rule for one in found.reasons]) == (
        "high",
        STATED,
        ["fixed", "no-model-needed"],
    )
    found = judge(folder, "low", CONTRADICTED).assess("So.", "It is yes.")
    assert (found.level, found.verdict) == ("low", CONTRADICTED)
    assert judge(folder, "medium", IMPLIED).assess("So.", "It is cold.").level == "low"


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "Contradiction", "1": "ENTAILMENT", "2": "neutral"},
        {"0": "neutral", "1": "Contradiction", "2": "ENTAILMENT"},
        {"0": "ENTAILMENT", "1": "not_entailment"},
        {"0": "not_entailment", "1": "ENTAILMENT"},
    ],
)
def test_the_order_of_the_classes_is_the_models_own(tmp_path: Path, labels: dict[str, str]) -> None:
    asked = judge(save(tmp_path / "m", labels))
    assert asked.assess("So.", "It is yes.").level == "medium"
    assert asked.assess("So.", "It is no.").level == "low"


@pytest.mark.parametrize(
    ("inputs", "name", "output", "kind"),
    [
        (("input_ids",), "model.onnx", "logits", 7),
        (("input_ids", "attention_mask"), "onnx/model.onnx", "output_0", 7),
        (("input_ids", "token_type_ids"), "model.onnx", "logits", 6),
    ],
)
def test_models_are_saved_in_several_ways(
    tmp_path: Path, inputs: tuple[str, ...], name: str, output: str, kind: int
) -> None:
    asked = judge(save(tmp_path / "m", LABELS, inputs, name, output, kind))
    assert asked.assess("So.", "It is yes.").level == "medium"


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "entailment", "1": "entailment"},
        {"0": "entailment"},
        {"0": "entailment", "2": "neutral"},
        {"0": "entailment", "x": "neutral"},
        {"0": "not_entailment", "1": "neutral"},
        {},
    ],
)
def test_a_model_that_does_not_say_what_entailment_is_is_refused(tmp_path: Path, labels: dict[str, str]) -> None:
    save(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"id2label": labels}))
    with pytest.raises(Unreadable, match="id2label"):
        judge(tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", b"{"),
        ("config.json", b"[" * 100_000),
        ("config.json", b'{"id2label": ["entailment", "neutral"]}'),
        ("config.json", b'{"id2label": {"0": "entailment", "1": "neutral"}}'),
        ("config.json", None),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"\xff"),
        ("tokenizer.json", None),
        ("model.onnx", b"not a model"),
        ("model.onnx", b""),
        ("model.onnx", None),
    ],
)
def test_damage_is_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    save(tmp_path)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((Unreadable, UsageError, Missing)) as caught:
        judge(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    save(tmp_path, inputs=("pixel_values",))
    with pytest.raises(Unreadable, match="pairs of sentences"):
        judge(tmp_path)


def test_nothing_is_cut_in_silence(tmp_path: Path) -> None:
    asked = judge(save(tmp_path / "m", config={"max_position_embeddings": 24}))
    long = "word " * 60
    found = asked.assess("So.", f"{long}yes.")
    assert (found.level, found.reasons[0].rule) == ("low", "too-long")
    found = asked.assess("So.", f"{long}. It is yes.")
    assert found.level == "medium"
    assert "too long" in found.reasons[0].text
    assert asked.assess("So.", "x " * 20_000).reasons[0].rule == "too-long"
    assert asked.assess(" ", "yes").reasons[0].rule == "empty"


def test_no_figure_is_no_support(folder: Path) -> None:
    found = judge(folder).assess("So.", "nan nan yes.")
    assert (found.level, found.score) == ("low", 0.0)


def test_order_and_sameness(folder: Path) -> None:
    asked = judge(folder)
    pairs = [("So.", QuotedEvidence(text)) for text in ("yes.", "no.", "cold \ud800 yes.", "yes.")]
    assert [one.level for one in asked.assess_all(pairs)] == ["medium", "low", "medium", "medium"]
    assert asked.assess_all(pairs) == [asked.assess(*pair) for pair in pairs]


def test_a_tree_does_not_bring_its_own_judge(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    inside = save(tmp_path / "root" / "model")
    for name in (str(inside), "model", "./model", "../root/model", "."):
        with pytest.raises(UsageError, match="keep models outside the tree"):
            get_judge(ResearchSettings(judge="nli", model=name), str(tmp_path / "root"))
    (tmp_path / "link").symlink_to(inside)
    with pytest.raises(UsageError, match="keep models outside the tree"):
        get_judge(ResearchSettings(judge="nli", model=str(tmp_path / "link")), str(tmp_path / "root"))
    with pytest.raises(UsageError, match="needs the folder"):
        get_judge(ResearchSettings(judge="nli"), str(tmp_path / "root"))
    assert get_judge(ResearchSettings(judge="nli", model=str(folder)), str(tmp_path / "root")).name == "nli:tiny"


def test_what_is_missing_is_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(UsageError, match=r"pincite\[models\]"):
        judge(folder)
    save(tmp_path)
    (tmp_path / "model.onnx").rename(tmp_path / "model.safetensors")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UsageError, match="transformers and torch"):
        judge(tmp_path)


def test_transformers_runs_nothing_that_a_model_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins: what is asked of the library, and what is made of its answer."""
    save(tmp_path, config={"max_position_embeddings": 20})
    (tmp_path / "model.onnx").rename(tmp_path / "model.safetensors")
    asked: list[dict[str, Any]] = []

    class Tensor:
        def __init__(self, values: list[float]) -> None:
            self.values, self.shape = values, (1, len(values))

        def __getitem__(self, _: int) -> Tensor:
            return self

        def tolist(self) -> list[float]:
            return self.values

    class Loaded:
        def eval(self) -> None: ...

        def __call__(self, *texts: str, **given: Any) -> Any:
            if texts:
                return {"input_ids": Tensor([0.0] * len(" ".join(texts).split())), "text": texts[0]}
            self.logits = Tensor([6.0 if "yes" in given["text"] else 0.0, 1.0, 0.0])
            return self

        @classmethod
        def from_pretrained(cls, folder: str, **given: Any) -> Loaded:
            asked.append(given)
            return cls()

    class Grad:
        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    transformers, torch = ModuleType("transformers"), ModuleType("torch")
    transformers.AutoTokenizer = transformers.AutoModelForSequenceClassification = Loaded  # type: ignore[attr-defined]
    torch.no_grad = Grad  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    monkeypatch.setitem(sys.modules, "torch", torch)
    found = judge(tmp_path)
    assert found.assess("So.", "It is yes.").level == "medium"
    assert found.assess("So.", "It is cold.").level == "low"
    assert found.assess("So.", "word " * 30).reasons[0].rule == "too-long"
    assert len(asked) == 2
    assert all(given["trust_remote_code"] is False and given["local_files_only"] is True for given in asked)
    assert asked[1]["use_safetensors"] is True


@pytest.mark.parametrize(
    ("before", "after", "level"),
    [
        ("", "", "medium"),
        ("Nothing here. ", " Nothing there.", "medium"),
        ("no no and ", "", "low"),
        ("", " no no and so on.", "low"),
        ("no no no. ", "", "low"),
        ("no no no\n", "", "low"),
        ("", " No no no.", "low"),
        ("", "\nno no no.", "low"),
    ],
)
def test_what_stands_around_the_quote_can_take_it_back(folder: Path, before: str, after: str, level: str) -> None:
    found = judge(folder).assess("yes it", QuotedEvidence("yes", "", before, after))
    assert (found.level, found.reasons[0].rule) == (level, "entailed" if level == "medium" else "context")
