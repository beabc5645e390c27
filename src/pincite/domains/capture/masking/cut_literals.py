"""Opening literals that a line end cuts in two."""

from __future__ import annotations

from functools import cache

from .credential import CredentialShape
from .tokens import TOKENS

_MOST_CUT = 6
"""A literal that is cut after more than this is not looked for."""
_CUT_HEADS = frozenset(
    "github-token gitlab-token aws-key google-key google-token api-key slack-token stripe-key npm-token pypi-token"
    " docker-token huggingface-token sendgrid-key shopify-token digitalocean-token vault-token jwt".split()
)
"""Kinds whose opening literal is looked for even where a line end cuts it."""
REACH = 4
"""How many bytes of a line after the cut are part of what is looked for, at most; one stands before."""


@cache
def list_cut_literals() -> dict[bytes, list[tuple[CredentialShape, int]]]:
    """Each way a line end can cut an opening literal: the bytes around it, the shapes, and how much stands before."""
    found: dict[bytes, list[tuple[CredentialShape, int]]] = {}
    for shape in TOKENS:
        if shape.name not in _CUT_HEADS or shape.back or min(map(len, shape.literals)) < 3:
            continue
        for literal in shape.literals:
            for at in range(1, min(len(literal), _MOST_CUT)):
                around = literal[at - 1 : at] + b"\n" + literal[at : at + REACH - 1]
                found.setdefault(around, []).append((shape, at))
    return found


@cache
def list_cut_line_ends() -> tuple[bytes, ...]:
    """How a line ends that may have cut a literal."""
    literals = (literal for shape in TOKENS for literal in shape.literals)
    return tuple({literal[:at] + b"\n" for literal in literals for at in range(1, len(literal))})
