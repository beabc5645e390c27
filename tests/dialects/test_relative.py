"""A renamed file is written in the style of its old name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.dialects._relative import rewrite_path
from pincite.safe.files import Root
from support_fixes import find_fixes

BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("../src/a.py", "src/a.py", "src/b.py", "../src/b.py"),
        ("../src/a.py", "src/a.py", "docs/b.py", "./b.py"),
        ("./../src/a.py", "src/a.py", "lib/b.py", "../lib/b.py"),
        ("./a.py", "docs/a.py", "docs/sub/b.py", "./sub/b.py"),
        ("./a.py", "docs/a.py", "src/b.py", "../src/b.py"),
        ("a.py", "docs/a.py", "docs/sub/b.py", "sub/b.py"),
        ("a.py", "docs/a.py", "b.py", "../b.py"),
        ("src/a.py", "src/a.py", "src/b.py", "src/b.py"),
        ("src/a.py", "docs/src/a.py", "docs/src/b.py", "src/b.py"),
        ("/src/a.py", "src/a.py", "lib/b.py", "/lib/b.py"),
    ],
)
def test_the_style_of_a_path_stays(written: str, old: str, new: str, expected: str) -> None:
    assert rewrite_path("docs", written, old, new) == expected


def test_at_the_root_there_is_one_style() -> None:
    assert rewrite_path("", "src/a.py", "src/a.py", "src/b.py") == "src/b.py"
    assert rewrite_path("", "./src/a.py", "src/a.py", "src/b.py") == "./src/b.py"


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ("[x](../src/a.py#L12 'a title')", "[x](../src/b.py#L13 'a title')"),
        ("[x](/src/a.py#L12)", "[x](/src/b.py#L13)"),
        ("[src/a.py:12](src/a.py#L12)", "[src/b.py:13](src/b.py#L13)"),
        ("[x](<../src/a.py#L12>)", "[x](<../src/b.py#L13>)"),
        ("[x](./near.py#L12)", "[x](./sub/far.py#L13)"),
        ("[x](near.py#L12)", "[x](sub/far.py#L13)"),
        ("../src/a.py:12", "../src/b.py:13"),
        ("`./near.py:12-14`", "`./sub/far.py:13-15`"),
        ("near.py:12", "sub/far.py:13"),
        ("src/a.py#L12", "src/b.py#L13"),
        ("[src/a.py:12]: ../src/a.py#L12", "[src/a.py:12]: ../src/b.py#L13"),
    ],
)
def test_a_rename_keeps_the_style(make_repository: Callable[..., Any], cited: str, expected: str) -> None:
    repo = make_repository()
    repo.commit({"src/a.py": BODY, "docs/near.py": BODY.replace("step", "pace"), "docs/x.md": f"{cited}\n"})
    (repo.path / "docs/sub").mkdir()
    repo.git("mv", "src/a.py", "src/b.py")
    repo.git("mv", "docs/near.py", "docs/sub/far.py")
    repo.commit({"src/b.py": "# one\n" + BODY, "docs/sub/far.py": "# one\n" + BODY.replace("step", "pace")})
    assert fixed(repo) == f"{expected}\n"


def test_a_path_that_another_file_would_answer_is_not_written(make_repository: Callable[..., Any]) -> None:
    """From the root, `src/b.py` is meant; a file of that name below the document's folder would be read instead."""
    repo = make_repository()
    repo.commit({"src/a.py": BODY, "docs/x.md": "[x](src/a.py#L12)\n", "docs/src/b.py": BODY.replace("step", "pace")})
    repo.git("mv", "src/a.py", "src/b.py")
    repo.commit({"src/b.py": "# one\n" + BODY})
    assert fixed(repo) is None


def fixed(repo: Any) -> str | None:
    """The document with its safe fixes made; None where there is none."""
    from pincite.engine.run import Request, Run

    with Root(str(repo.path)) as root:
        reports = list(Run(root, Request(cache=False)).reports())
        fixes = list(find_fixes(root, reports))
    return fixes[0].new.decode() if fixes else None
