"""A page that a person saved, as a visit that can be kept: from its file, with its address and the day it was saved.

The day is the one that the user gives, else the one that the file names, else that of the file's last change. Which of
these it is goes into the visit, so that no report shows a day without saying who named it.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Missing, Refused, UsageError
from ...core.web import Exchange, Visit
from ...pages.saved_page import PDF, read_saved_page
from ...safe.escape import escape_text
from ...text.lines import shorten
from .page_fetching import OK

if TYPE_CHECKING:
    from ...pages.saved_page import SavedPage
    from ...store.warc import PageSnapshot

WARC = "WARC"
BY_USER, BY_FILE, BY_CHANGE = "as given with --saved", "as the file says", "the day the file was last changed"
_LONGEST_NAME = 100
_LONGEST_NOTE = 300
_MOST_LISTED = 10
_LEAST = 4096
"""Bytes of a packed file that show whether it is a WARC."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_WARC_TYPES = ("text/html", "application/xhtml+xml", "application/pdf")


class SavedVisit(Struct, frozen=True):
    """A saved page, and who named its day."""

    visit: Visit
    form: str
    """How the page was saved, such as `MHTML page` or `WARC`."""
    day_from: str
    """BY_USER, BY_FILE or BY_CHANGE."""


def read_saved_file(path: str, url: str = "", saved: str = "", root: str = "") -> SavedVisit:
    """The page in a file; `url` and `saved` go before what the file says. Raises UsageError, naming what to pass.

    `root` is the folder that topics are below: a link there that leads elsewhere is not followed.
    """
    from ...safe.files import take_path
    from ...safe.user_paths import refuse_way_out
    from ...store.warc import LARGEST_FILE
    from ...store.warc_unpack import unpack

    given, day = _plain_url(url), _read_day(saved)
    refuse_way_out(path, root)
    try:
        data, info = take_path(path, LARGEST_FILE)
        if data.startswith(b"WARC/") or unpack(data[:_LEAST]).data.startswith(b"WARC/"):
            return _from_warc(data, path, given, day)
        page = read_saved_page(data)
    except Missing:
        raise UsageError(f"{path}: there is no such file; give a saved page or an https:// address") from None
    except Refused as error:
        raise UsageError(f"{path}: {error}") from None
    address = given or _own_url(page, path)
    when, day_from = _find_day(page, address, day, info.st_mtime, path)
    said = []
    if page.url and _without_end(page.url) != _without_end(address):
        said.append(f"the file itself names {escape_text(page.url, 200)}")
    if day_from == BY_USER and page.saved and page.saved[:10] != when[:10]:
        said.append(f"the file itself says {page.saved[:10]}")
    note = _make_note(page.form, day_from, said, path)
    answer = Exchange(address, OK, "", (("Content-Type", page.content_type),), page.body)
    return SavedVisit(Visit(address, when, (answer,), note), page.form, day_from)


def _from_warc(data: bytes, path: str, url: str, day: str) -> SavedVisit:
    """A page of a WARC file: the one at the address, or the only one there is; the newest that answered with 200."""
    from ...store.warc import read_warc

    pages = [one for one in read_warc(data, os.path.basename(path)) if url or _is_page(one)]
    known = list(dict.fromkeys(one.visit.url.partition("#")[0] for one in pages))
    if not url:
        if len(known) != 1:
            raise UsageError(f"{path}: {_list_pages(known)}; pass the one you mean with --url")
        url = _require_https(known[0], path)
    fitting = [one for one in pages if _without_end(one.visit.url) == _without_end(url)]
    if not fitting:
        raise UsageError(f"{path}: holds no page of {url}; {_list_pages(known)}")
    if day:
        fitting = [one for one in fitting if one.visit.retrieved[:10] <= day]
    fine = [one for one in fitting if one.visit.status == OK and not one.damaged]
    if not fine:
        raise UsageError(f"{path}: {url}: {_why_not(fitting, day)}")
    best = max(fine, key=lambda one: one.visit.retrieved)
    _refuse_future(best.visit.retrieved, path)
    # A snapshot of ours may be a page that was saved; what it says of that is not lost.
    said = [f"there: {shorten(best.visit.saved, _LONGEST_NOTE)}"] if best.visit.saved else []
    note = _make_note(WARC, BY_FILE, said, path)
    return SavedVisit(replace(best.visit, url=url, saved=note), WARC, BY_FILE)


