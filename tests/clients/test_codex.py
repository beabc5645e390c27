"""The real Codex, with the plugin as Claude Code has it, against a scripted model."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stub_model import serve_model

if TYPE_CHECKING:
    from stub_model import Step

TOP = Path(__file__).resolve().parents[2]
DEAD, GOOD = "【F:src/gauge.py†L40-L44】", "【F:src/gauge.py†L1】"
PATCH = (
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: docs/gauge.md\n"
    "+The limit is 100. {cited}\n*** End Patch\nEOF\n"
)
HERE = "cat > docs/gauge.md <<'EOF'\nThe limit is 100. {cited}\nEOF\n"
SETTINGS = """\
model = "gpt-5"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "{address}/v1"
wire_api = "responses"
"""


def test_dead_citations_are_told_and_corrected(
    repository: Any, client: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    repository.commit(
        {"src/gauge.py": "LIMIT = 100\n", "AGENTS.md": "Run `make lint`.\n", "Makefile": "test: ; true\n"}
    )
    steps: list[Step] = [
        ("call", ("exec_command", {"cmd": PATCH.format(cited=DEAD)})),
        ("call", ("exec_command", {"cmd": PATCH.format(cited=GOOD)})),
        ("call", ("exec_command", {"cmd": HERE.format(cited=DEAD)})),
        ("say", f"The page is written. {DEAD}"),
        ("say", f"The page is written. {GOOD}"),
    ]
    with serve_model(steps) as (model, address):
        settings = tmp_path / "home/.codex/config.toml"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(SETTINGS.format(address=address))
        assert client("codex", "plugin", "marketplace", "add", str(TOP)).returncode == 0
        assert client("codex", "plugin", "add", "pincite@pincite").returncode == 0
        done = client(
            *("codex", "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"),
            *("--json", "Document the limit."),
            folder=repository.path,
        )
    assert done.returncode == 0, done.stdout[-3000:]
    assert len(model.requests) == 5, done.stdout[-3000:]
    assert "AGENTS.md:1 names `make lint`; no target lint in Makefile" in model.asked(0)
    assert "docs/gauge.md would cite what is not there" in model.asked(1)
    assert "Success. Updated the following files" in model.asked(2)
    assert model.asked(3).count("docs/gauge.md would cite what is not there") == 2
    assert "the last message cites what is not there" not in model.asked(3)
    assert "the last message cites what is not there" in model.asked(4)
    page = repository.path / "docs/gauge.md"
    assert page.read_text(encoding="utf-8") == f"The limit is 100. {GOOD}\n"
