"""The files that put a fleet on machines: what they start exists, and no secret stands in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from pincite.doors.cli.main import pincite

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def list_commands(service: dict[str, Any]) -> list[list[str]]:
    """The words of every pincite command that a service runs."""
    entry, command = service.get("entrypoint"), service.get("command", [])
    if entry is None:
        return [list(command)] if service["image"] == "pincite-fleet" else []
    script = "\n".join([*entry[2:3], *command]) if len(entry) > 2 else "\n".join(command)
    return [shlex.split(found) for found in re.findall(r"\bpincite ((?:store|fleet|serve)[^\n;]*)", script)]


STARTED = [(name, words) for name, service in SERVICES.items() for words in list_commands(service)]


@pytest.mark.parametrize(("name", "words"), STARTED, ids=[" ".join(words[:3]) for _, words in STARTED])
def test_what_a_service_starts_is_a_command_with_these_options(name: str, words: list[str]) -> None:
    command: click.Command = pincite
    rest = [word for word in words if word != "$$@"]
    context = click.Context(command)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest[0])
        assert found is not None, f"{name}: no command {rest[0]}"
        command, rest = found, rest[1:]
        context = click.Context(command, parent=context)
    # Raises for an option that there is not.
    command.make_parser(context).parse_args(rest)
    assert command.name


def test_every_part_of_a_fleet_is_there() -> None:
    assert {"database", "scheduler", "worker", "page"} <= SERVICES.keys()
    assert SERVICES["worker"]["deploy"]["replicas"] == 2
    assert len(STARTED) >= 8


def test_each_service_has_its_own_login_and_no_other_secret() -> None:
    logins = {}
    for name, service in SERVICES.items():
        address = service.get("environment", {}).get("PINCITE_DATABASE")
        if address is not None:
            match = re.fullmatch(r"postgresql://(\w+)@database/pincite", address)
            assert match is not None, "a password has no place in an address"
            logins[name] = match[1]
            given = {secret for secret in service["secrets"] if secret.endswith("_password")}
            assert given == {f"{match[1]}_password"}
    assert logins["page"] == "page" and logins["worker"] == "worker" and logins["migrate"] == "owner"


def test_only_the_page_is_reached_from_outside_and_only_from_this_machine() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "page": ["127.0.0.1:8000:8000"]
    }


def test_services_of_ours_have_no_rights() -> None:
    for name, service in SERVICES.items():
        if name != "database":
            assert service["cap_drop"] == ["ALL"] and service["read_only"] is True, name


def test_what_stays_up_says_whether_it_is_well() -> None:
    lasting = {"database", "worker", "sources", "page"}
    assert {name for name, service in SERVICES.items() if "healthcheck" in service} == lasting


def test_volumes_and_secrets_are_declared() -> None:
    volumes = {
        one.partition(":")[0] for service in SERVICES.values() for one in service.get("volumes", ()) if one[0] != "."
    }
    assert volumes == COMPOSE["volumes"].keys()
    secrets = {one for service in SERVICES.values() for one in service.get("secrets", ())}
    assert secrets == COMPOSE["secrets"].keys()


def test_the_image_is_built_from_files_that_exist() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for name in line.split():
            assert (DEPLOY.parent / name).exists(), name
    assert "USER pincite" in text


def test_the_token_of_the_page_is_readable_for_the_page_alone() -> None:
    """`serve` refuses a token that others may read, and a secret has the mode of the file outside."""
    (script,) = SERVICES["page"]["command"]
    copied = re.search(r"install -m 600 /run/secrets/page_token (\S+)\n", script)
    assert copied is not None and f"--token-file {copied[1]} " in script