def _is_page(one: PageSnapshot) -> bool:
    """Whether a record of a WARC file is a page that a person may mean, and no part of one."""
    kind = one.visit.answer.header("content-type").partition(";")[0].strip().lower()
    return one.visit.status == OK and kind in _WARC_TYPES


def _list_pages(urls: list[str]) -> str:
    if not urls:
        return "no page stands in it"
    more = f" and {len(urls) - _MOST_LISTED} more" if len(urls) > _MOST_LISTED else ""
    return f"it holds {', '.join(shorten(url, 200) for url in urls[:_MOST_LISTED])}{more}"


def _why_not(fitting: list[PageSnapshot], day: str) -> str:
    if not fitting:
        return f"it holds no record of it up to {day}"
    worst = fitting[-1]
    return f"its record is damaged ({worst.damaged})" if worst.damaged else f"it answered {worst.visit.status}"


def _find_day(page: SavedPage, url: str, day: str, changed: float, path: str) -> tuple[str, str]:
    """When a page was saved, and who says so."""
    if day:
        # The file may know the time of that day.
        return (page.saved if page.saved[:10] == day else f"{day}T00:00:00Z"), BY_USER
    if page.saved:
        _refuse_future(page.saved, path)
        return page.saved, BY_FILE
    if page.form == PDF and page.printed and not url.lower().endswith(".pdf") and (made := _creation_day(page)):
        _refuse_future(f"{made}T00:00:00Z", path)
        return f"{made}T00:00:00Z", BY_FILE
    try:
        when = datetime.fromtimestamp(changed, UTC).strftime(_TIME).rjust(20, "0")
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"{path}: nothing says when it was saved; pass --saved YYYY-MM-DD") from None
    _refuse_future(when, path)
    return when, BY_CHANGE


def _creation_day(page: SavedPage) -> str:
    """The day on which a browser printed a page to a PDF; empty where the PDF does not say."""
    from ...safe.pdf import PdfTrouble
    from ...store.pdf_texts import text_of

    try:
        made = text_of(page.body, cache=True).created[:10]
    except (PdfTrouble, Refused):
        # Looking for the quote says why it cannot be read.
        return ""
    return made if _DAY.fullmatch(made) else ""


def _refuse_future(when: str, path: str) -> None:
    """A day to come is nobody's day of saving; clocks may differ by one."""
    if when[:10] > (datetime.now(UTC) + timedelta(days=1)).date().isoformat():
        raise UsageError(f"{path}: it would have been saved on {when[:10]}, which is to come; pass --saved YYYY-MM-DD")


def _read_day(saved: str) -> str:
    """The day that the user names; raises UsageError for what is none, or is to come."""
    if not saved:
        return ""
    try:
        if not _DAY.fullmatch(saved) or datetime.fromisoformat(saved).year < 1990:
            raise ValueError
    except ValueError:
        raise UsageError(f"--saved {shorten(saved, 40)}: is no day of the web; write it as YYYY-MM-DD") from None
    _refuse_future(saved, "--saved")
    return saved


def _own_url(page: SavedPage, path: str) -> str:
    """The address that a file names; raises UsageError where it names none, or none of https."""
    if not page.url:
        raise UsageError(f"{path}: the file ({page.form}) does not say where it comes from; pass --url https://…")
    return _require_https(page.url, path)


def _require_https(url: str, path: str) -> str:
    if not url.lower().startswith("https://"):
        shown = shorten(url, 200)
        raise UsageError(f"{path}: comes from {shown}, and only https counts; pass --url https://… if it is there too")
    return url


def _plain_url(url: str) -> str:
    """The address that the user gives, without its fragment; raises UsageError where it is not https."""
    if url and not url.lower().startswith("https://"):
        raise UsageError(f"--url {shorten(url, 200)}: only https counts; give the page's https:// address")
    return url.partition("#")[0]


def _without_end(url: str) -> str:
    """What two ways to write an address have in common; a slash at its end makes no difference."""
    from ...store.warc_redirects import normal_url

    return normal_url(url).rstrip("/")


def _make_note(form: str, day_from: str, said: list[str], path: str) -> str:
    """Where a page comes from, on one line; the file's name comes last, since others may have chosen it."""
    name = os.path.basename(path).encode("utf-8", "replace").decode()
    shown = shorten(" ".join(escape_text(name).split()), _LONGEST_NAME) or "unnamed"
    return "; ".join((form, f"its day: {day_from}", *said, f"file: {shown}"))
