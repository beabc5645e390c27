"""The sentence: a document is read, its citations are extracted, resolved, verified, followed and reported.

Strings the stages together for one document and for many; may import every room but write, the domains and the doors.
"""
