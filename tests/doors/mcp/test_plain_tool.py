"""Wrong arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support_mcp import call, text_of


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {"query": "x", "limit": 99}, "search: limit: input should be less than or equal to 20"),
        ("show", {}, "show: citation: field required"),
        ("check", {"paths": "docs"}, "check: paths: input should be a valid list"),
        (
            "verify_answer",
            {"response": "{}", "texts": {"a": 1}},
            "verify_answer: texts.a: input should be a valid string",
        ),
    ],
)
def test_the_answer_names_the_argument_and_nothing_else(
    repository: Path, tool: str, arguments: dict[str, Any], said: str
) -> None:
    result = call(repository, tool, **arguments)
    assert result.is_error
    assert text_of(result) == said
