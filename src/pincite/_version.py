"""The version, in a file that costs nothing to import; the build reads it from here too."""

__version__ = "0.1.0"
