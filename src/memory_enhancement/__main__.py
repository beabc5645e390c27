"""`python -m memory_enhancement`: the same commands as `pincite memory`."""

from __future__ import annotations

from pincite.doors.cli.main import run
from pincite.doors.cli.memory import command


def main() -> None:
    """Run the memory commands."""
    run(command, "memory_enhancement")


if __name__ == "__main__":
    main()
