"""Secrets of many kinds, printed in many ways: none of them may reach the store."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from string import ascii_letters, ascii_uppercase, digits
from urllib.parse import quote

from campaign import Attempt
from printed_secrets import PRINTED

from pincite.domains.capture.masking import Masker

# The kinds and the ways to print them are written here by what the services document, not taken from the masker.
# No secret stands here in one piece, so that nobody who scans the sources takes one for real.

ALLOWED = {
    "by other tools": 0.05,
    "split": 0.05,
    "coloured": 0.05,
    "escaped": 0.05,
    "encoded": 0.05,
    "other line": 0.05,
    "other case": 0.05,
}
_WORD = ascii_letters + digits
_HEX = "0123456789abcdef"
_URL = _WORD + "_-"
_BASE = _WORD + "+/"
_UPPER = ascii_uppercase + digits


def _some(random: Random, alphabet: str, size: int) -> str:
    """Characters as a machine makes them: a digit and a letter at the least."""
    while True:
        made = "".join(random.choices(alphabet, k=size))
        if any(char.isdigit() for char in made) and any(char.isalpha() for char in made):
            return made


def _pem(random: Random, label: str, end: str = "\n") -> str:
    body = [_some(random, _BASE, 64) for _ in range(6)] + [_some(random, _BASE, 40) + "=="]
    return end.join(("-" * 5 + "BEGIN " + label + "-" * 5, *body, "-" * 5 + "END " + label + "-" * 5))


def _jwt(random: Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()
    load = json.dumps({"sub": _some(random, digits + "a", 10), "iat": random.randrange(10**9)}).encode()
    return ".".join((head, base64.urlsafe_b64encode(load).rstrip(b"=").decode(), _some(random, _URL, 43)))


_ANYWHERE = (
    "{}",
    "using {} for this run",
    "TOKEN={}",
    'export API_TOKEN="{}"',
    '{{"token": "{}", "ok": true}}',
    "Authorization: Bearer {}",
    "  - name: {}",
    "curl -H 'X-Token: {}' https://example.org/",
    "2026-11-03T10:00:00Z DEBUG client: sent ({}) to 10.0.0.1",
    "https://example.org/hook?x=1&k={}&y=2",
)
"""Lines that a token with a shape of its own may stand in."""

Make = Callable[[Random], str]
_TOKENS: dict[str, Make] = {
    "github": lambda r: "gh" + r.choice("pousr") + "_" + _some(r, _WORD, 36),
    "github fine": lambda r: "github" + "_pat_" + _some(r, _WORD, 22) + "_" + _some(r, _WORD, 59),
    "gitlab": lambda r: "gl" + r.choice(("pat", "rt", "dt", "ptt")) + "-" + _some(r, _URL, 20),
    "aws id": lambda r: r.choice(("AK", "AS")) + "IA" + _some(r, ascii_uppercase + "234567", 16),
    "google key": lambda r: "AI" + "za" + _some(r, _URL, 35),
    "google oauth": lambda r: "ya" + "29." + _some(r, _URL, 120),
    "google client": lambda r: "GOC" + "SPX-" + _some(r, _URL, 28),
    "slack": lambda r: (
        f"xox{r.choice('bpas')}-{r.randrange(10**11, 10**12)}-{r.randrange(10**12, 10**13)}-" + _some(r, _WORD, 24)
    ),
    "slack app": lambda r: f"xap{'p'}-1-A{_some(r, _UPPER, 10)}-{r.randrange(10**12, 10**13)}-" + _some(r, _HEX, 64),
    "stripe": lambda r: r.choice(("sk", "rk")) + r.choice(("_live_", "_test_")) + _some(r, _WORD, r.choice((24, 99))),
    "stripe hook": lambda r: "whs" + "ec_" + _some(r, _WORD, 32),
    "openai": lambda r: "sk" + "-proj-" + _some(r, _URL, 74) + "T3" + "BlbkFJ" + _some(r, _URL, 74),
    "openai old": lambda r: "sk" + "-" + _some(r, _WORD, 20) + "T3" + "BlbkFJ" + _some(r, _WORD, 20),
    "anthropic": lambda r: "sk" + "-ant-api03-" + _some(r, _URL, 93) + "AA",
    "huggingface": lambda r: "h" + "f_" + _some(r, ascii_letters + "3", 34),
    "npm": lambda r: "np" + "m_" + _some(r, _WORD, 36),
    "pypi": lambda r: "py" + "pi-AgE" + "IcHlwaS5vcmc" + _some(r, _URL, 140),
    "docker": lambda r: "dck" + "r_pat_" + _some(r, _URL, 27),
    "digitalocean": lambda r: "do" + r.choice("por") + "_v1_" + _some(r, _HEX, 64),
    "sendgrid": lambda r: "S" + "G." + _some(r, _URL, 22) + "." + _some(r, _URL, 43),
    "twilio": lambda r: "S" + "K" + _some(r, _HEX, 32),
    "shopify": lambda r: "shp" + r.choice(("at", "ca", "pa", "ss")) + "_" + _some(r, _HEX, 32),
    "square": lambda r: "sq" + "0csp-" + _some(r, _URL, 43),
    "databricks": lambda r: "da" + "pi" + _some(r, _HEX, 32),
    "vault": lambda r: "hv" + "s." + _some(r, _URL, 90),
    "jwt": _jwt,
    "age": lambda r: "AGE-" + "SECRET-KEY-1" + _some(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "terraform": lambda r: _some(r, _WORD, 14) + ".atlas" + "v1." + _some(r, _URL, 67),
    "doppler": lambda r: "dp" + ".pt." + _some(r, _WORD, 43),
    "linear": lambda r: "lin" + "_api_" + _some(r, _WORD, 40),
    "notion": lambda r: "nt" + "n_" + f"{r.randrange(10**10, 10**11)}" + _some(r, _WORD, 35),
    "grafana": lambda r: "gl" + "sa_" + _some(r, _WORD, 32) + "_" + _some(r, _HEX, 8),
    "new relic": lambda r: "NR" + "AK-" + _some(r, _UPPER, 27),
    "sentry": lambda r: "sntr" + "yu_" + _some(r, _HEX, 64),
    "pulumi": lambda r: "pu" + "l-" + _some(r, _HEX, 40),
    "atlassian": lambda r: "ATA" + "TT3xFfGF0" + _some(r, _URL, 170) + "=" + _some(r, _UPPER, 8),
    "airtable": lambda r: "pa" + "t" + _some(r, _WORD, 14) + "." + _some(r, _HEX, 64),
    "figma": lambda r: "fig" + "d_" + _some(r, _URL, 40),
    "postman": lambda r: "PM" + "AK-" + _some(r, _HEX, 24) + "-" + _some(r, _HEX, 34),
    "supabase": lambda r: "sb" + "p_" + _some(r, _HEX, 40),
    "planetscale": lambda r: "psc" + "ale_tkn_" + _some(r, _URL, 43),
    "netlify": lambda r: "nf" + "p_" + _some(r, _WORD, 36),
    "telegram": lambda r: f"{r.randrange(10**9, 10**10)}:AA" + _some(r, _URL, 33),
    "mailgun": lambda r: "ke" + "y-" + _some(r, _HEX, 32),
    "mailchimp": lambda r: _some(r, _HEX, 32) + "-us" + str(r.randrange(1, 22)),
    "discord": lambda r: "MT" + _some(r, _WORD, 24) + "." + "G" + _some(r, _WORD, 5) + "." + _some(r, _URL, 38),
}
"""Kinds that are known by their shape."""

_KEYED: dict[str, tuple[Make, tuple[str, ...]]] = {
    "aws secret": (
        lambda r: _some(r, _BASE, 40),
        ("aws_secret_access_key = {}", "AWS_SECRET_ACCESS_KEY={}", '    "SecretAccessKey": "{}",', "secret_key: '{}'"),
    ),
    "aws session": (
        lambda r: "IQoJb3JpZ2luX2VjE" + _some(r, _BASE, 200) + "==",
        ("AWS_SESSION_TOKEN={}", "aws_session_token = {}", '"SessionToken": "{}",'),
    ),
    "azure storage": (
        lambda r: _some(r, _BASE, 86) + "==",
        ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=y", "AZURE_STORAGE_KEY={}"),
    ),
    "azure sas": (
        lambda r: _some(r, _WORD, 43) + "%3D",
        ("https://x.example/c?sv=2022-11-02&sp=rl&sig={}", "https://x.example/c?sig={}&se=2030"),
    ),
    "azure client": (
        lambda r: _some(r, _WORD, 3) + "8Q~" + _some(r, _URL, 34),
        ("AZURE_CLIENT_SECRET={}", '"clientSecret": "{}",', "client_secret: {}"),
    ),
    "datadog": (
        lambda r: _some(r, _HEX, 32),
        ("DD_API_KEY={}", "dd-api-key: {}", '"api_key": "{}"', "datadog_api_key = '{}'"),
    ),
    "heroku": (
        lambda r: "-".join(_some(r, _HEX, n) for n in (8, 4, 4, 4, 12)),
        ("HEROKU_API_KEY={}", "heroku_api_key: {}", '"api_key": "{}"'),
    ),
    "twilio auth": (lambda r: _some(r, _HEX, 32), ("TWILIO_AUTH_TOKEN={}", "auth_token: {}", '"authToken": "{}"')),
    "cloudflare": (lambda r: _some(r, _URL, 40), ("CLOUDFLARE_API_TOKEN={}", "X-Auth-Key: {}", 'cf_api_token = "{}"')),
    "fastly": (lambda r: _some(r, _URL, 32), ("Fastly-Key: {}", "FASTLY_API_TOKEN={}", "FASTLY_API_KEY={}")),
    "circleci": (lambda r: _some(r, _HEX, 40), ("Circle-Token: {}", "CIRCLE_TOKEN={}", "CIRCLECI_TOKEN: {}")),
    "slack hook": (
        lambda r: "T" + _some(r, _UPPER, 8) + "/B" + _some(r, _UPPER, 10) + "/" + _some(r, _WORD, 24),
        ("https://hooks.slack.com/services/{}", "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/{}"),
    ),
    "discord hook": (
        lambda r: _some(r, _URL, 68),
        (
            "https://discord.com/api/webhooks/112233445566778899/{}",
            "https://discordapp.com/api/webhooks/11223344556677/{}",
        ),
    ),
    "basic": (
        lambda r: base64.b64encode(f"deploy:{_some(r, _WORD, 14)}".encode()).decode(),
        ("Authorization: Basic {}", "> authorization: basic {}", "-H 'Authorization: Basic {}'"),
    ),
    "bearer": (
        lambda r: _some(r, _URL, 43),
        ("Authorization: Bearer {}", '"Authorization": "Bearer {}"', "Proxy-Authorization: Bearer {}"),
    ),
    "address": (
        lambda r: _some(r, _WORD, 14),
        (
            "postgres://app:{}@db.example:5432/x",
            "mongodb+srv://u:{}@c.example/x?w=1",
            "https://bob:{}@example.org/r.git",
        ),
    ),
    "settings": (
        lambda r: _some(r, _WORD + "!#", 14),
        ("Server=db;User Id=app;Password={};Encrypt=true", "host=db user=app password={} dbname=x", "Uid=app;Pwd={};"),
    ),
    "netrc": (lambda r: _some(r, _WORD, 14), ("machine example.org login bob password {}", "  password {}")),
    "pgpass": (lambda r: _some(r, _WORD, 14), ("db.example.org:5432:app:bob:{}", "localhost:5432:*:bob:{}")),
    "password": (
        lambda r: _some(r, _WORD + "!#", 12),
        (
            "password={}",
            "DB_PASSWORD={}",
            "password: {}",
            '"password": "{}",',
            "'passwd': '{}'",
            "<password>{}</password>",
            "--password={}",
            "+ mysql -u root -p{} app",
            'set password = "{}"',
            "passphrase: '{}'",
        ),
    ),
    "assigned": (
        lambda r: _some(r, _WORD, 32),
        (
            "api_key={}",
            "apiKey: '{}'",
            "X-Api-Key: {}",
            "secret: {}",
            'client_secret = "{}"',
            "access_token={}&x=1",
            "encryption_key: {}",
            "SIGNING_KEY={}",
            '"refresh_token":"{}"',
            "private_key = {}",
        ),
    ),
}
"""Kinds that are known by what stands before them."""

_BLOCKS = {
    "pem": ("RSA PRIVATE" + " KEY", "PRIVATE" + " KEY", "EC PRIVATE" + " KEY"),
    "openssh": ("OPENSSH PRIVATE" + " KEY",),
    "pgp": ("PGP PRIVATE" + " KEY BLOCK",),
}


def _cuts(random: Random, size: int, number: int) -> list[int]:
    return sorted(random.sample(range(1, size), min(number, size - 1)))


def _apart(text: str, cuts: list[int], between: str | Callable[[], str]) -> str:
    edges = [0, *cuts, len(text)]
    parts = [text[a:b] for a, b in pairwise(edges)]
    out = parts[0]
    for part in parts[1:]:
        out += (between if isinstance(between, str) else between()) + part
    return out


def _colour(random: Random) -> str:
    return random.choice(
        (
            "\x1b[0m",
            "\x1b[1;31m",
            "\x1b[38;5;12m",
            "\x1b[38;2;1;2;3m",
            "\x1b[K",
            "\x1b[m",
            "\x1b(B\x1b[m",
            "\x1b[0;1;4m",
        )
    )


Way = Callable[[Random, str], str]
_SECRET_WAYS: dict[str, dict[str, Way]] = {
    "split": {
        "two lines": lambda r, s: _apart(s, _cuts(r, len(s), 1), "\n"),
        "two lines, crlf": lambda r, s: _apart(s, _cuts(r, len(s), 1), "\r\n"),
        "half": lambda r, s: _apart(s, [len(s) // 2], "\n"),
        "three lines": lambda r, s: _apart(s, [len(s) // 3, 2 * len(s) // 3], "\n"),
        "fold": lambda r, s: _apart(s, list(range(w := r.choice((10, 16, 20)), len(s), w)), "\n"),
        "continued": lambda r, s: _apart(s, [len(s) // 2], "\\\n"),
        "indented": lambda r, s: _apart(s, [len(s) // 2], "\n" + " " * r.randrange(1, 9)),
        "soft break": lambda r, s: _apart(s, [len(s) // 2], "=\n"),
        "returned": lambda r, s: _apart(s, [len(s) // 2], r.choice((" \r", "\r"))),
        "added strings": lambda r, s: _apart(s, [len(s) // 2], r.choice(('" + "', "' + '", '" "', '""', "''"))),
        "strings on lines": lambda r, s: _apart(s, [len(s) // 2], r.choice(('" +\n  "', '"\n  "', "'\n    '"))),
    },
    "coloured": {
        "one code": lambda r, s: _apart(s, _cuts(r, len(s), 1), _colour(r)),
        "three codes": lambda r, s: _apart(s, _cuts(r, len(s), 3), lambda: _colour(r)),
        "every character": lambda r, s: _apart(s, list(range(1, len(s))), _colour(r)),
        "around": lambda r, s: _colour(r) + s + "\x1b[0m",
        "after the head": lambda r, s: s[:4] + _colour(r) + s[4:],
        "link": lambda r, s: "\x1b]8;;https://example.org\x1b\\" + s[:9] + "\x1b]8;;\x1b\\" + s[9:],
        "backspaced": lambda r, s: _apart(s, _cuts(r, len(s), 2), "x\b"),
        "bold by overprinting": lambda r, s: "".join(f"{c}\b{c}" for c in s),
        "nul bytes": lambda r, s: "".join(f"{c}\0" for c in s),
        "wrapped and coloured": lambda r, s: _apart(s, [len(s) // 2], _colour(r) + "\r\n" + _colour(r)),
        "no-width space": lambda r, s: _apart(s, _cuts(r, len(s), 2), "\u200b"),
    },
    "escaped": {
        "percent, all": lambda r, s: "".join(f"%{b:02X}" for b in s.encode()),
        "percent, some": lambda r, s: "".join(f"%{ord(c):02x}" if r.random() < 0.3 else c for c in s),
        "percent": lambda r, s: quote(s, safe=""),
        "percent twice": lambda r, s: quote("".join(f"%{ord(c):02X}" if r.random() < 0.3 else c for c in s), safe=""),
        "json": lambda r, s: json.dumps(s)[1:-1].replace("/", "\\/"),
        "json in json": lambda r, s: json.dumps(json.dumps(s)),
        "unicode escapes": lambda r, s: "".join(f"\\u{ord(c):04x}" for c in s),
        "some unicode escapes": lambda r, s: "".join(f"\\u{ord(c):04X}" if r.random() < 0.3 else c for c in s),
        "hex escapes": lambda r, s: "".join(f"\\x{ord(c):02x}" if r.random() < 0.3 else c for c in s),
        "octal escapes": lambda r, s: "".join(f"\\{ord(c):03o}" if r.random() < 0.3 else c for c in s),
        "entities": lambda r, s: "".join(f"&#{ord(c)};" if r.random() < 0.3 else c for c in html.escape(s)),
        "hex entities": lambda r, s: "".join(f"&#x{ord(c):X};" for c in s),
        "shell quotes": lambda r, s: _apart(s, _cuts(r, len(s), 2), r.choice(("''", '""', "'\"\"'"))),
        "shell backslash": lambda r, s: _apart(
            s, [c for c in _cuts(r, len(s), 2) if s[c] not in "abfnrtvux01234567eUNc"], "\\"
        ),
    },
    "encoded": {
        "base64": lambda r, s: base64.b64encode(s.encode()).decode(),
        "base64, unpadded": lambda r, s: base64.b64encode(s.encode()).decode().rstrip("="),
        "base64url": lambda r, s: base64.urlsafe_b64encode(s.encode()).decode(),
        "base64 of a login": lambda r, s: base64.b64encode(f"{'user'[: r.randrange(1, 5)]}:{s}".encode()).decode(),
        "base64 with line end": lambda r, s: base64.b64encode(f"{s}\n".encode()).decode(),
        "hex": lambda r, s: s.encode().hex(),
        "hex, upper": lambda r, s: s.encode().hex().upper(),
    },
    "other case": {"upper": lambda r, s: s.upper(), "lower": lambda r, s: s.lower()},
    "other line": {},
}
"""Ways to write the secret itself."""

_LINE_WAYS: dict[str, dict[str, Way]] = {
    "escaped": {
        "line in json": lambda r, s: json.dumps({"message": s, "level": "info"}),
        "line in json in json": lambda r, s: json.dumps({"log": json.dumps({"message": s})}),
        "line in an address": lambda r, s: "GET /log?line=" + quote(s, safe="") + "&x=1",
        "line in a page": lambda r, s: "<p>" + html.escape(s) + "</p>",
        "line in python": lambda r, s: repr(s.encode()),
    },
    "encoded": {
        "line in base64": lambda r, s: base64.b64encode(s.encode()).decode(),
        "line in hex": lambda r, s: s.encode().hex(),
    },
    "coloured": {
        "line in colours": lambda r, s: re.sub(r"(\w+)", lambda m: _colour(r) + m[1] + "\x1b[0m", s),
        "wide characters": lambda r, s: "".join(f"{c}\0" for c in s),
    },
    "split": {},
    "other line": {
        "next line": lambda r, s: re.sub(r"([:=])\s*(?=[\"']?\S{10,}$)", r"\1\n  ", s, count=1),
        "block": lambda r, s: re.sub(r":\s+[\"']?(?=\S{10,}$)", ": |\n    ", s, count=1).rstrip("\"',"),
    },
}
"""Ways to write the whole line."""


def _survivors(stored: str, written: str, secret: str) -> str:
    """A piece of the secret, as it was written, that is still there; empty where there is none."""
    squeezed = _squeezed(stored)
    for form in {_squeezed(written), secret}:
        size = min(12 if len(form) < 80 else 16, max(8, len(form) * 2 // 3))
        for at in range(max(1, len(form) - size + 1)):
            if form[at : at + size] in squeezed:
                return form[at : at + size]
    return ""


_NOISE = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b(?:\[[0-9;:?]*[@-~]|\(.)|.\x08|[\s\x00\u200b\"'\\+]|=\n")


def _squeezed(text: str) -> str:
    return _NOISE.sub("", text)


def _stored(random: Random, text: str, environment: dict[str, str]) -> str:
    """What the store gets of a stream, written in pieces of any size."""
    raw = text.encode("utf-8", "surrogateescape")
    masker = Masker(environment)
    out, at = b"", 0
    while at < len(raw):
        size = random.choice((1, 7, 16, 40, 64, 4096))
        out += masker.feed(raw[at : at + size])[0]
        at += size
    return (out + masker.close()[0]).decode("utf-8", "surrogateescape")


def _attempt(random: Random, kind: str, name: str, text: str, written: str, secret: str, **environment: str) -> Attempt:
    around = random.choice(("", "collected 12 items\n", "step 3 of 7: done in 0.4 s\n\n"))
    stored = _stored(random, f"{around}{text}\nall done, 12 passed\n", environment)
    left = _survivors(stored, written, secret)
    kept = stored.endswith("all done, 12 passed\n")
    return Attempt(kind, name, not left and kept, f"{text!r} is stored as {stored!r}" if left or not kept else "")


def _body(secret: str) -> str:
    """The part that nobody else knows: heads of tokens are public."""
    return secret[min(12, len(secret) // 3) :]


def _of_kind(random: Random, name: str, make: Make, contexts: tuple[str, ...], times: int) -> Iterator[Attempt]:
    for context in contexts:
        secret = make(random)
        yield _attempt(random, "as printed", f"{name} {context}", context.format(secret), _body(secret), _body(secret))
    for kind, ways in _SECRET_WAYS.items():
        for way, write in ways.items():
            for _ in range(times):
                context, secret = random.choice(contexts), make(random)
                written = write(random, secret)
                shown = written[len(written) // 3 :] if kind != "encoded" else written
                yield _attempt(random, kind, f"{name} {way}", context.format(written), shown, _body(secret))
    for kind, ways in _LINE_WAYS.items():
        for way, write in ways.items():
            for _ in range(times):
                context, secret = random.choice(contexts), make(random)
                text = write(random, context.format(secret))
                yield _attempt(random, kind, f"{name} {way}", text, _body(secret), _body(secret))


def _block_ways(random: Random, name: str, label: str) -> Iterator[Attempt]:
    ways: dict[str, Way] = {
        "lines": lambda r, s: s,
        "crlf": lambda r, s: s.replace("\n", "\r\n"),
        "indented": lambda r, s: "key: |\n" + "".join(f"    {line}\n" for line in s.split("\n")),
        "prefixed": lambda r, s: "".join(f"web_1  | {line}\n" for line in s.split("\n")),
        "json": lambda r, s: json.dumps({"private_key": s}),
        "json in json": lambda r, s: json.dumps(json.dumps({"private_key": s})),
        "environment": lambda r, s: "DEPLOY_KEY=" + s.replace("\n", "\\n"),
        "coloured": lambda r, s: "".join(f"\x1b[33m{line}\x1b[0m\n" for line in s.split("\n")),
        "base64": lambda r, s: base64.b64encode(s.encode()).decode(),
        "percent": lambda r, s: "key=" + quote(s, safe=""),
    }
    for way, write in ways.items():
        pem = _pem(random, label)
        body = pem.split("\n")[3]
        kind = "as printed" if way in ("lines", "crlf", "indented", "json", "environment") else "escaped"
        yield _attempt(random, kind, f"{name} {way}", write(random, pem), body, body)


_VARIABLES = ("GITHUB_TOKEN", "DB_PASSWORD", "APP_SECRET", "SERVICE_API_KEY", "DEPLOY_PASSPHRASE", "MY_PRIVATE_KEY")


def _environment(random: Random, times: int) -> Iterator[Attempt]:
    """Values of variables with telling names, in lines that say nothing of secrets."""
    alphabets = (_WORD, _URL, _BASE, _WORD + "!#%&()*,:;<=>?@[]^{|}~", _HEX)
    lines = ("{}", "value {} was used", "(x={})", "got {}, going on")
    for kind, ways in _SECRET_WAYS.items():
        for way, write in ways.items():
            for _ in range(times):
                name, value = (
                    random.choice(_VARIABLES),
                    _some(random, random.choice(alphabets), random.randrange(14, 40)),
                )
                written = write(random, value)
                text = random.choice(lines).format(written)
                yield _attempt(random, kind, f"variable {way}", text, written, value, **{name: value})
    for line in lines:
        for name in _VARIABLES:
            value = _some(random, random.choice(alphabets), random.randrange(10, 40))
            yield _attempt(random, "as printed", f"variable {line}", line.format(value), value, value, **{name: value})


def _by_tools(random: Random, brief: bool) -> Iterator[Attempt]:
    """Every line that a tool prints, with two kinds of secrets."""
    for tool, lines in PRINTED.items():
        for line in lines:
            for alphabet, size in ((_WORD, 24), (_HEX, 32))[: 1 if brief else 2]:
                secret = _some(random, alphabet, size)
                name = f"{tool} {line.splitlines()[0][:40]} of {size}"
                yield _attempt(
                    random, "by other tools", name, line.format(*[secret] * line.count("{}")), secret, secret
                )


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every kind in every way."""
    times = 1 if brief else 3
    for name, make in random.sample([*_TOKENS.items()], 16) if brief else _TOKENS.items():
        yield from _of_kind(random, name, make, _ANYWHERE, times)
    for name, (make, contexts) in _KEYED.items():
        yield from _of_kind(random, name, make, contexts, times)
    for name, labels in _BLOCKS.items():
        for label in labels:
            yield from _block_ways(random, name, label)
    yield from _environment(random, 4 if brief else 16)
    yield from _by_tools(random, brief)
