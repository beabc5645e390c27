"""Transcripts of any kind: chunks with sound ids, each once, whatever the bytes."""

from __future__ import annotations

import json

import engine

with engine.instrumented():
    from pincite.domains.capture.transcript import read_transcript


def law(data: bytes) -> None:
    """Nothing raises, ids are hex, no chunk comes twice, and the same chunks in a log are read back."""
    found, skipped = read_transcript(data)
    assert skipped >= 0
    assert len({(piece.given, piece.text) for piece in found}) == len(found)
    for piece in found:
        assert 6 <= len(piece.given) <= 64 and not piece.given.strip("0123456789abcdef"), piece.given
        assert piece.command.encode().decode() == piece.command
        assert piece.code is None or isinstance(piece.code, int)
        assert piece.started is None or piece.started >= 0
    texts = [(piece.given, piece.text.decode("utf-8", "replace")) for piece in found]
    lines = (json.dumps({"chunk_id": given, "output": text}) for given, text in texts)
    again, left_out = read_transcript("\n".join(lines).encode())
    assert left_out == 0
    assert [(piece.given, piece.text.decode()) for piece in again] == list(dict.fromkeys(texts))


if __name__ == "__main__":
    printed = "Chunk ID: d05d1b\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\nok\n"
    call = {"type": "function_call", "call_id": "c", "arguments": '{"cmd":"ls"}'}
    answer = {"type": "function_call_output", "call_id": "c", "output": printed}
    engine.main(
        law,
        seeds=[
            printed.encode() * 2,
            f"Command: ls\n{printed}```\n{printed}```\n".encode(),
            "\n".join(json.dumps({"timestamp": "2026-06-01T00:00:00Z", "payload": x}) for x in (call, answer)).encode(),
            b'[\n {"chunkId": "ABCDEF", "stdout": "x", "cmd": ["a", "b c"], "exit_code": 1, "session_id": 7}\n]',
            json.dumps({"output": [{"text": json.dumps({"chunk_id": "abcdef", "output": "x"})}]}).encode(),
            b'{"chunk_id": "abcdef", "text": "\\ud800", "timestamp": 1e999}',
        ],
        tokens=[
            *("Chunk ID: ", "Output:\n", "Wall time: 1 seconds\n", "Process exited with code -1\n", "Command: ", "```"),
            *("Process running with session ID 7\n", '"chunk_id":"', '"chunkID":', '"call_id":"', '"arguments":"{'),
            *('"session_id":', '"timestamp":', '"exit_code":', '"command":[', '"output":"', "{", "}", "[", "]", '\\"'),
            *("\\ud800", "abcdef", "[[[[", "1e999", "9" * 120, "\ufeff"),
        ],
    )
