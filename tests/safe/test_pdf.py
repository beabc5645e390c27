"""The text of PDFs: what sound ones give, what hostile ones cannot do, and what becomes of a reader that fails."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pincite.core.limits import Limits
from pincite.papers.model import OutlineEntry, PdfText
from pincite.safe import pdf, pdf_child, pdf_columns
from pincite.safe.pdf import PdfTrouble, read_pdf

HERE = Path(__file__).resolve().parent
CONTROLS = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def beside(name: str) -> ModuleType:
    """A module of this folder that is no test."""
    spec = spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


bad = beside("hostile_pdfs")
CASES = {case.name: case for case in bad.hostile()}


def drawn(*pages: Callable[..., object], **given: object) -> bytes:
    """A PDF whose pages are drawn by these functions."""
    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    canvas = Canvas(target, invariant=1, **given)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def rows(canvas: object, left: float, top: float, texts: list[str]) -> None:
    for at, text in enumerate(texts):
        canvas.drawString(left, top - 14 * at, text)  # type: ignore[attr-defined]


# Hostile files


def test_there_are_a_hundred_and_more() -> None:
    assert len(CASES) >= 150
    assert len(CASES) == len(bad.hostile())


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_file_gives_a_text_or_a_named_trouble(name: str) -> None:
    case = CASES[name]
    limits = Limits(pdf_seconds=case.seconds, pdf_memory=384 << 20, pdf_text_bytes=4 << 20)
    try:
        text = read_pdf(case.make(), limits)
    except PdfTrouble as trouble:
        assert trouble.kind in case.expect
        assert "; " in str(trouble), "what it is, and what to do"
        assert str(trouble).isprintable()
    else:
        assert bad.TEXT in case.expect
        assert text.pages and len(text.pages) <= limits.pdf_pages
        assert len(text.labels) in (0, len(text.pages))
        assert all(0 <= entry.page < len(text.pages) for entry in text.outline)
        assert not CONTROLS.search("".join([*text.pages]))
        msgspec.msgpack.encode(text)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "opening" in name])
def test_actions_leave_the_text_as_it_is(name: str) -> None:
    assert read_pdf(CASES[name].make()).pages == ("Hello reader",)


def test_a_file_that_is_too_large_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "collect", None)
    with pytest.raises(PdfTrouble, match="101 bytes, the limit is 100") as caught:
        read_pdf(b"%PDF" + bytes(97), Limits(pdf_bytes=100))
    assert caught.value.kind == "too-large"


def test_too_much_text_is_refused_not_cut() -> None:
    with pytest.raises(PdfTrouble, match="its text exceeds the limit of 1000 bytes") as caught:
        read_pdf(bad.sound(), Limits(pdf_text_bytes=1000))
    assert caught.value.kind == "too-large"


def test_too_many_pages_are_refused_not_cut() -> None:
    with pytest.raises(PdfTrouble, match="it claims 3 pages, the limit is 2") as caught:
        read_pdf(bad.sound(), Limits(pdf_pages=2))
    assert caught.value.kind == "too-large"


def test_what_opens_without_a_password_is_read() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    locked = StandardEncryption("", ownerPassword="owner")
    data = drawn(lambda canvas: canvas.drawString(72, 700, "Open to all"), encrypt=locked)
    assert b"/Encrypt" in data
    assert read_pdf(data).pages == ("Open to all",)


# What the child has given up


def confined(code: str, seconds: int = 5) -> str:
    """What a piece of Python says that runs once the limits have fallen."""
    script = f"""
import errno, os, socket, sys
sys.path.append({str(HERE.parents[1] / "src/pincite/safe")!r})
import pdf_child
pdf_child.confine(512 << 20, {seconds})
try:
{indent(dedent(code), "    ")}
except (OSError, MemoryError) as error:
    os.write(1, f"{{type(error).__name__}} {{errno.errorcode.get(getattr(error, 'errno', 0), '')}}".encode())
else:
    os.write(1, b"done")
