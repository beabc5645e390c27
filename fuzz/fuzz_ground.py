"""Claims, quotes and reports of any kind: a judgement with reasons, an audit, and marks that change nothing else."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.domains.research.report_audit import AuditEvidence, audit, mark
    from pincite.judge.model import LEVELS, QuotedEvidence
    from pincite.judge.offline import Offline

JUDGE = Offline()
_NEEDED = " [citation needed]"


def law(data: bytes) -> None:
    """Judging never raises and gives spans of the quote; marking a report only adds marks."""
    text = data.decode("utf-8", "replace")
    claim, _, rest = text.partition("\n")
    quote, _, title = rest.partition("\n\n")
    for evidence in (quote, QuotedEvidence(quote, title[:80], title[80:])):
        found = JUDGE.assess(claim, evidence)
        assert found.level in LEVELS and 0 <= found.score <= 1 and found.reasons
        for reason in found.reasons:
            assert all(0 <= start <= end <= len(quote) for start, end in reason.spans), reason
        assert JUDGE.assess(claim, evidence) == found
    audited = audit(text, AuditEvidence(), JUDGE)
    # A mark can change what markdown makes of broken text, so that marking twice is no law for every text.
    assert mark(text, audited).replace(_NEEDED, "") == text.replace(_NEEDED, "")


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"WebAssembly supports 4 languages.\nWebAssembly currently supports C, C++, Rust, and AssemblyScript.",
            b"It took 3.2 seconds.\nIn 2017 the test, which ran twice, did not take 3.2 s (10 %).\n\nA title",
            "# T\n\nA claim.[^1] Another [1](https://a.example/).\n\n- item – “said”\n\n[^1]: https://b.example/\n".encode(),
        ],
        tokens=[
            *(
                "not ",
                "only ",
                "1.5 million",
                " %",
                "$5",
                "31 January 2026",
                "more than ",
                "e.g. ",
                "[1]",
                "[^a]",
                "](https://",
            ),
            *(
                "\n\n",
                "\n- ",
                "| a | b |\n|---|---|\n",
                "> ",
                "```\n",
                "<sup>1</sup>",
                " [citation needed]",
                "¹",
                "“",
                "”",
            ),
        ],
    )
