"""Output that travels inside a document: read back exactly, or not at all."""

from __future__ import annotations

import html
from hashlib import sha256
from time import process_time
from zlib import compress

import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from pincite.dialects import dialects, extract
from pincite.text.attached_output import attach, blocks, read_attached
from pincite.text.document import Document
from pincite.text.terminal.screen import screen_lines

PLAIN = b"collected 3 items\n\n3 passed\n"
NOISY = b"10%\r100%\x1b[K\n\x1b[32mok\x1b[0m  \r\n"


def block(data: bytes, title: str = "pytest -q", given: str = "", masked: int = 0) -> str:
    return attach(sha256(data).hexdigest(), given, masked, data, title)


def carried(text: str) -> list[bytes | None]:
    return [piece.data for piece in read_attached(text)]


# What may stand around a block: anything but the beginning of another.
around = some.text(some.sampled_from("ab`~<>-! \n\r\t#*【】†é"), max_size=80)
output = some.one_of(
    some.binary(max_size=80),
    some.text(some.sampled_from("ab`~<>-! \n\r\t\x1b[Kmé\u2028\x85"), max_size=80).map(str.encode),
    some.lists(some.sampled_from([b"```\n", b"-->\n", b"</details>\n", b" ````` \n", b"\r\n", b"x"])).map(b"".join),
)


@given(around, output, around, some.text(max_size=40))
def test_what_is_attached_is_read_back(before: str, data: bytes, after: str, title: str) -> None:
    text = before + "\n" + block(data, title) + after
    assert carried(text) == [data]


@given(output, some.integers(0, 99), some.sampled_from(["", "abc123", "f" * 64]))
def test_documents_with_other_line_ends_carry_the_same(data: bytes, masked: int, given: str) -> None:
    text = ("# A\n\n" + block(data, given=given, masked=masked)).replace("\n", "\r\n")
    (piece,) = read_attached(text)
    assert (piece.data, piece.given, piece.masked) == (data, given, masked)


@given(some.lists(output, max_size=4, unique=True))
def test_many_blocks_are_all_found_and_in_their_places(texts: list[bytes]) -> None:
    written = [block(data) for data in texts]
    document = "# A\n\n" + "\n".join(written)
    found = list(blocks(document))
    assert [one.piece.data for one in found] == texts
    assert [document[one.start : one.end] for one in found] == written
    assert all(one.whole for one in found)


