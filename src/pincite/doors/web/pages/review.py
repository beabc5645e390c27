"""What waits for a reader, one after the other, and the writes that settle it."""
