"""The README: what it is, a picture, how to install and one command on the first screen; then three lines per audience.

That its commands run, and where, is seen to by `test_commands.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

TOP = Path(__file__).resolve().parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")
INDEX = (TOP / "docs/index.md").read_text(encoding="utf-8")
FIRST_SCREEN = 25
AUDIENCES = ["Documents that cite code", "Agents", "Papers", "Research", "Answers of models"]


def sections() -> dict[str, str]:
    """What stands below each heading of an audience."""
    parts = re.split(r"^### (.+)$", README.partition("\n## More\n")[0], flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_first_screen_has_a_picture_an_install_line_and_a_command() -> None:
    screen = "\n".join(README.splitlines()[:FIRST_SCREEN])
    assert screen.count("![") == 1
    assert re.findall(r"^\$ (.+)$", screen, re.MULTILINE) == ["pip install pincite", "pincite check"]
    assert "It is for" in screen
    assert screen.count("```") == 4, "no block is cut"


def test_every_audience_has_a_sentence_a_command_and_a_link() -> None:
    found = sections()
    assert list(found) == AUDIENCES
    for name, text in found.items():
        sentence, command, link = re.fullmatch(r"(.+?)```console\n(.+?)```\n(.+)", text.strip(), re.DOTALL).groups()
        assert re.fullmatch(r"[^\n]+(?:\n[^\n]+){0,2}\n\n", sentence), name
        assert re.fullmatch(r"\$ pincite [^\n]+\n", command), name
        assert re.match(r"\n\[.+?\]\(docs/how-to/\w+\.md\)", link), name


def test_it_fits_three_screens() -> None:
    assert len(README.splitlines()) <= 100


def test_commands_run_in_the_folder_that_is_named(console: ModuleType, tmp_path: Path) -> None:
    assert console.PLAYGROUND in README
    made = [step.text for step in console.read(README) if isinstance(step, console.Command) and step.skipped][1:]
    assert made == ["python3 examples/demo.py --playground playground"]
    text = f"{console.PLAYGROUND}\n```console\n$ ls -A\n```\n"
    (listed,) = console.perform(text, tmp_path)
    assert listed.output.split() == [".git", ".research", "docs", "gauges.pdf", "pincite.toml", "response.json", "src"]


def test_index_says_where_to_go_for_each_audience() -> None:
    table = INDEX.partition("| you have |")[2].partition("\n\n")[0]
    starts = re.findall(r"^\| [^|]+ \| \[[^]]+\]\((\S+)\) \|", table, re.MULTILINE)
    linked = [re.search(r"\(docs/(\S+?)\)", text.rpartition("```")[2])[1] for text in sections().values()]
    assert starts == linked
