"""Defects of cited files, and of the documents that cite."""
