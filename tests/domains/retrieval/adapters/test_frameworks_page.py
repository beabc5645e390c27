"""The examples of the page about frameworks give what they show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[3] / "docs/how-to/frameworks.md"
SECTIONS = {
    "LangChain": ("langchain_core", "langchain_text_splitters"),
    "LlamaIndex": ("llama_index.core",),
    "Haystack": ("haystack",),
    "Whichever it is": (),
}
MODULES = ("langchain.py", "llama_index.py", "haystack.py", "fields.py")


@pytest.mark.parametrize("heading", SECTIONS)
def test_examples_give_what_is_shown(heading: str, run_alone: Callable[..., str], tmp_path: Path) -> None:
    script = HERE / "scenarios" / "run_page.py"
    printed = run_alone(script, str(PAGE), heading, needs=SECTIONS[heading], cwd=tmp_path)
    assert int(printed.splitlines()[-1]) > 7


def test_every_example_is_run() -> None:
    text = re.sub(r"^```markdown\n.*?^```$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    sections = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    with_examples = [
        heading for heading, body in zip(sections[1::2], sections[2::2], strict=True) if "```python" in body
    ]
    assert with_examples == list(SECTIONS)


def test_the_metadata_that_are_named_are_those_that_are_read() -> None:
    source = "".join(
        (HERE.parents[3] / "src/pincite/domains/retrieval/adapters").joinpath(name).read_text() for name in MODULES
    )
    table = re.findall(r"^\| (?:file|offset|page|headings) \|.*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    names = {name for row in table for name in re.findall(r"`(\w+)`", row)} - {"h1"}
    assert len(names) > 10
    assert {name for name in names if f'"{name}"' not in source} == set()
