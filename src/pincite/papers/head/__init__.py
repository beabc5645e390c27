"""What the first page of a paper says of the paper itself: title, authors and year, and how sure each of them is.

It reads the lines of the page with the size of their type (`PdfText.head`) and imports nothing but nouns and text.
"""
