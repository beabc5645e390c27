"""Addresses of stores: what is one, and that no secret of one is ever shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pincite.core.errors import UsageError
from pincite.store.shared import default_address
from pincite.store.shared.backend import StoreAddress, clean_text, hide_secrets, parse_address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://ada:hunter22@db.example/pincite", "postgresql://ada@db.example/pincite"),
        ("postgres://ada@db.example:5433/pincite", "postgresql://ada@db.example:5433/pincite"),
        ("postgresql:///pincite", "postgresql:///pincite"),
        ("postgresql:///pincite?host=/run/postgresql", "postgresql:///pincite?host=/run/postgresql"),
        ("postgresql:///?service=team", "postgresql:///?service=team"),
        ("postgresql://h1:1,h2:2/x?target_session_attrs=any", "postgresql://h1:1,h2:2/x"),
        ("postgresql://[::1]:5432/x", "postgresql://[::1]:5432/x"),
        ("postgresql://h/x?user=ada&password=hunter22&sslpassword=hunter23", "postgresql://h/x?user=ada"),
        ("postgresql://ada:p%40s%2Fs@h/x", "postgresql://ada@h/x"),
        ("sqlite:///data/fleet.db", "sqlite:///data/fleet.db"),
        ("sqlite:////data/fleet.db", "sqlite:///data/fleet.db"),
        ("sqlite:///data/with%20space.db", "sqlite:///data/with space.db"),
    ],
)
def test_an_address_is_shown_without_secrets(text: str, shown: str) -> None:
    address = parse_address(text)
    assert address.shown == shown
    assert shown in repr(address)
    assert not any(secret in repr(address) for secret in ("hunter22", "hunter23", "p%40", "p@s"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x\0y",
        "mysql://ada:hunter22@h/x",
        "postgresql://h",
        "postgresql://ada:hunter22@h",
        "postgresql://ada:hunter22@h/",
        "postgresql://ada:hunter22@h:0/x",
        "postgresql://ada:hunter22@h:99999/x",
        "postgresql://ada:hunter22@h:port/x",
        "postgresql://ada:hunt@er22@h/x",
        "postgresql://ada:hunt/er22@h/x",
        "postgresql://ada:12/hunter22@h/x",
        "postgresql://ada:hunter22%ZZ@h/x",
        "postgresql://ada:hunter 22@h/x",
        "postgresql://ada:hunter22\n@h/x",
        "postgresql:ada:hunter22@h/x",
        "ada:hunter22@h",
        "ada:hunter22@h/x",
        "host=h dbname=x password=hunter22",
        "host=/run/x dbname=x password=hunter22",
        "sqlite://relative.db",
        "sqlite:///a.db?mode=ro",
        "sqlite:///a%00.db",
    ],
)
def test_what_is_no_address_is_refused_without_its_secret(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_address(text)
    assert "hunt" not in str(error.value) and "er22" not in str(error.value)


def test_a_path_is_a_file_of_sqlite(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert parse_address("fleet.db") == StoreAddress("sqlite", f"{tmp_path}/fleet.db")


def test_the_default_is_the_variable_then_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_DATABASE", "postgresql://h/x")
    assert default_address().shown == "postgresql://h/x"
    assert default_address("sqlite:///y").shown == "sqlite:///y"
    monkeypatch.delenv("PINCITE_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_address().target == "/data/pincite/fleet.db"


PASSWORDS = some.text(some.characters(min_codepoint=33, max_codepoint=126, exclude_characters="@/:?%&#"), min_size=4)


@given(PASSWORDS)
def test_no_message_has_the_password_of_its_address(password: str) -> None:
    address = parse_address(f"postgresql://ada:{password}@host/name")
    said = address.hide(f'could not translate "{password}" in {address.target}; password={password}')
    # A short word may be part of the sentence itself.
    assert password not in said or password in 'could not translate "" in postgresql://ada:***@host/name; password=***'


def test_secrets_of_other_addresses_are_hidden() -> None:
    said = hide_secrets("tried postgresql://u:one@h/x, password='two words' and PASSWORD = three")
    assert said == "tried postgresql://u:***@h/x, password=*** and PASSWORD = ***"


def test_two_long_texts_that_begin_alike_stay_two() -> None:
    one, other = (clean_text("x" * 2_000 + end) for end in "ab")
    assert one != other and len(one) == len(other) == 1_000
    assert clean_text("a\0b") == "a\\0b"
