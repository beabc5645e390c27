"""What credentials look like: opening literals found in bulk, and one bounded pattern for each.

Laws every shape keeps, so that a hostile stream costs no more than a plain one:
a literal stands where its pattern begins; no pattern crosses a line end; a failed attempt reads either a few bytes,
or bytes in which no other attempt can begin; whatever a pattern matched is not looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .doubt import (
    authorized,
    cookie,
    credential,
    listed,
    login,
    option,
    registry_password,
    signature,
    typed_password,
    url_password,
)

Judge = Callable[[re.Match[bytes]], bool]
LONGEST = 40 * 1024
"""No pattern matches more bytes than this."""


class Shape:
    """One kind of credential. The secret is the last group that took part, or all that was matched."""

    __slots__ = ("back", "judge", "lane", "literals", "match", "name", "part", "source")

    def __init__(
        self,
        name: str,
        literals: str,
        source: bytes,
        lane: int,
        *,
        back: int = 0,
        judge: Judge | None = None,
        part: tuple[bytes, Judge] | None = None,
    ) -> None:
        self.name = name
        self.literals = tuple(word.replace("␣", " ").replace("␛", "\x1b").encode() for word in literals.split())
        self.source = source
        self.lane = lane
        """Which automaton looks for it: a few small ones are faster than a large one."""
        self.back = back
        """How many bytes before the literal belong to the secret: literals leave out beginnings that are frequent."""
        self.judge = judge
        self.part = part
        """What to hide, and when, inside a group named `many`: a list, the pairs of a cookie."""
        self.match: Callable[[bytes, int], re.Match[bytes] | None] = self._first_match
        """Matches the pattern at a place."""

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The compiled pattern."""
        return re.compile(self.source)

    def _first_match(self, block: bytes, at: int) -> re.Match[bytes] | None:
        """Compiles the pattern when first needed: most runs meet few shapes."""
        self.match = self.pattern.match
        return self.match(block, at)

    def spans(self, match: re.Match[bytes]) -> list[tuple[int, int]]:
        """Where secrets stand in a match; nowhere where it only looks like one."""
        if self.judge is not None and not self.judge(match):
            return []
        if self.part is not None and match.lastgroup == "many":
            parts = re.compile(self.part[0]).finditer(match.string, *match.span("many"))
            return [part.span(1) for part in parts if self.part[1](part)]
        group = match.lastindex or 0
        return [(match.start(group) - (self.back if not group else 0), match.end(group))]


_PAINT = rb"\x1b(?:\[[0-9;:]{0,16}[mK]|\(B)"
"""A colour code, or what programs print along with one."""


def _apart(literal: bytes) -> bytes:
    """After a literal: that it does not continue a word (a colour code, an escape and a %XX are no word)."""
    # The first test is a quick one: none of the others can hold after these letters.
    return (
        rb"(?<![G-JL-Zg-lo-qsu-z_-]"
        + literal
        + rb")(?:(?<![A-Za-z0-9_-]"
        + literal
        + rb")|(?<=[0-9;\[]m"
        + literal
        + rb")|(?<=\x1b\[K"
        + literal
        + rb")|(?<=\x1b\(B"
        + literal
        + rb")"
        rb"|(?<=\\[nrt]" + literal + rb")|(?<=%[0-9A-Fa-f]{2}" + literal + rb"))"
    )


def _each(heads: str, tails: str) -> str:
    return " ".join(head + tail for head in heads.split() for tail in tails.split())


