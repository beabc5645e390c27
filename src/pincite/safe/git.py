"""Git, asked carefully: a repository is hostile until its owner is known, and even then it runs nothing of its own.

Every call names the git directory and the work tree, switches off hooks, pagers, external diffs, monitors, content
filters and every transport, and passes no setting of the surrounding environment on. Paths are text with undecodable
bytes as surrogates, relative to the root that was asked for, which may be a folder below the top of the work tree.
"""

from __future__ import annotations

import os
import re

from ..core.errors import UsageError
from ..core.limits import LIMITS, Limits
from .child import Child, ChildFailed, find_program, stream
from .files import has_ending
from .git_files import check_git_files, read_first_line, read_start
from .git_settings import ENVIRONMENT, SETTINGS, THE_USERS_OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .git_objects import Objects
    from .git_tree import IgnoreQuery

is_id = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z").match
"""Whether a text is the full id of an object."""
_BLAMED = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) [0-9]+ ([0-9]+)(?: [0-9]+)?\Z").match
_MOST_RANGES = 400
_STAGED = tuple(
    "--cached -M --full-index --no-abbrev --no-color --no-ext-diff --no-textconv --ignore-submodules=all".split()
)
_INSTANT_SECONDS = 30.0
"""For what takes git a moment in any repository: it reads a few small files."""
_WITHOUT_OBJECTS = ("ls-files", "check-ignore", "for-each-ref")
"""Commands that read names and ids alone."""
_SHARED_STATE = ("packed-refs", "shallow", "info/exclude", "config", "objects/info/alternates")


