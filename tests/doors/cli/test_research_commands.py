"""`pincite research`: what its commands print, what they write, and how they end."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.domains.research.model import EXTRACT, GROUND, SEARCH, VALIDATE

Run = Callable[..., tuple[int, str, str]]


def _loaded() -> ModuleType:
    spec = spec_from_file_location("support_research", Path(__file__).parents[2] / "support_research.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = _loaded()


@pytest.fixture
def research(in_folder: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the test's folder; nobody may be asked for a page."""
    made.stand_in(monkeypatch)
    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", made.no_fetcher)

    def run(*arguments: str) -> tuple[int, str, str]:
        code, out, err = in_folder("research", *arguments, "--root", str(tmp_path))
        assert "Traceback" not in out + err
        assert not set(out + err) & {chr(sign) for sign in range(32) if sign != 10} - {"\t"}
        return code, out, err

    return run


@pytest.fixture
def bed(tmp_path: Path) -> Any:
    return made.Bed(tmp_path).given().snapshots()


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch, research: Run) -> Callable[..., Any]:
    """Puts somebody in place who answers."""

    def put(answers: Any = None, at: str = made.THEN) -> Any:
        fetcher = made.Fetching(answers, at)
        monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", fetcher)
        return fetcher

    return put


def configure(bed: Any, text: str) -> None:
    (bed.top / "pincite.toml").write_text(text)


def test_validate(bed: Any, research: Run) -> None:
    code, out, err = research("validate", "tides", "--offline")
    assert (code, err) == (0, "")
    assert "https://tides.example/moon  7/10" in out
    assert "author_verified" in out and "base 4: signed page (tides.example)" in out and "= 7" in out
    assert out.count("quote verbatim") == 6
    assert out.splitlines()[-2:] == [
        "6 of 6 citations validated",
        f"written: .research/tides/agent-outputs/{VALIDATE}.yaml",
    ]
    assert bed.file(VALIDATE).is_file()


def test_validate_json(bed: Any, research: Run) -> None:
    code, out, err = research("validate", "tides", "--offline", "--format", "json")
    found = json.loads(out)
    assert (code, err, found["schema"], found["validated"]) == (0, "", "pincite.research-validate/1", 6)
    assert found["aborted"] is None and len(found["citations"]) == 6
    assert found["citations"][0]["validation_details"]["quote_verbatim"] is True


def test_a_near_miss_is_shown_with_its_passage(bed: Any, research: Run) -> None:
    bed.given([*made.ROWS[1:], ("It is.", "The moon raises three tides a day.", made.TIDES)])
    code, out, _ = research("validate", "tides", "--offline")
    assert code == 0
    assert "quote not verbatim  the page has “two”, the quote “three”" in out
    assert "the page   The moon raises two tides a day" in out
    assert "5 of 6 citations validated" in out
    assert "rejected  quote_verbatim is false" in out


def test_validate_gives_up(bed: Any, research: Run) -> None:
    bed.given([(claim, f"Not at all {quote}", url) for claim, quote, url in made.ROWS])
    before = bed.state()
    code, out, err = research("validate", "tides", "--offline")
    assert (code, bed.state()) == (1, before)
    assert "aborted at source-validator: 0 citations of 6 validated; at least 2 citations needed. Correct" in err
    assert "0 of 6 citations validated" in out and "written" not in out
    code, out, err = research("validate", "tides", "--offline", "--format", "json")
    aborted = json.loads(out)["aborted"]
    assert (code, aborted["stage"], bool(aborted["remedy"])) == (1, VALIDATE, True)
    assert bed.state() == before


def test_broken_input_is_named_place_by_place(bed: Any, research: Run) -> None:
    text = bed.file(EXTRACT).read_text()
    bed.file(EXTRACT).write_text(text.replace("https://weir", "http://weir").replace('"2026-05-02"', '"soon"', 1))
    code, out, err = research("validate", "tides", "--offline")
    assert code == 1
    assert "not-https" in out and "bad-date" in out and "extracted_citations[4].source_url" in out
    assert "nothing was written" in err
    code, out, _ = research("validate", "tides", "--offline", "--format", "json")
    rules = {problem["rule"] for problem in json.loads(out)["aborted"]["problems"]}
    assert (code, rules >= {"not-https", "bad-date"}) == (1, True)


def test_what_is_fetched_is_kept_and_repeated_offline(tmp_path: Path, research: Run, answering: Any) -> None:
    bed = made.Bed(tmp_path).given()
    fetcher = answering()
    assert research("validate", "tides")[0] == 0
    assert fetcher.asked == [made.TIDES, made.HARBOUR, made.WEIR]
    first = bed.state()
    assert len([name for name in first if name.endswith(".warc.gz")]) == 3
    assert research("validate", "tides", "--offline")[0] == 0
    assert bed.state() == first and len(fetcher.asked) == 3


