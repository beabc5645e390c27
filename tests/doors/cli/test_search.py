"""`pincite search`: from a question to passages with their places and citations."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from time import sleep

import pytest

from pincite.safe.files import Root
from pincite.search.passages.identity import chunk_identity
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


Run = Callable[..., tuple[int, str, str]]
TOP = Path(__file__).resolve().parents[3]
PINCITE = [sys.executable, "-m", "pincite"]
FILES = {
    "guide.md": "# Guide\n\nIntro about lamps.\n\n## Renewing sessions\n\nA session is renewed by `renew_session`.\n",
    "docs/guide.md": "# Other guide\n\nNothing but oil.\n",
    "src/tool.py": "class HTTPServer:\n    def readText(self):\n        return None\n",
}


@pytest.fixture
def search(tmp_path: Path, in_folder: Run) -> Run:
    """Runs the command in a folder with an index: arguments -> exit code, output, errors."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    sleep(0.04)
    assert in_folder("index")[0] == 0
    return partial(in_folder, "search")


def hits(answer: tuple[int, str, str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(answer[1])["hits"]
    return found


def test_hits_for_people(search: Run) -> None:
    assert search("renew", "session") == (
        0,
        " 1  guide.md:5  Guide › Renewing sessions\n"
        "    ## Renewing sessions\n"
        "\n"
        "    A session is renewed by `renew_session`.\n"
        "    [guide.md, §Renewing sessions]\n"
        "\n",
        "",
    )


def test_nothing_found(search: Run) -> None:
    assert search("zzzz") == (1, "", "nothing found\n")
    code, out, err = search("zzzz", "--format", "json")
    nothing = {"schema": "pincite.search/1", "query": "zzzz", "hits": [], "outdated": [], "notes": []}
    assert (code, json.loads(out), err) == (1, nothing, "")


@pytest.mark.parametrize("query", ["", "  ", "…", '""', "«»", "-"])
def test_a_query_without_a_word_is_named(search: Run, query: str) -> None:
    note = "the query has no word to search for"
    assert search("--", query) == (1, "", f"{note}\nnothing found\n")
    assert json.loads(search("--format", "json", "--", query)[1])["notes"] == [note]


def test_a_path_without_indexed_documents_is_named(search: Run) -> None:
    note = 'no indexed document is under "nope"'
    assert search("guide", "--path", "nope") == (1, "", f"{note}\nnothing found\n")
    assert json.loads(search('"oil lamp" guide', "--path", "nope", "--format", "json")[1])["notes"] == [note]
    assert search("zzzz", "--path", "docs") == (1, "", "nothing found\n")


def test_a_heading_that_is_not_there_is_named(search: Run) -> None:
    assert search("guide", "--heading", "nope") == (1, "", 'no heading has "nope"\nnothing found\n')
    code, _, err = search("guide", "--heading", "renewing", "--path", "docs")
    assert (code, err) == (1, 'no heading there has "renewing"\nnothing found\n')
    assert search("zzzz", "--heading", "renewing") == (1, "", "nothing found\n")


def test_the_marks_of_other_languages_make_a_phrase(search: Run) -> None:
    for query in ("„lamps about“", "« lamps about »", "「lamps about」"):
        assert search(query)[::2] == (0, 'no passage has "lamps about": searched for the words\n')
    assert search("«about lamps»")[::2] == (0, "")


def test_a_phrase_that_stands_nowhere_is_named(search: Run) -> None:
    note = 'no passage has "session renewed": searched for the words'
    code, out, err = search('"session renewed"')
    assert (code, err) == (0, note + "\n")
    assert "A session is renewed" in out
    answer = json.loads(search('"session renewed"', "--format", "json")[1])
    assert (answer["notes"], len(answer["hits"])) == ([note], 1)


def test_json(tmp_path: Path, search: Run) -> None:
    answer = json.loads(search("renewed", "--format", "json")[1])
    assert (answer["schema"], answer["query"], answer["outdated"]) == ("pincite.search/1", "renewed", [])
    (hit,) = answer["hits"]
    text = "## Renewing sessions\n\nA session is renewed by `renew_session`."
    assert hit.pop("score") > 0
    assert hit.pop("indexed_at").endswith("Z")
    assert hit == {
        "number": 1,
        "path": "guide.md",
        "line": 5,
        "last_line": 7,
        "page": None,
        "title": "guide.md",
        "headings": ["Guide", "Renewing sessions"],
        "text": text,
        "citation": "[guide.md, §Renewing sessions]",
        "id": str(chunk_identity("guide.md", text)),
        "start": FILES["guide.md"].index("## R"),
        "end": FILES["guide.md"].index("## R") + len(text),
        "document_digest": sha256(FILES["guide.md"].encode()).hexdigest(),
    }


def test_hits_are_numbered_and_bounded(search: Run) -> None:
    found = hits(search("guide", "--format", "json"))
    assert [hit["number"] for hit in found] == list(range(1, len(found) + 1))
    assert len(found) > 1
    assert len(hits(search("guide", "-n", "1", "--format", "json"))) == 1
    assert [search("guide", "-n", number)[0] for number in ("0", "1001", "x")] == [2, 2, 2]


def test_filters(search: Run) -> None:
    assert {hit["path"] for hit in hits(search("guide", "--path", "docs", "--format", "json"))} == {"docs/guide.md"}
    assert {hit["path"] for hit in hits(search("guide", "--path", "g*.md", "--format", "json"))} == {
        "guide.md",
        "docs/guide.md",
    }
    found = hits(search("guide", "--heading", "renewing", "--format", "json"))
    assert [hit["line"] for hit in found] == [5]
    assert search("guide", "--path", "nowhere")[0] == 1


def test_a_filter_may_be_an_absolute_path(search: Run, tmp_path: Path) -> None:
    where = str(tmp_path.resolve() / "docs")
    assert {hit["path"] for hit in hits(search("guide", "--path", where, "--format", "json"))} == {"docs/guide.md"}


@pytest.mark.parametrize("name", ["read_text", "readText", "ReadText", "HTTPServer", "http server"])
def test_names(search: Run, name: str) -> None:
    assert "src/tool.py" in {hit["path"] for hit in hits(search(name, "--format", "json"))}


@pytest.mark.parametrize(
    "query",
    ["\0", "\udcff", '"', '"a', "(", ")", "*", "a*b*", "NEAR(", "AND", "OR OR", "NOT", "text:", "-", "--x", "\x1b[2J"]
    + ["x" * 100_000, "a " * 30_000, '"' * 99, "^", "{a b}:c", "'", ";DROP TABLE document", "\u202e", "日本"],
)
def test_any_text_is_a_query(search: Run, query: str) -> None:
    for more in ((), ("--format", "json")):
        code, out, err = search(*more, "--", query)
        assert code in (0, 1)
        assert "\x1b" not in out + err


def test_styles(search: Run) -> None:
    cited = {
        style: hits(search("renewed", "--style", style, "--format", "json"))[0]["citation"]
        for style in ("footnote", "markdown", "bracket")
    }
    name = chunk_identity("guide.md", "## Renewing sessions\n\nA session is renewed by `renew_session`.").hex[:8]
    assert cited == {
        "footnote": f"[^{name}]: guide.md:5",
        "markdown": "[guide.md](guide.md#L5)",
        "bracket": "【F:guide.md†L5-L7】",
    }
    code, out, err = search("renewed", "--style", "nonsense")
    assert (code, out) == (2, "")
    assert "choose from: inline, footnote, markdown, bracket, quote, csl" in err


def test_what_changed_since_is_found_as_it_is_now(tmp_path: Path, search: Run) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nA walrus.\n")
    assert search("session")[0] == 1
    assert hits(search("walrus", "--format", "json"))[0]["path"] == "guide.md"


def test_without_a_refresh_what_changed_is_left_out_and_named(tmp_path: Path, search: Run) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nA walrus.\n")
    said = "left out: passages of 1 document that changed since (guide.md); run `pincite index`\n"
    assert search("session", "--no-refresh") == (1, "", said + "nothing found\n")
    assert json.loads(search("session", "--no-refresh", "--format", "json")[1])["outdated"] == ["guide.md"]
    assert search("walrus", "--no-refresh")[0] == 1
    assert search("oil", "--no-refresh")[0] == 0


def test_the_first_search_makes_the_index_and_says_so(tmp_path: Path, in_folder: Run) -> None:
    (tmp_path / "a.md").write_text("# A\n\nwords about oil\n")
    (tmp_path / "b.md").write_bytes(b"\xff\xfe\xfa words")
    sleep(0.04)
    code, out, err = in_folder("search", "oil")
    assert (code, out.splitlines()[0]) == (0, " 1  a.md:1  A")
    assert err == "indexed for the first time: 1 document, 1 passage, 1 skipped: `pincite index` names them\n"
    assert in_folder("search", "oil") == (0, out, "")
    (tmp_path / "a.md").write_text("# A\n\na walrus\n")
    assert in_folder("search", "walrus")[::2] == (0, "")
    assert not (tmp_path / ".pincite").exists()


def test_the_first_search_gives_programs_nothing_but_json(tmp_path: Path, in_folder: Run) -> None:
    (tmp_path / "a.md").write_text("words\n")
    assert [hit["path"] for hit in hits(in_folder("search", "words", "--format", "json"))] == ["a.md"]


def test_without_an_index_no_refresh_makes_none(tmp_path: Path, in_folder: Run) -> None:
    (tmp_path / "a.md").write_text("words\n")
    said = "pincite: there is no index yet; run `pincite index` first, or leave out --no-refresh\n"
    for _ in range(2):
        assert in_folder("search", "words", "--no-refresh") == (2, "", said)
    assert not (tmp_path / ".pincite").exists()


def test_where_no_index_can_be_kept_the_search_goes_on_without(
    tmp_path: Path, in_folder: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("words\n")
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        code, out, err = in_folder("search", "words")
        assert (code, out.splitlines()[0]) == (0, " 1  a.md:1")
        assert "no index can be kept" in err and "the next search begins anew" in err, err
    assert not (tmp_path / "cache").exists()


def test_a_damaged_index_is_made_anew_in_silence(tmp_path: Path, search: Run) -> None:
    place = kept(tmp_path) / "index.db"
    size = place.stat().st_size
    for start in (0, 100, 4096, size // 2, size - 4096):
        with open(place, "r+b") as stream:
            stream.seek(start)
            stream.write(b"\xa5" * 3000)
        code, _, err = search("renewed", "--no-refresh")
        assert (code in (0, 1, 2), "Traceback" in err) == (True, False)
        assert (search("renewed")[0], search("renewed")[2]) == (0, "")


def test_damage_without_a_refresh_is_told(tmp_path: Path, search: Run) -> None:
    with open(kept(tmp_path) / "index.db", "r+b") as stream:
        stream.write(bytes(4096))
    said = "pincite: the index cannot be used; run `pincite index` to make it anew\n"
    assert search("renewed", "--no-refresh") == (2, "", said)


@pytest.mark.parametrize("kind", ["link inside", "link outside", "folder", "another database"])
def test_something_else_in_its_place(tmp_path: Path, search: Run, kind: str) -> None:
    place = kept(tmp_path) / "index.db"
    place.rename(place.with_name("aside.db"))
    other = kept(tmp_path) / "captures.db"
    if kind == "link inside":
        place.symlink_to("aside.db")
    elif kind == "link outside":
        place.symlink_to("/dev/null")
    elif kind == "folder":
        place.mkdir()
    else:
        import sqlite3

        connection = sqlite3.connect(place)
        connection.execute("CREATE TABLE precious (x)")
        connection.close()
    code, _, err = search("renewed")
    assert (code, "Traceback" in err, other.exists()) == (2 if kind == "link inside" else 0, False, False)
    # What is no index is left where it is: the search makes one in memory.
    assert ("the next search begins anew" in err) == (kind in ("link outside", "folder")), err


def test_an_index_from_another_clone_is_not_believed(tmp_path: Path, search: Run, in_folder: Run) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    shutil.copytree(kept(tmp_path), kept(clone))
    (clone / "guide.md").write_text(FILES["guide.md"])
    assert in_folder("search", "--root", "clone", "--no-refresh", "renewed")[0] == 2
    found = hits(in_folder("search", "--root", "clone", "guide", "--format", "json"))
    assert {hit["path"] for hit in found} == {"guide.md"}


def _as_nobody(folder: Path, *words: str, changed: bool = False) -> subprocess.CompletedProcess[str]:
    """The command as a user who may read everything here and write nothing."""
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    change = "os.chmod('guide.md', 0o644); open('guide.md', 'w').write('# Guide\\n\\nA walrus.\\n')"
    # Once as oneself, because another user may not be able to read the program.
    drop = (
        "import array, contextlib, io, os, sys\n"
        "from pincite.doors.cli.main import main\n"
        "def give(user):\n"
        "    for top, _, names in os.walk(os.environ['PINCITE_CACHE']):\n"
        "        for path in (top, *(os.path.join(top, name) for name in names)):\n"
        "            os.chown(path, user, user)\n"
        "if not os.getuid():\n"
        "    give(0)\n"
        "for words in (['search', '--no-refresh', 'zzzz'], ['search', 'oil'], ['index'], ['index', '--nonsense']):\n"
        "    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
        "        with contextlib.suppress(SystemExit):\n"
        "            main([*words])\n"
        "CHANGE\n"
        "if not os.getuid():\n"
        "    give(65534)\n"
        "    os.setgid(65534)\n"
        "    os.setuid(65534)\n"
        "main(sys.argv[1:])\n"
    ).replace("CHANGE", change if changed else "")
    return subprocess.run(
        [sys.executable, "-c", drop, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_cache_folder_that_cannot_be_written(in_folder: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not in the folder of the test, above which another user may not pass.
    base = Path(mkdtemp())
    base.chmod(0o755)
    monkeypatch.setenv("PINCITE_CACHE", str(base / "cache"))
    top = base / "tree"
    top.mkdir()
    (top / "guide.md").write_text(FILES["guide.md"])
    (top / "oil.md").write_text("Nothing but oil.\n")
    assert in_folder("index", "--root", str(top))[0] == 0
    for place in (base / "cache", *(base / "cache").rglob("*")):
        place.chmod(0o500 if place.is_dir() else 0o400)
    try:
        done = _as_nobody(top, "search", "renewed")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        assert "renew_session" in done.stdout
        assert done.stderr == "these hits cannot be cited by their numbers: the cache folder cannot be written\n"
        done = _as_nobody(top, "search", "oil", changed=True)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        assert "searched as it is, not brought up to date: " in done.stderr
        assert "index.db: cannot be used" in done.stderr
        done = _as_nobody(top, "index", "--rebuild")
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    finally:
        for place in (base / "cache", *(base / "cache").rglob("*")):
            place.chmod(0o700 if place.is_dir() else 0o600)
        shutil.rmtree(base)


def test_what_is_found_cannot_take_over_a_terminal(tmp_path: Path, search: Run) -> None:
    (tmp_path / "e\x1b[1mvil.md").write_text("# H\x1b[2J\u202e\n\nwalrus \x1b]0;x\x07 and\ttab\n")
    _, out, err = search("walrus")
    assert "\x1b" not in out + err and "\x07" not in out and "\u202e" not in out
    assert "and tab" in out.replace("  ", " ").replace("  ", " ")


def test_long_passages_are_cut_where_the_words_are(tmp_path: Path, search: Run) -> None:
    rows = [f"line {at}" for at in range(40)]
    rows[30] = "line 30 walrus"
    (tmp_path / "long.txt").write_text("\n".join(rows) + "\n")
    out = search("walrus", "--path", "long.txt")[1]
    assert "line 30 walrus" in out and "lines above" in out


def test_a_search_that_finds_nothing_leaves_nothing_to_cite(search: Run, in_folder: Run) -> None:
    search("renewed")
    assert in_folder("cite", "--hit", "1")[0] == 0
    search("zzzz")
    assert in_folder("cite", "--hit", "1")[0] == 2


def test_it_looks_as_it_did(
    tmp_path: Path, search: Run, terminal: Callable[..., str], snapshot: Callable[[str, str], None]
) -> None:
    snapshot("search-coloured", terminal([*PINCITE, "search", "renew session guide"], tmp_path))
