"""The adapters against the frameworks themselves: split by their splitters, and every piece is where it says."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.text.lines import line_starts, position

HERE = Path(__file__).resolve().parent
NEEDED = {
    "langchain": ("langchain_core", "langchain_text_splitters"),
    "llama_index": ("llama_index.core",),
    "haystack": ("haystack",),
}
SAMPLE = """# Gauges 𝄞

A gauge counts what passes. A gauge never counts backwards.

- one item of a list
    - a deeper item, after some 𝄞𝄞 beyond the basic plane

## Resets

A reset keeps the peak.

```python
# not a heading
def reset(gauge):
    gauge.value = 0
```

## Limits

A reset keeps the peak.

### Nothing follows

#### Deep

The end.
"""
WITH_OFFSETS = ("split", "dumped", "modelled", "scored")


def test_frameworks_are_there_in_ci(missing: Callable[..., list[str]]) -> None:
    if not os.environ.get("CI"):
        pytest.skip("the frameworks may be missing where nobody relies on it")
    assert missing(*(name for names in NEEDED.values() for name in names)) == []


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of each document, under its path: one of this project, and one made up, with both line ends."""
    folder = tmp_path_factory.mktemp("documents")
    texts = {
        "real.md": (HERE.parents[3] / "docs/how-to/cite.md").read_text(encoding="utf-8"),
        "made up.md": SAMPLE,
        "dos#1.md": SAMPLE.replace("\n", "\r\n"),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    return {str(folder / name): text for name, text in texts.items()}


@pytest.fixture(scope="module", params=sorted(NEEDED))
def result(request: pytest.FixtureRequest, run_alone: Callable[..., str], documents: dict[str, str]) -> Any:
    """What a scenario printed, with the framework's name."""
    name = request.param
    printed = run_alone(HERE / "scenarios" / f"with_{name}.py", *documents, needs=NEEDED[name])
    return {"framework": name, **json.loads(printed.splitlines()[-1])}


def test_every_piece_is_where_its_hit_says(result: Any, documents: dict[str, str]) -> None:
    for path, text in documents.items():
        found = result["documents"][path]
        for name in WITH_OFFSETS:
            assert found[name], name
            for start, end, content, _, _ in found[name]:
                assert 0 <= start < end and text[start:end] == content
        assert len(found["split"]) == len(found["dumped"]) == len(found["modelled"])


def test_lines_are_those_an_editor_shows(result: Any, documents: dict[str, str]) -> None:
    for path, text in documents.items():
        starts, rows = line_starts(text), text.split("\n")
        for start, _, content, _, _ in result["documents"][path]["split"]:
            line, column = position(starts, start)
            assert rows[line - 1][column - 1 :].startswith(content.split("\n")[0].rstrip("\r"))


def test_what_the_framework_says_is_right_without_reading_the_document(result: Any, documents: dict[str, str]) -> None:
    for path, text in documents.items():
        if "\r" not in text:
            assert result["documents"][path]["bare"] == result["documents"][path]["split"]


def test_pieces_of_sections_are_found_or_left_open(result: Any, documents: dict[str, str]) -> None:
    for path, text in documents.items():
        found = result["documents"][path]
        for name in ("headers", "twice", "recursive", "levels"):
            if name not in found:
                continue
            placed = [(start, end, content) for start, end, content, _, _ in found[name] if start >= 0]
            assert all(text[start:end] == content for start, end, content in placed), name
            # The sentence that stands twice has no place of its own.
            assert len(placed) >= len(found[name]) - 2, name
        assert all(start == end == -1 for start, end, *_ in found["twice bare"])


def test_sections_carry_their_headings(result: Any, documents: dict[str, str]) -> None:
    path = next(path for path in documents if path.endswith("made up.md"))
    headings = [
        tuple(headings) for _, _, content, headings, _ in result["documents"][path]["headers"] if "peak" in content
    ]
    assert headings == [("Gauges 𝄞", "Resets"), ("Gauges 𝄞", "Limits")]


def test_scores_and_ids_are_kept(result: Any) -> None:
    for found in result["documents"].values():
        assert [score for *_, score in found["scored"]] == found["scores"]
        assert found.get("ids") == found.get("their ids")


def test_citations_are_the_frameworks_own(result: Any) -> None:
    back = result["back"]
    place = {"start_offset": 3, "end_offset": 9, "line_number": 2}
    if result["framework"] == "langchain":
        assert back["in a message"] == [back["block"]]
        assert back["unknown fields"] == []
        assert back["made"] == {name: value for name, value in back["block"].items() if name != "extras"}
    elif result["framework"] == "llama_index":
        assert back["block"]["cited_content"] == {"block_type": "text", "text": "x y"}
        assert back["block"]["additional_location_info"] == place
        assert (back["block"]["source"], back["block"]["title"]) == ("/d/a b.md", "T")
    else:
        assert back["same from dicts"] is True
        assert back["referenced"] == back["their referenced"]
        assert back["answer"]["meta"] == {"unknown_references": [9]}
        assert back["hits"] == [[3, 9, "x yz u", [], 0.0]] * 6
        assert back["ids"] == [1, 2, 3, 4, 5, 6]
