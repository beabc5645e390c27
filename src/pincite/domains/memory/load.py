"""Finding and loading memories below the repo root."""

from __future__ import annotations

import os
from operator import attrgetter

from ...core.errors import Blocked, Missing, Refused, UsageError
from ...dialects.memory import UNCLOSED, is_unclosed, outline
from ...safe.files import Root
from ...text.lines import decode
from .model import IdClash, Memories, Memory


def folder_key(root: Root, given: str, required: bool = True) -> str:
    """The memories folder as a key: relative to the root, or absolute and inside it; raises UsageError.

    Where it is not required, a folder that does not exist is one without memories.
    """
    key = given
    try:
        if os.path.isabs(given):
            place, top = os.path.realpath(given), root.path.rstrip("/") + "/"
            if not f"{place}/".startswith(top):
                raise Blocked(given)
            key = place[len(top) :] or "."
        place = root.locate(key.rstrip("/") or ".")
        root.folder(place or ".")
    except Blocked:
        raise UsageError(f"{given}: the memories folder is outside the repo root {root.path}") from None
    except (Refused, OSError):
        if not required:
            return key
        raise UsageError(f"{given}: no such memories folder below {root.path}; pass one with --dir") from None
    return place


def list_keys(root: Root, folder: str) -> list[str]:
    """Every markdown file below a folder, sorted; hidden and linked folders are not entered."""
    found: list[str] = []
    todo = [folder]
    while todo:
        current = todo.pop()
        below = f"{current}/" if current else ""
        try:
            with os.scandir(root.folder(current or ".")) as entries:
                for entry in entries:
                    name = entry.name
                    if name[0] == ".":
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(below + name)
                    elif name.endswith(".md"):
                        found.append(below + name)
        except Missing:
            continue
        except (Refused, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise UsageError(f"{current}: cannot be listed ({reason})") from None
    found.sort()
    return found


def load_memory(root: Root, key: str) -> Memory:
    """The memory at a key; one that cannot be read or parsed says why in `error`."""
    name = key.rpartition("/")[2]
    name = name[:-3] if name.endswith(".md") else name
    data = b""
    try:
        data = root.read(key, root.limits.document_bytes)
        text = decode(data)
    except Refused as error:
        return Memory(key, name, None, data, None, refusal(key, error))
    said = outline(text, root.limits)
    if said is not None:
        return Memory(key, said.id or name, None, data, None, "", said)
    from ...text.document import Document
    from ...text.memory_head import read_head
    from ...text.yaml import FrontmatterError, load

    document = Document(key, text)
    span = document.frontmatter
    if span is None:
        return Memory(key, name, document, data, None, f"line 1: {UNCLOSED}" if is_unclosed(text) else "")
    try:
        head = read_head(load(text[span.start : span.end], span.start, 2, root.limits))
    except FrontmatterError as problem:
        return Memory(key, name, document, data, None, str(problem))
    position = document.position
    problems = "; ".join(f"line {position(problem.start)[0]}: {problem.message}" for problem in head.problems)
    return Memory(key, head.id or name, document, data, None if problems else head, problems)


def load_all(root: Root, folder: str) -> Memories:
    """Every memory below a folder, and which of them share an id."""
    loaded = []
    for key in list_keys(root, folder):
        memory = load_memory(root, key)
        # A README describes the folder; it is a memory only if it cites, or tries to.
        is_readme = key.rpartition("/")[2].lower() == "readme.md"
        if not is_readme or memory.cited or (memory.error and b"citations" in memory.data):
            loaded.append(memory)
    loaded.sort(key=attrgetter("id", "key"))
    return Memories(folder, tuple(loaded), clashes(loaded))


def clashes(memories: list[Memory]) -> tuple[IdClash, ...]:
    """Ids that several memories use. Plain notes without frontmatter claim no id, so they cannot clash alone."""
    by_id: dict[str, list[Memory]] = {}
    for memory in memories:
        by_id.setdefault(memory.id, []).append(memory)
    return tuple(
        IdClash(name, tuple(memory.key for memory in group))
        for name, group in by_id.items()
        if len(group) > 1 and any(memory.head is not None or memory.error for memory in group)
    )


def find_memory(root: Root, folder: str, name: str) -> Memory:
    """The memory meant by a path, an id or a file name, tried in this order; raises UsageError.

    A path is taken from the working folder, then from the root. An id is looked for in all memories, because it need
    not be the file's name.
    """
    if not name or "\0" in name:
        raise UsageError(f"{name!a}: not a memory id or path")
    key = _literal(root, name)
    if key is not None:
        return load_memory(root, key)
    memories = load_all(root, folder)
    found = [memory for memory in memories.all if memory.id == name]
    if len(found) > 1:
        raise UsageError(IdClash(name, tuple(memory.key for memory in found)).message)
    if found:
        return found[0]
    if ".." not in name.split("/"):
        for candidate in (f"{folder}/{name}.md", f"{folder}/{name}"):
            if root.is_file(candidate.lstrip("/")):
                return load_memory(root, candidate.lstrip("/"))
    raise UsageError(f"{name}: no memory with this id, and no such file in {folder or '.'}")


def _literal(root: Root, name: str) -> str | None:
    """The key of the file at a path as typed; None where there is none, UsageError where it is outside the root."""
    place = os.path.abspath(name)
    # The file itself may be a link: reading through the root decides where it may lead.
    place = os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
    if place.startswith(root.path.rstrip("/") + "/"):
        key = place[len(root.path.rstrip("/")) + 1 :]
        if os.path.lexists(place) and not os.path.isdir(place):
            return key
    elif os.path.isfile(place):
        raise UsageError(f"Path traversal blocked: {name} (outside the repo root {root.path})")
    if not os.path.isabs(name) and root.is_file(name):
        return name
    return None


def refusal(key: str, error: Refused) -> str:
    """Why a file could not be had, in the words citations use too."""
    if isinstance(error, Blocked):
        return f"Path traversal blocked: {key}"
    if isinstance(error, Missing):
        return f"File not found: {key}"
    return f"Cannot read file: {error}"
