"""What is hidden before output is stored, and what is left as it was."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.domains.capture import masking
from pincite.domains.capture.masking import KEPT, LONG_LINE, Masker
from pincite.domains.capture.masking.credential_kinds import LONGEST, PRIVATE_KEY, SHAPES, URL, CredentialShape
from pincite.domains.capture.masking.search import SecretSearch

# Put together from pieces, so that nothing here looks like a credential to whoever scans the sources.
BODY = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zC0fL2nR5uI7o"
GITHUB = "ghp" + "_" + BODY[:36]
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJ" + "zdWIiOiIxMjM0In0" + "." + BODY
BEGIN, END = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"

SECRETS = {
    "github-token": [
        *("gh" + kind + "_" + BODY[:36] for kind in "pousr"),
        "github" + "_pat_" + BODY[:22] + "_" + BODY + BODY[:19],
    ],
    "gitlab-token": ["gl" + "pat-" + BODY[:20], "gl" + "rt-" + BODY[:20], "gl" + "pat-" + BODY[:27] + ".01.0a1b2c3d4"],
    "aws-key": ["AK" + "IA" + "Q2ZX" * 4, "AS" + "IA" + "Q2ZX" * 4],
    "google-key": ["AI" + "za" + BODY[:35], "GOC" + "SPX-" + BODY[:28]],
    "google-token": ["ya" + "29." + BODY],
    "api-key": [
        "sk" + "-" + BODY + BODY[:8],
        "sk" + "-ant-" + "api03-" + BODY + BODY,
        "sk" + "-proj-" + BODY + "_" + BODY,
    ],
    "slack-token": [*("xox" + kind + "-1234567890-" + BODY[:24] for kind in "abposr"), "xap" + "p-1-A0-1-" + BODY[:30]],
    "stripe-key": [
        *(kind + mode + BODY[:24] for kind in ("sk", "rk") for mode in ("_live_", "_test_")),
        "whs" + "ec_" + BODY[:32],
    ],
    "npm-token": ["np" + "m_" + BODY[:36]],
    "pypi-token": ["py" + "pi-AgE" + "IcHlwaS5vcmc" + BODY + BODY],
    "digitalocean-token": ["do" + "p_v1_" + "ab12" * 16],
    "docker-token": ["dck" + "r_pat_" + BODY[:27]],
    "shopify-token": ["shp" + "at_" + "ab12" * 8],
    "grafana-token": ["gl" + "sa_" + BODY[:32] + "_" + "ab12cd34"],
    "vault-token": ["hv" + "s." + BODY],
    "age-key": ["AGE-" + "SECRET-KEY-1" + "Q2" * 29],
    "huggingface-token": ["h" + "f_" + BODY[:34]],
    "sendgrid-key": ["S" + "G." + BODY[:22] + "." + BODY + "abc"],
    "twilio-key": ["S" + "K" + "ab12" * 8],
    "jwt": [JWT],
}
TOKENS = [(name, secret) for name, secrets in SECRETS.items() for secret in secrets]

# Each with its secret between « and ».
KEYED = [
    ("slack-webhook", "https://hooks.slack.com/services/«T000/B000/" + BODY[:24] + "»"),
    ("secret", "aws_secret_access_key = «" + BODY + "»"),
    ("secret", "AWS_SECRET_ACCESS_KEY=«" + BODY + "»"),
    ("secret", "AccountName=x;AccountKey=«" + BODY + BODY + "==»;EndpointSuffix=y"),
    ("secret", "SharedAccessKey=«" + BODY + "abc=»"),
    ("azure-signature", "https://x.example/y?sv=1&sig=«" + BODY + "%3D»&se=2"),
    ("authorization", "Authorization: Basic «dXNlcjpwYXNzd29yZA==»"),
    ("authorization", "authorization: Bearer «" + BODY + "»"),
    ("authorization", "> Authorization: token «" + BODY + "»"),
    ("authorization", '"Authorization": "Bearer «abc.def.ghi»"'),
    ("password", "postgres://bob:«hunter2»@db/x"),
    ("password", "https://«" + BODY + "»@github.com/x"),
    ("password", "https://x-access-token:«" + BODY + "»@github.com/x"),
    ("password", "amqp://u:«p@ss»@host:5672"),
    ("password", "password=«hunter2»"),
    ("password", "password: «hunter2»"),
    ("password", "Password=«Swordfish»;Uid=x"),
    ("password", '"password": "«swordfish»", "x": 1'),
    ("password", "'password': '«abc123»'"),
    ("password", '{\\"password\\":\\"«abc123»\\"}'),
    ("password", "DB_PASSWORD=«a&b;c,d!»"),
    ("password", "export PGPASSWORD=«swordfish»"),
    ("password", "spring.datasource.password=«swordfish»"),
    ("password", "?user=a&password=«swordfish»&x=1"),
    ("password", "<password>«hunter2»</password>"),
    ("password", "[password] => «hunter2»"),
    ("password", 'passphrase: "«correct horse battery staple»"'),
    ("password", "User(name=bob, password=«hunter2»)"),
    ("password", "Server=x;Pwd=«hunter2»;"),
    ("secret", "api_key=«abcd1234efgh»"),
    ("secret", "X-Api-Key: «abcd1234efgh»"),
    ("secret", "apiKey: '«abcd1234efgh»'"),
    ("secret", 'client_secret = "«abcd1234efgh»"'),
    ("secret", "access_token=«abcd1234»&x=y"),
    ("secret", '{"refreshToken":"«abcd1234»"}'),
    ("secret", "SECRET_KEY_BASE=«abcd1234efgh»"),
]

PLAIN = [
    *(
        "token: 5 tokens left",
        "Password: ",
        "password:",
        "secret=None",
        "${PASSWORD}",
        "password=<redacted>",
        "token=****",
    ),
    *(
        "password=****",
        "token=$TOKEN",
        "password=${PASSWORD}",
        "token: ${{ secrets.TOKEN }}",
        "secret=%s",
        "token=xxxxxxxx",
    ),
    *(
        'password: "{password}"',
        "password=password,",
        "secret=self.secret",
        'token=os.environ["X"]',
        "token: Optional[str]",
    ),
    *("password=get_password()", "token: str", "max_token: 4096", "tests/test_passwd:12", "passwd: files systemd"),
    *(
        '"password": "Enter your password"',
        'type="password" name="x"',
        "token: InvalidContinuationToken,",
        "broken=abcd1234",
    ),
    *("password: /run/secrets/db", "private_key: keys/id.pem", "arn:aws:secretsmanager:x:1:secret:abcd1234efgh"),
    *(
        '"AWS::IAM::AccessKey": "62d91b17309e76c8"',
        "password: required",
        "token=[masked:secret]",
        "secrets.token_hex(16)",
    ),
    *(
        "d41d8cd98f00b204e9800998ecf8427e",
        "commit 0ae3e0a1b2c3d4e5f60718293a4b5c6d7e8f9012",
        "if password == expected:",
    ),
    *(
        "123e4567-e89b-12d3-a456-426614174000",
        "git@github.com:a/b.git",
        "https://example.org/a:b@c",
        "http://user@host/",
    ),
    *("http://localhost:8080/x?y=z", "Authorization: Bearer token", "Authorization: required", "npm_config_registry=x"),
    *(
        "task-12 disk-3 sk-fading-circle",
        "SKIPPED",
        "MSG.x.y",
        "eyJ.a.b",
        "-----BEGIN CERTIFICATE-----",
        "hf_hub_download",
    ),
    *(
        "https://user:password@host/",
        "https://user:$PASS@host/",
        "[masked:github-token]",
        "gh" + "p_tooshort",
        "AKIA",
        "sig=abc",
    ),
]


def masked(text: str, environment: dict[str, str] | None = None) -> str:
    masker = Masker(environment or {})
    first, _ = masker.feed(text.encode())
    return (first + masker.close()[0]).decode()


def fed(masker: Masker, *pieces: bytes) -> bytes:
    """What comes out; each offset must point at a mask, and no mask go uncounted."""
    out = b""
    total = 0
    for data, offsets in [*(masker.feed(piece) for piece in pieces), masker.close()]:
        assert offsets == sorted(set(offsets))
        assert all(data.startswith(b"[masked:", offset) for offset in offsets)
        total += len(offsets)
        out += data
    assert masker.count == total
    return out


@pytest.mark.parametrize(("name", "secret"), TOKENS)
def test_tokens_are_hidden(name: str, secret: str) -> None:
    hidden = f"[masked:{name}]"
    for before, after in (
        ("", ""),
        ("x ", " y"),
        ('"', '"'),
        ("=", "&"),
        ("\x1b[32m", "\x1b[0m"),
        ("\\n", "\\n"),
        ("%20", "%20"),
    ):
        assert masked(f"{before}{secret}{after}\n") == f"{before}{hidden}{after}\n"


@pytest.mark.parametrize(("name", "secret"), TOKENS)
def test_a_token_that_is_cut_short_is_none(name: str, secret: str) -> None:
    assert masked(secret[:12] + "\n") == secret[:12] + "\n"


@pytest.mark.parametrize(("name", "text"), KEYED)
def test_only_the_secret_part_is_hidden(name: str, text: str) -> None:
    before, _, rest = text.partition("«")
    secret, _, after = rest.partition("»")
    assert secret
    assert masked(f"{before}{secret}{after}\n") == f"{before}[masked:{name}]{after}\n"


LOGIN = base64.b64encode(f"admin:{BODY[:12]}".encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        f'{{"auths": {{"registry": {{"auth": "«{LOGIN}»"}}}}}}',
        f"machine example.org login me password «{BODY[:12]}»",
        f"+ deploy --password «{BODY[:12]}» --verbose",
        f"+ deploy --token '«{BODY[:12]}»'",
    ],
)
def test_logins_are_hidden(text: str) -> None:
    head, _, rest = text.partition("«")
    assert masked(text.replace("«", "").replace("»", "")) == f"{head}[masked:password]{rest.partition('»')[2]}"


@pytest.mark.parametrize(
    "text",
    [
        '{"auth": "authenticated"}',
        "a login name and password follow",
        "  --password PASSWORD  the password",
        "  --token <token1>  or --token $TOKEN1",
        "--password --verbose1",
    ],
)
def test_words_about_logins_stay(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked(f"  {text}\n{text}") == f"  {text}\n{text}"


def test_a_key_is_hidden_line_by_line() -> None:
    body = [BODY + BODY[:24]] * 3 + [BODY[:11] + "="]
    for prefix in ("", "    ", "+", "web_1  | ", "2026-11-03 12:00:00 "):
        text = "".join(
            f"{prefix}{line}\n" for line in (BEGIN, "Proc-Type: 4,ENCRYPTED", "", *body, END, "abcdefghijklmnop")
        )
        lines = masked(text).split("\n")
        mask = prefix + "[masked:private-key]"
        assert lines == [
            *(prefix + line for line in (BEGIN, "Proc-Type: 4,ENCRYPTED", "")),
            *[mask] * 4,
            *text.split("\n")[7:],
        ]


@pytest.mark.parametrize("kind", ["", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP "])
def test_every_kind_of_private_key(kind: str) -> None:
    block = " BLOCK" if kind == "PGP " else ""
    text = f"-----BEGIN {kind}PRIVATE KEY{block}-----\r\n{BODY}\r\n-----END {kind}PRIVATE KEY{block}-----\r\n"
    assert masked(text) == text.replace(BODY, "[masked:private-key]")


def test_a_key_in_one_line() -> None:
    text = f'"private_key": "{BEGIN}\\n{BODY}\\n{BODY}=\\n{END}\\n"\n'
    assert BODY not in masked(text)
    assert masked(text).startswith(f'"private_key": "{BEGIN}\\n[masked:private-key]')


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "])
def test_a_key_in_base64(kind: str) -> None:
    key = f"{BEGIN.replace('RSA ', kind)}\n{BODY}\n{BODY}\n{END.replace('RSA ', kind)}\n"
    text = f"    client-key-data: {base64.b64encode(key.encode()).decode()}\n"
    assert masked(text) == "    client-key-data: [masked:private-key]\n"


def test_a_certificate_in_base64_stays() -> None:
    certificate = f"-----BEGIN CERTIFICATE-----\n{BODY}\n{BODY}\n-----END CERTIFICATE-----\n"
    text = f"    client-certificate-data: {base64.b64encode(certificate.encode()).decode()}\n"
    assert masked(text) == text


def test_a_key_is_followed_from_feed_to_feed() -> None:
    text = f"{BEGIN}\n{BODY}\n{BODY}\n{END}\nafter\n".encode()
    whole = masked(text.decode()).encode()
    assert whole.count(b"[masked:private-key]") == 2
    for cut in range(len(text)):
        assert fed(Masker(), text[:cut], text[cut:]) == whole
    assert fed(Masker(), *(bytes((byte,)) for byte in text)) == whole


def test_a_key_that_never_ends_stops_hiding() -> None:
    lines = masked(f"{BEGIN}\n" + f"{BODY}\n" * 405).splitlines()
    assert lines[1:401] == ["[masked:private-key]"] * 400
    assert lines[401:] == [BODY] * 5
    assert masked(f"{BEGIN}\n{BODY}\nhello world\n{BODY}\n").splitlines()[2:] == ["hello world", BODY]


ENVIRONMENT = {"GITHUB_TOKEN": "zq/top+secret val9", "DATABASE_URL": "postgres://u:p%40ssw0rd1@h/x"}


@pytest.mark.parametrize(
    "form",
    [
        "zq/top+secret val9",
        quote("zq/top+secret val9", safe=""),
        quote("zq/top+secret val9", safe="").lower(),
        base64.b64encode(b"zq/top+secret val9").decode(),
        base64.b64encode(b"zq/top+secret val9\n").decode(),
    ],
)
def test_values_of_secret_variables_are_hidden(form: str) -> None:
    assert masked(f"a {form} b\n", ENVIRONMENT) == "a [masked:env:GITHUB_TOKEN] b\n"
    assert masked(f"x{form}", ENVIRONMENT) == "x[masked:env:GITHUB_TOKEN]"


def test_a_value_in_base64_after_something_else() -> None:
    for user in ("a:", "ab:", "abc:"):
        out = masked(base64.b64encode(f"{user}zq/top+secret val9".encode()).decode(), ENVIRONMENT)
        before, _, after = out.partition("[masked:env:GITHUB_TOKEN]")
        assert len(before) <= 7
        assert len(after) <= 4


def test_passwords_in_addresses_are_known_elsewhere() -> None:
    assert masked("p%40ssw0rd1 p@ssw0rd1 postgres u\n", ENVIRONMENT) == (
        "[masked:env:DATABASE_URL] [masked:env:DATABASE_URL] postgres u\n"
    )


def test_lines_of_a_value_and_values_that_overlap() -> None:
    lines = {"MY_SECRET": "-----BEGIN X-----\nabcdefghijklmnopqrst\nshort\n"}
    assert masked("x abcdefghijklmnopqrst short -----BEGIN X-----\n", lines) == (
        "x [masked:env:MY_SECRET] short -----BEGIN X-----\n"
    )
    both = {"A_TOKEN": "abcdefgh1234", "B_TOKEN": "1234ijklmnop"}
    assert masked("<abcdefgh1234ijklmnop>", both) == "<[masked:env:A_TOKEN]>"
    many = {f"T{number}_TOKEN": f"v4lue-{number:04}-{BODY}" for number in range(100)}
    assert masked(f"v4lue-0077-{BODY}", many) == "[masked:env:T77_TOKEN]"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MY_TOKEN", "short"),
        ("MY_TOKEN", "disabled"),
        ("MY_SECRET", "1234567"),
        ("MY_SECRET", "xxxxxxxxxxxx"),
        ("API_KEY_FILE", "abcdefgh1234"),
        ("DB_PASSWORD", "/run/secrets/db"),
        ("DB_PASSWORD", "~/keys/main.key"),
        ("POSTGRES_PASSWORD", "postgres"),
        ("TOKENIZERS_PARALLELISM", "abcdefgh1234"),
        ("PATH", "/usr/bin:/bin:/x"),
        ("OLDPWD", "abcdefgh1234"),
        ("HOMEPAGE", "https://example.org/abcdefgh"),
    ],
)
def test_variables_that_hold_no_secret(name: str, value: str) -> None:
    assert masked(f"a {value} b\n", {name: value}) == f"a {value} b\n"


@pytest.mark.parametrize(
    "name",
    "TOKEN GH_TOKEN client_secret DB_PASSWORD PASSWD KEY_PASSPHRASE API_KEY apikey MY_APIKEY SSH_PRIVATE_KEY"
    " AWS_ACCESS_KEY CREDENTIALS MY_PAT DB_PWD githubToken".split(),
)
def test_names_that_look_secret(name: str) -> None:
    assert masked("a value-12345 b\n", {name: "value-12345"}) == f"a [masked:env:{name}] b\n"


def test_words_of_a_command() -> None:
    masker = Masker({"X_TOKEN": "value-12345"})
    assert masker.words(["curl", "-u", "bob:hunter2", "-H", f"Authorization: Bearer {BODY}", "https://a:bcd@x/"]) == (
        *("curl", "-u", "bob:[masked:password]", "-H", "Authorization: Bearer [masked:authorization]"),
        "https://a:[masked:password]@x/",
    )
    assert masker.words(["x", "--password", "hunter2", "--token=abc", "--api-key", "k1", "value-12345", GITHUB]) == (
        *("x", "--password", "[masked:password]", "--token=[masked:password]", "--api-key", "[masked:password]"),
        *("[masked:env:X_TOKEN]", "[masked:github-token]"),
    )
    assert masker.words(["sshpass", "-p", "hunter2", "ssh", "-p", "2222", "h"])[2:6] == (
        "[masked:password]",
        "ssh",
        "-p",
        "2222",
    )
    assert masker.words(["mysql", "-phunter2", "-p", "db"]) == ("mysql", "-p[masked:password]", "-p", "db")
    plain = [
        "x",
        "--password-stdin",
        "foo",
        "--private-key",
        "~/.ssh/id",
        "--secret",
        "id=x,src=y",
        "--token",
        "$TOKEN",
        "-p",
        "80",
    ]
    assert masker.words(plain) == tuple(plain)
    assert masker.words(["--password", "\udcff\udcfe\udcfdx"]) == ("--password", "[masked:password]")
    assert masker.words(["\udcff", ""]) == ("\udcff", "")
    assert masker.count == 0


ESC = "\x1b"
JQ = f'{ESC}[34;1m"password"{ESC}[0m{ESC}[1;39m:{ESC}[0m {ESC}[0;32m"«hunter2»"{ESC}[0m'

PAINTED = [
    ("password", f"password: {ESC}[1m«hunter2»{ESC}[0m"),
    ("password", f"{ESC}[34mpassword{ESC}[0m: {ESC}[32m«hunter2»{ESC}[0m"),
    ("password", JQ),
    ("secret", f"{ESC}[01;31m{ESC}[Ktoken{ESC}[m{ESC}[K=«{BODY}»"),
    ("aws-key", f"{ESC}[01;31m{ESC}[K«" + "AK" + "IA" + "Q2ZX" * 4 + f"»{ESC}[m{ESC}[K"),
    ("api-key", f"{ESC}(B{ESC}[m«" + "sk" + f"-{BODY}»{ESC}(B"),
    ("jwt", f"{ESC}(B«{JWT}»{ESC}[0m"),
]
TYPED = [
    "+ curl -u me:«hunter2» https://x.example",
    "+ curl -sSu 'me:«hunter 2»' https://x.example",
    "+ curl 'https://x.example?a=1&b=2' --user me:«swordfish»",
    "++ curl --user=me:«swordfish» x",
    "+ mysql -uroot -p«hunter2» db",
    "+ mysqldump -u root '-p«hunter2»' db",
    "+ docker login -u me -p «hunter2» registry.example",
    "+ docker login -u me -p«swordfish» registry.example",
    "$ podman login -p '«hunter 2»' registry.example",
    "+ sshpass -p «hunter2» ssh host",
]
HEADERS = [
    ("cookie", "Cookie: theme=dark; sessionid=«abcdef0123456789»"),
    (
        "cookie",
        "< set-cookie: sid=«s%3Aabcdef.0123456789»; Path=/account/settings; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
    ),
    ("cookie", '"Cookie": "sid=«abcdef0123456789»"'),
    ("cookie", "{'Set-Cookie': 'sid=«abcdef0123456789»; Path=/'}"),
    ("signature", "https://x.example/y?X-Amz-Expires=3600&X-Amz-Signature=«" + "ab12" * 16 + "»&z=1"),
    ("signature", "AWS4-HMAC-SHA256 SignedHeaders=host, Signature=«" + "ab12" * 16 + "»"),
    ("secret", "https://x.example/y?X-Amz-Security-Token=«IQoJb3JpZ2luX2VjEJr%2F%2F»&z=1"),
]
PRINTED = [
    ("password", 'db_password      = "«hunter2»"'),
    ("secret", 'auth_token            = "«abcd1234efgh»"'),
    ("password", '{"db_password":{"value":"«hunter2»"}}'),
    ("password", '{"db_password":{"sensitive":true,"type":"string","value":"«hunter2»"}}'),
    ("password", "ansible_become_pass: «hunter2»"),
    ("password", "ansible_become_pass: «swordfish»"),
    ("password", "db_pass=«swordfish»"),
    ("password", "SMTP_PASS=«swordfish»"),
    ("password", '"db_pass": "«hunter2»"'),
    ("password", "some_pass=«Xy7kk2p»"),
    ("password", "db_pwd: «hunter2»"),
    ("password", '"pwd": "«hunter2»"'),
    ("password", "Your password is: «Xy7$kk2p»"),
    ("password", "A temporary password is generated for root@localhost: «gT3k#1aa»"),
    ("password", "Password: «Xy7kk2p»"),
    ("password", '"new_password1": "«abc123»"'),
    ("password", 'password="«correct horse battery»"'),
    ("password", "password='«correct horse»'"),
    ("password", '"password": "«correct horse battery»"'),
    ("password", '"password":\n    "«hunter2»",'),
    ("password", '"password":\r\n\t"«hunter2»",\r'),
    ("password", "password: >-\n  «hunter2»\nhunter2"),
    (
        "password",
        '"db_password": {\n  "sensitive": true,\n  "type": "string",\n  "value": "«hunter2»"\n},\n"value": "x1"',
    ),
]


@pytest.mark.parametrize(("name", "text"), [*PAINTED, *HEADERS, *PRINTED, *(("password", text) for text in TYPED)])
def test_where_programs_print_secrets(name: str, text: str) -> None:
    before, _, rest = text.partition("«")
    secret, _, after = rest.partition("»")
    assert masked(f"{before}{secret}{after}\n") == f"{before}[masked:{name}]{after}\n"


def test_every_value_of_a_list_and_a_cookie_is_hidden() -> None:
    mask = '"[masked:secret]"'
    assert masked('"api_keys": ["abcd1234efgh", "ijkl5678mnop", "name"]') == f'"api_keys": [{mask}, {mask}, "name"]'
    lines = '"api_keys": [\n  "abcd1234efgh",\n  "ijkl5678mnop"\n],\n"commit": "abcd1234efgh"\n'
    assert masked(lines) == f'"api_keys": [\n  {mask},\n  {mask}\n],\n"commit": "abcd1234efgh"\n'
    assert masked("Cookie: a=0123456789ab; b=xyz; c=ba9876543210\n") == (
        "Cookie: a=[masked:cookie]; b=xyz; c=[masked:cookie]\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "+ curl -u me:$PASSWORD x",
        "curl -u admin:YOUR_API_TOKEN x",
        "+ curl -o out:1234567 x",
        "+ docker run -u 1000:1000 --name mysql -p 3306:3306 x",
        "+ docker run --name mysql -p3306:3306 x",
        "login with -p 8080:8080a or -p abc12345",
        "curl is here; sort -u a:b1234567",
        "Set-Cookie: oreo=doublestuff; Path=/somewhere/1234; Domain=a1.example.org; Max-Age=123456789012",
        "cookie: string1234567890",
        "Cookie: sid=$SESSION_ID_1; b=<session-id-1>",
        "signature=deadbeef1234",
        "tests_pass: 1234567",
        "render_pass=shadow",
        'SETTING_PASS="BOTH"',
        "first_pass: 12s",
        "password is required: see above1",
        "Failed password for root from 10.0.0.1 port 22 ssh2",
        '"password": "Neues Kennwort"',
        '"password": "must have at least 8 characters"',
        'password="Enter it here"',
        "Password:\nhunter2 logged in",
        '"password":\n  {"a": "bcde1234"}',
        "password: |\nrequired",
        '"tokens": ["hello1234", "world5678"]',
        '"password": {\n  "minimum": "12345678"\n}\n"value": "abcd1234"',
        "the token      abcd1234efgh",
    ],
)
def test_what_only_looks_printed_by_such_programs_stays(text: str) -> None:
    assert masked(f"{text}\n") == f"{text}\n"


OPENINGS = [
    b'"password":',
    b'"db_password": {',
    b'"api_keys": [',
    b"password: |",
    b'"abcd1234efgh",',
    b'"value": "h4nter"',
]


@given(st.lists(st.sampled_from([*OPENINGS, b"", b"x1y2z3w4", b"}", b" " * 65 + b'"abcd1234efgh"']), max_size=12))
@settings(max_examples=150, deadline=None)
def test_keys_awaiting_values_do_not_depend_on_how_lines_arrive(lines: list[bytes]) -> None:
    whole = fed(Masker(), b"".join(line + b"\n" for line in lines))
    assert fed(Masker(), *(line + b"\n" for line in lines)) == whole


@pytest.mark.parametrize("text", [text for _, text in PRINTED if "\n" in text])
def test_a_key_is_remembered_from_feed_to_feed(text: str) -> None:
    raw = text.replace("«", "").replace("»", "").encode() + b"\n"
    whole = fed(Masker(), raw)
    assert whole.count(b"[masked:password]") == 1
    for cut in range(len(raw)):
        assert fed(Masker(), raw[:cut], raw[cut:]) == whole
    assert fed(Masker(), *(bytes((byte,)) for byte in raw)) == whole


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.literals[0].decode())
def test_a_literal_alone_is_no_secret(shape: CredentialShape) -> None:
    for literal in shape.literals:
        assert masked(f"{literal.decode()}\n{literal.decode()}") == f"{literal.decode()}\n{literal.decode()}"
        shape.match(literal, 0)
    if shape.part is not None:
        assert re.compile(shape.part[0]).groups == 1


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("NPM_AUTH", "dXNlcjpodW50ZXIy", "dXNlcjpodW50ZXIy"),
        ("HTTP_AUTH", "bob:hunter22", "hunter22"),
        ("SESSION_COOKIE", "abcdef0123456789", "abcdef0123456789"),
        ("MYSQL_DSN", "bob:hunter22@tcp(db:3306)/x", "hunter22"),
        ("PG_DSN", "host=db user=bob password=hunter22 dbname=x", "hunter22"),
        ("SENTRY_DSN", "https://0123456789abcdef0123456789abcdef@sentry.example/1", "0123456789abcdef0123456789abcdef"),
        ("DB_PASSWORD", "hunt3", "hunt3"),
        ("APP_SECRET", "a#b!c", "a#b!c"),
        ("MY_TOKEN", "qWeRtY", "qWeRtY"),
        ("MY_SECRET", "first line\nab12cd34\nlast", "ab12cd34"),
    ],
)
def test_parts_of_variables_and_short_ones(name: str, value: str, secret: str) -> None:
    assert masked(f"a {secret} b\n", {name: value}) == f"a [masked:env:{name}] b\n"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("GIT_AUTH", "kerberos", "kerberos"),
        ("SSH_AUTH_SOCK", "/tmp/ssh-1234/agent.1", "/tmp/ssh-1234/agent.1"),
        ("MYSQL_DSN", "bob:hunter22@tcp(db:3306)/x", "bob tcp(db:3306)"),
        ("DB_PASSWORD", "hunt3", "hunt3r or xhunt3"),
        ("DB_PASSWORD", "admin", "admin"),
        ("DB_PASSWORD", "Local", "Local"),
        ("DB_PASSWORD", "12345", "12345"),
        ("DB_PASSWORD", "a1b2", "a1b2"),
        ("API_KEY", "ab12c", "ab12c"),
        ("MY_SECRET", "first line\nhas spaces 1\nlast", "last line"),
    ],
)
def test_parts_of_variables_that_stay(name: str, value: str, text: str) -> None:
    assert masked(f"a {text} b\n", {name: value}) == f"a {text} b\n"


def test_options_of_programs_that_take_a_password() -> None:
    mask = "[masked:password]"
    masker = Masker()
    for command in (
        "curl -sSu me:« x",
        "curl -ume:«",
        "curl --user=me:« x",
        "/usr/bin/curl --proxy-user me:« x",
        "docker login -u me -p « host",
        "sudo docker login -p« host",
        "helm registry login -p « host",
        "docker exec db mysql -p« x",
    ):
        assert masker.words(command.replace("«", "hunter2").split()) == tuple(command.replace("«", mask).split())
    for command in (
        "docker run -p 8080:80 -u 1000:1000 x",
        "docker run --name mysql -p3306:3306 x",
        "mysqldump -p database1 table",
        "oc -p project1 get pods",
        "login -p hunter2",
        "curl -XPUT http://a",
        "curl --user-agent me:hunter2",
    ):
        assert masker.words(command.split()) == tuple(command.split())
    assert masker.words(["sh", "-c", "curl -u me:hunter2 x"]) == ("sh", "-c", f"curl -u me:{mask} x")


PIECES = [
    *(secret.encode() for _, secret in TOKENS[::3]),
    *(text.replace("«", "").replace("»", "").encode() for _, text in KEYED[::2]),
    *(text.encode() for text in PLAIN[::3]),
    *(text.replace("«", "").replace("»", "").encode() for _, text in [*PAINTED, *HEADERS, *PRINTED][::3]),
    *(b'"password":\n', b'"db_password": {\n', b'"api_keys": [\n', b'"abcd1234efgh",\n', b'"value": "hunter2"\n'),
    *(
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\x1b[1m",
        b"\xff\xfe",
        b"\x00",
        "é".encode(),
        BEGIN.encode(),
        BODY.encode(),
        END.encode(),
    ),
    b"zq/top+secret val9",
]
OUTPUT = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=24).map(b"".join)


def test_a_key_after_one_whose_value_did_not_follow_hides_its_own() -> None:
    output = b'"password":\nghp_aB3dE5gH7jK9mN1pQ2sT4vW6xY8zC0fL2nR5"password":\n    "hunter2",'
    masker = Masker()
    arrived = [masker.feed(output[:12])[0], masker.feed(output[12:])[0], masker.close()[0]]
    assert b"".join(arrived) == b'"password":\n[masked:github-token]"password":\n    "[masked:password]",'


def test_a_key_on_the_line_of_an_awaited_value_hides_its_own() -> None:
    output = b'"password":\n    "hunter2","password":\n    "hunter3"\n'
    wanted = b'"password":\n    "[masked:password]","password":\n    "[masked:password]"\n'
    assert fed(Masker(), output) == fed(Masker(), output[:12], output[12:]) == wanted


@pytest.mark.parametrize("unseen", [b"\x07", b"\x0e", b"\x0f"])
def test_a_token_with_a_character_that_no_screen_shows_is_hidden(unseen: bytes) -> None:
    token = b"ghp_aB3dE5gH7jK9mN1pQ2sT4vW6xY8zC0fL2nR5"
    assert fed(Masker(), token[:12] + unseen + token[12:] + b"\n") == b"[masked:github-token]\n"


@given(OUTPUT, st.lists(st.integers(0, 2000), max_size=6))
@settings(max_examples=150, deadline=None)
def test_how_output_arrives_makes_no_difference(output: bytes, cuts: list[int]) -> None:
    whole = fed(Masker(ENVIRONMENT), output)
    edges = sorted({0, len(output), *(cut for cut in cuts if cut < len(output))})
    pieces = [output[start:end] for start, end in pairwise(edges)]
    assert fed(Masker(ENVIRONMENT), *pieces) == whole
    assert whole.count(b"\n") == output.count(b"\n")


@given(st.sampled_from([secret for _, secret in TOKENS]), st.data())
@settings(max_examples=100, deadline=None)
def test_a_secret_split_anywhere_is_hidden(secret: str, data: st.DataObject) -> None:
    text = f"before {secret} after\n".encode()
    cut = data.draw(st.integers(0, len(text)))
    assert fed(Masker(), text[:cut], text[cut:]) == fed(Masker(), text)
    assert secret.encode() not in fed(Masker(), text[:cut], text[cut:])


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None)
def test_bytes_without_secrets_are_untouched(output: bytes) -> None:
    masker = Masker()
    out = fed(masker, output)
    assert out == output or masker.count


@given(OUTPUT)
@settings(max_examples=100, deadline=None)
def test_what_was_masked_is_left_alone(output: bytes) -> None:
    assert b"zq/top+secret val9" not in fed(Masker(ENVIRONMENT), output)


def test_a_feed_gives_whole_lines_only() -> None:
    masker = Masker()
    assert masker.feed(b"") == (b"", [])
    assert masker.feed(b"ab") == (b"", [])
    assert masker.feed(b"c\nd") == (b"abc\n", [])
    assert masker.close() == (b"d", [])
    assert masker.close() == (b"", [])


@pytest.mark.parametrize("shift", [0, 1, 2, 3, 20, 40])
@pytest.mark.parametrize("filler", ["x", "x ", "é", "\u20ac"])
def test_a_long_line_is_let_go_in_pieces(filler: str, shift: int) -> None:
    raw = filler.encode()
    size = LONG_LINE + 1
    head = (raw * size)[: size - KEPT - shift - (size - KEPT - shift) % len(raw)]
    secret = b" " + GITHUB.encode() + b" password=hunter2 "
    line = head + secret + raw * (2 * LONG_LINE // len(raw))
    masker = Masker()
    pieces = [line[at : at + 65536] for at in range(0, len(line), 65536)]
    fed_pieces = [masker.feed(piece)[0] for piece in pieces]
    assert max(map(len, fed_pieces)) <= LONG_LINE + 65536
    for piece in fed_pieces:
        piece.decode()
    rest = masker.close()[0]
    assert b"".join(fed_pieces) + rest == line.replace(secret, b" [masked:github-token] password=[masked:password] ")
    assert masker.count == 2


def test_every_place_of_a_secret_in_a_long_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "LONG_LINE", 900)
    monkeypatch.setattr(masking, "KEPT", 300)
    secret = b" " + GITHUB.encode() + b" Authorization: Bearer " + BODY.encode() + b" "
    for place in range(0, 1300, 3):
        line = b"x" * place + secret + b"y" * 2500
        out = fed(Masker(), *(line[at : at + 100] for at in range(0, len(line), 100)), b"\nz")
        expected = secret.replace(GITHUB.encode(), b"[masked:github-token]").replace(
            BODY.encode(), b"[masked:authorization]"
        )
        assert out == b"x" * place + expected + b"y" * 2500 + b"\nz"


def test_an_endless_key_body_is_hidden_in_pieces() -> None:
    line = b"A" * (LONG_LINE * 2)
    masker = Masker()
    pieces = [masker.feed(BEGIN.encode() + b"\n")[0], masker.feed(line)[0], masker.close()[0]]
    assert b"A" * 50 not in b"".join(pieces)


def test_nothing_is_longer_than_what_waits() -> None:
    assert LONGEST < KEPT < LONG_LINE
    longest = Masker()
    token = JWT.replace(BODY, "b" * 8192)
    assert fed(longest, f"x {token} y\n".encode()) == b"x [masked:jwt] y\n"


def test_no_literal_hides_another() -> None:
    """Literals are found leftmost and apart: where two overlap, the second would go unseen."""
    for shape in (PRIVATE_KEY, *SHAPES, URL):
        assert len(shape.literals) == len(set(shape.literals))
        for other in (PRIVATE_KEY, *SHAPES):
            if other is shape or other.lane != shape.lane:
                continue
            for first in shape.literals:
                for second in other.literals:
                    assert second not in first
                    assert not any(first.endswith(second[:size]) for size in range(2, len(second)))


def test_literals_that_are_everywhere_change_nothing() -> None:
    noise = b"ghp_token=eyJ sk-x " * 4000
    text = b"a " + GITHUB.encode() + b" password=hunter2 " + JWT.encode() + b" z\n"
    masker = Masker()
    expected = b"a [masked:github-token] password=[masked:password] [masked:jwt] z\n"
    for _ in range(3):
        assert masker.feed(noise + b"\n")[0] == noise + b"\n"
        assert masker.feed(noise + text)[0] == noise + expected
        assert masker.feed(text)[0] == expected


def test_a_dense_shape_gets_its_literals_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.domains.capture.masking.search._DENSE_BYTES", 5000)
    search = SecretSearch({})
    full = [len(lane._owners) for lane in search._lanes]
    search.find(b"ghp_" * 1000)
    assert [len(lane._owners) for lane in search._lanes] < full
    for _ in range(3):
        search.find(b"x" * 5000)
    assert [len(lane._owners) for lane in search._lanes] == full


HOSTILE = {
    "assignments": b"token=",
    "quoted assignments": b'password="',
    "mixed quotes": b"password='a password=\"b ",
    "prefixes": b"ghp_",
    "token heads": b"eyJ",
    "token parts": b"eyJaaaaaaaa.",
    "keys": b"TOKEN=a,TOKEN=b,",
    "begins": BEGIN.encode(),
    "begin lines": BEGIN.encode() + b"\n",
    "addresses": b"://a:",
    "addresses with names": b"://a:b@",
    "at signs": b"@",
    "headers": b"authorization: ",
    "one letter": b"A",
    "spaces": b" ",
    "line ends": b"\n",
    "backslashes": b'password=\\"\\',
    "mixed": b"ghp_eyJtoken=sk-AKIAhf_SG.SKaxox password:",
    "open keys": b"token=\n",
    "open objects": b'"password": {\n',
    "open lists": b'"api_keys": [\n "a",\n',
    "objects": b'"password": {"a": ',
    "wide gaps": b"password" + b" " * 40,
    "painted gaps": b"password\x1b[1m\x1b[1m",
    "commands": b"curl -u ",
    "other commands": b"mysql login -x sshpass ",
    "cookies": b"Cookie: a=",
    "lists": b'api_key: ["abcd1234", ',
    "base64": b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + b"\n",
}


def mask(data: bytes) -> None:
    masker = Masker()
    for at in range(0, len(data), 65536):
        masker.feed(data[at : at + 65536])
    masker.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_output_costs_what_its_length_says(name: str, in_proportion: Callable[..., bool]) -> None:
    piece = HOSTILE[name]
    assert in_proportion(mask, piece * (100_000 // len(piece)), piece * (800_000 // len(piece)), 8)
