"""The published schemas: valid themselves, with exactly the fields of the records, and shipped with the package."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct, structs

from pincite.core.errors import UsageError
from pincite.domains.research.attestations import Attestations, AuthorAttestation, ClaimAttestation
from pincite.domains.research.model import (
    CONFIDENCES,
    EXTRACT,
    GROUND,
    KEYS,
    LONGEST_QUOTE,
    LOWEST_CREDIBILITY,
    SEARCH,
    SOURCE_TYPES,
    STAGES,
    VALIDATE,
    Details,
    RejectedClaim,
    SeenEvidence,
)
from pincite.domains.research.schemas import NAMES, schema, schema_text
from pincite.domains.research.stage_file import TYPES
from pincite.domains.research.stage_rules import FEWEST
from pincite.domains.research.stage_values import KINDS
from pincite.judge.model import Reason

CHECKING = ("stage_values", "stage_shape", "stage_rules", "stage_file", "stage_joins", "recheck", "stage_check")
OTHERS = {"required-checks"}
ENTRIES = {SEARCH: "result", EXTRACT: "citation", VALIDATE: "citation", GROUND: "claim"}
RECORDS: list[tuple[str, str, type[Struct]]] = [
    *((stage, ENTRIES[stage], TYPES[stage]) for stage in STAGES),
    (VALIDATE, "details", Details),
    (VALIDATE, "evidence", SeenEvidence),
    (GROUND, "rejected", RejectedClaim),
    (GROUND, "reason", Reason),
    ("attestations", "author", AuthorAttestation),
    ("attestations", "claim", ClaimAttestation),
]


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_and_tell_themselves_apart(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:pincite:research:{name}:1"
    assert json.loads(schema_text(name)) == schema(name)


def test_there_is_no_other_schema() -> None:
    folder = Path(__file__).resolve().parents[3] / "src/pincite/schemas"
    assert {path.name for path in folder.glob("research-*")} == {f"research-{name}.schema.json" for name in NAMES}
    with pytest.raises(UsageError, match="no such schema; there are search-agent, citation-extractor"):
        schema_text("../../errors.py")


@pytest.mark.parametrize(("name", "part", "record"), RECORDS)
def test_schemas_have_the_fields_of_the_records(name: str, part: str, record: type[Struct]) -> None:
    shape = schema(name)["$defs"][part]
    fields = structs.fields(record)
    # A grounded claim may repeat the type of its page, which is compared and not kept.
    assert set(shape["properties"]) - {"source_type"} == {field.name for field in fields} - {"source_type"}
    assert shape.get("required", []) == [field.name for field in fields if field.required]


def test_attestations_have_the_lists_of_the_record() -> None:
    assert list(schema("attestations")["properties"]) == [field.name for field in structs.fields(Attestations)]


@pytest.mark.parametrize("stage", STAGES)
def test_numbers_are_those_of_the_rules(stage: str) -> None:
    shape = schema(stage)
    entries = shape["properties"][KEYS[stage]]
    fewest = entries["allOf"][0]["minContains"] if stage == VALIDATE else entries["minItems"]
    assert fewest == FEWEST[stage]
    leaves = shape["$defs"]
    if "quote" in leaves:
        assert f"{{0,{LONGEST_QUOTE - 1}}}" in leaves["quote"]["pattern"]
    if "source_type" in leaves:
        assert leaves["source_type"]["enum"] == list(SOURCE_TYPES)
    if "confidence" in leaves:
        assert leaves["confidence"]["enum"] == list(CONFIDENCES)
    if stage == VALIDATE:
        assert entries["allOf"][1]["contains"]["properties"]["credibility_score"]["minimum"] == LOWEST_CREDIBILITY
        assert leaves["citation"]["then"]["properties"]["credibility_score"]["minimum"] == LOWEST_CREDIBILITY


def test_kinds_are_the_same_in_every_schema() -> None:
    seen: dict[str, object] = {}
    for name in NAMES:
        for kind, leaf in schema(name)["$defs"].items():
            if kind in KINDS:
                assert seen.setdefault(kind, leaf) == leaf
    assert set(seen) == set(KINDS)


def test_the_page_names_every_field_and_every_rule() -> None:
    top = Path(__file__).resolve().parents[3]
    page = (top / "docs/reference/research-files.md").read_text(encoding="utf-8")
    fields, rules = page.split("\n## Rules\n")
    named = set(re.findall(r"`(?:validation_details\.)?([a-z_]+)`", fields))
    shapes = [schema(name)["$defs"][part]["properties"] for name, part, _ in RECORDS[:5] + RECORDS[6:7]]
    assert {field for shape in shapes for field in shape} - {"validation_details"} <= named
    sources = (top / "src/pincite/domains/research").glob("*.py")
    code = " ".join(path.read_text(encoding="utf-8") for path in sources if path.stem in CHECKING)
    known = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code)) - {*NAMES, "utf-8"} | {"empty"}
    assert {rule for rule in re.findall(r"`([a-z]+(?:-[a-z]+)*)`°?[,| ]", rules) if "-" in rule} - OTHERS <= known
    assert known <= set(re.findall(r"`([a-z-]+)`", rules))
