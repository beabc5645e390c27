"""What a person signs, in a file of their own: an author, a claim that the words do not show, a claim that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from ...core.errors import Missing, Unreadable, UsageError
from ...core.limits import Limits
from ...text.lines import decode

if TYPE_CHECKING:
    from ...safe.files import Root

_MOST_BYTES = 1024 * 1024
_SOME = Annotated[str, Meta(min_length=1, max_length=10_000)]
_DAY = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class AuthorAttestation(Struct, frozen=True, forbid_unknown_fields=True):
    """A signed statement that a person checked who wrote a page."""

    source_url: _SOME
    author: _SOME
    by: _SOME
    date: _DAY
    note: str = ""


class ClaimAttestation(Struct, frozen=True, forbid_unknown_fields=True):
    """A signed statement that a person read a quote and found that it supports a claim."""

    claim: _SOME
    quote: _SOME
    by: _SOME
    date: _DAY
    note: str = ""


class Attestations(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that was attested in a topic."""

    authors: tuple[AuthorAttestation, ...] = ()
    claims: tuple[ClaimAttestation, ...] = ()
    rejections: tuple[ClaimAttestation, ...] = ()
    """Claims of which a person found that their quote does not support them."""

    def author(self, url: str) -> str:
        """Who vouches for the author of a page, in words; empty without an attestation."""
        found = next((one for one in reversed(self.authors) if one.source_url == url), None)
        return f"{found.author}, attested by {found.by} on {found.date}" if found is not None else ""

    def claim(self, claim: str, quote: str) -> str:
        """Who vouches that a quote supports a claim; empty without an attestation."""
        found = _find_pair(self.claims, claim, quote)
        return f"attested by {found.by} on {found.date}" if found is not None else ""

    def rejection(self, claim: str, quote: str) -> str:
        """Who says that a quote does not support a claim; empty where no person does."""
        found = _find_pair(self.rejections, claim, quote)
        return f"rejected by {found.by} on {found.date}" if found is not None else ""

    def add_author(self, entry: AuthorAttestation) -> Attestations:
        """The same with who wrote a page; what was said of the page before is replaced."""
        others = tuple(one for one in self.authors if one.source_url != entry.source_url)
        return replace(self, authors=(*others, entry))

    def add_claim(self, entry: ClaimAttestation) -> Attestations:
        """The same with a quote that supports a claim; what was said of the two before is replaced."""
        claims, rejections = _leave_out(self.claims, entry), _leave_out(self.rejections, entry)
        return replace(self, claims=(*claims, entry), rejections=rejections)

    def add_rejection(self, entry: ClaimAttestation) -> Attestations:
        """The same with a quote that does not support a claim; what was said of the two before is replaced."""
        claims, rejections = _leave_out(self.claims, entry), _leave_out(self.rejections, entry)
        return replace(self, claims=claims, rejections=(*rejections, entry))


def _find_pair(entries: tuple[ClaimAttestation, ...], claim: str, quote: str) -> ClaimAttestation | None:
    return next((one for one in reversed(entries) if (one.claim, one.quote) == (claim, quote)), None)


def _leave_out(entries: tuple[ClaimAttestation, ...], entry: ClaimAttestation) -> tuple[ClaimAttestation, ...]:
    return tuple(one for one in entries if (one.claim, one.quote) != (entry.claim, entry.quote))


def load_attestations(root: Root, key: str) -> Attestations:
    """The attestations in a file, none where there is no file; raises UsageError naming the place and the remedy."""
    from ...text.yaml import FrontmatterError

    try:
        return convert(read_yaml(decode(root.read(key, _MOST_BYTES))), Attestations)
    except Missing:
        return Attestations()
    except (Unreadable, FrontmatterError) as error:
        raise UsageError(f"{key}: {error}; correct it or remove the file") from None
    except ValidationError as error:
        raise UsageError(f"{key}: {error}; correct it or remove the entry") from None


def read_yaml(text: str) -> object:
    """What strict YAML says, as plain values; an empty file says an empty mapping."""
    from ...project.policy.schema import plain
    from ...text.yaml import load

    return plain(load(text, limits=Limits(frontmatter_bytes=_MOST_BYTES))) if text.strip() else {}


def render_attestations(key: str, attestations: Attestations) -> bytes:
    """The text of the file; raises UsageError for what could not be read back."""
    from .stage_writer import yaml_text

    data = to_builtins(attestations)
    try:
        convert(data, Attestations)
    except ValidationError as error:
        raise UsageError(f"{key}: {error}; nothing was written") from None
    text = yaml_text({name: entries for name, entries in data.items() if entries}).encode()
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{key}: would be larger than {_MOST_BYTES:,} bytes; nothing was written")
    return text


def save_attestations(root: Root, key: str, attestations: Attestations) -> None:
    """Write the file anew, atomically; raises UsageError for what could not be read back."""
    from ...safe.write import put

    put(root, key, render_attestations(key, attestations))


def attest_author(root: Root, key: str, entry: AuthorAttestation) -> None:
    """Add who wrote a page; what was said of the page before is replaced."""
    save_attestations(root, key, load_attestations(root, key).add_author(entry))


def attest_claim(root: Root, key: str, entry: ClaimAttestation) -> None:
    """Add that a quote supports a claim; what was said of the two before is replaced."""
    save_attestations(root, key, load_attestations(root, key).add_claim(entry))


def reject_claim(root: Root, key: str, entry: ClaimAttestation) -> None:
    """Add that a quote does not support a claim; what was said of the two before is replaced."""
    save_attestations(root, key, load_attestations(root, key).add_rejection(entry))
