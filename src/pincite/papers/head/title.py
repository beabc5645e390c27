"""The title of a paper: the largest type at the top of its first page, held against what else names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...text.number_words import MONTH_NAMES
from ..fields import fold_text
from .lines import body_size, is_end, is_readable, plain, words_in
from .names import MARK, is_common, is_never_name, split_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import HeadLine

_LARGER = 1.12
"""How much larger than the text a title is that needs no other witness."""
_SAME_SIZE = 0.06
_SPACING = 2.1
_TIGHT = 1.35
"""The name of a journal may run over two lines; what stands further below in its type is the title."""
_LONGEST = 300
_SHORTEST = 4
_PREFIX = 24
"""So many letters in common, from the first on, and one is the other cut short."""
_PART = 12
_RUBRIC = 4
_TOP = 3000
_FULL_PAGE = 7000
_UPPER = 0.72
"""A title stands in the upper part of a page, even of one that is empty otherwise."""
_NEAR = 6
"""Lines of another column may stand between two lines of a title."""
# What programs put where a title belongs.
_NO_TITLE = re.compile(
    r"""(?: untitled(?:\sdocument)? | document | title | microsoft\s(?:word|powerpoint)\s-\s.* | slide\s?\d*
    | paper | article
    | manuscript | draft | main | ms | (?:acm\s)?proceedings\stemplate.* | sig[-\s]?proc.* | template | presentation
    | powerpoint\spresentation | .*\.(?:docx?|tex|dvi|pdf|indd|ps|odt|rtf|qxd|pptx?|eps|txt|fm|html?)\b.{0,20}
    | [\W\d_]*
    | \(?anonymous\)? | doi:.* | pii:.* | [A-Za-z0-9_.-]{1,24} | (?:arxiv:|https?:|www\.).*
    | layout\s\d )(?:\s?\d{1,3})?""",
    re.IGNORECASE | re.VERBOSE,
)
_DATE = rf"(?:{'|'.join(MONTH_NAMES)})"
# Names of journals, series and publishers, kinds of article, dates: set larger than the title now and then.
_BANNER = re.compile(
    rf"""\W{{0,9}}(?:
      (?:the\s)?(?:[\w&-]{{1,30}}\s){{0,4}}journal\s(?:of|on|for)\b | proceedings\b | proc\.\s
      | (?:acm|ieee)\stransactions
    | transactions\son | communications\sof\sthe
    | (?:(?:invited|technical|research|original|review|regular|full\slength|short)\s){{1,3}}
      (?:article|paper|report|communication|note)s?\b(?!\s+\w+\s+\w+\s+\w+\s+\w+)
    | article\b\W{{0,9}}$ | review\b\W{{0,9}}$
    | (?:ieee|acm)\s[\w\s]{{0,60}}(?:magazine|computer\ssociety|press|software|queue|micro)\b
    | open\saccess | working\spaper | nber\b | technical\sreport | tech\.?\sreport | lecture\snotes
    | (?:vol(?:ume|\.)|issue|number|no\.)\s?[0-9] | issn | isbn | arxiv: | doi\b | https?: | www\. | © | \(c\)
    | copyright
    | preprint | published\s(?:by|in|online) | received | accepted\sfor | submitted | to\sappear | under\sreview
    | available\sonline | contents\slists | page\s[0-9] | in\s(?:proc|submission) | appeared\sin
    | (?:\w{{1,30}}\s){{0,3}}(?:conference|symposium|workshop)\b\W{{0,9}}(?:on\b.*)?(?:'?[0-9]{{2,4}})?\W{{0,9}}$
    | usenix\b | the\sadvanced\scomputing | (?:\w{{1,20}}\s){{0,2}}(?:research|technical)\sreport\b
    | research\s(?:collection|online|repository) | this\sis\s(?:a|an|the)\s(?:repository|accepted|author)
    | see\sdiscussions | researchgate | elsevier
    | springer | wiley | science\s?direct
    | jstor | plos\b | nature\b\W{{0,9}}$ | bmc\b | author\(s\) | source: | stable\surl | download | citation
    | (?:chapter|part|section)\s[0-9ivx]{{1,6}}\W{{0,9}}$ | mit\ssloan\ssports | {_DATE}\s[0-9]
    | [0-9]{{1,2}}\s{_DATE}\b
    | extended\sabstract\W{{0,9}}$ | draft\b | tutorial\W{{0,9}}$ | keynote\b | figure\s[0-9] | table\s[0-9]
    | discussion\spaper | ph\.?d\.?\s | authors?:?\W{{0,9}}$ | letters?\W{{0,9}}$ | editorial\W{{0,9}}$
    | foreword\W{{0,9}}$
    | session\s[0-9]{{1,3}}[a-z]?\b | manuscript\W{{0,9}}[0-9]{{0,9}}\W{{0,9}}$ | in\spartial\sfulfil | version:
    | (?:master|bachelor|doctor)\s(?:of|in)\s\w{{1,30}}\W{{0,9}}$
    | (?:\w{{1,20}}\s){{1,3}}online\surl\b
    | special\s(?:issue|section) | permission\sto | all\srights | abstract\b
    | (?:functional\spearl|theoretical\spearl|experience\sreport)s?\W{{0,9}}$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# What a title may end in that is none of it: marks of footnotes, "(Invited Paper)".
_MARKS = " *∗⁎†‡§¶⋆★\ufffd" + MARK
_KIND = re.compile(
    r"\s?\((?:(?:extended|invited|full|short|preliminary|technical|draft|long|position|work|poster|demo)\b[^()]{0,30})\)$",
    re.IGNORECASE,
)
_TOWN = re.compile(r"^[^\W\d_][\w. ]{0,30}, [A-Z]{2}(?:, U\.?S\.?A\.?)?$|, U\.?S\.?A\.?$")
_BODIES = re.compile(r"\b(?:Universit|UNIVERSIT|Department|DEPARTMENT|Institute|INSTITUTE|Laborator|College)")
_UNENDING = frozenset(
    "a an the of for in on to and or with by from at as via & de la le les des und der die das für using".split()
)
_NO_SUBTITLE = re.compile(
    # Examples: `Draft`, `(extended abstract)`, `Proceedings 2019`.
    r"""
    ^\(|\b(?:track|paper\ (?:id|no|\#)|draft|edition|version|report|thesis|dissertation|submitted|appear|conference
    |workshop|symposium|proceedings|journal|press|supervis|committee|department|school|faculty|(?:19|20)[0-9]{2})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ADDRESS = re.compile(r"@|\b(?:Universit|UNIVERSIT|Institut|INSTITUT|Department|DEPARTMENT|Laborator|College|Inc\b)")
_LONGEST_WORD = 60
_SMALL = frozenset(
    "a an of in to on is by as at or we do no it if up be so de la le et el en di un y e o da du il der i".split()
)
_SOUND = re.compile(
    r"[\W_]*(?:[^\W\d_]?[^\W\d_A-Z]*(?:[A-Z]+[^\W\d_A-Z]*){0,2}|[^\W\d_a-z]+|[0-9]+\w{0,2})(?:[-'’/.:&][^\W_]{1,30}){0,5}[\W_]*"
)


# A letter or ligature that the font has no name for: "simpli#ed".
_LOST = re.compile(r"\ufffd|[^\W\d_]#[^\W\d_]")
_INSIDE = re.compile(rf"\w{MARK}[\w-]")


class Title(Struct, frozen=True):
    """A title with the lines of the head that hold it."""

    text: str
    sure: bool
    first: int = -1
    """The first and the last line; -1 where it is none of the page."""
    last: int = -1
    sound: bool = True
    """Whether it consists of words and is whole."""


class _Block(Struct):
    """Lines that follow each other in one size of type."""

    first: int
    last: int
    size: int
    bold: bool
    text: str
    left: int = 0
    right: int = 1_000_000


def is_junk_title(text: str) -> bool:
    """Whether what a file says its title is can be none."""
    return len(text) < _SHORTEST or _NO_TITLE.fullmatch(text) is not None or _BANNER.match(text) is not None


def agree(one: str, other: str) -> bool:
    """Whether two titles are the same, or one is the other cut short."""
    left, right = sorted((fold_text(one), fold_text(other)), key=len)
    return bool(left) and (left == right or (len(left) >= _PREFIX and right.startswith(left)))


def find_title(lines: Sequence[HeadLine], said: str, stem: str, pages: Sequence[str] = ()) -> Title:
    """The title on a page; `said` is the file's own, empty where that is junk, `stem` the name of the file."""
    text = pages[0] if pages else ""
    common = words_in(pages[:3])
    blocks = _blocks(lines, text, common)
    if said:
        found = _said_block(lines, blocks, said, text)
        if found is not None:
            return replace(found, text=_strip_end_marks(found.text))
    usual = body_size(lines)
    fitting = [block for block in blocks if _can_be_title(block) and not _are_names(block.text, common)]
    if not fitting:
        return Title("", False)
    named = [block for block in fitting if _is_in_name(block.text, stem)]
    best = max(named or fitting, key=lambda block: (_rank(block, common), -block.first))
    whole = _with_rest(best, blocks, lines, usual)
    whole.text = _strip_end_marks(whole.text)
    large = best.size >= _LARGER * usual
    if best.text.isupper() and len(best.text.split()) <= _RUBRIC and not named:
        # So are a few words in capitals: then another block may be the title.
        large = large and not any(one is not best and one.size > _LARGER * usual for one in fitting)
    rivals = [one for one in fitting if one is not best and one.size > 0.97 * best.size and one.first < whole.first]
    marked = any(_INSIDE.search(line.text) for line in lines[whole.first : whole.last + 1])
    sound = _is_sound(whole.text) and is_readable(text) and not marked and not _may_go_on(whole, blocks, lines)
    sure = sound and (bool(named) or (large and len(whole.text.split()) > 1 and not rivals))
    return Title(whole.text, sure, whole.first, whole.last, sound)


def _strip_end_marks(text: str) -> str:
    """A title without what stands at its end and is none of it."""
    return _KIND.sub("", text.rstrip(_MARKS)).rstrip(_MARKS) or text


def _is_sound(title: str) -> bool:
    """Whether a title consists of words, not of the signs that a broken font gives."""
    words = title.split()
    if not words or not (title[0].isalnum() or title[0] in "“‘'\"¿¡«(") or _LOST.search(title):
        return False
    scraps = sum(len(word) < 3 and word.isalpha() and word.islower() and word not in _SMALL for word in words)
    if any(len(word) > _LONGEST_WORD for word in words):
        return False
    return scraps < 2 and sum(_SOUND.fullmatch(word) is not None for word in words) * 10 >= len(words) * 7


def _may_go_on(title: _Block, blocks: list[_Block], lines: Sequence[HeadLine]) -> bool:
    """Whether what stands close below in nearly the same type may belong to a title."""
    for block in blocks:
        if block.first > title.last:
            near = 0 < lines[block.first].top - lines[title.last].top < 1.6 * title.size
            alike = 0.85 * title.size <= block.size <= 1.02 * title.size
            return near and alike and not _has_names(lines, block) and not _NO_SUBTITLE.search(block.text)
    return False


def _rank(block: _Block, common: frozenset[str]) -> float:
    """How large a block is set; one word alone, and what reads like one name, are hardly a title."""
    doubtful = " " not in block.text or _is_person(block.text, common)
    return block.size * (1.03 if block.bold else 1.0) * (0.6 if doubtful else 1.0)


def _is_person(text: str, common: frozenset[str]) -> bool:
    """Whether a text is the name of one person, none of whose words the text writes in lower case."""
    names, others = split_names(text)
    return len(names) == 1 and not others and not is_common(names[0], common, 1)


def _blocks(lines: Sequence[HeadLine], text: str, common: frozenset[str]) -> list[_Block]:
    """Lines of one size that follow each other, as far as the head of a page may reach."""
    end = next((at for at, line in enumerate(lines) if at and is_end(plain(line.text))), len(lines))
    lowest = max(_FULL_PAGE, *(line.top for line in lines)) * _UPPER if lines else 0
    found: list[_Block] = []
    for at, line in enumerate(lines[:end]):
        words = plain(line.text)
        if not words or line.top > lowest:
            continue
        block = next((one for one in reversed(found[-_NEAR:]) if _goes_on(lines[one.last], line, one)), None)
        below = next((one for one in lines[at + 1 : end] if one.top > line.top), None)
        if block is not None and not (
            _is_no_title_line(words, line, common) and not _is_above_names(line, below, common)
        ):
            block.text, block.last = _join(block.text, words, text), at
            block.left, block.right = min(block.left, line.left), max(block.right, line.right)
        else:
            found.append(_Block(at, at, line.size, bool(line.bold), words, line.left, line.right))
    return found


def _is_no_title_line(words: str, line: HeadLine, common: frozenset[str]) -> bool:
    """Whether a line in the type of the title is none of it: a name, or a remark in parentheses."""
    if words.startswith("(") and words.endswith(")"):
        return True
    if words.split(" ")[0].casefold() in _UNENDING:
        return False
    names, others = split_names(line.text)
    return bool(names) and not others and not any(is_common(name, common, 1) for name in names)


def _is_above_names(line: HeadLine, below: HeadLine | None, common: frozenset[str]) -> bool:
    """Whether the line below, in smaller type, is one of several names: then this one is none."""
    if below is None or below.size > 0.8 * line.size:
        return False
    names, others = split_names(below.text)
    return len(names) > 1 and not others and not any(is_common(name, common, 1) for name in names)


def _goes_on(before: HeadLine, line: HeadLine, block: _Block) -> bool:
    if abs(line.size - block.size) > max(4, _SAME_SIZE * block.size) or bool(line.bold) != block.bold:
        return False
    step = line.top - before.top
    beside = step < 0.3 * line.size
    across = min(line.right, block.right) - max(line.left, block.left)
    if beside:
        return line.left - before.right < 5 * line.size
    furthest = _TIGHT if _BANNER.match(block.text) else _SPACING
    if not 0 < step < furthest * line.size or across <= 0:
        return False
    words = plain(line.text)
    return " " not in words or not _BANNER.match(words)


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
    if _BODIES.search(text) and bodies * 2 >= len(words):
        return False
    return _TOWN.search(text) is None


def _are_names(text: str, common: frozenset[str]) -> bool:
    """Whether a block is a list of people, or one with an address."""
    names, others = split_names(text)
    if len(names) + len(others) < 2 or not names:
        return False
    people = [name for name in names if not is_common(name, common)]
    return len(people) == len(names) and all(_ADDRESS.search(part) or is_never_name(part) for part in others)


def _is_in_name(title: str, stem: str) -> bool:
    """Whether the name of the file holds the title, or its beginning."""
    inside, name = fold_text(title), fold_text(stem)
    if len(inside) < _PART:
        return False
    if inside in name:
        return True
    at = name.find(inside[:_PART])
    if at < 0:
        return False
    shared = 0
    for left, right in zip(inside, name[at:], strict=False):
        if left != right:
            break
        shared += 1
    return shared >= _PREFIX


def _said_block(lines: Sequence[HeadLine], blocks: list[_Block], said: str, text: str) -> Title | None:
    """The lines that hold what the file calls its title; the block they begin, where that goes on."""
    wanted = fold_text(said)
    for block in blocks:
        if _can_be_title(block) and agree(block.text, said):
            # What the file says beyond the printed title is the name of a journal, unless the page goes on with it.
            rest = wanted[len(fold_text(block.text)) :]
            longer = said if rest and rest[:_PREFIX] in fold_text(text[:_TOP]) else block.text
            return Title(longer, True, block.first, block.last)
    for first in range(len(lines)):
        held = ""
        for last in range(first, min(first + 8, len(lines))):
            held += fold_text(lines[last].text)
            if held == wanted:
                return Title(said, True, first, last)
            if not wanted.startswith(held):
                break
    return None


def _with_rest(best: _Block, blocks: list[_Block], lines: Sequence[HeadLine], usual: int) -> _Block:
    """The title with what belongs to it in another size: what stands behind its colon, or before its small words."""
    at = blocks.index(best)
    found = _with_above(best, blocks[at - 1] if at else None, lines)
    for after in blocks[at + 1 : at + 3]:
        if not _can_be_title(after) or not _is_near(lines, found, after):
            break
        words = found.text.split()
        if (words[-1].casefold() in _UNENDING and after.size > 0.8 * best.size) or (
            found.text.endswith((":", "—", "–", "...", "…", " -")) and not _has_names(lines, after)
        ):
            found = _Block(found.first, after.last, best.size, best.bold, f"{found.text} {after.text}")
        else:
            return _with_subtitle(found, after, blocks, lines, usual)
    return found


def _with_above(best: _Block, above: _Block | None, lines: Sequence[HeadLine]) -> _Block:
    """The title with what stands above it: "Singleton" in larger type, or a first part that ends in a colon."""
    if above is None or not _can_be_title(above):
        return best
    if not 0 < lines[best.first].top - lines[above.last].top < _SPACING * 1.2 * max(above.size, best.size):
        return best
    # A single word in capitals above a title is the section of a magazine.
    rubric = above.text.isupper() and not best.text.isupper()
    if above.size > 1.1 * best.size and " " not in above.text.strip() and not rubric:
        text = f"{above.text.rstrip(':')}: {best.text}"
    elif (above.text.endswith(":") or above.text.rpartition(" ")[2].casefold() in _UNENDING) and (
        above.size > 0.75 * best.size
    ):
        # A line that cannot be the last one of a title.
        text = f"{above.text} {best.text}"
    else:
        return best
    return _Block(above.first, best.last, best.size, best.bold, text)


def _with_subtitle(best: _Block, after: _Block, blocks: list[_Block], lines: Sequence[HeadLine], usual: int) -> _Block:
    """The title with a line of its own size between it and the names."""
    at = blocks.index(after)
    following = blocks[at + 1] if at + 1 < len(blocks) else None
    smaller = following is not None and after.size > 1.1 * following.size
    large = 1.1 * usual <= after.size < 0.95 * best.size
    words = len(after.text.split())
    if not smaller or not large or words < 3 or _has_names(lines, after) or _NO_SUBTITLE.search(after.text):
        return best
    return _Block(best.first, after.last, best.size, best.bold, f"{best.text}: {after.text}")


def _is_near(lines: Sequence[HeadLine], block: _Block, after: _Block) -> bool:
    return 0 < lines[after.first].top - lines[block.last].top < 2.5 * block.size


def _has_names(lines: Sequence[HeadLine], block: _Block) -> bool:
    """Whether a line of a block may be one of names or addresses."""
    rows = lines[block.first : block.last + 1]
    return any(split_names(line.text)[0] or _ADDRESS.search(line.text) for line in rows)
