"""Git, asked carefully: a repository is hostile until its owner is known, and even then it runs nothing of its own.

Every call names the git directory and the work tree, switches off hooks, pagers, external diffs, monitors, content
filters and every transport, and passes no setting of the surrounding environment on. Paths are text with undecodable
bytes as surrogates, relative to the root that was asked for, which may be a folder below the top of the work tree.
"""

from __future__ import annotations

import os
import re
from stat import S_ISREG

from ..errors import UsageError
from ..limits import LIMITS, Limits
from .child import Child, ChildFailed, find_program, stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .objects import Objects

is_id = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z").match
"""Whether a text is the full id of an object."""
_BLAMED = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) [0-9]+ ([0-9]+)(?: [0-9]+)?\Z").match
_MOST_RANGES = 400
_SETTINGS = (
    # What would run a program.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "gc.auto=0",
    "log.showSignature=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    # What would change the output that is parsed here.
    "blame.ignoreRevsFile=",
    "color.ui=false",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "diff.algorithm=default",
    "diff.colorMoved=no",
    "diff.ignoreSubmodules=dirty",
    "diff.indentHeuristic=true",
    "diff.interHunkContext=0",
    "diff.mnemonicPrefix=false",
    "diff.noprefix=false",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "diff.renameLimit=1000",
    "diff.submodule=short",
    "diff.suppressBlankEmpty=false",
    "log.follow=false",
    "log.showRoot=true",
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_STAGED = (
    "--cached",
    "-M",
    "--full-index",
    "--no-abbrev",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
)
_DISCOVERY_SECONDS = 30.0


class Git:
    """One repository as seen from a root inside its work tree."""

    def __init__(self, program: str, top: str, root: str, limits: Limits = LIMITS) -> None:
        self._prepare(program, top, root, limits)
        self.git_dir, self.common_dir, self._head = self._discover()

    def _prepare(self, program: str, top: str, root: str, limits: Limits) -> None:
        self.top = top
        self.root = root
        inside = os.path.relpath(root, top)
        self.prefix = "" if inside == os.curdir else inside.replace(os.sep, "/") + "/"
        """What git puts before every path of ours: empty, or folders ending in a slash."""
        self.limits = limits
        self._program = program
        self._settings: list[tuple[str, str]] | None = None
        self._untracked: set[str] | None = None
        self._objects: Objects | None = None
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = kept | _ENVIRONMENT

    @classmethod
    def find(cls, root: str, limits: Limits = LIMITS) -> Git | None:
        """The repository around `root`; None without one or without git, UsageError where git refuses."""
        root = os.path.realpath(root)
        top = _top_of(root)
        if top is None:
            return None
        program = find_program("git")
        return None if program is None else cls(program, top, root, limits)

    @classmethod
    def bare(cls, folder: str, limits: Limits = LIMITS) -> Git:
        """A git directory without a work tree, whose owner the caller vouches for: only its objects are of use."""
        program = find_program("git")
        if program is None:
            raise UsageError("git is not installed")
        git = cls.__new__(cls)
        git._prepare(program, os.path.realpath(folder), os.path.realpath(folder), limits)
        git.git_dir = git.common_dir = git.top
        git._head = None
        return git

    def stream(
        self, *arguments: str, literal: bool = False, codes: tuple[int, ...] = (0,), given: bytes = b""
    ) -> Iterator[bytes]:
        """The output of one git command, piece by piece; closing the iterator ends it. Raises ChildFailed."""
        command = self._command(arguments, literal)
        return stream(command, self.top, self._environment, self.limits.git_seconds, codes, given)

    def run(self, *arguments: str, literal: bool = False, codes: tuple[int, ...] = (0,)) -> bytes:
        """The whole output of one git command; raises ChildFailed with git's own reason."""
        return b"".join(self.stream(*arguments, literal=literal, codes=codes))

    def head(self) -> str | None:
        """The commit the work tree stands on; None before the first one."""
        return self._head

    def boundary(self) -> frozenset[str]:
        """The commits of a shallow clone whose parents are not here: each seems to add everything."""
        listed = _read_small(os.path.join(self.common_dir, "shallow")).decode("ascii", "replace")
        return frozenset(filter(is_id, listed.split()))

    @property
    def object_format(self) -> str:
        """The hash that names objects: `sha1` or `sha256`."""
        for key, value in self._config():
            if key == "extensions.objectformat":
                return value.lower()
        return "sha1"

    def remotes(self) -> tuple[str, ...]:
        """The URLs of all remotes, as configured."""
        return tuple(value for key, value in self._config() if key.startswith("remote.") and key.endswith(".url"))

    def resolve_commit(self, revision: str) -> str | None:
        """The full id of the commit a revision names; None where it names none."""
        if not revision or revision[0] == "-" or "\0" in revision or "\n" in revision:
            return None
        try:
            found = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
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
        found: set[str] = set()
        untracked: set[str] = set()
        for entry in names.split(b"\0"):
            path = self.inside(entry[2:])
            if path is None:
                continue
            if entry[:1] == b"?":
                untracked.add(path)
            if path.endswith(suffixes):
                found.add(path)
        self._untracked = untracked
        return sorted(found)

    def untracked(self) -> set[str]:
        """Files that are neither tracked nor ignored; asked once, or learnt from `list_documents`."""
        if self._untracked is None:
            names = self.run("ls-files", "-o", "--exclude-standard", "-z", "--", *self.below(("",)))
            self._untracked = set(self._paths(names))
        return self._untracked

    def dirty(self, seconds: float) -> bool | None:
        """Whether the work tree differs from its commit, untracked files counted; None where that takes too long."""
        command = self._command(("status", "--porcelain", "-z", "--untracked-files=normal"), False)
        try:
            # The first difference is enough; letting go of the rest ends git.
            return next(stream(command, self.top, self._environment, seconds), None) is not None
        except ChildFailed:
            return None

    def changed_since(self, revision: str) -> set[str]:
        """Paths whose content in the work tree, or existence, differs from a revision; both names of a rename."""
        commit = self.resolve_commit(revision)
        if commit is None:
            raise UsageError(f"unknown revision: {revision}; name a commit, branch or tag of this repository")
        # A change that was staged and then undone in the work tree is still about to be committed.
        return self.changed(commit) | self.changed(commit, staged=True) | self.untracked()

    def changed(self, commit: str, patterns: Sequence[str] = ("",), staged: bool = False) -> set[str]:
        """Tracked paths that differ between a commit and the work tree (or the index), limited to git patterns."""
        flags = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"]
        if staged:
            flags.append("--cached")
        return set(self._paths(self.run("diff", *flags, commit, "--", *self.below(patterns))))

    def tree(self, commit: str) -> dict[str, str]:
        """Every file in a commit below the root: path to blob id, links and submodules left out."""
        found: dict[str, str] = {}
        for entry in self.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            about, _, name = entry.partition(b"\t")
            path = self.inside(name)
            if path is not None and about.startswith(b"100"):
                found[path] = about.rpartition(b" ")[2].decode("ascii")
        return found

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
        from hashlib import new

        if self._head is None:
            return [new(self.object_format, b"tree 0\0").hexdigest()]
        merged = _read_small(os.path.join(self.git_dir, "MERGE_HEAD")).decode("ascii", "replace")
        return [self._head, *filter(is_id, merged.split())]

    def staged(self, parent: str, patterns: Sequence[str]) -> bytes:
        """What the index changes against a parent, as raw records that end in NUL."""
        return self.run("diff-index", *_STAGED, "--raw", "-z", parent, "--", *self.below(patterns))

    def staged_lines(self, parent: str, patterns: Sequence[str]) -> Iterator[bytes]:
        """The same as a patch without context; what attributes call binary is text here."""
        return self.stream("diff-index", *_STAGED, "-p", "-U0", "--text", parent, "--", *self.below(patterns))

    def indexed(self, folder: str) -> set[str]:
        """The files below a folder that are in the index."""
        return set(self._paths(self.run("ls-files", "-z", "--", f":(top,literal){self.prefix}{folder}")))

    def hooks_folder(self) -> str:
        """Where this repository's hooks are: with the other files of git, unless a setting names another folder."""
        named = next((value for key, value in reversed(self._config()) if key == "core.hookspath"), "")
        if not named:
            return os.path.join(self.common_dir, "hooks")
        return os.path.normpath(os.path.join(self.top, os.path.expanduser(named)))

    def blame(self, commit: str, path: str, rows: Sequence[int]) -> dict[int, str]:
        """The commit that wrote each of these lines, 1-based, of a file as it is in a commit."""
        ranges = [f"-L{row},{row}" for row in rows] if len(rows) <= _MOST_RANGES else []
        flags = ("--porcelain", "--no-textconv", *ranges)
        shown = self.run("blame", *flags, commit, "--", self.prefix + path, literal=True)
        found = (_BLAMED(line) for line in shown.split(b"\n"))
        return {int(match[2]): match[1].decode("ascii") for match in found if match}

    def ignored_folders(self) -> set[str]:
        """Folders that git ignores as a whole, each with a trailing slash."""
        flags = ("-oi", "--exclude-standard", "--directory", "-z")
        return {
            path for path in self._paths(self.run("ls-files", *flags, "--", *self.below(("",)))) if path.endswith("/")
        }

    def changed_between(self, older: str, newer: str) -> set[str]:
        """Paths that differ between two commits."""
        flags = ("-r", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
        return set(self._paths(self.run("diff-tree", *flags, older, newer, "--", *self.below(("",)))))

    def state_files(self) -> list[str]:
        """The files whose change could mean another commit, another index or other ignore rules."""
        reference = _first_line(os.path.join(self.git_dir, "HEAD")).removeprefix("ref: ")
        own = [os.path.join(self.git_dir, name) for name in ("HEAD", "index")]
        shared = [os.path.join(self.common_dir, name) for name in ("packed-refs", "shallow", "info/exclude", "config")]
        if reference.startswith("refs/") and ".." not in reference:
            shared.append(os.path.join(self.common_dir, reference))
        return own + shared

    def objects(self) -> Objects:
        """The reader of this repository's objects: one, kept until `close`."""
        from .objects import Objects

        if self._objects is None:
            self._objects = Objects(self)
        return self._objects

    def close(self) -> None:
        """End every process that is still running."""
        if self._objects is not None:
            self._objects.close()
            self._objects = None

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
        command = [self._program, "--no-pager", "--no-optional-locks", "--no-replace-objects"]
        if literal:
            command.append("--literal-pathspecs")
        for setting in (*_SETTINGS, *self._guards()):
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
            command = [self._program, f"--git-dir={self.git_dir}", f"--work-tree={self.top}", "config", "--list", "-z"]
            listed = b"".join(stream(command, self.top, self._environment, self.limits.git_seconds))
            entries = (os.fsdecode(entry).partition("\n") for entry in listed.split(b"\0") if entry)
            self._settings = [(key, value) for key, _, value in entries]
        return self._settings

    def _discover(self) -> tuple[str, str, str | None]:
        """The git directory, the one it shares with its other work trees, and HEAD, as git itself finds them."""
        # No --git-dir here: only discovery checks who owns the repository. The exceptions a user made for that
        # check may stand in the system's settings, so these count here, and only here.
        environment = {name: value for name, value in self._environment.items() if name != "GIT_CONFIG_NOSYSTEM"}
        command = [self._program, "rev-parse", "--absolute-git-dir", "--git-common-dir", "HEAD"]
        try:
            seconds = min(_DISCOVERY_SECONDS, self.limits.git_seconds)
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
        if os.path.dirname(os.path.dirname(git_dir)) == common_dir:
            back = _first_line(os.path.join(git_dir, "gitdir"))
        else:
            self.git_dir = git_dir
            settings = dict(self._config()) if common_dir == git_dir else {}
            back = os.path.join(git_dir, settings["core.worktree"], ".git") if "core.worktree" in settings else ""
        if not back or os.path.realpath(os.path.dirname(back)) != self.top:
            raise UsageError(
                f"{own} leads to {git_dir}, which does not name {self.top} as its work tree; "
                "its history is not read (`git config core.worktree` there would tie them)"
            )


def _top_of(root: str) -> str | None:
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


def _first_line(path: str) -> str:
    return os.fsdecode(_read_small(path).partition(b"\n")[0])


def _read_small(path: str) -> bytes:
    """The beginning of one of git's own small files; empty where it is none. Pipes and devices are not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, LIMITS.config_bytes) if S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
