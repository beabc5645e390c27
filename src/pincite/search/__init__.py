"""Searching documents: passages, the index kept up to date with them, queries and ranking.

May import history, project, store and everything below them.
"""