_END = rb"(?![A-Za-z0-9_-])"
_GAP = rb"[ \t]{0,48}+(?:" + _PAINT + rb"[ \t]{0,8}+){0,4}+"
# A key, quoted or not, then what separates it from its value; `\"` is how JSON inside JSON writes a quote.
_BREAK = rb"""\\?["']?\]?""" + _GAP + rb"(?:=>|:=|[:=>])" + _GAP
_SEPARATOR = rb"(?P<sep>" + _BREAK + rb")"
# The same where the value may be a member of an object, as tools that keep a type beside it print it.
_MEMBER = rb"(?P<sep>" + _BREAK + rb"""(?:\{[^{}\r\n]{0,96}?["']value["'][ \t]{0,3}:[ \t]{0,3})?)"""
# After a key in capitals an unquoted value goes on to the next blank: that is how an environment is printed.
_VALUE = (
    rb"""(?:\\"(?P<e>[^"\\\r\n]{4,512}+)\\"|[bBfFrRuU]{0,2}"(?P<d>(?:[^"\\\r\n]|\\[^\r\n]){4,512}+)\""""
    rb"""|[bBfFrRuU]{0,2}'(?P<s>(?:[^'\\\r\n]|\\[^\r\n]){4,512}+)'"""
    rb"""|(?P<u>(?(up)(?:[^\s"'`\\,;)}\]<\x00-\x1f]|[,;)}\]]++(?=[^\s"'`\\,;)}\]<\x00-\x1f])){4,2048}+"""
    rb"""|[^\s"'`,;&<>(){}\[\]\\|\x00-\x1f]{4,2048}+)))"""
)
# A key at the end of its line: the value is on the next one, or in a list or an object that begins here.
# Where nothing begins here, the next line must begin with a quote, as far as it is known.
_OPEN = rb"""|(?P<open>(?:[|>][+-]?|[\[{])[ \t]{0,8}\r?(?=\n|\Z)|[ \t]{0,8}\r?(?=\n(?:[ \t]{0,64}["']|\Z)|\Z))"""
_MANY = rb"""|\[(?P<many>[^\[\]\r\n]{6,4096}+)\]"""
_LISTED = rb"""["']([^"'\\\r\n]{8,512}+)["']""", listed
_BETWEEN = "= : \" ' \\ ] > ␣= ␣␣ ␛"
_PLURAL = rb"(?:s|S|_?[0-9]{1,2})?"
_COUNTED = rb"(?:_?[0-9]{1,2})?"


def _assignment(lower: bytes, upper: bytes, after: bytes = _COUNTED, more: bytes = b"") -> bytes:
    key = rb"(?P<key>" + lower + rb"|(?P<up>" + upper + rb"))"
    return key + after + _MEMBER + rb"(?:" + _VALUE + more + _OPEN + rb")"


# `password is: …`, and how a server tells the one it made up.
_TOLD = (
    rb"(?:"
    + _COUNTED
    + rb"s?|(?P<told> is(?: (?:generated|set|created))?(?: (?:for|to)(?: user)? [^\s:]{1,64}+)?(?= ?:)))"
)
# How a word of a command is printed; `name:` before it is shown.
_GIVEN = rb"""(?:'%s([^'\r\n]{3,256}+)'|"%s([^"\r\n]{3,256}+)"|%s([^\s"'<>|;`()]{3,256}+))"""
_PASSWORD_GIVEN = _GIVEN.replace(b"%s", b"")
_USER_GIVEN = _GIVEN.replace(b"%s", rb"""[^\s:"'/]{1,128}+:""")


def _later(program: bytes, option: bytes, given: bytes) -> bytes:
    """After a program in a printed command: an option and what it is given, before the program is named again."""
    # Word by word: letter by letter takes ten times as long.
    found = option + given.replace(b"([", b"(?:[")
    return rb"(?:(?!" + program + rb"|" + found + rb")[^\s|;]{1,256}+[ \t]{1,8}+){0,24}+" + option + given


