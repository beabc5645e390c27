"""Topics of research: their stages, claims, sources and judgements."""
