"""`python -m pincite`."""

from .doors.cli.main import main

main()
