"""The nouns every room speaks, the errors a caller may see, and the bounds. Imports nothing of pincite."""
