"""A user's way through research, a model's answer, the corpus and the search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from support_pdf import make_pdf

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

TOPIC = ".research/lanternfish"
INVENTED = "\n\nLanternfish was written by 40 people in a week (https://docs.lanternfish.example/storage).\n"


def read_files(folder: Path) -> dict[str, bytes]:
    """What the files below a folder hold."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_user_judges_a_topic(own_server: WebServer, playground: Path, open_browser: OpenBrowser, axe: str) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Research")
    visit.see("1 topic of research", "lanternfish", "7 of 11")
    page.get_by_role("link", name="lanternfish", exact=True).click()
    visit.see("Stages", "search-agent ready", "claim-grounding-mapper ready", "7 supports", "1 contradicts")
    page.get_by_role("link", name="Quote 1 on its page").first.click()
    visit.see("Quote 1 of lanternfish", "verbatim", "From the snapshot")
    visit.see("keeps its data in 16 segments", where=".context mark")
    page.get_by_role("link", name="lanternfish", exact=True).click()

    before = read_files(playground / TOPIC)
    for action, name in (("Attest", "Ada Lovelace"), ("Reject", "Grace Hopper")):
        page.get_by_role("link", name=f"{action} claim 4").click()
        visit.see(f"{action} a claim of lanternfish", "A read that misses never goes to the journal.")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Note (how you checked it)").fill("read the page")
        page.get_by_role("button", name="Show the change").click()
        visit.see(name, where="pre.diff")
        assert visit.run_axe(axe) == []
        assert read_files(playground / TOPIC) == before, "a diff is shown, nothing is written"
        page.get_by_role("button", name=f"Sign as {name}").click()
        visit.see("Stages", "Claims")
        after = read_files(playground / TOPIC)
        changed = [path for path in after if before.get(path) != after[path]]
        assert len(changed) == 1 and name.encode() in after[changed[0]]
        before = after
    page.get_by_role("button", name="Run the stages").click()
    visit.see("done")
    page.get_by_role("link", name="Show what came of it").click()
    claim = page.locator("article.claim", has_text="A read that misses never goes to the journal.")
    claim.get_by_text("Why", exact=True).click()
    assert "not shown" in claim.inner_text() and "Grace Hopper" in claim.inner_text()


def test_a_user_reads_a_report_and_audits_one(
    own_server: WebServer, playground: Path, open_browser: OpenBrowser, axe: str
) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Research")
    page.get_by_role("link", name="lanternfish", exact=True).click()
    page.get_by_role("link", name="Report", exact=True).click()
    visit.see("Report of lanternfish", "85.7 % grounded", "1 needs a reader", "Sources")
    before = read_files(playground / TOPIC)
    page.get_by_role("link", name="lanternfish", exact=True).click()
    page.get_by_role("link", name="Audit a report").click()
    report = (playground / TOPIC / "report.md").read_text(encoding="utf-8")
    page.get_by_label("Report, in markdown").fill(report + INVENTED)
    assert page.get_by_label("Topic whose citations it rests on").input_value() == "lanternfish"
    page.get_by_role("button", name="Audit").click()
    visit.see("Audit of the report that was pasted", "grounded", "Lanternfish was written by 40 people in a week")
    assert "85.7 % grounded" not in page.inner_text("main")
    assert visit.run_axe(axe) == []
    assert read_files(playground / TOPIC) == before


def test_a_user_checks_the_answer_of_a_model(
    own_server: WebServer, playground: Path, open_browser: OpenBrowser, axe: str
) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Answers")
    page.get_by_label("Paste it").fill((playground / "response.json").read_text(encoding="utf-8"))
    page.get_by_label("Files, at most").set_input_files(playground / "docs/guide.md")
    page.get_by_role("button", name="Check the answer").click()
    visit.see("Sentences and their evidence")
    sentences = page.locator("ol.sentences > li")
    assert sentences.count() == 3
    assert visit.run_axe(axe) == []
    first, second, third = (sentences.nth(number).inner_text() for number in range(3))
    assert "A full gauge stays full." in first and "holds" in first and "A gauge at its limit stays there." in first
    assert "Its limit is 350." in second and "holds" not in second and "The limit is 250." in second
    assert "It is painted green." in third and "no citation" in third


def test_a_user_adds_a_paper_and_audits_the_corpus(
    own_server: WebServer, playground: Path, tmp_path: Path, open_browser: OpenBrowser, axe: str
) -> None:
    paper = tmp_path / "twice.pdf"
    paper.write_bytes(make_pdf(["Gauges that count twice\nby A. Author\n2024"], title="Gauges that count twice"))
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Corpus")
    visit.see("Corpus: 1 paper", "REF-001", "Resetting Gauges Without Losing Counts")
    before = read_files(playground / ".aiwg")
    page.get_by_label("Add a paper").set_input_files(paper)
    page.get_by_role("button", name="Read it").click()
    visit.see("Add twice.pdf", "1 page", "Nothing is written yet.")
    page.get_by_label("Title").fill("Gauges that count twice")
    page.get_by_label("Year").fill("2024")
    page.get_by_role("button", name="Show what would be written").click()
    visit.see("What would be written", "Gauges that count twice", "2024")
    assert read_files(playground / ".aiwg") == before
    page.get_by_label("I have looked at these fields").check()
    page.get_by_role("button", name="Add it").click()
    visit.see("REF-002 was added", "Gauges that count twice")
    assert visit.run_axe(axe) == []
    after = read_files(playground / ".aiwg")
    assert paper.read_bytes() in [data for path, data in after.items() if path not in before]
    page.get_by_role("link", name="All papers").click()
    visit.see("Corpus: 2 papers", "REF-001", "REF-002 Gauges that count twice 2024", "yes")
    page.get_by_role("link", name="Audit: coverage").click()
    visit.see("No audit was made since the server started.")
    page.get_by_role("button", name="Audit now").click()
    visit.see("done")
    page.get_by_role("link", name="Show what came of it").click()
    visit.see("Nothing was written", "The same figures", "docs/background.md")


def test_a_user_searches_and_copies_citations(
    own_server: WebServer, playground: Path, open_browser: OpenBrowser
) -> None:
    visit = open_browser(own_server)
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.page
    visit.go_to("Search")
    visit.see("There is no index yet.")
    page.get_by_role("button", name="Make the index").click()
    visit.see("Index for the search", "done: indexed for the first time")
    page.get_by_role("link", name="Show what came of it").click()
    field = page.get_by_label("Words or names")
    field.press_sequentially("reset peak")
    visit.see("passage", "src/gauge.py", where="#results")
    page.wait_for_url("**/search?q=reset+peak")
    hit = page.locator("#results li").filter(has_text="src/gauge.py").first
    hit.get_by_role("button", name="Copy").click()
    hit.get_by_role("button", name="Copied").wait_for()
    usual = page.evaluate("navigator.clipboard.readText()")
    assert usual == hit.get_by_label("Citation").input_value() and "src/gauge.py" in usual
    hit.get_by_role("link", name="Cite in any style").click()
    hit.locator(".citation", has_text="markdown").first.get_by_role("button", name="Copy").click()
    hit.locator(".citation", has_text="markdown").first.get_by_role("button", name="Copied").wait_for()
    other = page.evaluate("navigator.clipboard.readText()")
    assert other != usual and "src/gauge.py" in other
