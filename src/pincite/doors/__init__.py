"""Where people and programs come in: the command line and the library.

Nothing imports a door, and doors do not import one another.
"""