"""
    done = subprocess.run([sys.executable, "-I", "-c", script], stdout=subprocess.PIPE, timeout=60, check=False)
    return done.stdout.decode() or f"ended {done.returncode}"


@pytest.mark.parametrize(
    "code",
    [
        "socket.socket()",
        "socket.socketpair()",
        "os.open('/etc/hosts', os.O_RDONLY)",
        "os.listdir('/')",
        "os.pipe()",
        "os.dup(1)",
        "os.close(2); os.open('/dev/null', os.O_WRONLY)",
        "os.close(2); socket.socket(socket.AF_UNIX)",
    ],
)
def test_nothing_can_be_opened_any_more(code: str) -> None:
    assert confined(code) in ("OSError EMFILE", "OSError EINVAL")


def test_memory_has_an_end() -> None:
    if sys.platform != "linux":
        pytest.skip("this system does not bound the memory of a process")
    assert confined("bytearray(600 << 20)") == "MemoryError "
    assert confined("bytearray(100 << 20)") == "done"


def test_cpu_has_an_end() -> None:
    import signal

    assert confined("while True: pass", 1) == f"ended {-signal.SIGXCPU}"


def test_no_process_can_be_started() -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may start as many as it likes")
    assert confined("os.fork()").startswith("BlockingIOError")


# A reader that fails


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., PdfText]:
    """Reads a file with an extractor of our own making: (code that loads the document) -> the text."""

    def read(code: str, top: str = "", **bounds: int) -> PdfText:
        package = tmp_path / "pypdfium2_raw"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text(
            f"import os, signal, sys, time, socket\n{top}\n"
            "def FPDF_InitLibrary(): pass\n"
            f"def FPDF_LoadMemDocument64(data, size, password):\n{indent(dedent(code), '    ')}\n"
        )
        monkeypatch.setattr(pdf, "find_extractor", lambda: str(tmp_path))
        return read_pdf(b"%PDF-1.7", Limits(**{"pdf_seconds": 20, **bounds}))

    return read


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed", "ended by SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGTRAP)", "crashed", "ended by SIGTRAP"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "crashed", "ended by SIGKILL"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "too-slow", "the limit is 20 seconds"),
        ("os.abort()", "too-much-memory", "the limit is 1024 MB"),
        ("os.write(2, b'free(): invalid pointer'); os.abort()", "crashed", "ended by SIGABRT"),
        ("os.write(2, b'what(): std::bad_alloc'); os.abort()", "too-much-memory", "the limit is 1024 MB"),
        ("raise MemoryError", "too-much-memory", "the limit is 1024 MB"),
        ("raise ValueError('odd \\x1b[31m')", "crashed", r"ValueError: odd \\u\{1b\}\[31m"),
        ("os._exit(3)", "crashed", "ended with code 3"),
        ("os._exit(0)", "crashed", "answer is broken"),
        ("os.write(1, b'rubbish')", "crashed", "answer is broken"),
        ("os.write(1, b'\\x92\\xa0\\x91\\xc0'); os._exit(0)", "crashed", "answer is broken"),
        ("os.write(1, b'\\x92\\xa3odd\\xa1x'); os._exit(0)", "crashed", r"\(x\)"),
        ("os.write(1, b'\\x92\\xa0' + b'\\x91' * 100000); os._exit(0)", "crashed", "answer is broken"),
        ("os.write(1, b'\\x92\\xa0\\x92\\x91\\xa0\\x92\\xa0\\xa0'); os._exit(0)", "crashed", "answer is broken"),
        (
            "os.write(1, b'\\x92\\xa0\\x93\\x91\\xa0\\x90\\x91\\x93\\0\\xa0\\5'); os._exit(0)",
            "crashed",
            "answer is broken",
        ),
        ("while True: os.write(1, bytes(1 << 20))", "too-large", "its text exceeds"),
        ("socket.socket()", "crashed", "Too many open files"),
        ("open('/etc/hosts')", "crashed", "Too many open files"),
    ],
)
def test_a_reader_that_fails_is_told_apart(fake: Callable[..., PdfText], code: str, kind: str, said: str) -> None:
    with pytest.raises(PdfTrouble, match=said) as caught:
        fake(code)
    assert caught.value.kind == kind


@pytest.mark.parametrize("code", ["time.sleep(1000)", "while True: pass"])
def test_a_reader_that_does_not_answer_is_ended(fake: Callable[..., PdfText], code: str) -> None:
    with pytest.raises(PdfTrouble, match="the limit is 1 seconds") as caught:
        fake(code, pdf_seconds=1)
    assert caught.value.kind == "too-slow"


def test_a_reader_that_closes_its_output_and_stays_is_ended(fake: Callable[..., PdfText]) -> None:
    with pytest.raises(PdfTrouble, match="ended by SIGKILL") as caught:
        fake("os.close(1); os.close(2); time.sleep(1000)")
    assert caught.value.kind == "crashed"


def test_the_reader_sees_nothing_of_our_environment(
    fake: Callable[..., PdfText], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_TEST_SECRET", "hunter2")
    with pytest.raises(PdfTrouble) as caught:
        fake("raise ValueError(f'{os.getcwd()} {sorted(os.environ)} {sys.flags.isolated}')")
    assert "ValueError: / [" in caught.value.reason and caught.value.reason.endswith("] 1")
    assert "SECRET" not in caught.value.reason


def test_an_extractor_that_does_not_load(fake: Callable[..., PdfText]) -> None:
    with pytest.raises(
        PdfTrouble, match=r"no such library\); reinstall it: pip install --force-reinstall pypdfium2"
    ) as caught:
        fake("pass", top="raise ImportError('no such library')")
    assert caught.value.kind == "no-extractor"


def test_no_extractor_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "find_extractor", lambda: None)
    with pytest.raises(PdfTrouble, match=r"install --force-reinstall pypdfium2") as caught:
        read_pdf(bad.sound())
    assert caught.value.kind == "no-extractor"
    assert caught.value.exit_code == 2


def test_the_extractor_is_found_and_has_a_version() -> None:
    folder = pdf.find_extractor()
    assert folder is not None and os.path.isdir(os.path.join(folder, "pypdfium2_raw"))
    assert re.fullmatch(r"\d+ pdfium \d+\.\d+\.\d+\.\d+", pdf.extractor_version())


# Sound files


def test_a_sound_file_gives_text_outline_and_metadata() -> None:
    text = read_pdf(bad.sound())
    assert len(text.pages) == 3
    assert text.pages[1].split("\n")[0] == "Page 2, row 1: evidence is what was seen."
    assert text.pages[1].count("\n") == 29
    assert text.outline == (OutlineEntry(0, "Part 1", 0), OutlineEntry(0, "Part 2", 1), OutlineEntry(0, "Part 3", 2))
    assert (text.title, text.authors) == ("A sound file", "Ada Example")
    assert text.created.startswith("2000-01-01T00:00:00")
    assert text.labels == ()


def test_labels_are_those_of_the_file() -> None:
    nums = b"/PageLabels<</Nums[0<</S/r>>2<</S/D/St 81/P(A-)>>]>>"
    kids = b"<</Type/Pages/Kids[3 0 R 3 0 R 3 0 R 3 0 R]/Count 4>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    text = read_pdf(bad.written([b"<</Type/Catalog/Pages 2 0 R%b>>" % nums, kids, page]))
    assert text.labels == ("i", "ii", "A-81", "A-82")
    assert text.pages == ("", "", "", "")


def test_an_outline_has_levels_and_keeps_to_its_file() -> None:
    marks = [
        b"<</First 7 0 R>>",
        b"<</Title(Top)/Dest[3 0 R/Fit]/First 8 0 R/Next 9 0 R>>",
        b"<</Title(Below)/A<</S/GoTo/D[3 0 R/Fit]>>>>",
        b"<</Title(Web)/A<</S/URI/URI(http://127.0.0.1/)>>/Next 10 0 R>>",
        b"<</Title(Other)/A<</S/GoToR/F(x.pdf)/D[0/Fit]>>/Next 11 0 R>>",
        b"<</Title(Last\x0aline)/Dest[3 0 R/Fit]>>",
    ]
    text = read_pdf(bad.one_page(catalog=b"/Outlines 6 0 R", more=marks))
    assert text.outline == (OutlineEntry(0, "Top", 0), OutlineEntry(1, "Below", 0), OutlineEntry(0, "Last line", 0))


def test_a_page_that_fails_alone_is_empty() -> None:
    kids = b"<</Type/Pages/Kids[3 0 R 99 0 R 3 0 R]/Count 3>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
    text = read_pdf(bad.written([bad.CATALOG, kids, page, bad.stream(bad.WORDS), bad.FONT]))
    assert text.pages == ("Hello reader", "", "Hello reader")


def test_hyphens_at_line_ends_are_kept_as_soft_ones() -> None:
    lines = ["The retrie-", "val of evi-", "dence in 1990-", "1995 is well-known"]
    text = read_pdf(drawn(lambda canvas: rows(canvas, 72, 700, lines)))
    assert text.pages == ("The retrie\u00ad\nval of evi\u00ad\ndence in 1990-\n1995 is well-known",)


LEFT = [f"Left {at:02d} some words of the first column" for at in range(30)]
RIGHT = [f"Right {at:02d} and some words of the second" for at in range(30)]


def across(canvas: object) -> None:
    for at, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        rows(canvas, 50, 700 - 14 * at, [left])
        rows(canvas, 310, 700 - 14 * at, [right])


def test_columns_drawn_one_after_the_other_stay() -> None:
    def page(canvas: object) -> None:
        rows(canvas, 50, 700, LEFT)
        rows(canvas, 310, 700, RIGHT)

    assert read_pdf(drawn(page)).pages[0].split("\n") == LEFT + RIGHT


def test_columns_drawn_line_by_line_are_put_in_order() -> None:
    assert read_pdf(drawn(across)).pages[0].split("\n") == LEFT + RIGHT


def test_a_ragged_column_stays_whole() -> None:
    left = ["a line that comes close to the other one", *["short lines and rather many"] * 59]
    right = [("word " * (3 + at * 7 % 5)).strip() + f" {at}" for at in range(60)]

    def page(canvas: object) -> None:
        for at in range(60):
            rows(canvas, 50, 780 - 12 * at, [left[at]])
            rows(canvas, 270, 780 - 12 * at, [right[at]])

    assert read_pdf(drawn(page)).pages[0].split("\n") == left + right


def test_what_lies_across_both_columns_stays_where_it_is() -> None:
    title = "A title that is as broad as the page and lies across both of the columns"
    foot = "and a line below them that lies across both columns again, as a caption may"

    def page(canvas: object) -> None:
        rows(canvas, 60, 730, [title])
        across(canvas)
        rows(canvas, 60, 200, [foot])

    assert read_pdf(drawn(page)).pages[0].split("\n") == [title, *LEFT, *RIGHT, foot]


def test_a_hyphen_at_the_end_of_a_column_is_one() -> None:
    def page(canvas: object) -> None:
        across(canvas)
        rows(canvas, 50, 270, ["the last words are infor-", "mation in the first column"])
        rows(canvas, 310, 270, ["the last words are evi-", "dence in the second column"])

    text = read_pdf(drawn(page)).pages[0]
    assert "infor\u00ad\nmation" in text


def test_a_page_of_one_column_is_left_alone() -> None:
    lines = [f"Line {at:02d} with words that run over the whole breadth of the page as they do" for at in range(40)]
    assert read_pdf(drawn(lambda canvas: rows(canvas, 50, 780, lines))).pages[0].split("\n") == lines


@pytest.mark.parametrize("columns", [(50, 480), (50, 200, 350, 480), (50, 120)])
def test_a_table_is_read_row_by_row(columns: tuple[int, ...]) -> None:
    table = [[f"cell{row}x{at}" for at in range(len(columns))] for row in range(30)]

    def page(canvas: object) -> None:
        for at, cells in enumerate(table):
            for left, cell in zip(columns, cells, strict=True):
                rows(canvas, left, 700 - 14 * at, [cell])

    assert read_pdf(drawn(page)).pages[0].split() == [cell for cells in table for cell in cells]


# Laws of the child's own parts

NESTED = some.recursive(some.text() | some.integers(0, 2**32 - 1), some.lists, max_leaves=30)


@given(NESTED)
def test_answers_are_msgpack(value: object) -> None:
    assert msgspec.msgpack.decode(b"".join(pdf_child.pack_msgpack(value))) == value


@given(some.text(alphabet=some.sampled_from("ab \r\n\x02\ufffe\x00\x1b\u00ad\uffff")) | some.text())
def test_cleaning_leaves_no_control_and_is_done_once(text: str) -> None:
    done = pdf_child.clean(text)
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", done)
    assert pdf_child.clean(done) == done


@given(some.from_regex(r"D:[0-9]{4,14}([+Z-][0-9]{0,2}'?[0-9]{0,2}'?)?") | some.text())
def test_dates_are_dates_or_nothing(text: str) -> None:
    found = pdf_child.iso(text)
    assert found == "" or datetime.fromisoformat(found)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("D:20240131120059+01'30'", "2024-01-31T12:00:59+01:30"),
        ("D:20240131120059Z", "2024-01-31T12:00:59Z"),
        ("D:202401311200", "2024-01-31T12:00:00"),
        ("D:20240131", "2024-01-31"),
        ("D:2024", "2024-01-01"),
        ("D:20230229", ""),
        ("D:20241301", ""),
        ("January 2024", ""),
        ("", ""),
    ],
)
def test_dates(given: str, wanted: str) -> None:
    assert pdf_child.iso(given) == wanted


numbers = some.floats(width=32) | some.sampled_from([math.nan, math.inf, -math.inf, 50.0, 300.0])


@given(some.lists(some.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=40))
def test_a_gutter_is_looked_for_in_anything(pieces: list[tuple[float, float, float, float]]) -> None:
    found = pdf_columns.find_gutter(pieces)
    assert found is None or found[2] >= 1.0


@given(some.lists(some.lists(some.tuples(some.integers(0, 99), some.text("abc-", min_size=1)), max_size=6), max_size=8))
def test_parting_columns_loses_no_word(lines: list[list[tuple[int, str]]]) -> None:
    places: list[tuple[float, float, float]] = []
    text = ""
    for number, line in enumerate(lines):
        foot = 700.0 - 12 * number - (20 if number else 0)
        for x, word in sorted(line):
            places += [(x, x + 1, foot)] * (len(word) + 1)
            text += word + " "
        text += "\r\n"
        places += [(99, 99, foot)] * 2
    found = pdf_columns.split_columns(text, (50.0, 55.0, 5.0), lambda at: places[at] if at < len(places) else None)
    parted = pdf_child._assemble_page_text(text, found).replace("\u00ad", "-")
    assert sorted(parted.split()) == sorted(pdf_child.clean(text).replace("\u00ad", "-").split())


def test_a_running_head_is_not_parted_with_the_columns() -> None:
    """Its right half would stand in the middle of the text, in front of the second column."""
    lines = [(700, "Journal"), *((660 - 12 * row, f"left{row}") for row in range(6)), (560, "81")]
    text, places = "", []
    for foot, word in lines:
        for x, piece in ((10.0, word), (60.0, f"{word}right")):
            places += [(x, x + 1, float(foot))] * (len(piece) + 1)
            text += piece + " "
        text += "\n"
        places.append((99.0, 99.0, float(foot)))
    found = pdf_columns.split_columns(text, (50.0, 55.0, 5.0), lambda at: places[at] if at < len(places) else None)
    rows = pdf_child._assemble_page_text(text, found).split("\n")
    assert rows[0].split() == ["Journal", "Journalright"]
    assert [row.strip() for row in rows[1:13]] == [
        *(f"left{row}" for row in range(6)),
        *(f"left{row}right" for row in range(6)),
    ]
    assert rows[13].split() == ["81", "81right"]
