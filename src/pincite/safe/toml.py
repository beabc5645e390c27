"""TOML from a stranger: what would cost more than its size is refused before the parser sees it.

The standard parser takes time that grows with the square of a key's parts, and a call per nested bracket. Both are
counted here in one pass over the text.
"""

from __future__ import annotations

from typing import Any

from ..core.limits import LIMITS, Limits

_FEW_BRACKETS = 200
"""So few cannot be nested deep enough to matter, so nothing is counted."""
# One piece: a comment, a string, or what keys and values are built of. Every repetition is possessive: what was taken
# is never given back, so that the time grows with the text alone. An unclosed string ends with its line, or the text.
_PIECE = r"""
    (?P<comment> \#[^\n]*+ )
  | (?P<string>
        \"{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} )?+
      | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} )?+
      | " (?: [^"\\\n] | \\[^\n] )*+ "?+
      | ' [^'\n]*+ '?+
    )
  | (?P<dot> \. )
  | (?P<space> [ \t]++ )
  | (?P<open> [\[{] )
  | (?P<close> [\]}] )
  | (?P<bare> [A-Za-z0-9_-]++ )
  | (?P<other> . )
"""


def load_toml(text: str, limits: Limits = LIMITS) -> dict[str, Any]:
    """Parsed TOML; raises ValueError for what is none, and for keys or brackets nested deeper than the limits allow."""
    import tomllib

    if _is_worth_counting(text, limits):
        _check_depth(text, limits)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("arrays or tables nested too deep") from None


def _is_worth_counting(text: str, limits: Limits) -> bool:
    """Whether a key may have too many parts, or a value too many brackets around it; wrong only on the safe side."""
    if text.count("[") + text.count("{") > _FEW_BRACKETS:
        return True
    return text.count(".") >= limits.config_parts and any(
        line.count(".") >= limits.config_parts for line in text.split("\n")
    )


def _check_depth(text: str, limits: Limits) -> None:
    import re

    parts = depth = 0
    for piece in re.finditer(_PIECE, text, re.VERBOSE | re.DOTALL):
        kind = piece.lastgroup
        if kind == "dot":
            parts += 1
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        if kind in ("open", "close", "other", "comment"):
            parts = 0
        if parts >= limits.config_parts or depth > limits.config_depth:
            line = text.count("\n", 0, piece.start()) + 1
            nested = f"arrays or tables nested more than {limits.config_depth} deep"
            long = f"a key of more than {limits.config_parts} parts"
            raise ValueError(f"line {line}: {long if parts >= limits.config_parts else nested}")
