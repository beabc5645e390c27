"""The page on the JSON of index, search and cite: its tables name what is written, its examples give what is shown."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs/reference/search.md"
TEXT = PAGE.read_text(encoding="utf-8")
HOW_TO = (TOP / "docs/how-to/search.md").read_text(encoding="utf-8")


def fields(section: str, table: int = 0) -> list[str]:
    """The fields that a table of a section names."""
    part = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert part is not None, section
    tables = part[1].split("| field | type | meaning |")[1:]
    return re.findall(r"^\| `(\w+)` \|", tables[table], re.MULTILINE)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example repository."""
    target = tmp_path / "gauge"
    subprocess.run([sys.executable, str(TOP / "examples/demo.py"), "--build", str(target)], check=True, timeout=60)
    return target


def ask(folder: Path, *words: str) -> Any:
    """What a command writes as JSON."""
    command = [sys.executable, "-m", "pincite", *words, "--format", "json"]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False).stdout)


def test_tables_name_every_field_in_order(example: Path) -> None:
    indexed = ask(example, "index")
    assert list(indexed) == fields("index")
    found = ask(example, "search", "reset")
    assert list(found) == fields("search")
    assert list(found["hits"][0]) == fields("hit")
    cited = ask(example, "cite", "--hit", "1")
    assert list(cited) == fields("cite")
    assert list(cited["citation"]) == fields("citation")
    listed = ask(example, "cite", "--recent")
    assert list(listed) == fields("cite", 1)
    assert list(listed["recent"][0]) == fields("recent")[:2]
    (checked,) = ask(example, "cite", "--recent", "--check")["recent"]
    assert list(checked) == fields("recent")
    named = [answer["schema"] for answer in (indexed, found, cited, listed)]
    assert re.findall(r'^\| `schema` \| `"(.+?)"` \|', TEXT, re.MULTILINE) == named


def test_example_of_the_index_has_its_fields() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert list(json.loads(shown)) == fields("index")


def test_every_status_is_described() -> None:
    from pincite.domains.retrieval import Status

    names = [status.value for status in Status]
    assert re.findall(r"^\| (\w+) \|", HOW_TO.partition("| status |")[2].partition("\n\n")[0], re.MULTILINE) == names
    assert re.search(r"^\| `status` \| (.+?) \|", TEXT, re.MULTILINE)[1] == ", ".join(f"`{name}`" for name in names)  # type: ignore[index]


def test_every_unit_of_offsets_is_described() -> None:
    from pincite.domains.retrieval.foreign_offsets import UNITS

    assert tuple(re.findall(r"^\| `([a-z0-9-]+)` \|", TEXT.partition("| unit |")[2], re.MULTILINE)) == UNITS


def test_examples_give_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(said)


def test_program_of_the_how_to_cites_what_it_finds(example: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", HOW_TO, re.MULTILINE | re.DOTALL)
    (example / "program.py").write_text(program, encoding="utf-8")
    run = [sys.executable, "program.py"]
    done = subprocess.run(run, cwd=example, capture_output=True, text=True, timeout=60, check=True)
    rows = done.stdout.splitlines()
    assert rows and all(re.fullmatch(r"\[\^[0-9a-f]{8}\]: \S+:\d+ valid", row) for row in rows), done.stdout
