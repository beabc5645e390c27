"""Pages that need nothing else."""

from __future__ import annotations

from pincite.text.html_page import make_page


def test_a_page_runs_nothing_and_loads_nothing() -> None:
    page = make_page("T", "p { margin: 0; }", ("<h1>T</h1>",), ("<p>a</p>", "<p>b</p>"))
    assert "default-src 'none'" in page and "p { margin: 0; }" in page
    assert "<script" not in page and "http://" not in page and "https://" not in page
    assert page.index("<h1>T</h1>") < page.index("<main>") < page.index("<p>a</p>") < page.index("</main>")
