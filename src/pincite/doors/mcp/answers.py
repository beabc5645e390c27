"""What a tool call gives back: text for the model, and the same facts as fields for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import BaseModel

from ...core.errors import PinciteError
from ...text.lines import format_count
from .handles import SCHEME

if TYPE_CHECKING:
    from collections.abc import Callable

    from .jobs import Job, JobResult
    from .workspace import Workspace

    Work = Callable[[Job], JobResult]

PAGE = 20
"""Items of one answer."""


class _PagedFields(BaseModel):
    """Where the rest of an answer is."""

    cursor: str | None = None


class CheckFields(_PagedFields):
    """What `check` found."""

    summary: dict[str, Any] = {}
    findings: list[dict[str, Any]] = []
    corrected: str | None = None


class ShowFields(_PagedFields):
    """The evidence that `show` found."""

    citation: str = ""
    lines: list[int] | None = None
    text: list[str] = []
    findings: list[dict[str, Any]] = []
    receipt: str | None = None


class CiteFields(_PagedFields):
    """The citation that `cite` wrote."""

    citation: str | None = None
    candidates: list[dict[str, Any]] = []
    receipt: str | None = None


class SearchFields(_PagedFields):
    """The passages that `search` found."""

    hits: list[dict[str, Any]] = []


class FixFields(_PagedFields):
    """The documents that `fix` changes."""

    documents: list[dict[str, Any]] = []
    written: bool = False


class VerifyFields(_PagedFields):
    """What `verify_answer` found."""

    summary: dict[str, Any] = {}
    citations: list[dict[str, Any]] = []


async def answer(workspace: Workspace, work: Work, listed: str, cursor: str) -> CallToolResult:
    """Start the work, or go on with that of a cursor, and give what there is by the deadline."""
    jobs = workspace.jobs
    try:
        job, offset = jobs.find(cursor, listed) if cursor else (jobs.start(work, listed), 0)
    except PinciteError as error:
        return make_error(workspace.describe_error(error))
    await jobs.wait(job, workspace.deadline)
    if job.error and len(job.items) <= offset:
        return make_error(job.error)
    return _make_page(job, offset, listed)


def make_error(message: str) -> CallToolResult:
    """An answer that says what is wrong and what to do."""
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def _make_page(job: Job, offset: int, listed: str) -> CallToolResult:
    """The items from an offset on; the result with the last of them, and where to go on before that."""
    result, items = job.result, job.items[offset : offset + PAGE]
    following = offset + len(items)
    more = len(job.items) - following
    ended = result is not None or bool(job.error)
    cursor = f"{job.id}.{following}" if more or not ended else None
    parts = [item.text for item in items]
    fields: dict[str, Any] = dict(result.fields) if result is not None else {}
    if result is not None and result.text:
        parts.append(result.text)
    if job.error:
        parts.append(job.error)
    if more and cursor:
        parts.append(f"and {more:,} more: cursor={cursor}")
    elif cursor:
        done, total = job.steps
        far = f" ({done:,} of {format_count(total, 'document')})" if total else ""
        parts.append(f"Not finished yet{far}; the work goes on. Call again with cursor={cursor}")
    elif job.dropped:
        parts.append(f"and {job.dropped:,} more that are not kept; ask for fewer paths")
    if listed:
        fields[listed] = [item.fields for item in items]
    if cursor is not None:
        fields["cursor"] = cursor
    content: list[Any] = [TextContent(type="text", text="\n\n".join(parts) or "Nothing to say.")]
    if result is not None and result.receipt:
        content.append(ResourceLink(type="resource_link", uri=SCHEME + result.receipt, name="evidence"))
    return CallToolResult(content=content, structured_content=fields)
