"""Memories: markdown files with citations and links in their frontmatter, verified, connected, kept up to date."""
