"""Certificates of a cluster: both sides know each other, and no one else."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import pytest

from pincite.fleet.certificates import FILES, make_certificates
from pincite.safe.private_files import create_private_files


def contexts(folder: Path, other: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server of one cluster and a client of another."""
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=folder / "ca.pem")
    server.verify_mode = ssl.CERT_REQUIRED
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    client = ssl.create_default_context(cafile=other / "ca.pem")
    client.check_hostname = False
    client.load_cert_chain(other / "cert.pem", other / "key.pem")
    return server, client


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """A handshake in memory; raises ssl.SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [server.wrap_bio(to_server, to_client, server_side=True), client.wrap_bio(to_client, to_server)]
    done: set[int] = set()
    for _ in range(10):
        for at, end in enumerate(ends):
            try:
                end.do_handshake()
                done.add(at)
            except ssl.SSLWantReadError:
                continue
    ends[1].write(b"x")
    assert ends[0].read(1) == b"x" and done == {0, 1}


def test_machines_of_one_cluster_trust_each_other(tmp_path: Path) -> None:
    assert create_private_files(str(tmp_path / "a"), make_certificates()) == ""
    shake_hands(*contexts(tmp_path / "a", tmp_path / "a"))


def test_machines_of_two_clusters_do_not(tmp_path: Path) -> None:
    for name in ("a", "b"):
        create_private_files(str(tmp_path / name), make_certificates())
    with pytest.raises(ssl.SSLError):
        shake_hands(*contexts(tmp_path / "a", tmp_path / "b"))


def test_the_files_are_this_users_alone_and_replace_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    create_private_files(str(folder), make_certificates())
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == dict.fromkeys(FILES, 0o600)
    before = (folder / "ca.pem").read_bytes()
    os.unlink(folder / "key.pem")
    assert create_private_files(str(folder), make_certificates()) == str(folder / "ca.pem")
    assert (folder / "ca.pem").read_bytes() == before and not (folder / "key.pem").exists()
