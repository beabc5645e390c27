"""Command output as evidence."""
