"""Defects of citations of papers: their ids, pages, sections and quotes."""
