"""Secrets where tools print them: in columns and tables, as pairs, after options, in SQL, over joined lines."""

from __future__ import annotations

import pytest

from pincite.domains.capture.masking import Masker

SECRET = "aB3dE5gH7jK9mN1pQ2sT4vW6"


def masked(text: str, size: int = 0) -> str:
    raw = f"{text}\nall done\n".encode()
    masker = Masker()
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)] if size else [raw]
    return (b"".join(masker.feed(piece)[0] for piece in pieces) + masker.close()[0]).decode()


HIDDEN = [
    "X-API-KEY: {}",
    "DD-APPLICATION-KEY: {}",
    "Ocp-Apim-Subscription-Key: {}",
    "Authorization: Splunk {}",
    "AWS Secret Access Key [None]: {}",
    "API Key: {}",
    '"api key": "{}"',
    "    - name: API_TOKEN\n      value: {}",
    '{"name": "DB_PASSWORD", "value": "{}"}',
    '  "name": "DB_PASSWORD",\n  "value": "{}"',
    '<add key="ApiKey" value="{}"/>',
    "<key>password</key>\n<string>{}</string>",
    'variable "db_password" {\n  default = "{}"\n}',
    '      ~ password = "old" -> "{}"',
    "Key         Value\n---         -----\npassword    {}",
    "| password | {} |",
    "│ password │ {} │",
    "API_TOKEN\t{}",
    "password ......... {}",
    "ENV DB_PASSWORD {}",
    "define('DB_PASSWORD', '{}');",
    "setx API_TOKEN {}",
    "aws configure set aws_secret_access_key {}",
    "keytool -storepass {} -list",
    "ngrok config add-authtoken {}",
    "requirepass {}",
    "redis-cli -h cache -a {} info",
    "sqlcmd -S db -U sa -P {}",
    "ldapsearch -x -D cn=admin -w {} -b dc=x",
    "openssl rsa -passin pass:{} -in key.pem",
    "smbclient //srv/share -U bob%{}",
    "sqlplus scott/{}@orcl",
    "ConvertTo-SecureString '{}' -AsPlainText -Force",
    "rabbitmqctl add_user bob {}",
    "echo {} | docker login -u bob --password-stdin",
    "curl -s \\\n  -u bob:{} \\\n  https://example.org",
    "CREATE USER 'app'@'%' IDENTIFIED BY '{}';",
    "ALTER USER app WITH PASSWORD '{}';",
    "SET PASSWORD FOR 'app'@'%' = '{}';",
    "INSERT INTO users (name, password) VALUES ('bob', '{}');",
    "Server=db;UID=sa;PWD={};",
    'password: Some("{}")',
    "user: bob\npass: {}",
    "Password is {}",
]


@pytest.mark.parametrize("line", HIDDEN)
def test_a_secret_that_a_tool_prints_is_hidden_however_it_arrives(line: str) -> None:
    text = line.replace("{}", SECRET)
    whole = masked(text)
    assert SECRET not in whole
    assert whole.count("[masked:") == 1
    assert whole.endswith("\nall done\n")
    assert masked(text, 1) == whole
    assert masked(text, 7) == whole


@pytest.mark.parametrize(
    "text",
    [
        "the certificate identified by serial number 12345678",
        '// Example: "1.19.x" -> "1.19.0abc4"',
        'verify(t, "encryption-key", "aes128gcm96", "")',
        "Authorization: AWS4-HMAC-SHA256 SignedHeaders=host;x-amz-date",
        "the token      abcd1234efgh",
        "unexpected token abc123def456",
        "the secret ingredient2000x is love",
        "--password --verbose1",
        "- name: replicas\n  value: abcd1234efgh",
        'variable "region" {\n  default = "eu-west-1abc"\n}',
        "| token | description of it |",
        "password     string    yes",
        "tests_pass: 1234567",
        "zip -P",
        "name: API_TOKEN\nvalueFrom: abcd1234efgh",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked(text) == f"{text}\nall done\n"


def test_a_continued_command_waits_for_its_next_line() -> None:
    masker = Masker()
    assert masker.feed(b"before\ncurl -s \\\n") == (b"before\n", [])
    rest = masker.feed(b"  -u bob:" + SECRET.encode() + b"\n")[0] + masker.close()[0]
    assert rest == b"curl -s \\\n  -u bob:[masked:password]\n"


def test_a_line_that_no_rewriting_changed_is_not_searched_again() -> None:
    """Most lines of a long text have nothing to unescape; the one that has is read as it stands there."""
    filler = "".join(f"line {number} of plain words and nothing more\n" for number in range(400))
    token = "ghp" + "_" + SECRET + "0fL2nR5uI7oX"
    escaped = token.replace("_", "%5F")
    out = masked(f"{filler}see {escaped} there\n{filler}")
    assert escaped not in out
    assert out.count("[masked:github-token]") == 1
