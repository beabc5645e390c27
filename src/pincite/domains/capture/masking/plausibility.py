"""Whether what stands after `password=` is a secret, or a word, a variable, a path, a piece of code.

Each judge is given a match of its shape; a value that is plainly something else stays readable.
"""

from __future__ import annotations

import re

_STANDIN = re.compile(
    rb"\$[A-Za-z_{(*@?]|\$\$|\{\{|\{[\w.!:]*\}|%[sdr(]|%\w+%|<|\[masked:|\.\.\.|\xe2\x80\xa6|![A-Za-z]+$|\\|@|env\."
)
"""What a value that stands for another one begins with: a variable, a template, an ellipsis, a mask."""
_TEMPLATE = re.compile(rb"\$\{|\$\(|\{\{|\{[A-Za-z_][\w.!:]*\}|%\(\w+\)s|%s|\[masked:")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z_'-]*[.:!?]?")
_DOTTED = re.compile(rb"[A-Za-z_]\w{0,40}(?:(?:\.|::|->)[A-Za-z_]\w{0,40})+")
_CALL = re.compile(rb"[A-Za-z_][\w.]*[\[(]")
_PATH = re.compile(
    rb"(?:~|\.{1,2})?/[\w.~+@%-]+(?:/[\w.~+@%:-]*)*|(?:[\w-]+/|\.{1,2}/)*[\w.-]+\.[A-Za-z]{1,5}(?::[0-9:-]+)?|[A-Za-z]:\\.*"
)
_ADDRESS = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://")
_QUALIFIED = re.compile(rb"::\w*\Z|[Pp]ublicKey\w*\Z")
"""A name of a type, `Kind::Secret`, is no key; nor is what a public key is called."""
_COLONS = re.compile(rb":\w*\Z")
_IN_ADDRESS = re.compile(rb"""://[^\s/?#@"'<>]*\Z""")
_DIGIT = re.compile(rb"[0-9]")
_NUMBER = re.compile(rb"[-+]?[0-9][0-9_.,:/%-]*[a-z]{0,2}")
_KEYISH = re.compile(rb"pass|secret|token|key|cred|auth|pwd", re.I)
_PASSWORDISH = re.compile(rb"word|asswd|phrase|pwd|pass\Z", re.I)
_OWNER = re.compile(
    rb"(?:become|sudo|ssh|db|sql|pg|postgres|user|root|admin|smtp|imap|mail|ftp|http|proxy|vault|redis|mongo|rabbit"
    rb"|login|auth|basic|key|store|ldap|svc|account|wifi|wpa|bind)\Z",
    re.I,
)
"""Whose `_pass` is a password; that of a test or a renderer is none."""
_PROSE = re.compile(
    rb"\b(?:a|an|and|any|are|as|at|be|by|can|cannot|change|characters?|choose|confirm|copy|current|do|empty|enter|error"
    rb"|field|for|forgot|forgotten|from|generate|has|have|if|in|incorrect|input|invalid|is|it|least|length|login|long"
    rb"|match|max|min|minimum|must|my|new|no|not|of|old|on|only|or|please|repeat|required|reset|retype|set|should|show"
    rb"|sign|some|text|that|the|this|to|too|type|update|use|user|username|valid|value|was|weak|will|with|wrong|you|your"
    rb"|str|string|optional|default|bytes|none|null|true|false)\b",
    re.I,
)
"""Words of a sentence about passwords; a password of several words has none of them."""
_ATTRIBUTE = re.compile(rb"(?:path|domain|expires|max-age|samesite|version|comment|priority)=", re.I)
_SCHEMES = frozenset((b"bearer", b"token", b"apikey", b"negotiate"))
_OPTION = re.compile(
    rb"""
      (?:^|[\s'"])--?[A-Za-z][A-Za-z0-9_.-]{0,40}-?\Z           # --db-
    | (?:^|[\s'"])--?\Z                                         # --
    | \bset(?:env|x|-[a-z]+)?[ ](?:-\S+[ ])?[\w.:/@-]{0,80}\Z   # set-secret -q db/
    | (?:^|\s)(?:ENV|export|setenv|setx)[ ][\w-]{0,60}\Z        # export DB_
    """,
    re.VERBOSE,
)
"""Before the end of a key: an option of a command, or a command that sets a value."""
_DIRECTIVE = re.compile(
    rb"^[ \t+>$#-]{0,16}(?:(?:vault|cargo|snyk|ngrok|consul|config|add-|acl|set-|agent-) ?){0,4}[A-Za-z_.-]{0,32}\Z"
)
"""Before the end of a key that is the first word of its line."""
_ASSIGNS = re.compile(rb"\w+=\w|[A-Za-z]+:")
_DATED = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}|v?[0-9]+\.[0-9]+")
_ENDED = re.compile(rb"[ \t]*(?:[\r\n|\x1b]|\xe2\x94|\Z)|[ \t]{2}")
_FIRST_WORD = re.compile(rb"[\s+*>$#|-]{0,48}(?:(?:export|set|setx|setenv|ENV|ARG|set -g?x|setx /M) )?[\w.:/-]{0,64}")
_FILLING = frozenset(b"xX*-_.")
PLAIN_WORDS = frozenset(
    (
        b"true false null none nil undefined yes no on off empty unset default required optional enabled disabled "
        b"invalid missing expired unknown string str bytes text varchar char hidden masked redacted removed filtered "
        b"censored sensitive example placeholder changeme your yours value todo tbd prompt stdin interactive never "
        b"always auto basic bearer digest anonymous localhost plaintext external internal keychain keyring osxkeychain "
        b"libsecret wincred manager development production testing postgres postgresql rabbitmq minioadmin password "
        b"passwords passphrase passwd secret secrets token tokens credential credentials apikey username user admin "
        b"root pass pwd key file wrong correct incorrect failed accepted changed updated"
    ).split()
)
"""Words that stand where a secret could, and are none."""


