"""The third stage: what a page shows becomes checks that are true, false or not known, and a reason where one fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.web import Exchange, FetchFailure, Visit
from pincite.domains.research.attestations import AuthorAttestation, attest_author
from pincite.domains.research.model import CHECKS, EXTRACT, VALIDATE, Aborted, Details
from pincite.domains.research.stage_runner import validate_topic
from pincite.domains.research.stages import validate
from pincite.domains.research.validation import _rejection
from pincite.project.config import ResearchSettings

PARAGRAPH = "The moon raises two tides a day."


def of(made: Any, bed: Any, quote: str = PARAGRAPH, answer: Any = None, **more: Any) -> Any:
    """One citation of one page, validated."""
    url = more.pop("url", made.TIDES)
    answers = {} if answer is None else {url: answer}
    work = bed.work(made.Fetching(answers, at=more.pop("at", made.THEN)), **more)
    return validate(work, [made.citation("A claim.", quote, url)]).citations[0]


def checks(citation: Any) -> tuple[bool | None, ...]:
    return tuple(getattr(citation.validation_details, name) for name in CHECKS)


def test_all_checks_hold(made: Any, bed: Any) -> None:
    found = of(made, bed, answer=made.PAGES[made.TIDES])
    assert (found.validated, found.rejection_reason, checks(found)) == (True, None, (True,) * 5)
    details, seen = found.validation_details, found.evidence
    assert (details.author, details.publication_date, found.credibility_score) == ("Mira Holt", "2026-03-01", 7)
    assert (seen.availability, seen.status, seen.retrieved, seen.required) == ("snapshot", 200, made.THEN, ())
    assert (bed.folder / seen.snapshot).is_file() and seen.digest.startswith("sha256:")
    assert seen.credibility[-1] == "= 7" and set(seen.reasons) == {*CHECKS} - {"quote_verbatim"}


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("value", [None, False])
@pytest.mark.parametrize("required", ["all", "alone"])
def test_what_is_not_known_never_counts_as_true(name: str, value: bool | None, required: str) -> None:
    known: dict[str, Any] = dict.fromkeys(CHECKS, True) | {name: value}
    if name == "quote_found":
        known["quote_verbatim"] = value
    said = _rejection(Details(**known), 10, {name: "why"}, CHECKS if required == "all" else (name,))
    assert name in said and ("not known" if value is None else "false") in said


def test_a_quote_that_was_not_looked_for_is_not_verbatim_either() -> None:
    assert _rejection(Details(True, None, None), 10, {"quote_found": "no page"}, ("quote_verbatim",))
    assert _rejection(Details(True, False, False), 10, {"quote_found": "not there"}, ("quote_verbatim",))


@pytest.mark.parametrize("missing", range(5))
def test_each_check_stands_in_the_way_by_name(made: Any, bed: Any, missing: int) -> None:
    page = made.PAGES[made.TIDES]
    cases: list[tuple[Any, str]] = [
        (made.visit(made.TIDES, page, status=404), PARAGRAPH),
        (page, "Salmon climb the weir in autumn, and nobody knows why they do."),
        (page, "The moon raises three tides a day."),
        (made.html("On tides", [made.MOON], author=""), PARAGRAPH),
        (made.html("On tides", [made.MOON], references=0), PARAGRAPH),
    ]
    answer, quote = cases[missing]
    found = of(made, bed, quote, answer)
    assert (found.validated, checks(found)[missing]) == (False, False)
    assert f"{CHECKS[missing]} is false: " in (found.rejection_reason or "")


def test_the_reason_says_how_to_relax_or_attest(made: Any, bed: Any) -> None:
    found = of(made, bed, answer=made.html("On tides", [made.MOON], author="", references=0))
    assert "pincite research attest" in found.rejection_reason
    assert "required-checks" in found.rejection_reason


def test_an_author_who_is_named_once_is_not_known(made: Any, bed: Any) -> None:
    page = b'<title>On tides</title><meta name="author" content="Mira Holt"><p>' + PARAGRAPH.encode()
    found = of(made, bed, answer=page)
    assert (found.validation_details.author_verified, found.validated) == (None, False)
    assert "author_verified is not known" in found.rejection_reason


def test_relaxed_checks_are_named_in_the_result(made: Any, bed: Any) -> None:
    page = made.html("On tides", [made.MOON], references=0)
    relaxed = ("url_reachable", "quote_found", "quote_verbatim", "author_verified")
    found = of(made, bed, answer=page, settings=ResearchSettings(required_checks=relaxed))
    assert (found.evidence.required, checks(found)[4]) == (relaxed, False)
    low = found.credibility_score < 5
    assert found.validated is not low and ("credibility" in (found.rejection_reason or "")) is low


def test_no_required_check_at_all_is_said(made: Any, bed: Any) -> None:
    found = of(made, bed, answer=made.PAGES[made.TIDES], settings=ResearchSettings(required_checks=()))
    assert any("no check was required" in warning for warning in found.evidence.warnings)


def test_low_credibility_is_rejected_though_every_check_holds(made: Any, bed: Any) -> None:
    page = made.html("On tides", [made.MOON], date="2019-01-01")
    table = bed.top / "table.yaml"
    table.write_text("hosts: {user-generated: [tides.example]}\n")
    found = of(made, bed, answer=page, settings=ResearchSettings(sources="table.yaml"))
    assert found.credibility_score < 5 and not found.validated
    assert "is below 5" in found.rejection_reason


def test_an_attest_author(made: Any, bed: Any) -> None:
    page = made.html("On tides", [made.MOON], author="")
    key = ".research/tides/attestations.yaml"
    attest_author(
        bed.work().root, key, AuthorAttestation(made.TIDES, "Mira Holt", "Jo Reader", "2026-05-03", "asked her")
    )
    found = of(made, bed, answer=page)
    assert (found.validation_details.author_verified, found.validation_details.author) == (True, "Mira Holt")
    assert found.evidence.attested == "Mira Holt, attested by Jo Reader on 2026-05-03"
    other = of(made, bed, url=made.HARBOUR, answer=made.html("The harbour", [made.MOON], author=""))
    assert (other.validation_details.author_verified, other.evidence.attested) == (False, "")


@pytest.mark.parametrize(
    ("kind", "reachable"),
    [
        ("unresolved", False),
        ("unreachable", False),
        ("timeout", False),
        ("tls", False),
        ("redirects", False),
        ("robots", None),
        ("busy", None),
        ("forbidden-address", None),
        ("too-large", None),
        ("type", None),
    ],
)
def test_no_answer(made: Any, bed: Any, kind: str, reachable: bool | None) -> None:
    found = of(made, bed, answer=FetchFailure(kind, f"{made.TIDES}: {kind} it was; do this"))
    assert checks(found) == (reachable, None, None, None, None)
    assert (found.validated, found.evidence.availability) == (False, "unavailable")
    assert "do this" in found.rejection_reason
    assert "url_reachable" in found.rejection_reason


def test_offline_without_a_snapshot_nothing_is_known(made: Any, bed: Any) -> None:
    found = of(made, bed, offline=True)
    assert checks(found) == (None,) * 5
    assert "--offline" in found.rejection_reason


def test_a_damaged_snapshot_blocks_its_quotes(made: Any, bed: Any) -> None:
    bed.snapshots({made.TIDES: made.PAGES[made.TIDES]})
    (file,) = (bed.folder / "snapshots").iterdir()
    from gzip import decompress

    plain = file.with_suffix("")
    plain.write_bytes(decompress(file.read_bytes()).replace(b"two tides", b"six tides"))
    file.unlink()
    for quote in (PARAGRAPH, "The moon raises six tides a day."):
        found = of(made, bed, quote, offline=True)
        assert checks(found) == (None,) * 5
        assert (found.validated, found.evidence.availability) == (False, "unavailable")
        assert "damaged" in found.rejection_reason
    healed = of(made, bed, answer=made.PAGES[made.TIDES], at=made.NOW)
    assert (healed.validated, healed.evidence.retrieved) == (True, made.NOW)


def test_a_page_that_needs_script_says_so(made: Any, bed: Any) -> None:
    shell = b'<title>T</title><div id="root"></div><noscript>Enable JavaScript.</noscript><script src="a.js"></script>'
    found = of(made, bed, answer=shell)
    assert checks(found)[:3] == (True, None, None)
    assert (found.validated, "runs scripts" in found.rejection_reason) == (False, True)


def test_what_is_no_page_is_not_searched(made: Any, bed: Any) -> None:
    image = made.visit(made.TIDES, b"\x89PNG\r\n\x1a\n" + b"\0" * 50, headers=(("Content-Type", "image/png"),))
    found = of(made, bed, answer=image)
    assert checks(found)[:3] == (True, None, None)
    assert "neither HTML nor text nor PDF" in found.rejection_reason


def test_a_pdf(made: Any, bed: Any, make_pdf: Callable[..., bytes]) -> None:
    data = make_pdf(
        ["On tides", "The moon raises two tides a day.\nReferences\n[1] A. Other, A book, 2020."], title="On tides"
    )
    found = of(made, bed, answer=made.visit(made.TIDES, data, headers=(("Content-Type", "application/pdf"),)))
    assert checks(found)[:3] == (True, True, True)
    assert (found.evidence.page, "page 2" in found.evidence.reasons["quote_found"]) == (2, True)
    assert found.validation_details.author_verified is None
    near = of(made, bed, "The moon raises two tides a week.")
    assert (checks(near)[:3], near.evidence.page) == ((True, True, False), 2)


def test_a_quote_of_a_pdf_goes_on_behind_a_page_break(made: Any, bed: Any, pdfs: Any) -> None:
    answer = made.visit(made.TIDES, pdfs.broken_pdf(), headers=(("Content-Type", "application/pdf"),))
    found = of(made, bed, pdfs.BROKEN_QUOTE, answer=answer)
    assert checks(found)[:3] == (True, True, True)
    assert (found.evidence.page, found.evidence.before[-10:], found.evidence.after[:8]) == (1, "sets were ", ", and in")
    near = of(made, bed, pdfs.BROKEN_QUOTE.replace("upside", "right side"))
    assert checks(near)[:3] == (True, True, False)


def test_a_scan_leaves_a_quote_untold(made: Any, bed: Any, make_pdf: Callable[..., bytes]) -> None:
    data = make_pdf(["On tides, by nobody in particular", "", ""])
    found = of(made, bed, answer=made.visit(made.TIDES, data, headers=(("Content-Type", "application/pdf"),)))
    assert checks(found)[:3] == (True, None, None)
    assert "2 of 3 pages cannot be read: page 2 holds no text (a scan?)" in found.rejection_reason


def test_plain_text(made: Any, bed: Any) -> None:
    text = made.visit(
        made.TIDES, b"On tides\n\nThe moon raises\ntwo tides a day.\n", headers=(("Content-Type", "text/plain"),)
    )
    found = of(made, bed, answer=text)
    assert checks(found)[:3] == (True, True, True)
    assert (found.evidence.folded, found.validation_details.author_verified) == (("white space",), None)


def test_a_near_miss(made: Any, bed: Any) -> None:
    found = of(made, bed, "The moon raises three tides a day.", made.PAGES[made.TIDES])
    assert checks(found)[:3] == (True, True, False)
    assert found.evidence.nearest.startswith("The moon raises two tides a day")
    assert any("two" in edit and "three" in edit for edit in found.evidence.edits)
    assert "quote_verbatim is false: not verbatim: the page has “two”" in found.rejection_reason


def test_a_declared_omission_is_not_verbatim(made: Any, bed: Any) -> None:
    found = of(made, bed, "The moon … two tides a day.", made.PAGES[made.TIDES])
    assert checks(found)[:3] == (True, True, False)
    assert "omission" in found.rejection_reason


@pytest.mark.parametrize("gone", ["404", "unresolved", "rewritten"])
def test_archived_is_not_lost(made: Any, bed: Any, gone: str) -> None:
    bed.snapshots({made.TIDES: made.PAGES[made.TIDES]})
    answers: dict[str, Any] = {
        "404": made.visit(made.TIDES, b"gone", made.NOW, 404),
        "unresolved": None,
        "rewritten": made.html("On tides", ["Nothing of it is left."]),
    }
    found = of(made, bed, answer=answers[gone], at=made.NOW, refresh=True)
    assert (found.validated, found.evidence.availability, found.evidence.retrieved) == (True, "archived", made.THEN)
    assert found.evidence.warnings[0].startswith("archived: ")
    if gone != "unresolved":
        again = of(made, bed, offline=True)
        assert again == found


def test_a_snapshot_without_digests_is_warned_of(made: Any, bed: Any) -> None:
    body = made.PAGES[made.TIDES]
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789abc>\r\n"
        f"WARC-Date: {made.THEN}\r\nWARC-Target-URI: {made.TIDES}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    (bed.folder / "snapshots").mkdir()
    (bed.folder / "snapshots/other.warc").write_bytes(head.encode() + answer + b"\r\n\r\n")
    found = of(made, bed, offline=True)
    assert found.validated
    assert any("no digest" in warning for warning in found.evidence.warnings)


def test_another_title_is_warned_of(made: Any, bed: Any) -> None:
    found = of(made, bed, answer=made.html("Something else", [made.MOON]))
    assert any("“Something else”" in warning for warning in found.evidence.warnings)
    assert found.validated


def test_a_page_is_scored_on_the_day_it_was_retrieved(made: Any, bed: Any) -> None:
    young = of(made, bed, answer=made.PAGES[made.TIDES])
    bed.keep(made.visit(made.HARBOUR, made.PAGES[made.TIDES], "2029-01-01T00:00:00Z"))
    old = of(made, bed, url=made.HARBOUR, offline=True)
    assert young.credibility_score - old.credibility_score == 2
    assert any("older than 2 years" in line for line in old.evidence.credibility)


def test_offline_repeats_byte_for_byte(made: Any, bed: Any) -> None:
    rows = [
        *made.ROWS,
        ("Gone.", "Gone.", "https://gone.example/"),
        ("Moved.", "The moon raises two tides a day.", "https://old.example/moon"),
        ("Wrong.", "The harbour is 15 metres deep at low water.", made.HARBOUR),
    ]
    bed.given(rows)
    answers = made.PAGES | {
        "https://gone.example/": made.visit("https://gone.example/", b"", status=404),
        "https://old.example/moon": made.visit(
            made.TIDES, made.PAGES[made.TIDES], "2026-05-01T08:00:03Z", via="https://old.example/moon"
        ),
    }
    fetched = validate_topic(bed.work(made.Fetching(answers)))
    first = bed.file(VALIDATE).read_bytes()
    assert [one.validated for one in fetched.citations] == [True] * 6 + [False, True, False]
    validate_topic(bed.work(offline=True))
    assert bed.file(VALIDATE).read_bytes() == first
    bed.file(VALIDATE).unlink()
    validate_topic(bed.work(offline=True))
    assert bed.file(VALIDATE).read_bytes() == first


@pytest.mark.parametrize("form", ["json", "citations"])
def test_other_ways_to_write_the_input(made: Any, held: Any, form: str) -> None:
    validate_topic(held.work(offline=True))
    usual = held.file(VALIDATE).read_text().split("validated_citations:")[1]
    yaml = held.file(EXTRACT).read_text()
    if form == "json":
        held.file(EXTRACT).unlink()
        held.write(EXTRACT, [made.citation(*row) for row in made.ROWS], ".json")
    else:
        held.file(EXTRACT).write_text(yaml.replace("extracted_citations:", "citations:"))
    validate_topic(held.work(offline=True))
    assert held.file(VALIDATE).read_text().split("validated_citations:")[1] == usual


def test_a_json_output_stays_json(made: Any, held: Any) -> None:
    held.file(VALIDATE, ".json").write_text("{}")
    validate_topic(held.work(offline=True))
    assert held.file(VALIDATE, ".json").read_bytes().startswith(b'{\n  "made"')
    assert not held.file(VALIDATE).exists()


def test_nothing_is_fetched_for_a_table_that_cannot_be_read(made: Any, bed: Any) -> None:
    (bed.top / "table.yaml").write_text("- - [")
    with pytest.raises(Exception, match=r"table\.yaml"):
        validate_topic(bed.work(settings=ResearchSettings(sources="table.yaml")))


def test_too_few_are_refused_and_nothing_is_written(made: Any, bed: Any) -> None:
    bed.file(VALIDATE).write_text("what was there\n")
    bed.snapshots({made.TIDES: made.PAGES[made.TIDES]})
    bed.given([made.ROWS[0], made.ROWS[2], made.ROWS[4]])
    with pytest.raises(
        Aborted, match=r"source-validator: 1 citations? of 3 validated; at least 2 citations needed"
    ) as caught:
        validate_topic(bed.work(offline=True))
    assert len(caught.value.result.citations) == 3  # type: ignore[attr-defined]
    assert bed.file(VALIDATE).read_text() == "what was there\n"
    assert not [name for name in bed.state() if "pincite" in name]


@pytest.mark.parametrize("required", [None, ("quote_found", "quote_verbatim")])
def test_a_way_over_http_costs_credibility_and_is_refused(made: Any, bed: Any, required: Any) -> None:
    page = made.visit(made.TIDES, made.PAGES[made.TIDES])
    step = Exchange("http://tides.example/moon", 301, "Moved", (("Location", made.TIDES),), b"")
    first = Exchange(made.TIDES, 301, "Moved", (("Location", step.url),), b"")
    bed.snapshots({made.HARBOUR: made.PAGES[made.HARBOUR], made.WEIR: made.PAGES[made.WEIR]})
    bed.keep(Visit(made.TIDES, made.THEN, (first, step, page.answer)))
    settings = ResearchSettings(required_checks=required) if required else ResearchSettings()
    found = validate_topic(bed.work(offline=True, settings=settings)).citations
    over, plain = found[0], found[2]
    assert (over.validated, plain.validated) == (False, True)
    assert "leads over http://tides.example/moon" in (over.rejection_reason or "")
    assert over.credibility_score == plain.credibility_score - 2
    assert any("redirected over http://tides.example/moon" in line for line in over.evidence.credibility)


def test_a_source_type_against_the_table_is_told(made: Any, bed: Any) -> None:
    wiki = "https://en.wikipedia.org/wiki/Tide"
    bed.given([*made.ROWS, ("Tides rise.", "Tides rise.", wiki)])
    found = validate_topic(bed.snapshots().work(offline=True)).citations
    assert any("declared secondary, and a tertiary source" in line for line in found[-1].evidence.warnings)
    assert not any("source_type" in line for one in found[:-1] for line in one.evidence.warnings)


def test_an_unsure_date_is_given_with_its_reason(made: Any, bed: Any) -> None:
    page = made.PAGES[made.TIDES]
    head = b'<meta property="article:published_time" content="2024-01-01">'
    found = of(made, bed, answer=page.replace(b"</title>", b"</title>" + head, 1))
    assert found.validation_details.publication_date is not None
    assert found.evidence.reasons["publication_date"].startswith("unsure: ")
    assert "2024-01-01" in found.evidence.reasons["publication_date"]


def test_the_text_of_validate_says_that_a_date_is_unsure(made: Any, bed: Any) -> None:
    from pincite.doors.cli.research_validate import _source

    page = made.PAGES[made.TIDES]
    head = b'<meta property="article:published_time" content="2024-01-01">'
    found = of(made, bed, answer=page.replace(b"</title>", b"</title>" + head, 1))
    plain: Any = lambda text, *_: text  # noqa: E731
    shown = "\n".join(_source(found, plain))
    assert "unsure: " in next(line for line in shown.split("\n") if "publication_date" in line)
