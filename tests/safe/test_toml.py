"""TOML: what would cost more than its length is refused before the parser sees it; everything else is parsed."""

from __future__ import annotations

import tomllib
from time import process_time

import pytest

from pincite.safe.toml import load_toml

DEEP_KEYS = {
    "key": "{dots} = 1",
    "header": "[{dots}]",
    "array of tables": "[[{dots}]]",
    "inline table": "x = {{{dots} = 1}}",
    "after a string": 's = "#\\""\n{dots} = 1',
    "after a long string": 's = """\n"" \\""" x"""""\n{dots} = 1',
    "after a literal string": "s = '''\n''x'''''\nt = '\\'\n{dots} = 1",
    "after a comment": "# \"\"\" '''\n{dots} = 1",
    "in an array": "x = [{{{dots} = 1}}]",
}
PARTS = {
    "bare": ("a", "."),
    "spaced": ("a", " . "),
    "quoted": ('"a.b"', "."),
    "literal": ("'a'", ".\t"),
    "numbers": ("1", "."),
}


@pytest.mark.parametrize("place", DEEP_KEYS)
@pytest.mark.parametrize("form", PARTS)
def test_a_key_of_many_parts_is_refused_wherever_it_stands(place: str, form: str) -> None:
    part, dot = PARTS[form]
    text = DEEP_KEYS[place].format(dots=dot.join([part] * 200))
    assert tomllib.loads(text)
    with pytest.raises(ValueError, match=r"line \d+: a key of more than 32 parts"):
        load_toml(text)


@pytest.mark.parametrize("text", ["x = " + "[" * 300 + "]" * 300, "x = " + "{a = " * 250 + "1" + "}" * 250])
def test_nested_brackets_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        load_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c = 1\n[x.y]\nz = {q.r = [1.5, 2.5]}\n",
        'x = "' + "." * 500 + '"\n',
        'x = """\n' + ".\n" * 500 + '"""\n' + "." * 0,
        "x = '" + "." * 500 + "' # " + "." * 500 + "\n",
        "x = [" + '"a.b.c",' * 300 + "]\n",
        "x = [" + "[1.0, 2.0]," * 300 + "]\n",
        "x = [" + "{a.b = 1.5}," * 300 + "]\n",
        "\n".join(f"[t{n}]\nx = [1]" for n in range(300)),
        ".".join("a" * 32) + " = 1\n",
    ],
)
def test_what_is_written_every_day_is_parsed(text: str) -> None:
    assert load_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("shape", ["{} = 1", "[{}]", "x = {{{} = 1}}"])
def test_the_time_for_dots_grows_with_their_number(shape: str) -> None:
    def seconds(parts: int) -> float:
        text = shape.format(".".join("a" * parts))
        best = 1e9
        for _ in range(3):
            started = process_time()
            with pytest.raises(ValueError, match="more than 32 parts"):
                load_toml(text)
            best = min(best, process_time() - started)
        return best

    assert seconds(400_000) < 100 * seconds(10_000)


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "a = " + "9" * 5000, "a = \0"])
def test_what_is_no_toml_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        load_toml(text)
