"""`pincite research attest`."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from ...core.errors import UsageError
from .research_kit import open_work, root_option


@click.command("attest")
@click.argument("topic")
@click.argument("url")
@click.option("--author", required=True, metavar="NAME", help="Who wrote the page.")
@click.option("--by", required=True, metavar="NAME", help="Who checked it.")
@click.option("--note", default="", metavar="TEXT", help="How.")
@root_option
def attest(topic: str, url: str, author: str, by: str, note: str, root: str | None) -> None:
    """Vouch for the author of a page, where the page itself does not prove it.

    Kept in `.research/TOPIC/attestations.yaml`, with who vouches and when; `validate` takes it from there.
    """
    from difflib import get_close_matches

    from ...domains.research.attestations import AuthorAttestation, attest_author
    from ...domains.research.model import EXTRACT

    work = open_work(topic, root)
    for name, value in (("URL", url), ("--author", author), ("--by", by)):
        if not value.strip():
            raise click.UsageError(f"{name} is empty: a person has to sign for it")
    if not url.startswith("https://"):
        raise UsageError(f"{url}: give the page's https:// address, as the citation has it")
    citations = work.topic.path(EXTRACT)
    if work.root.is_file(citations):
        cited = [one.source_url for one in work.load_stage(EXTRACT).items]
        if url not in cited:
            close = get_close_matches(url, cited, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UsageError(f"{url}: no citation in {citations} has this address{hint}")
    entry = AuthorAttestation(url, author.strip(), by.strip(), datetime.now(UTC).date().isoformat(), note)
    attest_author(work.root, work.topic.attestations, entry)
    click.echo(f"attested in {work.topic.attestations}; now run `pincite research validate {work.topic.name}`")
