"""The policy: the published schema is obeyed, and what cannot be obeyed is named with its place."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.project.config import POLICIES
from pincite.project.policy import LoadedPolicy, Policy, get_policy, load_policy, read_policy
from pincite.project.policy.model import fill_policy
from pincite.project.policy.schema import ProblemCollector, check_shape, defaults, plain, schema, schema_text
from pincite.safe.files import Root
from pincite.text.yaml import FrontmatterError, load

SCHEMA = json.loads(files("pincite").joinpath("schemas/citation-integrity.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
LEAST = "version: 1.0.0\nretrieval_first_policy: {}\nwhitelist_enforcement: {}\npage_validation: {}\n"


def policy_of(text: str) -> Policy:
    policy = read_policy(text, "p.yaml").policy
    assert policy is not None
    return policy


def said(loaded: LoadedPolicy | None) -> list[tuple[int, str, str]]:
    assert loaded is not None
    return [(problem.line, problem.place, problem.severity) for problem in loaded.problems]


def whitelist(rows: str) -> str:
    return LEAST.replace("whitelist_enforcement: {}\n", "whitelist_enforcement:\n" + rows)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "https://aiwg.io/schemas/citation-integrity/v1"
    assert SCHEMA["required"] == ["version", "retrieval_first_policy", "whitelist_enforcement", "page_validation"]
    assert json.loads(schema_text()) == SCHEMA == schema()


def test_every_default_obeys_the_schema() -> None:
    assert VALID.is_valid(defaults())
    assert read_policy(json.dumps(defaults()), "p.json").problems == ()


def test_what_is_not_said_is_default() -> None:
    policy = policy_of(LEAST)
    assert policy == Policy()
    assert (policy.corpus_path, policy.whitelist, policy.pages, policy.retrieval_first) == (
        ".aiwg/research/corpus",
        True,
        True,
        True,
    )
    assert policy.allowed == {"bracket", "parenthesis", "page", "section"}
    assert policy.forbidden == {"author-year-parenthesis", "numeric", "author-year-narrative", "any-other"}
    assert (policy.severity, policy.commit_level) == ("error", None)
    assert policy.violation["message"] == "Citation not in corpus whitelist"
    assert policy.violation["action"] == "Remove citation or add source to corpus first"
    retrieval = policy.at("retrieval_first_policy")
    assert len(retrieval["prohibited_actions"]) == len(retrieval["required_workflow"])


def test_a_policy_mirrors_the_schema() -> None:
    whole = defaults()
    del whole["whitelist_enforcement"]["enforcement_levels"]["commit_level"]["enabled"]
    assert Policy().data == whole
    assert [*Policy().data] == [*SCHEMA["properties"]]


def test_a_part_keeps_the_defaults_beside_it() -> None:
    policy = policy_of(
        whitelist(
            "  enforcement_levels:\n    validation_level:\n      on_violation: {message: Not ours}\n"
            "    commit_level: {enabled: false}\n  corpus_path: ./docs//papers/\n"
            "  allowed_citation_formats: ['[ref-xxx]', '[REF-XXX,  p. XX]']\n  forbidden_citation_formats: []\n"
        ).replace("page_validation: {}", "page_validation: {enabled: false}")
    )
    assert (policy.violation["message"], policy.severity, policy.commit_level) == ("Not ours", "error", False)
    assert policy.violation["action"] == Policy().violation["action"]
    assert (policy.corpus_path, policy.pages, policy.whitelist) == ("docs/papers", False, True)
    assert (policy.allowed, policy.forbidden) == ({"bracket", "page"}, frozenset())


@pytest.mark.parametrize(
    ("written", "meant"),
    [*((w, "error") for w in ("critical", "error", "HIGH")), *((w, "warning") for w in ("warning", "medium"))]
    + [(w, "note") for w in ("info", "low", "note")],
)
def test_severities(written: str, meant: str) -> None:
    rows = f"  enforcement_levels: {{validation_level: {{on_violation: {{severity: {written}}}}}}}\n"
    assert policy_of(whitelist(rows)).severity == meant


@pytest.mark.parametrize(
    "path", ["../papers", "a/../../b", "/papers", "~/papers", "C:/papers", "a\\b", "", " ", "a\x00b"]
)
def test_a_corpus_outside_the_root_is_a_problem(path: str) -> None:
    loaded = read_policy(whitelist(f"  corpus_path: {json.dumps(path)}\n"), "p.yaml")
    assert (loaded.policy, said(loaded)) == (None, [(4, "whitelist_enforcement.corpus_path", "error")])


@pytest.mark.parametrize("path", [".", "./", "a..b/c", "...", "Ünïcode/…"])
def test_a_corpus_inside_the_root_is_none(path: str) -> None:
    policy = policy_of(whitelist(f"  corpus_path: {json.dumps(path)}\n"))
    assert policy.corpus_path == (path.strip("/") if path != "./" else ".")


@pytest.mark.parametrize("pattern", [r"REF-\d{3}", "REF-[0-9]{3}", r"\bREF-\d\d\d\b", r"^(REF-\d{3})$"])
def test_the_one_pattern_can_be_written_in_many_ways(pattern: str) -> None:
    rows = f"  enforcement_levels: {{validation_level: {{check_pattern: '{pattern}'}}}}\n"
    assert said(read_policy(whitelist(rows), "p.yaml")) == []


@pytest.mark.parametrize("pattern", [r"REF-\d{4}", r"DOC-\d{3}", "(" * 50, ""])
def test_another_pattern_is_a_warning(pattern: str) -> None:
    rows = f"  enforcement_levels:\n    validation_level: {{check_pattern: '{pattern}'}}\n"
    loaded = read_policy(whitelist(rows), "p.yaml")
    place = "whitelist_enforcement.enforcement_levels.validation_level.check_pattern"
    assert said(loaded) == [(5, place, "warning")]
    assert loaded.policy is not None
    assert "ids stay REF- and three digits" in loaded.problems[0].message


def test_formats_are_known_or_a_problem() -> None:
    rows = "  allowed_citation_formats:\n    - '[REF-XXX]'\n    - '[1]'\n  forbidden_citation_formats: ['<x>']\n"
    loaded = read_policy(whitelist(rows), "p.yaml")
    assert said(loaded) == [
        (6, "whitelist_enforcement.allowed_citation_formats[1]", "error"),
        (7, "whitelist_enforcement.forbidden_citation_formats[0]", "error"),
    ]
    assert "belongs to the other list" in loaded.problems[0].message
    assert "known: '(Smith et al., 2023)', '[1]'" in loaded.problems[1].message


@pytest.mark.parametrize(
    "rows",
    [
        "  allowed_citation_formats: []\n",
        "  enforcement_levels: {commit_level: {script: make check}}\n",
        "  colour: red\n",
    ],
)
def test_what_has_no_effect_is_a_warning(rows: str) -> None:
    loaded = read_policy(whitelist(rows), "p.yaml")
    assert [line_place[::2] for line_place in said(loaded)] == [(4, "warning")]
    assert loaded.policy is not None


def test_a_rule_of_ones_own_is_not_obeyed_and_says_so() -> None:
    text = LEAST.replace(
        "page_validation: {}", "page_validation: {validation_rules: {page_existence: {rule: page > 0}}}"
    )
    assert said(read_policy(text, "p.yaml")) == [
        (4, "page_validation.validation_rules.page_existence.rule", "warning"),
    ]


def test_every_problem_is_named_with_its_line() -> None:
    text = (
        "---\n# ours\nversion: 1.0\nretrieval_first_policy:\n  enabled: yes\n  # a comment\n  prohibited_action:\n"
        "    - x\n  required_workflow:\n    - {step: one}\n    - [2]\nwhitelist_enforcement: 3\n"
    )
    loaded = read_policy(text, "p.yaml")
    assert (loaded.parsed, loaded.policy) == (True, None)
    assert said(loaded) == [
        (3, "page_validation", "error"),
        (3, "version", "error"),
        (5, "retrieval_first_policy.enabled", "error"),
        (7, "retrieval_first_policy.prohibited_action", "warning"),
        (10, "retrieval_first_policy.required_workflow[0].step", "error"),
        (11, "retrieval_first_policy.required_workflow[1]", "error"),
        (12, "whitelist_enforcement", "error"),
    ]
    messages = {problem.place: problem.message for problem in loaded.problems}
    assert messages["version"] == "expected text, found 1.0; put it in quotes"
    assert messages["page_validation"] == "is missing; add 'page_validation: {}' to take the default"
    assert "did you mean prohibited_actions?" in messages["retrieval_first_policy.prohibited_action"]


@pytest.mark.parametrize("version", ["1.0", "1.0.0.0", "v1.0.0", "1.0.x", "", "١.0.0", "1.0.0\n", "1..0"])
def test_versions_that_are_none(version: str) -> None:
    loaded = read_policy(LEAST.replace("1.0.0", json.dumps(version)), "p.yaml")
    assert said(loaded) == [(1, "version", "error")]


@pytest.mark.parametrize(
    "text",
    [
        "version: [",
        "a: &x 1\nb: *x\n",
        "a: !!python/object:os.system 1\n",
        "version: 1\nversion: 2\n",
        "a: 1\n---\nb: 2\n",
        "---\n---\n",
        "\x00",
        "a: " + "[" * 5000,
        "x: " + "y" * 70_000,
        "<<: {a: 1}\n",
        "%YAML 1.1\n---\na: 1\n",
    ],
)
def test_what_is_no_plain_yaml_is_one_problem(text: str) -> None:
    loaded = read_policy(text, "p.yaml")
    assert (loaded.parsed, loaded.policy, len(loaded.problems)) == (False, None, 1)
    assert loaded.problems[0].severity == "error"


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "[]", "hello", "null", "3", "~"])
def test_an_empty_file_is_no_policy(text: str) -> None:
    loaded = read_policy(text, "p.yaml")
    assert loaded.policy is None
    assert loaded.problems


def test_a_file_full_of_problems_is_told_the_first() -> None:
    text = whitelist("  allowed_citation_formats: [" + "1," * 20_000 + "]\n")
    assert len(read_policy(text, "p.yaml").problems) == 100


@given(st.text(max_size=200))
def test_reading_never_raises(text: str) -> None:
    loaded = read_policy(text, "p.yaml")
    assert (loaded.policy is None) == any(problem.severity == "error" for problem in loaded.problems)
    last = max(text.count("\n") + text.count("\r") + 1, 1)
    assert all(1 <= problem.line <= last for problem in loaded.problems)


def test_the_schema_of_an_editor_may_be_named() -> None:
    assert read_policy(f"$schema: {SCHEMA['$id']}\n" + LEAST, "p.yaml").problems == ()


# Laws: the walk over the tree, the published schema and the records accept the same policies.

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**12),
    st.sampled_from([1.0, 2.5, -0.0, "1.0.0", "10.20.30", "1.0", "x", "[REF-XXX]", "yes", ""]),
    st.text("abc: #-'\"", max_size=5),
)
_ANY = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
)


def _fitting(shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Data of a shape, most of the time: here and there something else."""
    if "$ref" in shape:
        shape = SCHEMA["$defs"][shape["$ref"].rpartition("/")[2]]
    good: st.SearchStrategy[Any]
    if shape["type"] == "object":
        parts = {key: _fitting(part) for key, part in shape["properties"].items()}
        required = {key: parts[key] for key in shape.get("required", ())}
        optional = {key: part for key, part in parts.items() if key not in required}
        good = st.fixed_dictionaries(required, optional=optional)
    elif shape["type"] == "array":
        good = st.lists(_fitting(shape["items"]), max_size=2)
    else:
        texts = st.text("aé\n ✓'\":#", max_size=6)
        good = {
            "string": st.sampled_from(["1.0.0", "0.1.22"]) if "pattern" in shape else texts,
            "boolean": st.booleans(),
            "integer": st.integers(-9, 9) | st.just(2.0),
        }[shape["type"]]
    return st.integers(0, 40).flatmap(lambda n: good if n else _ANY)


