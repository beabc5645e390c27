"""Cited lines, and where they moved, held against the sentence: confirmed, left to a reader, or not shown at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pincite
from pincite.core.model import Finding, Lines, Outcome, Place, Safety, Severity
from pincite.doors.cli.fix_dialogue import Dialogue
from pincite.engine.repair.fix import Fixer
from pincite.safe.files import Root

CODE = (
    "import os\nimport sys\n\nLIMIT = 5\n\n\n"
    'def read_profile(path):\n    """Read."""\n    with open(path) as file:\n        return file.read()\n\n\n'
    + "".join(f"step_{at} = prepare({at})\n" for at in range(1, 31))
    + "\n\ndef format_tokens(count):\n    if count < 1000:\n        return str(count)\n    return f'{count / 1000}k'\n"
)
"""`format_tokens` stands on line 45, `read_profile` on 7, the steps on 13 to 42."""


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    return make_repository()


def findings(repo: Any, drift: bool = True) -> tuple[Finding, ...]:
    """What is said of the one citation of a tree."""
    config = None if drift else pincite.Config(drift=False)
    (verdict,) = pincite.check(root=repo.path, config=config).verdicts
    return verdict.findings


def test_a_pointer_that_was_wrong_when_it_was_written_gets_the_lines_of_its_sentence(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Counts are cut by `format_tokens` (`src/app.py:20-22`).\n"})
    (finding,) = findings(repo)
    assert (finding.check, finding.outcome, finding.severity) == ("claim-not-shown", Outcome.MISMATCH, Severity.WARNING)
    assert finding.message == "L20-L22 show nothing that the sentence names; format_tokens stands on L45-L47"
    assert finding.place == Place("src/app.py", Lines(45, 47))
    assert finding.edit is not None and finding.edit.safety is Safety.UNSAFE
    assert finding.edit.replacement == "src/app.py:45-47"


def test_the_same_is_found_without_history(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Counts are cut by `format_tokens` (`src/app.py:20-22`).\n"})
    (finding,) = [one for one in findings(repo, drift=False) if one.check != "drift-unknown"]
    assert finding.check == "claim-not-shown"


@pytest.mark.parametrize(
    "said",
    [
        "Counts are cut by `format_tokens` (`src/app.py:45`).",
        "Counts are cut by `format_tokens` (`src/app.py:47-48`).",
        "See `src/app.py:20` for more.",
        "This prepares things (`src/app.py:20`).",
        "`nowhere_to_be_found` is prepared (`src/app.py:20`).",
        "`step_10` comes after `format_tokens` was defined (`src/app.py:22`).",
        "`step_8` is prepared (`src/app.py:22`).",
        "`format_tokens` is in the file (`src/app.py:1`).",
    ],
)
def test_what_shows_something_and_what_names_nothing_is_not_accused(repo: Any, said: str) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": f"{said}\n"})
    assert findings(repo) == ()


def test_a_move_that_the_sentence_confirms_says_so_and_is_safe(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Counts are cut by `format_tokens` (`src/app.py:45`).\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    (finding,) = findings(repo)
    assert finding.check == "lines-moved"
    assert finding.message.endswith("; format_tokens, as the sentence says, stands there")
    assert finding.edit is not None and finding.edit.safety is Safety.SAFE


def test_a_move_to_lines_that_the_sentence_does_not_speak_of_is_for_a_reader_with_both_candidates(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Counts are cut by `format_tokens` (`src/app.py:20-22`).\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    shown, moved = findings(repo)
    assert (shown.check, shown.place) == ("claim-not-shown", Place("src/app.py", Lines(47, 49)))
    assert shown.message.startswith("What was cited moved to L22-L24, which shows nothing that the sentence names")
    assert (moved.check, moved.place) == ("lines-moved", Place("src/app.py", Lines(22, 24)))
    assert [one.edit.safety for one in (shown, moved) if one.edit is not None] == [Safety.UNSAFE] * 2


def test_a_move_of_a_sentence_that_names_nothing_stays_safe(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "See `src/app.py:20`.\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    (finding,) = findings(repo)
    assert finding.edit is not None and finding.edit.safety is Safety.SAFE


def test_line_1_is_the_file_where_the_sentence_does_not_speak_of_it(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Profiles are kept in src/app.py:1 of the tree.\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    assert findings(repo) == ()


def test_line_1_is_followed_where_the_sentence_speaks_of_it(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "First it does `import os`, see src/app.py:1 there.\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    (finding,) = findings(repo)
    assert (finding.check, finding.place) == ("lines-moved", Place("src/app.py", Lines(3, 3)))


def test_a_comment_of_source_code_is_held_to_what_it_says(repo: Any) -> None:
    repo.commit(
        {
            "src/app.py": CODE,
            "tests/test_app.py": "# Long counts are cut\n# by ``format_tokens`` (``app.py:20-22``).\nx = 1\n",
        }
    )
    (finding,) = findings(repo)
    assert (finding.check, finding.place) == ("claim-not-shown", Place("src/app.py", Lines(45, 47)))


def test_a_setting_and_a_comment_silence_it(repo: Any) -> None:
    said = "Counts are cut by `format_tokens` (`src/app.py:20-22`)."
    repo.commit({"src/app.py": CODE, "doc.md": f"{said} <!-- pincite: ignore claim-not-shown read -->\n"})
    assert findings(repo) == ()
    repo.commit({"doc.md": f"{said}\n"})
    (verdict,) = pincite.check(root=repo.path, config=pincite.Config(ignore=("claim-not-shown",))).verdicts
    assert (verdict.findings, [one.check for one in verdict.silenced]) == ((), ["claim-not-shown"])


def test_the_dialogue_offers_the_other_place_where_the_first_is_refused(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": "Counts are cut by `format_tokens` (`src/app.py:20-22`).\n"})
    repo.commit({"src/app.py": "# new\n# top\n" + CODE})
    (report,) = pincite.check(root=repo.path).reports
    with Root(str(repo.path)) as root:
        offers = Fixer(root, lambda: pytest.fail("no engine is needed")).offers(report)
    assert offers is not None
    for keys, expected in (("y", "src/app.py:47-49"), ("ny", "src/app.py:22-24")):
        waiting = list(keys)
        (agreed,) = Dialogue(lambda: waiting.pop(0), lambda _: None, 80, False).choose(offers)  # noqa: B023
        assert agreed.edit.replacement == expected


def test_a_name_that_only_another_file_defines_is_pointed_to(repo: Any) -> None:
    repo.commit({"src/app.py": CODE, "src/limits.py": "def read_limits():\n    return 5\n", "doc.md": ""})
    repo.commit({"doc.md": "Limits come from `read_limits` (`src/app.py:20`).\n"})
    (finding,) = findings(repo)
    assert finding.message == "L20: the file has no read_limits; it is defined in src/limits.py:1"
    assert finding.edit is not None and finding.edit.safety is Safety.UNSAFE
    assert finding.place == Place("src/limits.py", Lines(1, 1))


@pytest.mark.parametrize(
    ("said", "files"),
    [
        ("Limits come from `read_limits`, once `step_8` is done (`src/app.py:20`).", {}),
        ("Limits come from `read_limits` (`src/app.py:20`).", {"src/b.py": "def read_limits(): ...\n"}),
        ("Limits come from `read_limits` (`src/app.py:20`).", {"src/app.py": CODE + "# read_limits\n"}),
        ("Limits come from `limits` (`src/app.py:20`).", {"src/limits.py": "def limits():\n    return 5\n"}),
        ("Limits come from `call_limits` (`src/app.py:20`).", {"src/limits.py": "call_limits()\n"}),
    ],
)
def test_a_name_that_says_too_little_points_nowhere_else(repo: Any, said: str, files: dict[str, str]) -> None:
    """It is not before the citation, defined twice, in the file, a plain word, or nowhere defined."""
    repo.commit({"src/app.py": CODE, "src/limits.py": "def read_limits():\n    return 5\n", **files})
    repo.commit({"doc.md": f"{said}\n"})
    assert [one for one in findings(repo) if "the file has no" in one.message] == []


@pytest.mark.parametrize(
    "said", ["A stale cite of `format_tokens`: `src/app.py:20`.", "`src/app.py:20` → `src/app.py:45`."]
)
def test_a_citation_that_is_said_to_be_old_is_not_repaired_without_a_reader(repo: Any, said: str) -> None:
    repo.commit({"src/app.py": CODE, "doc.md": f"{said}\n"})
    repo.commit({"src/app.py": "# new\n" + CODE})
    first = pincite.check(root=repo.path).verdicts[0].findings
    assert [one.check for one in first] == ["lines-moved"]
    assert first[0].edit is not None and first[0].edit.safety is Safety.UNSAFE
