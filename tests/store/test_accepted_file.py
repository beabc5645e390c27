"""The file of acceptances: what it looks like, and what is wrong with a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from pincite.core.errors import UsageError
from pincite.safe.files import Root
from pincite.store import ACCEPTED
from pincite.store.accepted_file import Acceptance, Acceptances, parse_leniently, render

ONE = Acceptance("a.md", "【F:app.py†L3】", "app.py:3", "0" * 64, "0" * 16, "because")
TWO = replace(ONE, document="b.md", reason="")


def test_what_is_written_is_read_and_in_order() -> None:
    data = render([TWO, ONE, ONE])
    lines = data.decode().splitlines()
    assert lines[0].startswith("# ")
    assert [line[:20] for line in lines[1:]] == ['{"document":"a.md","', '{"document":"b.md","']
    assert "reason" not in lines[2]
    known = Acceptances(data)
    assert known.rows() == {ONE, TWO}
    assert known.of("a.md") == (ONE,)
    assert known.documents() == ["a.md", "b.md"]
    assert render(known.rows()) == data
    assert render([]) == b""
    assert not Acceptances(b"# nothing\n\n")


def test_line_ends_and_a_byte_order_mark_are_no_matter() -> None:
    data = b"\xef\xbb\xbf" + render([ONE]).replace(b"\n", b"\r\n")
    assert Acceptances(data).rows() == {ONE}


def test_two_branches_that_accepted_the_same_citation_are_joined() -> None:
    other = replace(ONE, digest="1" * 64)
    assert Acceptances(render([ONE]) + render([other])).of("a.md") == (ONE, other)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (b"nonsense", "not an acceptance ("),
        (b"[" * 5000, "not an acceptance ("),
        (b"\xff\xfe", "not an acceptance ("),
        (b"{}", "not an acceptance (Object missing required field `document`"),
        (encode(ONE)[:-1] + b',"more":1}', "not an acceptance (Object contains unknown field `more`"),
        (encode(replace(ONE, document="")), "it names no citation"),
        (encode(replace(ONE, citation="")), "it names no citation"),
        (encode(replace(ONE, digest="0" * 63)), "a digest is not one"),
        (encode(replace(ONE, sentence="x" * 16)), "a digest is not one"),
        (b"<<<<<<< ours", "a merge is not finished"),
        (b"=======", "a merge is not finished"),
    ],
)
def test_a_wrong_line_is_named(row: bytes, problem: str) -> None:
    with pytest.raises(UsageError) as raised:
        Acceptances(render([ONE]) + row + b"\n")
    said = str(raised.value)
    assert said.startswith(f"{ACCEPTED}:3: {problem}")
    assert "; " in said
    assert parse_leniently(row) == frozenset()


def test_a_folder_and_a_way_out_are_refused(tmp_path: Path) -> None:
    (tmp_path / ACCEPTED).mkdir()
    with Root(str(tmp_path)) as root, pytest.raises(UsageError, match="a folder, so nothing can be accepted"):
        Acceptances.load(root)
    (tmp_path / ACCEPTED).rmdir()
    (tmp_path / ACCEPTED).symlink_to("/etc/passwd")
    with Root(str(tmp_path)) as root, pytest.raises(UsageError, match="leads outside the root"):
        Acceptances.load(root)
