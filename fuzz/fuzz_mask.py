"""Output of any kind, in any pieces: masked the same way, with as many lines, and no planted secret in it."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.domains.capture.masking import Masker

PLANTED = "zq/top+secret val9"
ENVIRONMENT = {"PLANTED_TOKEN": PLANTED}


def law(data: bytes) -> None:
    """Offsets point at masks, line ends stay, the way it is cut makes no difference, the planted value is gone."""
    whole = _masked([data])
    assert whole.count(b"\n") == data.count(b"\n")
    size = data[0] % 61 + 1 if data else 1
    assert _masked([data[at : at + size] for at in range(0, len(data), size)]) == whole
    assert PLANTED.encode() not in whole
    text = engine.text_of(data)
    words = Masker(ENVIRONMENT).words(text.split(" "))
    assert len(words) == len(text.split(" "))


def _masked(pieces: list[bytes]) -> bytes:
    """What comes out for the pieces."""
    masker = Masker(ENVIRONMENT)
    out, total = b"", 0
    for data, offsets in [*map(masker.feed, pieces), masker.close()]:
        assert all(data.startswith(b"[masked:", offset) for offset in offsets)
        total += len(offsets)
        out += data
    assert masker.count == total
    return out


if __name__ == "__main__":
    body = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zC0fL2nR5uI7o"
    begin, end = "-----BEGIN " + "PRIVATE KEY-----\n", "-----END " + "PRIVATE KEY-----\n"
    engine.main(
        law,
        seeds=[
            f"x {'ghp' + '_' + body[:36]} y\npassword=hunter2 {PLANTED}\n".encode(),
            f"{begin}{body}\n{body}=\n{end}after\n".encode(),
            f'"token": "{body}", \\"secret\\":\\"{body}\\"\r\nAuthorization: Basic {body}'.encode(),
            f"https://user:{body}@host/ {'eyJ' + body}.{'eyJ' + body}.{body}\n".encode(),
        ],
        tokens=[
            *(
                "ghp_",
                "eyJ",
                "sk-",
                "token=",
                "password: ",
                "SECRET=",
                "api_key",
                "Authorization: Bearer ",
                "://a:",
                "@",
            ),
            *(begin, end, body, PLANTED, "[masked:", "\x1b[1m", '"', "'", '\\"', "=", "&", "PRIVATE KEY", "AKIA"),
        ],
    )
