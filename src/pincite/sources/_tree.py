"""The names of all files below the root, for citations that give a name and no path. Listed once, when first needed."""

from collections.abc import Callable
from functools import cached_property

from ..safe.files import is_generated, walk
from ..safe.git_tree import ignored_folders
from ..store import KEY
from ..text.file_names import group_by_name
from . import World

_MOST = 10
"""Files of one name beyond which no more are named."""


class FileNames:
    """Which files go by a name: those that git knows or does not ignore; outside git all but what tools make."""

    def __init__(self, world: World) -> None:
        self._world = world
        root, git = world.root, world.git()
        watched: list[str] = []
        if git is not None:
            ignored = ignored_folders(git)
            files, folders = walk(root.path, lambda key: key in ignored)
            known = set(git.list_documents(("",)))
            files = [path for path in files if path in known]
            watched += (*git.state_files(), *(f"{folder}/.gitignore".lstrip("/") for folder in folders))
        else:
            files, folders = walk(root.path, is_generated)
        self._after: Callable[[str], str] = str
        self._files = files
        self._paths = group_by_name(files)
        # A file that comes or goes changes its folder. One answer that depends on all of them keeps them watched;
        # for the others it is enough to be asked again once anything changed.
        world.touched.update(dict.fromkeys((*watched, *folders)))

    def rename(self, after: Callable[[str], str]) -> None:
        """Give every file the name that it will have."""
        self._files = sorted(map(after, self._files))
        self._paths = group_by_name(self._files)
        self._after = after

    def paths(self) -> list[str]:
        """The paths of all files, in order."""
        self._world.touched[KEY] = None
        return self._files

    def paths_of_name(self, name: str) -> list[str]:
        """The paths of the files of that name, in order, a bounded number of them."""
        self._world.touched[KEY] = None
        is_file = self._world.root.is_file
        return [path for path in self._paths.get(name, ())[: 10 * _MOST] if is_file(path)][:_MOST]

    def paths_by_end(self, end: str) -> list[str]:
        """The paths that end in whole components with what is given, in order; the path itself is one of them."""
        self._world.touched[KEY] = None
        tail = f"/{end}"
        found = [path for path in self._paths.get(end.rpartition("/")[2], ()) if f"/{path}".endswith(tail)]
        # A copy that lies about is not what the author meant.
        return [path for path in found if path in self._tracked] or found if len(found) > 1 else found

    def folders_by_end(self, end: str) -> list[str]:
        """The folders with files in them whose paths end in whole components with what is given."""
        self._world.touched[KEY] = None
        return [path for path in self._folders.get(end.rpartition("/")[2], ()) if f"/{path}".endswith(f"/{end}")]

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        folders: dict[str, None] = {}
        for path in self._files:
            folder = path.rpartition("/")[0]
            while folder and folder not in folders:
                folders[folder] = None
                folder = folder.rpartition("/")[0]
        return group_by_name(folders)

    @cached_property
    def _tracked(self) -> frozenset[str]:
        """What git tracks; outside git nothing is known to be."""
        git = self._world.git()
        return frozenset(map(self._after, git.tree())) if git is not None else frozenset()

    @cached_property
    def endings(self) -> frozenset[str]:
        """What the names of files end with, from their last dot on."""
        return frozenset(name[name.rindex(".") :].lower() for name in self._paths if "." in name[1:])
