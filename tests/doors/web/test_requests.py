"""What a request may ask for: hostile addresses and bodies are refused in plain words, and never break the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from pincite.doors.web import app
from pincite.doors.web.records import PER_PAGE, Paging, Upload, cut_page
from pincite.doors.web.routes import ActionRoute, PageRoute
from support_web import Web, open_web


class EchoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of every kind."""

    name: str = ""
    page: int = 1
    share: float = 0.5
    flag: bool = False
    kind: Literal["a", "b"] = "a"
    many: tuple[str, ...] = ()
    least: Annotated[int, Meta(ge=1)] = 1


class EchoRecord(Struct, frozen=True):
    """What was understood."""

    query: EchoQuery
    paging: Paging


class EchoForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields and files."""

    number: int
    text: str = ""
    count: int = 0
    files: tuple[Upload, ...] = ()
    one: Upload | None = None


class EchoAnswer(Struct, frozen=True):
    """What was sent."""

    number: int
    text: str
    names: tuple[str, ...]
    data: tuple[bytes, ...]


def load_echo(context: Any, query: EchoQuery) -> EchoRecord:
    if query.name == "fail":
        raise ValueError("a secret detail")
    return EchoRecord(query, cut_page(range(5 * PER_PAGE), query.page)[1])


def perform_echo(context: Any, form: EchoForm) -> EchoAnswer:
    files = (*form.files, *([form.one] if form.one is not None else []))
    return EchoAnswer(form.number, form.text, tuple(one.name for one in files), tuple(one.data for one in files))


PAGE = PageRoute("echo", "/echo", "Fields", EchoQuery, EchoRecord, load_echo, "error.html")
ACTION = ActionRoute("send", "/send/{number}", "Files", EchoForm, EchoAnswer, perform_echo, "error.html", True, 4096)


@pytest.fixture
def echo(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setattr(app, "list_pages", lambda: (*real_pages, PAGE))
    monkeypatch.setattr(app, "list_actions", lambda: (ACTION,))
    monkeypatch.setattr("pincite.doors.web.links.list_pages", lambda: (*real_pages, PAGE))
    from pincite.doors.web import links

    for cached in (links._page_paths, links._json_paths):
        cached.cache_clear()
    with open_web(repository) as web:
        yield web
    for cached in (links._page_paths, links._json_paths):
        cached.cache_clear()


real_pages = app.list_pages()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("page=x", 'page: expected a whole number, got "x"'),
        ("page=", 'page: expected a whole number, got ""'),
        ("page=1.5", 'page: expected a whole number, got "1.5"'),
        ("page=%D9%A3", 'page: expected a whole number, got "٣"'),
        ("page=x%0Ay%1B%5B31m", 'page: expected a whole number, got "x\\u{a}y\\u{1b}[31m"'),
        ("page=" + "9" * 30, f"page: expected a number up to {2**53 - 1}"),
        ("page=" + "9" * 7000, ""),
        ("page=-" + "9" * 30, f"page: expected a number up to {2**53 - 1}"),
        ("share=nan", "share: expected a finite number"),
        ("share=1e999", 'share: number out of range, got "1e999"'),
        ("flag=perhaps", 'flag: expected true or false, got "perhaps"'),
        ("kind=c", "kind: invalid enum value 'c', got \"c\""),
        ("least=0", 'least: expected int >= 1, got "0"'),
        ("x=1", "x: no such field; there are: name, page, share, flag, kind, many, least"),
        ("%3Cb%3E%00=1", "u{0}"),
        ("=1", ": no such field"),
        ("page=%ff", "a field has bytes that are no text"),
        ("flag=%ED%A0%80", "a field has bytes that are no text"),
        ("name=a%00b", "name: holds a NUL character"),
        ("many=a&many=b%00", "many[1]: holds a NUL character"),
        ("&".join(f"a{number}=1" for number in range(300)), "more than 200 fields"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_name_of_the_field(echo: Web, query: str, message: str) -> None:
    answer = echo.get(f"/echo.json?{query}")
    assert answer.status_code == 422, answer.text
    assert message in answer.json()["error"] and answer.json()["status"] == 422
    assert "$" not in answer.json()["error"] and "`" not in answer.json()["error"]
    assert echo.get(f"/echo?{query}").status_code == 422


@pytest.mark.parametrize(
    ("query", "name", "value"),
    [
        ("page=3", "page", 3),
        ("page=-7", "page", -7),
        ("flag=1", "flag", True),
        ("many=a&many=b", "many", ["a", "b"]),
        ("name=a&name=b", "name", "b"),
        ("name=%ff", "name", "\\u{dcff}"),
        ("name=%ED%A0%80", "name", "\\u{dced}\\u{dca0}\\u{dc80}"),
        ("name=%E2%80%AE%F3%A0%81%81", "name", "\u202e\U000e0041"),
        ("name=" + "a" * 8192, "name", "a" * 8192),
        ("name=%zz%", "name", "%zz%"),
        ("name=a+b", "name", "a b"),
    ],
)
def test_what_fits_is_understood_whatever_its_bytes(echo: Web, query: str, name: str, value: object) -> None:
    answer = echo.get(f"/echo.json?{query}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["query"][name] == value


def test_lists_name_the_pages_before_and_after(echo: Web) -> None:
    first = echo.get("/echo.json?many=a&many=b")
    assert first.json()["paging"] == {
        "page": 1, "pages": 5, "per_page": PER_PAGE, "total": 5 * PER_PAGE, "previous": None, "next": 2,
    }  # fmt: skip
    assert set(first.links) == {"next"}
    seen = [1]
    answer = first
    while "next" in answer.links:
        answer = echo.get(answer.links["next"]["url"])
        assert answer.json()["query"]["many"] == ["a", "b"]
        assert echo.get(answer.links["prev"]["url"]).json()["paging"]["page"] == seen[-1]
        seen.append(answer.json()["paging"]["page"])
    assert seen == [1, 2, 3, 4, 5]
    assert '</echo.json?page=4>; rel="prev"' in echo.get("/echo.json?page=99").headers["link"]


def test_an_unforeseen_error_is_told_without_its_details_and_keeps_the_guard(echo: Web) -> None:
    for address in ("/echo.json?name=fail", "/echo?name=fail"):
        answer = echo.get(address)
        assert answer.status_code == 500
        assert "secret" not in answer.text and "ValueError" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert echo.get("/echo.json?name=fail").json()["exit_code"] == 2


def send(web: Web, path: str = "/send/7.json", **options: Any) -> Any:
    headers = {"sec-fetch-site": "same-origin", **options.pop("headers", {})}
    return web.client.post(path, headers=headers, **options)


def test_a_form_and_json_say_the_same(echo: Web) -> None:
    files = [("files", ("a.txt", b"\0\xff")), ("files", ("b.txt", b"2")), ("one", ("c.txt", b"3"))]
    form = send(echo, data={"text": "hi"}, files=files)
    json = send(
        echo,
        json={
            "text": "hi",
            "files": [{"name": "a.txt", "data": "AP8="}, {"name": "b.txt", "data": "Mg=="}],
            "one": {"name": "c.txt", "data": "Mw=="},
        },
    )
    assert form.json() == json.json() == {
        "number": 7, "text": "hi", "names": ["a.txt", "b.txt", "c.txt"], "data": ["AP8=", "Mg==", "Mw=="],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ({"json": {"count": "3"}}, 422, 'count: expected a whole number, got "3"'),
        ({"json": {"count": 1.5}}, 422, "count: expected a whole number, got 1.5"),
        ({"json": {"count": None}}, 422, "count: expected a whole number, got null"),
        ({"json": {"count": 10**40}}, 422, f"count: expected a number up to {2**53 - 1}"),
        ({"json": {"text": "a\0"}}, 422, "text: holds a NUL character"),
        ({"json": {"text": {"a": 1}}}, 422, "text: expected text"),
        ({"json": {"files": [{"name": "a"}]}}, 422, "files[0].data: is missing"),
        ({"json": {"files": [{"name": "a\0", "data": ""}]}}, 422, "files[0].name: holds a NUL character"),
        ({"json": {"files": [{"name": "a", "data": "?"}]}}, 422, "files[0].data: "),
        ({"json": {"files": [{"name": "a", "data": "", "x": 1, "y": {}}]}}, 200, ""),
        ({"json": {"other": 1}}, 422, "other: no such field; there are: number, text, count, files, one"),
        ({"json": {"\0": 1}}, 422, "no such field"),
        ({"json": []}, 422, "the body: expected an object"),
        ({"content": b"", "headers": {"content-type": "application/json"}}, 400, "the body is not JSON"),
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400, "the body is not JSON"),
        ({"content": b'{"a":"\xff"}', "headers": {"content-type": "application/json"}}, 400, "the body is not JSON"),
        ({"content": b'{"a":"\\ud800"}', "headers": {"content-type": "application/json"}}, 400, "the body is not JSON"),
        ({"content": b'{"a":' + b"[" * 3000, "headers": {"content-type": "application/json"}}, 400, "not JSON"),
        ({"content": b"x", "headers": {"content-type": "text/plain"}}, 415, "send a form or application/json"),
        ({"content": b"x"}, 415, "send a form or application/json"),
        ({"content": b"x" * 5000}, 413, "more than 4096 bytes"),
        ({"content": iter([b"x" * 3000] * 2)}, 413, "more than 4096 bytes"),
        ({"content": b"x", "headers": {"content-length": "9" * 5000}}, 413, "more than 4096 bytes"),
        ({"content": b"x", "headers": {"content-length": b"\xb2"}}, 400, "no number"),
        ({"content": b"x", "headers": {"content-type": "multipart/form-data"}}, 400, "the form cannot be read"),
        (
            {"content": b"--c\r\nx", "headers": {"content-type": "multipart/form-data; boundary=b"}},
            400,
            "the form cannot be read",
        ),
        ({"data": {"count": "x"}}, 422, 'count: expected a whole number, got "x"'),
        ({"data": {"text": "a\0"}}, 422, "text: holds a NUL character"),
        ({"data": {f"a{number}": "1" for number in range(300)}}, 400, "the form cannot be read"),
        ({"files": [("files", (f"{number}", b"")) for number in range(21)]}, 400, "the form cannot be read"),
        ({"files": {"text": ("a", b"x")}}, 422, "text: expected text"),
        ({"data": {"files": "x"}}, 422, "files[0]: expected an object"),
    ],
)
def test_bodies_that_do_not_fit_are_refused(echo: Web, options: dict[str, Any], status: int, message: str) -> None:
    answer = send(echo, **options)
    assert (answer.status_code, answer.json().get("status", 200)) == (status, status), answer.text
    assert message in answer.json().get("error", "")


def test_a_field_of_the_address_has_the_type_of_the_form(echo: Web) -> None:
    for options in ({"json": {}}, {"data": {"text": "x"}}, {}):
        assert send(echo, **options).json()["number"] == 7
        refused = send(echo, "/send/x.json", **options)
        assert refused.status_code == 422 and "number: expected a whole number" in refused.json()["error"]
    assert send(echo, json={"number": 9}).json()["number"] == 7, "the address decides"


def test_a_read_only_server_performs_nothing(
    echo: Web,
) -> None:
    echo.site.read_only = True
    answer = send(echo, json={})
    assert answer.status_code == 403 and "--read-only" in answer.json()["error"]
