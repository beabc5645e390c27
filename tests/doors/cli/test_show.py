"""`pincite show` on captured output: the lines, where they come from, and what stands beside them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.doors.cli.main import main
from pincite.store.bundle import MANIFEST, BundleText, Manifest, Occurrence

TEN = b"".join(b"line %d\n" % number for number in range(1, 11))
SNAPSHOTS = Path(__file__).parent / "snapshots"
Show = Callable[..., tuple[int, str, str]]


@pytest.fixture
def show(in_folder: Callable[..., tuple[int, str, str]]) -> Show:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "show")


def digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


def colliding() -> tuple[bytes, bytes]:
    """Two texts whose digests begin with the same six digits."""
    known: dict[str, bytes] = {}
    for number in range(1_000_000):
        text = b"attempt %d\n" % number
        other = known.setdefault(digest_of(text)[:6], text)
        if other != text:
            return other, text
    raise AssertionError("no collision in a million texts")


@pytest.mark.parametrize("form", ["【{}†L2-L3】", "{}:2-3", "{}†L2-L3", "{}#L2-L3", "  {}:2–3"])
def test_every_way_to_write_it(tmp_path: Path, captured: Callable[..., str], show: Show, form: str) -> None:
    digest = captured(tmp_path, TEN)
    code, out, err = show(form.format(digest[:6]), "-B", "1", "-A", "0")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{digest[:6]}, lines 2-3 of 10, sha256 {digest[:12]}"
    assert out.splitlines()[-3:] == ["  1 │ line 1", "> 2 │ line 2", "> 3 │ line 3"]


def test_one_line_and_all_of_it(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    digest = captured(tmp_path, TEN)
    assert "> 4 │ line 4" in show(f"{digest}:4")[1]
    for form in (digest[:6], digest[:9].upper(), digest):
        code, out, _ = show(form)
        assert (code, out.count("│"), ">" in out) == (0, 10, False)


def test_a_file_of_that_name_is_the_file(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    digest = captured(tmp_path, TEN)
    (tmp_path / digest[:6]).write_text("a file\n")
    assert "> 1 │ a file" in show(f"{digest[:6]}:1")[1]
    assert "the file exists" in show(digest[:6])[1]
    assert "> 1 │ line 1" in show(f"【{digest[:6]}†L1】")[1]


def test_the_header_says_where_it_comes_from(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    revision = "1a2b3c4d5e6f" + "0" * 28
    captured(tmp_path, TEN, ("make", "all"), 0)
    digest = captured(tmp_path, TEN, ("make", "my target"), 2, started=1.7e9, revision=revision, dirty=True, masked=2)
    out = show(digest[:6])[1].splitlines()
    assert out[1:7] == [
        "  run       2, chunk 1 of 1",
        "  command   make 'my target'",
        "  when      2023-11-14T22:13:20+00:00, 1.5 s, exit 2",
        "  folder    .",
        "  revision  1a2b3c4d5e6f with uncommitted changes",
        "  again     1 more time (run 1)",
    ]


def test_hidden_secrets_and_ids_of_other_tools_are_said(
    tmp_path: Path, captured: Callable[..., str], show: Show
) -> None:
    digest = captured(tmp_path, TEN, (), None, "d05d1b", origin="pipe", masked=2)
    code, out, err = show("【d05d1b†L1-L2】")
    assert (code, err) == (0, "")
    assert out.startswith("d05d1b, lines 1-2 of 10")
    assert "  pipe      standard input\n" in out
    assert "  masked    2 secrets hidden" in out
    assert f"  id        given by another tool; the text's own is {digest[:6]}" in out
    assert "given by another tool" not in show(digest[:6])[1]


def test_context_runs_over_into_the_neighbours(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    captured(tmp_path, TEN, chunk_lines=2)
    ids = [digest_of(b"line %d\nline %d\n" % (number, number + 1))[:6] for number in (1, 3, 5, 7, 9)]
    code, out, _ = show(f"{ids[2]}:2", "-B", "4", "-A", "3")
    assert code == 0
    assert out.splitlines()[5:] == [
        "",
        f"── {ids[0]}",
        "  2 │ line 2",
        f"── {ids[1]}",
        "  1 │ line 3",
        "  2 │ line 4",
        f"── {ids[2]}",
        "  1 │ line 5",
        "> 2 │ line 6",
        f"── {ids[3]}",
        "  1 │ line 7",
        "  2 │ line 8",
        f"── {ids[4]}",
        "  1 │ line 9",
        "",
        f"previous {ids[1]}, next {ids[3]}",
    ]
    assert show(ids[0])[1].endswith(f"  2 │ line 2\n\nnext {ids[1]}\n")
    assert show(ids[4], "-B", "1")[1].endswith(
        f"── {ids[3]}\n  2 │ line 8\n── {ids[4]}\n  1 │ line 9\n  2 │ line 10\n\nprevious {ids[3]}\n"
    )


def test_lines_past_the_end(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    digest = captured(tmp_path, TEN)
    code, out, err = show(f"{digest[:6]}:9-999999999")
    assert (code, "> 10 │ line 10" in out) == (1, True)
    assert err.startswith("mismatch: Line 999999999 exceeds")
    code, out, err = show(f"{digest[:6]}:11")
    assert (code, ">" in out, "Line 11 exceeds" in err) == (1, False, True)
    assert show(f"{digest[:6]}:0")[0] == 1
    assert show(f"{digest[:6]}:5-2")[0] == 2


def test_an_unknown_id(show: Show) -> None:
    code, out, err = show("d05d1b:1-6")
    assert (code, out) == (1, "")
    assert "No captured output d05d1b" in err
    assert "pincite run -- COMMAND" in err


def test_an_ambiguous_id_lists_what_it_may_mean(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    first, second = colliding()
    captured(tmp_path, first, ("first",), 3, started=1.7e9)
    captured(tmp_path, b"\n  \n\x1b[1m" + second, ("other",))
    captured(tmp_path, second, ("second", "\x1b[2J"))
    short = digest_of(first)[:6]
    code, out, err = show(short)
    assert (code, "ambiguous" in err) == (1, True)
    rows = out.splitlines()
    assert len(rows) == 4
    own = {row.split()[0]: row for row in rows[::2]}
    assert own.keys() == {digest_of(first)[: len(next(iter(own)))], digest_of(second)[: len(next(iter(own)))]}
    assert any("first (2023-11-14T22:13:20+00:00, exit 3)" in row for row in rows)
    assert any("second '\\u{1b}[2J'" in row for row in rows)
    assert {row.strip() for row in rows[1::2]} == {first.decode().strip(), second.decode().strip()}
    for name in own:
        assert show(name)[0] == 0
    found = json.loads(show(short, "--format", "json")[1])
    assert [item["id"] for item in found["candidates"]] == list(own)


def test_two_texts_with_one_given_id_are_ambiguous(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    captured(tmp_path, b"one\n", given="d05d1b")
    digest = captured(tmp_path, b"two\n", given="d05d1b")
    code, out, _ = show("d05d1b")
    assert (code, digest[:6] in out, "  two" in out) == (1, True, True)


def test_the_exact_bytes(
    tmp_path: Path, captured: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    data = b"\x1b[32mok\x1b[0m\r\n\xff\x00tail"
    digest = captured(tmp_path, data)
    with pytest.raises(SystemExit) as ended:
        main(["show", "--raw", digest[:6]])
    assert (ended.value.code, capfdbinary.readouterr().out) == (0, data)


def test_raw_bytes_do_not_take_over_a_terminal(
    tmp_path: Path, captured: Callable[..., str], terminal: Callable[..., str], show: Show
) -> None:
    words = [sys.executable, "-m", "pincite", "show", "--raw"]
    seen = terminal([*words, captured(tmp_path, b"\x1b[2Jhidden\n")], tmp_path)
    assert ("\x1b[2J" in seen, "control characters" in seen) == (False, True)
    assert terminal([*words, captured(tmp_path, b"plain\n")], tmp_path) == "plain\n"
    (tmp_path / "a.py").write_text("a\n")
    assert show("--raw", "a.py:1")[0] == 2


def test_what_is_invisible_is_shown(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    digest = captured(tmp_path, "a\u202eb\n".encode() + b"\xff\n10%\r20%\n")
    assert show(digest[:6])[1].splitlines()[-3:] == ["  1 │ a\\u{202e}b", "  2 │ \\xff", "  3 │ 20%"]


def test_json(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    captured(tmp_path, TEN, ("make",), 1, chunk_lines=5, started=1.7e9)
    digest = digest_of(TEN[TEN.index(b"line 6") :])
    code, out, _ = show(f"【{digest[:6]}†L2-L3】", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert (found["digest"], found["lines"], found["text"], found["total"]) == (digest, [2, 3], ["line 7", "line 8"], 5)
    assert found["findings"] == []
    captured_part = found["captured"]
    assert captured_part["id"] == digest[:6]
    assert captured_part["previous"] == digest_of(TEN[: TEN.index(b"line 6")])[:6]
    assert (captured_part["next"], captured_part["chunks"], captured_part["printed"]) == (None, 2, 1)
    assert captured_part["occurrences"] == [
        {
            "run": 1,
            "origin": "run",
            "command": ["make"],
            "folder": ".",
            "started": "2023-11-14T22:13:20.000Z",
            "seconds": 1.5,
            "exit_code": 1,
            "signal": None,
            "revision": None,
            "dirty": None,
            "state": "ended",
            "chunk": 2,
        }
    ]
    code, out, _ = show("d05d1b", "--format", "json")
    missing = json.loads(out)
    assert (code, missing["digest"], missing["text"]) == (1, None, [])
    assert missing["findings"][0]["check"] == "command-not-captured"


def test_json_of_a_file(tmp_path: Path, show: Show) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")
    found = json.loads(show("a.py:2", "--format", "json")[1])
    assert (found["text"], found["digest"], "captured" in found) == (["two"], digest_of(b"one\ntwo\n"), False)
    assert json.loads(show("a.py", "--format", "json")[1])["digest"] is None


def bundle(folder: Path, data: bytes, **facts: Any) -> None:
    digest = digest_of(data)
    told = Occurrence("run", ("go", "test"), "sub", "2026-03-02T10:00:00Z", 2.0, 1, chunk=3, chunks=7)
    given = {"id": digest[:6], "external": False, **facts}
    item = BundleText(given["id"], digest, f"{digest[:6]}.txt", len(data), 2, 1, given["external"], (told,))
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(Manifest(1, (item,))))
    (folder / f"{digest[:6]}.txt").write_bytes(data)


def test_a_bundle_tells_as_much_as_it_knows(tmp_path: Path, show: Show) -> None:
    data = b"one\ntwo\n"
    bundle(tmp_path / "docs/evidence", data)
    code, out, err = show(f"{digest_of(data)[:6]}:2")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{digest_of(data)[:6]}, line 2 of 2, sha256 {digest_of(data)[:12]}",
        "  run       chunk 3 of 7",
        "  command   go test",
        "  when      2026-03-02T10:00:00+00:00, 2.0 s, exit 1",
        "  folder    sub",
        "  masked    1 secret hidden before it was stored",
        "  source    docs/evidence/pincite-bundle.json",
        "",
        "  1 │ one",
        "> 2 │ two",
    ]
    assert not (tmp_path / ".pincite").exists()


def test_a_bundle_under_another_tools_id(tmp_path: Path, show: Show) -> None:
    bundle(tmp_path / "evidence", b"one\ntwo\n", id="d05d1b", external=True)
    code, out, _ = show("d05d1b")
    assert (code, out.startswith("d05d1b, 2 lines"), "given by another tool" in out) == (0, True, True)


def test_damaged_output_is_not_shown(tmp_path: Path, captured: Callable[..., str], show: Show) -> None:
    digest = captured(tmp_path, TEN)
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(TEN.replace(b"line 3", b"line X"))
    code, out, err = show(digest[:6])
    assert (code, out, "damaged" in err) == (1, "", True)


def test_a_whole_chunk_on_a_terminal_is_bounded(
    tmp_path: Path, captured: Callable[..., str], terminal: Callable[..., str], show: Show
) -> None:
    digest = captured(tmp_path, b"x\n" * 450)
    words = [sys.executable, "-m", "pincite", "show", digest[:6]]
    seen = terminal(words, tmp_path)
    assert seen.count("│") == 400
    assert f"50 more lines: pincite show {digest[:6]}:401-450" in seen
    assert show(digest[:6])[1].count("│") == 450


def test_it_looks_as_it_did(
    tmp_path: Path, captured: Callable[..., str], terminal: Callable[..., str], snapshot: Callable[[str, str], None]
) -> None:
    captured(tmp_path, TEN, ("pytest", "-q", "tests"), 1, started=1.7e9, chunk_lines=4, revision="ab" * 20, dirty=False)
    digest = digest_of(b"".join(b"line %d\n" % number for number in range(5, 9)))
    words = [sys.executable, "-m", "pincite", "show", f"【{digest[:6]}†L2-L3】"]
    snapshot("show-coloured", terminal(words, tmp_path, TZ="UTC"))
