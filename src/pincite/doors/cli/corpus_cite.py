"""`pincite corpus cite`: from a claim to a citation with its evidence, or to the answer that there is none."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import Refused, UsageError
from .corpus_kit import at_root, in_format, open_corpus
from .kit import pick_fields, print_json, say

if TYPE_CHECKING:
    from ...domains.corpus.cite import CitableAnswer
    from ...domains.corpus.search import PaperLibrary, PaperPassage
    from ...project.config import Config
    from ...safe.files import Root
    from ...sources import Corpus


@click.command("cite")
@click.argument("claim")
@click.option("--quote", metavar="TEXT", help="Words to quote: they must stand in a paper exactly so.")
@click.option("--limit", type=click.IntRange(1, 50), default=1, metavar="N", help="Citations to offer (default: 1).")
@click.option("--no-receipt", is_flag=True, help="Write no receipt of what was retrieved.")
@in_format
@at_root
def cite(claim: str, quote: str | None, limit: int, no_receipt: bool, format_: str, root: str | None) -> None:
    """Find the passage of the corpus that supports CLAIM, and cite it with its page and a receipt.

    With --quote, the paper in which these words stand. Where nothing supports the claim, or the words are not there,
    that is the answer. Exit code: 0 a citation was found, 1 none was.

    \b
    As JSON: {"claim", "found": true or false, "citation", "text": the claim with its citation,
      "evidence": [{"citation", "ref", "title", "page", "page_valid", "section", "passage", "kind": "text", "quote" or
        "notes", "file", "digest", "relevance", "receipt"}, ...], "quote",
      "refusal": "", "no-source", "quote-altered", "quote-stitched", "quote-absent" or "quote-too-short",
      "message", "detail": [...], "recommendation", "not_searched": [...]}
    """
    from ...domains.corpus.cite import cite as find
    from ...domains.corpus.cite import cite_quote
    from ...domains.corpus.search import PaperLibrary
    from .corpus_papers import tell_unsearched

    with open_corpus(root) as (place, config, corpus), PaperLibrary(corpus, place) as library:
        answer = find(library, claim, limit) if quote is None else cite_quote(library, claim, quote, limit)
        evidence = [_evidence(place, config, library, answer, one, not no_receipt) for one in answer.found]
        advice = _get_advice(corpus, answer)
        if format_ == "json":
            print_json(
                {
                    "claim": answer.claim,
                    "found": bool(answer.found),
                    "citation": answer.found[0].citation if answer.found else None,
                    "text": answer.text,
                    "evidence": evidence,
                    "quote": answer.quote or None,
                    **pick_fields(answer, "refusal message detail"),
                    "recommendation": advice,
                    "not_searched": library.troubles,
                }
            )
        else:
            tell_unsearched(library.troubles)
            _print(answer, evidence, advice)
    sys.exit(0 if answer.found else 1)


def _evidence(
    root: Root, config: Config, library: PaperLibrary, answer: CitableAnswer, found: PaperPassage, keep: bool
) -> dict[str, Any]:
    """What a citation rests on, with the receipt of it."""
    from ...domains.corpus.paper_pieces import join_lines
    from ...store.receipts import Receipt, keep_receipt

    digest = library.file_digest(found)
    receipt = None
    if keep:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        kept = Receipt(
            created=now,
            claim=answer.claim,
            ref=found.ref,
            citation=found.citation,
            # Pages whose names fit into no citation are in no receipt either.
            page=found.page if ", p" in found.citation else "",
            section=found.section,
            quote=answer.quote,
            passage=found.text,
            source=found.file,
            digest=digest,
        )
        folder = config.corpus.receipts.strip("/")
        try:
            receipt = keep_receipt(root, folder, kept)
        except Refused as error:
            why = "it lies outside the root" if error.kind == "path-blocked" else str(error)
            raise UsageError(f"{folder}: the receipt cannot be written: {why}; --no-receipt does without") from None
    return {
        **pick_fields(found, "citation ref title"),
        "page": found.page or None,
        "page_valid": found.page_valid,
        "section": found.section or None,
        "passage": join_lines(found.text),
        **pick_fields(found, "kind file"),
        "digest": digest,
        "relevance": None if answer.quote else round(found.score, 3),
        "receipt": receipt,
    }


def _get_advice(corpus: Corpus, answer: CitableAnswer) -> str:
    """What to do where nothing may be cited."""
    if answer.found:
        return ""
    if answer.refusal not in ("no-source", "quote-absent"):
        return "Quote what the paper says, word for word, or make the claim without a quote."
    command: str = corpus.policy.at("retrieval_first_policy.corpus_expansion_protocol.addition_command")
    return f"Consider adding [Paper] to corpus using `{' '.join(command.split())}`"


def _print(answer: CitableAnswer, evidence: list[dict[str, Any]], advice: str) -> None:
    if not answer.found:
        for row in (answer.message, *(f"  {one}" for one in answer.detail), advice, "", answer.text):
            say(row)
        return
    say(answer.text)
    kinds = {"notes": "notes in the corpus file, not the paper itself", "quote": "key quote of the corpus file"}
    for one in evidence:
        say()
        say(f"{one['citation']}  {one['title']}")
        say(f'  "{one["passage"]}"')
        valid = {True: "", False: "", None: " (not checked: the paper does not say how many pages it has)"}
        page = f"p.{one['page']}{valid[one['page_valid']]}" if one["page"] else "page not known"
        say("  " + ", ".join(part for part in (page, one["section"] or "", kinds.get(one["kind"], "")) if part))
        say(f"  from {one['file']}")
        if one["receipt"]:
            say(f"  receipt {one['receipt']}")
