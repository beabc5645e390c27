"""Every case of `conformance/answers/`: a response, documents, and exactly what checking it must say.

A case is a folder with a `response.json`, the documents below `docs/`, and an `expected.toml`:

    title           what the case shows
    docs            the paths given with `--docs`, in order
    args            further arguments
    exit_code       of the command
    uncited         the sentences without a citation
    error_contains  a part of why something could not be read
    [[citations]]   `path`, `outcome`, and where they matter `where` (`path:line` or `path, p.N`) and `says`, a part of
                    the message, the difference or the notes
    [[defects]]     `path` and `kind`
    [[pdfs]]        PDFs that are written before: `path`, `pages`, `encrypted`
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.domains.retrieval.answers import provider_names
from pincite.doors.cli.main import main

CASES = Path(__file__).resolve().parents[4] / "conformance" / "answers"
FOLDERS = sorted(path.parent for path in CASES.glob("*/expected.toml"))


def load(folder: Path) -> dict:
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


def label(spot: dict | None) -> str:
    if spot is None:
        return ""
    return f"{spot['path']}, p.{spot['page']}" if spot["page"] else f"{spot['path']}:{spot['line']}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    make_pdf: Callable[..., bytes],
) -> None:
    case = load(folder)
    shutil.copytree(folder, tmp_path / "case")
    monkeypatch.chdir(tmp_path / "case")
    for pdf in case.get("pdfs", ()):
        place = tmp_path / "case" / pdf["path"]
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(make_pdf(pdf["pages"], encrypted=pdf.get("encrypted", False)))
    docs = ["--docs", *case["docs"]] if case["docs"] else []
    with pytest.raises(SystemExit) as ended:
        main(["verify-answer", "response.json", *docs, "--format", "json", *case.get("args", ())])
    printed = capsys.readouterr()
    assert ended.value.code == case["exit_code"], printed.out + printed.err
    if not printed.out:
        assert case["error_contains"] in printed.err
        return
    said = json.loads(printed.out)
    assert said["schema"] == "pincite.answers/1"
    assert said["summary"]["exit_code"] == case["exit_code"]
    answers = said["answers"]
    errors = " ".join(answer["error"] or "" for answer in answers)
    assert case.get("error_contains", "") in errors
    assert bool(errors.strip()) == ("error_contains" in case)
    found = [citation for answer in answers for citation in answer["citations"]]
    wanted = case.get("citations", [])
    assert [(one["path"], one["outcome"]) for one in found] == [(one["path"], one["outcome"]) for one in wanted]
    for one, expected in zip(found, wanted, strict=True):
        if "where" in expected:
            assert label(one["where"]) == expected["where"]
        if "says" in expected:
            assert expected["says"] in json.dumps([one["message"], one["diff"], one["notes"]], ensure_ascii=False)
        if one["outcome"] == "holds":
            assert one["seen"]["digest"] and one["where"] is not None
        if one["outcome"] == "mismatch":
            assert one["diff"]["cited"] != one["diff"]["there"]
    defects = [(one["path"], one["kind"]) for answer in answers for one in answer["defects"]]
    assert defects == [(one["path"], one["kind"]) for one in case.get("defects", [])]
    assert [one["text"] for answer in answers for one in answer["uncited"]] == case.get("uncited", [])


def is_wrong(case: dict) -> bool:
    """Whether the case is about something that must not pass as holding."""
    outcomes = {one["outcome"] for one in case.get("citations", [])}
    return bool(case["exit_code"] or case.get("defects") or case.get("uncited") or outcomes - {"holds"})


def test_enough_cases_and_most_of_them_wrong() -> None:
    cases = [load(folder) for folder in FOLDERS]
    assert len(cases) >= 60
    assert sum(map(is_wrong, cases)) >= 0.6 * len(cases)


@pytest.mark.parametrize("name", provider_names())
def test_every_provider_has_cases_that_hold_and_that_do_not(name: str) -> None:
    cases = [load(folder) for folder in FOLDERS if folder.name.startswith(f"{name}-")]
    assert any(is_wrong(case) for case in cases)
    assert any(not is_wrong(case) for case in cases)
