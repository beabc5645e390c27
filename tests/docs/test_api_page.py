"""The page on the REST API: every request that it shows is sent, and answered with what it shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs/reference/api.md"
EXAMPLE = re.compile(r"^```http\n(GET|POST) (\S+)\n```\n\n```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(not (find_spec("starlette") and find_spec("jinja2")), reason="needs the extra")


def is_part(shown: Any, given: Any) -> bool:
    """Whether an answer has what is shown; objects may have more fields and lists more items."""
    if isinstance(shown, dict) and isinstance(given, dict):
        return all(name in given and is_part(value, given[name]) for name, value in shown.items())
    if isinstance(shown, list) and isinstance(given, list):
        return all(any(is_part(one, other) for other in given) for one in shown)
    return bool(shown == given)


def test_requests_are_answered_with_what_is_shown(tmp_path: Path) -> None:
    from support_web import TOKEN, open_web

    subprocess.run([sys.executable, str(TOP / "examples/demo.py"), "--build", str(tmp_path / "gauge")], check=True)
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == PAGE.read_text(encoding="utf-8").count("```http") > 5
    with open_web(tmp_path / "gauge") as web:
        web.client.cookies.clear()
        for method, address, shown in examples:
            answer = web.client.request(method, address, headers={"authorization": f"Bearer {TOKEN}"})
            assert is_part(json.loads(shown), answer.json()), (address, answer.text)


def test_every_status_of_the_description_is_in_the_table() -> None:
    from pincite.doors.web.openapi import describe_api

    shown = re.findall(r"^\| (\d{3}) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert shown == list(describe_api()["components"]["responses"])


@pytest.mark.parametrize(
    ("shown", "given"), [({"a": 1}, {}), ([1], []), ({"a": [2]}, {"a": [1]}), (1, 2), ({"a": 1}, [])]
)
def test_what_differs_is_noticed(shown: Any, given: Any) -> None:
    assert not is_part(shown, given)
