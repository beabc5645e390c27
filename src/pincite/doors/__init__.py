"""Where people and programs come in: the command line, the servers for agents and editors, the hooks and the library.

Nothing imports a door, and doors do not import one another.
"""
