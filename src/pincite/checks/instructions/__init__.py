"""Defects of what instruction files tell people and agents to run and to open."""
