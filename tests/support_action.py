"""The composite action as tests run it: its steps, and a stand-in for the runner of its host."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from team.conftest import Scratch

TOP = Path(__file__).resolve().parents[1]
ACTION: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = {step.get("id", step["name"]): step for step in STEPS if "run" in step}
HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "a\n$(touch pwned)",
    "--output=pwned",
    "${{ github.token }}",
]


class Runner:
    """Runs a step's script the way the action's host does."""

    def __init__(self, scratch: Scratch, command: Path, temp: Path) -> None:
        self.scratch = scratch
        self.temp = temp
        self.output = temp / "output"
        self.summary = temp / "summary"
        (temp / "pincite" / "bin").mkdir(parents=True)
        shutil.copy(command, temp / "pincite" / "bin" / "pincite")

    def run(self, name: str, path: str = "", **inputs: str) -> CompletedProcess[str]:
        """Run one step with the given inputs, the others at their defaults."""
        step = SCRIPTS[name]
        env = {
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_ACTION_PATH": str(TOP),
            "GITHUB_ACTIONS": "true",
        }
        if path:
            env["PATH"] = path + ":" + self.scratch.env["PATH"]
        for variable, value in step["env"].items():
            env[variable] = self._value(value, inputs)
        script = self.temp / "script.sh"
        script.write_text(step["run"])
        return self.scratch.run("bash", "--noprofile", "--norc", "-eo", "pipefail", str(script), env=env)

    def outputs(self) -> dict[str, str]:
        """What the scripts handed to later steps."""
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())

    def _value(self, expression: str, inputs: dict[str, str]) -> str:
        wanted = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", expression)
        if wanted:
            name = wanted[1]
            return inputs.get(name.replace("-", "_"), ACTION["inputs"][name]["default"])
        wanted = re.fullmatch(r"\$\{\{ (github\.[a-z_.]+) \}\}", expression)
        if wanted:
            return inputs.get(wanted[1].replace(".", "_"), "")
        wanted = re.fullmatch(r"\$\{\{ steps\.check\.outputs\.([a-z-]+) \}\}", expression)
        assert wanted, expression
        return self.outputs()[wanted[1]]
