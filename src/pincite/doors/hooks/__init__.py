"""Answers to the hooks of coding agents: one call and one answer for all, and one translation per client in `clients/`.

A hook reads one JSON object and ends. Whatever goes wrong in it never stops the agent.
"""
