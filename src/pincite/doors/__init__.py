"""Where people and programs come in: the command line, the page in the browser, the servers for agents and editors, the
hooks and the library.

Nothing imports a door, and doors do not import one another, but for the page: it carries the server for agents.
"""
