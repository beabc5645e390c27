"""Doors: the command line and what else serves people. Nothing imports this."""
