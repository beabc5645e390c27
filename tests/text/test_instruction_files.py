"""Which documents are instruction files."""

import pytest

from pincite.text.instruction_files import is_instruction_file, is_skill


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "web/AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        "README.md",
        "readme.de.md",
        "README-dev.md",
        "CONTRIBUTING.md",
        ".github/copilot-instructions.md",
        ".github/instructions/python.instructions.md",
        ".cursor/rules/style.mdc",
        "web/.cursor/rules/style.mdc",
        ".claude/commands/release.md",
        "skills/pdf/SKILL.md",
    ],
)
def test_known_by_name(path: str) -> None:
    """Names and folders that people and agents read for instructions."""
    assert is_instruction_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "docs/guide.md",
        "CHANGELOG.md",
        "agents/planner.md",
        "README.rst",
        "README",
        "templates/app/README.md",
        "tests/fixtures/AGENTS.md",
        "vendor/x/CONTRIBUTING.md",
        "docs/adr/README.md",
        "src/readme.py",
        "my.cursor/rules/x.mdc.txt",
    ],
)
def test_others_are_none(path: str) -> None:
    """Other documents, and instruction files of other trees."""
    assert not is_instruction_file(path)


def test_patterns_of_the_settings_add_more() -> None:
    """They count for whole paths, in templates too."""
    assert is_instruction_file("docs/howto/dev.md", ("docs/howto/*.md",))
    assert is_instruction_file("templates/README.md", ("templates/README.md",))
    assert not is_instruction_file("docs/other/dev.md", ("docs/howto/*.md",))


def test_skills_are_told_apart() -> None:
    """By their folder, or by the name of the file."""
    assert is_skill(".claude/skills/pdf/reference.md")
    assert is_skill("pdf/SKILL.md")
    assert not is_skill("AGENTS.md")