@settings(max_examples=150, deadline=None)
@given(_fitting(SCHEMA))
def test_the_walk_and_the_schema_agree_and_a_filled_policy_has_its_shape(data: Any) -> None:
    for text in (json.dumps(data), yaml.safe_dump(data, allow_unicode=True, sort_keys=False).removesuffix("...\n")):
        try:
            tree = load(text)
        except FrontmatterError:  # an empty key, which no policy has: refused before the schema is asked
            continue
        places = ProblemCollector(text)
        check_shape(tree, places)
        accepted = all(problem.severity == "warning" for problem in places.problems)
        assert accepted == VALID.is_valid(plain(tree)), places.problems
        if accepted:
            whole = fill_policy(plain(tree))
            assert VALID.is_valid(whole)
            assert fill_policy(whole) == whole


@pytest.mark.parametrize("section", SCHEMA["required"])
@pytest.mark.parametrize("value", ["3", "text", "null", "[]", "{}", "true", "{enabled: 1}", "{enabled: null}", "2.5"])
def test_one_wrong_value_is_seen_by_both(section: str, value: str) -> None:
    kept = [row for row in LEAST.splitlines() if not row.startswith(section)]
    text = "\n".join([*kept, f"{section}: {value}"])
    loaded = read_policy(text, "p.yaml")
    assert (loaded.policy is not None) == VALID.is_valid(yaml.safe_load(text))
    assert all(problem.line == 4 for problem in loaded.problems)


