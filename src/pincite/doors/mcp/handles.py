"""Receipts: handles for what an agent was shown. It may cite that, and read it again as a resource."""

from __future__ import annotations

from secrets import token_urlsafe
from threading import Lock
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...engine.read_receipts import ReadReceipt
from ...safe.escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 4096
"""Receipts that are kept; a session that shows more loses the oldest."""
PREFIX = "r_"
SCHEME = "pincite://evidence/"


class ReceiptBook:
    """The receipts that a server gave out; they are kept in memory and end with it."""

    def __init__(self) -> None:
        self._receipts: dict[str, ReadReceipt] = {}
        self._handles: dict[ReadReceipt, str] = {}
        self._lock = Lock()

    def mint(self, receipt: ReadReceipt) -> str:
        """The handle of a receipt: unguessable, and the same for the same lines."""
        with self._lock:
            handle = self._handles.pop(receipt, "") or PREFIX + token_urlsafe(12)
            # What was asked for again is the youngest.
            self._receipts.pop(handle, None)
            self._receipts[handle] = receipt
            self._handles[receipt] = handle
            while len(self._receipts) > _MOST:
                oldest = next(iter(self._receipts))
                del self._handles[self._receipts.pop(oldest)]
        return handle

    def find(self, handle: str) -> ReadReceipt | None:
        """The receipt of a handle; None where the server gave out none such, or no longer has it."""
        return self._receipts.get(handle.removeprefix(SCHEME))

    def find_all(self, handles: Sequence[str]) -> list[ReadReceipt]:
        """The receipts of some handles; raises UsageError naming those that are not known."""
        found = [self.find(handle) for handle in handles]
        unknown = [handle for handle, receipt in zip(handles, found, strict=True) if receipt is None]
        if unknown:
            named = ", ".join(escape_text(handle, 40) for handle in unknown[:3])
            raise UsageError(f"receipts: {named}: not known, or no longer; show or search again, and pass the new ones")
        return [receipt for receipt in found if receipt is not None]
