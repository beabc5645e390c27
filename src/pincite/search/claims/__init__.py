"""From a sentence to lines: what it names, which words belong to a citation, and the lines that show what they name.

`write/suggest` asks for lines that could be cited, the engine whether those that are cited are the ones. May import
what `search` may.
"""
