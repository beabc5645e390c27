"""Passwords that are given to a program in a printed command or statement: after an option, a directive, in SQL."""

from __future__ import annotations

from .credential import CredentialShape, Judge
from .plausibility import (
    is_changed_secret,
    is_machine_made_value,
    is_quoted_password,
    is_secret_directive,
    is_typed_password,
)

# How a word of a command is printed; `name:` before it is shown.
_GIVEN = rb"""(?:'%s([^'\r\n]{3,256}+)'|"%s([^"\r\n]{3,256}+)"|%s([^\s"'<>|;`()]{3,256}+))"""
PASSWORD_GIVEN = _GIVEN.replace(b"%s", b"")
USER_GIVEN = _GIVEN.replace(b"%s", rb"""[^\s:"'/]{1,128}+:""")


def later(program: bytes, option: bytes, given: bytes) -> bytes:
    """After a program in a printed command: an option and what it is given, before the program is named again."""
    # Word by word: letter by letter takes ten times as long.
    found = option + given.replace(b"([", b"(?:[")
    return rb"(?:(?!" + program + rb"|" + found + rb")[^\s|;]{1,256}+[ \t]{1,8}+){0,24}+" + option + given


def _password(
    literals: str, source: bytes, judge: Judge = is_typed_password, lane: int = 7, name: str = "password"
) -> CredentialShape:
    return CredentialShape(name, literals, source, lane, judge=judge)


def _program(names: str, option: bytes, given: bytes = PASSWORD_GIVEN, lane: int = 7) -> CredentialShape:
    """Programs that take a password after one option, whose name says nothing of it."""
    pattern = rb"(?:" + b"|".join(name.encode() for name in names.split()) + rb") "
    literals = " ".join(f"{name}␣" for name in names.split())
    return _password(literals, pattern + later(pattern, option, given), lane=lane)


