"""Defects of citations of definitions in source code."""
