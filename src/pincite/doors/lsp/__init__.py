"""The language server that editors start: `pincite lsp`. May import everything below the doors.

Its answers come from two threads that check and look things up, and from child processes for what may take seconds
(history, the index of who cites what, acceptances), so that typing never waits.
"""
