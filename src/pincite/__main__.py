"""`python -m pincite`."""

from .serve.cli import main

main()
