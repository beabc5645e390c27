"""What defines a name, language by language."""
