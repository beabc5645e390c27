"""A real editor: neovim starts the server, opens a document and shows its problems."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from support_lsp import COMMAND, TIMEOUT, server_environment

NEOVIM = shutil.which("nvim")
SCRIPT = """
local command, root, file, output = %s, %s, %s, %s
vim.cmd('edit ' .. file)
local id = vim.lsp.start_client({ cmd = command, root_dir = root, workspace_folders = {
  { uri = vim.uri_from_fname(root), name = 'root' } } })
vim.lsp.buf_attach_client(0, id)
local function list()
  local found = vim.diagnostic.get(0)
  return #found > 0 and found or nil
end
vim.wait(%d, function() return list() ~= nil end, 20)
local function write(problems)
  local rows = {}
  for _, one in ipairs(problems) do
    table.insert(rows, { line = one.lnum, column = one.col, last = one.end_col, code = one.code, source = one.source })
  end
  vim.fn.writefile({ vim.fn.json_encode(rows) }, output)
end
write(list() or {})
vim.lsp.stop_client(id)
vim.wait(%d, function() return vim.lsp.get_client_by_id(id) == nil end, 20)
vim.cmd('qall!')
"""


@pytest.mark.skipif(NEOVIM is None, reason="neovim is not installed")
def test_neovim_shows_problems(repository: Path, tmp_path: Path) -> None:
    script, output = tmp_path / "client.lua", tmp_path / "problems.json"
    milliseconds = int(TIMEOUT * 1000)
    words = "{" + ", ".join(json.dumps(word) for word in COMMAND) + "}"
    places = [json.dumps(str(path)) for path in (repository, repository / "docs/guide.md", output)]
    script.write_text(SCRIPT % (words, *places, milliseconds, milliseconds))
    home = tmp_path / "home"
    home.mkdir()
    environment = server_environment(HOME=str(home), XDG_STATE_HOME=str(home), XDG_CONFIG_HOME=str(home))
    done = subprocess.run(
        [NEOVIM or "nvim", "--headless", "-u", "NONE", "-c", f"luafile {script}"],
        env=environment,
        capture_output=True,
        timeout=3 * TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (problem,) = json.loads(output.read_text())
    assert (problem["code"], problem["source"], problem["line"]) == ("line-out-of-range", "pincite", 4)
    # Neovim counts bytes in its buffers, whatever it agreed on with the server.
    line = (repository / "docs/guide.md").read_bytes().split(b"\n")[4]
    assert line[problem["column"] : problem["last"]].decode() == "【F:src/gauge.py†L40】"
