"""What a stored answer was an answer to: the request, the settings, the rules for papers, and what is installed."""

import os
import sys
from hashlib import sha256

from msgspec.msgpack import encode

from ..project.config import POLICIES, Config
from ..safe.files import Root, stat_path
from ..sources import BIBLIOGRAPHIES, CORPUS, MIRRORS
from ..store import ACCEPTED, LOCK

Mark = tuple[int, int, int]


def make_key(root: Root, config: Config, asked: object) -> tuple[str, list[str]]:
    """The key of a request, and the paths it depends on, which are to be watched as well.

    Raises Refused where a policy cannot be read, UnicodeEncodeError where a name cannot be kept.
    """
    rules, ruling = _stat_rule_files(root, config)
    named = os.environ.get(MIRRORS, "")
    mirrors = os.path.realpath(named) if named else ""
    request = encode((config, asked, root.path, rules, _stat_import_folders(root), mirrors))
    return sha256(request).hexdigest(), ruling


def _stat_rule_files(root: Root, config: Config) -> tuple[tuple[list[Mark], list[str]], list[str]]:
    """What shows that the corpus came, went, or is ruled by other files now: then no stored answer stands."""
    named = config.corpus
    keys = [key for key in (*POLICIES, named.policy, *named.bibliography, LOCK, ACCEPTED) if key]
    marks: list[Mark] = []
    there_now = []
    for key in keys:
        info = root.stat(key)
        marks.append((info.st_ctime_ns, info.st_size, info.st_ino) if info is not None else (0, 0, 0))
        if info is not None:
            there_now.append(key)
    folder = named.path or CORPUS
    policies = (*POLICIES, named.policy)
    if not named.path and any(key in policies for key in there_now):
        from ..project.policy import get_policy

        folder = get_policy(root, named.policy).corpus_path
    there = root.stat(folder) is not None
    marks.append((int(there), int(root.stat(CORPUS) is not None), 0))
    names = root.names(folder) if there else []
    return (marks, [name for name in names if name.lower().endswith(BIBLIOGRAPHIES)]), there_now


def _stat_import_folders(root: Root) -> list[Mark]:
    """What shows that a package came, went or was renewed: installing writes into a folder that modules come from.

    What reads PDFs, web pages and code is installed separately; an answer without it is another one with it.
    """
    marks: list[Mark] = []
    for folder in sys.path:
        # The folder that is checked may be among them, and changes all the time.
        if folder and os.path.realpath(folder) != root.path:
            info = stat_path(folder)
            marks.append((info.st_ctime_ns, info.st_size, info.st_ino) if info is not None else (0, 0, 0))
    return marks
