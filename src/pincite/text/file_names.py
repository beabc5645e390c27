"""How files are called: the endings and names by which a word is known for a file, whether or not it is there."""

from collections.abc import Iterable

KNOWN_ENDINGS = frozenset(
    ".adoc .asm .astro .awk .bash .bat .bib .c .cc .cfg .cjs .clj .cmake .conf .cpp .cs .css .csv .cu .cxx .d .dart "
    ".diff .ejs .el .elm .erb .erl .ex .exs .f90 .fish .fs .go .gradle .graphql .groovy .h .hbs .hh .hpp .hrl .hs .htm "
    ".html .hxx .ini .ipynb .java .jl .js .json .jsonc .json5 .jsonl .jsx .kt .kts .less .lisp .lock .log .lua .m .md "
    ".mdc .mdx .mjs .mk .ml .mli .mm .mts .nim .nix .org .pas .patch .php .pl .pm .podspec .prisma .proto .ps1 .psm1 "
    ".pug .py .pyi .pyx .r .rake .rb .rkt .rs .rst .s .sass .scala .scm .scss .sh .sol .sql .styl .sv .svelte .swift "
    ".tcl .tex .tf .tfvars .toml .ts .tsv .tsx .twig .txt .v .vb .vhd .vim .vue .wat .xml .xsd .xsl .yaml .yml .zig "
    ".zsh".split()
)
"""Endings of files that are cited by their lines."""
KNOWN_NAMES = frozenset(
    "BUILD CMakeLists.txt CODEOWNERS Containerfile Dockerfile Gemfile Jenkinsfile Justfile Makefile Procfile Rakefile "
    "Taskfile Vagrantfile WORKSPACE justfile makefile".split()
)
"""Names without an ending."""
HOST = r"[^/]*\.(?:com|org|net|io|dev|local)\Z"
"""The pattern of what looks like a file and is a host: `example.com`."""


def group_by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """Paths by the names of their files."""
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(path.rpartition("/")[2], []).append(path)
    return named
