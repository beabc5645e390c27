"""A policy as text: as YAML for those who write it, and in words for agents that have to obey it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import to_builtins
from msgspec.structs import replace

from ...project.policy.model import Policy, policy_defaults
from ...safe.escape import escape_text
from ...text.frontmatter_edit import quote_scalar

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
    data: dict[str, Any] = to_builtins(policy)
    level = data["whitelist_enforcement"]["enforcement_levels"]["commit_level"]
    level.setdefault("enabled", False)
    return data


def default_places(data: dict[str, Any], given: frozenset[str], around: str = "") -> Iterator[str]:
    """The places of all values that a policy file does not give."""
    for key, value in data.items():
        place = f"{around}{key}"
        if isinstance(value, dict):
            yield from default_places(value, given, f"{place}.")
        elif place not in given:
            yield place


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
    if folder:
        policy = replace(policy, whitelist_enforcement=replace(policy.whitelist_enforcement, corpus_path=folder))
    parts = ["# Citation policy"]
    parts += _retrieval(policy) if policy.retrieval_first else []
    parts += _whitelist(policy) if policy.whitelist else []
    parts += _formats(policy)
    parts += _how_to_cite(policy)
    parts += _examples(policy)
    parts += [
        "## Before you hand over",
        "Run `pincite check FILE` (`pincite check -` reads a draft) and correct what it reports.",
    ]
    if policy.whitelist:
        parts.append(f"{_line(policy.violation_message)}: {_line(policy.violation_action)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _retrieval(policy: Policy) -> list[str]:
    said = policy.retrieval_first_policy
    steps = []
    for at, step in enumerate(said.required_workflow, 1):
        number = step.step if isinstance(step.step, int) else at
        words = ": ".join(_here(part, policy) for part in (step.action, step.validation) if part)
        steps.append(f"{number}. {_line(words)}")
    return [
        _lines(said.policy_statement),
        *_list("## Never do this", said.prohibited_actions, policy),
        *(["## Steps", "\n".join(steps)] if steps else []),
    ]


def _whitelist(policy: Policy) -> list[str]:
    said = policy.whitelist_enforcement
    return [
        "## The corpus",
        _lines(_here(said.whitelist_principle, policy)),
        *_list("## Rules", said.enforcement_levels.agent_level.rules, policy),
    ]


def _formats(policy: Policy) -> list[str]:
    said = policy.whitelist_enforcement
    return [
        *_list("## Write citations like this", said.allowed_citation_formats, policy),
        *_list("## Never like this", said.forbidden_citation_formats, policy),
    ]


def _how_to_cite(policy: Policy) -> list[str]:
    said = policy.retrieval_first_policy.corpus_expansion_protocol
    pages = " The page, its section and the quoted words are checked." if policy.pages else ""
    return [
        "## Get a citation",
        f'Run `pincite corpus cite "the claim"`. It searches {_line(_folder(policy))} and prints the citation with the '
        f"passage that it rests on, or says that no source was found.{pages}",
        "## When no source is found",
        _lines(_here(said.when_source_not_found, policy)),
        f"    {_line(said.addition_command)}" if said.addition_command.strip() else "",
    ]


def _examples(policy: Policy) -> list[str]:
    written = next((text for form, text in _EXAMPLES if form in policy.allowed), "")
    parts = ["## Examples"] if written or policy.forbidden else []
    if written:
        file = _line(f"{_folder(policy)}REF-043-voice-consistency.md")
        parts.append(f'✅ ALLOWED:\n"Voice consistency improves quality {written}"\n(corpus file {file} exists)')
    if policy.forbidden & {"author-year-parenthesis", "any-other"}:
        parts.append(
            '❌ FORBIDDEN:\n"Voice consistency improves quality (Smith et al., 2023)"\n'
            "(not in corpus, citation from memory)"
        )
    return parts if len(parts) > 1 else []


def _folder(policy: Policy) -> str:
    return f"{policy.corpus_path}/"


def _here(text: str, policy: Policy) -> str:
    """A text as it is; a default with the project's own corpus in place of the folder that defaults name."""
    whole = policy_defaults()
    usual = str(whole["whitelist_enforcement"]["corpus_path"])
    if _folder(policy) == usual or usual not in text or text not in _texts(whole):
        return text
    return text.replace(usual, _folder(policy))


def _texts(data: object) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _texts(item)


def _list(heading: str, items: tuple[str, ...], policy: Policy) -> list[str]:
    return [heading, "\n".join(f"- {_line(_here(item, policy))}" for item in items)] if items else []


def _line(text: str) -> str:
    return escape_text(" ".join(text.split()))


def _lines(text: str) -> str:
    """A text of several lines with nothing invisible in it."""
    return "\n".join(escape_text(line.expandtabs()).rstrip() for line in text.strip("\n").splitlines())