def test_a_refresh_shows_what_changed(bed: Any, research: Run, answering: Any) -> None:
    changed = made.html("On tides", ["The moon raises two tides a day. It pulls the water under it hardest."])
    answering({made.TIDES: changed, made.HARBOUR: made.PAGES[made.HARBOUR]}, made.NOW)
    code, out, _ = research("validate", "tides", "--refresh")
    assert code == 0
    assert "changed  https://tides.example/moon (2026-05-01 → 2026-09-01)" in out
    assert f"     - {made.MOON}" in out and "     + The moon raises two tides a day. It pulls the water under" in out
    assert "citation 1: the quote survived" in out and "citation 2: the quote is gone: there is now: It pulls" in out
    assert "same  https://harbour.example/depth" in out
    assert (
        "not reached  https://weir.example/fish (2026-05-01 → https://weir.example/fish: its name leads nowhere" in out
    )
    assert "archived" in out and "6 of 6 citations validated" in out
    assert research("validate", "tides", "--refresh", "--offline")[0] == 2


def test_relaxed_checks_are_told(bed: Any, research: Run) -> None:
    configure(bed, '[research]\nrequired-checks = ["quote_found", "quote_verbatim"]\n')
    code, out, _ = research("validate", "tides", "--offline")
    assert (code, "required only: quote_found, quote_verbatim" in out) == (0, True)
    assert research("ground", "tides")[0] == 0
    assert research("check", "tides")[0] == 0


def test_attest(bed: Any, research: Run) -> None:
    page = made.html("On tides", [made.MOON], author="", date="2026-08-01")
    bed.keep(made.visit(made.TIDES, page, made.NOW))
    for file in (bed.folder / "snapshots").glob("tides*20260501*"):
        file.unlink()
    _, out, _ = research("validate", "tides", "--offline")
    assert "4 of 6 citations validated" in out and "pincite research attest" in out
    said = research(
        "attest", "tides", made.TIDES, "--author", "Mira Holt", "--by", "Jo Reader", "--note", "she told me"
    )
    assert said == (0, "attested in .research/tides/attestations.yaml; now run `pincite research validate tides`\n", "")
    code, out, _ = research("validate", "tides", "--offline")
    assert (code, "6 of 6 citations validated" in out) == (0, True)
    assert "Mira Holt, attested by Jo Reader on 20" in out


@pytest.mark.parametrize("blank", ["--author", "--by"])
def test_somebody_has_to_sign(bed: Any, research: Run, blank: str) -> None:
    names = {"--author": "A", "--by": "B"} | {blank: "  "}
    code, _, err = research("attest", "tides", made.TIDES, *(part for pair in names.items() for part in pair))
    assert (code, f"{blank} is empty" in err) == (2, True)
    assert not (bed.folder / "attestations.yaml").exists()


def test_what_is_attested_is_a_page_that_can_be_cited(bed: Any, research: Run) -> None:
    code, _, err = research("attest", "tides", "http://tides.example/moon", "--author", "A", "--by", "B")
    assert (code, "give the page's https:// address" in err) == (2, True)
    assert not (bed.folder / "attestations.yaml").exists()


def test_an_address_that_a_file_proposes_cannot_steer_the_terminal(bed: Any, research: Run) -> None:
    file = bed.folder / "agent-outputs/citation-extractor.yaml"
    file.write_text(file.read_text().replace(made.TIDES, f"{made.TIDES}\\e[2J"))
    code, _, err = research("attest", "tides", f"{made.TIDES}x", "--author", "A", "--by", "B")
    assert (code, "did you mean" in err, "\x1b" in err) == (2, True, False)


@pytest.mark.parametrize("command", ["validate", "run"])
@pytest.mark.parametrize(("name", "why"), [("no.yaml", "there is no such file"), ("../x", "it lies outside the root")])
def test_a_table_that_is_not_there(bed: Any, research: Run, command: str, name: str, why: str) -> None:
    configure(bed, f'[research]\nsources = "{name}"\n')
    code, _, err = research(command, "tides", "--offline")
    assert (code, err) == (2, f"pincite: {name}: {why}; correct `sources` under [research]\n")


def grounded_rows() -> list[Any]:
    return [
        *made.ROWS[:5],
        ("A ladder of 8 pools helps them.", made.ROWS[5][1], made.WEIR),
        ("Whales sing.", "Salmon climb the weir in autumn.", made.WEIR),
    ]


def test_ground(bed: Any, research: Run) -> None:
    bed.given(grounded_rows())
    research("validate", "tides", "--offline")
    code, out, err = research("ground", "tides")
    assert (code, err) == (0, "")
    assert "  1  ✓ high    The moon raises two tides a day." in out
    assert " R1  ✗ contradicted  A ladder of 8 pools helps them." in out
    assert " R2  ✗ not shown  Whales sing." in out and out.count("needs a reader: --accept ") == 1
    assert "5 of 7 claims grounded" in out
    found = json.loads(research("ground", "tides", "--format", "json")[1])
    assert (found["judge"], len(found["grounded_claims"]), len(found["rejected_claims"])) == ("offline", 5, 2)


