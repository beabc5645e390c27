"""Citations that are written: of a target, for a sentence, in any style.

Uses the engine to prove that what is written holds; the domains and the doors use it.
"""
