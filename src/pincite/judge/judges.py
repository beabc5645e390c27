"""Which judge is asked, by the settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.errors import UsageError

if TYPE_CHECKING:
    from ..project.config import ResearchSettings
    from .model import Judge

KEY = "PINCITE_LLM_KEY"
ENDPOINT = "PINCITE_LLM_ENDPOINT"
JUDGE = "PINCITE_JUDGE"
PROVIDER = "PINCITE_LLM_PROVIDER"
MODELS = {"llm": "PINCITE_LLM_MODEL", "nli": "PINCITE_NLI_MODEL"}


def choose_judge(
    project: ResearchSettings, judge: str | None = None, model: str | None = None, provider: str | None = None
) -> ResearchSettings:
    """A project's settings with the judge that the user chose, on the command line or in the environment.

    Who judges decides which company reads the text, whose key pays for it, and which model outside the tree is opened.
    A project may come from anyone, so it has no say: where it names another judge than the offline one and the user
    names none, that is a UsageError, and a model or provider of the project is not used.
    """
    from msgspec.structs import replace

    kind = judge or os.environ.get(JUDGE, "").strip()
    if not kind and project.judge != "offline":
        raise UsageError(
            f"research.judge: the project asks for {project.judge!a}, and only you may choose that: pass --judge "
            f"{project.judge} or set {JUDGE}={project.judge}; --judge offline goes on without"
        )
    kind = kind or "offline"
    return replace(
        project,
        judge=kind,
        model=model or os.environ.get(MODELS.get(kind, ""), "").strip(),
        provider=provider or os.environ.get(PROVIDER, "").strip() or "openai",
    )


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

    Settings of a project go through `choose_judge` first. Key and address of a language model come from the environment
    alone.
    """
    kind = judge or settings.judge
    if kind == "offline":
        from .offline import Offline

        return Offline()
    if kind == "nli":
        return _nli(model or settings.model, root)
    if kind == "llm":
        return _llm(provider or settings.provider, model or settings.model, prices, cache)
    raise UsageError(f"the judge {kind!a} is not known; use offline, nli or llm")


def _nli(folder: str, root: str) -> Judge:
    if not folder:
        raise UsageError(
            f"the judge nli needs the folder of an entailment model: pass --model DIR or set {MODELS['nli']}"
        )
    top = os.path.realpath(root)
    wanted = os.path.realpath(os.path.join(top, os.path.expanduser(folder)))
    if os.path.commonpath((wanted, top)) == top:
        # A tree may come from anyone: it must not bring the judge of its own claims.
        raise UsageError(f"the model {folder!a} lies inside {top}; keep models outside the tree")
    from .nli import Nli

    return Nli(wanted)


def _llm(provider: str, model: str, prices: tuple[float, float] | None, cache: bool) -> Judge:
    from .llm_protocols import ENDPOINTS

    if provider not in ENDPOINTS:
        raise UsageError(f"the provider {provider!a} is not known; use {' or '.join(ENDPOINTS)}")
    if not model:
        raise UsageError(f"the judge llm needs the name of a model: pass --model NAME or set {MODELS['llm']}")
    key = os.environ.get(KEY, "").strip()
    if not key:
        raise UsageError(f"the judge llm needs a key: set {KEY}, or use the judge offline")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"{KEY}: has characters that no key has")
    from .llm import Llm

    return Llm(provider, model, key, os.environ.get(ENDPOINT, "").strip(), prices=prices, cache=cache)
