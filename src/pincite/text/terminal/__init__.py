"""What a terminal shows of a stream of text and controls.

Imports the text room only.
"""