def test_accept(bed: Any, research: Run) -> None:
    bed.given(grounded_rows())
    research("validate", "tides", "--offline")
    cases = {
        ("--accept", "2"): "--accept needs --by",
        ("--by", "Jo"): "--by needs --accept",
        ("--accept", "2", "--by", " "): "a person has to sign",
        ("--accept", "9", "--by", "Jo"): "there is no rejected claim 9 (rejected: 1, 2)",
        ("--accept", "1", "--by", "Jo"): "claim 1 is contradicted",
        ("--accept", "2", "--accept", "1", "--by", "Jo"): "claim 1 is contradicted",
    }
    for arguments, said in cases.items():
        code, _, err = research("ground", "tides", *arguments)
        assert (code, said in err) == (2, True), err
    assert not (bed.folder / "attestations.yaml").exists() and not bed.file(GROUND).exists()
    (name,) = re.findall(r"needs a reader: --accept (\w{8}) --by NAME", research("ground", "tides")[1])
    code, out, _ = research("ground", "tides", "--accept", name, "--by", "Jo Reader")
    assert (code, "6 of 7 claims grounded" in out, "attested by Jo Reader on 20" in out) == (0, True, True)
    assert "✓ medium  Whales sing." in out
    code, _, err = research("ground", "tides", "--accept", name, "--by", "Jo Reader")
    assert (code, f"there is no rejected claim {name} (rejected: 1)" in err) == (2, True)
    code, out, _ = research("ground", "tides")
    assert (code, "6 of 7 claims grounded" in out) == (0, True)


def test_reject(bed: Any, research: Run) -> None:
    bed.given(grounded_rows())
    research("validate", "tides", "--offline")
    cases = {
        ("--reject", "1"): "as does --reject",
        ("--reject", "1", "--by", " "): "a person has to sign",
        ("--reject", "9", "--by", "Jo"): "there is no grounded claim 9 (grounded: 1, 2, 3, 4, 5)",
        ("--reject", "R1", "--by", "Jo"): "there is no grounded claim R1",
        ("--reject", "1", "--by", "J\x1b[31mo"): "characters that cannot be seen",
        ("--reject", "1", "--by", "J" * 201): "longer than 200",
    }
    for arguments, said in cases.items():
        code, _, err = research("ground", "tides", *arguments)
        assert (code, said in err) == (2, True), err
    assert not (bed.folder / "attestations.yaml").exists()
    code, out, _ = research("ground", "tides", "--reject", "1", "--by", "Jo Reader")
    assert (code, "4 of 7 claims grounded" in out) == (1, True), "five are needed"
    assert "reader-rejected  rejected by Jo Reader on 20" in out
    (name,) = re.findall(r"needs a reader: --accept (\w{8}) --by NAME", out.partition("reader-rejected")[2])[:1]
    code, out, _ = research("ground", "tides", "--accept", name, "--by", "Ana")
    assert "reader-rejected" not in out and "5 of 7 claims grounded" in out
    assert "rejections" not in (bed.folder / "attestations.yaml").read_text()


def test_what_its_input_calls_low_cannot_be_accepted(bed: Any, research: Run) -> None:
    text = bed.file(EXTRACT).read_text()
    bed.file(EXTRACT).write_text(text.replace("    section:", "    section:").rstrip("\n") + "\n    confidence: low\n")
    assert research("validate", "tides", "--offline")[0] == 0
    code, out, _ = research("ground", "tides")
    assert code == 0
    assert "needs a reader" not in out and "disagreement" in out and "the input says low" in out
    code, _, err = research("ground", "tides", "--accept", "1", "--by", "Jo")
    assert (code, "the input itself says low" in err) == (2, True)


def test_ground_gives_up(bed: Any, research: Run) -> None:
    bed.given(made.ROWS[:4])
    research("validate", "tides", "--offline")
    before = bed.state()
    code, out, err = research("ground", "tides")
    assert (code, bed.state()) == (1, before)
    assert "aborted at claim-grounding-mapper: 4 claims; at least 5 claims needed." in err
    assert "4 of 4 claims grounded" in out
    found = json.loads(research("ground", "tides", "--format", "json")[1])
    assert (found["aborted"]["stage"], found["aborted"]["found"]) == (GROUND, "4 claims")


def test_claims_of_a_file(bed: Any, research: Run) -> None:
    research("validate", "tides", "--offline")
    (bed.top / "claims.md").write_text("".join(f"- {row[0]}\n" for row in made.ROWS) + "- Whales sing.\n")
    code, out, _ = research("ground", "tides", "--claims", str(bed.top / "claims.md"))
    assert (code, "6 of 7 claims grounded" in out) == (0, True)
    assert "cites nothing" in out
    for bad, text in (("bad.yaml", "claims: 5"), ("bad.txt", b"\xff\xfe"), ("missing.txt", None)):
        if text is not None:
            (bed.top / bad).write_bytes(text.encode() if isinstance(text, str) else text)
        code, _, err = research("ground", "tides", "--claims", str(bed.top / bad))
        assert (code, bad in err) == (2, True), err
    outside = bed.top.parent / "outside.txt"
    outside.write_text("A claim.")
    assert research("ground", "tides", "--claims", str(outside))[0] == 2


