"""What is special about agents, memories, captured output, papers, search results and research, one package each.

Domains do not import one another.
"""
