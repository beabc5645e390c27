"""What of a source file is prose, in each family of languages."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.text.document import Document
from pincite.text.source_comments import SOURCES, find_commentary, find_comments, find_family

CASES = [
    ("a.py", "# yes\nx = '# no'\n"),
    ("a.py", '"""yes"""\nx = """no"""\nf("no")\n"no".join(x)\n'),
    ("a.py", "def f(\n    a='no',\n    # yes\n):\n    r'''yes'''\n"),
    ("a.py", "x = [\n    'no',\n    'no'\n]\nf'no'\nb'no'\n"),
    ("a.py", "class A:\n    b = 1\n    'yes'\n"),
    ("a.sh", "echo \"# no\" '# no' ${x#no} $# # yes\n"),
    ("a.rb", '=begin\nyes\n=end\nx = "#{no}" # yes\n'),
    ("a.ex", '@doc """\nyes\n"""\nx = """\nno\n"""\n'),
    ("a.yaml", "key: no # yes\nurl: a#no\n"),
    ("a.c", '/* yes\nyes */ int x = \'"\'; // yes\nchar *s = "// no";\n'),
    ("a.cpp", 'auto s = R"x(// no)" no)x"; // yes\n'),
    ("a.java", 'String s = """\n// no\n"""; // yes\n'),
    ("a.go", "s := `// no`\n// yes\n"),
    ("a.cs", 'var s = @"c:\\"; // yes\n'),
    ("a.ts", "const a = `// no`, b = /['\"]/; // yes\nconst u = 'http://no';\n"),
    ("a.tsx", "return <a href=x>http://no</a>\n"),
    ("a.rs", "fn f<'a>(x: &'a str) { r#\"// no\"#; '\"'; } /// yes\n"),
    ("a.php", "<?php $a = '# no'; # yes\n#[no]\n// yes\n"),
    ("a.css", "a { b: url(//no) } /* yes */\n"),
    ("a.sql", "SELECT '-- no' -- yes\n/* yes */\n"),
    ("a.lua", "x = [[ -- no ]] -- yes\n--[==[ yes\nyes ]==] no()\n"),
    ("a.hs", 'x --> no\n{- yes -} y\' = "-- no" -- yes\n'),
    ("a.adb", 'x := "-- no"; -- yes\n'),
    ("a.el", '(f "; no" ?\\; \'no) ; yes\n'),
    ("a.erl", 'f() -> "% no", $%. % yes\n'),
    ("a.ml", 'let x = "(* no *)" (* yes *)\n'),
    ("a.f90", "x = '! no' ! yes\n"),
    ("a.html", "<p>no // no</p><!-- yes -->\n"),
    ("a.vue", "<!-- yes --><a>no</a><script>x = '// no' // yes\n</script>\n"),
    ("a.md", "# no\n"),
    ("a.txt", "no # no // no\n"),
    (".py", "# no\n"),
]


@pytest.mark.parametrize(("path", "text"), CASES)
def test_comments_are_found_and_nothing_else(path: str, text: str) -> None:
    found = "".join(text[span.start : span.end] + "\n" for span in find_comments(path, text))
    assert "no" not in found
    assert found.count("yes") == text.count("yes")


def test_python_is_read_as_python_reads_it() -> None:
    folder = Path(pincite.__file__).parent
    for path in sorted(folder.glob("text/*.py")):
        text = path.read_text("utf-8")
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        expected = {token.start for token in tokens if token.type == tokenize.COMMENT}
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                expected.add((node.lineno, node.col_offset))
        document = Document("a.txt", text)
        places = (document.position(span.start) for span in find_comments("a.py", text))
        assert {(line, column - 1) for line, column in places} == expected


def test_code_shown_in_a_comment_is_left_out() -> None:
    text = '"""Yes.\n\n>>> no\nno\n\nYes.\n"""\n# yes\n# ```\n# no\n# ```\n# yes\n\nx = 1\n# ```\n# no\n\n# yes\n'
    found = "".join(text[span.start : span.end] for span in find_commentary("a.py", text))
    assert "no" not in found
    assert found.lower().count("yes") == 5


def test_prose_of_source_code_is_its_comments_backticks_and_all() -> None:
    text = 'x = "a.py:1"  # see `a.py:2`\n'
    document = Document("b.py", text)
    assert document.is_source
    assert document.prose[text.index("#") :] == "# see `a.py:2`\0"
    assert set(document.prose[: text.index("#")]) == {"\0"}
    code = document.code_at(5)
    assert code is not None
    assert code.fenced
    assert document.code_at(text.index("a.py:2")) is None
    assert Document("b.py", text, reads_code=True).prose == text


def test_source_code_has_no_frontmatter() -> None:
    assert Document("a.lua", "---\nx\n---\n").frontmatter is None


@pytest.mark.parametrize("ending", SOURCES)
def test_every_ending_has_a_family(ending: str) -> None:
    assert find_family(f"src/A{ending.upper()}")
    assert not find_family(ending)


@given(st.sampled_from(SOURCES), st.text(alphabet="\"'`#/*-;%<!>()[]{}\\\n\r =ra@R$|", max_size=60))
def test_comments_are_ordered_and_disjoint_whatever_the_text(ending: str, text: str) -> None:
    at = 0
    for span in find_commentary(f"a{ending}", text):
        assert at <= span.start < span.end <= len(text)
        at = span.end
    document = Document(f"a{ending}", text)
    assert len(document.prose) == len(text)
    for offset, one in enumerate(document.prose):
        assert (document.code_at(offset) is None) == (one != "\0" or text[offset] == "\0") or one == text[offset]


@pytest.mark.parametrize("ending", {find_family(f"a{ending}"): ending for ending in SOURCES}.values())
@pytest.mark.parametrize(
    "piece", ['"', "'", "`", "=/[", "/*", "=/a", 'r#"', 'R"(', "<!--", "(*", "--[[", '"\\', "@doc", "\n=begin", '"""']
)
def test_time_grows_with_the_text_alone(ending: str, piece: str) -> None:
    def measure(count: int) -> float:
        text = piece * count
        best = 9.0
        for _ in range(3):
            started = process_time()
            find_comments(f"a{ending}", text)
            best = min(best, process_time() - started)
        return best

    assert measure(16_000) < 40 * max(measure(2_000), 0.0005)
