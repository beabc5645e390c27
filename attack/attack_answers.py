"""Answers of every provider with one number, name, negation, source or offset changed, and words out of their context.

An attempt held where no citation of the answer is reported as holding. That the unchanged answers do hold is counted
too, under `true answer refused`: a check that refuses everything withstands nothing.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from campaign import Attempt

ALLOWED = {"true answer refused": 0.02}

_PEOPLE = "Amsel Brandt Castell Dorian Eberhard Fenwick Galen Hollis Ingram Jarvis Keller Lorimer".split()
_PLACES = "Aldgate Brixton Camborne Dunster Exmoor Falmouth Glossop Hexham Ilkley Jedburgh".split()
_THINGS = "valve pump turbine lantern crane ferry tunnel reactor furnace beacon".split()
_VERBS = (("opened", "open"), ("repaired", "repair"), ("inspected", "inspect"), ("painted", "paint"), ("sold", "sell"))
_UNITS = "metres boats litres visitors tonnes pages days kilograms".split()
_FRAMES = (
    "We found no evidence that {}.",
    "It is not true that {}.",
    "The paper denies that {}.",
    "Nobody has shown that {}.",
    "{}, according to a report that was later retracted.",
)
_TAKING_BACK = (
    ("", "None of this is true."),
    ("The following claims are false:", ""),
    ("Placeholder text.", ""),
    ("", "This claim was later retracted."),
    ("", "That is not true."),
)


class _Fact:
    """A sentence of a made source, and ways to change it."""

    def __init__(self, random: Random) -> None:
        self.who, self.other = random.sample(_PEOPLE, 2)
        self.where = random.choice(_PLACES)
        self.thing = random.choice(_THINGS)
        self.done, self.plain = random.choice(_VERBS)
        self.unit = random.choice(_UNITS)
        self.number = random.choice(
            [
                str(random.randint(13, 999)),
                f"{random.randint(2, 99)}.{random.randint(1, 9)}",
                f"{random.randint(1, 99)},{random.randint(100, 999)}",
                f"{random.randint(2, 9)}.{random.randint(1, 9)} million",
            ]
        )

    def text(self, who: str = "", number: str = "", negated: bool = False) -> str:
        """The sentence, changed or not."""
        verb = f"did not {self.plain}" if negated else self.done
        return f"{who or self.who} {verb} the {self.thing} at {self.where} with {number or self.number} {self.unit}."

    def renumbered(self, random: Random) -> str:
        """The number with one digit changed."""
        at = random.choice([at for at, sign in enumerate(self.number) if sign.isdigit()])
        digit = random.choice([sign for sign in "123456789" if sign != self.number[at]])
        return self.number[:at] + digit + self.number[at + 1 :]


def _anthropic(text: str, source: str, quote: str, _name: str) -> dict[str, Any]:
    start = source.index(quote)
    place = {"type": "char_location", "start_char_index": start, "end_char_index": start + len(quote)}
    citation = {"cited_text": quote, "document_index": 0, "document_title": None, **place}
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": text, "citations": [citation]}],
    }


def _responses(text: str, _source: str, _quote: str, name: str) -> dict[str, Any]:
    note = {"type": "file_citation", "file_id": "f", "filename": name, "index": len(text)}
    part = {"type": "output_text", "text": text, "annotations": [note]}
    return {"object": "response", "output": [{"type": "message", "content": [part]}]}


def _chat(text: str, _source: str, _quote: str, name: str) -> dict[str, Any]:
    mark = "([source](https://example.org))"
    at = {"start_index": len(text) + 1, "end_index": len(text) + 1 + len(mark)}
    note = {"type": "url_citation", "url_citation": {"url": f"https://example.org/{name}", "title": name, **at}}
    message = {"role": "assistant", "content": f"{text} {mark}", "annotations": [note]}
    return {"object": "chat.completion", "choices": [{"message": message}]}


def _assistants(text: str, _source: str, quote: str, name: str) -> dict[str, Any]:
    mark = "【4:0†source】"
    note = {
        "type": "file_citation",
        "text": mark,
        "start_index": len(text),
        "end_index": len(text) + len(mark),
        "file_citation": {"file_id": name},
    }
    content = [{"type": "text", "text": {"value": text + mark, "annotations": [note]}}]
    return {"object": "thread.message", "role": "assistant", "content": content}


def _cohere(text: str, _source: str, quote: str, name: str) -> dict[str, Any]:
    source = {"type": "document", "id": "doc:0", "document": {"id": "doc:0", "title": name, "text": quote}}
    citation = {"start": 0, "end": len(text), "text": text, "sources": [source], "type": "TEXT_CONTENT"}
    return {"message": {"role": "assistant", "content": [{"type": "text", "text": text}], "citations": [citation]}}


def _gemini(text: str, _source: str, quote: str, name: str) -> dict[str, Any]:
    support = {"segment": {"endIndex": len(text.encode()), "text": text}, "groundingChunkIndices": [0]}
    chunks = [{"retrievedContext": {"title": name, "text": quote}}]
    grounding = {"groundingChunks": chunks, "groundingSupports": [support]}
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}]}


def _perplexity(text: str, _source: str, _quote: str, name: str) -> dict[str, Any]:
    choices = [{"message": {"role": "assistant", "content": f"{text}[1]"}}]
    return {"citations": [f"https://example.org/{name}"], "choices": choices}


_PROVIDERS: dict[str, Callable[[str, str, str, str], dict[str, Any]]] = {
    "anthropic": _anthropic,
    "responses": _responses,
    "chat": _chat,
    "assistants": _assistants,
    "cohere": _cohere,
    "gemini": _gemini,
    "perplexity": _perplexity,
}


def _outcomes(response: dict[str, Any], docs: list[str]) -> tuple[list[str], int]:
    from pincite.domains.retrieval.answers import check_responses

    (report,) = check_responses(json.dumps(response).encode(), "answer", docs)
    return [one.outcome.label for one in report.citations], report.exit_code()


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every provider, every kind of change."""
    os.chdir(scratch)
    for number in range(12 if brief else 120):
        facts = [_Fact(random) for _ in range(6)]
        fact, source = facts[0], "# Notes\n\n" + "\n".join(one.text() for one in facts) + "\n"
        other = _Fact(random)
        Path("notes.txt").write_text(source)
        Path("other.txt").write_text(f"# Other\n\n{other.text()}\n")
        docs = ["notes.txt", "other.txt"]
        for name, make in _PROVIDERS.items():
            tries = {
                "number changed": fact.text(number=fact.renumbered(random)),
                "name changed": fact.text(who=fact.other),
                "negation added": fact.text(negated=True),
                "words of another document": other.text(),
            }
            quote = fact.text()
            true, _ = _outcomes(make(quote, source, quote, "notes.txt"), docs)
            yield Attempt("true answer refused", f"{number} {name}", true == ["holds"], f"{quote} -> {true}")
            for kind, said in tries.items():
                found, code = _outcomes(make(said, source, quote, "notes.txt"), docs)
                held = "holds" not in found and (
                    code != 0 or kind not in ("number changed", "words of another document")
                )
                if kind == "words of another document" and name in ("anthropic", "cohere", "gemini"):
                    # What these quote does stand in its source; the answer then says something else.
                    continue
                yield Attempt(kind, f"{number} {name}", held, f"{said} for {quote} -> {found}, exit {code}")
        yield from _cut(random, number, fact, source, docs)
        yield from _out_of_context(random, number, fact)
        yield from _sent(number, fact, other)


