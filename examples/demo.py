"""Build a small repository with a history, and show what pincite says about its documents.

python examples/demo.py                    build it in a temporary folder, check its document and repair it
python examples/demo.py --all              the same with every part of pincite
python examples/demo.py --build DIR        only build it
python examples/demo.py --playground DIR   build it, with a paper, a guide, a model's answer and a research topic
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from paper import make_pdf
from topic import copy as copy_topic

HERE = Path(__file__).parent / "gauge"
PINCITE = (sys.executable, "-m", "pincite")
PERSON = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def build(target: Path) -> None:
    """Commit each step of the example's history; the same dates and names give the same commit ids everywhere."""
    _git(target, "init", "--quiet", "--initial-branch=main")
    for number, step in enumerate(sorted(HERE.iterdir()), 1):
        for entry in target.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(step, target, dirs_exist_ok=True)
        date = f"2026-0{number}-01T12:00:00+00:00"
        _git(target, "add", "--all")
        _git(target, "commit", "--quiet", "--message", step.name.partition("-")[2].replace("-", " "), date=date)


def add_parts(target: Path) -> None:
    """Add something to try each part of pincite on."""
    (target / "gauges.pdf").write_bytes(make_pdf())
    (target / "docs/guide.md").write_text(GUIDE, encoding="utf-8")
    (target / "response.json").write_text(ANSWER, encoding="utf-8")
    copy_topic(target)


def short_tour(folder: Path) -> None:
    """Check, repair, and check again, in a screen of text."""
    print("An example repository: docs/design.md cites src/gauge.py, and the code has changed since.", flush=True)
    _run_short(folder, "check", head=10, tail=3)
    _run_short(folder, "fix", "--write", tail=2)
    _run_short(folder, "check", tail=2)
    print(
        "The moved citation is repaired. Next: `pincite check` in your repository, or `make demo-all` for every part."
    )


def tour(folder: Path) -> None:
    """Run the main commands, as a user would type them."""
    _say("A document cites code. Some citations hold, some do not:")
    _run(folder, "check")
    _say("What moved unchanged can be repaired without guessing:")
    _run(folder, "fix")
    _run(folder, "fix", "--write")
    _say("Look at the evidence behind a citation, or at what a check means:")
    _run(folder, "show", "【F:src/gauge.py†L7-L9】")
    _run(folder, "explain", "lines-edited")
    produced(folder)
    changed(folder)
    captured(folder)
    papers(folder)
    found(folder)
    answered(folder)
    researched(folder)
    _say("Next: run `pincite check` in a repository of your own, or `pincite init` to set it up for a team.")


OVERVIEW = """\
The limit, `LIMIT` in `src/gauge.py`, is 250. It was chosen by the operators.
"""


def produced(folder: Path) -> None:
    """Write citations instead of counting lines."""
    _say("Cite lines, or words that you remember. What would not hold, or could mean two places, is refused:")
    _run(folder, "cite", "src/gauge.py:11-14")
    _run(folder, "cite", "self.peak = max", "--style", "link")
    _run(folder, "cite", "src/gauge.py:4-5")
    _say("A document without citations gets some proposed: the lines that would prove a sentence wrong.")
    _write(folder / "docs/overview.md", OVERVIEW)
    _run(folder, "suggest", "docs/overview.md", "--write")
    _run(folder, "check", "docs/overview.md")


def changed(folder: Path) -> None:
    """See what a change of code does to citations, and take it back."""
    message = "Fix and add citations"
    _say("Commit that. Later somebody lowers the limit and imports a module. What does it do to citations?")
    print(f'$ git add docs && git commit --quiet --message "{message}"\n', flush=True)
    _git(folder, "add", "docs")
    _git(folder, "commit", "--quiet", "--message", message, date="2026-03-01T12:00:00+00:00")
    gauge = folder / "src/gauge.py"
    code = gauge.read_text(encoding="utf-8")
    gauge.write_text(code.replace("LIMIT = 250", "import sys\n\nLIMIT = 200"), encoding="utf-8")
    _run(folder, "affected")
    gauge.write_text(code, encoding="utf-8")


