"""Where people and programs come in: the command line, the server for agents and the library.

Nothing imports a door, and doors do not import one another.
"""
