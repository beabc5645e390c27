"""Source code of every language, whole or broken: definitions stand in the text, and are found by their names."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.core.errors import Unreadable
    from pincite.symbols import at_line, find, find_close, lookup, outline

# In this process, so that what breaks is seen.
setattr(lookup, "run_in_child", lambda work, memory, seconds: work())  # noqa: B010
PATHS = tuple(f"a.{ending}" for ending in "py js ts tsx go rs java c h cpp cs rb php sh".split())


def law(data: bytes) -> None:
    """Nothing is raised; lines exist; what stands inside another by its name stands inside it or belongs to it."""
    path = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
    data = data[1:20_000]
    lookup._kept.clear()
    try:
        found = outline(path, data)
    except Unreadable as error:
        assert "tangled" in str(error), error
        return
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    for one in found:
        assert 1 <= one.first <= one.line <= one.last <= lines, (one, lines)
        assert one.name and one.kind and len(one.name) <= 400
        meant = find(path, data, one.name)
        assert meant and all(other.name == one.name for other in meant), (one, meant)
        beginning = at_line(path, data, one.line)
        assert beginning is None or one.line in (beginning.line, beginning.first)
    assert len(find_close(path, data, "start")) <= 3


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"\0@a\nclass A:\n    @property\n    def b(self): ...\nX = 1\n",
            b"\1export default class A { #b = 1; get c() {} }\nconst f = () => {}\n",
            b"\2namespace A.B { export function f(a: string): void; }\nenum E { A, B = 1 }\n",
            b"\4package p\ntype S struct { A int }\nfunc (s *S) Do() {}\n",
            b"\5#[a]\nimpl<T> A for B<T> { fn f() {} }\n",
            b"\6@A class B { int c, d; void e() {} }\n",
            b"\7typedef struct { int x; } P;\nint f(int a) { return a; }\n",
            b"\x09template <class T> void A<T>::f(T t) {}\nnamespace a::b { }\n",
            b"\x0anamespace A; class B { int C { get; set; } }\n",
            b"\x0bmodule A\n  class B < C\n    def d?; end\n  end\nend\n",
            b"\x0c<?php namespace A; class B { const C = 1; function d() {} }\n",
            b"\x0df() { :; }\nX=1\nreadonly Y=2\n",
        ],
        tokens=[
            *("class ", "def ", "function ", "fn ", "func ", "namespace ", "module ", "end\n", "struct ", "enum "),
            *(
                "impl ",
                "template <",
                "typedef ",
                "const ",
                "let ",
                "::",
                "=>",
                "->",
                "{",
                "}",
                "(",
                ")",
                "<",
                ">",
                "@a",
            ),
            *("#[a]", "<?php ", '"', "'", "`", "${", "/*", "*/", "//", "#", "<<EOF\n", "get ", "set ", "operator", "~"),
        ],
    )
