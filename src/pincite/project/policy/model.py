"""A citation policy: what a project demands of its citations, in the shape of the published schema."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from typing import Any

from msgspec import Struct, field

from ...text.lines import join
from .schema import fill_defaults

_COMMIT_LEVEL = ("whitelist_enforcement", "enforcement_levels", "commit_level")
ALLOWED = {
    "[ref-xxx]": "bracket",
    "(ref-xxx)": "parenthesis",
    "[ref-xxx,p.xx]": "page",
    "[ref-xxx,sectionx]": "section",
}
"""The forms of citations that a policy can allow, by `format_key` of how it writes them."""
FORBIDDEN = {
    "(smithetal.,2023)": "author-year-parenthesis",
    "[1]": "numeric",
    "author(year)": "author-year-narrative",
    "anynon-corpusreference": "any-other",
}
"""The forms that a policy can forbid; `any-other` is the whitelist itself."""
SEVERITIES = {
    **dict.fromkeys(("critical", "error", "high"), "error"),
    **dict.fromkeys(("warning", "medium"), "warning"),
    **dict.fromkeys(("info", "low", "note"), "note"),
}
"""What the severity of a violation means for a report."""


def format_key(written: str) -> str:
    """How a format is looked up: spaces and case do not count."""
    return "".join(written.split()).lower()


def fill_policy(data: dict[str, Any]) -> dict[str, Any]:
    """A policy with its defaults, but the one whose absence means something: is there a commit level?"""
    whole: dict[str, Any] = fill_defaults(data)
    level, given = whole, data
    for name in _COMMIT_LEVEL:
        level, given = level[name], given.get(name, {})
    if "enabled" not in given:
        del level["enabled"]
    return whole


class Policy(Struct, frozen=True):
    """What a project demands of its citations; without arguments, the defaults."""

    data: dict[str, Any] = field(default_factory=lambda: fill_policy({}))
    """In the shape of the published schema, defaults and all; not to be changed."""

    def at(self, place: str) -> Any:
        """The value at a place, such as `whitelist_enforcement.corpus_path`."""
        return reduce(getitem, place.split("."), self.data)

    @property
    def corpus_path(self) -> str:
        """The folder of the corpus from the root, without a slash at its end; `.` for the root itself."""
        return join("", self.at("whitelist_enforcement.corpus_path")) or "."

    @property
    def whitelist(self) -> bool:
        """Whether only papers of the corpus may be cited."""
        return bool(self.at("whitelist_enforcement.enabled"))

    @property
    def pages(self) -> bool:
        """Whether pages, sections and quotes are checked."""
        return bool(self.at("page_validation.enabled"))

    @property
    def retrieval_first(self) -> bool:
        """Whether a source must be retrieved before it is cited."""
        return bool(self.at("retrieval_first_policy.enabled"))

    @property
    def commit_level(self) -> bool | None:
        """Whether commits are held to the whitelist; None where the policy does not say."""
        said: bool | None = self.at(".".join(_COMMIT_LEVEL)).get("enabled")
        return said

    @property
    def allowed(self) -> frozenset[str]:
        """The names of the forms in which a citation may be written."""
        return _forms(self.at("whitelist_enforcement.allowed_citation_formats"), ALLOWED)

    @property
    def forbidden(self) -> frozenset[str]:
        """The names of the forms that are reported wherever they stand."""
        return _forms(self.at("whitelist_enforcement.forbidden_citation_formats"), FORBIDDEN)

    @property
    def violation(self) -> dict[str, str]:
        """What is said of a citation that is not in the corpus: its `severity`, `message` and `action`, as written."""
        said: dict[str, str] = self.at("whitelist_enforcement.enforcement_levels.validation_level.on_violation")
        return said

    @property
    def severity(self) -> str:
        """How a violation is reported: `error`, `warning` or `note`."""
        return SEVERITIES.get(self.violation["severity"].strip().lower(), "error")


def _forms(written: list[str], known: dict[str, str]) -> frozenset[str]:
    return frozenset(known[key] for key in map(format_key, written) if key in known)
