"""What a path means that prose names: where it is looked for."""

from functools import lru_cache

from ..core.model import SourceRef
from ..text.lines import join


@lru_cache(maxsize=1024)
def find_source(folder: str, path: str) -> tuple[SourceRef, str]:
    """What a path in a document of that folder means, and what else it may mean; many citations share both."""
    from_folder, from_root = join(folder, path), join("", path)
    key, alternate = (from_folder, from_root) if path.startswith(("./", "../")) else (from_root, from_folder)
    return SourceRef("file", key), "" if alternate == key else alternate
