"""Bytes to responses: JSON, JSON lines, what wraps a response, and what is no JSON."""

from __future__ import annotations

import json

import pytest

from pincite.domains.retrieval.answers import load as loading
from pincite.domains.retrieval.answers.load import Unrecognised, load

MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello."}]}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "line 1"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "nested more than"),
        (b"{'a': 1}", "not JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(data: bytes, said: str) -> None:
    with pytest.raises(Unrecognised, match=said):
        load(data, "x.json")


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MOST_BYTES", 10)
    with pytest.raises(Unrecognised, match="exceed the limit"):
        load(b" " * 11, "x.json")


def test_depth_up_to_the_bound_is_read() -> None:
    data = json.dumps(MESSAGE)
    for _ in range(190):
        data = f"[{data}]"
    assert load(data.encode(), "x")[0].source == "x"


def test_numbers_beyond_any_text_stay_numbers() -> None:
    (loaded,) = load(b'{"a": ' + b"9" * 6000 + b', "b": -' + b"9" * 6000 + b"}", "x")
    assert loaded.data["a"] > 10**18
    assert loaded.data["b"] < -(10**18)


def test_doubled_keys_and_no_numbers_are_named_with_their_paths() -> None:
    (loaded,) = load(b'{"a": [{"k": 1, "k": 2}, NaN], "b": -Infinity}', "x")
    assert [(one.path, one.kind) for one in loaded.defects] == [
        ("a[0].k", "duplicate-key"),
        ("a[1]", "not-finite"),
        ("b", "not-finite"),
    ]


def test_lines() -> None:
    data = f"{json.dumps(MESSAGE)}\n\n{{broken\n{json.dumps(MESSAGE)}\n".encode()
    loaded = load(data, "x.jsonl")
    assert [(one.source, bool(one.error)) for one in loaded] == [
        ("x.jsonl:1", False),
        ("x.jsonl:3", True),
        ("x.jsonl:4", False),
    ]


@pytest.mark.parametrize(
    ("wrap", "prefix"),
    [
        (lambda held: {"request": {"q": 1}, "response": held}, "response"),
        (lambda held: {"custom_id": "a", "response": {"status_code": 200, "body": held}}, "response.body"),
        (lambda held: {"custom_id": "a", "result": {"type": "succeeded", "message": held}}, "result.message"),
    ],
)
def test_wrappings_are_taken_off(wrap: object, prefix: str) -> None:
    (loaded,) = load(json.dumps(wrap(MESSAGE)).encode(), "x")  # type: ignore[operator]
    assert (loaded.data, loaded.prefix) == (MESSAGE, prefix)


def test_list_of_responses() -> None:
    loaded = load(json.dumps([MESSAGE, {"response": MESSAGE, "request": 1}]).encode(), "x")
    assert [(one.source, one.prefix) for one in loaded] == [("x[0]", "[0]"), ("x[1]", "[1].response")]


def test_paths_below_a_long_key_stay_short() -> None:
    data = '{"candidates": [], "' + "k" * 100_000 + '": [' + ", ".join(["0"] * 2000) + ", NaN]}"
    (loaded,) = load(data.encode(), "x")
    (defect,) = loaded.defects
    assert defect.kind == "not-finite"
    assert len(defect.path) < 100
