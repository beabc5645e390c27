"""The title of a paper: the largest type at the top of its first page, held against what else names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .lines import bare, body_size, is_end, is_prose, plain
from .names import is_never_name, split_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import HeadLine

_LARGER = 1.12
"""How much larger than the text a title is that needs no other witness."""
_SAME_SIZE = 0.06
_SPACING = 2.1
_LONGEST = 300
_SHORTEST = 4
_PREFIX = 24
"""So many letters in common, from the first on, and one is the other cut short."""
_PART = 12
_NEAR = 6
"""Lines of another column may stand between two lines of a title."""
# What programs put where a title belongs.
_NO_TITLE = re.compile(
    r"(?:untitled(?: document)?|document|title|microsoft (?:word|powerpoint) - .*|slide ?\d*|paper|article|manuscript|draft"
    r"|main|ms|(?:acm )?proceedings template.*|sig[- ]?proc.*|template|presentation|powerpoint presentation"
    r"|.*\.(?:docx?|tex|dvi|pdf|indd|ps|odt|rtf|qxd|pptx?|eps|txt|fm|html?)\b.{0,20}|[\W\d_]*|\(?anonymous\)?|doi:.*|pii:.*"
    r"|[A-Za-z0-9_.-]{1,24}|(?:arxiv:|https?:|www\.).*|layout \d)(?:\s?\d{1,3})?",
    re.IGNORECASE,
)
# Names of journals, series and publishers, kinds of article, dates: set larger than the title now and then.
_BANNER = re.compile(
    r"""\W*(?:
      (?:the\s)?(?:[\w&-]+\s){0,4}journal\s(?:of|on|for)\b | proceedings\b | proc\.\s | (?:acm|ieee)\stransactions | transactions\son
    | communications\sof\sthe | (?:invited\s|technical\s|research\s|original\s|review\s|regular\s|full\slength\s|short\s)+
      (?:article|paper|report|communication|note|reports)s?\b(?!\s+\w+\s+\w+\s+\w+\s+\w+) | article\b\W*$ | review\b\W*$
    | (?:ieee|acm)\s[\w\s]*(?:magazine|computer\ssociety|press|software|queue|micro)\b | open\saccess | working\spaper
    | nber\b | technical\sreport | tech\.?\sreport | lecture\snotes | (?:vol(?:ume|\.)|issue|number|no\.)\s?[0-9]
    | issn | isbn | arxiv: | doi\b | https?: | www\. | © | \(c\) | copyright | preprint | published\s(?:by|in|online)
    | received | accepted\sfor | submitted | to\sappear | under\sreview | available\sonline | contents\slists | page\s[0-9]
    | (?:[\w]+\s){0,3}(?:conference|symposium|workshop)\b\W*(?:on\b.*)?(?:'?[0-9]{2,4})?\W*$ | usenix\b | the\sadvanced\scomputing
    | see\sdiscussions | researchgate | elsevier | springer | wiley | science\s?direct | jstor | plos\b | nature\b\W*$ | bmc\b
    | author\(s\) | source: | stable\surl | download | citation | chapter\s[0-9ivx]+\W*$ | (?:part|section)\s[0-9ivx]+\W*$
    | mit\ssloan\ssports | (?:january|february|march|april|may|june|july|august|september|october|november|december)\s[0-9]
    | [0-9]{1,2}\s(?:january|february|march|april|may|june|july|august|september|october|november|december)\b
    | extended\sabstract\W*$ | draft\b | tutorial\W*$ | keynote\b | figure\s[0-9] | table\s[0-9] | discussion\spaper | ph\.?d\.?\s
    | in\s(?:proc|submission) | appeared\sin | authors?:?\W*$ | letters?\W*$ | editorial\W*$ | foreword\W*$ | special\s(?:issue|section)
    | permission\sto | all\srights | functional\spearls?\W*$ | theoretical\spearls?\W*$ | experience\sreport\W*$ | abstract\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_ADDRESS = re.compile(r"@|\b(?:Universit|UNIVERSIT|Institut|INSTITUT|Department|DEPARTMENT|Laborator|College|Inc\b)")
_SMALL = frozenset("a an of in to on is by as at or we do no it if up be so de la le et el en di un y e o da du il der i".split())
_SOUND = re.compile(
    r"[\W_]*(?:[^\W\d_]?[^\W\d_A-Z]*(?:[A-Z]+[^\W\d_A-Z]*){0,2}|[^\W\d_a-z]+|[0-9]+\w{0,2})(?:[-'’/.:&][^\W_]{1,30}){0,5}[\W_]*"
)


class Title(Struct, frozen=True):
    """A title with the lines of the head that hold it."""

    text: str
    sure: bool
    first: int = -1
    """The first and the last line; -1 where it is none of the page."""
    last: int = -1
    size: int = 0


class _Block(Struct):
    first: int
    last: int
    size: int
    bold: bool
    text: str


def is_junk_title(text: str) -> bool:
    """Whether what a file says its title is can be none."""
    return len(text) < _SHORTEST or _NO_TITLE.fullmatch(text) is not None or _BANNER.match(text) is not None


def agree(one: str, other: str) -> bool:
    """Whether two titles are the same, or one is the other cut short."""
    left, right = sorted((bare(one), bare(other)), key=len)
    return bool(left) and (left == right or (len(left) >= _PREFIX and right.startswith(left)))


def find_title(lines: Sequence[HeadLine], said: str, stem: str, text: str = "") -> Title:
    """The title on a page; `said` is the file's own, empty where that is junk, `stem` the name of the file."""
    blocks = _blocks(lines, text)
    if said:
        found = _said_block(lines, blocks, said, text)
        if found is not None:
            return found
    usual = body_size(lines)
    fitting = [block for block in blocks if _can_be_title(block)]
    if not fitting:
        return Title("", False)
    named = [block for block in fitting if _is_in_name(block.text, stem)]
    best = max(named or fitting, key=lambda block: (_rank(block), -block.first))
    whole = _with_rest(best, blocks, lines, usual)
    large = best.size >= _LARGER * usual
    rivals = [one for one in fitting if one is not best and one.size > 0.97 * best.size and one.first < best.first]
    sound = _is_sound(whole.text)
    sure = sound and bool(named) or sound and (large and len(whole.text.split()) > 1 and not rivals)
    return Title(whole.text, sure, whole.first, whole.last, best.size)


def _is_sound(title: str) -> bool:
    """Whether a title consists of words, not of the signs that a broken font gives."""
    words = title.split()
    scraps = sum(len(word) < 3 and word.isalpha() and word.islower() and word not in _SMALL for word in words)
    return scraps < 2 and sum(_SOUND.fullmatch(word) is not None for word in words) * 10 >= len(words) * 7


def _rank(block: _Block) -> float:
    return block.size * (1.03 if block.bold else 1.0) * (0.6 if " " not in block.text else 1.0)


def _blocks(lines: Sequence[HeadLine], text: str) -> list[_Block]:
    """Lines of one size that follow each other, as far as the head of a page may reach."""
    end = next((at for at, line in enumerate(lines) if at and is_end(plain(line.text))), len(lines))
    lowest = max((line.top for line in lines), default=0) * 0.7
    found: list[_Block] = []
    for at, line in enumerate(lines[:end]):
        words = plain(line.text)
        if not words or line.top > lowest:
            continue
        block = next((one for one in reversed(found[-_NEAR:]) if _goes_on(lines[one.last], line, one)), None)
        if block is not None:
            block.text, block.last = _join(block.text, words, text), at
        else:
            found.append(_Block(at, at, line.size, bool(line.bold), words))
    return found


def _goes_on(before: HeadLine, line: HeadLine, block: _Block) -> bool:
    if abs(line.size - block.size) > max(4, _SAME_SIZE * block.size) or bool(line.bold) != block.bold:
        return False
    step = line.top - before.top
    beside = step < 0.3 * line.size
    across = min(line.right, before.right) - max(line.left, before.left)
    if beside:
        return line.left - before.right < 5 * line.size
    return 0 < step < _SPACING * line.size and across > 0 and not _BANNER.match(plain(line.text))


def _join(before: str, words: str, text: str) -> str:
    """Two lines of a title as one; a hyphen at the end stays where the word is written with it."""
    if before.endswith("-") and words[:1].islower():
        head, tail = before[:-1].rpartition(" ")[2], words.split(" ")[0].rstrip(".,:;")
        if re.search(rf"\b{re.escape(head + tail)}\b", text[:20_000], re.IGNORECASE):
            return before[:-1] + words
        return before + words
    return f"{before} {words}"


def _can_be_title(block: _Block) -> bool:
    text = block.text
    letters = sum(map(str.isalpha, text))
    if letters < _SHORTEST or letters < len(text) * 0.5 or len(text) > _LONGEST or _BANNER.match(text):
        return False
    words = text.split()
    bodies = sum(map(is_never_name, words))
    # The name of a body, alone: "Stanford University", "Department of Computer Science".
    if re.search(r"\b(?:Universit|UNIVERSIT|Department|DEPARTMENT|Institute|INSTITUTE|Laborator|College)", text) and bodies * 2 >= len(words):
        return False
    return not is_prose(text) or block.size > 0


def _is_in_name(title: str, stem: str) -> bool:
    """Whether the name of the file holds the title, or its beginning."""
    inside, name = bare(title), bare(stem)
    if len(inside) < _PART:
        return False
    if inside in name:
        return True
    at = name.find(inside[:_PART])
    if at < 0:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(inside, name[at:], strict=False)) if a != b), min(len(inside), len(name) - at))
    return shared >= _PREFIX