def test_run(bed: Any, research: Run) -> None:
    code, out, err = research("run", "tides", "--offline")
    assert (code, err) == (0, "")
    *rows, page = [line.split() for line in out.splitlines()]
    assert [(row[1], row[2]) for row in rows] == [
        (SEARCH, "given"),
        (EXTRACT, "given"),
        (VALIDATE, "done"),
        (GROUND, "done"),
        ("report", "done"),
    ]
    assert page == [".research/tides/report.html"]
    assert research("run", "tides")[1].count("up to date") == 3
    assert research("check", "tides")[0] == 0
    found = json.loads(research("run", "tides", "--format", "json")[1])
    assert [step["state"] for step in found["stages"]] == ["given", "given", "kept", "kept", "kept"]


def test_run_gives_up_and_goes_on(bed: Any, research: Run) -> None:
    bed.given(made.ROWS[:4])
    code, out, err = research("run", "tides", "--offline")
    assert (code, out.splitlines()[-1]) == (1, f"✗ {GROUND}")
    assert f"{GROUND}: nothing was written" in err and "at least 5 claims needed" in err
    assert bed.file(VALIDATE).exists() and not bed.file(GROUND).exists()
    bed.given()
    assert research("run", "tides", "--offline")[0] == 0
    bed.file(SEARCH).unlink()
    code, out, err = research("run", "tides", "--format", "json")
    assert (code, json.loads(out)["aborted"]["stage"]) == (2, SEARCH)


def test_snapshot(tmp_path: Path, research: Run, answering: Any) -> None:
    answers = made.PAGES | {made.WEIR: made.visit(made.WEIR, b"", status=404)}
    answering(answers)
    code, _, err = research("snapshot", made.TIDES)
    assert (code, "which topic?" in err) == (2, True)
    code, out, _ = research("snapshot", made.TIDES, made.HARBOUR, "--topic", "new")
    assert (code, out.count("200  https://")) == (0, 2)
    assert len(list((tmp_path / ".research/new/snapshots").iterdir())) == 2
    code, out, _ = research("snapshot", made.WEIR, "https://nowhere.example/")
    assert code == 1
    assert "404  https://weir.example/fish" in out and "✗ unresolved" in out
    found = json.loads(research("snapshot", made.TIDES, "--format", "json")[1])
    assert found["snapshots"][0]["status"] == 200
    assert (tmp_path / found["snapshots"][0]["file"]).is_file()


@pytest.mark.parametrize("name", ["../x", "..", "a/../../b", "/etc", ".hidden", "a b", "\x1b[31mred", "", "x" * 101])
def test_names_that_are_no_topics(bed: Any, research: Run, answering: Any, name: str) -> None:
    answering()
    before = sorted(bed.top.parent.rglob("*"))
    for arguments in (("validate", name), ("ground", name), ("run", name), ("check", name)):
        assert research(*arguments)[0] == 2
    assert research("snapshot", made.TIDES, "--topic", name)[0] == 2
    assert research("attest", name, made.TIDES, "--author", "A", "--by", "B")[0] == 2
    assert sorted(bed.top.parent.rglob("*")) == before


@pytest.mark.parametrize(
    "linked", [".research", ".research/tides", ".research/tides/agent-outputs", ".research/tides/snapshots"]
)
def test_folders_that_lead_outside(
    tmp_path: Path, tmp_path_factory: Any, research: Run, answering: Any, linked: str
) -> None:
    outside = made.Bed(tmp_path_factory.mktemp("outside")).given().snapshots()
    place = tmp_path / linked
    place.parent.mkdir(parents=True, exist_ok=True)
    if linked.endswith("snapshots"):
        made.Bed(tmp_path).given()
    place.symlink_to(outside.top / linked)
    answering(at=made.NOW)
    before = outside.state()
    for command in ("validate", "run", "ground"):
        code, _, err = research(command, "tides")
        assert code in (1, 2) and err
    assert research("snapshot", made.TIDES, "--topic", "tides")[0] == (0 if linked.endswith("outputs") else 2)
    research("attest", "tides", made.TIDES, "--author", "A", "--by", "B")
    assert outside.state() == before


@pytest.mark.parametrize("stage", [SEARCH, EXTRACT, VALIDATE, GROUND])
@pytest.mark.parametrize("how", ["folder", "rubbish", "bytes", "deep", "locked"])
def test_files_that_cannot_be_read(bed: Any, research: Run, stage: str, how: str) -> None:
    if stage in (VALIDATE, GROUND) and research("run", "tides", "--offline")[0]:
        pytest.fail("it should run")
    place = bed.file(stage)
    place.unlink()
    if how == "folder":
        place.mkdir()
    elif how == "locked":
        if os.geteuid() == 0:
            pytest.skip("nothing is locked for root")
        place.write_text("results: []")
        place.chmod(0)
    else:
        place.write_bytes({"rubbish": b"a: [", "bytes": b"\xff\xfe\x00", "deep": b"a: " + b"[" * 2000}[how])
    commands = {SEARCH: "run", EXTRACT: "validate", VALIDATE: "ground", GROUND: "report"}
    code, _, err = research(commands[stage], "tides")
    assert (code, f"{stage}.yaml" in err) == (2, True), err
    assert research("check", "tides")[0] == 2


def test_an_output_that_cannot_be_written(bed: Any, research: Run) -> None:
    bed.file(VALIDATE).mkdir()
    code, _, err = research("validate", "tides", "--offline")
    assert (code, f"{VALIDATE}.yaml: cannot be written" in err) == (2, True)


