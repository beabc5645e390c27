"""Fixes: the edits that findings carry, tried out, gathered per document, written as a diff or as new bytes.

Part of the engine.
"""
