"""The memory commands under their first name: `python -m memory_enhancement verify|verify-all`."""
