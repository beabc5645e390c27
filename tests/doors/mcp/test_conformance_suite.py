"""The protocol's own conformance suite against the server over HTTP, where Node 22 and the suite are at hand.

`make test-conformance` installs both into a temporary folder. Otherwise PINCITE_MCP_CONFORMANCE names a folder with
`node_modules`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from support_mcp import CODE, ServerProcess

HERE = Path(__file__).parent
TOP = HERE.parents[2]
VERSION = "0.2.0-alpha.12"
SCENARIOS = {
    "2025-11-25": (
        *("server-initialize", "server-session-lifecycle", "ping", "tools-list", "server-sse-multiple-streams"),
        *("resources-list", "prompts-list", "dns-rebinding-protection"),
    ),
    "2026-07-28": (
        *("server-stateless", "tools-list", "server-sse-multiple-streams", "resources-list", "prompts-list"),
        *("sep-2164-resource-not-found", "dns-rebinding-protection", "caching", "http-header-validation"),
        "input-required-result-unsupported-methods",
    ),
}
"""The scenarios that fit any server; the others want tools that a server made for the suite has."""
LISTED = [(version, scenario) for version, names in SCENARIOS.items() for scenario in names]
EXPECTED: dict[str, list[str]] = yaml.safe_load((HERE / "expected-failures.yml").read_text())


@cache
def find_suite() -> tuple[list[str], str]:
    """The command that runs the suite, or why there is none."""
    named = os.environ.get("PINCITE_MCP_CONFORMANCE", "")
    for folder in [Path(named)] if named else [TOP, Path.cwd()]:
        modules = folder / "node_modules"
        suite = modules / "@modelcontextprotocol" / "conformance"
        if not (suite / "package.json").is_file():
            continue
        about = json.loads((suite / "package.json").read_text())
        if about["version"] != VERSION:
            return [], f"the conformance suite is {about['version']}, not {VERSION}"
        node = next(
            (one for one in (str(modules / "node" / "bin" / "node"), shutil.which("node")) if is_new(one)), None
        )
        if node is None:
            return [], "there is no Node 22 or newer"
        return [node, str(suite / about["bin"]["conformance"])], ""
    return [], "the conformance suite is not installed; `make test-conformance` installs it"


def is_new(node: str | None) -> bool:
    """Whether a Node can run the suite."""
    if node is None or not os.access(node, os.X_OK):
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return found is not None and int(found[1]) >= 22


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server of a small repository listens."""
    if find_suite()[1]:
        pytest.skip(find_suite()[1])
    top = tmp_path_factory.mktemp("served")
    (top / "gauge.py").write_text(CODE)
    (top / "pincite.toml").write_text("")
    server = ServerProcess(top, "--http")
    assert server.child.stderr is not None
    found = re.search(r"http://\S+", server.child.stderr.readline().decode())
    assert found is not None
    yield found[0]
    server.kill()


@pytest.mark.parametrize(("version", "scenario"), LISTED)
def test_the_suite_finds_what_is_expected(address: str, version: str, scenario: str, tmp_path: Path) -> None:
    words = [*find_suite()[0], "server", "--url", address, "--scenario", scenario, "--spec-version", version]
    done = subprocess.run(
        [*words, "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    results = list(tmp_path.rglob("checks.json"))
    assert len(results) == 1, done.stdout + done.stderr
    checks = json.loads(results[0].read_text())
    assert {one["status"] for one in checks} & {"SUCCESS"}
    failed = sorted({one["id"] for one in checks if one["status"] == "FAILURE"})
    assert failed == EXPECTED.get(scenario, [])


def test_only_scenarios_that_run_are_expected_to_fail() -> None:
    assert set(EXPECTED) <= {scenario for _, scenario in LISTED}
