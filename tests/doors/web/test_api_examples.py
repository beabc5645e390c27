"""Every operation of the API is sent what its description allows, and what it does not: the server never fails, and
every answer is one that the description has.

PINCITE_API_EXAMPLES says how many requests each operation gets; `make test-api` sends many.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pincite.doors.web.openapi import describe_api
from support_web import PORT, TOKEN, Web, open_web

schemathesis = pytest.importorskip("schemathesis")
requests = pytest.importorskip("requests")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.failures import FailureGroup  # noqa: E402
from schemathesis.generation import GenerationMode  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

EXAMPLES = int(os.environ.get("PINCITE_API_EXAMPLES", "12"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
BASE = f"http://127.0.0.1:{PORT}"
SCHEMA = schemathesis.openapi.from_dict(describe_api())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]
HOSTILE = st.sampled_from(
    ["\0", "\ud800", "..", "../../etc/passwd", "/", "//", "%00", "%", "\r\nx: y", "\u202e", "x" * 8192, "9" * 400, " "]
)
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    from doors.web.conftest import CODE, DOCUMENT

    top: Path = tmp_path_factory.mktemp("repository")
    for name, text in (("src/gauge.py", CODE), ("docs/a.md", DOCUMENT), ("docs/b.json.md", DOCUMENT)):
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text)
    (top / "pincite.toml").write_text("")
    with open_web(top) as web:
        web.client.cookies.clear()
        yield web


def list_known(web: Web) -> dict[str, list[str]]:
    """Values that lead somewhere, by the name of the parameter."""
    documents = web.site.documents
    return {
        "document": documents.names(),
        "path": documents.citing.paths(),
        "id": [row.id for row in documents.all_rows()] + [work.id for work in web.site.works.list()],
    }


def send(web: Web, case: Any) -> Any:
    """Send a request as it is written; None where HTTP cannot carry it."""
    try:
        wanted = case.as_transport_kwargs(base_url=BASE, headers={"authorization": f"Bearer {TOKEN}"})
        allowed = {
            key: wanted[key] for key in ("method", "url", "headers", "params", "json", "data", "files") if key in wanted
        }
        made = requests.Request(**allowed).prepare()
        headers = [(_bytes(name), _bytes(value)) for name, value in made.headers.items()]
        body = made.body.encode() if isinstance(made.body, str) else made.body
    except (requests.RequestException, UnicodeError, ValueError):
        return None
    answer = web.client.request(made.method, made.url, headers=headers, content=body, follow_redirects=False)
    return schemathesis.Response(
        status_code=answer.status_code,
        headers={name: answer.headers.get_list(name) for name in answer.headers},
        content=answer.content,
        request=made,
        elapsed=0.0,
        verify=False,
    )


def _bytes(text: Any) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode("latin-1")


def campaign(function: Any) -> Any:
    return settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )(function)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_answer_is_one_that_the_description_has(operation: Any, mode: Any, served: Web) -> None:
    known = list_known(served)
    try:
        cases = operation.as_strategy(generation_mode=mode)
    except Exception as error:
        assert "negative" in str(error).lower(), error
        pytest.skip("there is nothing that would not fit")

    @campaign
    @given(case=cases, data=st.data())
    def run(case: Any, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in known and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        answer = send(served, case)
        if answer is not None:
            case.validate_response(answer, checks=CHECKS)

    run()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_hostile_values_never_make_the_server_fail(operation: Any, served: Web) -> None:
    @campaign
    @given(case=operation.as_strategy(), data=st.data())
    def run(case: Any, data: st.DataObject) -> None:
        for values in (case.path_parameters, case.query, case.body if isinstance(case.body, dict) else {}):
            for name in values or {}:
                if data.draw(st.booleans()):
                    values[name] = data.draw(HOSTILE)
        answer = send(served, case)
        if answer is not None:
            case.validate_response(answer, checks=CHECKS)

    run()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_without_the_token_every_operation_is_refused(operation: Any, served: Web) -> None:
    address = operation.path.replace("{", "").replace("}", "")
    answer = served.client.request(operation.method.upper(), address)
    assert answer.status_code == 403
    assert not address.endswith(".json") or answer.json()["status"] == 403


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        (500, "application/json", b'{"status": 500, "error": "x"}'),
        (418, "application/json", b'{"status": 418, "error": "x"}'),
        (200, "text/html", b"{}"),
        (200, "application/json", b"{}"),
        (200, "application/json", b"{"),
        (404, "application/json", b'{"error": 3}'),
    ],
)
def test_an_answer_that_the_description_does_not_have_is_noticed(status: int, kind: str, body: bytes) -> None:
    operation = next(one for one in OPERATIONS if one.path == "/index.json")
    case = operation.Case(method="GET", query={})
    request = requests.Request("GET", f"{BASE}/index.json").prepare()
    headers = {"content-type": [kind], "etag": ['"x"']}
    answer = schemathesis.Response(
        status_code=status, headers=headers, content=body, request=request, elapsed=0.0, verify=False
    )
    with pytest.raises(FailureGroup):
        case.validate_response(answer, checks=CHECKS)
