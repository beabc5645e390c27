"""A model's answer beside its evidence."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite.doors.web.pages.answers import SAMPLE
from support_web import OWN, open_web

if TYPE_CHECKING:
    from support_web import Web

GUIDE = "The limit is 250. A gauge at its limit stays there.\n"


def make_response(quote: str, text: str = "It stays.", title: str = "guide.md") -> dict[str, Any]:
    cited = {"type": "char_location", "cited_text": quote, "document_index": 0, "document_title": title}
    return {
        "type": "message",
        "role": "assistant",
        "content": [
            {
                "type": "text",
                "text": text,
                "citations": [{**cited, "start_char_index": 0, "end_char_index": len(quote)}],
            }
        ],
    }


def check(web: Web, response: Any, documents: dict[str, bytes] | None = None, **fields: str) -> Any:
    text = response if isinstance(response, str) else json.dumps(response)
    files = [("documents", (name, data)) for name, data in (documents or {}).items()]
    return web.post("/answers.json", {"response": text, **fields}, files=files or None)


def list_outcomes(record: dict[str, Any]) -> list[str]:
    return [
        one["outcome"]
        for answer in record["answers"]
        for sentence in answer["sentences"]
        for one in sentence["evidence"]
    ]


def test_the_sample_has_one_of_each(web: Web) -> None:
    record = check(web, SAMPLE).json()
    assert (record["outcomes"], record["uncited"]) == ({"holds": 1, "mismatch": 1}, 1)
    first, second, third = record["answers"][0]["sentences"]
    assert first["evidence"][0]["passage"]["words"] == "A gauge at its limit stays there."
    assert second["text"] == "Its limit is 350." and second["evidence"][0]["outcome"] == "mismatch"
    assert third["is_uncited"] and third["evidence"] == []
    page = web.post("/answers", {"response": SAMPLE}).text
    assert "<mark>A gauge at its limit stays there.</mark>" in page and "no citation" in page
    assert "Check the sample" in web.get("/answers").text


def test_documents_are_sent_along(web: Web) -> None:
    record = check(web, make_response("A gauge at its limit stays there."), {"guide.md": GUIDE.encode()}).json()
    assert list_outcomes(record) == ["moved"] or list_outcomes(record) == ["holds"]
    assert record["compared"] == "compared with 1 document"
    (sentence,) = record["answers"][0]["sentences"]
    assert sentence["evidence"][0]["passage"]["before"].startswith("The limit is 250.")


def test_documents_are_named_by_their_paths(web: Web, repository: Path) -> None:
    (repository / "docs" / "guide.md").write_text(GUIDE)
    record = check(web, make_response("The limit is 250."), paths="docs/guide.md\n").json()
    evidence = record["answers"][0]["sentences"][0]["evidence"][0]
    assert (evidence["outcome"], evidence["path"], evidence["line"]) == ("holds", "docs/guide.md", 1)
    page = web.post("/answers", {"response": json.dumps(make_response("The limit is 250.")), "paths": "docs"}).text
    assert 'href="/s/docs/guide.md?from=1#L1"' in page


def test_programs_send_json(web: Web) -> None:
    body = {
        "response": make_response("The limit is 250."),
        "documents": [{"name": "guide.md", "data": b64encode(GUIDE.encode()).decode()}],
    }
    record = web.client.post("/answers.json", json=body, headers=OWN).json()
    assert list_outcomes(record) == ["holds"]


def test_a_response_is_sent_as_a_file(web: Web) -> None:
    files = [("response_file", ("r.json", SAMPLE.encode()))]
    assert web.post("/answers.json", {"response": ""}, files=files).json()["citations"] == 2
    twice = web.post("/answers.json", {"response": "x"}, files=files)
    assert twice.status_code == 422 and "one response" in twice.json()["error"]


def test_a_plain_text_is_checked_against_the_root(web: Web) -> None:
    text = "The limit is 40 【F:src/gauge.py†L1】. It is 7 【F:src/gone.py†L1】. It is 【F:../../etc/passwd†L1】."
    record = check(web, text, {"guide.md": b"x"}).json()
    assert list_outcomes(record) == ["holds", "missing", "blocked"]
    assert "were not looked at" in record["compared"]
    assert record["answers"][0]["sentences"][0]["evidence"][0]["passage"]["words"] == "LIMIT = 40"
    assert check(web, "Nothing is cited here.").json()["citations"] == 0


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ("", 422),
        ("   \n", 422),
        ("{", 400),
        ('{"content": [', 400),
        ('[{"a":' * 50_000, 400),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, 400),
    ],
    ids=["empty", "space", "brace", "cut off", "deep", "deep object"],
)
def test_what_is_no_response_is_refused(web: Web, response: str, status: int) -> None:
    answer = check(web, response)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"] and len(answer.json()["error"]) < 500


@pytest.mark.parametrize("response", ["{}", "[]", "null", "7", '"text"', '{"content": 7}', '{"choices": [null]}'])
def test_json_of_no_provider_is_shown_as_unreadable(web: Web, response: str) -> None:
    answer = check(web, response)
    assert answer.status_code in (200, 400)
    if answer.status_code == 200:
        record = answer.json()
        assert all(one["error"] or one["defects"] or not one["sentences"] for one in record["answers"])
        assert web.post("/answers", {"response": response}).status_code == 200


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "out", "out/passwd", ".git/config", "a\0b", "gone.md"]
)
def test_a_document_outside_the_root_is_refused(repository: Path, path: str) -> None:
    (repository / "out").symlink_to("/etc")
    (repository / ".git").mkdir()
    (repository / ".git" / "config").write_text("SECRET\n")
    with open_web(repository) as web:
        answer = check(web, make_response("root:x:0"), paths=path)
        assert answer.status_code == 400, answer.text
        assert "root:x:0:0" not in answer.text and "SECRET" not in answer.text


@pytest.mark.parametrize(
    "data", [b"\0\xff\xfe", b"%PDF-1.7 broken", b"caf\xe9", b""], ids=["binary", "pdf", "latin", "empty"]
)
def test_a_document_without_text_leaves_its_citation_unproved(web: Web, data: bytes) -> None:
    for name in ("guide.md", "guide.pdf"):
        answer = check(web, make_response("The limit is 250."), {name: data})
        assert answer.status_code == 200, answer.text
        assert "holds" not in list_outcomes(answer.json())


def test_too_much_is_refused(web: Web) -> None:
    assert check(web, "x" * (12 * 1024 * 1024)).status_code == 413
    assert check(web, SAMPLE, {f"{number}.md": b"x" for number in range(25)}).status_code == 400
    assert check(web, SAMPLE, paths="docs\n" * 201).status_code == 422
    many = [{"name": f"{number}.md", "data": ""} for number in range(21)]
    assert (
        web.client.post("/answers.json", json={"response": SAMPLE, "documents": many}, headers=OWN).status_code == 422
    )


@pytest.mark.parametrize(
    "body",
    ['{"response": 7}', '{"other": 1}', "[]", "{", '{"documents": [{"name": 1}]}', '{"response": ' + "[" * 90_000],
)
def test_json_that_does_not_fit_is_refused(web: Web, body: str) -> None:
    headers = {**OWN, "content-type": "application/json"}
    assert web.client.post("/answers.json", content=body, headers=headers).status_code in (400, 422)


def test_other_providers_and_requests_from_elsewhere_are_refused(web: Web) -> None:
    assert check(web, SAMPLE, provider="nobody").status_code == 422
    refused = web.client.post("/answers", data={"response": SAMPLE}, headers={"sec-fetch-site": "cross-site"})
    assert refused.status_code == 403


def test_a_read_only_server_checks_answers_too(repository: Path) -> None:
    with open_web(repository, read_only=True) as web:
        assert check(web, SAMPLE).status_code == 200


def test_what_a_model_says_is_only_text(web: Web) -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202e\x1b[31m"
    response = make_response(f"The limit {bad} is 250.", f"It {bad} stays. {bad}", f"{bad}.md")
    documents = {f"{bad.encode('ascii', 'ignore').decode()[:40]}.md": f"The limit {bad} is 250. {bad}\n".encode()}
    text = f"It {bad} is 40 【F:src/gauge.py†L1】. And 【F:src/{bad[:25]}†L1】 too.\n"
    for given in (response, f"{bad} {text}", {**response, bad: bad}, {"content": bad}, [response, {bad: bad}]):
        data = given if isinstance(given, str) else json.dumps(given)
        files = [("documents", (name, body)) for name, body in documents.items()]
        page = web.post("/answers", {"response": data}, files=files).text
        assert "<script>alert" not in page and "<img" not in page
        assert "\u202e" not in page and "\x1b" not in page


def test_a_long_answer_is_shown_in_part(web: Web) -> None:
    response = make_response("The limit is 250.", "It stays there now. " * 3000)
    record = check(web, response, {"guide.md": GUIDE.encode()}).json()
    assert len(record["answers"][0]["sentences"]) == 1000 and record["answers"][0]["more"] == 2000
    lines = "\n".join([json.dumps(make_response("The limit is 250."))] * 60)
    record = check(web, lines, {"guide.md": GUIDE.encode()}).json()
    assert (len(record["answers"]), record["more"], record["outcomes"]) == (50, 10, {"holds": 60})


def test_two_documents_of_one_name_are_refused(web: Web) -> None:
    response = make_response("The limit is 250.")
    files = [("documents", ("a.md", b"one")), ("documents", ("a.md", b"two"))]
    answer = web.post("/answers.json", {"response": json.dumps(response)}, files=files)
    assert answer.status_code == 422 and "two are called a.md" in answer.json()["error"]
    answer = check(web, response, {"docs/a.md": b"other"}, paths="docs/a.md")
    assert answer.status_code == 422