# Finding the file.


def test_without_a_file_the_defaults_are_in_force(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        assert load_policy(root) is None
        assert get_policy(root) == Policy()


@pytest.mark.parametrize("key", POLICIES)
def test_a_policy_is_found(tmp_path: Path, key: str) -> None:
    (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
    text = whitelist("  corpus_path: here\n")
    (tmp_path / key).write_text(json.dumps(yaml.safe_load(text)) if key.endswith("json") else "\ufeff" + text)
    with Root(str(tmp_path)) as root:
        loaded = load_policy(root)
        assert loaded is not None
        assert (loaded.key, loaded.problems, get_policy(root).corpus_path) == (key, (), "here")
        assert loaded.given == {"version", "whitelist_enforcement.corpus_path"}


def test_the_first_file_counts_and_the_others_are_named(tmp_path: Path) -> None:
    (tmp_path / ".aiwg").mkdir()
    (tmp_path / ".aiwg/citation-integrity.yaml").write_text("broken: [")
    (tmp_path / "citation-integrity.json").write_text(json.dumps(yaml.safe_load(LEAST)))
    with Root(str(tmp_path)) as root:
        loaded = load_policy(root)
        assert loaded is not None
        assert (loaded.key, said(loaded)) == ("citation-integrity.json", [(1, "", "warning")])
        assert get_policy(root) == Policy()


def test_a_path_of_the_settings_counts_alone(tmp_path: Path) -> None:
    (tmp_path / "citation-integrity.yaml").write_text("broken: [")
    (tmp_path / "ours.yaml").write_text(whitelist("  corpus_path: here\n"))
    with Root(str(tmp_path)) as root:
        assert get_policy(root, "ours.yaml").corpus_path == "here"
        with pytest.raises(UsageError, match=r"gone\.yaml: there is no such policy file"):
            get_policy(root, "gone.yaml")
        for path in ("../ours.yaml", "/etc/passwd"):
            with pytest.raises(UsageError, match="outside"):
                get_policy(root, path)


def test_what_cannot_be_obeyed_names_file_line_place_and_remedy(tmp_path: Path) -> None:
    (tmp_path / "citation-integrity.yaml").write_text(whitelist("  enabled: 1\n  corpus_path: /x\n"))
    with Root(str(tmp_path)) as root, pytest.raises(UsageError) as caught:
        get_policy(root)
    assert str(caught.value) == (
        "citation-integrity.yaml:4: whitelist_enforcement.enabled: expected true or false, found 1; "
        "write it without quotes; 'pincite policy check' lists the other problems"
    )
    assert caught.value.exit_code == 2


def test_a_link_out_of_the_root_is_refused_not_ignored(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "p.yaml").write_text(LEAST)
    os.symlink("../p.yaml", tmp_path / "root/citation-integrity.yaml")
    with Root(str(tmp_path / "root")) as root, pytest.raises(UsageError, match="outside"):
        get_policy(root)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"version: \xff", b"#" * (1024 * 1024 + 1)])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "citation-integrity.yaml").write_bytes(data)
    with (
        Root(str(tmp_path)) as root,
        pytest.raises(UsageError, match=r"citation-integrity\.yaml: cannot read the policy"),
    ):
        get_policy(root)


def test_the_shape_of_a_result_is_published() -> None:
    shape = SCHEMA | {"$ref": "#/$defs/CitationValidationResult"}
    shape = {key: shape[key] for key in ("$schema", "$ref", "$defs")}
    result = {
        "ref_id": "REF-043",
        "status": "valid",
        "checks": {"in_corpus": True, "page_valid": None, "section_consistent": True, "quote_verified": None},
        "issues": [{"severity": "warning", "message": "m", "suggestion": "s"}],
    }
    jsonschema.validate(result, shape)
    for wrong in ({"status": "fine"}, {"checks": {"page_valid": "no"}}, {"issues": [{"message": 1}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(result | wrong, shape)
