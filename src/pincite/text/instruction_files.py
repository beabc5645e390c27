"""Which documents are instruction files: they say how to work in this repository, to people or to agents.

Only these are read for commands and paths. Elsewhere `make test` may be about any project.
"""

from functools import lru_cache

_NAMES = frozenset(
    """
    skill agents agent claude claude.local gemini codex copilot-instructions conventions guidelines
    readme contributing contribute development developing developer-guide hacking building testing maintaining
    maintainers onboarding
    """.split()
)
"""Names without their ending, in small letters; `README.de.md` and `CONTRIBUTING-docs.md` count as the first part."""

_FOLDERS = (
    (".cursor/rules/", (".mdc", ".md")),
    (".github/instructions/", (".md",)),
    (".github/prompts/", (".md",)),
    (".github/chatmodes/", (".md",)),
    (".github/agents/", (".md",)),
    (".claude/commands/", (".md",)),
    (".claude/agents/", (".md",)),
    (".claude/rules/", (".md",)),
    (".claude/skills/", (".md",)),
    (".agents/skills/", (".md",)),
    (".codex/skills/", (".md",)),
    (".github/skills/", (".md",)),
    (".windsurf/rules/", (".md",)),
    (".clinerules/", (".md",)),
    (".roo/rules/", (".md",)),
    (".kiro/steering/", (".md",)),
    (".junie/", (".md",)),
    (".continue/rules/", (".md",)),
    (".amazonq/rules/", (".md",)),
    (".augment/rules/", (".md",)),
)
"""Folders whose files are instructions, wherever they lie, with the endings that count there."""

_ENDINGS = (".md", ".markdown", ".mdx", ".mdc")

_OTHER_TREES = frozenset(
    """
    template templates fixture fixtures testdata test-data test_data __fixtures__ __snapshots__ snapshots vendor
    vendored third_party third-party thirdparty node_modules external externals example examples sample samples
    boilerplate boilerplates scaffold scaffolds skeleton skeletons archive archived cookiecutter
    decisions adr adrs rfc rfcs proposals plans planning contributions retrospectives sessions history changelog
    changelogs
    """.split()
)
"""Folders whose instruction files are about another tree than this one: what is copied, tested with, or fetched, what
is planned, and what was."""


_SKILLS = "skills/"


def is_skill(path: str) -> bool:
    """Whether a document belongs to a skill: most are about any project, so what they name need not be here."""
    return f"/{_SKILLS}" in f"/{path}" or path.lower().endswith("skill.md")


@lru_cache(maxsize=1024)
def is_instruction_file(path: str, patterns: tuple[str, ...] = ()) -> bool:
    """Whether a document is an instruction file, by its path from the root; `patterns` of the settings add more."""
    folder, _, name = path.rpartition("/")
    small = name.lower()
    if small.endswith(_ENDINGS):
        stem = small.rpartition(".")[0]
        around = f"/{folder}/"
        if (
            stem in _NAMES
            or stem.partition(".")[0] in _NAMES
            or stem.startswith(("readme-", "readme_", "contributing-", "contributing_"))
            # All of these folders are hidden ones.
            or (
                "/." in around and any(f"/{place}" in around and small.endswith(endings) for place, endings in _FOLDERS)
            )
        ) and _OTHER_TREES.isdisjoint(folder.lower().split("/")):
            return True
    if not patterns:
        return False
    from .globs import Patterns

    return Patterns(patterns).match(path)