def _said_block(lines: Sequence[HeadLine], blocks: list[_Block], said: str, text: str) -> Title | None:
    """The lines that hold what the file calls its title; the block they begin, where that goes on."""
    wanted = bare(said)
    for block in blocks:
        if _can_be_title(block) and agree(block.text, said):
            longer = block.text if len(bare(block.text)) >= len(wanted) else said
            return Title(longer, True, block.first, block.last, block.size)
    for first in range(len(lines)):
        held = ""
        for last in range(first, min(first + 8, len(lines))):
            held += bare(lines[last].text)
            if held == wanted:
                return Title(said, True, first, last, lines[first].size)
            if not wanted.startswith(held):
                break
    return None


def _with_rest(best: _Block, blocks: list[_Block], lines: Sequence[HeadLine], usual: int) -> _Block:
    """The title with what belongs to it in another size: what stands behind its colon, or before its small words."""
    at = blocks.index(best)
    above = blocks[at - 1] if at else None
    if above is not None and above.size > 1.1 * best.size and " " not in above.text and _can_be_title(above):
        # "Singleton", and below it what that is.
        if 0 < lines[best.first].top - lines[above.last].top < 2.5 * above.size:
            head = above.text.rstrip(":")
            return _Block(above.first, best.last, best.size, best.bold, f"{head}: {best.text}")
    after = blocks[at + 1] if at + 1 < len(blocks) else None
    if after is None or not _can_be_title(after) or not 0.5 * best.size < after.size <= best.size:
        return best
    names, others = split_names(lines[after.first].text)
    if after.text.startswith("("):
        return best
    near = 0 < lines[after.first].top - lines[best.last].top < 2.5 * best.size
    if not near or (names and not others) or _ADDRESS.search(after.text):
        return best
    if best.text.endswith((":", "—", "–", "...", "…", " -")):
        return _Block(best.first, after.last, best.size, best.bold, f"{best.text} {after.text}")
    # A line of its own size between the title and the names: a subtitle.
    following = blocks[at + 2] if at + 2 < len(blocks) else None
    if following is not None and after.size > 1.1 * following.size and after.size >= 1.1 * usual and not names:
        return _Block(best.first, after.last, best.size, best.bold, f"{best.text}: {after.text}")
    return best
