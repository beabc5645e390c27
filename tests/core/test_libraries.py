"""What is said where a library is missing, and how that is told from other reasons."""

from __future__ import annotations

import pytest

from pincite.core.libraries import describe_missing, is_missing_library


def test_the_message_says_what_to_type() -> None:
    assert describe_missing("turbohtml").endswith("pip install --force-reinstall turbohtml")


@pytest.mark.parametrize(
    ("reason", "missing"),
    [
        (f"a.pdf: {describe_missing('pypdfium2')}", True),
        ("the PDF is damaged; save or download it again", False),
        ("", False),
    ],
)
def test_a_missing_library_is_told_from_a_damaged_file(reason: str, missing: bool) -> None:
    assert is_missing_library(reason) is missing
