"""The corpus: papers that may be cited, where they say it, and who cites what is not there."""
