"""What text is: decoding and lines, markdown, sentences, numbers, quotation marks, YAML, the terminal.

Knows nothing of files, git or citations at rest. Imports core only.
"""