SHAPES = (
    Shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rb"gh[pousr]_[A-Za-z0-9]{36,255}+", 1),
    Shape("github-token", "hub_pat_", rb"hub_pat_(?<=github_pat_)[A-Za-z0-9_]{22,255}+", 0, back=3),
    Shape(
        "gitlab-token",
        "glpat- glrt- gldt- glptt- glcbt-",
        rb"gl(?:pat|rt|dt|ptt|cbt)-[A-Za-z0-9_-]{20,300}+(?:\.[A-Za-z0-9_.-]{2,60}+)?",
        2,
    ),
    Shape("aws-key", "AKIA ASIA", rb"A(?:KI|SI)A" + _apart(rb"A(?:KI|SI)A") + rb"[A-Z0-9]{16}(?![A-Za-z0-9])", 0),
    Shape("google-key", "AIza", rb"AIza[A-Za-z0-9_-]{35}" + _END, 2),
    Shape("google-key", "GOCSPX-", rb"GOCSPX-[A-Za-z0-9_-]{20,60}+", 1),
    Shape("google-token", "ya29.", rb"ya29\.[A-Za-z0-9_-]{20,2048}+", 0),
    Shape(
        "api-key",
        "sk-",
        rb"sk-(?=[A-Za-z0-9])" + _apart(rb"sk-") + rb"(?:(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{20,300}+"
        rb"|(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,300}+" + _END + rb")",
        1,
    ),
    Shape("slack-token", "xox", rb"xox[abeposr](?:-|\.xox[bp]-)[A-Za-z0-9-]{10,400}+", 1),
    Shape("slack-token", "xapp-", rb"xapp-[0-9]-[A-Za-z0-9-]{20,300}+", 0),
    Shape(
        "slack-webhook",
        "ooks.slack.com/",
        rb"ooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{10,200}+)",
        1,
    ),
    Shape(
        "stripe-key", "k_live_ k_test_", rb"k_(?:live|test)_(?<=[sr]k_(?:live|test)_)[A-Za-z0-9]{10,250}+", 0, back=1
    ),
    Shape("stripe-key", "whsec_", rb"whsec_[A-Za-z0-9+/]{24,100}+={0,2}", 0),
    Shape("npm-token", "npm_", rb"npm_[A-Za-z0-9]{36}" + _END, 0),
    Shape("pypi-token", "pypi-AgE", rb"pypi-AgE[A-Za-z0-9_-]{50,1000}+", 1),
    Shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rb"do[por]_v1_[a-f0-9]{64}", 2),
    Shape("docker-token", "dckr_pat_", rb"dckr_pat_[A-Za-z0-9_-]{20,100}+", 2),
    Shape("shopify-token", "shpat_", rb"shpat_[a-fA-F0-9]{32}", 1),
    Shape("grafana-token", "glsa_", rb"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}", 2),
    Shape("vault-token", "hvs.", rb"hvs\.[A-Za-z0-9_-]{24,300}+", 2),
    Shape("age-key", "AGE-SECRET-KEY-", rb"AGE-SECRET-KEY-1[0-9A-Z]{58}", 1),
    Shape("huggingface-token", "hf_", rb"hf_" + _apart(rb"hf_") + rb"[A-Za-z0-9]{30,60}+" + _END, 1),
    Shape(
        "sendgrid-key", "SG.", rb"SG\." + _apart(rb"SG\.") + rb"[A-Za-z0-9_-]{16,32}+\.[A-Za-z0-9_-]{16,64}+" + _END, 1
    ),
    Shape(
        "twilio-key", _each("SK", " ".join("0123456789abcdef")), rb"SK" + _apart(rb"SK") + rb"[0-9a-f]{32}" + _END, 1
    ),
    Shape(
        "jwt",
        "eyJ",
        rb"eyJ" + _apart(rb"eyJ") + rb"[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{0,16384}+\.[A-Za-z0-9_-]{2,8192}+"
        rb"(?:\.[A-Za-z0-9_-]{2,4096}+){0,2}",
        1,
    ),
    Shape("azure-signature", "sig=", rb"sig=(?<=[?&;]sig=)([A-Za-z0-9%+/_-]{30,200}+={0,2})", 0),
    Shape(
        "private-key",
        "LS0tLS1CRUdJTi",
        # `-----BEGIN … PRIVATE KEY` in base64, as cluster and CI settings carry it; certificates begin otherwise.
        rb"LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0Eg|BFQyBQ|BEU0Eg|BPUEVOU1NI|BFTkNSWVBURUQg)[A-Za-z0-9+/]{40,32768}+={0,2}",
        1,
    ),
    Shape("password", '"auth"', rb'"auth"[ \t]{0,3}:[ \t]{0,3}"([A-Za-z0-9+/]{8,4096}+={0,2})"', 0, judge=login),
    Shape(
        "password",
        "login␣",
        rb"login (?:[^\s]{1,128}+ password ([^\s]{4,256}+)|"
        # Elsewhere than after these, `-p` is a port or a project.
        rb"(?:(?<=docker login )|(?<=podman login )|(?<=nerdctl login )|(?<=registry login )|(?<=buildah login )"
        rb"|(?<=skopeo login )|(?<=az login )|(?<=acr login )|(?<=oc login ))"
        + _later(rb"login ", rb"-p[ =]{0,2}", _PASSWORD_GIVEN)
        + rb")",
        2,
        judge=registry_password,
    ),
    Shape(
        "password",
        "--password␣ --token␣",
        rb"""--(?:password|token) {1,3}["']?([^\s"'\x00-\x1f<>\[\](){}|,;-][^\s"'\x00-\x1f<>\[\](){}|,;]{5,512}+)""",
        1,
        judge=option,
    ),
    Shape(
        "authorization",
        "uthoriz UTHORIZ",
        rb"(?i:uthorization)"
        + _SEPARATOR
        + rb"""\\?["']?(?:(?P<scheme>(?i:basic|bearer|token|apikey|negotiate))[ \t]{1,3})?"""
        rb"(?P<value>[A-Za-z0-9._~+/=:-]{6,8192}+)",
        0,
        judge=authorized,
    ),
    Shape(
        "password",
        _each("word", _BETWEEN + ' 1 2 s: s= s" ␣is')
        + ' SSWORD asswd ASSWD assphrase ASSPHRASE pwd= Pwd= _pwd: _pwd" "pwd" _PWD'
        + ' _pass= _pass: _pass" _pass␣ _PASS= _PASS: _PASS"',
        _assignment(
            rb'word(?<=[Pp]assword)|ass(?:wd|phrase)|_?[pP]wd|"pwd|_pass',
            rb"SSWORD|ASS(?:WD|PHRASE)|_PWD|_PASS",
            _TOLD,
            _MANY,
        ),
        2,
        judge=credential,
        part=_LISTED,
    ),
    Shape(
        "secret",
        _each("ecret ken", _BETWEEN) + " ECRET OKEN ecret_key ecretKey",
        _assignment(
            rb"ecret(?:_?[kK]ey(?:_base)?)?|ken(?<=[Tt]oken)",
            rb"ECRET(?:(?:_ACCESS)?_KEY(?:_BASE)?)?|OKEN(?<=TOKEN)",
        ),
        0,
        judge=credential,
    ),
    Shape(
        "secret",
        "cess_key CESS_KEY cessKey",
        _assignment(rb"cess_?[kK]ey", rb"CESS_KEY", _PLURAL, _MANY),
        2,
        judge=credential,
        part=_LISTED,
    ),
    Shape(
        "cookie",
        "ookie: ookie\" ookie'",
        rb"""ookie["']?[ \t]{0,3}:[ \t]{0,3}\[?["']?(?P<many>(?=[^\s=;,"'<>()]{1,128}=)[^"'\r\n\x1b]{1,8192}+)""",
        2,
        part=(rb"""[^\s=;,"'<>()]{1,128}+=([^\s;,"'\\<>(){}]{9,4096}+)""", cookie),
    ),
    Shape(
        "signature",
        "ignature=",
        rb"ignature=(?:(?<=[?&;, ]Signature=)|(?<=-Amz-Signature=)|(?<=-Goog-Signature=))"
        rb"([A-Za-z0-9%+/_~-]{27,1024}+={0,2})",
        2,
        judge=signature,
    ),
    Shape(
        "password",
        "curl␣",
        rb"""curl (?=[-"'$]|http|[\w.-]{1,64}+[:/])"""
        + _later(rb"curl ", rb"(?:-[a-zA-Z]{0,8}[uU] {0,3}|--(?:proxy-)?user[= ] {0,3})", _USER_GIVEN),
        1,
        judge=typed_password,
    ),
    Shape(
        "password",
        "mysql␣ mysqldump␣ mysqladmin␣ ariadb␣",
        rb"(?:mysql(?:dump|admin)?|ariadb) " + _later(rb"mysql|ariadb ", rb"""['"]?-p""", _PASSWORD_GIVEN),
        0,
        judge=typed_password,
    ),
    Shape(
        "password",
        "sshpass␣",
        rb"sshpass " + _later(rb"sshpass ", rb"-p {0,3}", _PASSWORD_GIVEN),
        1,
        judge=typed_password,
    ),
    Shape(
        "secret",
        "pi_key pi-key pi-Key piKey pikey PI_KEY PIKEY ccountKey",
        _assignment(rb"pi[_-]?[kK]ey|ccountKey", rb"PI_?KEY", _PLURAL, _MANY),
        0,
        judge=credential,
        part=_LISTED,
    ),
    Shape(
        "secret",
        "vate_key VATE_KEY vateKey",
        _assignment(rb"vate_?[kK]ey", rb"VATE_KEY"),
        0,
        judge=credential,
    ),
)
"""Specific shapes first: where two claim the same bytes, the first one names them."""

URL = Shape(
    "password",
    "://",
    rb"""://(?:[^\s/?#@:,;"'<>`|\\]{0,128}+:(?P<value>[^\s/?#@,;"'<>`|\\]{1,256}+(?:@[^\s/?#@:,;"'<>`|\\]{1,128}+(?=@)){0,4})@"""
    rb"""|([A-Za-z0-9_-]{20,255}+)@)""",
    -1,
    judge=url_password,
)
"""Apart from the others: only text with an `@` is searched for it."""

PRIVATE_KEY = Shape("private-key", "PRIVATE␣KEY", rb"PRIVATE KEY(?: BLOCK)?-----", 0)
"""Where a block of lines may begin: `capture.masking.pem` reads on from here."""