def is_placeholder(value: bytes) -> bool:
    """Whether a value is a stand-in, a common word, or hardly more than one character repeated."""
    if value.strip(b".:!?-_*").lower() in PLAIN_WORDS or _STANDIN.match(value):
        return True
    kinds = set(value[:256])
    return len(kinds) < 3 or kinds <= _FILLING


def is_path_like(value: bytes) -> bool:
    """Whether a value reads as the place of a file, or an address."""
    if _ADDRESS.match(value):
        return True
    if _PATH.fullmatch(value) is None:
        return False
    # Forty characters of base64 may begin with a slash; so long a name of a folder is rare.
    return not (value[:1] == b"/" and (len(value) == 40 or value[-1:] == b"="))


def _is_other(value: bytes) -> bool:
    """Whether a value is plainly none that is secret: a stand-in, a common word, a path or an address."""
    return is_placeholder(value) or is_path_like(value)


def is_credential(match: re.Match[bytes]) -> bool:
    """For `key = value`: whether the value is worth hiding."""
    key, kind = match["key"], match.lastgroup or "u"
    value = match[kind]
    if len(value) > 256 and value.count(b"=") > 8:
        return False  # Many assignments in a row, not one value.
    if kind == "many":
        return match["sep"].strip(b" \t\"'") in (b":", b"=")
    if is_placeholder(value) or (kind != "u" and _TEMPLATE.search(value)):
        return False
    before = max(0, match.start() - 64), match.start()
    if _QUALIFIED.search(match.string, *before) or (match["sep"] == b":" and _COLONS.search(match.string, *before)):
        return False
    if b"@" in value and _IN_ADDRESS.search(match.string, max(0, match.start() - 96), match.start()):
        return False  # A user name; the address has a shape of its own.
    if match["column"] is not None and not _stands_alone(match, value, kind):
        return False
    if _PASSWORDISH.search(key):
        return _is_password(match, key, value, kind)
    return _is_token(match, value, kind)


def _is_password(match: re.Match[bytes], key: bytes, value: bytes, kind: str) -> bool:
    """Passwords are short and may be words: where they stand decides."""
    if len(value) < 4 or is_path_like(value):
        return False
    is_short = key.lower().endswith(b"pass")
    owned = not is_short or _OWNER.search(match.string, max(0, match.start() - 16), match.start())
    if not owned and (_DIGIT.search(value) is None or len(value) < 6 or _NUMBER.fullmatch(value)):
        return False
    if kind != "u":
        if b" " in value or b"\t" in value:
            return _is_passphrase(match, key, value)
        return _DIGIT.search(value) is not None or not _KEYISH.search(value)
    if _is_code(match, value):
        return False
    assigned = _has_equals_sign(match)
    if is_short:
        assigned = assigned or match.string[match.end() : match.end() + 1] in (b"", b"\r", b"\n")
    if _NUMBER.fullmatch(value):
        return assigned and value.isdigit()
    if match.groupdict().get("told"):
        return len(value) >= 6 and _WORD.fullmatch(value) is None
    if _WORD.fullmatch(value) is None:
        return assigned or len(value) >= 6
    return assigned and not _KEYISH.search(value) and (is_short or _is_alone(match, key))


