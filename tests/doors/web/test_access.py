"""Who may ask for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support_web import OWN, PORT, TOKEN

if TYPE_CHECKING:
    from support_web import Web

STOP = "/work/none/stop.json"


def _bare(web: Web) -> None:
    web.client.cookies.clear()


def test_without_a_token_nothing_is_shown(web: Web) -> None:
    _bare(web)
    answer = web.get("/")
    assert answer.status_code == 403
    assert "the address that `pincite serve` printed" in answer.text


def test_the_token_becomes_a_cookie_and_leaves_the_address(web: Web) -> None:
    _bare(web)
    answer = web.get("/index.json", params={"token": TOKEN, "page": "1"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/index.json?page=1")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and TOKEN not in cookie
    assert web.get("/index.json").status_code == 200


def test_a_redirect_never_leads_to_another_host(web: Web) -> None:
    answer = web.get(f"http://127.0.0.1:{PORT}//evil.example/x", params={"token": TOKEN}, follow_redirects=False)
    assert answer.headers["location"] == "/evil.example/x"


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "t", "\u00e9" * 32])
def test_a_wrong_token_is_refused(web: Web, token: str) -> None:
    _bare(web)
    assert web.get("/", params={"token": token}, follow_redirects=False).status_code == 403
    assert web.get("/", headers={"authorization": b"Bearer " + token.encode()}).status_code == 403


def test_a_bearer_token_needs_no_cookie(web: Web) -> None:
    _bare(web)
    assert web.get("/index.json", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_token_for_one_session_counts_once(web: Web) -> None:
    from pincite.doors.web.access import AccessRules

    rules = AccessRules(TOKEN, ("127.0.0.1",), PORT)
    single = rules.make_single_token()
    assert rules.takes(single) and not rules.takes(single) and rules.takes(TOKEN)


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", ""])
def test_a_foreign_host_is_refused(web: Web, host: str) -> None:
    assert web.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site", "origin": "null"},
        {"sec-fetch-site": "none", "origin": "null"},
        {"sec-fetch-site": "same-origin", "origin": f"http://127.0.0.1:{PORT + 1}"},
    ],
)
def test_a_form_of_another_site_is_refused(web: Web, headers: dict[str, str]) -> None:
    assert web.client.post(STOP, headers=headers).status_code == 403


# Chromium sends the origin `null` with a form of a page that sends no referrer.
@pytest.mark.parametrize("headers", [OWN, {"origin": f"http://127.0.0.1:{PORT}"}, {**OWN, "origin": "null"}])
def test_a_form_of_our_own_is_let_through(web: Web, headers: dict[str, str]) -> None:
    assert web.client.post(STOP, headers=headers).status_code == 404


def test_a_script_of_another_site_reads_nothing(web: Web) -> None:
    headers = {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}
    assert web.get("/index.json", headers=headers).status_code == 403
    assert web.get("/", headers={**headers, "sec-fetch-mode": "navigate"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/index.json", "/nothing", "/assets/pincite.js"])
def test_every_answer_keeps_the_page_to_itself(web: Web, path: str) -> None:
    headers = web.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/assets/nothing", "/assets/a/b", "/assets/", "/assets/..%2fx", "/assets/x.json"])
def test_who_has_no_token_does_not_learn_which_folder_is_served(web: Web, path: str) -> None:
    _bare(web)
    for answer in (web.get(path), web.client.post(path)):
        assert answer.status_code in (404, 405)
        assert web.site.name not in answer.text and "<nav" not in answer.text


def test_two_hosts_are_none(web: Web) -> None:
    own = ("host", f"127.0.0.1:{PORT}")
    for headers in ([own, ("host", "evil.example")], [("host", "evil.example"), own], [own, own]):
        assert web.client.request("GET", "/", headers=headers).status_code == 421