def _cut(random: Random, number: int, fact: _Fact, source: str, docs: list[str]) -> Iterator[Attempt]:
    """Offsets that begin or end inside a word or a number."""
    sentence = fact.text()
    inside = [
        at
        for at in range(1, len(sentence))
        if sentence[at - 1 : at + 1].isalnum() or (sentence[at - 1] in ".," and sentence[at].isdigit())
    ]
    for at in random.sample(inside, 4):
        for cut in (sentence[at:], sentence[:at]):
            if not any(sign.isalnum() for sign in cut):
                continue
            found, code = _outcomes(_anthropic("It is so.", source, cut, ""), docs)
            yield Attempt("offset inside a word", f"{number} {cut!r}", code == 1, f"of {sentence!r} -> {found}")


def _out_of_context(random: Random, number: int, fact: _Fact) -> Iterator[Attempt]:
    """Words that their sentence, or a sentence beside it, takes back."""
    bare = fact.text().rstrip(".")
    frame = random.choice(_FRAMES).format(bare)
    Path("framed.txt").write_text(f"Some notes come first.\n\n{frame}\n\nThe end is near.\n")
    text = Path("framed.txt").read_text()
    found, code = _outcomes(_anthropic(f"{bare}.", text, bare, ""), ["framed.txt"])
    yield Attempt("sentence takes it back", f"{number} {frame}", code == 1, f"{found}")
    before, after = random.choice(_TAKING_BACK)
    text = f"Some notes come first.\n\n{before} {bare}. {after}\n\nThe end is near.\n"
    Path("framed.txt").write_text(text)
    for name in ("anthropic", "responses", "gemini"):
        found, code = _outcomes(_PROVIDERS[name](f"{bare}.", text, f"{bare}.", "framed.txt"), ["framed.txt"])
        yield Attempt("neighbour takes it back", f"{number} {name} {before} … {after}", code == 1, f"{bare} -> {found}")


def _sent(number: int, fact: _Fact, other: _Fact) -> Iterator[Attempt]:
    """A file of the request and a file that was named: what stands in the one is not proved by the other."""
    data = base64.b64encode(f"{fact.text()}\n".encode()).decode()
    request = {"input": [{"content": [{"type": "input_file", "filename": "sent.txt", "file_data": data}]}]}
    Path("named.txt").write_text(f"{other.text()}\n")
    for said, cited, holds in (
        (fact.text(), "sent.txt", True),
        (other.text(), "named.txt", True),
        (other.text(), "sent.txt", False),
        (fact.text(), "named.txt", False),
    ):
        found, code = _outcomes({"request": request, "response": _responses(said, "", "", cited)}, ["named.txt"])
        held = (found == ["holds"]) is holds and (code == 0) is holds
        kind = "true answer refused" if holds else "source exchanged"
        yield Attempt(kind, f"{number} {cited}", held, f"{said} -> {found}, exit {code}")
