"""Defects of citations of headings."""
