"""What became of cited text since it was cited, as findings with the edit that follows it.

Asks history where text went and turns the answer into findings; part of the engine.
"""
