"""Files in which pages were saved: a page, or one refusal; and lists of stage files that are continued, or are not."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.core.errors import PinciteError, Unreadable
    from pincite.domains.research.model import SEARCH, SearchResult
    from pincite.domains.research.stage_append import append_entries
    from pincite.domains.research.stage_file import load_bytes
    from pincite.pages.saved_page import read_saved_page, read_time

SINGLE = (
    b"<html><!--\n Page saved with SingleFile \n url: https://a.example/ \n"
    b" saved date: Fri May 01 2026 10:00:00 GMT+0200\n--><p>words"
)
MESSAGE = (
    b"MIME-Version: 1.0\r\nDate: Fri, 1 May 2026 08:00:00 -0000\r\nSnapshot-Content-Location: https://a.example/\r\n"
    b'Content-Type: multipart/related; start="<1>"; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n'
    b"Content-ID: <1>\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+\r\n--b\r\nContent-Type: multipart/mixed; "
    b"boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n--b--\r\n"
)
STAGE = (
    b"# c\nresults:\n- {result_id: 1, title: a, url: 'https://a.example/', snippet: s, source_type: primary,\n"
    b"   accessed_date: '2026-05-01'}\nx: 1\n"
)


def law(data: bytes) -> None:
    """Reading gives a page no larger than the file, with an address of the web or none; adding keeps what is there."""
    try:
        page = read_saved_page(data)
    except Unreadable as error:
        assert str(error)
    else:
        assert len(page.body) <= len(data)
        assert page.url.lower().startswith(("https://", "http://")) or not page.url
        assert not page.saved or (len(page.saved) == 20 and page.saved.endswith("Z"))
    read_time(data[:200].decode("latin-1"))
    for key in ("search-agent.yaml", "search-agent.json"):
        _append(data, key)


def _append(data: bytes, key: str) -> None:
    try:
        number = load_bytes(data, key, SEARCH).total + 1 if data.strip() else 1
        entry = SearchResult(number, 'a "title" # x', "https://b.example/", "s", "tertiary", "2026-05-01")
        made = append_entries(data, key, SEARCH, [entry])
    except PinciteError as error:
        assert error.exit_code in (1, 2)
        return
    assert load_bytes(made, key, SEARCH).items[-1] == entry


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            SINGLE,
            MESSAGE,
            STAGE,
            b"results: []",
            b'{"results": [ ]}',
            b"<!-- saved from url=(9)https://a.example/ -->",
        ],
        tokens=[
            *("<!DOCTYPE html>", "<html>", "<!--", "-->", " saved from url=(0012)", "url: ", "saved date: "),
            *("MIME-Version: 1.0\n", "Content-Type: ", "multipart/related; boundary=b", "\n--b\n", "--b--", "base64"),
            *("results:\n", "- ", "[]", "{}", "|\n", "# ", "result_id: 1", "\r\n", "---\n", "%PDF-", "\u2028"),
        ],
    )
