"""`pincite research snapshot`."""

from __future__ import annotations

import sys

import click

from ...project.project import open_project
from .kit import print_json
from .progress import Progress
from .research_kit import Ink, emit, format_option, root_option


@click.command("snapshot")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--topic", metavar="TOPIC", help="The topic they belong to (default: the only one there is).")
@format_option
@root_option
def snapshot(urls: tuple[str, ...], topic: str | None, format_: str, root: str | None) -> None:
    """Fetch pages and keep each as a WARC file beside the topic, with digests.

    Exit code: 0 all answered with 200, 1 one did not, 2 a snapshot cannot be written.
    """
    from ...core.web import FetchFailure
    from ...domains.research.page_fetching import OK
    from ...domains.research.stages import Work
    from ...domains.research.topic import topic_named, topics
    from ...store.warc import Snapshots

    project = open_project(root)
    found, config = project.root, project.config
    known = topics(found)
    if topic is None and len(known) != 1:
        names = ", ".join(one.name for one in known) or "none yet"
        raise click.UsageError(f"which topic? pass --topic NAME (topics: {names})")
    named = topic_named(topic) if topic is not None else known[0]
    work = Work(found, named, config.research)
    kept = Snapshots(found, named.snapshots)
    ink = Ink()
    rows: list[dict[str, str | int]] = []
    progress = Progress(True, "pages", "fetching")
    with work.fetcher() as fetcher:
        for done, (url, got) in enumerate(fetcher.fetch_all(urls), 1):
            progress.step(done, len(urls))
            try:
                if isinstance(got, FetchFailure):
                    raise got
                one = kept.add(got)
            except FetchFailure as trouble:
                rows.append({"url": url, "trouble": trouble.kind, "reason": str(trouble)})
                continue
            rows.append(
                {
                    "url": url,
                    "status": got.status,
                    "final_url": got.final_url,
                    "retrieved": got.retrieved,
                    "file": f"{named.snapshots}/{one.file}",
                    "digest": one.digest,
                }
            )
    progress.clear()
    failed = any(row.get("status") != OK for row in rows)
    if format_ == "json":
        print_json({"schema": "pincite.research-snapshot/1", "topic": named.name, "snapshots": rows})
    else:
        for row in rows:
            if "trouble" in row:
                emit([f"{ink('✗ ' + str(row['trouble']), 'bad')}  {ink(str(row['reason']))}"])
                continue
            style = "good" if row["status"] == OK else "bad"
            emit(
                [
                    f"{ink(str(row['status']), style)}  {ink(str(row['url']), 'place')}",
                    f"     {ink(str(row['file']))}",
                    f"     {ink(str(row['digest']), 'dim')}",
                ]
            )
    sys.exit(int(failed))
