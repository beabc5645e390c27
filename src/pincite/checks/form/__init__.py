"""Defects of how a citation is written, whatever it cites."""
