"""Citations in the corpus's own words: each rule, with what it refuses and what it does not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.corpus.audit import open_validator
from pincite.domains.corpus.validation import ValidatedDocument
from pincite.project.config import Config, CorpusSettings
from pincite.safe.files import Root

VOICE = """---
title: Voice
page_range: 81-97
sections:
  - {name: Introduction, pages: 81-84}
  - {name: Methods, pages: 85-90}
key_quotes:
  - {quote: Readers prefer one voice to many voices, page: 86, section: Methods, validated: true, validator: "@ann"}
  - {quote: Nobody looked at this sentence yet, page: 82}
---
"""
COUNTED = "---\ntitle: Counted\ntotal_pages: 32\n---\n"
BARE = "---\ntitle: Bare\n---\n"

Validate = Callable[..., ValidatedDocument]


@pytest.fixture
def validate(tmp_path: Path) -> Validate:
    folder = tmp_path / ".aiwg/research/corpus"
    folder.mkdir(parents=True)
    (folder / "REF-043-voice.md").write_text(VOICE)
    (folder / "REF-021-counted.md").write_text(COUNTED)
    (folder / "REF-005-bare.md").write_text(BARE)
    (folder / "REF-007-one.md").write_text(BARE)
    (folder / "REF-007-two.md").write_text(BARE)

    def run(text: str, config: Config | None = None, path: str = "a.md") -> ValidatedDocument:
        with Root(str(tmp_path)) as root:
            return open_validator(root, config or Config(), lambda: None).validate(path, text.encode())

    return run


@pytest.mark.parametrize(
    ("text", "status", "checks"),
    [
        ("So it is [REF-043].", "valid", (True, None, None, None)),
        ("So it is (REF-043).", "valid", (True, None, None, None)),
        ("So it is [REF-043, p.81].", "valid", (True, True, None, None)),
        ("So it is [REF-043, p. 97].", "valid", (True, True, None, None)),
        ("So it is [REF-043, pp. 82-83].", "valid", (True, True, None, None)),
        ("So it is [REF-043, p.86].", "valid", (True, True, True, None)),
        ("So it is [REF-043, Methods, p.86].", "valid", (True, True, True, None)),
        ("So it is [REF-021, p.32].", "valid", (True, True, None, None)),
        # What nobody recorded is not known, which is not the same as right.
        ("So it is [REF-005, p.3].", "valid", (True, None, None, None)),
        # C4: the range of a journal wins over counting from 1.
        ("So it is [REF-043, p.15].", "warning", (True, False, None, None)),
        ("So it is [REF-043, pp. 96-98].", "warning", (True, False, None, None)),
        ("So it is [REF-021, p.33].", "warning", (True, False, None, None)),
        ("So it is [REF-021, p.0].", "warning", (True, False, None, None)),
        ("So it is [REF-043, Introduction, p.86].", "warning", (True, True, False, None)),
        ("So it is [REF-043, Section Appendix, p.86].", "warning", (True, True, False, None)),
        ("So it is [REF-099].", "invalid", (False, None, None, None)),
        ("So it is [REF-099, p.3].", "invalid", (False, None, None, None)),
        # C8, C1
        ("So it is [REF-007].", "invalid", (None, None, None, None)),
        ("So it is [REF-0435].", "invalid", (None, None, None, None)),
    ],
)
def test_statuses_and_checks(validate: Validate, text: str, status: str, checks: tuple[bool | None, ...]) -> None:
    found = validate(text)
    assert [result.status for result in found.results] == [status]
    said = found.results[0].checks
    assert (said.in_corpus, said.page_valid, said.section_consistent, said.quote_verified) == checks


def test_a_validated_key_quote_vouches_for_a_quote_without_a_pdf(validate: Validate) -> None:
    good = validate("“Readers prefer one voice to many voices” [REF-043, p.86].")
    moved = validate("“Readers prefer one voice to many voices” [REF-043, p.83].")
    unsigned = validate("“Nobody looked at this sentence yet” [REF-043, p.82].")
    unknown = validate("“Readers prefer many voices to one voice” [REF-043, p.86].")
    seen = [found.results[0].checks.quote_verified for found in (good, moved, unsigned, unknown)]
    assert seen == [True, False, None, None]


def test_what_is_said_of_an_absent_paper_is_the_policys(validate: Validate, tmp_path: Path) -> None:
    plain = validate("It [REF-099].").results[0].issues[0]
    assert plain.severity == "critical"
    assert plain.message == "Citation not in corpus whitelist"
    assert plain.suggestion == "Remove citation or add source to corpus first"
    (tmp_path / "citation-integrity.yaml").write_text(
        'version: "1.0.0"\nretrieval_first_policy: {}\npage_validation: {}\nwhitelist_enforcement:\n'
        "  enforcement_levels:\n    validation_level:\n"
        "      on_violation: {severity: warning, message: Not ours, action: Ask Ann}\n"
    )
    changed = validate("It [REF-099].").results[0]
    assert changed.status == "warning"
    assert (changed.issues[0].message, changed.issues[0].suggestion) == ("Not ours", "Ask Ann")


def test_an_ignored_finding_does_not_count_and_stays_true(validate: Validate) -> None:
    found = validate("It [REF-099]. <!-- pincite: ignore not-in-corpus -->\n").results[0]
    assert found.status == "valid"
    assert found.issues == ()
    assert found.checks.in_corpus is False


def test_an_ignored_malformed_citation_is_left_out(validate: Validate) -> None:
    loud = validate("It [REF-043, p.].\n")
    assert [result.status for result in loud.results] == ["invalid"]
    quiet = validate("It [REF-043, p.]. <!-- pincite: ignore malformed-citation -->\n")
    assert quiet.results == ()


def test_equal_citations_are_each_a_result(validate: Validate) -> None:
    found = validate("A [REF-043, p.81]. B [REF-043, p.81].\n\nC [REF-043, p.81].")
    assert [(result.line, result.column) for result in found.results] == [(1, 3), (1, 22), (3, 3)]


def test_switched_off_page_validation_checks_nothing(validate: Validate, tmp_path: Path) -> None:
    (tmp_path / "citation-integrity.yaml").write_text(
        'version: "1.0.0"\nretrieval_first_policy: {}\nwhitelist_enforcement: {}\npage_validation: {enabled: false}\n'
    )
    found = validate("So it is [REF-043, p.15].").results[0]
    assert found.checks.page_valid is None
    assert found.status == "valid"


def test_receipts_can_be_demanded(validate: Validate) -> None:
    config = Config(corpus=CorpusSettings(require_receipts=True))
    found = validate("So it is [REF-043, p.81].", config).results[0]
    assert found.status == "invalid"
    assert "receipt" in found.issues[0].message.lower()


def test_a_document_that_is_no_text_is_an_error(tmp_path: Path, validate: Validate) -> None:
    with Root(str(tmp_path)) as root:
        found = open_validator(root, Config(), lambda: None).validate("a.md", b"[REF-043] \xff\xfe")
    assert "UTF-8" in found.error
    assert found.results == ()


@given(st.text(st.sampled_from('REF-0439[](),;.pP §\n“”"-x1'), max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / ".aiwg/research/corpus"
        corpus.mkdir(parents=True)
        (corpus / "REF-043-x.md").write_text(VOICE)
        with Root(folder) as root:
            found = open_validator(root, Config(), lambda: None).validate("a.md", text.encode())
    for result in found.results:
        assert result.status in ("valid", "invalid", "warning")
        assert result.status == "valid" or result.issues
        assert text.split("\n")[result.line - 1][result.column - 1 :]
