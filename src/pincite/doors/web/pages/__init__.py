"""One module per kind of page: what it shows, and what its buttons do."""
