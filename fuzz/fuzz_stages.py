"""Stage files of any kind: entries and problems with their places, or one error that names the file."""

from __future__ import annotations

import json

import engine

with engine.instrumented():
    from pincite.core.errors import PinciteError
    from pincite.domains.research.model import STAGES
    from pincite.domains.research.stage_file import StageFile, load_bytes
    from pincite.domains.research.stage_joins import join
    from pincite.domains.research.stage_parser import read_tree
    from pincite.domains.research.stage_writer import dump
    from pincite.project.policy.schema import plain


def law(data: bytes) -> None:
    """Loading never raises but to refuse the file; what was loaded is written and loads back the same."""
    found: dict[str, StageFile] = {}
    for stage in STAGES:
        for form in ("yaml", "json"):
            loaded = _load(data, f"x.{form}", stage)
            if loaded is not None:
                found[stage] = loaded
                _places(loaded, data)
                _again(loaded)
    list(join(found))
    _json(data)


def _load(data: bytes, key: str, stage: str) -> StageFile | None:
    try:
        return load_bytes(data, key, stage, today="2026-11-16")
    except PinciteError as error:
        assert error.exit_code == 2 and key in str(error), error
        return None


def _places(loaded: StageFile, data: bytes) -> None:
    """Every problem has a line of the file, and every item its position."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert len(loaded.items) == len(loaded.positions) == len(loaded.types) <= loaded.total
    for problem in loaded.problems:
        assert 1 <= problem.line <= lines, problem
        assert problem.rule and problem.message and problem.remedy, problem
    for index in range(len(loaded.items)):
        assert 1 <= loaded.line(index, "claim") <= lines


def _again(loaded: StageFile) -> None:
    """What is written has the same entries."""
    for form in ("yaml", "json"):
        again = load_bytes(dump(loaded.stage, loaded.items, loaded.rejected, None, form), f"x.{form}", loaded.stage)
        assert (again.items, again.rejected) == (loaded.items, loaded.rejected)


def _json(data: bytes) -> None:
    """What is read as JSON is JSON, and means the same."""
    try:
        tree = read_tree(data, "x.json")
    except PinciteError:
        return
    assert json.loads(data.decode("utf-8-sig")) == plain(tree.top)


if __name__ == "__main__":
    citation = (
        "claim: 'a', quote: 'b. c.', source_url: 'https://a.example/', source_type: primary, page_title: t,"
        " accessed_date: 2026-10-20"
    )
    details = "validation_details: {url_reachable: true, quote_found: null, publication_date: 2020-01-01, author: A}"
    engine.main(
        law,
        seeds=[
            b"results:\n  - result_id: 1\n    title: t\n    url: https://a.example/\n    snippet: s\n"
            b"    source_type: primary\n    accessed_date: '2026-10-20'\n",
            f"citations:\n  - {{{citation}, confidence: low}}\n".encode(),
            f"validated_citations:\n  - {{{citation}, validated: true, credibility_score: 9, {details},"
            " rejection_reason: null}}\n".encode(),
            b"grounded_claims:\n  - {claim_id: 1, claim: a, citation_id: 1, citation_url: 'https://a.example/',"
            b" citation_quote: b, confidence: high, reasons: [{rule: r, text: t, spans: [[0, 1]]}]}\n"
            b"rejected_claims:\n  - {rejected_id: 1, claim: c, verdict: not shown}\n",
            b'{"results": [{"result_id": 1e0, "title": "\\ud83d\\ude00"}], "x": [true, null, -0.5]}',
            b"---\nresults: []\n",
        ],
        tokens=[
            *("results:\n  - ", "extracted_citations:", "validated_citations:", "grounded_claims:", "rejected_claims:"),
            *("result_id: 1\n", "claim_id: ", "citation_id: ", "source_url: ", "https://", "http://", "2026-02-30"),
            *("null", "true", "9.0", ".nan", "1e400", "&a", "*a", "!!str ", "<<: ", '"\\ud800"', "\\u0041", "|\n  "),
        ],
    )
