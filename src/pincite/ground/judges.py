"""Which judge is asked, by the settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from ..config import ResearchSettings
    from .model import Judge

KEY = "PINCITE_LLM_KEY"
ENDPOINT = "PINCITE_LLM_ENDPOINT"


def get_judge(
    settings: ResearchSettings,
    root: str,
    *,
    judge: str = "",
    model: str = "",
    provider: str = "",
    prices: tuple[float, float] | None = None,
    cache: bool = True,
) -> Judge:
    """The judge that the settings name, or that goes before them here; raises UsageError saying what is missing.

    Key and address of a language model come from the environment alone: a tree may come from anyone, and with it the
    settings.
    """
    kind = judge or settings.judge
    if kind == "offline":
        from .offline import Offline

        return Offline()
    if kind == "nli":
        return _nli(model or settings.model, root)
    if kind == "llm":
        return _llm(provider or settings.provider, model or settings.model, prices, cache)
    raise UsageError(f"research.judge: {kind!a} is not known; use offline, nli or llm")


def _nli(folder: str, root: str) -> Judge:
    if not folder:
        raise UsageError("research.model: the judge nli needs the folder of an entailment model")
    top = os.path.realpath(root)
    wanted = os.path.realpath(os.path.join(top, os.path.expanduser(folder)))
    if os.path.commonpath((wanted, top)) == top:
        # A tree may come from anyone: it must not bring the judge of its own claims.
        raise UsageError(f"research.model: {folder!a} lies inside {top}; keep models outside the tree")
    from .nli import Nli

    return Nli(wanted)


def _llm(provider: str, model: str, prices: tuple[float, float] | None, cache: bool) -> Judge:
    from .llm_protocols import ENDPOINTS

    if provider not in ENDPOINTS:
        raise UsageError(f"research.provider: {provider!a} is not known; use {' or '.join(ENDPOINTS)}")
    if not model:
        raise UsageError("research.model: the judge llm needs the name of a model")
    key = os.environ.get(KEY, "").strip()
    if not key:
        raise UsageError(f"the judge llm needs a key: set {KEY}, or use the judge offline")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"{KEY}: has characters that no key has")
    from .llm import Llm

    return Llm(provider, model, key, os.environ.get(ENDPOINT, "").strip(), prices=prices, cache=cache)
