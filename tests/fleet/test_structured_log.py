"""The log of a fleet: one line an event, for people or for programs, without secrets and without surprises."""

from __future__ import annotations

import io
import json
import logging
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.fleet.structured_log import LONGEST_LINE, FleetLog, hide_log_secrets, new_span, new_trace

SECRET = "s3cr3t-of-mine"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def write_json(**fields: Any) -> dict[str, Any]:
    stream = io.StringIO()
    FleetLog("json", stream=stream).info("shard", **fields)
    found: dict[str, Any] = json.loads(stream.getvalue())
    return found


def test_a_line_of_json_says_when_how_grave_and_what() -> None:
    stream = io.StringIO()
    log = FleetLog("json", stream=stream).bind(trace=(trace := new_trace()))
    log.bind(span=(span := new_span()), repository=7).warning("shard", seconds=1.25, error=None, rows=3, kept=True)
    log.error("run", trouble=ValueError("no"))
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert TIME.fullmatch(first.pop("time"))
    assert first == {
        "level": "warning",
        "event": "shard",
        "trace": trace,
        "span": span,
        "repository": 7,
        "seconds": 1.25,
        "error": None,
        "rows": 3,
        "kept": True,
    }
    # What one shard is bound to, another line does not have.
    assert (second["level"], second["trace"], second["trouble"], "span" in second) == (
        "error",
        trace,
        "ValueError: no",
        False,
    )


def test_a_line_of_text_has_the_same_fields() -> None:
    stream = io.StringIO()
    FleetLog("text", stream=stream).info("shard", name="a b", repository=7, done=False, left=None, path="src/x.py:3")
    time, rest = stream.getvalue().split(" ", 1)
    assert TIME.fullmatch(time)
    assert rest == 'INFO    shard name="a b" repository=7 done=false left=null path=src/x.py:3\n'


def test_traces_and_spans_have_the_form_of_the_w3c() -> None:
    assert re.fullmatch("[0-9a-f]{32}", new_trace()) and re.fullmatch("[0-9a-f]{16}", new_span())
    assert len({new_trace() for _ in range(100)}) == 100


@pytest.mark.parametrize(("level", "shown"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_only_what_is_grave_enough_is_written(level: str, shown: int) -> None:
    stream = io.StringIO()
    log = FleetLog("text", level, stream)
    for write in (log.debug, log.info, log.warning, log.error):
        write("x")
    assert stream.getvalue().count("\n") == shown


def test_a_log_that_nobody_wants_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    FleetLog().bind(trace="t").error("x", y=1)
    assert capsys.readouterr() == ("", "")
    FleetLog("text").info("here")
    assert " here\n" in capsys.readouterr().err


@pytest.mark.parametrize(("format_", "level"), [("xml", "info"), ("json", "loud")])
def test_another_format_or_level_is_refused(format_: str, level: str) -> None:
    with pytest.raises(UsageError, match="no such log"):
        FleetLog(format_, level)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://worker:{SECRET}@db/pincite",
        f"clone of https://{SECRET}@github.com/a/b.git failed",
        f"https://user:{SECRET}@host/x and https://user:{SECRET}@host/y",
        f"host=db password={SECRET} user=x",
        f"Authorization: Bearer {SECRET}",
        f"authorization=Basic {SECRET}",
        f"GET /x?access_token={SECRET}&page=2",
        f"api_key: '{SECRET}'",
        f"client-secret={SECRET}; more",
    ],
)
def test_no_secret_reaches_a_line(text: str) -> None:
    assert SECRET not in hide_log_secrets(text)
    for format_ in ("text", "json"):
        stream = io.StringIO()
        FleetLog(format_, stream=stream).bind(place=text).error(text, error=text, cause=OSError(text))
        assert SECRET not in stream.getvalue() and "***" in stream.getvalue()


def test_ordinary_words_stay() -> None:
    for text in (
        "the token of the page moved",
        "https://example.org/a@b?page=2",
        "no secret here",
        "src/x.py:12: moved",
    ):
        assert hide_log_secrets(text) == text


def test_control_characters_are_spelt_out_and_a_line_stays_one() -> None:
    found = write_json(name="a\nb\x1b[2J\u202e", level="forged")
    assert found["name"] == "a\\u{a}b\\u{1b}[2J\\u{202e}" and found["level"] == "info" and found["level_"] == "forged"


def test_a_line_is_never_longer_than_a_pipe_takes() -> None:
    for format_ in ("text", "json"):
        stream = io.StringIO()
        log = FleetLog(format_, stream=stream).bind(trace=(trace := new_trace()))
        log.info("x" * 10**6, **{f"field{number}": "é\n\u202e" * 10**5 for number in range(100)})
        line = stream.getvalue()
        assert line.count("\n") == 1 and len(line.encode()) <= LONGEST_LINE + 1 and trace in line


VALUES = st.one_of(
    st.text(), st.integers(), st.floats(), st.booleans(), st.none(), st.binary(), st.lists(st.integers())
)


@given(st.text(), st.dictionaries(st.text(st.characters(codec="ascii")), VALUES))
def test_whatever_is_logged_becomes_one_line_of_json(event: str, fields: dict[str, Any]) -> None:
    stream = io.StringIO()
    FleetLog("json", stream=stream).info(event, **fields)
    assert stream.getvalue().count("\n") == 1
    found = json.loads(stream.getvalue())
    assert found["level"] == "info" and TIME.fullmatch(found["time"])


class BrokenStream(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (BrokenStream(), closed):
        FleetLog("json", stream=stream).error("x")


def test_the_loggers_of_the_process_are_left_alone() -> None:
    before = (logging.getLogger().level, list(logging.getLogger().handlers), set(logging.Logger.manager.loggerDict))
    FleetLog("json", stream=io.StringIO()).info("x")
    after = (logging.getLogger().level, list(logging.getLogger().handlers), set(logging.Logger.manager.loggerDict))
    assert before == after
