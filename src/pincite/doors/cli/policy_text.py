"""A policy as text: as YAML for those who write it, and in words for agents that have to obey it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from ...project.policy import Policy, list_places
from ...safe.escape import escape_text
from ...text.frontmatter_edit import quote_scalar
from ...text.lines import join

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_EXAMPLES = (
    ("page", "[REF-043, p.15]"),
    ("section", "[REF-043, Section 3]"),
    ("bracket", "[REF-043]"),
    ("parenthesis", "(REF-043)"),
)
_COMMITS = "whitelist_enforcement.enforcement_levels.commit_level.enabled"


def policy_data(policy: Policy) -> dict[str, Any]:
    """A policy with everything it says or leaves to defaults, as plain data."""
    data = deepcopy(policy.data)
    data["whitelist_enforcement"]["enforcement_levels"]["commit_level"].setdefault("enabled", False)
    return data


def default_places(data: dict[str, Any], given: frozenset[str]) -> list[str]:
    """The places of all values that a policy file does not give."""
    return [place for place in list_places(data) if place not in given]


def policy_yaml(policy: Policy, given: frozenset[str]) -> str:
    """A policy as a policy file that means the same; what is not given is marked as default."""
    data = policy_data(policy)
    marked = frozenset(default_places(data, given))
    return "".join(f"{row}\n" for row in _rows(data, "", marked, ""))


def _rows(data: dict[str, Any], around: str, marked: frozenset[str], indent: str) -> Iterator[str]:
    for key, value in data.items():
        place = f"{around}{key}"
        mark = "  # default" if place in marked else ""
        if isinstance(value, dict):
            yield f"{indent}{key}:" if value else f"{indent}{key}: {{}}"
            yield from _rows(value, f"{place}.", marked, indent + "  ")
        elif isinstance(value, list | tuple):
            yield f"{indent}{key}:{mark}" if value else f"{indent}{key}: []{mark}"
            for item in value:
                yield from _item(item, indent + "  ")
        elif isinstance(value, str) and _is_block(value):
            yield f"{indent}{key}: {'|' if value.endswith(chr(10)) else '|-'}{mark}"
            yield from (f"{indent}  {line}" if line else "" for line in value.removesuffix("\n").split("\n"))
        elif place == _COMMITS and mark:
            # Written out, it would switch the hook off; left unsaid, the hook acts where it is installed.
            yield f"{indent}# {key}: {_scalar(value)}{mark}"
        else:
            yield f"{indent}{key}: {_scalar(value)}{mark}"


def _item(item: Any, indent: str) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"{indent}- {_scalar(item)}"
    elif not item:
        yield f"{indent}- {{}}"
    for at, (key, value) in enumerate(item.items() if isinstance(item, dict) else ()):
        yield f"{indent}{'  ' if at else '- '}{key}: {_scalar(value)}"


def _is_block(text: str) -> bool:
    """Whether a text can stand in lines of its own, below its key."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and lines[0][:1].strip() != ""
        and lines[-1] != ""
        and all(escape_text(line) == line for line in lines)
    )


def _scalar(value: object) -> str:
    """A value in YAML, on one line and with nothing invisible in it."""
    if not isinstance(value, str):
        return str(value).lower()
    if escape_text(value) == value:
        return quote_scalar(value)
    return '"' + "".join(map(_escape_character, value)) + '"'


def _escape_character(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return f"\\U{ord(char):08x}" if escape_text(char) != char else char


def prompt_text(policy: Policy, folder: str = "") -> str:
    """The policy in words, for an agent's instructions; `folder` is the corpus where the settings name another."""
    writer = _PromptWriter(policy, folder)
    retrieval, white = "retrieval_first_policy", "whitelist_enforcement"
    parts = ["# Citation policy"]
    if policy.retrieval_first:
        parts.append(_lines(policy.at(f"{retrieval}.policy_statement")))
        parts += writer.items("## Never do this", f"{retrieval}.prohibited_actions")
        parts += writer.steps(f"{retrieval}.required_workflow")
    if policy.whitelist:
        parts += ["## The corpus", writer.text(f"{white}.whitelist_principle")]
        parts += writer.items("## Rules", f"{white}.enforcement_levels.agent_level.rules")
    parts += writer.items("## Write citations like this", f"{white}.allowed_citation_formats")
    parts += writer.items("## Never like this", f"{white}.forbidden_citation_formats")
    pages = " The page, its section and the quoted words are checked." if policy.pages else ""
    command = _line(policy.at(f"{retrieval}.corpus_expansion_protocol.addition_command"))
    parts += [
        "## Get a citation",
        f'Run `pincite corpus cite "the claim"`. It searches {_line(writer.folder)} and prints the citation with the '
        f"passage that it rests on, or says that no source was found.{pages}",
        "## When no source is found",
        writer.text(f"{retrieval}.corpus_expansion_protocol.when_source_not_found"),
        f"    {command}" if command else "",
        *writer.examples(),
        "## Before you hand over",
        "Run `pincite check FILE` (`pincite check -` reads a draft) and correct what it reports.",
    ]
    if policy.whitelist:
        parts.append(f"{_line(policy.violation['message'])}: {_line(policy.violation['action'])}")
    return "\n\n".join(part for part in parts if part) + "\n"


class _PromptWriter:
    """Parts of a policy in words, with the project's own corpus in place of the folder that defaults name."""

    def __init__(self, policy: Policy, folder: str) -> None:
        usual = Policy()
        self._policy = policy
        self._usual: str = usual.at("whitelist_enforcement.corpus_path")
        self._defaults = frozenset(_texts(usual.data))
        self.folder = f"{join('', folder) or '.' if folder else policy.corpus_path}/"

    def _here(self, text: str) -> str:
        return text.replace(self._usual, self.folder) if text in self._defaults else text

    def text(self, place: str) -> str:
        """The text at a place, in its lines."""
        return _lines(self._here(self._policy.at(place)))

    def items(self, heading: str, place: str) -> list[str]:
        """The list at a place, below a heading."""
        rows = [f"- {_line(self._here(item))}" for item in self._policy.at(place)]
        return [heading, "\n".join(rows)] if rows else []

    def steps(self, place: str) -> list[str]:
        """The steps to a citation, numbered."""
        rows = []
        for at, step in enumerate(self._policy.at(place), 1):
            words = ": ".join(self._here(step[name]) for name in ("action", "validation") if step.get(name))
            rows.append(f"{step.get('step', at)}. {_line(words)}")
        return ["## Steps", "\n".join(rows)] if rows else []

    def examples(self) -> list[str]:
        """What is allowed and what is forbidden, as far as the policy allows and forbids it."""
        written = next((text for form, text in _EXAMPLES if form in self._policy.allowed), "")
        parts = ["## Examples"]
        if written:
            file = _line(f"{self.folder}REF-043-voice-consistency.md")
            parts.append(f'✅ ALLOWED:\n"Voice consistency improves quality {written}"\n(corpus file {file} exists)')
        if self._policy.forbidden & {"author-year-parenthesis", "any-other"}:
            parts.append(
                '❌ FORBIDDEN:\n"Voice consistency improves quality (Smith et al., 2023)"\n'
                "(not in corpus, citation from memory)"
            )
        return parts if len(parts) > 1 else []


def _texts(data: object) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _texts(item)


def _line(text: str) -> str:
    return escape_text(" ".join(text.split()))


def _lines(text: str) -> str:
    """A text of several lines with nothing invisible in it."""
    return "\n".join(escape_text(line.expandtabs()).rstrip() for line in text.strip("\n").splitlines())
