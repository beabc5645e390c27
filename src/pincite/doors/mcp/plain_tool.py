"""A tool that says in plain words which of its arguments is wrong."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

from ...safe.escape import escape_text

_MOST_ERRORS = 5


class PlainTool(Tool):
    """As the SDK's, but wrong arguments are not told in the words of its validator, with an address of its makers."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Run the tool; raises ToolError where the arguments do not fit."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(f"{self.name}: {_describe(error.__cause__)}") from None


def _describe(error: ValidationError) -> str:
    found = [
        f"{'.'.join(map(str, one['loc']))}: {one['msg'][:1].lower()}{one['msg'][1:]}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    left = len(found) - _MOST_ERRORS
    more = f"; and {left} more" if left > 0 else ""
    return escape_text("; ".join(found[:_MOST_ERRORS])) + more