def captured(folder: Path) -> None:
    """Record a command, cite what it printed, and share that."""
    _say("What a command printed is evidence too, if it is run through pincite:")
    _run(folder, "run", "--cite", "passed", "--", "python3", "src/check.py")
    search = [*PINCITE, "grep", "passed", "--format", "json"]
    found = subprocess.run(search, cwd=folder, stdout=subprocess.PIPE, check=True)
    citation = json.loads(found.stdout)["citation"]
    _say("Put the citation after the claim:")
    _write(folder / "docs/status.md", f"All 432 checks pass. {citation}\n")
    _run(folder, "check", "docs/status.md")
    _say("A figure that the cited lines do not show is noticed:")
    _write(folder / "docs/status.md", f"All 450 checks pass. {citation}\n")
    _run(folder, "check", "docs/status.md")
    _say("Anyone can open what was printed, here or, once it is exported into the repository, on any machine:")
    _run(folder, "show", citation)
    _run(folder, "export", "docs/status.md", "-o", "evidence")


BACKGROUND = """\
They "lost the same share of their counts, although the larger ones were reset half as often" [REF-001, p.83].
The judges were two: "they agreed on 79% of them" [REF-001, p.82].
It is cheap: "Keeping the peak costs one number per gauge" [REF-001, p.83].
Peaks drift with age [REF-002, p.3].
"""


def papers(folder: Path) -> None:
    """Put a PDF into the corpus, and check what a document quotes from it."""
    _say("Papers are evidence once they are in the corpus; this PDF has the pages 81 to 84 of a journal:")
    (folder / "gauges.pdf").write_bytes(make_pdf())
    _run(folder, "corpus", "add", "gauges.pdf")
    _say("Pages and quotes are looked up in it, whatever the line breaks, hyphens and running heads of the PDF:")
    _write(folder / "docs/background.md", BACKGROUND)
    _run(folder, "check", "docs/background.md")
    _run(folder, "fix", "--write", "docs/background.md")
    _say("Ask for a citation instead of remembering one:")
    _run(folder, "corpus", "cite", "keeping the peak across resets loses no count")
    _run(folder, "corpus", "cite", "gauges rust in salt water")


GUIDE = """\
# Gauges for operators

## Limits

The limit is 250. A gauge at its limit stays there.

## Resetting

A reset sets the value to zero. It keeps the peak, so nobody
has to write it down before.
"""


def found(folder: Path) -> None:
    """Search, cite what was found, and see that it changed."""
    _say("Search documents and code; every hit has its place, its headings and a citation:")
    _write(folder / "docs/guide.md", GUIDE)
    _run(folder, "index")
    _run(folder, "search", "add up to the limit", "--path", "src", "--limit", "1")
    _run(folder, "search", "what does a reset keep", "--limit", "1")
    _say("Cite a hit by its number, in the style you like:")
    _run(folder, "cite", "--hit", "1", "--style", "footnote")
    _run(folder, "cite", "--hit", "1")
    _say("`pincite check` reads it back, and tells a heading that is not there:")
    inline = "[guide.md, §Resetting]"
    _write(folder / "docs/notes.md", f"Nobody writes peaks down {inline}, or late [guide.md, §Peaks].\n")
    _run(folder, "check", "docs/notes.md")
    _say("The words that were cited are remembered. Somebody edits them:")
    edited = GUIDE.replace("keeps the peak, so nobody", "forgets the peak, so somebody")
    (folder / "docs/guide.md").write_text(edited, encoding="utf-8")
    _run(folder, "cite", "--recent", "--check")


ANSWER = """\
{"type": "message", "role": "assistant", "content": [
  {"type": "text", "text": "A full gauge stays full.", "citations": [
    {"type": "char_location", "cited_text": "A gauge at its limit stays there.", "document_index": 0,
     "document_title": "guide.md", "start_char_index": 53, "end_char_index": 86}]},
  {"type": "text", "text": " Its limit is 350.", "citations": [
    {"type": "char_location", "cited_text": "The limit is 350.", "document_index": 0,
     "document_title": "guide.md", "start_char_index": 35, "end_char_index": 52}]},
  {"type": "text", "text": " It is painted green."}]}
"""


def answered(folder: Path) -> None:
    """Check an answer of a model against the document that it quotes."""
    _say("A model's answer, as its API gives it back, quotes the guide. One of the two quotes is altered:")
    _write(folder / "response.json", ANSWER)
    _run(folder, "verify-answer", "response.json", "--docs", "docs/guide.md")


