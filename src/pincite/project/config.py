"""Settings: `pincite.toml`, or `[tool.pincite]` in `pyproject.toml`, the nearest one upward."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import asdict, replace

from ..core.errors import Missing, Refused, UsageError
from ..core.limits import LIMITS
from ..safe.escape import escape_text
from ..safe.files import Root
from ..text.document import MEMORIES
from ..text.lines import decode
from ..text.notebook import NOTEBOOK
from ..text.source_comments import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENTS = (".md", ".markdown", ".mdx", ".mdc", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".ipynb")
POLICIES = tuple(
    f"{folder}citation-integrity.{ending}"
    for folder in ("", ".aiwg/", ".aiwg/research/")
    for ending in ("yaml", "yml", "json")
)
"""Where a citation policy is looked for, from the root; the first one counts."""

ResearchCheck = Literal["url_reachable", "quote_found", "quote_verbatim", "author_verified", "has_references"]


class CaptureSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """How command output is kept, under `[capture]`."""

    chunk_kilobytes: Annotated[int, Meta(ge=1, le=32_768)] = 64
    """A chunk ends before it exceeds this, though never inside a line."""
    keep_days: Annotated[int, Meta(ge=0)] = 90
    """`pincite gc` drops what is older and not cited."""
    keep_megabytes: Annotated[int, Meta(ge=0)] = 1024
    """`pincite gc` drops the oldest that is not cited until the store is no larger."""
    mask: bool = True
    """Hide secrets before anything is stored. A project cannot turn it off: pass `--no-mask`."""


class CorpusSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Which papers may be cited, under `[corpus]`."""

    path: str = ""
    """The folder of the papers; where empty, what the policy says (`.aiwg/research/corpus`)."""
    policy: str = ""
    """The citation policy; where empty, `citation-integrity.yaml` at the root, in `.aiwg` or `.aiwg/research`."""
    bibliography: tuple[str, ...] = ()
    """`.bib`, RIS or CSL-JSON files whose entries may be cited by key; those in the corpus folder count as well."""
    library: tuple[str, ...] = ()
    """Folders below the root in which the PDFs of entries of bibliographies are looked for, beside the bibliography and
    the corpus. Your own, anywhere, is named by `PINCITE_LIBRARY`: a project cannot name one outside."""
    require_receipts: bool = False
    """Accept only citations whose source was retrieved: those with a receipt of `pincite corpus cite`."""
    receipts: str = ".aiwg/research/receipts"
    """The folder of the receipts."""


class RetrievalSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What is searched and how it is cited, under `[retrieval]`."""

    exclude: tuple[str, ...] = ()
    """Patterns of files to leave out of the index, beside `exclude`."""
    style: str = "inline"
    """How `pincite search` and `pincite cite` write citations: `inline`, `footnote`, `markdown`, `bracket`, `quote`,
    `csl`, or the name of a template."""
    absolute: bool = False
    """Write absolute paths instead of paths from the root."""
    lines: bool = True
    """Write line numbers."""
    templates: dict[str, str] = {}
    """Citation styles of one's own: a name, and a text with fields such as `{path}`, `{line}`, `{heading}`."""
    model: str = ""
    """The embedding model that ranks by meaning: `wordllama` or `all-minilm-l6-v2` where installed, or a folder outside
    the root with a model that sentence-transformers or model2vec saved; none where empty."""


class ResearchSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """How research is validated, under `[research]`."""

    required_checks: tuple[ResearchCheck, ...] = get_args(ResearchCheck)
    """What a citation has to pass to be validated; a result that rests on fewer says so."""
    sources: str = ""
    """A file from the root with hosts of your own, and how credible they are; it goes before the shipped table."""
    judge: Literal["offline", "nli", "llm"] = "offline"
    """Who says whether a quote supports a claim. A project can only name `offline`: any other is the user's choice, by
    `--judge` or `PINCITE_JUDGE`, and `llm` works only where `PINCITE_LLM_KEY` is set."""
    model: str = ""
    """For `nli` a folder outside the root; for `llm` the name of the model. Not taken from a project: pass `--model`,
    or set `PINCITE_NLI_MODEL` or `PINCITE_LLM_MODEL`."""
    least: Literal["high", "medium"] | None = None
    """What counts as grounded: `high` (stated), or `medium` (strongly implied) too; what a person vouches for counts in
    any case. Where not given, an audit asks for `high`, and the stages and their report accept `medium` and say so."""
    provider: Literal["openai", "anthropic"] = "openai"
    """Whose protocol the `llm` judge speaks; another address than theirs comes from `PINCITE_LLM_ENDPOINT`. Not taken
    from a project: pass `--provider` or set `PINCITE_LLM_PROVIDER`."""
    prices: tuple[float, float] | None = None
    """What a million tokens cost the `llm` judge, those read and those written, so that it can say what it spent."""
    connections: Annotated[int, Meta(ge=1, le=64)] = 8
    """How many hosts are asked at once; each host by one connection."""
    seconds: Annotated[int, Meta(ge=1, le=600)] = 30
    """Longest that one page may take, redirects included."""
    megabytes: Annotated[int, Meta(ge=1, le=256)] = 16
    """Largest page, before and after decompression."""
    robots: bool = True
    """Do not fetch what the site's robots.txt forbids."""
    contact: str = ""
    """An address that sites may write to, put into the user agent."""


