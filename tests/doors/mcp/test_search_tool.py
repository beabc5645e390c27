"""What `search` shows, cites and gives receipts for."""

from __future__ import annotations

from pathlib import Path

from support_mcp import call, text_of


def test_only_the_lines_of_a_long_passage_that_are_shown_are_cited_and_have_a_receipt(repository: Path) -> None:
    body = "".join(f"    step_{number} = prepare({number})\n" for number in range(1, 40))
    (repository / "src" / "long.py").write_text(f"def zebra():\n{body}    return step_1\n")
    result = call(repository, "search", query="zebra", path="src/long.py")
    hit = result.structured_content["hits"][0]
    first, last = hit["lines"]
    assert last - first < 12 and hit["text"].count("\n") == last - first
    assert hit["citation"] == f"【F:src/long.py†L{first}-L{last}】"
    assert "more lines of the passage" in text_of(result)


def test_a_short_passage_is_shown_whole(repository: Path) -> None:
    (repository / "src" / "short.py").write_text("def quagga():\n    return 7\n")
    result = call(repository, "search", query="quagga", path="src/short.py")
    assert result.structured_content["hits"][0]["lines"] == [1, 2]
    assert "more line" not in text_of(result)
