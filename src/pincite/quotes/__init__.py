"""Quotes: are these words there, word for word, and if not, what is nearest to them and what was changed?"""