class Git:
    """One repository as seen from a root inside its work tree."""

    def __init__(self, program: str, top: str, root: str, limits: Limits = LIMITS, bare: bool = False) -> None:
        self.top = top
        self.root = root
        inside = os.path.relpath(root, top)
        self.prefix = "" if inside == os.curdir else inside.replace(os.sep, "/") + "/"
        """What git puts before every path of ours: empty, or folders ending in a slash."""
        self.limits = limits
        self._instant = min(_INSTANT_SECONDS, limits.git_seconds)
        self._program = program
        self._settings: list[tuple[str, str]] | None = None
        self._untracked: set[str] | None = None
        self._objects: Objects | None = None
        self._ignore_query: IgnoreQuery | None = None
        self._foreign: str | None = "" if bare else None
        """Why objects are not read; None until they were looked at, empty where they may be."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = kept | ENVIRONMENT
        self.git_dir, self.common_dir, self._head = (top, top, None) if bare else self._discover()

    @classmethod
    def find(cls, root: str, limits: Limits = LIMITS) -> Git | None:
        """The repository around `root`; None without one or without git, UsageError where git refuses."""
        root = os.path.realpath(root)
        top = find_top(root)
        if top is None:
            return None
        program = find_program("git")
        if program is None:
            return None
        check_git_files(top)
        return cls(program, top, root, limits)

    @classmethod
    def bare(cls, folder: str, limits: Limits = LIMITS) -> Git:
        """A git directory without a work tree, whose owner the caller vouches for: only its objects are of use."""
        program = find_program("git")
        if program is None:
            raise UsageError("git is not installed")
        return cls(program, os.path.realpath(folder), os.path.realpath(folder), limits, bare=True)

    def stream(
        self,
        *arguments: str,
        literal: bool = False,
        codes: tuple[int, ...] = (0,),
        given: bytes = b"",
        seconds: float | None = None,
    ) -> Iterator[bytes]:
        """The output of one git command, piece by piece; closing the iterator ends it. Raises ChildFailed."""
        limit = self.limits.git_seconds if seconds is None else seconds
        return stream(self._command(arguments, literal), self.top, self._environment, limit, codes, given)

    def run(self, *arguments: str, literal: bool = False, codes: tuple[int, ...] = (0,)) -> bytes:
        """The whole output of one git command; raises ChildFailed with git's own reason."""
        return b"".join(self.stream(*arguments, literal=literal, codes=codes))

    def vet_objects(self) -> None:
        """Raise ChildFailed where the repository would read objects of another one; looked at once."""
        if self._foreign is None:
            from .git_object_store import find_foreign

            self._foreign = find_foreign(self.common_dir, self.top)
        if self._foreign:
            raise ChildFailed(self._foreign)

    def head(self) -> str | None:
        """The commit the work tree stands on; None before the first one."""
        return self._head

    def boundary(self) -> frozenset[str]:
        """The commits of a shallow clone whose parents are not here: each seems to add everything."""
        listed = read_start(os.path.join(self.common_dir, "shallow")).decode("ascii", "replace")
        return frozenset(filter(is_id, listed.split()))

    @property
    def object_format(self) -> str:
        """The hash that names objects: `sha1` or `sha256`."""
        return next((value.lower() for key, value in self._config() if key == "extensions.objectformat"), "sha1")

    def hash_object(self, kind: str, data: bytes) -> str:
        """The id of the object of that kind with this content."""
        from hashlib import new

        return new(self.object_format, b"%b %d\0" % (kind.encode(), len(data)) + data).hexdigest()

    def remotes(self) -> tuple[str, ...]:
        """The URLs of all remotes, as configured."""
        return tuple(value for key, value in self._config() if key.startswith("remote.") and key.endswith(".url"))

    def resolve_commit(self, revision: str) -> str | None:
        """The full id of the commit a revision names; None where it names none."""
        if not revision or revision[0] == "-" or "\0" in revision or "\n" in revision:
            return None
        # A revision is not unknown because objects are not read.
        self.vet_objects()
        try:
            asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
            found = b"".join(self.stream(*asked, seconds=self._instant))
        except (ChildFailed, UnicodeEncodeError):
            return None
        lines = [line for line in found.decode("ascii", "replace").split("\n") if is_id(line)]
        return lines[0] if len(lines) == 1 else None

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `older` is `newer` or one of its ancestors."""
        try:
            self.run("merge-base", "--is-ancestor", "--end-of-options", older, newer)
        except ChildFailed:
            return False
        return True

    def list_documents(self, suffixes: tuple[str, ...]) -> list[str]:
        """Files with these suffixes that are tracked, or untracked and not ignored; sorted, each once."""
        names = self.run("ls-files", "-co", "-t", "--exclude-standard", "-z", "--", *self.below(("",)))
        listed = [(entry[:1], path) for entry in names.split(b"\0") if (path := self.inside(entry[2:])) is not None]
        self._untracked = {path for mark, path in listed if mark == b"?"}
        return sorted({path for _, path in listed if has_ending(path, suffixes)})

    def list_untracked(self) -> set[str]:
        """Files that are neither tracked nor ignored; asked once, or learnt from `list_documents`."""
        if self._untracked is None:
            names = self.run("ls-files", "-o", "--exclude-standard", "-z", "--", *self.below(("",)))
            self._untracked = set(self._paths(names))
        return self._untracked

    def dirty(self, seconds: float) -> bool | None:
        """Whether the work tree differs from its commit, untracked files counted; None where that takes too long."""
        # A submodule has settings of its own, and git would run what they name to compare its files.
        asked = ("status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all")
        try:
            # The first difference is enough; letting go of the rest ends git.
            return next(self.stream(*asked, seconds=seconds), None) is not None
        except ChildFailed:
            return None

    def commit_named(self, revision: str) -> str:
        """The commit a user named; raises UsageError where there is none."""
        commit = self.resolve_commit(revision)
        if commit is None:
            raise UsageError(f"unknown revision: {revision}; name a commit, branch or tag of this repository")
        return commit

    def list_changed_paths(self, commit: str, patterns: Sequence[str] = ("",), staged: bool = False) -> set[str]:
        """Tracked paths that differ between a commit and the work tree (or the index), limited to git patterns."""
        flags = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"]
        flags += ["--cached"] * staged
        return set(self._paths(self.run("diff", *flags, commit, "--", *self.below(patterns))))

    def entries(self, commit: str = "") -> Iterator[tuple[str, str, str]]:
        """Path, mode and object id of all that is in a commit, or in the index without conflicts, below the root."""
        indexed = ("ls-files", "-s", "-z", "--", *self.below(("",)))
        listing = ("ls-tree", "-r", "-z", "--full-tree", commit) if commit else indexed
        for entry in self.run(*listing).split(b"\0"):
            about, _, name = entry.partition(b"\t")
            path = self.inside(name)
            if path is not None:
                # `mode type id` in a commit, `mode id stage` in the index.
                mode, kind, last = about.decode("ascii").split(" ")
                if commit or last == "0":
                    yield path, mode, last if commit else kind

    def tree(self, commit: str = "") -> dict[str, str]:
        """Every file in a commit, or in the index, below the root: path to blob id, links and submodules left out."""
        return {path: blob for path, mode, blob in self.entries(commit) if mode.startswith("100")}

    def renames(self, commit: str) -> dict[str, str]:
        """Renames between a commit and the work tree that git knows about, staged ones included: old name to new."""
        flags = ("-M", "--diff-filter=R", "--name-status", "-z", "--no-ext-diff", "--no-textconv")
        fields = self.run("diff", *flags, "--ignore-submodules=dirty", commit, "--", *self.below(("",))).split(b"\0")
        pairs = ((self.inside(old), self.inside(new)) for old, new in zip(fields[1::3], fields[2::3], strict=False))
        return {old: new for old, new in pairs if old is not None and new is not None}

    def use_index(self, path: str) -> None:
        """Read another index than the usual one: that of a commit in the making."""
        self._environment = self._environment | {"GIT_INDEX_FILE": path}

    def parents_to_be(self) -> list[str]:
        """What the next commit will be compared with: its parents, or the empty tree before the first commit."""
        if self._head is None:
            return [self.hash_object("tree", b"")]
        merged = read_start(os.path.join(self.git_dir, "MERGE_HEAD")).decode("ascii", "replace")
        return [self._head, *filter(is_id, merged.split())]

    def read_staged_changes(self, parent: str, patterns: Sequence[str]) -> bytes:
        """What the index changes against a parent, as raw records that end in NUL."""
        return self.run("diff-index", *_STAGED, "--raw", "-z", parent, "--", *self.below(patterns))

    def list_indexed(self, folder: str) -> set[str]:
        """The files below a folder that are in the index."""
        return set(self._paths(self.run("ls-files", "-z", "--", f":(top,literal){self.prefix}{folder}")))

    def hooks_folder(self) -> str:
        """Where this repository's hooks are: with the other files of git, unless a setting names another folder."""
        # git looks where the user's own settings say, too.
        settings = self._list_settings(self._users_environment())
        named = next((value for key, value in reversed(settings) if key == "core.hookspath"), "")
        if not named:
            return os.path.join(self.common_dir, "hooks")
        return os.path.normpath(os.path.join(self.top, os.path.expanduser(named)))

    def blame(self, commit: str, path: str, rows: Sequence[int]) -> dict[int, str]:
        """The commit that wrote each of these lines, 1-based, of a file in a commit; none where that is not known."""
        from .git_damage import find_severed

        ranges = [f"-L{row},{row}" for row in rows] if len(rows) <= _MOST_RANGES else []
        # A setting cannot be emptied on the command line: git sorts the files that are named before it reads them.
        flags = ("--porcelain", "--no-textconv", "--no-ignore-revs-file", "--no-ignore-rev", *ranges)
        shown = self.run("blame", *flags, commit, "--", self.prefix + path, literal=True)
        found = (_BLAMED(line) for line in shown.split(b"\n"))
        writers = {int(match[2]): match[1].decode("ascii") for match in found if match}
        severed = find_severed(self, set(writers.values()))
        return {row: commit for row, commit in writers.items() if commit not in severed}

    def state_files(self) -> list[str]:
        """The files whose change could mean another commit, another index or other ignore rules."""
        reference = read_first_line(os.path.join(self.git_dir, "HEAD")).removeprefix("ref: ")
        own = [os.path.join(self.git_dir, name) for name in ("HEAD", "index")]
        shared = [os.path.join(self.common_dir, name) for name in _SHARED_STATE]
        if reference.startswith("refs/") and ".." not in reference:
            shared.append(os.path.join(self.common_dir, reference))
        return own + shared

    def horizon_files(self) -> list[str]:
        """The files that say how much of history is here."""
        return [os.path.join(self.common_dir, name) for name in ("shallow", "objects/info/alternates")]

    def objects(self) -> Objects:
        """The reader of this repository's objects: one, kept until `close`."""
        from .git_objects import Objects

        self._objects = self._objects or Objects(self)
        return self._objects

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores a path, or cannot tell; it need not exist."""
        from .git_tree import IgnoreQuery

        self._ignore_query = self._ignore_query or IgnoreQuery(self)
        return self._ignore_query.ask(path)

    def close(self) -> None:
        """End every process that is still running."""
        for kept in (self._objects, self._ignore_query):
            if kept is not None:
                kept.close()
        self._objects = self._ignore_query = None

    def talk(self, *arguments: str) -> Child:
        """A git command that is written to and read from."""
        command = self._command(arguments, False)
        return Child(command, self.top, self._environment, self.limits.git_seconds, talk=True)

    def inside(self, path: bytes) -> str | None:
        """A path as git prints it, relative to our root; None for one outside."""
        text = os.fsdecode(path)
        return text[len(self.prefix) :] if text and text.startswith(self.prefix) else None

    def below(self, patterns: Sequence[str]) -> list[str]:
        """Git patterns such as `*.md`, limited to our root; an empty one means everything."""
        if not all(patterns):
            return [f":(top,literal){self.prefix}"] if self.prefix else []
        return [f":(top){escape_pattern(self.prefix)}{pattern}" for pattern in patterns]

    def _paths(self, names: bytes) -> Iterator[str]:
        return (path for name in names.split(b"\0") if (path := self.inside(name)) is not None)

    def _command(self, arguments: Sequence[str], literal: bool) -> list[str]:
        if arguments[0] not in _WITHOUT_OBJECTS:
            self.vet_objects()
        command = [self._program, "--no-pager", "--no-optional-locks", "--no-replace-objects"]
        if literal:
            command.append("--literal-pathspecs")
        for setting in (*SETTINGS, *self._guards()):
            command += ("-c", setting)
        return [*command, f"--git-dir={self.git_dir}", f"--work-tree={self.top}", *arguments]

    def _guards(self) -> Iterator[str]:
        """Settings that empty every content filter: comparing files must not run what the repository names."""
        for key, _ in self._config():
            if key.startswith("filter."):
                driver = key.rpartition(".")[0]
                if "=" in driver or "\n" in driver:
                    raise UsageError(
                        f"{self.top}: the filter {driver!r} in its git configuration cannot be switched off"
                    )
                yield from (f"{driver}.{part}" for part in ("clean=", "smudge=", "process=", "required=false"))

    def _config(self) -> list[tuple[str, str]]:
        """Every setting git sees here, in the order of precedence, read once."""
        if self._settings is None:
            self._settings = self._list_settings(self._environment)
        return self._settings

    def _list_settings(self, environment: Mapping[str, str]) -> list[tuple[str, str]]:
        command = [self._program, f"--git-dir={self.git_dir}", f"--work-tree={self.top}", "config", "--list", "-z"]
        listed = b"".join(stream(command, self.top, environment, self.limits.git_seconds))
        entries = (os.fsdecode(entry).partition("\n") for entry in listed.split(b"\0") if entry)
        return [(key, value) for key, _, value in entries]

    def _users_environment(self) -> dict[str, str]:
        return {name: value for name, value in self._environment.items() if name not in THE_USERS_OWN}

    def _discover(self) -> tuple[str, str, str | None]:
        """The git directory, the one it shares with its other work trees, and HEAD, as git itself finds them."""
        # No --git-dir here: only discovery checks who owns the repository. The exceptions a user made for that
        # check stand in the user's settings or the system's, so these count here.
        environment = self._users_environment()
        command = [self._program, "rev-parse", "--absolute-git-dir", "--git-common-dir", "HEAD"]
        try:
            seconds = self._instant
            lines = os.fsdecode(b"".join(stream(command, self.top, environment, seconds, (0, 128)))).split("\n")
            if len(lines) != 4:
                # Either git refused, and says why when asked again, or a path holds a line end.
                b"".join(stream(command, self.top, environment, seconds))
                raise ChildFailed("the path of its git directory cannot be read")
        except ChildFailed as error:
            trust = f"; if you trust it, run `git config --global --add safe.directory {self.top}`"
            hint = trust if "dubious ownership" in str(error) else ""
            raise UsageError(f"{self.top}: git cannot be used here: {error}{hint}") from None
        git_dir = os.path.realpath(lines[0])
        common_dir = os.path.realpath(os.path.join(self.top, lines[1]))
        self._check_ties(git_dir, common_dir)
        return git_dir, common_dir, lines[2] if is_id(lines[2]) else None

    def _check_ties(self, git_dir: str, common_dir: str) -> None:
        """Refuse a `.git` that borrows the history of a repository which does not know this work tree."""
        own = os.path.join(self.top, ".git")
        if git_dir == own and common_dir == own:
            return
        if os.path.dirname(git_dir) == os.path.join(common_dir, "worktrees"):
            back = read_first_line(os.path.join(git_dir, "gitdir"))
        else:
            self.git_dir = git_dir
            settings = dict(self._config()) if common_dir == git_dir else {}
            back = os.path.join(git_dir, settings["core.worktree"], ".git") if "core.worktree" in settings else ""
        if not back or os.path.realpath(os.path.dirname(back)) != self.top:
            raise UsageError(
                f"{own} leads to {git_dir}, which does not name {self.top} as its work tree; "
                "its history is not read (`git config core.worktree` there would tie them)"
            )


def find_top(root: str) -> str | None:
    """The nearest folder at or above `root` that holds a `.git` worth asking git about."""
    folder = root
    while True:
        mark = os.path.join(folder, ".git")
        if os.path.isfile(mark) or os.path.lexists(os.path.join(mark, "HEAD")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def escape_pattern(path: str) -> str:
    """A git pattern that matches this path and no other."""
    return re.sub(r"([*?\[\\])", r"\\\1", path)
