"""Who may talk to a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.cluster import TlsFiles, find_tls_files, is_loopback_host, make_security, require_safe_address

COMPLETE = TlsFiles("ca.pem", "cert.pem", "key.pem")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"])
def test_loopback_needs_no_certificates(address: str) -> None:
    require_safe_address(address, TlsFiles())
    assert make_security(TlsFiles()) is None


@pytest.mark.parametrize(
    "address",
    ["tcp://10.0.0.1:8786", "tcp://example.org:8786", "tcp://0.0.0.0:8786", "tcp://127.0.0.1.example.org:8786"],
)
def test_another_machine_is_refused_without_encryption(address: str) -> None:
    with pytest.raises(UsageError, match="must speak TLS"):
        require_safe_address(address, COMPLETE)


def test_encryption_needs_certificates() -> None:
    with pytest.raises(UsageError, match="needs certificates"):
        require_safe_address("tls://example.org:8786", TlsFiles())
    require_safe_address("tls://example.org:8786", COMPLETE)


@pytest.mark.parametrize("address", ["", "8786", "inproc://x", "ucx://127.0.0.1:1", "tcp://127.0.0.1", "tcp://a b:1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="not the address of a scheduler"):
        require_safe_address(address, COMPLETE)


def test_certificates_come_in_threes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / name for name in ("ca", "cert", "key")]
    with pytest.raises(UsageError, match="three files"):
        find_tls_files(str(paths[0]), None, None)
    with pytest.raises(UsageError, match="no such file"):
        find_tls_files(*map(str, paths))
    for path in paths:
        path.write_text("x")
    assert find_tls_files(*map(str, paths)).are_complete
    for name, path in zip(("CA", "CERT", "KEY"), paths, strict=True):
        monkeypatch.setenv(f"PINCITE_TLS_{name}", str(path))
    assert find_tls_files(None, None, None).authority == str(paths[0])


def test_what_loopback_is() -> None:
    assert [is_loopback_host(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback_host(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.org", "")] == [False] * 5
