"""The stages over a topic's files: thresholds that end a run, stages of somebody else, and nothing half-written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pincite.core.errors import PinciteError
from pincite.core.model import Severity
from pincite.domains.research import stage_file
from pincite.domains.research.grounding import Grounding
from pincite.domains.research.model import EXTRACT, GROUND, SEARCH, STAGES, VALIDATE, Aborted, StageInputError
from pincite.domains.research.stage_check import check
from pincite.domains.research.stage_parser import ParsedTree, read_tree
from pincite.domains.research.stage_runner import Stages, ground_topic, read_stage, report_topic, run, validate_topic
from pincite.domains.research.stages import StageValidation, ground, report, validate

pytestmark = pytest.mark.usefixtures("foreseeable")


def test_a_run_from_beginning_to_end(made: Any, bed: Any) -> None:
    told: list[tuple[str, int, int]] = []
    work = bed.work(made.Fetching(), progress=lambda *step: told.append(step))
    steps = list(run(work))
    assert [(step.stage, step.state, step.count, step.total) for step in steps] == [
        ("search-agent", "given", 3, 3),
        ("citation-extractor", "given", 6, 6),
        ("source-validator", "done", 6, 6),
        ("claim-grounding-mapper", "done", 6, 6),
        ("report", "done", 6, 6),
    ]
    assert all((bed.top / step.file).is_file() for step in steps)
    assert told[:3] == [("fetching", at, 3) for at in (1, 2, 3)]
    assert told[3:] == [("judging", at, 6) for at in range(1, 7)]
    text = (bed.folder / "report.md").read_text()
    assert all(row[0].rstrip(".") in text for row in made.ROWS)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the stage files that were parsed, in order."""
    names: list[str] = []

    def read(data: bytes, key: str) -> ParsedTree:
        names.append(key.rpartition("/")[2])
        return read_tree(data, key)

    monkeypatch.setattr(stage_file, "read_tree", read)
    return names


def test_a_run_parses_each_stage_file_once(held: Any, parsed: list[str]) -> None:
    files = [f"{stage}.yaml" for stage in STAGES]
    list(run(held.work(offline=True)))
    assert parsed == files
    parsed.clear()
    assert [step.state for step in run(held.work(offline=True))] == ["given", "given", "kept", "kept", "kept"]
    assert parsed == files


def test_what_stages_of_others_give_is_parsed_once(held: Any, parsed: list[str]) -> None:
    stages = Stages(
        validate=lambda work, citations: validate(work, citations),
        ground=lambda work, citations, *claims: ground(work, citations, *claims),
    )
    list(run(held.work(offline=True), stages))
    assert parsed == [f"{stage}.yaml" for stage in STAGES]


def test_a_file_that_changes_during_a_run_is_parsed_again(made: Any, held: Any, parsed: list[str]) -> None:
    work = held.work(offline=True)
    assert len(read_stage(work, EXTRACT).items) == 6
    held.given(made.ROWS[:5])
    assert len(read_stage(work, EXTRACT).items) == 5
    assert parsed.count(f"{EXTRACT}.yaml") == 2


def test_a_file_that_is_edited_during_a_run_is_not_taken_for_found(held: Any, parsed: list[str]) -> None:
    work = held.work(offline=True)
    steps = run(work)
    assert [next(steps).stage for _ in range(3)] == [SEARCH, EXTRACT, VALIDATE]
    assert read_stage(work, VALIDATE).ok
    text = held.file(VALIDATE).read_text()
    held.file(VALIDATE).write_text(re.sub(r"credibility_score: \d+", "credibility_score: 9", text, count=1))
    with pytest.raises(Aborted, match="was edited since it was made"):
        next(steps)


def test_stages_are_told_as_they_are_done(made: Any, held: Any) -> None:
    steps = run(held.work())
    assert [next(steps).stage for _ in range(3)] == [SEARCH, EXTRACT, VALIDATE]
    assert held.file(VALIDATE).exists() and not held.file(GROUND).exists()


def few_results(made: Any, bed: Any) -> None:
    bed.given(made.ROWS[:4], [made.TIDES])


def plain_http(made: Any, bed: Any) -> None:
    text = bed.file(SEARCH).read_text()
    bed.file(SEARCH).write_text(text.replace("https://weir", "http://weir"))


def few_extracted(made: Any, bed: Any) -> None:
    bed.given(made.ROWS[:1])


def few_validated(made: Any, bed: Any) -> None:
    bed.given([(claim, quote.replace(" ", " of "), url) for claim, quote, url in made.ROWS[:5]] + [made.ROWS[5]])


def no_credibility(made: Any, bed: Any) -> None:
    for file in (bed.folder / "snapshots").iterdir():
        file.unlink()
    bed.snapshots({url: made.html(made.TITLES[url], [made.MOON], "", "", 0) for url in made.PAGES})


def few_grounded(made: Any, bed: Any) -> None:
    bed.given([*(("Whales sing.", *row[1:]) for row in made.ROWS[:2]), *made.ROWS[2:]])


