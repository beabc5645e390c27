"""The stages as functions, and what they work with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import PinciteError, UsageError
from pincite.domains.research.grounding import ClaimCandidate
from pincite.domains.research.stages import ground, report, validate
from pincite.project.config import ResearchSettings

pytestmark = pytest.mark.usefixtures("foreseeable")


def test_functions_write_nothing_but_snapshots(made: Any, bed: Any) -> None:
    before = set(bed.state())
    work = bed.work(made.Fetching())
    citations = validate(work, [made.citation(*row) for row in made.ROWS]).citations
    found = ground(work, citations)
    text = report(work, found, citations)
    assert made.ROWS[0][0] in text
    assert {name.partition("/")[0] for name in set(bed.state()) - before} == {"snapshots"}


def test_claims_may_come_from_elsewhere(made: Any, held: Any) -> None:
    work = held.work()
    citations = validate(work, [made.citation(*row) for row in made.ROWS]).citations
    found = ground(work, citations, [ClaimCandidate("Salmon climb the weir in autumn.")])
    assert [(one.claim, one.citation_id) for one in found.grounded] == [("Salmon climb the weir in autumn.", 5)]


def test_nothing_to_do_is_nothing(made: Any, bed: Any) -> None:
    assert validate(bed.work(), []).citations == ()
    assert ground(bed.work(), []).grounded == ()


def test_the_fetcher_has_the_policy_of_the_settings(made: Any, bed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.domains.research.stages import TopicContext

    asked: list[Any] = []

    def new(policy: Any) -> Any:
        asked.append(policy)
        return made.Fetching()

    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", new)
    root, topic = bed.work().root, bed.work().topic
    settings = ResearchSettings(connections=3, seconds=7, megabytes=2, robots=False, contact="me@example.org")
    validate(TopicContext(root, topic, settings, judge=made.Literal()), [made.citation(*made.ROWS[0])])
    (policy,) = asked
    assert (policy.connections, policy.seconds, policy.most_bytes) == (3, 7.0, 2 * 1024 * 1024)
    assert (policy.robots, policy.contact) == (False, "me@example.org")


def test_a_page_larger_than_the_settings_allow(made: Any, bed: Any) -> None:
    from gzip import compress

    packed = compress(b"<p>" + b"word " * 300_000)
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    answers = {made.TIDES: made.visit(made.TIDES, packed, headers=headers)}
    work = bed.work(made.Fetching(answers), settings=ResearchSettings(megabytes=1))
    (found,) = validate(work, [made.citation(*made.ROWS[0])]).citations
    assert (found.validated, found.validation_details.quote_found) == (False, None)


@pytest.mark.parametrize("name", ["../table.yaml", "missing.yaml", "/etc/hostname"])
def test_a_table_that_cannot_be_had(made: Any, bed: Any, name: str) -> None:
    with pytest.raises(PinciteError) as caught:
        validate(bed.work(settings=ResearchSettings(sources=name)), [made.citation(*made.ROWS[0])])
    assert caught.value.exit_code == 2


def test_a_judge_that_is_not_there(bed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.domains.research.stages import TopicContext

    monkeypatch.delenv("PINCITE_LLM_KEY", raising=False)
    work = bed.work()
    for settings, said in (
        (ResearchSettings(judge="llm", model="m"), "key"),
        (ResearchSettings(judge="nli"), "folder"),
    ):
        with pytest.raises(UsageError, match=said):
            assert TopicContext(work.root, work.topic, settings).judge


def test_every_public_name_can_be_imported() -> None:
    import pincite.domains.research as package

    assert [name for name in package.__all__ if getattr(package, name, None) is None] == []