def test_two_files_of_a_stage(bed: Any, research: Run) -> None:
    bed.file(EXTRACT, ".json").write_text("{}")
    code, _, err = research("validate", "tides", "--offline")
    assert (code, "keep one of them" in err) == (2, True)


def test_nothing_of_a_page_reaches_the_terminal_raw(tmp_path: Path, research: Run) -> None:
    bad = "\x1b]0;owned\x07\x1b[31m\u202eevil\u200b\x9b31m"
    page = made.html(f"On tides {bad}", [made.MOON, f"Words {bad} more."], author=f"Mira {bad}")
    url = made.TIDES
    bed = made.Bed(tmp_path).given(
        [*made.ROWS, ("Words \u202eevil\u200b more.", "Words of \u202eevil\u200b more.", url)]
    )
    bed.snapshots(made.PAGES | {url: page})
    seen = ""
    for command in ("validate", "ground", "run", "check", "report"):
        for form in ((), ("--format", "json")) if command != "report" else ((),):
            offline = ("--offline",) if command in ("validate", "run") else ()
            code, out, err = research(command, "tides", *offline, *form)
            # Grounding gives up here, so that the report has no file to start from.
            assert code in (0, 1) or (command == "report" and "is missing" in err)
            seen += out + err
    assert not set(seen) & set("\x1b\x07\x9b\u202e\u200b")
    assert "evil" in seen


def test_control_characters_in_stage_files_are_refused(bed: Any, research: Run) -> None:
    text = bed.file(EXTRACT).read_text()
    bed.file(EXTRACT).write_text(text.replace("The moon", "\\e[31mThe moon", 1))
    code, out, err = research("validate", "tides", "--offline")
    assert (code, "control-character" in out) == (1, True)
    assert "\x1b" not in out + err


def test_huge_values(bed: Any, research: Run) -> None:
    long = "word " * 140 + "w" * 100_000
    bed.given([*made.ROWS, ("x" * 200_000, long, made.TIDES)])
    code, out, err = research("validate", "tides", "--offline")
    assert (code, "6 of 7 citations validated" in out) == (0, True), err
    code, out, err = research("ground", "tides")
    assert code == 0
    code, _, err = research("run", "tides", "--offline")
    assert code == 0, err


def test_a_claim_too_long_to_be_attested(bed: Any, research: Run) -> None:
    bed.given([*made.ROWS, ("Whales " * 3000, "Salmon climb the weir in autumn.", made.WEIR)])
    assert research("validate", "tides", "--offline")[0] == 0
    code, _, err = research("ground", "tides", "--accept", "1", "--by", "Jo")
    assert (code, "nothing was written" in err) == (2, True)
    assert not (bed.folder / "attestations.yaml").exists()


def test_trouble_with_every_page(tmp_path: Path, research: Run, answering: Any) -> None:
    made.Bed(tmp_path).given()
    answering({url: FetchFailure("robots", f"{url}: its robots.txt forbids it; ask the site") for url in made.PAGES})
    code, out, err = research("validate", "tides")
    assert (code, out.count("url_reachable    not known")) == (1, 3)
    assert out.count("quote not looked for") == 6 and "credibility below 5" in err


def test_a_damaged_snapshot_is_told(bed: Any, research: Run) -> None:
    from gzip import compress, decompress

    for file in (bed.folder / "snapshots").glob("tides*"):
        file.write_bytes(compress(decompress(file.read_bytes()).replace(b"two tides", b"six tides")))
    code, out, _ = research("validate", "tides", "--offline")
    assert (code, "4 of 6 citations validated" in out, out.count("quote not looked for")) == (0, True, 2)
    assert "is damaged" in out and "six tides" not in out