def _is_passphrase(match: re.Match[bytes], key: bytes, value: bytes) -> bool:
    """Whether several words in quotes are a password, not a sentence about one or a label of a field."""
    if _KEYISH.search(value) or _PROSE.search(value):
        return False
    spaces = value.count(b" ")
    if key.lower() == b"assphrase":
        return spaces > 1
    if _has_equals_sign(match):
        return spaces > 0
    return spaces > 1 and value.islower() and value.isascii()


def _is_token(match: re.Match[bytes], value: bytes, kind: str) -> bool:
    """Tokens are made by machines: long, with digits or in both cases, never prose."""
    least = 10 if kind == "u" and not _has_equals_sign(match) else 8
    if len(value) < least or is_path_like(value) or b" " in value or b"\t" in value:
        return False
    if kind == "u" and _is_code(match, value):
        return False
    if _NUMBER.fullmatch(value):
        return len(value) >= 16 and value.isdigit()
    if _DIGIT.search(value):
        return True
    return kind != "u" and len(value) >= 20 and value.isalpha() and not value.islower() and not value.isupper()


def _has_equals_sign(match: re.Match[bytes]) -> bool:
    """Whether an equals sign, not a colon, stands between key and value."""
    separator = match["sep"]
    return b"=" in separator and b":" not in separator


def _is_code(match: re.Match[bytes], value: bytes) -> bool:
    """Whether an unquoted value is an expression: a call, an index, a dotted name."""
    after = match.string[match.end() : match.end() + 1]
    return after in (b"(", b"[", b"{", b"`") or _DOTTED.fullmatch(value) is not None or _CALL.match(value) is not None


def _is_alone(match: re.Match[bytes], key: bytes) -> bool:
    """Whether a bare word after `=` is no variable: in a query, after a name in capitals, on its own line."""
    if key.isupper():
        return True
    text, start, end = match.string, match.start(), match.end()
    if text[end : end + 1] not in (b"", b"\r", b"\n", b"&", b";", b" ", b"\x1b"):
        return False
    line = text[max(text.rfind(b"\n", max(0, start - 128), start) + 1, start - 128) : start]
    head = line[len(line) - len(line.lstrip(b" \t+-")) :]
    if any(mark in head for mark in (b"?", b"&", b";")):
        return True
    return b" " not in head and b"(" not in head and b" " not in match["sep"] and text[end : end + 1] != b" "


def is_authorization(match: re.Match[bytes]) -> bool:
    """For an `Authorization` header: whether what follows is a credential, not a word about one."""
    value, scheme = match["value"].rstrip(b".:"), match["scheme"]
    qualified = _QUALIFIED.search(match.string, max(0, match.start() - 64), match.start())
    if qualified or len(value) < 6 or is_placeholder(value):
        return False
    if scheme is None:
        is_long = len(value) >= 16 and _DIGIT.search(value) is not None
        return is_long and not value.startswith(b"AWS4-") and not is_path_like(value) and not _DOTTED.fullmatch(value)
    if scheme.lower() == b"basic":
        return len(value) >= 8 and not value.islower()
    if scheme.lower() not in _SCHEMES:
        return len(value) >= 12 and _DIGIT.search(value) is not None and is_machine_made(value)
    return len(value) >= 20 or _WORD.fullmatch(value) is None


def is_url_password(match: re.Match[bytes]) -> bool:
    """For `user:password@` in an address: whether the password is one, and a lone user name a token."""
    value = match["value"]
    if value is None:
        return _DIGIT.search(match[match.lastindex or 0]) is not None
    return not is_placeholder(value) and not _TEMPLATE.search(value)


def is_option_password(match: re.Match[bytes]) -> bool:
    """For `--password value`: whether the value is one, not what a manual calls it."""
    return _DIGIT.search(match[1]) is not None and not _is_other(match[1])


def is_login(match: re.Match[bytes]) -> bool:
    """For `"auth": "…"` in settings of a registry: whether it is a name and a password in base64."""
    from binascii import Error, a2b_base64

    try:
        name, colon, password = a2b_base64(match[1], strict_mode=True).partition(b":")
    except Error:
        return False
    return bool(name and colon and len(password) > 3 and name.isascii())


def is_listed_secret(match: re.Match[bytes]) -> bool:
    """For one string of a list: whether it was made by a machine."""
    value = match[1]
    other = _is_other(value) or b" " in value or _TEMPLATE.search(value) or _NUMBER.fullmatch(value)
    return not other and _DIGIT.search(value) is not None


