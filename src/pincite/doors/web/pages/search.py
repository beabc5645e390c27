"""Passages by words or names, each with a citation to copy."""