THRESHOLDS: list[tuple[Callable[[Any, Any], None], str, str, str]] = [
    (few_results, SEARCH, "2 results", "at least 3 results"),
    (plain_http, SEARCH, "only https", "results[2].url"),
    (few_extracted, EXTRACT, "1 citation", "at least 2 citations"),
    (few_validated, VALIDATE, "1 citations of 6 validated", "at least 2 citations"),
    (no_credibility, VALIDATE, "credibility below 5", "at least one needs 5"),
    (few_grounded, GROUND, "4 claims", "at least 5 claims"),
]


@pytest.mark.parametrize(("spoil", "stage", "found", "needed"), THRESHOLDS)
def test_every_threshold_ends_the_run(made: Any, held: Any, spoil: Any, stage: str, found: str, needed: str) -> None:
    spoil(made, held)
    for name in (VALIDATE, GROUND):
        held.file(name).write_text("what was there before: []\n" if name == VALIDATE else "{}\n")
    if stage == GROUND:
        held.file(GROUND).unlink()
    report_file = held.folder / "report.md"
    report_file.write_text("an older report")
    before = held.state()
    with pytest.raises(Aborted) as caught:
        list(run(held.work(offline=True)))
    error = caught.value
    assert (error.stage, error.exit_code) == (stage, 1)
    assert found in str(error) and needed in str(error) and error.remedy
    changed = {name for name in before.keys() | held.state().keys() if before.get(name) != held.state().get(name)}
    assert changed == ({f"agent-outputs/{VALIDATE}.yaml"} if stage == GROUND else set())
    assert report_file.read_text() == "an older report"


def test_a_report_that_is_not_grounded_is_not_written(made: Any, held: Any) -> None:
    def sloppy(work: Any, found: Any, citations: Any) -> str:
        raise Aborted("report", "99.9 % of the sentences are grounded", "100 % needed", "Take the others out.")

    with pytest.raises(Aborted, match="99"):
        list(run(held.work(), Stages(report=sloppy)))
    assert not (held.folder / "report.md").exists()


def test_a_missing_stage_says_who_writes_it(made: Any, held: Any) -> None:
    held.file(EXTRACT).unlink()
    with pytest.raises(Aborted, match=r"citation-extractor\.yaml is missing.*extraction"):
        validate_topic(held.work())
    with pytest.raises(Aborted, match=r"source-validator\.yaml is missing.*`pincite research validate`"):
        ground_topic(held.work())
    with pytest.raises(Aborted, match="is missing"):
        report_topic(held.work())


@pytest.mark.parametrize("stage", [SEARCH, EXTRACT])
def test_a_folder_in_the_place_of_a_file(made: Any, held: Any, stage: str) -> None:
    held.file(stage).unlink()
    held.file(stage).mkdir()
    with pytest.raises(PinciteError, match="is no regular file") as caught:
        read_stage(held.work(), stage)
    assert caught.value.exit_code == 2


def test_a_folder_in_the_place_of_an_output(made: Any, held: Any) -> None:
    held.file(VALIDATE).mkdir()
    with pytest.raises(PinciteError, match=r"source-validator\.yaml: cannot be written") as caught:
        validate_topic(held.work())
    assert caught.value.exit_code == 2
    assert not [name for name in held.state() if "pincite" in name]


def test_a_stale_output_is_refused_by_the_next_stage(made: Any, held: Any) -> None:
    validate_topic(held.work())
    held.given([("Another claim.", *row[1:]) for row in made.ROWS])
    with pytest.raises(StageInputError) as caught:
        ground_topic(held.work())
    assert {problem.rule for problem in caught.value.problems} == {"citation-changed"}


def test_what_is_not_validated_cannot_say_that_it_is(made: Any, held: Any) -> None:
    validate_topic(held.work())
    text = held.file(VALIDATE).read_text()
    held.file(VALIDATE).write_text(text.replace("author_verified: true", "author_verified: null", 1))
    with pytest.raises(StageInputError, match="author_verified is not known"):
        ground_topic(held.work())


