"""Shards as strings: what travels between machines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.fleet.shards import (
    CHECK,
    DONE,
    UPDATE,
    Shard,
    ShardAnswer,
    ShardFailed,
    decode_answer,
    encode_answer,
    parse_shard,
    settings_digest,
)


@given(
    st.sampled_from([CHECK, UPDATE]),
    st.integers(0, 2**31),
    st.text("0123456789abcdef", max_size=32),
    st.integers(0, 2**60),
    st.text(st.characters(codec="utf-8"), max_size=200),
)
def test_a_shard_is_read_as_it_was_written(kind: str, number: int, trace: str, ticket: int, settings: str) -> None:
    shard = Shard(kind, number, trace, "c0ffee", ticket, 12.5, settings)
    assert parse_shard(shard.uri) == shard
    assert "\n" not in shard.uri


@pytest.mark.parametrize(
    "text",
    [
        "",
        "http://x/check/1",
        "pincite-shard:delete/1?trace=a",
        "pincite-shard:check/x?trace=a",
        "pincite-shard:check/1?trace",
        "pincite-shard:check/1?ticket=one&trace=a",
        "pincite-shard:check/1?trace=" + "a" * 200_000,
        "pincite-shard:check",
    ],
)
def test_what_names_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not the name of a shard"):
        parse_shard(text)


def test_an_answer_is_read_as_it_was_written() -> None:
    answer = ShardAnswer(CHECK, 3, DONE, "c0ffee", 7, 100, 4, 1.5, 1.25, 1 << 28, "")
    assert decode_answer(encode_answer(answer)) == answer


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kind": 1}', "[" * 100_000])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ShardFailed, match="no answer"):
        decode_answer(text)


def test_evidence_is_part_of_the_key_only_where_there_is_some() -> None:
    assert (settings_digest(""), settings_digest("", "")) == ("", "")
    assert settings_digest("x") == settings_digest("x", "") and "+" not in settings_digest("x")
    assert len({settings_digest(one, two) for one in ("", "x") for two in ("", "a", "b")}) == 6
    plain, shared = Shard(CHECK, 1, "t"), Shard(CHECK, 1, "t", evidence="ab12")
    assert "evidence" not in plain.uri
    assert parse_shard(shared.uri) == shared
