"""Edits that are written as text: patches in Codex's format, and here-documents of a shell command.

A patch looks like this; a shell command may hold one, too.

    *** Begin Patch
    *** Update File: docs/a.md
    @@ # A heading
     a line that stays
    -a line that goes
    +a line that comes
    *** End Patch
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from ...core.errors import UsageError
from .call import EditedFile, PatchHunk

SHELLS = ("Bash", "shell", "exec_command", "local_shell")
_MOST_CHANGES = 200
_MOST_HUNKS = 2000
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _LAST = "*** Move to: ", "*** End of File"
_WORD = r"(?:'[^'\n]+'|\"[^\"\n$`]+\"|[^\s<>|&;'\"$`()]+)"
_HERE = re.compile(
    rf"""
    (?:^|&&|;)[ \t]*(?:cat|tee(?:[ ]-a)?[ ](?P<tee>{_WORD}))[ \t]*       # cat, or tee FILE
    (?:(?P<sign>>>?)[ \t]*(?P<before>{_WORD})[ \t]*)?           # > FILE, as in: cat > docs/a.md <<'EOF'
    <<-?[ \t]*(?P<mark>'\w+'|"\w+"|\\?\w+)[ \t]*
    (?:(?P<late>>>?)[ \t]*(?P<after>{_WORD})[^\n]*)?            # as in: cat <<EOF > docs/a.md
    $""",
    re.VERBOSE | re.MULTILINE,
)
_CHANGE_FOLDER = re.compile(rf"^\s*cd[ \t]+(?:--[ \t]+)?(?P<folder>{_WORD})[ \t]*(?:&&|;|\n)")


def read_patch_tool(given: dict[str, Any]) -> tuple[EditedFile, ...]:
    """The changes of a call of `apply_patch`; none where no patch is in it."""
    for name in ("command", "input", "patch"):
        text = _join_command(given.get(name))
        if _BEGIN in text:
            return read_patch(text)
    return ()


def read_shell_tool(given: dict[str, Any]) -> tuple[EditedFile, ...]:
    """The files that a shell command writes, as far as its text shows it: patches and here-documents."""
    text = _join_command(given.get("command", given.get("cmd")))
    if "<<" not in text:
        return ()
    folder = ""
    for name in ("workdir", "dir_path", "directory"):
        value = given.get(name)
        if isinstance(value, str) and "\0" not in value:
            folder = value
    left = _CHANGE_FOLDER.match(text)
    if left is not None:
        folder = os.path.join(folder, _unquote(left["folder"]))
    changes = read_patch(text) if _BEGIN in text else _read_here_documents(text)
    return tuple(_put_below(folder, change) for change in changes) if folder else changes


def _join_command(value: object) -> str:
    """The text of a command, which may be a list of words such as `bash -lc TEXT`."""
    if isinstance(value, list):
        return value[-1] if value and isinstance(value[-1], str) else ""
    return value if isinstance(value, str) else ""


def _put_below(folder: str, change: EditedFile) -> EditedFile:
    from msgspec.structs import replace

    moved = os.path.join(folder, change.moved_to) if change.moved_to else ""
    return replace(change, path=os.path.join(folder, change.path), moved_to=moved)


def _unquote(word: str) -> str:
    try:
        parts = shlex.split(word)
    except ValueError:
        return word
    return os.path.expanduser(parts[0]) if parts else word


def _read_here_documents(text: str) -> tuple[EditedFile, ...]:
    found: list[EditedFile] = []
    at = 0
    while len(found) < _MOST_CHANGES:
        head = _HERE.search(text, at)
        if head is None:
            break
        mark = head["mark"].strip("'\"\\")
        end = re.compile(rf"^\t*{re.escape(mark)}[ \t]*$", re.MULTILINE).search(text, head.end() + 1)
        if end is None:
            break
        at = end.end()
        path = head["before"] or head["after"] or head["tee"]
        # Without quotes around the mark the shell puts values in; what it would write is not known then.
        plain = head["mark"][0] in "'\"\\" or not re.search(r"[$`\\]", text[head.end() + 1 : end.start()])
        if path is None or not plain or "\0" in path:
            continue
        body = text[head.end() + 1 : end.start()]
        appends = ">>" in (head["sign"], head["late"]) or "tee -a" in head[0]
        target = _unquote(path)
        found.append(EditedFile(target, appended=body) if appends else EditedFile(target, body))
    return tuple(found)


def read_patch(text: str) -> tuple[EditedFile, ...]:
    """The changes of a patch in Codex's format; raises UsageError where it has too many."""
    start = text.index(_BEGIN) + len(_BEGIN)
    end = text.find(_END, start)
    reader = _PatchReader()
    for line in text[start : end if end >= 0 else len(text)].split("\n")[1:]:
        reader.take(line.removesuffix("\r"))
    return reader.conclude()


class _PatchReader:
    """Takes the lines of a patch one by one."""

    def __init__(self) -> None:
        self._changes: list[EditedFile] = []
        self._path = self._moved = self._header = ""
        self._adds = False
        self._content: list[str] = []
        self._hunks: list[PatchHunk] = []
        self._old: list[str] = []
        self._new: list[str] = []
        self._added: list[int] = []

    def take(self, line: str) -> None:
        """One more line."""
        if line.startswith((_ADD, _UPDATE, _DELETE)):
            self._finish_file()
            kind, _, path = line.partition(": ")
            self._path = "" if f"{kind}: " == _DELETE or "\0" in path else path.strip()
            self._adds = f"{kind}: " == _ADD
        elif line.startswith(_MOVE):
            self._moved = line[len(_MOVE) :].strip().replace("\0", "")
        elif self._adds:
            if line.startswith("+"):
                self._content.append(line[1:])
        elif line.startswith("@@"):
            self._finish_hunk()
            self._header = line[2:].strip()
        elif not line.startswith(_LAST):
            self._take_hunk_line(line)

    def _take_hunk_line(self, line: str) -> None:
        sign, rest = line[:1], line[1:]
        if sign == "+":
            self._added.append(len(self._new))
            self._new.append(rest)
        elif sign == "-":
            self._old.append(rest)
        elif sign in (" ", ""):
            self._old.append(rest)
            self._new.append(rest)

    def _finish_hunk(self) -> None:
        if self._old or self._new:
            hunk = PatchHunk(tuple(self._old), tuple(self._new), tuple(self._added), self._header)
            self._hunks.append(hunk)
        self._old, self._new, self._added, self._header = [], [], [], ""

    def _finish_file(self) -> None:
        self._finish_hunk()
        if self._path and self._adds:
            content = "".join(f"{line}\n" for line in self._content)
            self._changes.append(EditedFile(self._path, content))
        elif self._path:
            self._changes.append(EditedFile(self._path, hunks=tuple(self._hunks), moved_to=self._moved))
        if len(self._changes) > _MOST_CHANGES or len(self._hunks) > _MOST_HUNKS:
            raise UsageError("the patch has more files or hunks than are followed")
        self._path, self._moved, self._adds, self._content, self._hunks = "", "", False, [], []

    def conclude(self) -> tuple[EditedFile, ...]:
        """All changes."""
        self._finish_file()
        return tuple(self._changes)
