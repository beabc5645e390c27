"""The policy of a project: finding its file, reading it strictly, and naming everything that cannot be obeyed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Blocked, Missing, Refused, UsageError
from ...core.limits import LIMITS
from ...text.lines import decode
from ...text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load, value_of
from ..config import POLICIES
from .model import ALLOWED, FORBIDDEN, SEVERITIES, Policy, fill_policy, format_key
from .schema import PolicyProblem, ProblemCollector, check_shape, defaults, plain, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeGuard

    from ...safe.files import Root
    from ...text.yaml import Node

__all__ = [
    "LoadedPolicy",
    "Policy",
    "PolicyProblem",
    "get_policy",
    "list_places",
    "load_policy",
    "read_policy",
    "require_valid_policy",
]

# A file may begin with the line that begins a YAML document; a second one is refused by the loader.
_BEGIN = re.compile(r"(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n|\r|\n))*+---[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n|\r|\n|\Z)")
_WHITELIST = "whitelist_enforcement"
_LEVELS = f"{_WHITELIST}.enforcement_levels"
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class LoadedPolicy(Struct, frozen=True):
    """What a policy file holds."""

    policy: Policy | None
    """None where the file cannot be obeyed: one of the problems is an error."""
    key: str
    """The file, from the root."""
    problems: tuple[PolicyProblem, ...] = ()
    """By line."""
    given: frozenset[str] = frozenset()
    """The places of the values that the file itself gives; all others are defaults."""
    parsed: bool = True
    """False where the file is no YAML that is accepted here."""


def get_policy(root: Root, path: str = "") -> Policy:
    """The policy in force below a root; raises UsageError naming file, line, place, problem and remedy."""
    return require_valid_policy(load_policy(root, path))


def require_valid_policy(loaded: LoadedPolicy | None) -> Policy:
    """The policy of a file that can be obeyed, or the defaults; else raises UsageError with what stands in the way."""
    if loaded is None:
        return Policy()
    if loaded.policy is not None:
        return loaded.policy
    wrong = [problem for problem in loaded.problems if problem.severity == "error"]
    first = wrong[0]
    place = f"{first.place}: " if first.place else ""
    more = "; 'pincite policy check' lists the other problems" if len(wrong) > 1 else ""
    raise UsageError(f"{loaded.key}:{first.line}: {place}{first.message}{more}")


def load_policy(root: Root, path: str = "") -> LoadedPolicy | None:
    """The policy file below a root with all its problems: the one at `path`, else the first found; None without one.

    Raises UsageError where the file cannot be read, or there is none at `path`.
    """
    if path:
        try:
            return _read(root, path)
        except Missing:
            raise UsageError(f"{path}: there is no such policy file; correct the setting or write the file") from None
    for at, key in enumerate(POLICIES):
        try:
            loaded = _read(root, key)
        except Missing:
            if root.stat(key) is not None:
                raise UsageError(f"{key}: not a regular file; put the policy there, or remove it") from None
            continue
        others = [other for other in POLICIES[at + 1 :] if root.is_file(other)]
        if not others:
            return loaded
        unread = (
            PolicyProblem(1, "", f"{name} is not read, because this file comes first", "warning") for name in others
        )
        return LoadedPolicy(loaded.policy, key, (*unread, *loaded.problems), loaded.given, loaded.parsed)
    return None


def _read(root: Root, key: str) -> LoadedPolicy:
    try:
        return read_policy(decode(root.read(key, root.limits.config_bytes)), key)
    except Missing:
        raise
    except Blocked:
        raise UsageError(f"{key}: the policy file is outside {root.path}; put it inside") from None
    except Refused as error:
        raise UsageError(f"{key}: cannot read the policy ({error}); correct the file or remove it") from None


def read_policy(text: str, key: str) -> LoadedPolicy:
    """What the text of a policy file holds, in YAML or JSON; never raises."""
    begin = _BEGIN.match(text)
    start = begin.end() if begin else 0
    places = ProblemCollector(text)
    try:
        tree = load(text[start:], start, places.line(start))
    except FrontmatterError as error:
        problem = PolicyProblem(error.line, "", f"{error.reason}; correct the file or remove it")
        return LoadedPolicy(None, key, (problem,), parsed=False)
    check_shape(tree, places)
    _check_values(tree, places)
    problems = tuple(sorted(places.problems, key=lambda problem: (problem.line, problem.place)))
    if any(problem.severity == "error" for problem in problems):
        return LoadedPolicy(None, key, problems)
    data = plain(tree)
    return LoadedPolicy(Policy(fill_policy(data)), key, problems, frozenset(list_places(data)))


def list_places(data: object, place: str = "") -> Iterator[str]:
    """The places of everything that is not a map."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from list_places(value, f"{place}.{key}" if place else key)
    else:
        yield place


