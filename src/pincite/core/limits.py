"""Every bound in one place, so that hostile input meets the same wall everywhere."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """What pincite is willing to read, follow and print."""

    source_bytes: int = 64 * 1024 * 1024
    """A cited file larger than this is reported as unreadable, not read."""
    document_bytes: int = 32 * 1024 * 1024
    """A document larger than this is not searched for citations."""
    frontmatter_bytes: int = 64 * 1024
    frontmatter_depth: int = 32
    bundle_bytes: int = 16 * 1024 * 1024
    """Largest manifest of a bundle."""
    config_bytes: int = 1024 * 1024
    config_depth: int = 32
    """How deep arrays and tables of a settings file may be nested."""
    config_parts: int = 32
    """How many parts a dotted key may have."""
    config_items: int = 1000
    """How many items one list of settings may have."""
    config_patterns: int = 10_000
    """The same for patterns of files to leave out."""
    config_chars: int = 4096
    """Longest text of a setting."""
    config_chars_in_all: int = 256 * 1024
    """All texts of one list together."""
    outline_bytes: int = 4 * 1024 * 1024
    """A cited file larger than this is not looked through for its definitions."""
    outline_memory: int = 512 * 1024 * 1024
    """How much memory that may take."""
    outline_seconds: int = 20
    """How much CPU; some ten times less is allowed to small files."""
    lock_bytes: int = 256 * 1024 * 1024
    """Largest lock: some hundred thousand citations."""
    cached_source_bytes: int = 24 * 1024 * 1024
    """How much cited text is kept in memory at once; split into lines it takes about four times as much."""
    waiting_bytes: int = 8 * 1024 * 1024
    """How much text, citing and cited, may wait for one question to history."""
    symlinks: int = 40
    open_folders: int = 128
    path_chars: int = 1024
    shown_chars: int = 2000
    """Longest piece of a cited line put into one message; the rest is cut."""
    diff_lines: int = 12
    git_seconds: float = 300.0
    git_file_bytes: int = 64 * 1024 * 1024
    """Largest of the small files that git reads whole whenever it starts: settings, ignore rules, alternates."""
    pdf_bytes: int = 128 * 1024 * 1024
    pdf_pages: int = 20_000
    ocr_seconds: int = 1800
    """For recognising the text of one PDF, which takes seconds a page."""
    pdf_seconds: int = 60
    """Longest that reading one PDF may take, in time that passes and in CPU."""
    pdf_memory: int = 1024 * 1024 * 1024
    """Address space of the process that reads a PDF."""
    picture_seconds: int = 15
    """The same for drawing one page."""
    picture_width: int = 1200
    """Pixels of the picture of a page across, unless it then has too many."""
    picture_pixels: int = 3_000_000
    pdf_text_bytes: int = 64 * 1024 * 1024
    """Most text that is taken from one PDF."""
    pdf_cache_bytes: int = 512 * 1024 * 1024
    """Most that is kept of the text of all PDFs; the oldest goes first."""
    root_caches: int = 64
    """Of how many roots something is kept between runs; what was not used for the longest time goes first."""
    root_cache_bytes: int = 2 * 1024 * 1024 * 1024
    """Most that is kept of all of them together."""
    snapshot_bytes: int = 512 * 1024 * 1024
    """Most that is kept of one root's checks."""


LIMITS = Limits()
