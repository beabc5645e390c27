"""Two texts and a region of the first: what is said of where it went is so, within bounds, and nothing is raised."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.core.model import Lines
    from pincite.history import find_passage, follow_between
    from pincite.history.model import CitedPassage, FollowedText, TraceResult
    from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion


def law(data: bytes) -> None:
    """The first bytes choose the region; a form feed parts the two texts."""
    one, two, three, four = (*data[:4], 0, 0, 0, 0)[:4]
    old, _, new = engine.text_of(data[4:20_000]).partition("\f")
    then, now = FileVersion(old), FileVersion(new)
    if not then.lines:
        return
    first = one % len(then.lines)
    last = min(first + two % 6, len(then.lines) - 1)
    _carried(FileStep(then, now), TextRegion(first, last))
    left = three % (len(then.lines[first]) + 1)
    right = left + 1 + four % 16
    if right <= len(then.lines[first]):
        _carried(FileStep(then, now), TextRegion(first, first, left, right))
    lines = Lines(first + 1, last + 1)
    block = then.lines[first : last + 1]
    _answered(follow_between(then.lines, lines, now.lines), lines, block, now.lines)
    around = tuple(then.lines[max(0, first - 3) : first]), tuple(then.lines[last + 1 : last + 4])
    _answered(find_passage(CitedPassage(lines, tuple(block), *around), now.lines), lines, block, now.lines)
    if right <= len(block[-1]):
        found = find_passage(CitedPassage(lines, tuple(block), *around, columns=(0, right)), now.lines)
        assert found.lines is None or found.lines.last <= len(now.lines), found


def _carried(step: FileStep, region: TextRegion) -> None:
    moved = step.carry(region)
    if moved is None or moved is UNDECIDED:
        return
    lines = step.now.lines
    assert 0 <= moved.first <= moved.last < len(lines), moved
    assert (moved.left < 0) == (region.left < 0), moved
    if moved.left >= 0:
        assert moved.left <= len(lines[moved.first]) and 0 < moved.right <= len(lines[moved.last]), moved


def _answered(answer: FollowedText, lines: Lines, block: list[str], now: list[str]) -> None:
    place = answer.lines
    if answer.became in (TraceResult.SAME, TraceResult.MOVED):
        assert place is not None and now[place.first - 1 : place.last] == block, answer
        assert (place == lines) == (answer.became is TraceResult.SAME), answer
    elif answer.became is TraceResult.CHANGED:
        assert place is not None and 1 <= place.first <= place.last <= len(now), answer
        assert now[place.first - 1 : place.last] != block, answer
    else:
        assert place is None, answer


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"\2\2\4\5import os\n\ndef a():\n    return None\n\x0cimport os\n\ndef b():\n    return None\ndef a():\n",
            b"\1\0\x08\4top()\nval = f(alpha, beta)\nend()\n\x0ctop()\nval = f(\n    alpha,\n    beta,\n)\nend()\n",
            b"\0\1\0\3}\n}\nreturn None\n}\n\x0c}\nreturn None\n}\nreturn None\n}\n",
            b"\1\1\2\2x = 'a'\r\ny = [1,\r\n  2]\r\n\x0cx = \"a\"\ny = [\n  1,\n  2,\n]\n",
            b"\3\0\0\1a\na\na\na\na\na\x0ca\nb\na\nb\na",
        ],
        tokens=[
            "\f",
            "\n",
            "\r\n",
            "}",
            "{",
            "(",
            ")",
            "return None",
            "    ",
            "\t",
            "limit = 10",
            "not ",
            "if x:",
            "'",
            ",",
        ],
    )
