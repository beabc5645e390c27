"""The JSON of a hook's input."""

from __future__ import annotations

import pytest

from pincite.core.errors import UsageError
from pincite.doors.hooks.call import read_object


def test_half_an_emoji_does_not_keep_a_message_from_being_checked() -> None:
    assert read_object(rb'{"a": "cut \ud83d", "b": "\ud83d\ude00"}') == {"a": "cut ?", "b": "\U0001f600"}


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"[]", rb'"\ud800"'])
def test_what_is_no_object_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="the hook's input is not"):
        read_object(data)
