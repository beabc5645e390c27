"""The pages on research: tables name what is written, programs run, and the example topic is what its script makes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincite.domains.research.model import SeenEvidence, StageProblem
from pincite.domains.research.page_fetching import PageChange
from pincite.domains.research.source_kinds import load_table
from pincite.judge.offline import Offline
from pincite.project.config import Config, parse_config
from pincite.safe.files import Root
from pincite.store.warc import Snapshots

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "docs/reference/research.md").read_text(encoding="utf-8")
HOW_TO = (TOP / "docs/how-to/research.md").read_text(encoding="utf-8")
GROUNDING = (TOP / "docs/explanation/grounding.md").read_text(encoding="utf-8")
SOURCES = (TOP / "docs/explanation/snapshots-and-sources.md").read_text(encoding="utf-8")
KEPT = ".research/lanternfish/snapshots"


def fields(section: str, table: int = 0) -> list[str]:
    """The fields that a table of a section names."""
    part = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert part is not None, section
    tables = part[1].split("| field | type | meaning |")[1:]
    return re.findall(r"^\| `(\w+)` \|", tables[table], re.MULTILINE)


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^ *```{kind}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def examples() -> Any:
    """The script that makes the topic."""
    spec = spec_from_file_location("example_topic", TOP / "examples/topic.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example topic, with all its stages."""
    target = tmp_path_factory.mktemp("topic")
    examples().copy(target)
    return target


def ask(folder: Path, *words: str) -> Any:
    """What a command writes as JSON."""
    command = [sys.executable, "-m", "pincite", "research", *words, "--root", ".", "--format", "json"]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False).stdout)


def test_tables_name_every_field_in_order(topic: Path) -> None:
    checked = ask(topic, "check", "lanternfish")
    validated = ask(topic, "validate", "lanternfish", "--offline")
    grounded = ask(topic, "ground", "lanternfish")
    ran = ask(topic, "run", "lanternfish", "--offline")
    audited = ask(topic, "audit", ".research/lanternfish/report.md")
    answers = {"check": checked, "validate": validated, "ground": grounded, "audit": audited, "run": ran}
    for name, answer in answers.items():
        assert list(answer) == fields(name), name
    assert list(audited["sentences"][0]) == fields("sentence")
    assert list(ran["stages"][0]) == fields("stage")
    assert {key for one in validated["citations"] for key in one["evidence"]} <= set(fields("validate", 1))
    assert {one["verdict"] for one in grounded["rejected_claims"]} == {"contradicted", "not shown", "not validated"}
    named = {f"pincite.research-{name}/1" for name in (*answers, "snapshot", "new", "add")}
    assert set(re.findall(r'^\| `schema` \| `"(.+?)"` \|', TEXT, re.MULTILINE)) == named
    others = {f"pincite.research-{name}/1" for name in ("snapshot", "new", "add")}
    assert {answer["schema"] for answer in answers.values()} == named - others


def test_tables_name_every_field_of_what_is_added(tmp_path: Path) -> None:
    assert list(ask(tmp_path, "new", "tides")) == fields("new")
    (tmp_path / "page.html").write_text("<html><title>On tides</title><p>The moon raises two tides a day.")
    words = ("add", "page.html", "--url", "https://tides.example/", "--claim", "Two tides a day.", "--quote")
    refused = ask(tmp_path, *words, "The moon raises four tides a day.")
    assert list(refused) == ["schema", "topic", "quotes", "aborted"] and list(refused["aborted"]) == fields("aborted")
    added = ask(tmp_path, *words, "The moon raises two tides a day.")
    assert list(added) == fields("add") and list(added["quotes"][0]) == fields("added quote")
    assert {added["schema"], refused["schema"]} == {"pincite.research-add/1"}


