"""Defects of cited lines and snippets: whether they are there, and what became of them."""