def is_cookie_value(match: re.Match[bytes]) -> bool:
    """For one pair of a cookie: whether it has a value of its own, and is no attribute."""
    value = match[1]
    if _DIGIT.search(value) is None and (value.islower() or value.isupper()) and len(value) < 24:
        return False
    other = _ATTRIBUTE.match(match[0]) or _TEMPLATE.search(value) or _DOTTED.fullmatch(value)
    return not other and not is_placeholder(value)


def is_signature(match: re.Match[bytes]) -> bool:
    """For `Signature=`: whether a machine made the value."""
    return _DIGIT.search(match[1]) is not None


def is_typed_password(match: re.Match[bytes]) -> bool:
    """For a password that was given to a program: whether it is one, not a variable, a path or a port."""
    value = match[match.lastindex or 0]
    if value.isupper() and _KEYISH.search(value) and _WORD.fullmatch(value):
        return False  # YOUR_PASSWORD, as manuals have it.
    return not (_is_other(value) or _TEMPLATE.search(value) or _NUMBER.fullmatch(value))


def is_registry_password(match: re.Match[bytes]) -> bool:
    """For what follows `login`: whether it is a password; in a file of logins it is."""
    return match.lastindex == 1 or is_typed_password(match)


def is_machine_made_value(match: re.Match[bytes]) -> bool:
    """For a word where a password stands: whether a machine made it."""
    value = match[match.lastindex or 0]
    return is_machine_made(value) and _DIGIT.search(value) is not None and not _is_other(value)


def is_changed_secret(match: re.Match[bytes]) -> bool:
    """For `key = "old" -> "new"`: whether the key is that of a secret."""
    line = match.string[max(0, match.start() - 256) : match.start()]
    return is_machine_made_value(match) and _KEYISH.search(line[line.rfind(b"\n") + 1 :]) is not None


def is_quoted_password(match: re.Match[bytes]) -> bool:
    """For `PASSWORD '…'` in SQL: whether the quoted word is a password, not the name of a column or a field."""
    value = match[match.lastindex or 0]
    return _DIGIT.search(value) is not None and is_typed_password(match) and not _DOTTED.fullmatch(value)


def is_secret_directive(match: re.Match[bytes]) -> bool:
    """For `key value` with nothing but a blank between: whether an option, a command or a line of settings says so."""
    value = match[match.lastindex or 0]
    if value[:1] == b"-" or not is_machine_made(value) or len(set(value)) < 6 or _is_other(value):
        return False
    if _TEMPLATE.search(value) or _NUMBER.fullmatch(value) or _DOTTED.fullmatch(value) or _ASSIGNS.match(value):
        return False
    before = match.string[max(0, match.start() - 64) : match.start()]
    before = before[before.rfind(b"\n") + 1 :]
    if _OPTION.search(before):
        return True
    ends = match.string[match.end() : match.end() + 1] in (b"", b"\r", b"\n")
    return ends and len(value) >= 12 and _DIRECTIVE.search(before) is not None and not value.isdigit()


def _stands_alone(match: re.Match[bytes], value: bytes, kind: str) -> bool:
    """Whether what stands in the column after a key is one word that a machine made."""
    if len(value) < 8 or not is_machine_made(value) or _DIGIT.search(value) is None or len(set(value)) < 6:
        return False
    if _NUMBER.fullmatch(value) or _DATED.match(value):
        return False
    if kind != "u":
        # An argument after another one: only the name of a variable says what it is.
        return match["up"] is not None and b"," in match["column"]
    if _ENDED.match(match.string, match.end()) is None:
        return False
    # Blanks alone separate columns only behind the first word of a line.
    line = match.string[max(0, match.start() - 96) : match.start()]
    return bool(match["column"].strip()) or _FIRST_WORD.fullmatch(line[line.rfind(b"\n") + 1 :]) is not None


def is_lone_password(match: re.Match[bytes]) -> bool:
    """For `password value` alone on its line: whether a machine made the value."""
    return is_machine_made(match[1]) and not _is_other(match[1])


def is_machine_made(value: bytes) -> bool:
    """Whether a text has letters and digits, or both cases in one word, as what a machine made does."""
    if _DIGIT.search(value):
        return re.search(rb"[A-Za-z]", value) is not None
    inner = value[1:]
    return value.isalpha() and len(value) > 3 and not inner.islower() and not inner.isupper()
