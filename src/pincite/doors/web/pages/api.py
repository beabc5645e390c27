"""The description of the REST API."""
