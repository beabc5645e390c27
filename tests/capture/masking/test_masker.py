"""What is hidden before output is stored, and what is left as it was."""

from __future__ import annotations

import base64
from itertools import pairwise
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.capture import masking
from pincite.capture.masking import KEPT, LONG_LINE, Masker
from pincite.capture.masking.search import Search
from pincite.capture.masking.shapes import LONGEST, PRIVATE_KEY, SHAPES, URL

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


PIECES = [
    *(secret.encode() for _, secret in TOKENS[::3]),
    *(text.replace("«", "").replace("»", "").encode() for _, text in KEYED[::2]),
    *(text.encode() for text in PLAIN[::3]),
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
    text = b"a " + GITHUB.encode() + b" password=hunter2 " + JWT.encode() + b"\n"
    masker = Masker()
    expected = b"a [masked:github-token] password=[masked:password] [masked:jwt]\n"
    for _ in range(3):
        assert masker.feed(noise + b"\n")[0] == noise + b"\n"
        assert masker.feed(noise + text)[0] == noise + expected
        assert masker.feed(text)[0] == expected


def test_a_dense_shape_gets_its_literals_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.capture.masking.search._DENSE_BYTES", 5000)
    search = Search({})
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
    "base64": b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + b"\n",
}


def cost(data: bytes) -> float:
    best = float("inf")
    for _ in range(2):
        masker = Masker()
        start = process_time()
        for at in range(0, len(data), 65536):
            masker.feed(data[at : at + 65536])
        masker.close()
        best = min(best, process_time() - start)
    return best


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_output_costs_what_its_length_says(name: str) -> None:
    piece = HOSTILE[name]
    short = cost(piece * (100_000 // len(piece)))
    assert cost(piece * (800_000 // len(piece))) < 8 * 3 * short + 0.05
