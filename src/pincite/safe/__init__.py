"""The only code that touches the world: files, writes, git, child processes, and what reaches a terminal."""
