"""Locking: what each citation without a snippet rests on, compared with what it rested on when it was last read.

Nothing is accepted unread: an entry whose evidence changed keeps what it holds until the user names its id.
"""

from ...store.lock_file import Locks
from .carry import make_draft_check, repoint
from .plan import LockedCitation, Locker, Plan

__all__ = ["LockedCitation", "Locker", "Locks", "Plan", "apply", "make_draft_check", "repoint"]
from ...safe.files import Root
from ...store.lock_file import save


def apply(root: Root, plan: Plan) -> bool:
    """Write the lock where it changes; whether it was. Raises Conflict or Refused."""
    if plan.new == plan.old or (plan.old is None and plan.new.count(b"\n") == 1):
        return False
    save(root, plan.old, plan.new)
    return True
