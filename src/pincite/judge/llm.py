"""The judge that asks a language model, and believes it only as far as its words can be checked.

What it quotes has to stand in the evidence, word for word; otherwise it is asked once more, and then not believed.
`high` further needs that the words it quotes hold the claim's numbers and most of its words. The offline judge keeps a
say: what it finds stated needs no model, and where it sees a contradiction the model's level goes down by one.
"""

from __future__ import annotations

import re
from threading import Event, Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError
from ..quotes.exact_match import matches, phrase
from ..quotes.fold import normalize_text
from ..quotes.searchable_text import Layer
from ..safe.endpoint import NoAnswer, post_json
from ..safe.escape import escape_text
from ..store.judgements import StoredJudgement, keep, question_key, recall
from ..text.lines import shorten
from .llm_protocols import (
    PROMPT_VERSION,
    MalformedReply,
    Opinion,
    Reply,
    address,
    headers,
    question,
    read_opinion,
    read_reply,
    refused_setting,
    request,
)
from .model import CONTRADICTED, IMPLIED, NOT_SHOWN, Assessment, QuotedEvidence, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .model import Judge

_ATTEMPTS = 4
_LONGEST_WAIT = 30.0
_IN_A_ROW = 3
"""After so many questions without any answer the rest is not asked: a service that is down stays down for a while."""
_LONGEST = 20_000
"""Longest claim or evidence that is sent, in characters."""
_WORD = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")
_SMALL = frozenset(
    "a an the of in on at to for by with from as and or is are was were be been has have had it its that this".split()
)
# Words that address the judge rather than the matter; such evidence is not put before a model.
_ADDRESSING = re.compile(
    # Examples: `Ignore all previous instructions`, `"level": `, `You are now a judge`.
    r"""
    \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules)\b|\bsystem\ prompt\b
    |["'](?:level|verdict)["']\s*:|<\|?(?:im_start|system|assistant|endoftext)
    |(?:\A|[.!?:;]\s*|\b(?:must|should|please|always)\s+)(?:answer|respond|reply|output|return|say)\b.{0,30}
    \b(?:high|stated|json)\b|\byou\ are\ (?:now\ )?(?:an?\ )?(?:judge|assistant|ai|language\ model)\b
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)


class LlmUsage(Struct):
    """What asking has taken so far."""

    asked: int = 0
    """Questions sent, those sent again included."""
    recalled: int = 0
    """Answers known from an earlier time."""
    tokens_in: int = 0
    tokens_out: int = 0
    unmetered: int = 0
    """Answers whose tokens the service did not tell; with one of them, the cost is not known."""
    prices: tuple[float, float] | None = None
    """Of a million tokens, in and out."""

    @property
    def cost(self) -> float | None:
        """In the currency of the prices; None where it is not known."""
        if self.prices is None or self.unmetered:
            return None
        return (self.tokens_in * self.prices[0] + self.tokens_out * self.prices[1]) / 1_000_000

    def __str__(self) -> str:
        parts = [f"{self.asked:,} asked", f"{self.recalled:,} known from before"]
        parts += [f"{self.tokens_in:,} tokens in", f"{self.tokens_out:,} out"]
        if self.unmetered:
            parts.append(f"{self.unmetered:,} answers without a count")
        if self.cost is not None:
            parts.append(f"cost {self.cost:.4f}")
        return ", ".join(parts)


class Llm:
    """A language model behind an address; threads may share it."""

    def __init__(
        self,
        provider: str,
        model: str,
        key: str,
        endpoint: str = "",
        *,
        prices: tuple[float, float] | None = None,
        cache: bool = True,
        at_once: int = 4,
        seconds: float = 60.0,
        offline: Judge | None = None,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.name = f"llm:{provider}:{model}"
        if offline is None:
            from .offline import Offline

            offline = Offline()
        self.spent = LlmUsage(prices=prices)
        self._provider, self._model, self._key = provider, model, key
        self._endpoint = address(provider, endpoint)
        self._offline = offline
        self._halted = Event()
        self._cache, self._at_once, self._seconds = cache, at_once, seconds
        self._sleep = sleep or self._halted.wait
        self._left_out: frozenset[str] = frozenset()
        self._lock = Lock()
        self._unanswered, self._answered = 0, False

    def __repr__(self) -> str:
        return f"Llm({self.name!r})"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement; raises UsageError where the service refuses key, model or question."""
        quoted = QuotedEvidence(evidence) if isinstance(evidence, str) else evidence
        first = self._offline.assess(claim, quoted)
        if first.level == "high":
            given = Reason("no-model-needed", "the offline judge finds it stated; the model was not asked")
            return Assessment("high", first.verdict, first.score, (*first.reasons, given), self.name)
        told_besides = (quoted.title, quoted.before, quoted.after)
        if any(map(_ADDRESSING.search, (quoted.text, claim, *told_besides))):
            given = Reason("speaks-to-judge", "the words address the judge; only the offline judge was asked")
            return Assessment(first.level, first.verdict, first.score, (given, *first.reasons), self.name)
        if max(map(len, (claim, quoted.text, *told_besides))) > _LONGEST:
            return self._low("too-long", f"longer than {_LONGEST:,} characters; not sent")
        return self._ask_model(claim, quoted, first)

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many judgements, in order, several at once; the same pair is asked once."""
        from concurrent.futures import ThreadPoolExecutor

        wanted = list(dict.fromkeys(pairs))
        if len(wanted) < 2 or self._at_once < 2:
            known = {pair: self.assess(*pair) for pair in wanted}
            return [known[pair] for pair in pairs]
        self._halted.clear()
        with ThreadPoolExecutor(min(self._at_once, len(wanted)), "judge") as pool:
            try:
                known = dict(zip(wanted, pool.map(lambda pair: self.assess(*pair), wanted), strict=True))
            except BaseException:
                # The rest is not needed: what is under way is not asked for again.
                self._halted.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [known[pair] for pair in pairs]

    def _ask_model(self, claim: str, evidence: QuotedEvidence, first: Assessment) -> Assessment:
        """What the model says, as far as it can be believed."""
        asked = question(claim, evidence)
        key = question_key(self._provider, self._endpoint.shown, self._model, PROMPT_VERSION, asked)
        kept = recall(key) if self._cache else None
        if kept is not None:
            try:
                judged = self._read_judgement(kept.text, claim, evidence, first)
            except MalformedReply:
                kept = None
            else:
                with self._lock:
                    self.spent.recalled += 1
                return judged
        objection = ""
        for _ in range(2):
            try:
                reply = self._reply(asked, objection)
                judged = self._read_judgement(reply.text, claim, evidence, first)
            except NoAnswer as trouble:
                return self._low("no-answer", f"the model could not be asked: {escape_text(trouble.reason)}")
            except MalformedReply as trouble:
                objection = str(trouble)
                continue
            if self._cache:
                keep(key, StoredJudgement(reply.text, reply.tokens_in or 0, reply.tokens_out or 0))
            return judged
        return self._low("answer-unverified", f"the model's answer could not be believed: {objection}")

    def _low(self, rule: str, text: str) -> Assessment:
        return Assessment("low", NOT_SHOWN, 0.0, (Reason(rule, text),), self.name)

    def _read_judgement(self, text: str, claim: str, evidence: QuotedEvidence, first: Assessment) -> Assessment:
        """The judgement in an answer; raises Misread where its words are not those of the evidence."""
        opinion = read_opinion(text)
        spans = _places(opinion, evidence.text)
        level: str = opinion.level
        verdict: str = opinion.verdict
        said = shorten(" ".join(escape_text(opinion.reason).split()), 300)
        reasons = [Reason("model", said or "no reason given", spans)]
        if level == "high" and (lacking := _lacking(claim, opinion.quoted)):
            level, verdict = "medium", IMPLIED
            reasons.append(Reason("words-quoted", f"the words it quotes do not hold {lacking}: not stated"))
        if first.verdict == CONTRADICTED and level != "low":
            level, verdict = ("medium", IMPLIED) if level == "high" else ("low", NOT_SHOWN)
            reasons.append(Reason("judges-disagree", "the offline judge sees a contradiction: one level less"))
            reasons += first.reasons
        score = {"low": 0.0, "medium": 0.5, "high": 1.0}[level]
        return Assessment(level, verdict, score, tuple(reasons), self.name)

    def _reply(self, asked: str, objection: str) -> Reply:
        """The service's answer, asked for again while it is busy; raises NoAnswer, Misread and UsageError."""
        if self._unanswered >= _IN_A_ROW:
            raise NoAnswer("connection", f"{self._endpoint.shown}: no answer to {_IN_A_ROW} questions in a row")
        trouble = NoAnswer("connection", "stopped before it was asked")
        attempt = 0
        while attempt < _ATTEMPTS and not self._halted.is_set():
            left_out, wait = self._left_out, ""
            body = request(self._provider, self._model, asked, objection, left_out)
            with self._lock:
                self.spent.asked += 1
            try:
                answer = post_json(self._endpoint, body, headers(self._provider, self._key), self._seconds)
            except NoAnswer as error:
                if error.kind == "too-large":
                    raise
                trouble = error
                # A service that kept us waiting once gets one more chance, not three.
                attempt += error.kind == "timeout"
            else:
                if answer.status == 200:
                    self._unanswered, self._answered = 0, True
                    return self._meter_usage(read_reply(self._provider, answer.body))
                if answer.status == 400 and (name := refused_setting(answer.body, left_out)):
                    self._left_out |= {name}
                    continue
                if answer.status not in (408, 409, 425, 429) and answer.status < 500:
                    refused = self._describe_refusal(answer.status, answer.body)
                    # Where others were answered, it is this question that is not liked.
                    raise NoAnswer("refused", str(refused)) if self._answered and answer.status == 400 else refused
                trouble = NoAnswer("connection", f"{self._endpoint.shown}: status {answer.status}")
                wait = answer.header("retry-after")
            attempt += 1
            if attempt < _ATTEMPTS:
                self._sleep(_pause(attempt, wait))
        self._unanswered += not self._halted.is_set()
        raise trouble

    def _meter_usage(self, reply: Reply) -> Reply:
        with self._lock:
            if reply.tokens_in is None or reply.tokens_out is None:
                self.spent.unmetered += 1
            self.spent.tokens_in += reply.tokens_in or 0
            self.spent.tokens_out += reply.tokens_out or 0
        return reply

    def _describe_refusal(self, status: int, body: bytes) -> UsageError:
        """What to tell the user; what the service says is repeated only where it cannot be about the key."""
        where = self._endpoint.shown
        if status in (401, 403):
            return UsageError(f"{where}: refuses the key (status {status}); look at PINCITE_LLM_KEY")
        if 300 <= status < 400:
            return UsageError(f"{where}: points elsewhere (status {status}); name that address in PINCITE_LLM_ENDPOINT")
        said = escape_text(
            shorten(" ".join(body[:2000].decode("utf-8", "replace").replace(self._key, "***").split()), 200)
        )
        return UsageError(f"{where}: refuses the question to {self._model!a} (status {status}): {said}")


def _places(opinion: Opinion, text: str) -> tuple[tuple[int, int], ...]:
    """Where the quoted words stand in the evidence; raises Misread where one of them does not."""
    there = normalize_text(text)
    layer = Layer([(0, there)])
    spans = []
    for passage in opinion.quoted:
        sought = phrase(passage[: len(text) * 2 + 16])
        if sought is None:
            raise MalformedReply("a quoted passage is empty")
        hit = next(matches(layer, sought), None)
        if hit is None:
            raise MalformedReply("a quoted passage is not in the quote, character by character")
        spans.append((hit.start, hit.end))
    # Places in another form of the text would mark the wrong words.
    return tuple(spans) if there == text else ()


def _lacking(claim: str, quoted: Sequence[str]) -> str:
    """What of the claim the quoted words have not; empty where they can state it."""
    words = [word.lower() for word in _WORD.findall(claim) if word.lower() not in _SMALL]
    there = {word.lower() for passage in quoted for word in _WORD.findall(passage)}
    stems = {word[:5] for word in there}
    figures = [word for word in words if word[0].isdecimal() and word not in there]
    if figures:
        return f"the claim's {escape_text(shorten(figures[0], 40))}"
    if 2 * sum(word[:5] in stems for word in words) < len(words):
        return "half of the claim's words"
    return ""


def _pause(attempt: int, wait: str) -> float:
    """How long to wait before asking again: as the service says, within reason, or longer each time."""
    given = float(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 6 else 0.0
    return min(_LONGEST_WAIT, max(given, (0.5, 1.0, 2.0)[min(attempt, 3) - 1]))
