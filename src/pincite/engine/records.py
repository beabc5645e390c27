"""What readers recorded in the repository: the lock, and the citations that were accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..store import ACCEPTED, LOCK

if TYPE_CHECKING:
    from ..safe.files import Root
    from ..store.accepted_file import Acceptances
    from ..store.lock_file import Locks


def load_records(root: Root) -> tuple[Locks | None, Acceptances | None]:
    """The lock and the acceptances below a root, None where there are none; raises UsageError where one is not right.

    Where neither file exists, that costs a look at each.
    """
    locks = accepted = None
    if root.stat(LOCK) is not None:
        from ..store.lock_file import Locks

        locks = Locks.load(root)
    if locks is not None or root.stat(ACCEPTED) is not None:
        from ..store.accepted_file import Acceptances

        accepted = Acceptances.load(root, locks) or None
    return locks, accepted
