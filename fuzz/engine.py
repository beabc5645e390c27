"""Feeds inputs to one law for a while: with atheris where it is installed, with hypothesis where it is not.

A target is a script with a function `law(data: bytes)` that raises when the law is broken, and a few seeds:

    with engine.instrumented():
        from pincite.text.markdown import code_regions

    def law(data): ...

    if __name__ == "__main__":
        engine.main(law, seeds=[b"`x`"], tokens=["```", "~~~"])
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from importlib.util import find_spec

HERE = os.path.dirname(os.path.abspath(__file__))
# The targets work on this checkout, installed or not.
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "src"))
TOKENS = ("\n", "\r\n", "\r", "\t", " ", "\u00e9", "\u2028", "\U0001f600", "\x00", "\x1b", "\u202e", "..", "/", "\\")
"""Pieces worth trying in any text."""

Law = Callable[[bytes], object]


def engine_name() -> str:
    """What drives the inputs: the choice of `--engine`, else atheris where it is installed."""
    for index, word in enumerate(sys.argv):
        if word == "--engine" and index + 1 < len(sys.argv):
            return sys.argv[index + 1]
    return "atheris" if find_spec("atheris") else "hypothesis"


def instrumented() -> AbstractContextManager[object]:
    """Modules imported inside are watched for coverage, where the engine can."""
    if engine_name() == "atheris" and "--replay" not in sys.argv:
        import atheris

        watched: AbstractContextManager[object] = atheris.instrument_imports(include=["pincite"])
        return watched
    return contextlib.nullcontext()


def text_of(data: bytes) -> str:
    """The data as text a document could hold."""
    return data.decode("utf-8", "ignore")


def main(law: Law, seeds: Iterable[bytes], tokens: Iterable[str] = (), name: str | None = None) -> None:
    """Run the law until the time is up; exits 1 and keeps the input when it is broken."""
    name = name or os.path.basename(sys.argv[0]).removeprefix("fuzz_").removesuffix(".py")
    parser = argparse.ArgumentParser(description=f"Fuzz target {name}")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--engine", choices=["atheris", "hypothesis"])
    parser.add_argument("--replay", metavar="FILE", help="run the law on one kept input")
    options, _ = parser.parse_known_args()
    if options.replay:
        with open(options.replay, "rb") as file:
            law(file.read())
        print(f"{name}: holds for {options.replay}")
        return
    drive = _atheris if engine_name() == "atheris" else _hypothesis
    drive(name, law, list(seeds), [*TOKENS, *tokens], options.seconds)


def _keep(name: str, data: bytes) -> str:
    """Store an input that broke a law; gives its path from the project's folder."""
    folder = os.path.join(HERE, "crashes")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}-{hashlib.sha256(data).hexdigest()[:12]}")
    with open(path, "wb") as file:
        file.write(data)
    return os.path.relpath(path)


def _atheris(name: str, law: Law, seeds: list[bytes], tokens: list[str], seconds: float) -> None:
    import atheris

    corpus = os.path.join(HERE, "corpus", name)
    os.makedirs(corpus, exist_ok=True)
    for seed in seeds:
        with open(os.path.join(corpus, hashlib.sha256(seed).hexdigest()[:40]), "wb") as file:
            file.write(seed)
    with tempfile.NamedTemporaryFile("w", suffix=".dict", encoding="ascii") as words:
        for token in tokens:
            words.write('"' + "".join(f"\\x{byte:02x}" for byte in token.encode()) + '"\n')
        words.flush()
        crashes = os.path.join(HERE, "crashes", "")
        os.makedirs(crashes, exist_ok=True)
        arguments = [
            f"-max_total_time={max(1, round(seconds))}",
            f"-dict={words.name}",
            f"-artifact_prefix={crashes}{name}-",
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-max_len=8192",
            "-print_final_stats=1",
            # A gate must not fail on what nobody changed: a brief run repeats itself, a long one explores.
            f"-seed={os.environ.get('FUZZ_SEED', '0')}",
            "-verbosity=0",
        ]
        atheris.Setup([sys.argv[0], *arguments, corpus], law)
        atheris.Fuzz()


def _hypothesis(name: str, law: Law, seeds: list[bytes], tokens: list[str], seconds: float) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    words = st.sampled_from(tokens)
    seeded = st.sampled_from(seeds or [b""])
    pieces = st.lists(words | st.text(max_size=8), max_size=40)
    prose = pieces.map(lambda parts: "".join(parts).encode("utf-8", "ignore"))
    data = st.one_of(prose, st.binary(max_size=200), st.builds(_spliced, seeded, prose, st.integers(0, 4096)))
    worst: list[bytes] = []
    runs = 0

    @settings(
        max_examples=200,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(data)
    def attempt(piece: bytes) -> None:
        nonlocal runs
        runs += 1
        try:
            law(piece)
        except BaseException:
            worst[:] = [piece]
            raise

    try:
        for seed in seeds:
            worst[:] = [seed]
            law(seed)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            attempt()
    except Exception:
        traceback.print_exc()
        print(f"{name}: broken; input kept in {_keep(name, worst[0])}", file=sys.stderr)
        sys.exit(1)
    print(f"stat::number_of_executed_units: {runs}")


def _spliced(seed: bytes, piece: bytes, at: int) -> bytes:
    """A seed with something in the middle of it."""
    at %= len(seed) + 1
    return seed[:at] + piece + seed[at:]
