"""A model's response with its documents: each sentence beside its evidence."""
