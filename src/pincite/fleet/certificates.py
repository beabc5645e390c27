"""Certificates for a cluster of one's own: an authority that only this cluster knows, and one key for its machines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ..core.errors import UsageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate

FILES = ("ca.pem", "cert.pem", "key.pem")
"""What is made: the authority, a certificate and its key."""
_DAYS = 3650
_NAME = "pincite-fleet"


def make_certificates(days: int = _DAYS) -> dict[str, bytes]:
    """The three files of a new cluster by name; the key of the authority is not kept, so no further one can be made."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise UsageError("certificates need an extra: install 'pincite[fleet]'") from None
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = _sign(authority_key, f"{_NAME}-authority", authority_key, None, days)
    certificate = _sign(key, _NAME, authority_key, authority, days)
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return dict(zip(FILES, (authority.public_bytes(pem), certificate.public_bytes(pem), secret), strict=True))


def _sign(
    key: EllipticCurvePrivateKey,
    name: str,
    signer: EllipticCurvePrivateKey,
    authority: Certificate | None,
    days: int,
) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(authority.subject if authority is not None else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Machines whose clocks differ by minutes understand each other.
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=authority is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(_NAME)]), critical=False)
        .sign(signer, hashes.SHA256())
    )