@given(some.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert carried(text + block(PLAIN)[:-3] + text) in ([PLAIN], [None])


@example(at=268, char="\r")
@given(some.integers(0, 10**6), some.characters(codec="utf-8"))
def test_no_change_goes_unnoticed(at: int, char: str) -> None:
    written = block(NOISY)
    inside = written.index("```text\n") + 8, written.rindex("```")
    at = inside[0] + at % (inside[1] - inside[0])
    changed = written[:at] + char + written[at + 1 :]
    # A line may end in `\r\n` as well: git and editors write that on some machines.
    shown = [line.rstrip(" \t") for line in changed[inside[0] : inside[1]].replace("\r\n", "\n").split("\n")[:-1]]
    assert (carried(changed) == [NOISY]) == (shown == ["100%", "ok"])


def test_white_space_at_the_end_of_lines_may_be_dropped_by_an_editor() -> None:
    data = b"name   \nvalue\t\n"
    written = "\n".join(line.rstrip() for line in block(data).split("\n"))
    assert carried(written) == [data]


@pytest.mark.parametrize("data", [NOISY, b"\xff\xfe\n", b"a\r\nb\r\n", b"bell\x07\n", b"no end  "])
def test_what_the_fence_cannot_hold_rides_along(data: bytes) -> None:
    written = block(data)
    assert " zlib\n" in written
    assert carried(written) == [data]
    (fence,) = [token for token in MarkdownIt().parse(written) if token.type == "fence"]
    assert fence.content == "".join(f"{line}\n" for line in screen_lines(data))


def test_plain_text_is_there_once() -> None:
    assert "zlib" not in block(PLAIN)
    assert "zlib" not in block(PLAIN[:-1])
    assert carried(block(PLAIN[:-1])) == [PLAIN[:-1]]


def test_a_packed_text_beside_another_fence_counts_as_changed() -> None:
    written = block(NOISY).replace("\nok", "\nKO")
    assert carried(written) == [None]


def test_controls_in_a_fence_count_as_changed_though_the_digest_fits() -> None:
    data = b"9 failed\x1b[8D0\n"
    written = block(data)
    head, _, rest = written.partition(" zlib\n")
    forged = head + " -->" + rest.partition("-->")[2].replace("0 failed", data.decode().rstrip("\n"))
    assert carried(forged) == [None]


def test_a_false_digest_is_refused() -> None:
    assert carried(attach("0" * 64, "", 0, PLAIN, "")) == [None]


def test_an_intact_copy_wins_over_a_changed_one() -> None:
    changed = block(PLAIN).replace("3 passed", "9 passed")
    assert carried(changed) == [None]
    assert carried(changed + block(PLAIN)) == carried(block(PLAIN) + changed) == [PLAIN]


def test_a_block_in_the_output_is_output() -> None:
    inner = block(b"inner\n").encode()
    assert carried(block(inner) + block(PLAIN)) == [inner, PLAIN]


def test_a_fence_that_ends_early_does_not() -> None:
    data = b"1 failed\n```\n<!--\n"
    written = block(data)
    assert "````text" in written
    short = written.replace("````", "```")
    assert carried(short) == [None]


def test_an_open_fence_takes_all_that_follows() -> None:
    written = block(PLAIN)
    open_ = written[: written.rindex("```")]
    assert carried(open_ + block(NOISY)) == [None]


def test_a_small_block_does_not_unpack_to_a_huge_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.core.limits import Limits
    from pincite.text import attached_output

    monkeypatch.setattr(attached_output, "LIMITS", Limits(source_bytes=1000))
    assert carried(block(b"\0" * 1000)) == [b"\0" * 1000]
    assert carried(block(b"\0" * 1001)) == [None]
    assert carried(block(b"\0" * 600) + block(b"\0" * 601)) == [b"\0" * 600, None]
    assert len(compress(b"\0" * 1001)) < 50


@pytest.mark.parametrize(
    "title",
    [
        "</summary></details><script>alert(1)</script>",
        "echo 【F:a.py†L1】 【abc123†L1】 src/a.py:12 [x](a.py#L3) [cite:f](a.py:1)",
        "a\n\n```\n<!-- -->",
        "see https://github.com/o/r/blob/main/a.py#L1",
        "\x1b]0;x\x07\u202e\ud800",
    ],
)
def test_a_title_stays_a_title(title: str) -> None:
    written = block(PLAIN, title)
    assert extract(Document("a.md", written), dialects()) == []
    summary = written.split("\n")[1]
    assert summary.startswith("<summary>") and summary.endswith("</summary>")
    assert summary.count("<") == 4
    assert "\x1b" not in html.unescape(summary)
    assert carried(written) == [PLAIN]


def test_output_in_a_block_cites_nothing() -> None:
    data = "【F:a.py†L1】\n````\nsrc/a.py:12\n【abc123†L1】\n".encode()
    assert extract(Document("a.md", "# A\n\n" + block(data) + "\nb\n"), dialects()) == []


HOSTILE = {
    "marks": "<!-- pincite-output ",
    "open blocks": "<!-- pincite-output sha256=" + "0" * 64 + " -->\n\n```text\nx\n",
    "blocks without a fence": "<!-- pincite-output sha256=" + "0" * 64 + " -->\n\n",
    "packed": "<!-- pincite-output sha256=" + "0" * 64 + " zlib\nAAAA\n",
    "closed blocks": block(PLAIN).replace("3 passed", "4 passed"),
    "summaries": "<details>\n<summary>x\n\n<!-- pincite-output sha256=" + "0" * 64 + " -->\n",
    "ticks": "<!-- pincite-output sha256=" + "0" * 64 + " -->\n````text\n" + " ```\n" * 40,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_text_and_no_faster(name: str) -> None:
    piece = HOSTILE[name]

    def seconds(length: int) -> float:
        text = piece * (length // len(piece) + 1)
        best = 1e9
        for _ in range(3):
            started = process_time()
            assert all(one.piece.data is None for one in blocks(text))
            best = min(best, process_time() - started)
        return best

    assert seconds(480_000) < 8 * 4 * seconds(60_000) + 0.05
