"""The real Claude Code, with the plugin, against a scripted model: what the hooks say reaches the model."""

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


def test_dead_citations_are_told_and_corrected(
    repository: Any, client: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    repository.commit(
        {"src/gauge.py": "LIMIT = 100\n", "AGENTS.md": "Run `make lint`.\n", "Makefile": "test: ; true\n"}
    )
    page = str(repository.path / "docs/gauge.md")
    steps: list[Step] = [
        ("call", ("Write", {"file_path": page, "content": f"The limit is 100. {DEAD}\n"})),
        ("call", ("Write", {"file_path": page, "content": f"The limit is 100. {GOOD}\n"})),
        ("say", f"The page is written. {DEAD}"),
        ("say", f"The page is written. {GOOD}"),
    ]
    with serve_model(steps) as (model, address):
        done = client(
            *("claude", "-p", "Document the limit.", "--plugin-dir", str(TOP / "plugins/pincite")),
            *("--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"),
            folder=repository.path,
            ANTHROPIC_BASE_URL=address,
            ANTHROPIC_API_KEY="sk-none",
            DISABLE_TELEMETRY="1",
            DISABLE_AUTOUPDATER="1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )
    assert done.returncode == 0, done.stdout[-3000:]
    assert len(model.requests) == 4, done.stdout[-3000:]
    assert "AGENTS.md:1 names `make lint`; no target lint in Makefile" in model.asked(0)
    assert "docs/gauge.md would cite what is not there" in model.asked(1)
    assert "what is not there" not in model.asked(0)
    assert "the last message cites what is not there" not in model.asked(2)
    assert "the last message cites what is not there" in model.asked(3)
    assert Path(page).read_text(encoding="utf-8") == f"The limit is 100. {GOOD}\n"
