"""The report as Markdown: tables that no cell can break."""

from __future__ import annotations

from pathlib import Path
from time import time

import pytest
from markdown_it import MarkdownIt

from pincite.fleet.fleet_report import make_report
from pincite.fleet.fleet_report_markdown import render_markdown
from support_fleet_store import DAY, MISSING, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_hostile import PAYLOADS, find_foreign_elements


def test_it_has_every_part(tmp_path: Path) -> None:
    now = int(time())
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        fill_fleet(store, now)
        text = render_markdown(make_report(store, now, now - DAY // 2))
    for part in (
        "# Citations of the fleet\n\n5 repositories of all teams: 37 citations in 6 documents  \n",
        "| 3 | 75.0% | 0 | <code>github.com/acme/beta</code> | <code>docs</code> |",
        "- missing <code>docs/2.md:2</code> src/gone.py: no such file",
        "```\ngit clone https://github.com/acme/alpha && cd alpha",
        "| <code>default</code> | 2 | 31 | 2 | 6.5% | 2 |",
        "| <code>github.com/acme/delta</code> | 2 | ",
        "| <code>github.com/acme/epsilon</code> | <code>docs</code> | never |",
    ):
        assert part in text, part


def test_long_lists_are_cut_and_say_so(tmp_path: Path) -> None:
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        for name in "abc":
            number = add_repository(store, name)
            store.verdicts.record_failure(store.teams.get("default"), number, "gone", "")
            add_check(store, number, "1", [make_verdict(1), make_verdict(2)])
            add_check(store, number, "2", [make_verdict(1, MISSING), make_verdict(2, MISSING)])
        text = render_markdown(make_report(store, int(time()), int(time()) - DAY), 1)
    assert "- … and 1 more\n" in text and "… and 2 more repositories." in text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_names_are_only_text(payload: str, tmp_path: Path) -> None:
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        number = add_repository(store, payload, location=payload)
        add_check(store, number, "1", [make_verdict(1, document=payload)])
        add_check(store, number, "2", [make_verdict(1, MISSING, payload, message=payload)])
        store.verdicts.record_failure(store.teams.get("default"), number, f"{payload}|x\n# y", "")
        text = render_markdown(make_report(store, int(time()), int(time()) - DAY))
    html = (
        MarkdownIt("commonmark", {"html": True}).enable("table").render(text).replace(' style="text-align:right"', "")
    )
    assert find_foreign_elements(html) == []
    assert html.count("<h1>") == 1 and "<a " not in html and "<img" not in html
    assert all(row.count(" | ") in (3, 4) for row in text.splitlines() if row.startswith("| ") and "---" not in row)
