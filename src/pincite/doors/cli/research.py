"""`pincite research`: from search results to a report in which every sentence can be traced."""

from __future__ import annotations

import click

from .lazy_group import LazyCommand, LazyGroup

COMMANDS = {
    "new": LazyCommand("research_add:new", "Begin a topic."),
    "add": LazyCommand("research_add:add", "Add a page, with what you quote from it."),
    "check": LazyCommand("research_topic:check", "Check stage files and the joins between them."),
    "validate": LazyCommand("research_validate:validate", "Check each source: its quote, author and credibility."),
    "snapshot": LazyCommand("research_topic:snapshot", "Fetch pages and keep them as WARC."),
    "attest": LazyCommand("research_topic:attest", "Vouch for the author of a page."),
    "ground": LazyCommand("research_ground:ground", "Say which claims their quotes support."),
    "report": LazyCommand("research_topic:report", "Write the report of the grounded claims."),
    "audit": LazyCommand("research_audit:audit", "Say of every sentence of a report what it rests on."),
    "run": LazyCommand("research_topic:run", "Run the stages in order, and stop at the first that fails."),
    "schema": LazyCommand("research_topic:schema", "Print the JSON Schema of a stage file."),
}


@click.group("research", cls=LazyGroup, sections={"Commands": COMMANDS})
def command() -> None:
    """Trace every sentence of a report to words that really stand on a page.

    The stages of a topic hand each other files in `.research/TOPIC/agent-outputs`.
    """
