"""Frontmatter of any kind: a tree whose places are right, or one error with its line."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.core.limits import LIMITS
    from pincite.text.lines import split_lines
    from pincite.text.yaml import FrontmatterError, Mapping, Node, Scalar, YamlList, load, value_of

BASE = 4


def law(data: bytes) -> None:
    """Every place lies inside the text."""
    text = engine.text_of(data)
    try:
        tree = load(text, BASE, 2)
    except FrontmatterError as error:
        assert BASE <= error.offset <= BASE + len(text), error
        assert 2 <= error.line <= 2 + max(len(split_lines(text)), text.count("\u2028") + 1), error
        assert error.reason
        return
    _places(tree, text)


def _places(tree: Node, text: str) -> None:
    """Values stand where the tree says, children inside their parents, and no deeper than the limit."""
    todo: list[tuple[Node, int, int, int]] = [(tree, BASE, BASE + len(text), 0)]
    while todo:
        node, start, end, depth = todo.pop()
        assert depth <= LIMITS.frontmatter_depth + 1
        assert start <= node.start <= node.end <= end, node
        match node:
            case Scalar():
                value_of(node)
                raw = text[node.start - BASE : node.end - BASE]
                assert node.style or "\n" in raw or "\r" in raw or raw == node.text, (node, raw)
            case YamlList():
                todo += [(child, node.start, node.end, depth + 1) for child in node.items]
            case Mapping():
                todo += [(child, node.start, node.end, depth + 1) for child in node.values.values()]


if __name__ == "__main__":
    plain = 'id: a\nsubject: x y\ncitations:\n  - path: src/a.py\n    line: 3\n    snippet: "d\\"e"\ntags: [a, b]\n'
    engine.main(
        law,
        seeds=[
            plain.encode(),
            b"a: {b: [c, 'd''e'], f: |\n  g\n}\n",
            b"links:\n- related: x # y\n- {k: v}\nconfidence: 0.5\n",
            b"? a\n: b\n",
            b"a: >-\n  folded\n  text\nb: !!str x\nc: &d e\nf: *d\n<<: g\n",
            b'"a\\u0041": "\\x41\\n"\r\nb: \'\'\r\n',
            b"---\na: 1\n...\n",
        ],
        tokens=[
            *(": ", "- ", "? ", "[", "]", "{", "}", ",", "#", " #", "&a", "*a", "!!", "|\n", ">-\n", "'", '"', "\\"),
            *("<<", "---\n", "...\n", "%YAML 1.2\n", "~", "null", "true", "012", "0x1f", "0o7", ".inf", "1e5"),
            *("\ufeff", "\x85", "\xa0", "id", "citations:", "  - path: a\n", "    line: 1\n", "  "),
            *("- - - - ", "[[[[", "{a: "),
        ],
    )
