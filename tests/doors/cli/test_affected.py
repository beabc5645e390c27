"""`pincite affected`: what it prints, what it ends with, and what hostile names cannot do to a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.model import Lines, Place
from pincite.engine.affected import AffectedCitation, AffectedResult, Effect
from pincite.engine.affected.report import as_json, as_markdown, as_text

Run = Callable[..., tuple[int, str, str]]
SCHEMA = json.loads(files("pincite").joinpath("schemas/affected-1.schema.json").read_text(encoding="utf-8"))
GAUGE = 'LIMIT = 100\n\n\ndef add(amount):\n    """Add to the gauge."""\n    return min(amount, LIMIT)\n'
NASTY = ("a|b`c`<img src=x onerror=1>", "@team #12 [x](http://x.example) www.x.example", "\x1b[2Jx\u202ey\n| z |")


def closed(schema: Any) -> Any:
    """The schema without room for keys it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "object" in schema.get("type", ()):
        shut.setdefault("additionalProperties", False)
    return shut


VALIDATOR = Draft202012Validator(closed(SCHEMA))


@pytest.fixture
def pincite(make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pincite in a repository whose work tree moves, edits and deletes what is cited."""
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    note = "Limit 【F:src/gauge.py†L1】, add 【F:src/gauge.py†L4-L6】, dead 【F:src/dead.py†L1】.\n"
    repository.commit({"src/gauge.py": GAUGE, "src/dead.py": "def dead():\n    return None\n", "docs/a.md": note})
    repository.write("src/gauge.py", GAUGE.replace("LIMIT = 100\n", "LIMIT = 250\n\nNAME = 'gauge'\n"))
    (repository.path / "src/dead.py").unlink()
    return in_folder


def test_text(pincite: Run) -> None:
    code, out, err = pincite("affected")
    assert (code, err) == (1, "")
    assert "docs/a.md:1:7  edits  【F:src/gauge.py†L1】\n" in out
    assert "  -LIMIT = 100\n" in out
    assert "  fix 【F:src/gauge.py†L6-L8】\n" in out
    assert "deletes  【F:src/dead.py†L1】\n  the file is deleted\n" in out
    assert re.search(r"✗ 2 files changed between HEAD \(\w{7}\) and the work tree, touching 3 citations in 1 doc", out)


def test_what_was_stale_before_gets_no_correction(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": "Limit 100 【F:src/gauge.py†L1】.\n"})
    repository.commit({"src/gauge.py": GAUGE.replace("100", "250")})
    repository.commit({"docs/b.md": "Limit 250 【F:src/gauge.py†L1】.\n"})
    repository.write("src/gauge.py", "# A gauge.\n" + GAUGE.replace("100", "250"))
    for words in ([], ["HEAD~1..HEAD"]):
        code, out, _ = in_folder("affected", *words)
        assert code == 1
        assert "docs/a.md:1:11  moves  【F:src/gauge.py†L1】\n  stale before the change: " in out
        assert re.findall("fix .*", out.partition("docs/b.md")[0]) == []
        assert "fix 【F:src/gauge.py†L2】" in out.partition("docs/b.md")[2]
        repository.commit({"docs/c.md": "Nothing.\n"})


def test_json_keeps_to_its_schema(pincite: Run) -> None:
    code, out, _ = pincite("affected", "HEAD", "--format", "json")
    data = json.loads(out)
    VALIDATOR.validate(data)
    assert code == data["summary"]["exit_code"] == 1
    assert data["summary"]["effects"] == {
        "deletes": 1,
        "edits": 1,
        "moves": 1,
        "unknown": 0,
        "new": 0,
        "unaffected": 0,
    }
    moved = next(one for one in data["citations"] if one["effect"] == "moves")
    assert moved["place"] == {"path": "src/gauge.py", "lines": [6, 8]}
    assert {"before": "src/dead.py", "after": None} in data["files"]


def test_the_schema_is_a_schema_and_closed_where_it_is_tested() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert not VALIDATOR.is_valid(json.loads("".join(as_json(AffectedResult("a", "b", [])))) | {"more": 1})


def test_markdown(pincite: Run) -> None:
    code, out, _ = pincite("affected", "--format", "markdown")
    assert code == 1
    rows = [line for line in out.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows] == ["| Effect", "| deletes", "| edits", "| moves"]
    assert "1 citation may be repaired: `pincite fix` shows which, `pincite fix --write` does it." in out


def test_what_stays_and_what_is_new_and_holds_is_only_counted(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": "Limit 【F:src/gauge.py†L1】, add 【F:src/gauge.py†L4】.\n"})
    repository.write("src/gauge.py", GAUGE.replace("LIMIT = 100\n", "LIMIT = 100\n\n"))
    repository.write("docs/b.md", "Limit 【F:src/gauge.py†L1】.\n")
    code, out, _ = in_folder("affected")
    assert code == 1
    assert re.findall(r"^docs/\S+  (\w+)", out, re.MULTILINE) == ["moves"]
    assert "touching 3 citations in 2 documents: moves 1, new 1, unaffected 1" in out
    assert out.endswith("\n  2 citations need no attention: --all lists them\n")
    assert "--all" not in in_folder("affected", "-q")[1]
    code, out, _ = in_folder("affected", "--all")
    assert re.findall(r"^docs/\S+  (\w+)", out, re.MULTILINE) == ["unaffected", "moves", "new"]
    rows = [row for row in in_folder("affected", "--format", "markdown")[1].splitlines() if row.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows] == ["| Effect", "| moves"]
    rows = [
        row for row in in_folder("affected", "--format", "markdown", "--all")[1].splitlines() if row.startswith("| ")
    ]
    assert [row.split(" | ")[0] for row in rows] == ["| Effect", "| moves", "| new, holds", "| unaffected"]


def test_a_clone_that_lacks_some_content_is_compared_all_the_same(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    noise = "".join(f"row {number}\n" for number in range(50))
    repository.commit({"src/gauge.py": GAUGE, "big.dat": noise, "docs/a.md": "Add 【F:src/gauge.py†L4】.\n"})
    blob = repository.git("rev-parse", "HEAD:big.dat").strip()
    repository.git("mv", "src/gauge.py", "src/meter.py")
    repository.git("mv", "big.dat", "large.dat")
    repository.commit({"large.dat": noise + "one more\n"})
    (repository.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    code, out, err = in_folder("affected", "HEAD~1..HEAD")
    assert (code, err) == (1, "")
    assert "moves  【F:src/gauge.py†L4】" in out


@pytest.mark.parametrize("words", [["--exit-zero"], ["--staged"], ["HEAD..HEAD"]])
def test_informational_use_and_empty_changes_end_well(pincite: Run, words: list[str]) -> None:
    code, out, _ = pincite("affected", *words)
    assert code == 0
    assert ("Nothing changed between" in out) is (words != ["--exit-zero"])


def test_paths_and_revisions_are_told_apart(pincite: Run) -> None:
    assert pincite("affected", "docs", "-q")[0] == 1
    assert pincite("affected", "main", "docs/a.md")[0] == 1
    assert "no citation is touched" in pincite("affected", "src")[1]
    code, out, err = pincite("affected", "nowhere")
    assert (code, out) == (2, "")
    assert err.startswith("pincite: nowhere: neither a revision of this repository nor a path")
    assert pincite("affected", "./main")[0] == 2
    assert pincite("affected", "main", "--", "../outside")[0] == 2


def test_a_commit_in_the_making_has_its_own_index(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": "Add 【F:src/gauge.py†L4-L6】.\n"})
    repository.write("src/gauge.py", "# A gauge.\n" + GAUGE)
    (repository.path / "other").write_bytes((repository.path / ".git/index").read_bytes())
    repository.git("add", "src")
    (repository.path / ".git/index").rename(repository.path / "swap")
    (repository.path / "other").rename(repository.path / ".git/index")
    assert "Nothing changed" in in_folder("affected", "--staged")[1]
    monkeypatch.setenv("GIT_INDEX_FILE", "swap")
    assert "fix 【F:src/gauge.py†L5-L7】" in in_folder("affected", "--staged")[1]


def test_outside_a_repository_it_says_so(in_folder: Run) -> None:
    code, _, err = in_folder("affected")
    assert code == 2
    assert "git repository" in err


def test_the_report_goes_to_a_file(pincite: Run, tmp_path: Any) -> None:
    assert pincite("affected", "-o", str(tmp_path / "comment.md"), "--format", "markdown")[1] == ""
    assert "pincite fix" in (tmp_path / "comment.md").read_text(encoding="utf-8")


def nasty(text: str) -> AffectedResult:
    place = Place(text, Lines(1, 2))
    items = [
        AffectedCitation(text, 1, 1, text, "bracket", text, effect, text, f"-{text}\n+{text}", place, text, "missing")
        for effect in Effect
    ]
    return AffectedResult(text, text, [(text, None)], items, [text], [(text, text)])


@pytest.mark.parametrize("text", NASTY)
def test_hostile_names_cannot_break_a_comment(text: str) -> None:
    lines = list(as_markdown(nasty(text)))
    out = "\n".join(lines)
    assert all("\n" not in line for line in lines)
    assert {line.count("|") for line in lines if line.startswith("| ")} == {5}
    assert not re.search(r"<(?!/?code>|br>|!-- -->)|@|\]\(|(?<!`)`c`|www\.|//|[\x00-\x09\x0b-\x1f\u202e]", out)
    assert "#" not in re.sub(r"^###|&#", "", out)


@pytest.mark.parametrize("text", NASTY)
def test_hostile_names_cannot_reach_a_terminal_or_break_json(text: str) -> None:
    seen = "\n".join(as_text(nasty(text), False, False))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", seen)
    printed = "\n".join(as_json(nasty(text)))
    assert "\u202e" not in printed and "\x1b" not in printed
    data = json.loads(printed)
    VALIDATOR.validate(data)
    assert data["citations"][0]["raw"] == text


def test_a_comment_has_an_end() -> None:
    result = nasty("x" * 500)
    result.items *= 2000
    out = "\n".join(as_markdown(result))
    assert len(out) < 65_536
    assert re.search(r"… and [\d,]+ citations more\.", out)


def in_conflict(make_repository: Any, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> Any:
    """A repository in the middle of a merge in which each of these files was changed on both sides."""
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    note = "Limit 【F:src/gauge.py†L1】, dead 【F:src/dead.py†L1】.\n"
    repository.commit({"src/gauge.py": GAUGE, "src/dead.py": "def dead():\n", "docs/a.md": note})
    repository.git("branch", "other")
    repository.commit({path: text.replace("100", "250") for path, text in files.items()})
    repository.git("checkout", "-q", "other")
    repository.commit({path: text.replace("100", "300") for path, text in files.items()})
    repository.git("merge", "-q", "-", check=False)
    assert repository.git("ls-files", "-u")
    return repository


def test_what_is_in_conflict_is_unknown_and_not_deleted(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = in_conflict(make_repository, monkeypatch, {"src/gauge.py": GAUGE})
    repository.write("docs/b.md", "Limit 【F:src/gauge.py†L1】.\n")
    repository.git("add", "docs/b.md")
    repository.git("rm", "-q", "src/dead.py")
    code, out, _ = in_folder("affected", "--staged", "--format", "json")
    told = {(item["document"], item["target"]): item["effect"] for item in json.loads(out)["citations"]}
    assert told == {
        ("docs/a.md", "src/gauge.py:1"): "unknown",
        ("docs/b.md", "src/gauge.py:1"): "unknown",
        ("docs/a.md", "src/dead.py:1"): "deletes",
    }
    assert code == 1
    assert "resolve the conflict" in in_folder("affected", "--staged")[1]


def test_a_document_in_conflict_is_named_as_one_that_could_not_be_read(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_conflict(make_repository, monkeypatch, {"docs/a.md": "Limit 100 【F:src/gauge.py†L1】.\n"})
    code, out, _ = in_folder("affected", "--staged")
    assert (code, "docs/a.md  unreadable  cannot read the document: its merge is not finished" in out) == (2, True)


def test_a_document_that_became_a_folder_was_deleted(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    repository.commit({"docs/a.md": "Said 【F:docs/b.md†L1】.\n", "docs/b.md": "One.\n"})
    (repository.path / "docs/b.md").unlink()
    repository.write("docs/b.md/inside.txt", "One.\n\nTwo.\n")
    code, out, _ = in_folder("affected")
    assert code == 1 and "unreadable" not in out
    assert "deletes  【F:docs/b.md†L1】\n  the file is deleted\n" in out
    code, out, _ = in_folder("check")
    assert code == 1 and "unreadable" not in out


def test_a_definition_that_is_not_found_in_broken_code_is_unknown(
    make_repository: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    monkeypatch.chdir(repository.path)
    repository.commit({"src/gauge.py": GAUGE, "docs/a.md": "It adds: src/gauge.py::add.\n"})
    repository.write("src/gauge.py", "LIMIT = (100\n\n\ndef add(\n")
    code, out, _ = in_folder("affected")
    assert code == 1 and "unknown  src/gauge.py::add" in out and "its syntax has errors" in out
    repository.write("src/gauge.py", "LIMIT = 100\n")
    assert "deletes  src/gauge.py::add" in in_folder("affected")[1]
