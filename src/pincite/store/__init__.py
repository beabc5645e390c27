"""What is kept between runs."""

FOLDER = ".pincite"
"""Where a project's own things are kept, below its root."""
KEY = f"{FOLDER}/store.db"
"""The database of captured output."""
UNSETTLED = "\0"
"""Among what an answer depends on: it would be another one next time, so it is not kept."""
