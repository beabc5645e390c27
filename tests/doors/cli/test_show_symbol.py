"""`pincite show` on a definition that is cited by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

CODE = "import os\n\n\n@cached\ndef main():\n    return 1\n\n\nclass Box:\n    def open(self): ...\n"


def test_show_prints_the_definition(tmp_path: Path, in_folder: Callable[..., tuple[int, str, str]]) -> None:
    (tmp_path / "a.py").write_text(CODE)
    code, out, err = in_folder("show", "a.py::main", "-B", "0", "-A", "0")
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == ["> 4 │ @cached", "> 5 │ def main():", "> 6 │     return 1"]
    code, out, _ = in_folder("show", "--format", "json", "[cite:function](a.py::Box.open)")
    assert (code, json.loads(out)["lines"]) == (0, [10, 10])
    assert in_folder("show", "a.py::nothing")[0] == 1
