"""LaTeX as bibliographies use it, turned into text: accents, special letters, escaped signs; no macro is executed.

General LaTeX converters take exponential time on `\\sqrt[\\sqrt[…`; this one reads forwards only.
"""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = dict(
    zip(
        "`'^~=.\"uvHrckdb",
        "\u0300\u0301\u0302\u0303\u0304\u0307\u0308\u0306\u030c\u030b\u030a\u0327\u0328\u0323\u0331",
        strict=True,
    )
)
_NAMES = """ss ß ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ldots … dots … S §
textendash – textemdash — textquoteleft ‘ textquoteright ’ textquotedblleft “ textquotedblright ” textdegree °
copyright © textbackslash \\ textasciitilde ~ textasciicircum ^ LaTeX LaTeX TeX TeX""".split()
_LETTERS = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
_SIGNS = """alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ
lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ infty ∞
times × cdot · pm ± le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ sim ∼ to → rightarrow → leftarrow ←
in ∈ cup ∪ cap ∩ subset ⊂ partial ∂ nabla ∇ log log ln ln exp exp sin sin cos cos min min max max
ldots … dots … circ ∘ degree ° forall ∀ exists ∃""".split()
_MATH = dict(zip(_SIGNS[::2], _SIGNS[1::2], strict=True))
_FORMULA = re.compile(r"((?<!\\)\$[^$]{1,200}\$)")
_IN_FORMULA = re.compile(r"\\([A-Za-z]{1,40}+)(?: ?\{\})?|\\[,;:! ]")
_MACRO = re.compile(
    # Examples: `\"{o}`, `\c c`, `\emph`, `--`.
    r"""
    \\(?:([`'^~=."])[ ]?(?:\{[ ]?\\?([A-Za-z])[ ]?\}|\\?([A-Za-z]))
    |([uvHrckdb])(?:[ ]?\{[ ]?\\?([A-Za-z])[ ]?\}|[ ]\\?([A-Za-z]))
    |([A-Za-z]{1,40}+)[ ]?(?:\{\})?
    |([^A-Za-z]))
    |(---?)|([{}~])
    """,
    re.VERBOSE,
)


def to_text(latex: str) -> str:
    """The text that a field of a bibliography means, on one line; what is not known is left out or as it is."""
    text = " ".join(latex.split())
    if not any(char in text for char in "\\{}~") and "--" not in text:
        return text
    parts = _FORMULA.split(text)
    # Every other part is a formula.
    parts[::2] = [_MACRO.sub(_one, part) for part in parts[::2]]
    parts[1::2] = map(_formula, parts[1::2])
    return unicodedata.normalize("NFC", " ".join("".join(parts).split()))


def _formula(latex: str) -> str:
    """A formula as text, where its signs say all of it; one with more to it stays as it is written."""
    if "\\" not in latex:
        # It may be money.
        return latex
    text = _IN_FORMULA.sub(lambda found: _MATH.get(found[1] or "", found[0] if found[1] else " "), latex[1:-1])
    return latex if any(char in text for char in "\\{}^_") else text


def _one(found: re.Match[str]) -> str:
    sign, letter = found[1] or found[4], found[2] or found[3] or found[5] or found[6]
    if sign:
        return letter + _ACCENTS[sign]
    if found[7]:
        return _LETTERS.get(found[7], "")
    if found[8]:
        return found[8] if found[8] in "&%$#_{}\\" else " "
    if found[9]:
        return "–" if found[9] == "--" else "—"
    return " " if found[10] == "~" else ""
