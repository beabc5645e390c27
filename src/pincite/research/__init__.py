"""From search results to a report in which every sentence can be traced."""