class Config(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a project can settle once for everyone."""

    documents: tuple[str, ...] = DOCUMENTS
    """Endings of the files that are searched for citations."""
    exclude: tuple[str, ...] = ()
    """Patterns of documents to leave out, as in a shell; `*` also matches `/`."""
    dialects: tuple[str, ...] = ()
    """Dialects to read; all where empty."""
    select: tuple[str, ...] = ()
    """Checks to report; all where empty."""
    ignore: tuple[str, ...] = ()
    """Checks not to report."""
    strict: bool = False
    """Warnings fail too."""
    baseline: str = ""
    """A file of known findings that do not fail."""
    repository: str = ""
    """`owner/name` on GitHub, where the remotes do not say it."""
    in_code: bool = False
    """Read citations inside code as well."""
    in_source: bool = True
    """Search the comments and docstrings of source files too, wherever documents are looked for."""
    drift: bool = True
    """Compare cited lines with what they were when the citation was written."""
    memories: str = MEMORIES
    """The folder of the memories."""
    instructions: tuple[str, ...] = ()
    """Patterns of further instruction files, whose commands and paths are read; `AGENTS.md`, `CONTRIBUTING.md` and the
    like are known by their names."""
    plugins: tuple[str, ...] = ()
    """Installed packages to load dialects from, by entry point name."""
    capture: CaptureSettings = CaptureSettings()
    """How command output is kept."""
    corpus: CorpusSettings = CorpusSettings()
    """Which papers may be cited."""
    retrieval: RetrievalSettings = RetrievalSettings()
    """What is searched and how it is cited."""
    research: ResearchSettings = ResearchSettings()
    """How research is validated."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of all files that may hold citations: documents, and source files where these count."""
        return (*self.documents, *SOURCES) if self.in_source else self.documents

    @property
    def history_endings(self) -> tuple[str, ...]:
        """Endings of the documents whose whole history is read at once: that of notebooks is mostly output."""
        return tuple(ending for ending in self.documents if ending not in NOTEBOOK) or self.documents


_MOST_LIBRARIES = 20
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LINES = {ord("\n"): " ", ord("\t"): " "}
_TABLES = {name: type(table) for name, table in asdict(Config()).items() if isinstance(table, Struct)}


def find_upward(start: str, names: tuple[str, ...]) -> str | None:
    """The nearest folder, from `start` upward, that holds one of the names."""
    for folder in _list_upward(start):
        if any(os.path.lexists(os.path.join(folder, name)) for name in names):
            return folder
    return None


def _list_upward(start: str) -> Iterator[str]:
    """A folder and those around it, the nearest first."""
    folder = os.path.realpath(start)
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        yield parent
        folder = parent


def find_root(start: str) -> str:
    """The repository around a folder, else the nearest folder with settings, else the folder itself."""
    return find_upward(start, (".git",)) or find_upward(start, ("pincite.toml",)) or os.path.realpath(start)


def load_config(start: str) -> tuple[Config, str]:
    """The nearest settings upward and the file they came from; raises UsageError naming file, key and remedy."""
    for folder in _list_upward(start):
        for name in ("pincite.toml", "pyproject.toml"):
            if os.path.lexists(os.path.join(folder, name)):
                config = _read(folder, name)
                if config is not None:
                    return config, os.path.join(folder, name)
        # What lies above the repository belongs to someone else.
        if os.path.lexists(os.path.join(folder, ".git")):
            break
    return Config(), ""


def _read(folder: str, name: str) -> Config | None:
    path = os.path.join(folder, name)
    try:
        with Root(folder) as root:
            text = decode(root.read(name, LIMITS.config_bytes))
    except Missing:
        if name == "pyproject.toml":
            return None
        raise UsageError(f"{path}: not a regular file; put the settings there, or remove it") from None
    except Refused as error:
        raise UsageError(f"{path}: cannot read the settings ({error})") from None
    return parse_settings(text, name, path)


def parse_settings(text: str, name: str, path: str) -> Config | None:
    """The settings in the text of a file of that name; None where it has none. `path` is what messages call it."""
    if name == "pyproject.toml" and "pincite" not in text:
        return None
    from ..safe.toml import load_toml

    try:
        data = load_toml(text)
    except ValueError as error:
        if name == "pyproject.toml" and "[tool.pincite" not in text:
            return None
        raise UsageError(f"{path}: not valid TOML ({error}); correct it or remove the file") from None
    if name == "pyproject.toml":
        tool = data.get("tool")
        if not isinstance(tool, dict) or "pincite" not in tool:
            return None
        return parse_config(tool["pincite"], path)
    return parse_config(data, path)


def parse_config(data: object, path: str) -> Config:
    """Settings from parsed TOML; raises UsageError naming the key and what was expected."""
    try:
        config = convert(_kebab(data, 2), Config)
    except ValidationError as error:
        table = next((one for name, one in _TABLES.items() if f"`$.{name}" in str(error)), Config)
        known = ", ".join(sorted(field.replace("_", "-") for field in table.__struct_fields__))
        # It may quote a key of any length.
        raise UsageError(f"{path}: {escape_text(str(error), LIMITS.shown_chars)} (known settings: {known})") from None
    if isinstance(data, dict):
        for key, value in data.items():
            _check_texts(path, str(key), value)
    for folder in config.corpus.library:
        if folder[:1] in ("/", "~", "\\") or ".." in folder.split("/"):
            remedy = "name one below the root, or your own with PINCITE_LIBRARY"
            raise UsageError(
                f"{path}: `corpus.library` names {escape_text(folder, 200)!a}, which lies outside; {remedy}"
            )
    return config


def add_user_library(config: Config) -> Config:
    """The settings with the folders of papers that the user has: `PINCITE_LIBRARY`, several parted by `:`."""
    named = [os.path.abspath(one) for one in os.environ.get("PINCITE_LIBRARY", "").split(os.pathsep) if one]
    if not named:
        return config
    return replace(config, corpus=replace(config.corpus, library=(*config.corpus.library, *named[:_MOST_LIBRARIES])))


def _kebab(data: object, levels: int) -> object:
    """The same settings with `-` where keys were written with `_`, in tables too; what lies deeper is no setting."""
    if not isinstance(data, dict) or not levels:
        return data
    # The names of templates are the user's own.
    return {
        str(key).replace("_", "-"): value if key == "templates" else _kebab(value, levels - 1)
        for key, value in data.items()
    }


def _check_texts(path: str, key: str, value: object) -> None:
    """Raise UsageError for texts that are too many, too long, or hold what no path, name or address can hold."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_texts(path, key, [name])
            _check_texts(path, f"{key}.{name}", inner)
        return
    items: list[object] = value if isinstance(value, list) else [value]
    most = LIMITS.config_patterns if key.endswith("exclude") else LIMITS.config_items
    if len(items) > most:
        raise UsageError(f"{path}: `{escape_text(key)}` lists {len(items):,} items, the limit is {most:,}; list fewer")
    total = 0
    for text in items:
        if not isinstance(text, str):
            continue
        total += len(text)
        if len(text) > LIMITS.config_chars or total > LIMITS.config_chars_in_all:
            raise UsageError(
                f"{path}: `{escape_text(key, 200)}` is too long: {escape_text(text, 80)!a}; "
                f"the limit is {LIMITS.config_chars:,} characters, {LIMITS.config_chars_in_all:,} for a list; "
                "shorten it"
            )
        # A template may have several lines.
        found = _CONTROLS.search(text.translate(_LINES) if key.startswith("retrieval.templates.") else text)
        if found is not None:
            raise UsageError(
                f"{path}: `{escape_text(key, 200)}` holds the control character {escape_text(found[0])}: "
                f'"{escape_text(text, 200)}"; remove it'
            )