def test_a_missing_library_is_named(tmp_path: Path, in_folder: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made.Bed(tmp_path).given().snapshots()
    monkeypatch.setitem(sys.modules, "turbohtml", None)
    code, _, err = in_folder("research", "validate", "tides", "--offline")
    assert (code, "pip install --force-reinstall turbohtml" in err) == (2, True)


def test_help_names_every_command(research: Run, in_folder: Run) -> None:
    code, out, _ = in_folder("research", "--help")
    assert code == 0
    assert all(name in out for name in ("check", "validate", "snapshot", "attest", "ground", "report", "audit", "run"))
    for name in ("check", "validate", "snapshot", "attest", "ground", "run", "schema"):
        assert in_folder("research", name, "--help")[0] == 0


def test_what_cannot_be_read_among_the_snapshots_is_told(bed: Any, research: Run) -> None:
    for file in (bed.folder / "snapshots").glob("tides*"):
        file.write_bytes(file.read_bytes()[:60])
    (bed.folder / "snapshots/page.wacz").write_bytes(b"PK")
    code, out, _ = research("validate", "tides", "--offline")
    assert (code, "4 of 6 citations validated" in out) == (0, True)
    assert "page.wacz: not read" in out and out.count("snapshot  tides.example-") >= 1
    told = json.loads(research("validate", "tides", "--offline", "--format", "json")[1])["unread_snapshots"]
    assert any(line.startswith("page.wacz: ") for line in told)


def test_the_offline_judge(bed: Any, in_folder: Run) -> None:
    rows = [
        *made.ROWS,
        ("The harbour is 41 metres deep at low water.", made.ROWS[2][1], made.HARBOUR),
        ("Ships will replace every railway.", made.ROWS[3][1], made.HARBOUR),
    ]
    bed.given(rows)
    assert in_folder("research", "validate", "tides", "--offline")[0] == 0
    code, out, _ = in_folder("research", "ground", "tides", "--format", "json")
    found = json.loads(out)
    assert (code, found["judge"].startswith("offline")) == (0, True)
    assert [one["confidence"] for one in found["grounded_claims"]] == ["high"] * 6
    assert [one["verdict"] for one in found["rejected_claims"]] == ["contradicted", "not shown"]
    assert all(one["reasons"] for one in (*found["grounded_claims"], *found["rejected_claims"]))
    assert in_folder("research", "run", "tides", "--offline")[0] == 0


_VALUES = (
    *"null 5 -1 1e999 true [] {} '' ~ *a | 99999999999999999999 2026-02-30 http://x https:// .nan".split(),
    *('"\\0"', "&a b", "!!python/object:x y", "\t", '"\\uD800"', "x" * 5000, "[" * 50),
)


@pytest.mark.parametrize("seed", range(int(os.environ.get("PINCITE_SPOILED", "12"))))
def test_spoiled_files_never_end_in_a_traceback(bed: Any, research: Run, seed: int) -> None:
    random = Random(seed)
    assert research("run", "tides", "--offline")[0] == 0
    (bed.folder / "attestations.yaml").write_text(
        'authors:\n  - {source_url: u, author: a, by: b, date: "2026-05-03"}\n'
    )
    files = [*(bed.file(stage) for stage in (SEARCH, EXTRACT, VALIDATE, GROUND)), bed.folder / "attestations.yaml"]
    for _ in range(random.randint(1, 3)):
        file = random.choice(files)
        lines = file.read_text().split("\n")
        at = random.randrange(len(lines))
        name, colon, _ = lines[at].partition(": ")
        spoil = random.choice(("drop", "value", "value", "value", "swap", "cut", "indent"))
        if spoil == "value":
            lines[at] = f"{name}{colon}{random.choice(_VALUES)}"
        elif spoil == "swap":
            lines[at], lines[-2] = lines[-2], lines[at]
        else:
            lines[at : at + 1] = {"drop": [], "cut": [lines[at][: len(lines[at]) // 2]], "indent": [f"  {lines[at]}"]}[
                spoil
            ]
        file.write_text("\n".join(lines))
    for command in ("check", "validate", "ground", "run", "report"):
        offline = ("--offline",) if command in ("validate", "run") else ()
        code, _, err = research(command, "tides", *offline)
        assert code in (0, 1, 2)
        assert code == 0 or err or command == "check"


def test_a_report_that_cannot_be_audited_is_named(bed: Any, research: Run, tmp_path: Path) -> None:
    assert research("audit", "no.md")[::2] == (2, "pincite: no.md: there is no such file\n")
    (tmp_path / "old.md").write_bytes(b"Caf\xe9 is open.\n")
    code, out, err = research("audit", "old.md")
    assert (code, out) == (2, "") and "old.md: not UTF-8" in err
    (tmp_path / "empty.md").write_text("# A title\n")
    not_judged = "  not judged, they claim nothing by their form: 1 heading\n"
    code, out, _ = research("audit", "empty.md")
    assert (code, out) == (1, "✗ nothing claimed: no sentence of the report could be grounded\n" + not_judged)


def test_a_file_of_claims_that_is_not_there_is_named(bed: Any, research: Run) -> None:
    code, out, err = research("ground", "tides", "--claims", "no.txt")
    assert (code, out, err) == (2, "", "pincite: no.txt: there is no such file\n")


@pytest.mark.parametrize("title", ["# Fish are written by aliens.", "Fish are written by aliens.\n---"])
def test_a_marked_heading_stays_uncited(bed: Any, research: Run, tmp_path: Path, title: str) -> None:
    report = tmp_path / "report.md"
    report.write_text(f"{title}\n")
    first = research("audit", "report.md", "--mark")
    marked = report.read_text()
    assert "aliens. [citation needed]\n" in marked
    assert research("audit", "report.md", "--mark")[:2] == first[:2] and first[0] == 1
    assert report.read_text() == marked


def test_validations_of_somebody_else_are_told(bed: Any, research: Run) -> None:
    research("run", "tides", "--offline")
    text = bed.file(VALIDATE).read_text()
    bed.file(VALIDATE).write_text(text[text.index("validated_citations:") :])
    assert (
        "was not written by this user's pincite: its quotes were not looked for here" in research("ground", "tides")[2]
    )
    assert "was not written by this user" in research("report", "tides")[2]
    research("validate", "tides", "--offline")
    assert research("ground", "tides")[2] == ""


@pytest.mark.parametrize("stage", [VALIDATE, GROUND])
def test_audit_warns_of_stage_files_that_came_with_a_clone(
    stage: str, bed: Any, research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert research("run", "tides", "--offline")[0] == 0
    report = ".research/tides/report.md"
    assert research("audit", report)[2] == ""
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path.parent / f"{tmp_path.name} of another user"))
    if stage == GROUND:
        assert research("validate", "tides", "--offline")[0] == 0
    err = research("audit", report)[2]
    assert f"{bed.file(stage).name} was not written by this user" in err
    assert f"`pincite research {'validate' if stage == VALIDATE else 'ground'}` checks it again" in err
    assert research("audit", report, "--format", "json")[2] == err


def ship(bed: Any, old: str, new: str) -> None:
    """Make the stage files those of a clone, with other words in them, and nothing that says who made them."""
    for stage in (EXTRACT, VALIDATE, GROUND):
        text = bed.file(stage).read_text()
        bed.file(stage).write_text(re.sub(r"(?m)^made:\n(?:[ \t]+.*\n)+", "", text).replace(old, new))


DEEPER = "The harbour is 15 metres deep at low water."


def test_a_shipped_quote_that_its_snapshot_does_not_hold_grounds_nothing(bed: Any, research: Run) -> None:
    assert research("run", "tides", "--offline")[0] == 0
    ship(bed, "is 14 metres", "is 15 metres")
    report = ".research/tides/mine.md"
    (bed.folder / "mine.md").write_text(f"{DEEPER} [h]({made.HARBOUR})\n")
    code, out, err = research("audit", report)
    assert (code, "unsupported" in out, "0 % grounded" in out) == (1, True, True), out
    assert "it counts as far as snapshots bear it out" in err
    (bed.folder / "mine.md").write_text(f"{DEEPER.replace('15', '14')} [h]({made.HARBOUR})\n")
    assert research("audit", report)[0] == 0


def test_a_shipped_quote_without_a_snapshot_needs_a_reader(bed: Any, research: Run) -> None:
    assert research("run", "tides", "--offline")[0] == 0
    ship(bed, "", "")
    for path in (bed.folder / "snapshots").iterdir():
        path.unlink()
    (bed.folder / "mine.md").write_text(f"{DEEPER.replace('15', '14')} [h]({made.HARBOUR})\n")
    code, out, _ = research("audit", ".research/tides/mine.md")
    assert (code, "needs a reader (high)" in out, "on-trust" in out) == (1, True, True), out
    assert "1 on the word of stage files alone" in out
    data = json.loads(research("audit", ".research/tides/mine.md", "--format", "json")[1])
    assert (data["ok"], data["needs_reader"]) == (False, 1)


def test_check_warns_of_shipped_quotes_that_snapshots_do_not_hold(bed: Any, research: Run) -> None:
    assert research("run", "tides", "--offline")[0] == 0
    assert research("check", "tides", "--strict")[0] == 0
    ship(bed, "is 14 metres", "is 15 metres")
    code, out, _ = research("check", "tides", "--strict")
    assert (code, "quote-not-in-snapshot" in out) == (1, True), out
    assert research("check", "tides")[0] == 0


def implied_rows() -> list[Any]:
    return [*made.ROWS, ("The harbour is quite deep at low water.", made.ROWS[2][1], made.HARBOUR)]


def test_reports_and_stages_say_how_much_rests_on_medium(bed: Any, research: Run) -> None:
    bed.given(implied_rows())
    code, out, _ = research("run", "tides", "--offline")
    assert code == 0 and out.count("6 high, 1 medium (needs a reader)") == 2
    code, out, _ = research("ground", "tides")
    assert (code, "7 of 7 claims grounded: 6 high, 1 medium (needs a reader)" in out) == (0, True)
    (name,) = re.findall(r"needs a reader: --accept (\w{8}) --by NAME", out)
    code, out, err = research("report", "tides")
    assert (code, "grounded: 6 high, 1 medium (needs a reader)" in err) == (0, True)
    for ending in ("md", "html"):
        assert "needs a reader (medium): 1" in (bed.folder / f"report.{ending}").read_text()
    report = ".research/tides/report.md"
    code, out, _ = research("audit", report)
    assert (code, "✗ 85.7 % grounded: 6 grounded, 1 needs a reader" in out, "--least medium" in out) == (1, True, True)
    code, out, _ = research("audit", report, "--least", "medium")
    assert (code, "✓ 100 % grounded: 7 grounded" in out, "1 of these only implied (medium)" in out) == (0, True, True)
    before = bed.state()
    for command in (("report", "tides"), ("run", "tides", "--offline")):
        code, _, err = research(*command, "--least", "high")
        assert (code, "1 claim of 7 only implied (medium)" in err, "--least medium" in err) == (1, True, True), err
    assert bed.state() == before
    assert research("ground", "tides", "--accept", name, "--by", "Jo")[0] == 0
    code, _, err = research("report", "tides", "--least", "high")
    assert (code, "grounded: 6 high, 1 attested" in err) == (0, True)
    code, out, _ = research("audit", report)
    assert (code, "✓ 100 % grounded" in out, "1 of these vouched for by a person" in out) == (0, True, True)


def test_the_setting_decides_what_counts(bed: Any, research: Run, tmp_path: Path) -> None:
    bed.given(implied_rows())
    assert research("run", "tides", "--offline")[0] == 0
    report = ".research/tides/report.md"
    (tmp_path / "pincite.toml").write_text('[research]\nleast = "medium"\n')
    assert research("audit", report)[0] == 0
    data = json.loads(research("audit", report, "--format", "json")[1])
    counts = {name: data[name] for name in ("grounded", "needs_reader", "medium", "attested", "least", "ok")}
    assert counts == {
        "grounded": 7,
        "needs_reader": 0,
        "medium": 1,
        "attested": 0,
        "least": "medium",
        "ok": True,
    }
    assert {one["kind"] for one in data["not_judged"]} == {"heading"} and data["recognised"] > 7
    assert json.loads(research("audit", report, "--least", "high", "--format", "json")[1])["needs_reader"] == 1
    (tmp_path / "pincite.toml").write_text('[research]\nleast = "high"\n')
    assert research("report", "tides")[0] == 1
    (tmp_path / "pincite.toml").write_text('[research]\nleast = "low"\n')
    assert research("audit", report)[0] == 2


def test_with_least_high_five_claims_have_to_be_stated(bed: Any, research: Run) -> None:
    bed.given([*made.ROWS[:4], implied_rows()[-1]])
    research("validate", "tides", "--offline")
    assert research("ground", "tides")[0] == 0
    code, _, err = research("ground", "tides", "--least", "high")
    assert (code, "4 claims; at least 5 claims needed" in err) == (1, True), err


def test_an_edited_report_is_kept(bed: Any, research: Run) -> None:
    assert research("run", "tides", "--offline")[0] == 0
    assert research("report", "tides")[0] == 0
    edited = {}
    for name in ("report.md", "report.html"):
        path = bed.folder / name
        edited[name] = b"by hand\n" + path.read_bytes()
        path.write_bytes(edited[name])
    code, _, err = research("report", "tides")
    assert (code, err.count("it was edited since it was written: kept as")) == (0, 2)
    assert {name: (bed.folder / f"{name}.bak").read_bytes() for name in edited} == edited
    (bed.folder / "report.md").write_bytes(b"again")
    code, out, _ = research("run", "tides", "--offline")
    assert (code, "kept as .research/tides/report.md.bak2" in out) == (0, True)
    assert (bed.folder / "report.md.bak2").read_bytes() == b"again"
    assert research("audit", ".research/tides/report.md")[0] == 0


@pytest.mark.parametrize(
    "given",
    [
        ".research/tides/agent-outputs/serch-agent.yaml",
        ".research/tides/agent-outputs/claim-grounding-mapper.yaml",
        ".research/tides/agent-outputs/nothing/search-agent.yaml",
        ".research/tides/report.md",
    ],
)
def test_a_stage_file_that_is_not_there_is_an_error(research: Run, bed: Any, given: str) -> None:
    code, out, err = research("check", given)
    assert (code, out, f"{given}: there is no such file" in err) == (2, "", True), err


@pytest.mark.parametrize("name", ["source_validator.yaml", "source-validater.yaml", "Source-Validator.yml"])
def test_a_misspelt_stage_file_is_an_error(research: Run, bed: Any, name: str) -> None:
    (bed.outputs / name).write_text("validated_citations: []\n")
    code, _, err = research("check", "tides")
    assert (code, f"{name}: no stage has this name; is it source-validator.yaml?" in err) == (2, True), err
    (bed.outputs / name).rename(bed.outputs / "report-writer.yaml")
    assert research("check", "tides")[0] == 0


def test_wikipedia_as_a_primary_source_is_told(research: Run, bed: Any) -> None:
    for stage in (SEARCH, EXTRACT):
        text = bed.file(stage).read_text().replace("tides.example", "en.wikipedia.org").replace("secondary", "primary")
        bed.file(stage).write_text(text)
    code, out, _ = research("check", "tides")
    assert (code, out.count("source-type-unlikely")) == (0, 3)
    assert "en.wikipedia.org is declared primary, and a tertiary source by the table" in out
    assert research("check", "tides", "--strict")[0] == 1


@pytest.mark.parametrize("words", [("ground", "tides"), ("run", "tides", "--offline"), ("audit", "r.md")])
def test_a_project_does_not_choose_who_reads_the_text(
    bed: Any, research: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def forbidden(*_: object, **__: object) -> Any:
        raise AssertionError("a service was asked")

    monkeypatch.delenv("PINCITE_JUDGE", raising=False)
    monkeypatch.setenv("PINCITE_LLM_KEY", "sk-ant-1")
    monkeypatch.setattr("pincite.judge.llm.post_json", forbidden)
    assert research("validate", "tides", "--offline")[0] == 0
    (bed.top / "r.md").write_text("# Tides\n\nThe moon makes tides.\n")
    configure(bed, '[research]\njudge = "llm"\nprovider = "openai"\nmodel = "theirs"\n')
    code, out, err = research(*words)
    assert (code, out) == (2, "")
    assert "--judge llm or set PINCITE_JUDGE=llm" in err
    code, out, err = research(*words, "--judge", "offline")
    assert code in (0, 1), err