def test_tables_name_what_is_written_where_something_is_wrong(tmp_path: Path) -> None:
    examples().copy(tmp_path)
    extracted = tmp_path / ".research/lanternfish/agent-outputs/citation-extractor.yaml"
    extracted.write_text(extracted.read_text().replace("https://bench", "http://bench"))
    (problem, *_) = ask(tmp_path, "check", "lanternfish")["problems"]
    assert list(problem) == fields("problem") and problem["rule"] == "not-https"
    stopped = ask(tmp_path, "run", "lanternfish", "--offline")
    assert list(stopped["aborted"]) == fields("aborted")
    assert list(ask(tmp_path, "validate", "lanternfish", "--offline")) == ["schema", "topic", "aborted"]
    assert set(StageProblem.__struct_fields__) == set(fields("problem"))
    assert list(PageChange.__struct_fields__) == fields("change")
    assert list(SeenEvidence.__struct_fields__) == fields("validate", 1)


def test_program_of_the_how_to_runs(topic: Path) -> None:
    (program,) = blocks(HOW_TO, "python")
    (topic / "program.py").write_text(program, encoding="utf-8")
    run = [sys.executable, "program.py"]
    done = subprocess.run(run, cwd=topic, capture_output=True, text=True, timeout=60, check=True)
    stages = [row.split()[0] for row in done.stdout.splitlines()]
    assert stages == ["search-agent", "citation-extractor", "source-validator", "claim-grounding-mapper", "report"]


def test_judge_answers_what_the_table_says() -> None:
    part = GROUNDING.partition("| claim | quote | answer |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.splitlines()]
    judged = [Offline().assess(claim, quote) for claim, quote, _ in rows]
    said = [f"low, {one.verdict}" if one.level == "low" else one.level for one in judged]
    assert len(rows) == 19
    assert [(row[0], answer) for row, answer in zip(rows, said, strict=True)] == [(row[0], row[2]) for row in rows]


def test_settings_and_sources_that_are_shown_can_be_read() -> None:
    for block in (*blocks(HOW_TO, "toml"), *blocks(SOURCES, "toml")):
        assert parse_config(tomllib.loads(block.replace("\n  ", "\n").lstrip()), "shown") != Config()
    (shown,) = blocks(SOURCES, "yaml")
    table = load_table(shown.encode(), "shown")
    assert table.find("https://docs.lanternfish.example/x").organisation == "Lanternfish Project"
    assert table.find("https://talk.example/t/1").kind == "forum"


def test_scores_that_are_shown_are_those_of_the_table() -> None:
    shipped = yaml.safe_load((TOP / "src/pincite/domains/research/sources.yaml").read_text(encoding="utf-8"))
    scores = {str(kind["score"]) for kind in shipped["kinds"].values()} - {"page"}
    scores |= {str(score) for score in shipped["pages"].values()}
    part = SOURCES.partition("| begins at |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| (\d+) \|", part, re.MULTILINE), key=int) == sorted(scores, key=int)


def test_snapshots_of_the_example_are_its_pages(tmp_path: Path) -> None:
    script = examples()
    assert len(script.keep(tmp_path)) == len(list((script.HERE / "pages").glob("*.html"))) == 4
    with Root(str(script.HERE)) as there, Root(str(tmp_path)) as made:
        known, own = Snapshots(there, KEPT), Snapshots(made, KEPT)
        assert known.urls() == own.urls() and known.problems() == []
        for url in own.urls():
            assert [one.visit for one in known.history(url)] == [one.visit for one in own.history(url)]
            assert all(one.sealed for one in known.history(url))


def test_example_speaks_of_nobody_who_exists() -> None:
    hosts: set[str] = set()
    for path in (TOP / "examples/lanternfish").rglob("*"):
        if path.suffix in (".html", ".yaml"):
            assert path.stat().st_size <= 6 * 1024, path.name
            hosts |= set(re.findall(r"https?://([^/\"\s]+)", path.read_text(encoding="utf-8")))
    assert {host for host in hosts if not host.endswith(".example")} == {"schema.org"}


def test_picture_of_the_report_is_small_and_shown() -> None:
    picture = TOP / "docs/assets/report.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and picture.stat().st_size < 150 * 1024
    assert "../assets/report.png" in HOW_TO
