"""`pincite fix` on topics of research: what they quote is put right as documents are, with a reader."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.domains.research.model import EXTRACT, VALIDATE
from pincite.doors.cli.main import main

SCHEMA = json.loads(files("pincite").joinpath("schemas/fix-1.schema.json").read_text(encoding="utf-8"))
FILE = f".research/tides/agent-outputs/{EXTRACT}.yaml"
Ran = tuple[int, str, str]


def _loaded() -> ModuleType:
    spec = spec_from_file_location("support_research", Path(__file__).parents[2] / "support_research.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = _loaded()
RIGHT = made.ROWS[2][1]
WRONG = RIGHT.replace("14", "41")


@pytest.fixture
def topic(tmp_path: Path) -> Any:
    """A topic that quotes one number wrong, beside a document that cites nothing."""
    bed = made.Bed(tmp_path).given((made.ROWS[0], (made.ROWS[2][0], WRONG, made.HARBOUR))).snapshots()
    (tmp_path / "a.md").write_text("Nothing is cited here.\n")
    return bed


@pytest.fixture
def fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `pincite fix` in the folder: (*arguments, answers) -> exit code, output, errors."""

    def run(*arguments: str, answers: str = "") -> Ran:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(answers.encode()), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            main(["fix", *arguments])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run


def test_a_quote_is_changed_only_for_a_reader(topic: Any, fix: Callable[..., Ran]) -> None:
    before = topic.state()
    code, out, err = fix("--write", ".research/tides")
    assert (code, out, topic.state()) == (0, "", before)
    assert err == (
        "Nothing to fix without a reader. Looked at 2 citations in 1 document.\n"
        "1 needs a reader: --interactive asks about each, --unsafe shows all.\n"
    )
    code, out, err = fix("--unsafe", ".research")
    assert (code, topic.state()) == (0, before)
    assert f"--- a/{FILE}\n" in out and '-    quote: "' + WRONG in out and '+    quote: "' + RIGHT in out
    assert "needs a reader:\n" in err and "Misquoted" in err and WRONG in err
    assert "1 citation in 1 document can be fixed: run again with --write.\n" in err


def test_what_was_made_from_the_old_words_is_to_be_made_again(topic: Any, fix: Callable[..., Ran]) -> None:
    topic.file(VALIDATE).write_text("validated_citations: []\n")
    old = topic.file(EXTRACT).read_text()
    code, _, err = fix("--unsafe", "--write", FILE)
    assert code == 0 and "Fixed 1 citation in 1 document." in err
    assert ".research/tides: its later stages were made from the old words; run `pincite research run tides`\n" in err
    assert topic.file(EXTRACT).read_text() == old.replace(WRONG, RIGHT)
    again = fix("--unsafe", "--write", FILE)
    assert (again[0], again[1]) == (0, "")
    assert "later stages" not in again[2] and again[2].startswith("Nothing to fix.")


@pytest.mark.parametrize(("answer", "changes"), [("y\n", True), ("n\n", False), ("", False)])
def test_a_reader_is_asked(topic: Any, fix: Callable[..., Ran], answer: str, changes: bool) -> None:
    code, out, _ = fix("--interactive", ".research/tides", answers=answer)
    assert code == 0 and "quote-altered" in out and "Change it (1 of 1)?" in out
    assert (WRONG in topic.file(EXTRACT).read_text()) is not changes


def test_the_object_for_programs_has_it(topic: Any, fix: Callable[..., Ran]) -> None:
    code, out, _ = fix("--format", "json", "--unsafe", ".research/tides")
    found = json.loads(out)
    Draft202012Validator(SCHEMA).validate(found)
    (document,) = found["documents"]
    (edit,) = document["edits"]
    assert (code, document["document"], edit["safety"], edit["made"]) == (0, FILE, "unsafe", True)
    assert (edit["then"], edit["now"]) == ([WRONG], [RIGHT])


def test_topics_that_nobody_named_are_left_alone(topic: Any, fix: Callable[..., Ran]) -> None:
    before = topic.state()
    for arguments in (("--unsafe", "--write"), ("--unsafe", "--write", "a.md")):
        code, out, err = fix(*arguments)
        assert (code, out, topic.state()) == (0, "", before)
        assert err.startswith("Nothing to fix. Looked at 0 citations")


def test_a_file_that_cannot_be_read_is_named(topic: Any, fix: Callable[..., Ran]) -> None:
    topic.file(EXTRACT).write_text("extracted_citations: [\n")
    code, out, err = fix("--unsafe", ".research/tides")
    assert (code, out) == (2, "") and err.startswith(f"pincite: {FILE}") and "written" not in err
    topic.file(EXTRACT, ".json").write_text("{}")
    code, out, err = fix("--unsafe", ".research/tides")
    assert (code, out) == (2, "") and "has 2 files" in err
