"""The extension in Visual Studio Code itself, served to a browser: `make test-clients`.

It needs npm, the system's Chromium and Playwright, and what npm installs (some 600 MB, kept in `build/clients`), so it
is no part of `make test`. Whatever cannot be installed skips it by name. PINCITE_SCREENSHOT names a file for a picture.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if "PINCITE_TEST_CLIENTS" not in os.environ:
    pytest.skip("takes minutes and much to install: make test-clients", allow_module_level=True)

TOP = Path(__file__).resolve().parents[2]
EXTENSION = TOP / "editors/vscode"
HOME = Path(os.environ.get("PINCITE_CLIENTS", TOP / "build/clients"))
NPM = ("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
SLOW = 120_000
"""Milliseconds until a condition that never comes true fails; nothing waits for a time."""
CODE = "LIMIT = 250\n\n\ndef add(amount):\n    return min(amount, LIMIT)\n"
GUIDE = (
    "# The gauge\n\n"
    "It never exceeds 250. 【F:src/gauge.py†L1】\n\n"
    "Resets are counted. 【F:src/gauge.py†L40-L44】\n\n"
    "Amounts are [added here](src/gauge.py#L4-L5).\n"
)


def install(folder: Path, *packages: str) -> None:
    """Install with npm, or skip."""
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    try:
        done = subprocess.run([*NPM, *packages], cwd=folder, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm does not finish to install {' '.join(packages) or folder.name}")
    if done.returncode:
        pytest.skip(f"npm cannot install {' '.join(packages) or folder.name}: {done.stderr[-300:]}")


@pytest.fixture(scope="module")
def node() -> Path:
    """Node 22, which the server of VS Code wants."""
    if not (HOME / "node_modules/code-server").is_dir():
        install(HOME, "node@22", "--ignore-scripts=false")
        install(HOME, "code-server")
    program = HOME / "node_modules/node/bin/node"
    if not program.exists():
        pytest.skip("there is no Node 22 for this machine")
    return program


@pytest.fixture(scope="module")
def editor(node: Path) -> Path:
    """VS Code as code-server packs it, with what it needs to run."""
    top = HOME / "node_modules/code-server/lib/vscode"
    if not (top / "node_modules").is_dir():
        install(top, "--omit=dev")
    return top


@pytest.fixture(scope="module")
def extension() -> Path:
    """The extension as it is shipped."""
    if not (EXTENSION / "node_modules").is_dir():
        install(EXTENSION)
    packed = subprocess.run(["npm", "run", "package"], cwd=EXTENSION, capture_output=True, text=True)
    assert packed.returncode == 0, packed.stdout + packed.stderr
    return EXTENSION / "pincite.vsix"


@pytest.fixture
def served(node: Path, editor: Path, extension: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a running VS Code with the extension, and the folder that it shows."""
    workspace = tmp_path / "project"
    (workspace / "src").mkdir(parents=True)
    (workspace / "src/gauge.py").write_text(CODE)
    (workspace / "guide.md").write_text(GUIDE)
    subprocess.run(["git", "init", "-q", "."], cwd=workspace, check=True)
    settings = tmp_path / "server/data/Machine/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"pincite.command": [sys.executable, "-m", "pincite"]}))
    shared = workspace / ".vscode/settings.json"
    shared.parent.mkdir()
    shared.write_text(json.dumps({"workbench.startupEditor": "none", "chat.disableAIFeatures": True}))
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
    environment = kept | {"HOME": str(tmp_path)}
    # The editor's own server: the one around it wants modules that npm has to compile.
    folders = ("--server-data-dir", str(tmp_path / "server"), "--extensions-dir", str(tmp_path / "extensions"))
    command = [str(node), str(editor / "out/server-main.js"), "--accept-server-license-terms", *folders]
    added = subprocess.run(
        [*command, "--install-extension", str(extension)], env=environment, capture_output=True, text=True
    )
    assert "successfully installed" in added.stdout, added.stdout + added.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--host", "127.0.0.1", "--port", str(port), "--without-connection-token", "--disable-workspace-trust")
    log = (tmp_path / "server.log").open("wb")
    server = subprocess.Popen([*command, *options], env=environment, stdout=log, stderr=log)
    try:
        yield f"http://127.0.0.1:{port}/?folder={workspace}", workspace
    finally:
        server.terminate()
        server.wait()
        log.close()


@pytest.fixture
def page(served: tuple[str, Path]) -> Iterator[Any]:
    """The editor in a browser, with the guide open."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1100, "height": 640})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        shown = context.new_page()
        shown.set_default_timeout(SLOW)
        for _ in range(100):
            try:
                shown.goto(served[0])
                break
            except playwright.Error:
                # The server does not listen yet.
                shown.wait_for_timeout(200)
        shown.get_by_role("treeitem", name="guide.md").dblclick()
        shown.get_by_text("Resets are counted.").first.wait_for()
        try:
            yield shown
        finally:
            browser.close()


def run_command(page: Any, title: str) -> None:
    """Choose a command of the palette."""
    page.keyboard.press("F1")
    page.locator(".quick-input-widget input").first.fill(f">{title}")
    page.locator(".quick-input-list").get_by_text(title).first.wait_for()
    page.keyboard.press("Enter")


def test_a_dead_citation_is_a_problem_and_a_live_one_shows_its_evidence(page: Any) -> None:
    run_command(page, "Problems: Focus on Problems View")
    problems = page.locator(".markers-panel")
    problems.get_by_text("exceeds file length").wait_for()
    # Pushed and pulled, each would be there twice.
    assert problems.get_by_text("exceeds file length").count() == 1
    page.locator(".view-line", has_text="never exceeds 250").get_by_text("gauge.py").first.hover()
    evidence = page.locator(".monaco-hover").get_by_text("LIMIT = 250")
    evidence.first.wait_for()
    if picture := os.environ.get("PINCITE_SCREENSHOT"):
        page.screenshot(path=picture)


def test_the_citation_of_a_selection_is_copied(page: Any) -> None:
    run_command(page, "Problems: Focus on Problems View")
    page.locator(".markers-panel").get_by_text("exceeds file length").wait_for()
    page.get_by_role("treeitem", name="src").click()
    page.get_by_role("treeitem", name="gauge.py").dblclick()
    page.locator(".view-line", has_text="def add").first.click()
    run_command(page, "pincite: Copy citation of the selection")
    page.get_by_text("Copied").first.wait_for()
    assert "src/gauge.py" in page.evaluate("navigator.clipboard.readText()")


def test_a_lens_lists_the_documents_that_cite_a_line(page: Any) -> None:
    run_command(page, "Problems: Focus on Problems View")
    page.locator(".markers-panel").get_by_text("exceeds file length").wait_for()
    page.get_by_role("treeitem", name="src").click()
    page.get_by_role("treeitem", name="gauge.py").dblclick()
    page.locator(".codelens-decoration").get_by_text("cited by 1 document").first.click()
    listed = page.locator(".reference-zone-widget").get_by_text("never exceeds 250").first
    listed.wait_for()
    assert listed.is_visible()


def test_a_server_that_cannot_be_started_says_what_to_install(page: Any, tmp_path: Path) -> None:
    settings = tmp_path / "server/data/Machine/settings.json"
    settings.write_text(json.dumps({"pincite.command": ["no-such-program"]}))
    run_command(page, "pincite: Restart")
    advice = page.get_by_text("pip install 'pincite[lsp]'").first
    advice.wait_for()
    assert advice.is_visible()
