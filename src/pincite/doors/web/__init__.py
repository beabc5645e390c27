"""The page where claim and evidence stand side by side, and its REST API: `pincite serve`.

A page is one module of `pages/` and one template. Nothing but `doors/cli` names this folder, and only `mcp_mount`
reaches into another door, to carry it in the same process.
"""
