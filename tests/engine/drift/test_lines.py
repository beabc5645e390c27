"""What became of cited lines, with the edit that follows them: safe only where the very words stand elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pincite
from pincite.checks.wording import diff, format_line_range, shorten_lines
from pincite.core.model import Edit, Finding, Lines, Outcome, Place, Safety, Span
from pincite.engine.drift.lines import leave_to_reader
from pincite.safe.files import Root
from support_fixes import find_fixes

BODY = "".join(f"step_{at} = prepare({at})\n" for at in range(1, 21))
SAVE = "def save(path, values):\n    text = render_all(values)\n    path.write_bytes(text)\n"


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    return make_repository()


def found(repo: Any) -> Finding:
    """The one finding on the one citation of a tree."""
    (verdict,) = pincite.check(root=repo.path).verdicts
    (finding,) = verdict.findings
    return finding


def offered(finding: Finding) -> tuple[str, Safety] | None:
    return None if finding.edit is None else (finding.edit.replacement, finding.edit.safety)


def test_edited_and_moved_is_offered_to_a_reader(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7-L8】\n"})
    repo.commit({"a.py": "# top\n" + BODY.replace("prepare(7)", "prepare(70)")})
    finding = found(repo)
    assert (finding.check, finding.outcome) == ("lines-edited", Outcome.MISMATCH)
    assert finding.message.endswith("when it was cited, and stands at L8-L9 now")
    assert offered(finding) == ("【F:a.py†L8-L9】", Safety.UNSAFE)
    assert finding.then == ("step_7 = prepare(7)", "step_8 = prepare(8)")
    assert finding.now == ("step_7 = prepare(70)", "step_8 = prepare(8)")
    assert finding.place == Place("a.py", Lines(8, 9))


def test_a_range_that_grew_beyond_recognition_is_named_by_what_is_left_of_it(repo: Any) -> None:
    inserted = "".join(f"other_{at} = compute_otherwise({at})\n" for at in range(60))
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L3-L8】\n"})
    repo.commit({"a.py": BODY.replace("step_6 =", inserted + "step_6 =")})
    finding = found(repo)
    assert (finding.check, finding.outcome, finding.edit, finding.place) == (
        "lines-edited",
        Outcome.MISMATCH,
        None,
        None,
    )
    assert "Edited beyond recognition since" in finding.message
    assert finding.message.endswith("what is left of 6 lines:")
    assert finding.detail.split() == ["a.py:3-5", "a.py:66-68"]


@pytest.mark.parametrize("more", ["", "".join(f"unlike_{at} = {at * 977}\n" for at in range(400))])
def test_a_range_that_grew_beyond_recognition_has_no_place_in_a_renamed_file_either(more: str, repo: Any) -> None:
    """Whether git takes it for the same file, or it was put into another one."""
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L3-L8】\n"})
    text = BODY
    for turn in range(6):
        inserted = "".join(f"other_{turn}_{at} = compute_otherwise({at}, {turn})\n" for at in range(8))
        text = text.replace("step_6 =", inserted + "step_6 =")
        repo.commit({"a.py": text})
    repo.git("mv", "a.py", "b.py")
    repo.commit({"b.py": more + text})
    finding = found(repo)
    assert (finding.check, finding.edit) == ("file-not-found", None)
    assert finding.detail == "git knows it as b.py now, where the cited text does not stand unchanged"


def test_a_range_that_grew_little_by_little_is_beyond_recognition_too(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L3-L8】\n"})
    text = BODY
    for turn in range(6):
        more = "".join(f"other_{turn}_{at} = compute_otherwise({at}, {turn})\n" for at in range(8))
        text = text.replace("step_6 =", more + "step_6 =")
        repo.commit({"a.py": text})
    finding = found(repo)
    assert "Edited beyond recognition since" in finding.message
    assert (finding.edit, finding.detail.split()) == (None, ["a.py:3-5", "a.py:54-56"])


def test_other_text_in_its_place_does_not_pass_for_a_range_that_was_torn_apart(repo: Any) -> None:
    tail = "\n\ndef load(path):\n    return path.read_bytes()\n"
    above = "".join(f"LIMIT_{at} = {at * 977}\n" for at in range(10))
    inside = "".join(f"    check_{at}(values)\n" for at in range(30))
    torn = f"def save(path, values, mode):\n{inside}    path.write_bytes(text, mode)\n"
    repo.commit({"a.py": SAVE + tail, "doc.md": "Said. 【F:a.py†L1-L3】\n"})
    repo.commit({"a.py": above + torn + tail})
    finding = found(repo)
    assert (finding.check, finding.edit, finding.now, finding.detail) == ("lines-edited", None, (), "")
    assert finding.message.startswith("Edited beyond recognition since")


def test_edited_in_place_offers_nothing(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7】\n"})
    repo.commit({"a.py": BODY.replace("prepare(7)", "prepare(70)")})
    finding = found(repo)
    assert (finding.check, finding.edit, finding.now) == ("lines-edited", None, ("step_7 = prepare(70)",))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("【F:a.py†L21-L23】", "【F:b.py†L3-L5】"),
        ("`a.py:22`", "b.py:4"),
        ("[x](a.py#L21-L23)", "[x](b.py#L3-L5)"),
    ],
)
def test_moved_to_another_file(raw: str, expected: str, repo: Any) -> None:
    tail = "\n\ndef load(path):\n    return path.read_bytes()\n"
    repo.commit({"a.py": BODY + SAVE + tail, "doc.md": f"Said. {raw}\n"})
    repo.commit({"a.py": BODY, "b.py": "import os\n\n" + SAVE + tail})
    finding = found(repo)
    assert (finding.check, offered(finding)) == ("lines-moved", (expected, Safety.SAFE))
    assert "Moved to b.py:" in finding.message
    assert finding.place is not None and finding.place.path == "b.py"


def test_white_space_alone_is_a_move_that_somebody_reads(repo: Any) -> None:
    """It may be all the difference between two words, or between two branches."""
    repo.commit({"a.py": BODY + SAVE, "doc.md": "Said. 【F:a.py†L21-L23】\n"})
    indented = "".join(f"    {line}\n" for line in SAVE.splitlines())
    repo.commit({"a.py": BODY + "class Store:\n" + indented})
    finding = found(repo)
    assert (finding.check, offered(finding)) == ("lines-moved", ("【F:a.py†L22-L24】", Safety.UNSAFE))
    assert finding.now == tuple(indented.splitlines())
    assert "unchanged but for white space since" in finding.message


def test_what_says_little_is_moved_only_by_a_reader(repo: Any) -> None:
    """A bracket is known by its neighbours alone."""
    repo.commit({"a.c": "void f() {\n  run();\n}\n", "doc.md": "Said. 【F:a.c†L3】\n"})
    repo.commit({"a.c": "void f() {\n  run();\n  stop();\n}\n"})
    finding = found(repo)
    assert (finding.check, offered(finding)) == ("lines-moved", ("【F:a.c†L4】", Safety.UNSAFE))


def test_gone_by_history_is_deleted_though_a_like_line_stands_elsewhere(repo: Any) -> None:
    repo.commit({"a.py": BODY + SAVE, "doc.md": "Said. 【F:a.py†L22】\n"})
    repo.commit({"a.py": BODY + SAVE.replace("    text = render_all(values)\n", "") + "\ntexts = render_all(value)\n"})
    finding = found(repo)
    assert (finding.check, finding.edit, finding.then) == ("lines-deleted", None, ("    text = render_all(values)",))


def test_the_one_left_of_several_is_not_the_one_cited(repo: Any) -> None:
    """History knows which of the equal lines went."""
    body = "def a():\n    return None\n\n\ndef b():\n    return None\n\n\ndef c():\n    pass\n"
    repo.commit({"a.py": body, "doc.md": "Said. 【F:a.py†L6】\n"})
    repo.commit({"a.py": body.replace("def b():\n    return None\n", "def b():\n    raise KeyError\n")})
    finding = found(repo)
    assert finding.check in ("lines-deleted", "lines-edited")
    assert finding.edit is None


MEMORY = (
    "---\nid: m  # kept\ncitations:\n  - path: a.py\n    line: 7\n"
    "    snippet: 'step_7 = prepare(7)'\n---\nBody  \r\nend"
)


def test_a_snippet_that_was_edited_is_offered_with_its_line(repo: Any) -> None:
    """A reader agrees to line and snippet together; every other byte stays."""
    repo.commit({"a.py": BODY, "m.md": MEMORY})
    repo.commit({"a.py": "# top\n" + BODY.replace("prepare(7)", "prepare(70)")})
    finding = found(repo)
    assert (finding.check, finding.then, finding.now) == (
        "snippet-mismatch",
        ("step_7 = prepare(7)",),
        ("step_7 = prepare(70)",),
    )
    assert "a number or a negation changed" in finding.detail
    assert finding.edit is not None and finding.edit.safety is Safety.UNSAFE
    with Root(str(repo.path)) as root:
        report = pincite.check(root=repo.path)
        assert list(find_fixes(root, report.reports)) == []
        (fix,) = find_fixes(root, report.reports, unsafe=True)
    assert fix.new.decode() == MEMORY.replace("line: 7", "line: 8").replace("prepare(7)", "prepare(70)")


def test_what_was_never_there_names_its_commit(repo: Any) -> None:
    commit = repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L21】\n"})
    repo.commit({"a.py": BODY + SAVE})
    finding = found(repo)
    assert (finding.check, finding.outcome) == ("drift-unknown", Outcome.UNCHECKED)
    assert finding.message == f"Line 21 was not there in {commit[:7]}, when it was cited"


def test_a_long_line_in_a_file_of_one_line(repo: Any) -> None:
    """A megabyte of code in one line is compared in time that people have."""
    line = "function f(a){return a+1};" * 40_000
    repo.commit({"a.js": line + "\n", "doc.md": "Said. 【F:a.js†L1】\n"})
    repo.commit({"a.js": "/* top */\n" + line.replace("a+1", "a+2", 5) + "\n"})
    finding = found(repo)
    assert (finding.check, offered(finding)) == ("lines-edited", ("【F:a.js†L2】", Safety.UNSAFE))


def test_small_parts() -> None:
    assert (
        format_line_range(None),
        format_line_range(Lines(3, 3)),
        format_line_range(Lines(3, 5)),
        format_line_range(Lines(3, 5), "L"),
    ) == ("", "3", "3-5", "3-L5")
    assert leave_to_reader(None) is None
    edit = leave_to_reader(Edit(Span(1, 2), "x", Safety.SAFE))
    assert edit is not None and (edit.safety, edit.replacement) == (Safety.UNSAFE, "x")
    assert len(shorten_lines(["x"] * 100)) == 12 and len(shorten_lines(["x" * 100_000])[0]) < 10_000
    assert diff(["a" * 100_000], ["a" * 100_000 + "b"]) == "  (the difference is further along the lines)"


SWAPPED = (
    "[server]\ntimeout = 30\nport = 1\n\n[client]\ntimeout = 60\nport = 2\n",
    "[server]\ntimeout = 60\nport = 1\n\n[client]\ntimeout = 30\nport = 2\n",
)


def test_values_that_swap_places_did_not_move(repo: Any) -> None:
    """What merely reads the same elsewhere is another's, where history knows better."""
    repo.commit({"c.ini": SWAPPED[0], "doc.md": "The server waits 30 s. 【F:c.ini†L2】\n"})
    repo.commit({"c.ini": SWAPPED[1]})
    finding = found(repo)
    assert (finding.check, finding.edit) == ("lines-edited", None)


