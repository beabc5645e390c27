"""What is special about each client: the names of its events, tools and fields, and how it wants to be answered."""
