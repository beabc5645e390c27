"""Paths of renamed files, written the way the old ones were: from the document's folder, or from the root."""

from ..text.lines import join


def make_relative_path(folder: str, path: str) -> str:
    """A path from the root as written in a document of that folder."""
    here = folder.split("/") if folder else []
    there = path.split("/")
    while here and len(there) > 1 and here[0] == there[0]:
        here.pop(0)
        there.pop(0)
    return "../" * len(here) + "/".join(there)


def rewrite_path(folder: str, written: str, old: str, new: str) -> str:
    """The path of a file that is called `new` now, in the style in which `old` was written in a document of a folder.

    `../` and `./` stay, a path from the folder stays one, and so does a path from the root, with a slash or without.
    """
    if written.startswith("/"):
        return f"/{new}"
    relative = make_relative_path(folder, new)
    if written.startswith(("./", "../")):
        return relative if relative.startswith("../") else f"./{relative}"
    return relative if join(folder, written) == old != join("", written) else new
