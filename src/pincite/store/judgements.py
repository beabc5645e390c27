"""What models answered, at rest: the same question to the same model is asked and paid once.

An entry is found by everything that was asked; it holds the answer as it came, which is examined anew each time.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from .digest_cache import DigestCache

VERSION = 1


class StoredJudgement(msgspec.Struct, array_like=True, frozen=True):
    """An answer, and what it took when it was given."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


_ANSWERS = DigestCache("judgements", VERSION, StoredJudgement, entry_bytes=64 * 1024, most_bytes=64 * 1024 * 1024)


def question_key(*asked: str) -> str:
    """The name of a question: one digest over all its parts, so that none can run into the next."""
    whole = sha256()
    for part in asked:
        whole.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
    return whole.hexdigest()


def recall(key: str) -> StoredJudgement | None:
    """The answer that was kept under a key; None where there is no sound one."""
    return _ANSWERS.load(key)


def list_keys() -> list[str]:
    """The keys of all answers that are kept."""
    return _ANSWERS.keys()


def keep(key: str, kept: StoredJudgement) -> None:
    """Keep an answer; what cannot be kept is no loss."""
    _ANSWERS.save(key, kept)
