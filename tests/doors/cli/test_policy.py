"""`pincite policy`: what is in force, what is wrong with it, and what agents are told."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.doors.cli.policy_text import default_places, policy_data, policy_yaml, prompt_text
from pincite.project.policy import Policy, read_policy

Run = Callable[..., tuple[int, str, str]]
LEAST = "version: 1.0.0\nretrieval_first_policy: {}\nwhitelist_enforcement: {}\npage_validation: {}\n"
OURS = LEAST.replace(
    "whitelist_enforcement: {}",
    "whitelist_enforcement:\n  corpus_path: papers/\n  allowed_citation_formats: ['[REF-XXX]']\n"
    "  forbidden_citation_formats: ['[1]']\n"
    "  enforcement_levels: {agent_level: {rules: [Read .aiwg/research/corpus/ never]}}",
)


@pytest.fixture
def policy(in_folder: Run) -> Run:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "policy")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def put(text: str) -> Path:
        path = tmp_path / "citation-integrity.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return put


def test_defaults_are_shown_as_such(policy: Run) -> None:
    code, out, err = policy("show")
    assert (code, err) == (0, "")
    rows = out.splitlines()
    assert rows[0] == "# No policy file: every value is a default."
    assert "  corpus_path: .aiwg/research/corpus/  # default" in rows
    assert "      # enabled: false  # default" in rows
    assert read_policy(out, "p.yaml").policy is not None


def test_what_the_file_says_is_not_marked(policy: Run, write: Callable[[str], Path]) -> None:
    write(OURS)
    rows = policy("show")[1].splitlines()
    assert rows[0] == "# From citation-integrity.yaml; what it does not say is marked as default."
    assert "  corpus_path: papers/" in rows
    assert "  allowed_citation_formats:" in rows
    assert "  enabled: true  # default" in rows


def test_json_names_source_corpus_and_defaults(policy: Run, write: Callable[[str], Path], tmp_path: Path) -> None:
    write(OURS)
    data = json.loads(policy("show", "--format", "json")[1])
    assert (data["source"], data["corpus"]) == ("citation-integrity.yaml", "papers")
    assert data["policy"]["whitelist_enforcement"]["corpus_path"] == "papers/"
    assert "whitelist_enforcement.corpus_path" not in data["defaults"]
    assert "whitelist_enforcement.enabled" in data["defaults"]
    (tmp_path / "citation-integrity.yaml").unlink()
    assert json.loads(policy("show", "--format", "json")[1])["source"] is None


def test_the_schema_is_printed(policy: Run) -> None:
    code, out, _ = policy("show", "--schema")
    assert (code, json.loads(out)["$id"]) == (0, "https://aiwg.io/schemas/citation-integrity/v1")


def test_a_policy_that_cannot_be_obeyed_is_not_shown(policy: Run, write: Callable[[str], Path]) -> None:
    write(LEAST.replace("1.0.0", "one"))
    for words in (("show",), ("prompt",)):
        code, out, err = policy(*words)
        assert (code, out) == (2, "")
        assert err == (
            "pincite: citation-integrity.yaml:1: version: 'one' is no version; write three numbers, such as 1.0.0\n"
        )


def test_check_names_every_problem(policy: Run, write: Callable[[str], Path]) -> None:
    write(OURS.replace("papers/", "../papers").replace("page_validation: {}", "page_validation: {enable: 1}"))
    code, out, err = policy("check")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "citation-integrity.yaml:4: whitelist_enforcement.corpus_path: '../papers' can leave the repository; "
        "give a folder inside the repository, such as papers/",
        "citation-integrity.yaml:8: page_validation.enable: warning: unknown key, ignored; did you mean enabled?",
        "✗ citation-integrity.yaml: 1 problem, 1 warning",
    ]


def test_warnings_alone_pass_unless_strict(policy: Run, write: Callable[[str], Path]) -> None:
    write(LEAST + "colour: red\n")
    assert policy("check")[0] == 0
    code, out, _ = policy("check", "--strict")
    assert (code, out.splitlines()[-1]) == (1, "✗ citation-integrity.yaml: 1 warning")


def test_a_good_policy_passes(policy: Run, write: Callable[[str], Path]) -> None:
    write(OURS)
    assert policy("check") == (0, "✓ citation-integrity.yaml: a valid policy\n", "")


def test_nothing_to_check_says_so(policy: Run) -> None:
    code, out, _ = policy("check")
    assert (code, "nothing was checked" in out, ".aiwg/research/citation-integrity.yaml" in out) == (0, True, True)


def test_what_cannot_be_parsed_or_read_is_another_exit_code(
    policy: Run, write: Callable[[str], Path], tmp_path: Path
) -> None:
    write("version: [\n")
    code, out, _ = policy("check")
    assert (code, out.startswith("citation-integrity.yaml:2: ")) == (2, True)
    (tmp_path / "bad.yaml").write_bytes(b"\xff")
    for name in ("bad.yaml", "gone.yaml", ".", "", "a\0b"):
        code, out, err = policy("check", name)
        assert (code, out, "Traceback" in err) == (2, "", False), name
        assert err.startswith("pincite: ")


def test_a_file_anywhere_can_be_checked(policy: Run, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/any.json").write_text('{"version": "1.0.0"}')
    code, out, _ = policy("check", "x/any.json")
    os.symlink("x/any.json", tmp_path / "linked.json")
    assert policy("check", "linked.json")[0] == 1
    assert (code, out.splitlines()[0]) == (
        1,
        "x/any.json:1: page_validation: is missing; add 'page_validation: {}' to take the default",
    )


def test_hostile_text_reaches_the_terminal_escaped(policy: Run, write: Callable[[str], Path]) -> None:
    write(
        'version: "1.0.0"\nretrieval_first_policy: {policy_statement: "a\\e[31mb\\u202ec\\td", "\\e[0m": 1}\n'
        'whitelist_enforcement: {enforcement_levels: {agent_level: {rules: ["x\\ny\\e]0;t\\a"]}}}\n'
        "page_validation: {}\n"
    )
    for words in (("show",), ("check",), ("prompt",), ("show", "--format", "json")):
        code, out, _ = policy(*words)
        assert code == 0
        assert not set(out) & {"\x1b", "\u202e", "\x07"}
    assert "- x y\\u{1b}]0;t\\u{7}" in policy("prompt")[1]


def test_prompt_says_everything(policy: Run) -> None:
    code, out, err = policy("prompt")
    assert (code, err) == (0, "")
    default = Policy()
    retrieval, white = default.at("retrieval_first_policy"), default.at("whitelist_enforcement")
    for text in (
        retrieval["policy_statement"],
        *retrieval["prohibited_actions"],
        *(step["action"] for step in retrieval["required_workflow"]),
        retrieval["corpus_expansion_protocol"]["when_source_not_found"],
        retrieval["corpus_expansion_protocol"]["addition_command"],
        white["whitelist_principle"],
        *white["enforcement_levels"]["agent_level"]["rules"],
        *white["allowed_citation_formats"],
        *white["forbidden_citation_formats"],
        default.violation["message"],
        'pincite corpus cite "the claim"',
        "[REF-043, p.15]",
        "improves quality (Smith et al., 2023)",
    ):
        assert text in out


def test_prompt_obeys_the_project(policy: Run, write: Callable[[str], Path], tmp_path: Path) -> None:
    write(OURS)
    out = policy("prompt")[1]
    assert "The research corpus (papers/) is the ONLY" in out
    assert "- Read .aiwg/research/corpus/ never" in out, "own words stay"
    assert "[REF-043]" in out
    assert "p.15" not in out
    assert "Smith" not in out
    (tmp_path / "pincite.toml").write_text('[corpus]\npath = "elsewhere"\n')
    assert "The research corpus (elsewhere/) is the ONLY" in policy("prompt")[1]
    assert policy("show")[1].splitlines()[1] == "# The settings put the corpus elsewhere: elsewhere"


def test_prompt_leaves_out_what_is_off(policy: Run, write: Callable[[str], Path]) -> None:
    off = LEAST.replace("retrieval_first_policy: {}", "retrieval_first_policy: {enabled: false}")
    write(off.replace("whitelist_enforcement: {}", "whitelist_enforcement: {enabled: false}"))
    out = policy("prompt")[1]
    assert "CRITICAL" not in out
    assert "ONLY" not in out
    assert "pincite corpus cite" in out


def test_the_settings_can_name_the_policy(policy: Run, tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text('[corpus]\npolicy = "rules/ours.yaml"\n')
    code, _, err = policy("check")
    assert (code, "rules/ours.yaml: there is no such policy file" in err) == (2, True)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/ours.yaml").write_text(OURS)
    assert policy("check") == (0, "✓ rules/ours.yaml: a valid policy\n", "")


_TEXTS = st.text("ab #:-|>'\"\\\n\t✓\x1b\u202e\u3164\U000e0001é[]{}", max_size=12) | st.sampled_from(
    ["a\nb\n", "a\n\nb", "a\n b\n", " a\nb\n", "a\nb\n\n", "a \nb", "true", "012", "a\n# b\n", "a\n---\nb\n", "\n"]
)


@settings(max_examples=200, deadline=None)
@given(_TEXTS, st.lists(_TEXTS, max_size=3), _TEXTS)
def test_what_is_shown_reads_back_as_the_same_policy(statement: str, rules: list[str], action: str) -> None:
    data = deepcopy(Policy().data)
    step = {**data["retrieval_first_policy"]["required_workflow"][0], "action": action}
    data["retrieval_first_policy"] |= {
        "policy_statement": statement,
        "prohibited_actions": rules,
        "required_workflow": [step, {}],
    }
    policy = Policy(data)
    text = policy_yaml(policy, frozenset())
    assert not set(text) & set("\x1b\u202e\u3164\U000e0001")
    again = read_policy(text, "p.yaml").policy
    assert again is not None
    assert policy_data(again) == policy_data(policy)
    assert again.commit_level is policy.commit_level
    assert prompt_text(policy).startswith("# Citation policy\n")


def test_default_places_are_those_not_given() -> None:
    data: dict[str, Any] = {"a": {"b": 1, "c": [2]}, "d": 3}
    assert [*default_places(data, frozenset({"a.b"}))] == ["a.c", "d"]
