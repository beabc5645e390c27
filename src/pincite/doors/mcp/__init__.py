"""pincite for agents: a server of the Model Context Protocol, over standard input and output or over HTTP on loopback.

`command.py` starts it, `server.py` says what it offers, each `*_tool.py` answers one tool.
"""
