"""Chunks in the transcripts of other tools."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.domains.capture.transcript import TranscriptChunk, read_transcript


def printed(given: str, text: str, state: str = "Process exited with code 0") -> str:
    return f"Chunk ID: {given}\nWall time: 2.5000 seconds\n{state}\nOriginal token count: 12\nOutput:\n{text}"


def call(ident: str, when: str = "2026-06-01T00:00:01.000Z", name: str = "exec_command", **arguments: Any) -> Any:
    payload = {"type": "function_call", "name": name, "call_id": ident, "arguments": json.dumps(arguments)}
    return {"timestamp": when, "type": "response_item", "payload": payload}


def answer(ident: str, output: Any, when: str = "2026-06-01T00:00:10.000Z", kind: str = "function_call_output") -> Any:
    payload = {"type": kind, "call_id": ident, "output": output}
    return {"timestamp": when, "type": "response_item", "payload": payload}


def log(*records: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def pieces(data: bytes) -> list[TranscriptChunk]:
    found, skipped = read_transcript(data)
    assert skipped == 0
    return found


TEN = 1_780_272_010.0
"""The time that `answer` states."""


def test_a_session_log_gives_chunks_with_their_commands() -> None:
    data = log(
        {"timestamp": "2026-06-01T00:00:00.000Z", "type": "session_meta", "payload": {"id": "t", "cwd": "/p"}},
        call("call-1", cmd="make test", workdir="/p"),
        {"timestamp": "2026-06-01T00:00:02Z", "type": "event_msg", "payload": {"type": "agent_message"}},
        answer("call-1", printed("d05d1b", "ok\n12 passed\n", "Process exited with code 3")),
    )
    assert pieces(data) == [TranscriptChunk("d05d1b", b"ok\n12 passed\n", "make test", 3, TEN - 2.5)]


def test_what_goes_on_in_a_session_has_the_command_that_began_it() -> None:
    running = "Process running with session ID 42"
    data = log(
        call("a", cmd="npm run build"),
        answer("a", printed("aaaaaa", "Building\n", running)),
        call("b", name="write_stdin", session_id=42, chars=""),
        answer("b", printed("bbbbbb", "still\n", running)),
        call("c", name="write_stdin", session_id=42, chars=""),
        answer("c", printed("cccccc", "done\n")),
        call("d", name="write_stdin", session_id=7, chars=""),
        answer("d", printed("dddddd", "other\n")),
    )
    assert [(piece.given, piece.command, piece.code) for piece in pieces(data)] == [
        ("aaaaaa", "npm run build", None),
        ("bbbbbb", "npm run build", None),
        ("cccccc", "npm run build", 0),
        ("dddddd", "", 0),
    ]


def test_json_in_the_output_of_a_call_is_read() -> None:
    inner = {"chunk_id": "3b509f", "wall_time_seconds": 2, "exit_code": 1, "output": "no\n"}
    parts = [
        {"type": "input_text", "text": "Script completed\nWall time 0.3 seconds\nOutput:\n"},
        {"type": "input_text", "text": json.dumps(inner)},
    ]
    data = log(answer("x", parts, kind="custom_tool_call_output"))
    assert pieces(data) == [TranscriptChunk("3b509f", b"no\n", "", 1, TEN - 2)]


def test_what_a_call_printed_is_one_chunk_whatever_it_printed() -> None:
    inside = "before\n" + printed("bbbbbb", "inner\n")
    assert pieces(log(answer("x", printed("aaaaaa", inside)))) == [
        TranscriptChunk("aaaaaa", inside.encode(), "", 0, TEN - 2.5),
    ]
    record = {"chunk_id": "aaaaaa", "output": json.dumps({"chunk_id": "bbbbbb", "output": inside})}
    assert [piece.given for piece in pieces(log(record))] == ["aaaaaa"]


@pytest.mark.parametrize(
    ("asked", "told", "command"),
    [
        ({"type": "tool_use", "id": "t", "input": {"command": "ls -l"}}, {"tool_use_id": "t"}, "ls -l"),
        ({"id": "t", "function": {"arguments": '{"cmd": "ls"}'}}, {"role": "tool", "tool_call_id": "t"}, "ls"),
        ({"call_id": "t", "action": {"command": ["sh", "-c", "a b"]}}, {"call_id": "t"}, "sh -c 'a b'"),
        ({"call_id": "t", "command": ["ls", "a b"]}, {"callId": "t"}, "ls 'a b'"),
        ({"call_id": "t", "command": [1]}, {"call_id": "t"}, ""),
        ({"call_id": "t", "arguments": "{broken"}, {"call_id": "t"}, ""),
        ({"call_id": "t", "input": "text(1)"}, {"call_id": "t"}, ""),
    ],
)
def test_commands_are_found_by_the_call(asked: Any, told: Any, command: str) -> None:
    data = json.dumps([{"messages": [asked, {**told, "content": printed("abcdef", "x\n")}]}]).encode()
    (piece,) = pieces(data)
    assert (piece.text, piece.command) == (b"x\n", command)


@pytest.mark.parametrize("key", ["chunk_id", "chunkId", "chunkID"])
@pytest.mark.parametrize("text", ["output", "text", "content", "stdout"])
def test_objects_with_an_id_and_a_text_are_chunks(key: str, text: str) -> None:
    value = {"deep": [{key: "ABCDEF0123", text: "é\r\n", "cmd": "ls", "exitCode": -1, "timestamp": 1_780_272_010}]}
    expected = [TranscriptChunk("abcdef0123", "é\r\n".encode(), "ls", -1, TEN)]
    for indent in (None, 2):
        assert pieces(json.dumps(value, indent=indent).encode()) == expected
    assert pieces(b"\xef\xbb\xbf\r\n  " + json.dumps(value).encode()) == expected


@pytest.mark.parametrize(
    ("stamp", "started"),
    [
        ("2026-06-01T00:00:10Z", TEN),
        ("2026-06-01T00:00:10", TEN),
        ("2026-06-01T02:00:10+02:00", TEN),
        (TEN, TEN),
        (int(TEN * 1000), TEN),
        ("yesterday", None),
        (-1, None),
        (True, None),
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        pytest.param(10**400, None, id="huge"),
        ("0001-01-01T00:00:00+23:59", None),
        ([], None),
    ],
)
def test_times_are_read_where_they_are_times(stamp: Any, started: float | None) -> None:
    (piece,) = pieces(json.dumps({"chunk_id": "abcdef", "text": "x", "timestamp": stamp}).encode())
    assert piece.started == started


@pytest.mark.parametrize("code", [True, "0", 1.5, None, 2**40])
def test_codes_are_numbers(code: Any) -> None:
    (piece,) = pieces(json.dumps({"chunk_id": "abcdef", "text": "x", "exit_code": code}).encode())
    assert piece.code is None


def test_printed_chunks_go_to_the_next_header() -> None:
    data = "Intro\n\n" + printed("aaaaaa", "one\nChunk ID: is not a header\n\n") + printed("BBBBBB", "two")
    assert pieces(data.encode()) == [
        TranscriptChunk("aaaaaa", b"one\nChunk ID: is not a header\n\n", "", 0),
        TranscriptChunk("bbbbbb", b"two", "", 0),
    ]


def test_a_header_needs_its_output_line_soon() -> None:
    far = "Chunk ID: aaaaaa\n" + "x\n" * 9 + "Output:\ny\n"
    assert pieces(far.encode()) == []
    assert pieces(b"see Chunk ID: aaaaaa\nOutput:\ny\n") == []
    assert pieces(b"Chunk ID: aaaaaa\n") == []
    assert pieces(b"Chunk ID: aaaaaa\nOutput:") == [TranscriptChunk("aaaaaa", b"")]


def test_raw_bytes_of_printed_chunks_stay() -> None:
    data = printed("aaaaaa", "").replace("\n", "\r\n").encode() + b"\xff\x00\x1b[31m\r\n"
    assert pieces(data) == [TranscriptChunk("aaaaaa", b"\xff\x00\x1b[31m\r\n", "", 0)]


def test_a_command_line_before_the_header_is_the_command() -> None:
    data = printed("aaaaaa", "one\n") + "Command: ls 'a b'\n" + printed("bbbbbb", "two\n")
    assert [(piece.text, piece.command) for piece in pieces(data.encode())] == [
        (b"one\n", ""),
        (b"two\n", "ls 'a b'"),
    ]
    (piece,) = pieces(log(answer("x", "Command: ls\n" + printed("cccccc", printed("dddddd", "x")))))
    assert (piece.given, piece.command) == ("cccccc", "ls")


def test_a_fenced_chunk_ends_with_its_fence() -> None:
    data = f"tool\n```\n{printed('aaaaaa', 'one')}\n```\n\n> prose\n\n~~~~text\n{printed('bbbbbb', '~~~')}\n~~~~\n"
    assert [piece.text for piece in pieces(data.encode())] == [b"one\n", b"~~~\n"]
    assert pieces(f"```\n{printed('aaaaaa', 'open')}".encode())[0].text == b"open"


def test_text_that_opens_with_a_bracket_is_text() -> None:
    data = f"[2026-02-06T00:38:42Z] TOOL_OUTPUT\n{printed('aaaaaa', 'one')}"
    assert [piece.text for piece in pieces(data.encode())] == [b"one"]


def test_ids_that_are_none_are_counted_and_left_out() -> None:
    data = "".join(printed(given, "x\n") for given in ("abc", "start", "g" * 6, "a" * 65, "abcdef", "é" * 6))
    found, skipped = read_transcript(data.encode())
    assert ([piece.given for piece in found], skipped) == (["abcdef"], 5)
    objects = [{"chunk_id": given, "text": "x"} for given in ("doc_1", 123456, "", None, "ABCDEF")]
    found, skipped = read_transcript(json.dumps(objects).encode())
    assert ([piece.given for piece in found], skipped) == (["abcdef"], 3)


def test_the_same_id_is_one_chunk_where_its_text_is_the_same() -> None:
    same = [{"chunk_id": "abcdef", "text": text} for text in ("x", "y", "x")]
    assert [piece.text for piece in pieces(json.dumps(same).encode())] == [b"x", b"y"]


@pytest.mark.parametrize("data", [b"", b"\n", b"{}", b"[]", b"null", b"plain", b"{", b'{"a":', b"\xff\xfe", b"[" * 9])
def test_nothing_found_is_an_empty_list(data: bytes) -> None:
    assert read_transcript(data) == ([], 0)


def test_lines_that_are_no_json_are_passed_over() -> None:
    good = log({"chunk_id": "abcdef", "text": "x"})
    assert pieces(good + b'{"chunk_id": "bbbbbb", "te') == [TranscriptChunk("abcdef", b"x")]
    assert pieces(b'{"cut": "off, chunk\n' + good) == [TranscriptChunk("abcdef", b"x")]
    assert pieces(good + b"chunk\n\xff chunk\n" + good) == [TranscriptChunk("abcdef", b"x")]


def test_what_cannot_be_encoded_is_replaced() -> None:
    data = rb'{"chunk_id": "abcdef", "text": "a\ud800b", "cmd": "l\udfff"}'
    assert pieces(data) == [TranscriptChunk("abcdef", b"a?b", "l?")]
    assert pieces(b'{"chunk_id": "abcdef", "text": "a\xffb"}') == [TranscriptChunk("abcdef", "a\ufffdb".encode())]
    text = json.dumps(printed("abcdef", "a") + "\ud800").encode()
    assert pieces(b'{"x": ' + text + b"}") == [TranscriptChunk("abcdef", b"a?", "", 0)]


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"chunk_id":', '[{"chunk_id":"abcdef","text":"x"},'])
def test_nesting_without_end_is_survived(opening: str) -> None:
    assert read_transcript(opening.encode() * 200_000)[0] == []


def test_deep_nesting_that_is_json_is_read() -> None:
    depth = 300
    data = b"[" * depth + b'{"chunk_id":"abcdef","text":"x"}' + b"]" * depth
    assert [piece.given for piece in pieces(data)] == ["abcdef"]


def test_json_in_json_in_json_ends_somewhere() -> None:
    value: Any = {"chunk_id": "abcdef", "text": "x"}
    counts = []
    for _ in range(6):
        counts.append(len(pieces(json.dumps([value]).encode())))
        value = json.dumps([value])
    assert counts == [1, 1, 1, 1, 0, 0]


def test_too_many_values_are_not_looked_at() -> None:
    data = b"[" + b"[]," * 3_000_000 + b'{"chunk_id":"abcdef","text":"x"}]'
    assert read_transcript(data) == ([], 0)


PIECES = (
    *("Chunk ID: ", "abcdef", "Output:", "\n", "\r\n", "Wall time: 1.5 seconds\n", "Process exited with code 1\n"),
    *("Command: ls\n", "```\n", "~~~\n", "{", "}", "[", "]", '"', ":", ",", '"chunk_id"', '"text"', '"output"', "\\n"),
    *('"call_id":"a"', '"arguments":"{\\"cmd\\":\\"x\\"}"', '"timestamp":1', '{"chunk_id":"abcdef","text":"x"}\n'),
    *("\\ud800", "Process running with session ID 7\n", '"session_id":7', printed("012345", "y\n")),
)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=40).map("".join) | st.binary(max_size=80))
@settings(max_examples=200, deadline=None)
def test_nothing_raises_and_what_is_given_is_sound(data: str | bytes) -> None:
    found, skipped = read_transcript(data if isinstance(data, bytes) else data.encode())
    assert skipped >= 0
    assert len({(piece.given, piece.text) for piece in found}) == len(found)
    for piece in found:
        assert 6 <= len(piece.given) <= 64
        assert not piece.given.strip("0123456789abcdef")
        assert piece.command.encode() is not None


@given(st.lists(st.tuples(st.from_regex(r"[0-9a-f]{6,64}", fullmatch=True), st.text(max_size=50)), max_size=5))
@settings(max_examples=100, deadline=None)
def test_what_was_logged_is_read_back(chunks: list[tuple[str, str]]) -> None:
    data = log(*(answer(str(index), printed(*chunk)) for index, chunk in enumerate(chunks)))
    expected = dict.fromkeys((given, text.encode()) for given, text in chunks)
    assert [(piece.given, piece.text) for piece in pieces(data)] == list(expected)


SHAPES = {
    "headers": lambda n: printed("abcdef", "x\n") * n,
    "half headers": lambda n: "Chunk ID: abcdef\nWall time: 1 seconds\n" * n,
    "marks": lambda n: "Chunk ID:" * n,
    "fenced headers": lambda n: ("```\n" + printed("abcdef", "x\n")) * n,
    "long lines": lambda n: "Command: " + "x" * 20 * n + "\nChunk ID: abcdef\nOutput:\n",
    "open arrays on lines": lambda n: '["chunk",\n' * n,
    "objects on lines": lambda n: '{"chunk_id":"abcdef","text":"x"}\n' * n,
    "broken lines": lambda n: '{"chunk_id":"abcdef","text":"x"\n' * n,
    "escapes": lambda n: '{"chunk_id":"abcdef","text":"' + "\\\\" * 20 * n + '"}',
    "white space": lambda n: " " * 40 * n + "{",
    "blank lines": lambda n: "{}" + "\n" * 40 * n,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_transcript_and_no_faster(shape: str) -> None:
    def cost(n: int) -> float:
        data = SHAPES[shape](n).encode()
        times = []
        for _ in range(3):
            start = process_time()
            read_transcript(data)
            times.append(process_time() - start)
        # A busy machine makes a run longer and never shorter.
        return min(times)

    assert cost(10_000) <= 25 * max(cost(1_000), 0.004)
