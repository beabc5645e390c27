"""What is kept between runs."""

FOLDER = ".pincite"
"""Where a project's own things are kept, below its root."""
KEY = f"{FOLDER}/store.db"
"""The database of captured output."""
