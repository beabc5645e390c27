"""Command output as evidence: recorded in chunks, found again by id, exported and kept."""
