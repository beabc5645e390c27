"""Web pages: what a reader sees, and what the page says of itself."""
