"""Credentials that are known by what stands before them, and all shapes together.

Laws every shape keeps, so that a hostile stream costs no more than a plain one:
a literal stands where its pattern begins; no pattern crosses a line end; a failed attempt reads either a few bytes,
or bytes in which no other attempt can begin; whatever a pattern matched is not looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .credential import LONGEST, PAINT, CredentialShape, each
from .next_line import LONE
from .plausibility import (
    is_authorization,
    is_cookie_value,
    is_credential,
    is_listed_secret,
    is_login,
    is_lone_password,
    is_option_password,
    is_registry_password,
    is_signature,
    is_url_password,
)
from .programs import PASSWORD_GIVEN, PROGRAMS, later
from .tokens import TOKENS

__all__ = ["FOLDED", "LONGEST", "PRIVATE_KEY", "SHAPES", "URL", "CredentialShape"]

_GAP = rb"[ \t]{0,48}+(?:" + PAINT + rb"[ \t]{0,8}+){0,4}+"
# A key, quoted or not, then what separates it from its value; `\"` is how JSON inside JSON writes a quote.
_BREAK = rb"""\\?["']?\]?""" + _GAP + rb"(?:\[[^\]\r\n]{0,24}\] ?)?(?:=>|:=|[:=>])" + _GAP
# The same in a table, in columns, behind a leader, and where a name and its value are members or arguments:
# `| password | … |`, `DB_PASSWORD   …`, `{"name": "DB_PASSWORD", "value": "…"}`, `define('DB_PASSWORD', '…')`.
_COLUMN = (
    rb"""(?P<column>[ \t]{0,48}+(?:\||\xe2\x94\x82|\xe2\x94\x83)[ \t]{1,48}+"""
    rb"""|[ \t]{0,4}\t[ \t]{0,8}+|[ ]{2,48}+(?![ :=|>])|[ ]-> |[ ]\.{3,64}+ """
    rb"""|(?(up)[ ]|(?!))|["'],?[ \t]{0,4}(?=["']))"""
)
_PAIR = rb"""(?:["']?,?[ \t]{0,8}["']?(?:[vV]alue|VALUE)["']?[ \t]{0,4}[:=][ \t]{0,4}|</key>[ \t]{0,8}<string>)"""
_SEPARATOR = rb"(?P<sep>" + _BREAK + rb")"
# The same where the value may be a member of an object, as tools that keep a type beside it print it.
_MEMBER = (
    rb"(?P<sep>"
    + _BREAK
    + rb"""(?:\{[^{}\r\n]{0,96}?["']value["'][ \t]{0,3}:[ \t]{0,3}|Some\((?="))?|"""
    + _PAIR
    + rb"|"
    + _COLUMN
    + rb")"
)
# After a key in capitals an unquoted value goes on to the next blank: that is how an environment is printed.
_VALUE = (
    rb"""(?:\\"(?P<e>[^"\\\r\n]{4,512}+)\\"|[bBfFrRuU]{0,2}"(?P<d>(?:[^"\\\r\n]|\\[^\r\n]){4,512}+)\""""
    rb"""|[bBfFrRuU]{0,2}'(?P<s>(?:[^'\\\r\n]|\\[^\r\n]){4,512}+)'"""
    rb"""|(?P<u>(?(up)(?:[^\s"'`\\,;)}\]<\x00-\x1f]|[,;)}\]]++(?=[^\s"'`\\,;)}\]<\x00-\x1f])){4,2048}+"""
    rb"""|[^\s"'`,;&<>(){}\[\]\\|\x00-\x1f]{4,2048}+)))"""
)
# A key at the end of its line: the value is on the next one, or in a list or an object that begins here.
# Where nothing begins here, the next line must begin with a quote or be one word, as far as it is known.
_OPEN = (
    rb"""|(?P<open>(?:[|>][+-]?|[\[{])[ \t]{0,8}\r?(?=\n|\Z)|[ \t]{0,8}\r?(?=\n(?:[ \t]{0,64}(?:["']|"""
    + LONE
    + rb""")|\Z)|\Z))"""
)
_MANY = rb"""|\[(?P<many>[^\[\]\r\n]{6,4096}+)\]"""
_LISTED = rb"""["']([^"'\\\r\n]{8,512}+)["']""", is_listed_secret
_BETWEEN = "= : \" ' \\ ] > ␣= ␣␣ ␛ ␉ ␣| ␣│ ␣- ␣. , ␣[ <"
_PLURAL = rb"(?:s|S|_?[0-9]{1,2})?"
_COUNTED = rb"(?:_?[0-9]{1,2})?"


def _assignment(
    lane: int, name: str, literals: str, lower: bytes, upper: bytes, after: bytes = _COUNTED, listed: bool = False
) -> CredentialShape:
    """`key = value`, the key in small letters or in capitals; `listed` where the value may be a list."""
    key = rb"(?P<key>" + lower + rb"|(?P<up>" + upper + rb"))"
    source = key + after + _MEMBER + rb"(?:" + _VALUE + (_MANY if listed else b"") + _OPEN + rb")"
    return CredentialShape(name, literals, source, lane, judge=is_credential, part=_LISTED if listed else None)


# `password is: …`, and how a server tells the one it made up.
_TOLD = (
    rb"(?:"
    + _COUNTED
    + rb"s?|(?P<told> is(?: (?:generated|set|created))?(?: (?:for|to)(?: user)? [^\s:]{1,64}+)?(?= ?:)))"
)

SHAPES = (
    *TOKENS,
    CredentialShape("azure-signature", "sig=", rb"sig=(?<=[?&;]sig=)([A-Za-z0-9%+/_-]{30,200}+={0,2})", 0),
    CredentialShape(
        "private-key",
        "LS0tLS1CRUdJTi",
        # `-----BEGIN … PRIVATE KEY` in base64, as cluster and CI settings carry it; certificates begin otherwise.
        rb"LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0Eg|BFQyBQ|BEU0Eg|BPUEVOU1NI|BFTkNSWVBURUQg)[A-Za-z0-9+/]{40,32768}+={0,2}",
        1,
    ),
    CredentialShape(
        "password", '"auth"', rb'"auth"[ \t]{0,3}:[ \t]{0,3}"([A-Za-z0-9+/]{8,4096}+={0,2})"', 0, judge=is_login
    ),
    CredentialShape(
        "password",
        "login␣",
        rb"login (?:[^\s]{1,128}+ password ([^\s]{4,256}+)|"
        # Elsewhere than after these, `-p` is a port or a project.
        rb"(?:(?<=docker login )|(?<=podman login )|(?<=nerdctl login )|(?<=registry login )|(?<=buildah login )"
        rb"|(?<=skopeo login )|(?<=az login )|(?<=acr login )|(?<=oc login ))"
        + later(rb"login ", rb"-p[ =]{0,2}", PASSWORD_GIVEN)
        + rb")",
        2,
        judge=is_registry_password,
    ),
    CredentialShape(
        "password",
        "--password␣ --token␣",
        rb"""--(?:password|token) {1,3}["']?([^\s"'\x00-\x1f<>\[\](){}|,;-][^\s"'\x00-\x1f<>\[\](){}|,;]{5,512}+)""",
        1,
        judge=is_option_password,
    ),
    CredentialShape(
        "authorization",
        "uthoriz UTHORIZ",
        rb"(?i:uthorization)" + _SEPARATOR + rb"""\\?["']?(?:(?P<scheme>[A-Za-z][A-Za-z-]{2,24}+)[ \t]{1,3})?"""
        rb"(?P<value>[A-Za-z0-9._~+/=:-]{6,8192}+)",
        0,
        judge=is_authorization,
    ),
    _assignment(
        2,
        "password",
        each("word", _BETWEEN + ' 1 2 s: s= s" ␣is')
        + ' SSWORD asswd ASSWD assphrase ASSPHRASE pwd= Pwd= _pwd: _pwd" "pwd" _PWD'
        + ' _pass= _pass: _pass" _pass␣ _PASS= _PASS: _PASS" ;PWD= pass: pass" Pass: pwd: pwd"',
        rb'word(?<=[Pp]assword)|ass(?:wd|phrase)|_?[pP]wd|"pwd|_pass|pass(?<![A-Za-z0-9_-]pass)|Pass(?<=tPass)',
        rb"SSWORD|ASS(?:WD|PHRASE)|_PWD|_PASS|;PWD",
        _TOLD,
        True,
    ),
    _assignment(
        9,
        "secret",
        each("ecret ken", _BETWEEN)
        + " ECRET OKEN ecret_key ecretKey ecret␣key ecret␣Key ecret␣Access␣Key cretID cret_id cretString",
        rb"ecret(?:(?: Access)?[_ ]?[kK]ey(?:_base)?)?|cret(?:ID|_id|String)|ken(?<=[Tt]oken)",
        rb"ECRET(?:(?:_ACCESS)?_KEY(?:_BASE)?)?|OKEN(?<=TOKEN)",
    ),
    _assignment(12, "secret", "cess_key CESS_KEY cessKey", rb"cess_?[kK]ey", rb"CESS_KEY", _PLURAL, True),
    CredentialShape(
        "cookie",
        "ookie: ookie\" ookie'",
        rb"""ookie["']?[ \t]{0,3}:[ \t]{0,3}\[?["']?(?P<many>(?=[^\s=;,"'<>()]{1,128}=)[^"'\r\n\x1b]{1,8192}+)""",
        8,
        part=(rb"""[^\s=;,"'<>()]{1,128}+=([^\s;,"'\\<>(){}]{9,4096}+)""", is_cookie_value),
    ),
    CredentialShape(
        "signature",
        "ignature=",
        rb"ignature=(?:(?<=[?&;, ]Signature=)|(?<=-Amz-Signature=)|(?<=-Goog-Signature=))"
        rb"([A-Za-z0-9%+/_~-]{27,1024}+={0,2})",
        8,
        judge=is_signature,
    ),
    *PROGRAMS,
    _assignment(
        0,
        "secret",
        "pi_key pi-key pi-Key piKey pikey PI_KEY PIKEY ccountKey PI-KEY PI-Key pi␣key pi␣Key PI␣Key"
        ' PI␣KEY psk= psk: psk" key-data',
        rb"pi[ _-]?[kK]ey|PI[ -]Key|ccountKey|psk|key-data",
        rb"PI[_ -]?KEY",
        _PLURAL,
        True,
    ),
    _assignment(
        5,
        "secret",
        "ning_key ning-key ningKey NING_KEY tion_key tion-key tionKey TION_KEY tion-Key TION-KEY rage_key rageKey"
        " RAGE_KEY uth_key uth-key uth-Key uthKey uthkey UTH_KEY stly-key stly-Key stly_key STLY_KEY ster_key sterKey"
        " sterkey STER_KEY mac_key MAC_KEY ploy_key PLOY_KEY ense_key ENSE_KEY enseKey very_key very␣key ount_key"
        " OUNT_KEY ions-key ions-Key APP_KEY maryKey daryKey aredKey ared_key ared-key salt_key seal␣Key ckup␣key",
        rb"(?:ning(?<=signing)|tion(?:(?<=encryption)|(?<=subscription)|(?<=Subscription)|(?<=application))|rage(?<=storage)|uth|stly"
        rb"|ster(?<=[Mm]aster)|mac(?<=hmac)|ploy|ense(?<=license)|very(?<=ecovery)|ount(?<=account)|ions(?<=[Ff]unctions)|mary|dary"
        rb"|ared(?<=shared)|salt|seal|ckup)[ _-]?[kK]ey(?: [0-9]{1,2})?",
        rb"(?:NING(?<=SIGNING)|TION(?:(?<=ENCRYPTION)|(?<=SUBSCRIPTION)|(?<=APPLICATION))|RAGE(?<=STORAGE)|UTH|STLY|STER(?<=MASTER)"
        rb"|MAC(?<=HMAC)|PLOY|ENSE(?<=LICENSE)|OUNT(?<=ACCOUNT)|APP)[_-]KEY",
    ),
    CredentialShape(
        "password",
        "password␣",
        # One word of a login file that has each pair on its own line.
        rb"password (?<=[\s\x00]password )([^\s\"'<>(){}\[\]`|,;]{8,128}+)(?=[ \t]*(?:[\r\n\"'<\\]|\Z))",
        4,
        judge=is_lone_password,
    ),
    CredentialShape(
        "password",
        ":5432: :3306: :*:* :5433: :6432:",
        rb":[0-9*]{1,5}+:[^\s:]{1,64}+:[^\s:]{1,64}+:([^\s:]{4,128}+)(?=[ \t]*(?:[\r\n]|\Z))",
        4,
        judge=is_signature,
    ),
    _assignment(3, "secret", "vate_key VATE_KEY vateKey", rb"vate_?[kK]ey", rb"VATE_KEY"),
)
"""Specific shapes first: where two claim the same bytes, the first one names them."""

URL = CredentialShape(
    "password",
    "://",
    rb"""://(?:[^\s/?#@:,;"'<>`|\\]{0,128}+:(?P<value>[^\s/?#@,;"'<>`|\\]{1,256}+(?:@[^\s/?#@:,;"'<>`|\\]{1,128}+(?=@)){0,4})@"""
    rb"""|([A-Za-z0-9_-]{20,255}+)@)""",
    -1,
    judge=is_url_password,
)
"""Separate from the others: its literal alone is found fastest."""

PRIVATE_KEY = CredentialShape("private-key", "PRIVATE␣KEY", rb"PRIVATE KEY(?: BLOCK)?-----", 0, splits=False)
"""Where a block of lines may begin: `capture.masking.pem` reads on from here."""

_DIGITS = re.compile(rb"[0-9][^0-9]*[0-9][^0-9]*[0-9]|(?=.{30})[^0-9]*[0-9]")


def _has_enough_digits(match: re.Match[bytes]) -> bool:
    """Whether there are digits enough to tell a token from words."""
    return _DIGITS.search(match[0]) is not None


def _fold(shapes: tuple[CredentialShape, ...], first: int) -> Iterator[CredentialShape]:
    """The same tokens as a program prints them that writes everything in capitals, or in small letters."""
    number, lane = 0, first
    for shape in shapes:
        literals = {case for word in shape.literals for case in (word.upper(), word.lower())} - {*shape.literals}
        if literals and min(map(len, literals)) > 2 and shape.judge is None and len(shape.literals) < 9:
            number += len(literals)
            if number > 50:
                number, lane = len(literals), lane + 1
            words = " ".join(sorted(word.decode().replace(" ", "␣") for word in literals))
            yield CredentialShape(
                shape.name, words, rb"(?i:" + shape.source + rb")", lane, back=shape.back, judge=_has_enough_digits
            )


FOLDED = tuple(_fold(TOKENS, 10))
"""Tokens in other letters than their own."""
