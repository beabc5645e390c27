"""`pincite verify-answer`: what it prints, and how it ends."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from pincite.doors.cli.main import main

LAMPS = "Lamps burn oil all night.\nThe keeper sleeps at noon.\n"


def citation(text: str, start: int, **more: object) -> dict:
    return {
        "type": "char_location",
        "cited_text": text,
        "document_index": 0,
        "document_title": None,
        "start_char_index": start,
        "end_char_index": start + len(text),
        **more,
    }


def message(*citations: dict, after: str = "") -> dict:
    content: list[dict] = [{"type": "text", "text": "Lamps burn.", "citations": list(citations)}]
    return {
        "type": "message",
        "role": "assistant",
        "content": content + ([{"type": "text", "text": after}] if after else []),
    }


HOLDS = citation("Lamps burn oil all night.", 0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "lamps.txt").write_text(LAMPS)
    (tmp_path / "doors.txt").write_text("Doors close at nine.\n")
    return tmp_path


def give(data: object, name: str = "r.json") -> None:
    Path(name).write_text(data if isinstance(data, str) else json.dumps(data))


def ended(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["verify-answer", *arguments])
    return end.value.code if isinstance(end.value.code, int) else -1


def test_all_hold(capsys: pytest.CaptureFixture[str]) -> None:
    give(message(HOLDS))
    assert ended("r.json", "--docs", "lamps.txt") == 0
    assert capsys.readouterr().out == "✓ 1 citation in 1 answer: 1 holds\n"


def test_all_are_shown_where_asked(capsys: pytest.CaptureFixture[str]) -> None:
    give(message(HOLDS))
    assert ended("r.json", "--docs", "lamps.txt", "--all") == 0
    assert "r.json: holds  content[0].citations[0]\n  The cited text stands in lamps.txt:1\n" in capsys.readouterr().out


def test_report_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    give(message(citation("The keeper sleeps at dawn.", 26), after=" Gulls nest beneath the stairs."))
    assert ended("r.json", "--docs", "lamps.txt") == 1
    assert capsys.readouterr().out == (
        "r.json: mismatch  content[0].citations[0]\n"
        "  The cited text differs from lamps.txt:2\n"
        "    cited  The keeper sleeps at {+dawn.+}\n"
        "    there  The keeper sleeps at [-noon.-]\n"
        "    “dawn” is “noon” there\n"
        "    remedy: quote the passage as it stands, or take the citation out\n"
        "\n"
        "r.json: uncited  line 1 of the answer, character 12\n"
        "  Gulls nest beneath the stairs.\n"
        "\n"
        "✗ 1 citation in 1 answer: 1 mismatch, 1 uncited sentence\n"
    )


def test_several_paths_behind_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    give(message(citation("Doors close at nine.", 0, document_index=1)))
    assert ended("r.json", "--docs", "lamps.txt", "doors.txt", "--strict") == 0
    assert ended("r.json", "--docs", "lamps.txt", "--docs", "doors.txt") == 0
    assert ended("--docs", "lamps.txt", "doors.txt", "--format", "json", "r.json") == 0
    assert ended("--docs", "lamps.txt", "doors.txt", "--", "r.json") == 0
    assert ended("r.json", "--docs", "doors.txt", "lamps.txt") == 1


def test_warnings_fail_when_strict(capsys: pytest.CaptureFixture[str]) -> None:
    give(message(HOLDS, after=" Gulls nest beneath the stairs."))
    assert ended("r.json", "--docs", "lamps.txt") == 0
    assert ended("r.json", "--docs", "lamps.txt", "--strict") == 1
    give(message(citation("Lamps are made of whale bones.", 0)))
    assert ended("r.json") == 0
    assert "1 unchecked" in capsys.readouterr().out
    assert ended("r.json", "--strict") == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(message(HOLDS)).encode())))
    assert ended("-", "--docs", "lamps.txt", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["answers"][0]["source"] == "standard input"


def test_lines_are_checked_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    give(f"{json.dumps(message(HOLDS))}\n{json.dumps(message(citation('Gulls nest beneath old stairs.', 0)))}\n")
    assert ended("r.json", "--docs", "lamps.txt") == 1
    assert "r.json:2: missing  content[0].citations[0]" in capsys.readouterr().out


def test_unreadable_line_is_told_and_the_others_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    give(f"{json.dumps(message(HOLDS))}\n{{broken\n")
    assert ended("r.json", "--docs", "lamps.txt") == 2
    out = capsys.readouterr().out
    assert "r.json:2: unreadable" in out
    assert out.endswith("✗ 1 citation in 2 answers: 1 holds, 1 unreadable\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none.json",), "none.json: no such file"),
        (("r.json", "--docs", "none"), "none: no such file or folder"),
        (("r.json", "--provider", "who"), "choose from: openai-responses"),
        (("r.json", "--docs"), "--docs"),
        (("--docs", "r.json"), "RESPONSE.json"),
        ((".",), ".: not a file; pass a response as JSON"),
        (("r.json", "--docs", os.devnull), "neither a file nor a folder"),
    ],
)
def test_what_cannot_be_read_ends_with_two(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    give(message(HOLDS))
    assert ended(*arguments) == 2
    assert said in capsys.readouterr().err


def test_nothing_invisible_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "\x1b[31mred \u202e\u200b words \x07 \ud800"
    give(message(citation(hostile, 0, document_title=hostile, type=hostile), after=f"Gulls nest {hostile} here."))
    assert ended("r.json", "--docs", "lamps.txt", "doors.txt") == 1
    out = capsys.readouterr().out
    assert not set(out) & set("\x1b\u202e\u200b\x07\ud800")
    assert ended("r.json", "--docs", "lamps.txt", "--format", "json") == 1
    out = capsys.readouterr().out
    assert not set(out) & set("\x1b\u202e\u200b\x07\ud800")
    assert json.loads(out)["summary"]["defects"] == 1


def test_colour_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    give(message(citation("Gulls nest beneath old stairs.", 0)))
    assert ended("r.json", "--docs", "lamps.txt") == 1
    assert "\x1b[31mr.json: missing" in capsys.readouterr().out


def test_json_fields_are_those_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Every field that is printed is documented, and every documented field is printed."""
    import re

    give(
        message(
            citation("The keeper sleeps at dawn.", 26, start_char_index=-1), after=" Gulls nest beneath the stairs."
        )
    )
    assert ended("r.json", "--docs", "lamps.txt", "--format", "json") == 1
    said = json.loads(capsys.readouterr().out)
    printed: set[str] = set()
    todo = [said]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            printed |= node.keys()
            todo += node.values()
        elif isinstance(node, list):
            todo += node
    page = Path(__file__).resolve().parents[3] / "docs/reference/answers.md"
    documented = set(re.findall(r"^\| `([a-z_]+)`", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert printed <= documented
    outcomes = {"holds", "moved", "mismatch", "missing", "unchecked"}
    assert documented - printed <= outcomes | {"kind", "start", "end", "page"}


def test_what_could_not_be_checked_is_not_ticked_off(capsys: pytest.CaptureFixture[str]) -> None:
    web = {"type": "url_citation", "url_citation": {"url": "https://example.org/a", "start_index": 0, "end_index": 8}}
    give({"object": "chat.completion", "choices": [{"message": {"content": "A gauge.", "annotations": [web]}}]})
    assert ended("r.json", "--docs", "lamps.txt") == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("⚠ 1 citation in 1 answer: 1 unchecked")


# Without --docs


def told(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    out, err = capsys.readouterr()
    return out, err


def test_without_docs_the_repository_is_taken_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    give(message({**HOLDS, "document_title": "lamps.txt"}))
    assert ended("r.json") == 0
    out, err = told(capsys)
    assert "1 citation in 1 answer: 1 holds" in out
    assert err == f"no --docs: compared with 2 files of {folder}\n"
    assert ended("r.json", "--format", "json") == 0
    assert json.loads(told(capsys)[0])["repository"] == {"root": str(folder), "files": 2}
    assert ended("r.json", "--docs", "lamps.txt", "--format", "json") == 0
    out, err = told(capsys)
    assert (json.loads(out)["repository"], err) == (None, "")


@pytest.mark.parametrize(
    ("quote", "title", "label"),
    [
        # In a file that goes by the name, the words decide.
        ("Lamps burn oil all night.", "lamps.txt", "holds"),
        ("Lamps burn gas all night.", "lamps.txt", "mismatch"),
        ("Lamps are made of whale bones.", "lamps.txt", "missing"),
        ("Doors close at nine.", "lamps.txt", "moved"),
        # Of a document that is none of the files, they show nothing.
        ("Lamps burn gas all night.", "other.pdf", "unchecked"),
        ("Lamps are made of whale bones.", "other.pdf", "unchecked"),
        ("Doors close at nine.", "other.pdf", "unchecked"),
        ("Lamps are made of whale bones.", None, "unchecked"),
        ("Lamps burn gas all night.", None, "unchecked"),
        ("Doors close at nine.", None, "holds"),
    ],
)
def test_the_repository_accuses_only_what_it_has_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str], quote: str, title: str | None, label: str
) -> None:
    cited = {"type": "page_location", "cited_text": quote, "document_index": 0, "document_title": title}
    give({"type": "message", "content": [{"type": "text", "text": "See there.", "citations": [cited]}]})
    ended("r.json", "--format", "json")
    (found,) = json.loads(told(capsys)[0])["answers"][0]["citations"]
    assert found["outcome"] == label, found["message"]
    if label == "unchecked":
        assert "--docs" in found["remedy"]


def test_the_answer_is_no_document_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cited = {**citation("Lamps are made of whale bones.", 0), "document_title": None}
    give(message(cited), "answer.txt")
    ended("answer.txt", "--format", "json")
    (found,) = json.loads(told(capsys)[0])["answers"][0]["citations"]
    assert found["outcome"] == "unchecked"


def test_documents_of_the_request_go_before_the_repository(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sent = {"type": "document", "source": {"type": "text", "data": LAMPS}, "citations": {"enabled": True}}
    give({"request": {"messages": [{"role": "user", "content": [sent]}]}, "response": message(HOLDS)})
    assert ended("r.json") == 0
    assert told(capsys)[1] == ""


def test_nothing_but_what_search_indexes_is_taken(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").symlink_to("/etc")
    (folder / "link.txt").symlink_to("/etc/hostname")
    (folder / "pincite.toml").write_text('exclude = ["doors.txt"]\n')
    give(message({**citation("Doors close at nine.", 0), "document_title": "doors.txt"}))
    ended("r.json", "--format", "json")
    found = json.loads(told(capsys)[0])
    assert found["answers"][0]["citations"][0]["outcome"] == "unchecked"


@pytest.mark.parametrize(
    "text", ["The gate closes at nine. 【F:lamps.txt†L1】\n", "[1] Smith says so.\n", "[a](b.md)\n"]
)
def test_plain_text_is_pointed_to_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    give(text, "an answer.md")
    assert ended("an answer.md", "--docs", "lamps.txt") == 2
    out, err = told(capsys)
    assert (out, "are checked by: pincite check - < 'an answer.md'\n" in err) == ("", True), err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert ended("-") == 2
    assert told(capsys)[1].endswith("are checked by: pincite check -\n")


@pytest.mark.parametrize("text", ['{"type": "mess', '[{"type": ', "[", '{"a": 1} x'])
def test_json_that_was_cut_off_is_no_plain_text(capsys: pytest.CaptureFixture[str], text: str) -> None:
    give(text)
    assert ended("r.json") == 2
    err = told(capsys)[1]
    assert ("not JSON" in err, "pincite check -" in err) == (True, False)
