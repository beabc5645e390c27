"""Words that can only be a path of a repository: with a slash, ending in a folder or a file's ending."""

import re

_PATH = re.compile(r"(?:\.{1,2}/)*(?:[\w.@+-]+/)+(?:[\w.@+-]+)?|(?:\.{1,2}/)+[\w.@+-]+/?")
_LAST = re.compile(r"(?:[\w.@+-]*[^\W\d_][\w.@+-]*|\.[\w-]+)?\.[A-Za-z][A-Za-z0-9]{0,9}|[A-Z][a-z]+file|LICENSE|README")
_HOST = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|sh|rs|so|me|edu|gov|local|xyz)/")
_VERSION = re.compile(r"v?\d+(?:\.[\dx]+)*")
_PLACEHOLDERS = frozenset(
    """
    path to foo bar baz qux foobar example examples your my xxx yyy zzz some something somewhere file filename dir
    folder name names directory module package placeholder feature component yyyy mm dd nnn nnnn xx uuid hash id slug
    owner repo org user username
    """.split()
)
_PLACEHOLDER = re.compile(
    r"(?:my|your|some|new|foo|bar|example|sample|dummy|placeholder)[-_].*"
    r"|(?:My|Your|Some|New|Foo|Bar|Example)(?=[A-Z.])\w*.*"
    r"|.*(?:xxx|X{3}|NNN|YYYY|FeatureName|ComponentName|ModuleName|feature[-_]name|[-_]my[-_]|\.\.\.).*"
    r"|.*[-_](?:example|sample|foo|bar)(?:[-_.].*)?|(?:.*[-_.])?(?:N|X|Name|NAME)(?:[-_.].*)?|.*\d{4}-\d\d-\d\d.*"
    r"|[A-Z]{2,}(?:_[A-Z]+)+|[xX]+|[nN]+"
)
_GENERATED = frozenset(
    """
    dist build out output outputs target bin obj node_modules venv env vendor coverage htmlcov logs log tmp temp cache
    site public_html _build _site release debug artifacts reports results data generated gen tests-output wheelhouse
    storybook-static playwright-report test-results credentials secrets
    """.split()
)
"""Folders in which tools write, or that are put there by hand; also where no rule of git names them."""
_HIDDEN = frozenset(
    """
    .env .venv .cache .git .next .nuxt .output .turbo .tox .nox .mypy_cache .ruff_cache .pytest_cache .idea .vs .gradle
    .terraform .direnv .ddev .build .svelte-kit .vercel .netlify .aws .ssh .config .local .npm .cargo .kube .docker
    .husky .serena .parcel-cache .yarn .pnpm-store .m2 .nx .dart_tool .expo .angular .eggs .hypothesis .state .tmp .temp
    """.split()
)
_LONGEST = 200
"""Characters beyond which a word is no path."""


def is_path(written: str) -> bool:
    """Whether a word is written as a path with a slash that ends in a folder or a file's ending, and means itself."""
    if len(written) > _LONGEST or not _PATH.fullmatch(written) or written[0] == "@" or _HOST.match(written):
        return False
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    if not parts or not (written.endswith("/") or _LAST.fullmatch(parts[-1])):
        return False
    if len(parts) == 1 and written.endswith("/") and _VERSION.fullmatch(parts[0]):
        return False
    return not any(map(is_variable, parts))


def is_variable(part: str) -> bool:
    """Whether a part of a path stands for any name, or for what is made or kept outside of git."""
    stem = part.partition(".")[0].lower() if part[0] != "." else part
    return (
        stem in _PLACEHOLDERS
        or part.lower() in _GENERATED
        or part in _HIDDEN
        or part.startswith((".env", "..."))
        or part.lower().endswith("cache")
        or _PLACEHOLDER.fullmatch(part) is not None
    )
