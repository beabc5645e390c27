"""The judge that asks an entailment model of the user's own, from a local folder.

A model alone is never believed to `high`: such models pass exchanged names and changed numbers far too often. What the
offline judge finds stated is high without it, what that finds contradicted is low in spite of it, and the model decides
between medium and low for the rest. Each sentence of the quote is asked for, and the whole; the best counts. What is
entailed so has to be entailed by the whole sentence of the quote too, and not be denied with the sentence beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text.sentences import split_sentences
from .model import CONTRADICTED, IMPLIED, NOT_SHOWN, Assessment, QuotedEvidence, Reason
from .nli_models import load_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Judge

ENTAILED = 0.7
"""From this probability of entailment on, a claim is taken as implied."""
DENIED = 0.9
"""From this probability of contradiction on, it is taken as contradicted where no sentence entails it."""
_MOST_SENTENCES = 40
_MOST_CHARS = 20_000
_STOPS = ".!?…。！？”\"’'"


class Nli:
    """An entailment model in a folder; raises UsageError and Unreadable where there is none that can be run."""

    def __init__(self, folder: str, *, offline: Judge | None = None) -> None:
        if offline is None:
            from .offline import Offline

            offline = Offline()
        self._offline = offline
        self._model = load_model(folder)
        self.name = f"nli:{folder.rstrip('/').rpartition('/')[2]}"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement; the same input gives the same answer."""
        quoted = QuotedEvidence(evidence) if isinstance(evidence, str) else evidence
        first = self._offline.assess(claim, quoted)
        if first.level == "high" or first.verdict == CONTRADICTED:
            reason = Reason("no-model-needed", f"the offline judge finds it {first.verdict}; the model was not asked")
            return Assessment(first.level, first.verdict, first.score, (*first.reasons, reason), self.name)
        found = self._modelled(claim, quoted.text)
        return self._in_context(claim, quoted, found) if found.level != "low" else found

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many judgements, in order. One at a time: in a batch, what stands beside a pair would move its figures."""
        return [self.assess(claim, quoted) for claim, quoted in pairs]

    def _modelled(self, claim: str, text: str) -> Assessment:
        """What the model makes of each sentence and of all together."""
        if not claim.strip() or not text.strip():
            return self._low("empty", "there is nothing to compare")
        if max(len(claim), len(text)) > _MOST_CHARS:
            return self._low("too-long", f"longer than {_MOST_CHARS:,} characters; not put to the model")
        spans = list(split_sentences(text))
        tried = dict.fromkeys([*spans[:_MOST_SENTENCES], (0, len(text))] if len(spans) > 1 else [(0, len(text))])
        best, against, where, asked = 0.0, 0.0, (0, 0), 0
        for start, end in tried:
            found = self._model.probabilities(text[start:end], claim)
            if found is None:
                continue
            asked += 1
            against = max(against, found[1])
            if found[0] > best:
                best, where = found[0], (start, end)
        if not asked:
            return self._low("too-long", "no sentence of the quote fits into the model together with the claim")
        left = len(tried) - asked + max(0, len(spans) - _MOST_SENTENCES)
        unseen = f"; {left} parts were too long or too many for it" if left else ""
        if best >= ENTAILED:
            reason = Reason("entailed", f"the model gives entailment {best:.2f}{unseen}", (where,))
            return Assessment("medium", IMPLIED, best, (reason,), self.name)
        if against >= DENIED:
            reason = Reason("denied", f"the model gives contradiction {against:.2f}, entailment {best:.2f}{unseen}")
            return Assessment("low", CONTRADICTED, best, (reason,), self.name)
        return self._low("not-entailed", f"the model gives entailment {best:.2f} of {ENTAILED:.2f}{unseen}", best)

    def _in_context(self, claim: str, quoted: QuotedEvidence, found: Assessment) -> Assessment:
        """What is left of a judgement once the quote is read where it stands on its page."""
        begun, before = _split_context(quoted.before, -1)
        rest, after = _split_context(quoted.after, 0)
        whole = f"{begun}{quoted.text}{rest}"
        asked = self._model.probabilities(whole, claim) if whole != quoted.text else None
        if asked is not None and asked[0] < ENTAILED:
            return self._low("context", f"in its whole sentence the model gives entailment {asked[0]:.2f}", asked[0])
        for text in filter(None, (f"{before} {whole}" if before else "", f"{whole} {after}" if after else "")):
            asked = self._model.probabilities(text, claim)
            if asked is not None and asked[1] >= DENIED:
                reason = Reason("context", f"with the sentence beside it the model gives contradiction {asked[1]:.2f}")
                return Assessment("low", NOT_SHOWN, asked[0], (reason,), self.name)
        return found

    def _low(self, rule: str, text: str, score: float = 0.0) -> Assessment:
        return Assessment("low", NOT_SHOWN, score, (Reason(rule, text),), self.name)


def _split_context(text: str, at: int) -> tuple[str, str]:
    """Of what stands beside a quote: the part that belongs to its sentence, and the sentence beside that."""
    spans = list(split_sentences(text))
    if not spans:
        return "", ""
    start, end = spans[at]
    sentence = text[start:end]
    if at:
        # A stop, or the end of a block, parts the quote from what stands before it.
        if sentence[-1] in _STOPS or "\n" in text[end:]:
            return "", sentence
        return text[start:], text[slice(*spans[-2])] if len(spans) > 1 else ""
    if "\n" in text[:start] or sentence[0].isupper() or sentence[0].isdigit():
        return "", sentence
    return text[:end], text[slice(*spans[1])] if len(spans) > 1 else ""
