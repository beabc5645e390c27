"""Citations for documents that have few: sentences, and the lines of the repository that would falsify them.

`propose.suggest` says what could be cited in each document, `propose.insert_suggestions` puts suggestions in.
"""
