"""Text that came from elsewhere, written into markdown so that it can only be text, and the same text read back."""

from __future__ import annotations

import re
from unicodedata import normalize

from ...pages.domains import clean_host
from ...safe.escape import escape_text

# What could begin, end or be markup; what becomes a link, a mention or the number of an issue without any.
_SPECIAL = re.compile(
    r"[\\`*_\[\]{}<>|~^$&@#【⁰¹²³⁴-⁹]|(?<=[A-Za-z])://|www\.|(?<=source) ?:|(?<=sources) ?:", re.IGNORECASE
)
_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "@": "&#64;<!-- -->",
    "#": "&#35;<!-- -->",
    "【": "&#12304;",
    "://": "&#58;//",
    ":": "&#58;",
    " :": " &#58;",
}
_OPENING = re.compile(r"([-+=]|[0-9]{1,9}(?=[.)]))([.)]?)")
_UNSAFE_IN_URL = re.compile(r"[^A-Za-z0-9\-._~:/?#@&+,;=%]")
_LONGEST_URL = 8192
_TYPOGRAPHY = str.maketrans(
    {**dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "…": "..."}
)
_ENDING = " .。"
COLUMNS = ("", "Claim", "Source", "Confidence", "Quote", "Judged by")
"""Of the table of grounded claims that a report ends with."""


def show_on_one_line(text: str) -> str:
    """The text on one line, with nothing invisible left in it."""
    return escape_text(" ".join(text.split()))


def escape_markdown(text: str, limit: int | None = None) -> str:
    """The text as markdown that shows exactly it: no link, heading, list, image, tag, mention or end of a cell."""
    said = show_on_one_line(text)
    if limit is not None and len(said) > limit:
        said = said[: limit - 1] + "…"
    opening = _OPENING.match(said)
    head = ""
    if opening is not None:
        # What would begin a list, a rule or an underline; a number keeps its digits.
        sign, stop = opening.groups()
        head = f"{sign}\\{stop}" if stop else f"\\{sign}" if not sign.isdigit() else sign
        said = said[opening.end() :]
    return head + _SPECIAL.sub(_escape, said)


def link_target(url: str) -> str:
    """A web address as the target of a markdown link; empty where it is none that a report may link to."""
    if len(url) > _LONGEST_URL or url[:8].lower() != "https://":
        return ""
    place = re.split(r"[/?#]", url[8:], maxsplit=1)[0]
    rest = url[8 + len(place) :]
    _, at, place = place.rpartition("@")
    name, _, port = place.partition(":")
    host = clean_host(name)
    if at or not host or (port and not (port.isascii() and port.isdigit())):
        return ""
    port = "" if port in ("", "443") else f":{port}"
    return f"https://{host}{port}{rest[:1]}{_UNSAFE_IN_URL.sub(_percent, rest[1:])}".replace("&", "&amp;")


def url_key(url: str) -> str:
    """What two addresses of one page have in common: no fragment, one way to write the host and the rest."""
    target = link_target(url.partition("#")[0]).replace("&amp;", "&")
    if not target:
        return url
    scheme, mark, rest = target.partition("://")
    return f"{scheme}{mark}{rest.removesuffix('/') if rest.count('/') == 1 else rest}"


def fold_sentence(text: str) -> str:
    """What two ways to write one sentence have in common: white space, typography and the last stop do not count."""
    return " ".join(normalize("NFC", text).translate(_TYPOGRAPHY).split()).rstrip(_ENDING)


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    if sign in _ENTITIES:
        return _ENTITIES[sign]
    if not sign.isascii():
        # A raised number could be that of a source.
        return f"&#{ord(sign)};"
    return sign.replace(".", "&#46;") if len(sign) > 1 else f"\\{sign}"


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
