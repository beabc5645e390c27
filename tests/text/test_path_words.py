"""Words that can only be a path of a repository."""

import pytest

from pincite.text.path_words import is_path


@pytest.mark.parametrize(
    "word",
    [
        "src/app.py",
        "./src/app.py",
        "../docs/a.md",
        "docs/",
        "docs/guide/",
        ".github/workflows/ci.yml",
        "docker/Dockerfile",
    ],
)
def test_paths(word: str) -> None:
    """A folder with its slash, or a file with its ending below a folder."""
    assert is_path(word)


@pytest.mark.parametrize(
    "word",
    """
    app.py and/or owner/repo @scope/name text/plain origin/main example.com/a.html /etc/x.conf ~/x.py src/*.py
    src/<name>.py $HOME/a.py path/to/file.py foo/bar.py src/my_module.py src/MyComponent.tsx dist/app.js src/build/x.js
    .env.local .venv/bin/x.py docs/2026-01-02-plan.md docs/ADR-NNN-x.md src/{a,b}.py https://x.org/a.py a/b.py:12
    src//app.py 3.11/ v1.2/ src/.ruff_cache/x.json docs/Feature-N-Name.md tests/test_example.py
    """.split(),
)
def test_what_may_be_something_else(word: str) -> None:
    """Addresses, packages, patterns, placeholders, variables, what tools make."""
    assert not is_path(word)


def test_long_words_are_none() -> None:
    """A path has an end."""
    assert not is_path("a/" * 200 + "b.py")
