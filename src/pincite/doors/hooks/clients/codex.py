"""Codex: the protocol of Claude Code, with edits as patches (`apply_patch`) or inside of shell commands."""

from .claude import read_call, write_answer, write_nothing

__all__ = ["read_call", "write_answer", "write_nothing"]
