"""The description of the API is valid, complete and stable, and names what the records say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct

from pincite.doors.web.links import ServedLinks
from pincite.doors.web.openapi import describe_api, read_field_docs
from pincite.doors.web.records import CitationRow
from pincite.doors.web.routes import list_actions, list_files, list_pages
from support_web import Web

API: dict[str, Any] = describe_api()
OPERATIONS = [
    (method, path, operation) for path, methods in API["paths"].items() for method, operation in methods.items()
]


def test_it_is_valid_openapi() -> None:
    definitions = pytest.importorskip("schemathesis.specs.openapi.definitions")
    errors = list(Draft202012Validator(definitions.OPENAPI_31).iter_errors(json.loads(json.dumps(API))))
    assert [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in errors] == []


def test_every_schema_is_a_valid_schema_and_every_reference_leads_somewhere() -> None:
    for schema in API["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(API)):
        found: Any = API
        for part in reference.removeprefix("#/").split("/"):
            assert part in found, reference
            found = found[part]


def test_every_page_file_and_action_is_described_once() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(names) == len(set(names)) == len(list_pages()) + len(list_files()) + len(list_actions())
    for path in API["paths"]:
        assert ":" not in path and path.startswith("/")


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=[path for _, path, _ in OPERATIONS])
def test_an_operation_says_what_it_takes_and_answers(method: str, path: str, operation: dict[str, Any]) -> None:
    in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
    assert in_path == set(re.findall(r"\{(\w+)\}", path))
    assert all(one["required"] for one in operation["parameters"] if one["in"] == "path")
    statuses = set(operation["responses"])
    assert {"200", "403", "404", "421", "422"} <= statuses
    if method == "post":
        assert {"409", "413", "415"} <= statuses
        kinds = set(operation.get("requestBody", {"content": {}})["content"])
        assert not kinds or ("application/json" in kinds and len(kinds) == 2)
    else:
        assert "304" in statuses and "requestBody" not in operation


def test_fields_are_described_by_their_docstrings() -> None:
    assert read_field_docs(CitationRow)["raw"] == "The citation as it is written."
    assert API["components"]["schemas"]["CitationRow"]["properties"]["raw"]["description"].startswith("The citation")
    assert API["components"]["schemas"]["ErrorRecord"]["properties"]["exit_code"]["default"] == 2


def test_a_record_without_source_has_no_descriptions() -> None:
    space: dict[str, Any] = {"Struct": Struct}
    exec("class Unread(Struct):\n    x: int\n    'words'\n", space)
    assert read_field_docs(space["Unread"]) == {}


def test_an_action_with_a_file_takes_it_as_a_part_of_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    from doors.web.test_requests import ACTION
    from pincite.doors.web import openapi

    monkeypatch.setattr(openapi, "list_actions", lambda: (ACTION,))
    operation = openapi.describe_api.__wrapped__()["paths"]["/send/{number}.json"]["post"]
    content = operation["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    part = {"type": "string", "contentMediaType": "application/octet-stream"}
    assert content["multipart/form-data"]["schema"]["properties"]["files"] == {"type": "array", "items": part}
    assert content["application/json"]["schema"]["properties"]["files"]["items"]["$ref"].endswith("/Upload")
    assert "number" not in content["application/json"]["schema"]["properties"]
    assert not operation["requestBody"]["required"]


def test_it_is_served_and_the_same_each_time(web: Web) -> None:
    answer = web.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(json.dumps(API))
    assert describe_api.__wrapped__() == API
    assert web.get("/openapi.json", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert web.get("/openapi.json?x=1").status_code == 422
    web.client.cookies.clear()
    assert web.get("/openapi.json").status_code == 403


def test_no_path_of_this_machine_is_in_it(repository: Path) -> None:
    assert str(repository) not in json.dumps(API) and "/home" not in json.dumps(API)


def test_addresses_are_those_of_the_links() -> None:
    made = {re.sub(r"%7B(\w+)%7D", r"{\1}", ServedLinks().json(page.name, **_fill(page.path))) for page in list_pages()}
    assert made <= set(API["paths"])


def _fill(path: str) -> dict[str, str]:
    return {name: f"{{{name}}}" for name in re.findall(r"\{(\w+)", path)}
