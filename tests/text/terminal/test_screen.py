"""Captured output as the screen ended up showing it."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.terminal.cells import _PARTED
from pincite.text.terminal.screen import is_plain, screen_lines

UP, DOWN, ERASE, WIPE, HOME, CLEAR = "\x1b[1A", "\x1b[1B", "\x1b[K", "\x1b[2K", "\x1b[H", "\x1b[2J"
CONTROL = re.compile("[\0-\x08\n-\x1f\x7f-\x9f\ud800-\udfff]")
VISIBLE = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("ab \t漢é\u0301\u200d"), max_size=30)
PIECES = (
    VISIBLE
    | st.sampled_from(
        "\r \n \r\n \b \t \v \f \0 \x1b \x07 \x7f \x85 \u0301 \u200d 漢 \x1b7 \x1b8 \x1bM \x1bD".split(" ")
    )
    | st.sampled_from(["\x1bc", "\x1b]0;t\x07", "\x1b]x", "\x1bP1\n\x1b\\", "\x1b[?1049h", "\x1b[?1049l", "\x1b[1;"])
    | st.builds(
        "\x1b[{}{}".format, st.integers(0, 12) | st.just("") | st.just(10**9), st.sampled_from(list("ABCDEFGd`ae"))
    )
    | st.builds("\x1b[{}{}".format, st.integers(0, 9), st.sampled_from(list("JKPX@LMSTbsumqh")))
    | st.builds("\x1b[{};{}H".format, st.integers(0, 30), st.integers(0, 90))
)
STREAMS = st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode()) | st.binary(max_size=80)


def shown(text: str) -> list[str]:
    return screen_lines(text.encode())


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"\n", [""]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\r\n", ["a", "b"]),
        (b"a\tb \n  c", ["a\tb ", "  c"]),
        (b"\xff\xc3\n\xed\xa0\x80", [r"\xff\xc3", r"\xed\xa0\x80"]),
        ("\ufeffé\u2028漢 x\n".encode(), ["\ufeffé\u2028漢 x"]),
    ],
)
def test_plain_output_shows_as_it_is(data: bytes, lines: list[str]) -> None:
    assert is_plain(data)
    assert screen_lines(data) == lines
    assert screen_lines(data + b"\x1b[m") == lines


@pytest.mark.parametrize("control", [b"\x1b", b"\b", b"\0", b"\x7f", b"\v", b"\f", b"\xc2\x85", b"\r", b"\x07"])
def test_any_control_but_line_ends_and_tabs_is_not_plain(control: bytes) -> None:
    assert not is_plain(b"a\n" + control + b"b\n")
    assert not is_plain(control)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("10%\r20%\r100%\n", ["100%"]),
        ("progress\r\x1b[Kdone\n", ["done"]),
        ("abc\r12\n", ["12c"]),
        ("abc\r", ["abc"]),
        ("ab\b\bc\n", ["cb"]),
        ("N\bNA\bA _\bx\n", ["NA x"]),
        ("a\vb\fc", ["a", "b", "c"]),
        ("a\0\x07\x0e\x7f\x85b", ["ab"]),
        ("a\x1b[5Cb", ["a     b"]),
        ("abc  \x1b[9C\r\n", ["abc  "]),
        ("abcdef\x1b[3D\x1b[K\n", ["abc"]),
        ("abcdef\x1b[3D\x1b[1K\n", ["    ef"]),
        ("abcdef\x1b[2Kx", ["      x"]),
        ("abcdef\r\x1b[2Px", ["xdef"]),
        ("abcdef\r\x1b[2X", ["  cdef"]),
        ("abc\r\x1b[2@x", ["x abc"]),
        ("=\x1b[4b\n", ["====="]),
        ("a\nb\nc\x1b[2A\x1b[Lx", ["x", "a", "b", "c"]),
        ("a\nb\nc\x1b[2A\x1b[M", ["b", "c"]),
        ("a\nb\x1b[S\x1b[Hx", ["a", "x"]),
        ("a\nb\x1b[Tc", ["", "ac", "b"]),
        ("a\nbc\r\x1b[1J", ["", " c"]),
        ("a\x1b[Ab\x1b[2Ec\x1b[Fd\x1b[3Ge", ["ab", "d e", "c"]),
        ("a\x1b[2;3Hb\x1b[1;5fc\x1b[3dd\x1b[4`e\x1b[2af\x1b[1eg", ["a   c", "  b", "   e df", "       g"]),
        ("ab\x1b7\ncd\x1b8e\x1b[s\n\x1b[uf", ["abef", "cd"]),
        ("a\x1bDb\x1bEc\x1bMd", ["a", " d", "c"]),
        ("b\x1bMa", [" a", "b"]),
        ("\x1b(Ba\x1b=b\x1b[!pc\x1b[2 qd\x1b[1 @e\x1b[>1uf", ["abcdef"]),
        ("\x1b[", []),
        ("a\x1b[12", ["a"]),
        ("\x1b[1\x1b[mAx", ["Ax"]),
        ("\x1b[1é", ["é"]),
        ("\x1b[9999999999999999999999999999999999D\x1b[000002Cx", ["  x"]),
    ],
)
def test_each_control_does_what_a_terminal_does(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\tb\x1b[m\tc\n", ["a\tb\tc"]),
        ("\x1b[m\ta\r\tb", ["\tb"]),
        ("\tab\rX", ["X       ab"]),
        ("abcdefghij\r\tX", ["abcdefghXj"]),
        ("abc\tX\r\x1b[P", ["bc     X"]),
        ("abc\tX\r\x1b[@", [" abc     X"]),
    ],
)
def test_a_tab_stays_one_until_the_cursor_goes_over_it(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("漢字\rx", ["x 字"]),
        ("漢字\b\bx", ["漢x"]),
        ("漢字\r\x1b[Cx", [" x字"]),
        ("a漢字\x1b[3D\x1b[Kx", ["a x"]),
        ("e\u0301x\b\by", ["yx"]),
        ("ab\x1b[D\u0301", ["a\u0301b"]),
        ("ab\x1b[m\u0301\bc", ["ac"]),
        ("\u0301\ra", ["a"]),
        ("👩\u200d👩\u200d👧!\b\b\bx", ["x !"]),
        ("✔\ufe0f ok\rx", ["x ok"]),
    ],
)
def test_columns_are_those_of_wide_characters_and_marks(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\x1b]0;title\x07a", ["a"]),
        ("see \x1b]8;;https://example.org/\x1b\\here\x1b]8;;\x1b\\ now\n", ["see here now"]),
        ("\x1b_G=1;x\x1b\\a\x1b^y\x07b\x1bkscreen\x1b\\c", ["abc"]),
        ("\x1bPq#0\n~~\n\x1b\\a", ["a"]),
        ("\x1b]0;open\nnext \x07\n", ["0;open", "next "]),
        ("\x1bPopen\nnext\n", ["open", "next"]),
        ("\x1b]0;x\x1b[31my\x07", ["0;xy"]),
        ("\x1b[1\x1bPx\x1b\\A", ["A"]),
    ],
)
def test_strings_are_skipped_and_open_ones_hide_nothing(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"old\n{HOME}{CLEAR}new\n", ["old", "new"]),
        (f"old{CLEAR}{HOME}new", ["old", "new"]),
        (f"old\n{HOME}\x1b[Jnew", ["old", "new"]),
        (f"old\n{HOME}\x1b[0m\x1b[0Jnew", ["old", "new"]),
        (f"old\n{CLEAR}\x1b[3J{HOME}new{HOME}NEW", ["old", "NEW"]),
        ("old\x1bcnew", ["old", "new"]),
        ("1%\r\x1b[J2%\r\x1b[J3%\n", ["3%"]),
        (f"a\nb\n{UP}{UP}\x1b[Jc\n", ["c"]),
        (f"kept{CLEAR}{HOME}a\nb{HOME}{ERASE}c\n{ERASE}d\x1b[J", ["kept", "c", "d"]),
        (f"a{CLEAR}\x1b[99Ax", ["a", " x"]),
        (f"{CLEAR}{CLEAR}{HOME}{CLEAR}", []),
    ],
)
def test_clearing_keeps_what_was_shown(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize("mode", ["47", "1047", "1049", "25;1049"])
def test_the_alternate_screen_is_kept_apart(mode: str) -> None:
    into, out = f"\x1b[?{mode}h", f"\x1b[?{mode}l"
    assert shown(f"a\nb{into}vim\n\n{HOME}x{CLEAR}{out}c\n") == ["a", "bc"]
    assert shown(f"a\n{into}one{CLEAR}{HOME}two{into}!") == ["a", "two!"]
    assert shown(f"a{out}b") == ["ab"]
    assert shown(f"a{into}x\x1bcb") == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"\x1b[3Bx\x1b[9B\x1b[{UP[2:]}", ["", "", "", "x"]),
        ("\x1b[24;80H\x1b[6n\x1b[Hx", ["x"]),
        (f"a\nb\n{UP}{WIPE}{UP}{WIPE}", []),
        (f"a\nb\n{UP}{WIPE}{UP}{WIPE}\n\n", ["", ""]),
        (f"a\nb\nc\n{UP * 3}{WIPE}{DOWN}{WIPE}{DOWN}{WIPE}{UP}{UP}\rok\n", ["ok"]),
        ("a\n\n\n\x1b[A", ["a", "", ""]),
        (f"{ERASE}\n{WIPE}\nx", ["", "", "x"]),
    ],
)
def test_rows_at_the_end_are_lines_only_if_ended(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


def test_undecodable_bytes_take_a_column_and_show_escaped() -> None:
    assert screen_lines(b"\xff\x1b[m\xfe\r\xc3") == [r"\xc3\xfe"]
    assert screen_lines(b"\xc3\x1b[32m\xa9\n") == [r"\xc3\xa9"]
    assert screen_lines(b"\xc3x\xa9\x1b[2D\x1b[P") == [r"\xc3\xa9"]
    assert screen_lines(b"\x1b\xff\x1b[3\xffm") == [r"\xff\xffm"]


def test_pytest_in_colour() -> None:
    text = (
        "\x1b[1m=========== test session starts ===========\x1b[0m\r\n"
        "collecting ... \x1b[1m\rcollected 3 items\x1b[0m\r\n\r\n"
        "tests/test_a.py \x1b[32m.\x1b[0m\x1b[31mF\x1b[0m\x1b[33ms\x1b[0m\x1b[31m      [100%]\x1b[0m\r\n"
        "\x1b[31m===== \x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m1 passed\x1b[0m\x1b[31m in 0.01s =====\x1b[0m\r\n"
    )
    assert shown(text) == [
        "=========== test session starts ===========",
        "collected 3 items",
        "",
        "tests/test_a.py .Fs      [100%]",
        "===== 1 failed, 1 passed in 0.01s =====",
    ]


def test_cargo_with_a_bar_below_its_messages() -> None:
    bar = "\x1b[1m\x1b[36m    Building\x1b[0m [===>    ] {}/3: {}\r"
    text = (
        f"{ERASE}\x1b[1m\x1b[32m   Compiling\x1b[0m serde v1.0.0\n{bar.format(1, 'serde')}"
        f"{ERASE}\x1b[1m\x1b[32m   Compiling\x1b[0m app v0.1.0\n{bar.format(2, 'app, x')}{bar.format(3, 'app')}"
        f"{ERASE}\x1b[1m\x1b[32m    Finished\x1b[0m `dev` profile in 0.52s\n"
    )
    assert shown(text) == [
        "   Compiling serde v1.0.0",
        "   Compiling app v0.1.0",
        "    Finished `dev` profile in 0.52s",
    ]


def test_npm_with_a_spinner() -> None:
    spinner = "".join(f"\x1b[1G\x1b[0K{frame}" for frame in "⠙⠹⠸⠼")
    assert shown(f"{spinner}\x1b[1G\x1b[0K\nadded 12 packages in 1s\n{spinner}\x1b[1G\x1b[0K") == [
        "",
        "added 12 packages in 1s",
    ]


def test_docker_with_several_layers() -> None:
    text = "latest: Pulling from app\r\n" + "".join(f"{name}: Waiting\r\n" for name in ("a1", "b2", "c3"))
    for percent in (10, 60, 100):
        for up, name in ((3, "a1"), (2, "b2"), (1, "c3")):
            text += f"\x1b[{up}A{WIPE}\r{name}: Downloading {percent}%\r\x1b[{up}B"
    text += "".join(f"\x1b[{up}A{WIPE}\r{name}: Pull complete\r\x1b[{up}B" for up, name in ((3, "a1"), (1, "c3")))
    assert shown(text + "Status: done\r\n") == [
        "latest: Pulling from app",
        "a1: Pull complete",
        "b2: Downloading 100%",
        "c3: Pull complete",
        "Status: done",
    ]


def test_tqdm_with_two_bars() -> None:
    text = "\router:   0%|          | 0/2"
    for step, bar in ((1, "█████     "), (2, "██████████")):
        text += "\n\rinner:   0%|          | 0/9\x1b[A\n\rinner: 100%|██████████| 9/9\x1b[A"
        text += f"\n\r                           \r\x1b[A\router: {step * 50:3}%|{bar}| {step}/2"
    assert shown(text + "\n") == ["outer: 100%|██████████| 2/2", " " * 27]


def test_rich_with_a_live_table() -> None:
    frame = "┏━━━━━━┓\n┃ {:4} ┃\n┗━━━━━━┛"
    back = f"\r{WIPE}{UP}{WIPE}{UP}{WIPE}"
    text = f"\x1b[?25l{frame.format('10%')}{back}{frame.format('90%')}{back}log line\n{frame.format('100%')}\n\x1b[?25h"
    assert shown(text) == ["log line", "┏━━━━━━┓", "┃ 100% ┃", "┗━━━━━━┛"]
    assert shown(f"{frame.format('10%')}{back}done\n") == ["done"]


def test_pip_with_a_download() -> None:
    text = "Downloading a-1.0.whl (2.0 MB)\r\n\x1b[?25l"
    for done in ("0.0", "1.1", "2.0"):
        text += f"\r{WIPE}   \x1b[38;5;237m━━━━━\x1b[0m \x1b[32m{done}/2.0 MB\x1b[0m eta \x1b[36m0:00:01\x1b[0m"
    assert shown(f"{text}\r{WIPE}   \x1b[90m━━━━━\x1b[0m 2.0/2.0 MB 0:00:00\r\n\x1b[?25hInstalled\r\n") == [
        "Downloading a-1.0.whl (2.0 MB)",
        "   ━━━━━ 2.0/2.0 MB 0:00:00",
        "Installed",
    ]


def test_watch_ends_up_as_its_last_state() -> None:
    first, then = (f"{HOME}Every 1s: date{ERASE}\r\n{ERASE}\r\n{day}{ERASE}\r\n\x1b[J" for day in ("Tuesday", "Monday"))
    assert shown(f"$ watch\n{CLEAR}{first}{then}") == ["$ watch", "Every 1s: date", "", "Monday"]


@pytest.mark.parametrize(
    "piece",
    [
        *("\x1b[9999999Cx", "\x1b[9999999Cx\n", "\x1b[99999Bx", "\x1b[L\x1b[M", "\x1b[9999L", "\x1b[9999T", "a\x1b[2J"),
        *(
            "\x1b[@",
            "\x1b[9999@x\r",
            "\x1b[1P",
            "\x1b[1K",
            "\x1b[9999X",
            "\x1b[1J",
            "\x1bM",
            "\x1b[9999b",
            "\u0301\x1b[m",
        ),
        *("\x1b]", "\x1bP\n", "\x1b[1;", "\r", "\t\b", "\x1b[Hx\x1b[99999B\x1b[1J", "x\x1b[H\x1b[J"),
    ],
)
def test_hostile_repetition_stays_in_proportion(piece: str) -> None:
    before = "a" * 40_000 + "\nb" * 2_000 + "\x1b[H"
    text = before + piece * 3_000
    lines = shown(text)
    assert len(lines) <= 16_384 + 2 * len(text)
    assert sum(map(len, lines)) <= 131_072 + 10 * len(text.encode())


def test_one_movement_is_bounded() -> None:
    assert shown("\x1b[9999999Cx") == [" " * 10_000 + "x"]
    assert len(shown("a\x1b[9999999Bx")) == 10_001
    assert shown("a\x1b[9999999A\x1b[9999999Db") == ["b"]


def test_padding_closes_up_once_the_allowance_is_spent() -> None:
    lines = shown("\x1b[9999Cx\n" * 100)
    assert lines[0] == " " * 9999 + "x"
    assert lines[-1] == "x"
    assert len(lines) == 100


@given(data=STREAMS)
def test_lines_hold_no_controls_and_stay_in_proportion(data: bytes) -> None:
    lines = screen_lines(data)
    assert lines == screen_lines(data)
    assert not any(CONTROL.search(line) for line in lines)
    assert len(lines) <= 16_384 + 2 * len(data)


@given(text=st.lists(VISIBLE, max_size=8).map("\n".join))
def test_text_without_controls_shows_as_its_lines(text: str) -> None:
    lines = text.split("\n")
    assert screen_lines(text.encode()) == (lines if lines[-1] else lines[:-1])


@given(data=st.lists(VISIBLE.map(str.encode) | st.binary(max_size=9), max_size=6).map(b"\n".join))
def test_the_emulator_shows_plain_output_as_the_fast_path_does(data: bytes) -> None:
    if is_plain(data):
        assert screen_lines(data + b"\x1b[m") == screen_lines(data)
        assert screen_lines(b"\x1b[A\0" + data) == screen_lines(data)


@given(
    lines=st.lists(st.lists(VISIBLE, max_size=5), max_size=5), colour=st.sampled_from(["", "0", "1;31", "38:2:1:2:3"])
)
def test_colour_changes_nothing(lines: list[list[str]], colour: str) -> None:
    coloured = "".join("".join(f"\x1b[{colour}m{word}\x1b[0m" for word in line) + "\n" for line in lines)
    assert shown(coloured) == ["".join(line) for line in lines]


@given(
    pieces=st.lists(st.lists(VISIBLE, max_size=4).map(lambda lines: "".join(f"{line}\n" for line in lines)), max_size=4)
)
def test_pieces_of_whole_lines_show_one_after_another(pieces: list[str]) -> None:
    assert shown("".join(pieces)) == [line for piece in pieces for line in shown(piece)]


@given(before=st.lists(VISIBLE, max_size=4), data=STREAMS)
def test_nothing_above_a_cleared_screen_is_lost(before: list[str], data: bytes) -> None:
    text = "".join(f"{line}\n" for line in before)
    assert screen_lines(f"{text}{CLEAR}{HOME}".encode() + data)[: len(before)] == before


@given(text=VISIBLE.filter(lambda text: "\t" not in text), over=st.text("abc", max_size=5))
def test_writing_over_a_line_leaves_the_rest_of_its_columns(text: str, over: str) -> None:
    lines = shown(f"{text}\r{over}")
    assert (lines or [""])[0].startswith(over)
    narrow = all(ord(character) < 0x300 for character in text)
    if narrow:
        assert (lines or [""])[0] == over + text[len(over) :]


def test_the_table_of_single_columns_agrees_with_unicode() -> None:
    for code in range(0x300, 0x2600):
        character = chr(code)
        if not _PARTED.search(character) and unicodedata.category(character) != "Cn":
            assert unicodedata.category(character) not in ("Mn", "Me", "Cf"), hex(code)
            assert unicodedata.east_asian_width(character) not in "WF", hex(code)
