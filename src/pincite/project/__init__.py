"""The project a command works in: its root, its settings, its policy and the documents in it.

May import store, safe and everything below them.
"""
