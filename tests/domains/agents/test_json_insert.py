"""Adding to JSON: everything that stood there stays, byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.agents.json_insert import add_to_json

ADDED = {"hooks": {"Stop": [{"command": "x"}]}, "version": 1}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abhooks"), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("", json.dumps(ADDED, indent=2) + "\n"),
        ('{"a": 1}', '{"a": 1, "hooks": {"Stop": [{"command": "x"}]}, "version": 1}'),
        (
            '{\n\t"version": 7,\n\t"hooks": {"Stop": []}\n}\n',
            '{\n\t"version": 7,\n\t"hooks": {"Stop": [\n\t\t\t{\n\t\t\t\t"command": "x"\n\t\t\t}\n\t\t]}\n}\n',
        ),
        (
            '{"hooks": {"Stop": [{"command": "y"}]}, "version": 1}',
            '{"hooks": {"Stop": [{"command": "y"}, {"command": "x"}]}, "version": 1}',
        ),
    ],
)
def test_what_is_added_stands_where_it_belongs(text: str, new: str) -> None:
    assert add_to_json(text, ADDED) == new


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"hooks": 1}', '{"hooks": []}', "// x\n{}", '{"a": 1,}', '{"hooks": {}, "hooks": {}}', "[" * 99999],
)
def test_what_cannot_be_added_to_is_left_alone(text: str) -> None:
    assert add_to_json(text, ADDED) is None


@given(st.dictionaries(st.sampled_from("abhooks"), JSON, max_size=4), st.sampled_from([None, 1, 2, "\t"]))
def test_what_stood_there_still_does(said: dict[str, Any], indent: int | str | None) -> None:
    text = json.dumps(said, indent=indent)
    new = add_to_json(text, ADDED)
    if new is not None:
        left = iter(new)
        assert all(char in left for char in text)
        now = json.loads(new)
        assert {name: now[name] for name in said if name not in ADDED} == {
            name: value for name, value in said.items() if name not in ADDED
        }
        assert {"command": "x"} in now["hooks"]["Stop"]
        assert add_to_json(new, ADDED) == new
