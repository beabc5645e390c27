"""Many repositories and many web sources: mirrors, shards, engines, revalidation, and the report over all of them.

Above the domains and below the doors. Only this room imports Dask, Procrastinate and the Prometheus client; `check`
imports nothing of it.
"""
