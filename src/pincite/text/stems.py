"""Words cut to what their forms share: `adopted`, `adopts` and `adoption` meet, and so do `went` and `go`."""

from __future__ import annotations

from functools import lru_cache

_IRREGULAR = {
    form: base
    for base, forms in (
        line.split(":")
        for line in (
            "be:is are was were been being am|have:has had having|do:does did done|go:goes went gone|make:made|"
            "take:took taken|give:gave given|get:got gotten|see:saw seen|come:came|become:became|begin:began begun|"
            "write:wrote written|win:won|lose:lost|hold:held|lead:led|sell:sold|tell:told|say:said|find:found|"
            "build:built|buy:bought|bring:brought|think:thought|teach:taught|catch:caught|run:ran|rise:rose risen|"
            "fall:fell fallen|grow:grew grown|know:knew known|show:shown|leave:left|meet:met|pay:paid|send:sent|"
            "spend:spent|stand:stood|sit:sat|speak:spoke spoken|break:broke broken|choose:chose chosen|die:dying dead "
            "death|drive:drove driven|eat:ate eaten|fly:flew flown|hear:heard|keep:kept|lie:lay lain lying|ride:rode "
            "ridden|sing:sang sung|sleep:slept|swim:swam swum|throw:threw thrown|wear:wore worn|steal:stole stolen|"
            "bear:born bore|foot:feet|child:children|man:men|woman:women|person:people persons|mouse:mice|life:lives|"
            "wife:wives|leaf:leaves|tooth:teeth|half:halves|datum:data|draw:drew drawn|feed:fed|fight:fought|"
            "shoot:shot|shake:shook|mean:meant|deal:dealt|hit:hitting|use:used uses using user|bind:bound binding"
        ).split("|")
    )
    for form in forms.split()
}
_ENDINGS = (
    "ization iz|isation iz|ational at|fulness|ousness ous|iveness iv|ability|ibility|ication ic|ation at|ition it|"
    "ement|ment|ness|ship|ically ic|ically ic|ical ic|ially|ally|ingly|edly|ity|ance|ence|ency|ancy|ant|ent|ion|iz|ize|"
    "ise iz|er|or|ist|ism|ive|ous|ful|less|al|ial|ian|an|ic|able|ible|at|ate|ly|ure|age"
)
_DERIVED = tuple(
    sorted(((row + " ").split(" ")[:2] for row in _ENDINGS.split("|")), key=lambda pair: len(pair[0]), reverse=True)
)


def _strip_inflection(word: str) -> str:
    """The word without the ending of its number, person or tense."""
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] in "sxzho":
        return word[:-2]
    if word.endswith("s"):
        return word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            cut = word[: -len(ending)]
            if len(cut) >= 3 and any(vowel in cut for vowel in "aeiouy"):
                return cut[:-1] if cut[-1] == cut[-2] and cut[-1] not in "sl" else cut
    return word


def _trim(word: str) -> str:
    """Without a final e, or a y that changes to i."""
    if len(word) > 3 and (word[-1] == "e" or (word[-1] in "yi" and word[-2] not in "aeou")):
        return word[:-1]
    return word


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """The word without its inflection: `cities` and `city`, `adopted` and `adopts`."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isalpha():
        return word
    word = _strip_inflection(word)
    # `Policies` are not `police`.
    return word[:-1] + "i" if word[-1] == "y" and word[-2] not in "aeou" else _trim(word)


def _american(word: str) -> str:
    """One spelling for `colour` and `color`, `centre` and `center`, `grey` and `gray`."""
    if len(word) > 4:
        if "our" in word[2:]:
            return word[:2] + word[2:].replace("our", "or")
        if word.endswith(("tre", "bre")):
            return word[:-2] + "er"
    return "gray" if word == "grey" else word


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """What a family of words shares: `adopt` and `adoption`, `nation` and `national`."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isalpha():
        return word
    word = _american(_strip_inflection(word))
    for _ in range(2):
        for ending, instead in _DERIVED:
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                word = word[: len(word) - len(ending)] + instead
                break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return _trim(word)


@lru_cache(maxsize=16384)
def are_stems_related(one: str, other: str) -> bool:
    """Whether two stems look like one family: `decid` and `decis`, `america` and `americ`."""
    shorter = min(len(one), len(other))
    if shorter < 4 or one[:4] != other[:4]:
        return False
    shared = 4
    while shared < shorter and one[shared] == other[shared]:
        shared += 1
    return (shared >= 5 and shared >= 0.7 * max(len(one), len(other))) or (
        shared == 4 == shorter and len(one) + len(other) <= 10
    )