class Orchestra:
    """Stages of somebody else."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.called: list[str] = []

    def search(self, work: Any) -> Any:
        self.called.append("search")
        return [self.made.result(at, url) for at, url in enumerate(self.made.PAGES, 1)]

    def extract(self, work: Any, results: Any) -> Any:
        self.called.append("extract")
        urls = [one.url for one in results]
        return [self.made.citation(*row) for row in self.made.ROWS if row[2] in urls]

    def validate(self, work: Any, citations: Any) -> Any:
        self.called.append("validate")
        return validate(work, citations)

    def ground(self, work: Any, citations: Any, wanted: Any = None) -> Any:
        self.called.append("ground")
        return ground(work, citations, wanted)

    def report(self, work: Any, found: Any, citations: Any) -> str:
        self.called.append("report")
        return report(work, found, citations) + "\n"

    @property
    def stages(self) -> Stages:
        return Stages(self.search, self.extract, self.validate, self.ground, self.report)


def test_every_stage_can_be_replaced(made: Any, tmp_path: Any) -> None:
    bed = made.Bed(tmp_path)
    own = Orchestra(made)
    steps = list(run(bed.work(made.Fetching()), own.stages))
    assert own.called == ["search", "extract", "validate", "ground", "report"]
    assert [step.state for step in steps] == ["done"] * 5
    again = list(run(bed.work(), own.stages))
    assert [step.state for step in again] == ["given", "given", "kept", "kept", "kept"]
    assert own.called[5:] == ["report"]
    ours = list(run(bed.work()))
    assert [step.state for step in ours] == ["given", "given", "done", "done", "done"]


@pytest.mark.parametrize("how", ["few", "http"])
def test_what_others_find_is_held_to_the_rules_before_it_is_written(made: Any, tmp_path: Any, how: str) -> None:
    bed = made.Bed(tmp_path)
    own = Orchestra(made)

    def search(work: Any) -> Any:
        found = own.search(work)
        return found[:2] if how == "few" else [*found, replace(found[0], result_id=4, url="http://x.example/")]

    with pytest.raises(Aborted, match=r"2 results|only https"):
        list(run(bed.work(made.Fetching()), replace(own.stages, search=search)))
    assert bed.state() == {}


def test_what_others_extract_is_held_to_the_rules(made: Any, tmp_path: Any) -> None:
    bed = made.Bed(tmp_path)
    own = Orchestra(made)

    def extract(work: Any, results: Any) -> Any:
        return [replace(one, source_url="https://elsewhere.example/") for one in own.extract(work, results)]

    with pytest.raises(StageInputError, match=r"is no url of"):
        list(run(bed.work(made.Fetching()), replace(own.stages, extract=extract)))
    assert list(bed.state()) == ["agent-outputs/search-agent.yaml"]


def test_what_others_validate_is_held_to_the_rules(made: Any, held: Any) -> None:
    def trusting(work: Any, citations: Any) -> StageValidation:
        found = validate(work, citations).citations
        unknown = replace(found[0].validation_details, quote_found=None)
        return StageValidation((replace(found[0], validation_details=unknown), *found[1:]))

    with pytest.raises(StageInputError, match="quote_found is not known"):
        list(run(held.work(), Stages(validate=trusting)))
    assert not held.file(VALIDATE).exists()


def test_what_others_ground_is_held_to_the_rules(made: Any, held: Any) -> None:
    def generous(work: Any, citations: Any) -> Grounding:
        found = ground(work, citations)
        return Grounding(tuple(replace(one, confidence="low") for one in found.grounded), ())

    with pytest.raises(StageInputError, match="low confidence"):
        list(run(held.work(), Stages(ground=generous)))
    assert not held.file(GROUND).exists()


def test_no_search_and_no_file(made: Any, tmp_path: Any) -> None:
    bed = made.Bed(tmp_path)
    with pytest.raises(Aborted, match=r"search-agent\.yaml is missing"):
        list(run(bed.work()))


@pytest.mark.parametrize("made_by", ["[]", "5", "{claims_from: [1]}", "{claims_from: ../../x}", "{by: null}"])
def test_a_strange_note_of_what_it_was_made_from(made: Any, held: Any, made_by: str) -> None:
    list(run(held.work()))
    before = held.state()
    for stage in (VALIDATE, GROUND):
        lines = held.file(stage).read_text().split("\n")
        end = next(at for at, line in enumerate(lines) if at and not line.startswith(" "))
        held.file(stage).write_text("\n".join([f"made: {made_by}", *lines[end:]]))
    assert [step.state for step in run(held.work())][2:4] == ["done", "done"]
    assert held.state()[f"agent-outputs/{VALIDATE}.yaml"] == before[f"agent-outputs/{VALIDATE}.yaml"]


@pytest.mark.parametrize("stage", [VALIDATE, GROUND])
def test_what_was_edited_by_hand_is_not_taken_for_found(made: Any, held: Any, stage: str) -> None:
    work = held.work()
    list(run(work))
    found = held.file(stage).read_text()
    held.file(stage).write_text(found.replace("Mira Holt", "Ada").replace('confidence: "high"', 'confidence: "medium"'))
    assert held.file(stage).read_text() != found
    with pytest.raises(Aborted, match="was edited since it was made"):
        report_topic(work)
    problems = check(work.root, work.topic.name).problems
    assert [problem.rule for problem in problems if problem.severity == Severity.ERROR] == ["edited"]
    assert [step.state for step in run(work) if step.stage == stage] == ["done"]
    assert held.file(stage).read_text() == found


def test_a_mapping_that_was_not_judged_is_no_report(made: Any, held: Any) -> None:
    work = held.work()
    list(run(work))
    _, _, claims = held.file(GROUND).read_text().partition("grounded_claims:")
    held.file(GROUND).write_text(f"grounded_claims:{claims}")
    with pytest.raises(Aborted, match="was not judged"):
        report_topic(work)