PROGRAMS = (
    _password(
        "curl␣",
        rb"""curl (?=[-"'$]|http|[\w.-]{1,64}+[:/])"""
        + later(rb"curl ", rb"(?:-[a-zA-Z]{0,8}[uU] {0,3}|--(?:proxy-)?user[= ] {0,3})", USER_GIVEN),
        lane=1,
    ),
    _password(
        "mysql␣ mysqldump␣ mysqladmin␣ ariadb␣",
        rb"(?:mysql(?:dump|admin)?|ariadb) " + later(rb"mysql|ariadb ", rb"""['"]?-p""", PASSWORD_GIVEN),
        lane=0,
    ),
    _password("sshpass␣", rb"sshpass " + later(rb"sshpass ", rb"-p {0,3}", PASSWORD_GIVEN), lane=1),
    _program("redis-cli", rb"(?:-a|--pass)[ =]{1,3}"),
    _program("mongosh mongodump mongorestore cqlsh snowsql twine useradd usermod", rb"(?:-p|--password)[ =]{1,3}"),
    _program("sqlcmd isql ipmitool zip bcp", rb"-P ?"),
    _program("ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete", rb"-w {0,3}"),
    _program("doctl codecov", rb"(?:-t|--access-token)[ =]{1,3}"),
    _program("7z", rb"-p", lane=6),
    _program("openssl", rb"-k {1,3}"),
    _program("snmpget snmpwalk snmpset snmpbulkwalk", rb"-c {1,3}"),
    _password("http␣-", rb"http (?=-)" + later(rb"http ", rb"(?:-a|--auth)[ =]{1,3}", USER_GIVEN)),
    _program("nuget", rb"(?:-k|-ApiKey|setapikey) {1,3}"),
    _program("smbclient", rb"-U {0,3}", _GIVEN.replace(b"%s", rb"""[^\s%"']{1,64}+%""")),
    _program("lftp", rb"-u {0,3}", _GIVEN.replace(b"%s", rb"""[^\s,"']{1,64}+,""")),
    _password("pass:", rb"pass:(?:(?<=-passin pass:)|(?<=-passout pass:))([^\s\"'`;|]{3,256}+)"),
    _password("␣/p:", rb" /p:(?=[^\s]{0,64}[0-9])([^\s\"'`;|]{4,128}+)", is_machine_made_value),
    _password(
        "/user: add_user␣ change_password␣ htpasswd␣",
        # `net use … /user:NAME PASSWORD`, `rabbitmqctl add_user NAME PASSWORD`, `htpasswd -b FILE NAME PASSWORD`
        rb"(?:/user:|add_user |change_password |htpasswd -[a-zA-Z]{0,6}b[a-zA-Z]{0,6} [^\s]{1,128}+ )[^\s]{1,64}+ "
        + PASSWORD_GIVEN,
        is_machine_made_value,
        1,
    ),
    _password(":thin: sqlplus␣", rb"(?::thin:|sqlplus (?:-[A-Za-z]{1,8} )?)[^\s/@\"']{1,64}+/([^\s@/\"']{3,128}+)@"),
    _password("SecureString␣", rb"""SecureString (?:-String )?["']([^"'\r\n]{4,256}+)["']"""),
    _password(
        "DENTIFIED␣ dentified␣",
        rb"""(?i:dentified (?:with [^\s]{1,64}+ )?(?:by|as)(?: password)?) {1,4}"""
        rb"""(?:'([^'\r\n]{3,256}+)'|"([^"\r\n]{3,256}+)"|(?=[^\s]{0,64}[0-9])([^\s"'<>|;`(),]{6,256}+))""",
    ),
    _password(
        "PSK␣\" ASSWORD␣ assword␣ SECRET␣' ASSWORD(' assword(' ASSWORD=N'",
        # `PASSWORD '…'`, `SET PASSWORD FOR 'app'@'%' = '…'`, `OPTIONS (user 'app', password '…')`
        rb"""(?:ASSWORD|assword|SECRET|PSK)(?: (?i:for) [^\s=]{1,128}+ ?= ?(?:ASSWORD)?| ?=N| )?\(? ?"""
        rb"""(?:'([^'\s]{4,256}+)'|"([^"\s]{4,256}+)")""",
        is_quoted_password,
        0,
    ),
    _password(
        "assword)␣",
        rb"(?i:assword\) values) ?\("
        rb"(?:[^\r\n()']{0,64}'[^'\r\n]{0,128}+'){0,15}?[^\r\n()']{0,64}'([^'\r\n]{4,256}+)' ?\)",
    ),
    _password(
        "assword␣ oken␣ hrase␣ pass␣ pw␣ auth␣ -key␣ _key␣ ecret␣ apikey␣ login␣ -string␣ _pass␣ _key_id␣ ASSWORD␣"
        " OKEN␣ ECRET␣ _KEY␣ edkey␣ ed-key␣ AUTH␣",
        # `--storepass …`, `set aws_secret_access_key …`, `requirepass …` on a line of its own
        rb"(?:[Aa]ssword|oken|hrase|pass|pw|auth|key|ecret|login|-string|AUTH|ASSWORD|OKEN|ECRET|KEY|[-_]key|_pass|_KEY|apikey"
        rb"|ed-?key|_key_id)(?: agent)? {1,3}"
        rb"""(?:'(?=[^'\r\n]{0,64}[0-9])([^'\s]{8,512}+)'|"(?=[^"\r\n]{0,64}[0-9])([^"\s]{8,512}+)"|"""
        rb"""(?=[^\s]{0,64}[0-9])([A-Za-z0-9+/_.~!#$%^*@=:&-]{8,512}+))(?=[\s"'`;]|\Z)""",
        is_secret_directive,
        8,
    ),
    _password("assword␣is␣", rb"assword is ['\"`]?(?=[^\s]{0,64}[0-9])([^\s'\"`]{8,128}+)", is_machine_made_value, 9),
    _password(
        "<<<␣ echo␣",
        # What a shell gives a program to read: `<<< …`, `echo … | docker login --password-stdin`
        rb"(?:<<< ['\"]?([^\s'\"]{12,512}+)|echo (?:-n )?['\"]?(?:[\w.-]{1,32}:)?([^\s'\"|]{6,256}+)['\"]? ?\|"
        rb"[^\r\n]{0,160}?(?:-stdin|chpasswd|passphrase-fd))",
        is_machine_made_value,
        name="secret",
    ),
    _password("ASSWORD␣", rb"ASSWORD [a-z_]{2,32} = (?=[^\s]{0,64}[0-9])([^\s]{8,128}+)", is_machine_made_value, 12),
    _password(
        "redentials: redentials=",
        rb"redentials[:=][ \t]{0,3}['\"]?[^\s:\"'/]{1,64}:([^\s\"'/]{6,256}+)",
        is_machine_made_value,
    ),
    _password(
        ".auth(",
        rb"\.auth\(['\"][^'\"\r\n]{1,64}['\"], ?['\"]([^'\"\r\n]{4,256}+)['\"]",
        is_machine_made_value,
    ),
    _password('"␣->␣"', rb"""" -> "([^"\r\n]{4,512}+)\"""", is_changed_secret, name="secret"),
    _password("_auth=", rb"_auth=([A-Za-z0-9+/_-]{12,4096}+={0,2})", is_machine_made_value, name="secret"),
)
"""Where a password stands because of the program it is given to."""