def _check_values(tree: Node, places: ProblemCollector) -> None:
    """What has the right shape and cannot be obeyed all the same."""
    for place, check, severity in (
        (f"{_WHITELIST}.corpus_path", _corpus_path, "error"),
        (f"{_LEVELS}.validation_level.on_violation.severity", _severity, "error"),
        (f"{_LEVELS}.validation_level.check_pattern", _pattern, "warning"),
        (f"{_LEVELS}.commit_level.script", _script, "warning"),
    ):
        node = _find(tree, place)
        if _is_text(node):
            message = check(node)
            if message:
                places.add(node.start, place, message, severity)
    for name, known, others in (("allowed", ALLOWED, FORBIDDEN), ("forbidden", FORBIDDEN, ALLOWED)):
        place = f"{_WHITELIST}.{name}_citation_formats"
        node = _find(tree, place)
        if isinstance(node, YamlList):
            _check_formats(node, place, known, others, places)
    for name, shape in defaults()["page_validation"]["validation_rules"].items():
        place = f"page_validation.validation_rules.{name}.rule"
        node = _find(tree, place)
        if _is_text(node) and node.text.strip() != shape["rule"]:
            places.add(node.start, place, f"rules are fixed: '{shape['rule']}' stays in force", "warning")


def _check_formats(
    node: YamlList, place: str, known: dict[str, str], others: dict[str, str], places: ProblemCollector
) -> None:
    if not node.items and known is ALLOWED:
        places.add(node.start, place, "no format is allowed: every citation is a violation", "warning")
    for at, item in enumerate(node.items):
        if not _is_text(item) or format_key(item.text) in known:
            continue
        names = defaults()[_WHITELIST][place.rpartition(".")[2]]
        hint = "known: " + ", ".join(f"'{name}'" for name in names)
        if format_key(item.text) in others:
            hint = "it belongs to the other list; " + hint
        places.add(item.start, f"{place}[{at}]", f"unknown format {shown_value(item)}; {hint}")


def _corpus_path(node: Scalar) -> str:
    path = node.text
    problem = ""
    if not path.strip():
        problem = "is empty"
    elif _INVISIBLE.search(path) or "\\" in path or len(path) > LIMITS.path_chars:
        problem = "is no path"
    elif path[0] in "/~" or path[1:2] == ":":
        problem = "is absolute"
    elif ".." in path.split("/"):
        problem = "can leave the repository"
    return f"{shown_value(node)} {problem}; give a folder inside the repository, such as papers/" if problem else ""


def _severity(node: Scalar) -> str:
    if node.text.strip().lower() in SEVERITIES:
        return ""
    return f"unknown severity {shown_value(node)}; known: {', '.join(SEVERITIES)}"


def _pattern(node: Scalar) -> str:
    """Whether a pattern of ids is a way to write the only one there is."""
    bare = node.text.replace("\\b", "").strip("^$").removeprefix("(").removesuffix(")")
    if bare.replace("[0-9]", "\\d").replace("\\d\\d\\d", "\\d{3}") == "REF-\\d{3}":
        return ""
    return f"{shown_value(node)} is not obeyed: ids stay REF- and three digits, more from REF-1000 on"


def _script(node: Scalar) -> str:
    return "is never run: pincite has a hook of its own, which looks only at what a commit adds" if node.text else ""


def _is_text(node: Node | None) -> TypeGuard[Scalar]:
    return isinstance(node, Scalar) and isinstance(value_of(node), str)


def _find(tree: Node, place: str) -> Node | None:
    node: Node | None = tree
    for name in place.split("."):
        node = node.values.get(name) if isinstance(node, Mapping) else None
    return node