def researched(folder: Path) -> None:
    """Validate the sources of a small topic, ground its claims, write the report, and audit it."""
    _say("A search found four pages, and somebody took eleven claims and quotes from them. Do the files fit together?")
    copy_topic(folder)
    _run(folder, "research", "check", "lanternfish")
    _say("Is each quote on its page, and how credible is the page? The pages are snapshots: no network is needed.")
    _run(folder, "research", "validate", "lanternfish", "--offline", only=("bench.example", "citations validated"))
    _say("Which claims do their quotes support?")
    _run(folder, "research", "ground", "lanternfish", only=("compression", "not lock", "widely", "claims grounded"))
    _say("Only what is grounded goes into the report, and every sentence of it can be traced:")
    _run(folder, "research", "report", "lanternfish")
    _run(folder, "research", "audit", ".research/lanternfish/report.md")
    _say("One sentence is only implied by its quote, and needs a reader. Where that is enough:")
    _run(folder, "research", "audit", ".research/lanternfish/report.md", "--least", "medium")
    _say("Somebody improves a sentence, from 3.2 to 2.3 seconds:")
    report = folder / ".research/lanternfish/report.md"
    report.write_text(report.read_text(encoding="utf-8").replace("took 3.2 sec", "took 2.3 sec", 1), encoding="utf-8")
    _run(folder, "research", "audit", ".research/lanternfish/report.md")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    folder = "docs/" if path.parent.name == "docs" else ""
    print(f"$ cat {folder}{path.name}\n{text}", flush=True)


def _say(text: str) -> None:
    print(f"\n# {text}\n", flush=True)


def _run(folder: Path, *arguments: str, only: tuple[str, ...] = ()) -> None:
    """Run a command; with `only`, of its paragraphs those are shown that hold one of these words."""
    print("$ pincite", *(f'"{word}"' if " " in word else word for word in arguments), flush=True)
    # The command that is recorded is then the same on every machine: python3, and not where that lies.
    programs = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)))
    environment = os.environ | {"PATH": programs} | ({"FORCE_COLOR": "1"} if sys.stdout.isatty() else {})
    output = subprocess.PIPE if only else None
    done = subprocess.run([*PINCITE, *arguments], cwd=folder, env=environment, stdout=output, check=False)
    if only:
        paragraphs = done.stdout.decode().rstrip().split("\n\n")
        shown = groupby(paragraphs, lambda text: any(word in text for word in only))
        print(*("\n\n".join(parts) if wanted else "…" for wanted, parts in shown), sep="\n\n", flush=True)
    if done.returncode not in (0, 1):
        sys.exit(f"the demo failed: pincite {arguments[0]} ended with {done.returncode}")
    print(flush=True)


def _run_short(folder: Path, *arguments: str, head: int = 0, tail: int) -> None:
    """Run a command and print its first and last lines, with `…` for the lines between."""
    print("$ pincite", *arguments, flush=True)
    environment = os.environ | ({"FORCE_COLOR": "1"} if sys.stdout.isatty() else {})
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run([*PINCITE, *arguments], cwd=folder, env=environment, check=False, **streams)
    lines = done.stdout.decode().splitlines()
    if done.returncode not in (0, 1):
        sys.exit("\n".join((*lines, f"the demo failed: pincite {arguments[0]} ended with {done.returncode}")))
    print(*lines[:head], "…", *lines[-tail:], sep="\n", flush=True)


def _git(folder: Path, *arguments: str, date: str = "2026-01-01T12:00:00+00:00") -> None:
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["git", *arguments], cwd=folder, env=os.environ | PERSON | dates, check=True)


def main(arguments: list[str]) -> None:
    """Build, and take a tour unless only the building was asked for."""
    if arguments[:1] in (["--build"], ["--playground"]) and len(arguments) == 2:
        target = Path(arguments[1])
        target.mkdir(parents=True, exist_ok=True)
        build(target)
        if arguments[0] == "--playground":
            add_parts(target)
        return
    if arguments not in ([], ["--all"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        target = Path(temporary) / "gauge"
        target.mkdir()
        build(target)
        (tour if arguments else short_tour)(target)


if __name__ == "__main__":
    main(sys.argv[1:])
