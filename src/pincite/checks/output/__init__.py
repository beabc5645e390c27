"""Defects of citations of captured command output."""
