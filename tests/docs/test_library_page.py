"""The examples of the library page, run in the example repository."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs/reference/library.md"


def test_examples_give_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "gauge"
    build = [sys.executable, str(TOP / "examples/demo.py"), "--build", str(target)]
    subprocess.run(build, check=True, timeout=60)
    monkeypatch.chdir(target)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(said)


def test_signature_is_the_one_described() -> None:
    import inspect

    import pincite

    names = list(inspect.signature(pincite.check).parameters)
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == names
    shown = re.search(r"`pincite\.check\((.*?)\)` verifies", text, re.DOTALL)
    assert shown is not None
    described = inspect.signature(pincite.check)
    plain = ", ".join(
        ("*, " if parameter.kind is parameter.KEYWORD_ONLY and name == "config" else "")
        + f"{name}={parameter.default!r}".replace("''", '""')
        for name, parameter in described.parameters.items()
    )
    assert shown[1] == plain
