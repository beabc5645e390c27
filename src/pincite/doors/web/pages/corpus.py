"""Papers: their pages and quotes, who cites them, and the audit."""
