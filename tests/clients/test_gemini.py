"""The real Gemini CLI in a project that `pincite init` set up, against a scripted model."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stub_model import serve_model

from pincite.domains.agents.settings import CLIENTS
from pincite.domains.agents.setup import set_up_agents
from pincite.safe.files import Root

if TYPE_CHECKING:
    from stub_model import Step

DEAD, GOOD = "【F:src/gauge.py†L40-L44】", "【F:src/gauge.py†L1】"


def test_dead_citations_are_told_and_corrected(
    repository: Any, client: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    repository.commit(
        {"src/gauge.py": "LIMIT = 100\n", "AGENTS.md": "Run `make lint`.\n", "Makefile": "test: ; true\n"}
    )
    with Root(str(repository.path)) as root:
        set_up_agents(root, [CLIENTS["gemini"]])
    page = str(repository.path / "docs/gauge.md")
    steps: list[Step] = [
        ("call", ("write_file", {"file_path": page, "content": f"The limit is 100. {DEAD}\n"})),
        ("call", ("write_file", {"file_path": page, "content": f"The limit is 100. {GOOD}\n"})),
        ("say", f"The page is written. {DEAD}"),
        ("say", f"The page is written. {GOOD}"),
    ]
    settings = tmp_path / "home/.gemini/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
    # Hooks of a project that is not trusted are not even listed; --skip-trust comes too late for them.
    settings.with_name("trustedFolders.json").write_text(json.dumps({str(repository.path): "TRUST_FOLDER"}))
    with serve_model(steps) as (model, address):
        done = client(
            *("gemini", "-p", "Document the limit.", "-m", "gemini-2.5-pro", "--approval-mode", "yolo"),
            folder=repository.path,
            GEMINI_API_KEY="none",
            GOOGLE_GEMINI_BASE_URL=address,
            GEMINI_TELEMETRY_ENABLED="false",
        )
    assert done.returncode == 0, done.stdout[-3000:]
    assert len(model.requests) == 4, done.stdout[-3000:]
    assert "AGENTS.md:1 names `make lint`; no target lint in Makefile" in model.asked(0)
    assert "docs/gauge.md would cite what is not there" in model.asked(1)
    assert "the last message cites what is not there" not in model.asked(2)
    assert "the last message cites what is not there" in model.asked(3)
    assert Path(page).read_text(encoding="utf-8") == f"The limit is 100. {GOOD}\n"