def test_the_twin_of_what_was_deleted_is_not_it(repo: Any) -> None:
    body = "def {0}(x):\n    if x:\n        timeout = 30\n        wait(timeout)\n    return x\n"
    repo.commit({"a.py": body.format("one") + "\n" + body.format("two"), "doc.md": "Said. 【F:a.py†L3】\n"})
    repo.commit({"a.py": "# kept\n" + body.format("two")})
    finding = found(repo)
    assert finding.check != "lines-moved" or finding.edit is None or finding.edit.safety is Safety.UNSAFE


def test_a_backup_is_not_what_became_of_a_file(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L3】\n"})
    repo.git("mv", "a.py", "a.py.bak")
    repo.commit({"b/one.py": "".join(BODY.splitlines(True)[:12])})
    finding = found(repo)
    assert finding.edit is None or ".bak" not in finding.edit.replacement


def test_a_copy_elsewhere_is_no_safe_move_where_the_line_was_edited(repo: Any) -> None:
    repo.commit({"a.py": BODY + SAVE, "doc.md": "Said. 【F:a.py†L22】\n"})
    edited = SAVE.replace(SAVE.splitlines()[1], "    something_else_entirely()")
    repo.commit({"a.py": BODY + edited, "b.py": "import os\n\n" + SAVE})
    finding = found(repo)
    assert finding.edit is None or finding.edit.safety is Safety.UNSAFE


CLIENT = 'class Client:\n    host = "x"\n    timeout = 5\n    retries = 3\n'
OTHER = CLIENT.replace("Client", "Other").replace('"x"', '"y"')
EDITED = CLIENT.replace("5", "9")
LONG = "def {}(path):\n" + "".join(f"    part_{at} = read_part(path, {at})\n" for at in range(9)) + "    return path\n"


@pytest.mark.parametrize("cited", ["L3", "L2-L3", "L3-L4", "L2-L4", "L1-L4"])
@pytest.mark.parametrize(
    ("then", "now"),
    [
        (CLIENT, f"{EDITED}\n\n{OTHER}"),
        (CLIENT, f"{EDITED}\n\n{CLIENT.replace('Client', 'Other')}"),
        (CLIENT, f"{EDITED}\n{OTHER}\n{OTHER.replace('Other', 'Third')}"),
        (CLIENT + BODY, f"{EDITED}\n\n{OTHER}{BODY}"),
        (CLIENT + BODY, f"{EDITED}{BODY}\n\n{OTHER}"),
        (f"{CLIENT}\n\nrun()\n", f"{EDITED}\n\n{OTHER}\n\nrun()\n"),
        (CLIENT, f"import os\n\n{EDITED}\n\n{OTHER}"),
        (CLIENT + BODY, f"import os\n\n{OTHER}\n\n{EDITED}{BODY}"),
        (CLIENT, f"import os\n\n{OTHER}\n\n{EDITED}"),
    ],
)
def test_an_edit_beside_a_new_look_alike_is_never_a_safe_move(repo: Any, then: str, now: str, cited: str) -> None:
    repo.commit({"a.py": then, "doc.md": f"Said. 【F:a.py†{cited}】\n"})
    repo.commit({"a.py": now})
    finding = found(repo)
    assert finding.check in ("lines-edited", "lines-ambiguous")
    assert finding.edit is None or finding.edit.safety is Safety.UNSAFE


def test_an_edit_in_place_is_shown_though_the_old_words_stand_elsewhere(repo: Any) -> None:
    repo.commit({"a.py": CLIENT, "doc.md": "Said. 【F:a.py†L3】\n"})
    repo.commit({"a.py": f"{EDITED}\n\n{OTHER}"})
    finding = found(repo)
    assert (finding.check, finding.now, finding.edit) == ("lines-edited", ("    timeout = 9",), None)


@pytest.mark.parametrize(
    "now", ["{edited}\n\n{copy}", "import os\n\n{copy}\n\n{edited}", "{edited}\n\n{copy}\nrun()\n"]
)
def test_a_function_that_was_copied_and_edited_is_no_safe_move(repo: Any, now: str) -> None:
    then = LONG.format("first")
    repo.commit({"a.py": then, "doc.md": "Said. 【F:a.py†L6】\n"})
    repo.commit({"a.py": now.format(edited=then.replace("path, 4", "path, 44"), copy=LONG.format("second"))})
    finding = found(repo)
    assert finding.check in ("lines-edited", "lines-ambiguous")
    assert finding.edit is None or finding.edit.safety is Safety.UNSAFE


@pytest.mark.parametrize(
    ("then", "now", "cited", "expected"),
    [
        (CLIENT + BODY, BODY + CLIENT, "L3", "L23"),
        (f"{CLIENT}\n\n{BODY}", f"{BODY}\n\n{CLIENT}", "L2-L4", "L24-L26"),
        (f"{CLIENT}\n\n{OTHER.replace('5', '9')}", f"{OTHER.replace('5', '9')}\n\n{CLIENT}", "L3", "L9"),
        (CLIENT + BODY, f"{OTHER.replace('5', '9')}\n\n{CLIENT}{BODY}", "L3", "L9"),
    ],
)
def test_a_block_that_really_moved_is_a_safe_move(repo: Any, then: str, now: str, cited: str, expected: str) -> None:
    repo.commit({"a.py": then, "doc.md": f"Said. 【F:a.py†{cited}】\n"})
    repo.commit({"a.py": now})
    assert offered(found(repo)) == (f"【F:a.py†{expected}】", Safety.SAFE)
