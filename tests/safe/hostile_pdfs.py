"""PDFs that mean harm, or have come to harm, each made by a few lines of code, and a sound one to make them from."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import NamedTuple

TEXT = "text"
KINDS = frozenset({"encrypted", "damaged", "too-large", "too-slow", "too-much-memory", "crashed"})
ANY = KINDS | {TEXT}
BOMB = frozenset({"too-much-memory", "too-slow", "too-large", "crashed", TEXT})
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
WORDS = b"BT /F1 12 Tf 72 700 Td (Hello reader) Tj ET"


class Hostile(NamedTuple):
    """One file: how to make it, and what may come of it."""

    name: str
    make: Callable[[], bytes]
    expect: frozenset[str] = ANY
    seconds: int = 30
    """What a reader may take; little for what is made to take all there is."""


def written(objects: Sequence[bytes], trailer: bytes = b"/Root 1 0 R", ending: bytes = b"") -> bytes:
    """A file of these objects, numbered from 1, with a true table of contents."""
    parts, places, length = [b"%PDF-1.7\n"], [], 9
    for number, body in enumerate(objects, 1):
        places.append(length)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        length += len(parts[-1])
    out = b"".join(parts)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, rows)
    return out + table + b"trailer\n<</Size %d%b>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out)) + ending


def stream(data: bytes, entries: bytes = b"", length: bytes | None = None) -> bytes:
    """A stream object."""
    size = length if length is not None else b"%d" % len(data)
    return b"<</Length %b%b>>\nstream\n%b\nendstream" % (size, entries, data)


def one_page(
    content: bytes = b"",
    page: bytes = b"",
    catalog: bytes = b"",
    font: bytes = FONT,
    resources: bytes = b"",
    more: Sequence[bytes] = (),
    box: bytes = b"0 0 612 792",
) -> bytes:
    """A file of one page; `more` objects are numbered from 6."""
    return written(
        [
            b"<</Type/Catalog/Pages 2 0 R%b>>" % catalog,
            PAGES,
            b"<</Type/Page/Parent 2 0 R/MediaBox[%b]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%b>>%b>>"
            % (box, resources, page),
            content or stream(WORDS),
            font,
            *more,
        ]
    )


def deflated(unit: bytes, megabytes: int) -> bytes:
    """Many times the same unit, packed; one packed megabyte is repeated, and only the sum at the end is not right."""
    packer = zlib.compressobj(9)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(unit * ((1 << 20) // len(unit))) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * megabytes + packer.flush(zlib.Z_FINISH)


@cache
def sound(pages: int = 3, password: str = "") -> bytes:
    """An ordinary file with an outline, made by reportlab."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    locked = StandardEncryption(password, ownerPassword="owner", canPrint=0) if password else None
    canvas = Canvas(target, invariant=1, encrypt=locked)
    canvas.setTitle("A sound file")
    canvas.setAuthor("Ada Example")
    for number in range(pages):
        canvas.bookmarkPage(f"p{number}")
        canvas.addOutlineEntry(f"Part {number + 1}", f"p{number}", 0)
        for row in range(30):
            canvas.drawString(72, 760 - 14 * row, f"Page {number + 1}, row {row + 1}: evidence is what was seen.")
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _not_a_pdf() -> Iterator[Hostile]:
    damaged = frozenset({"damaged"})
    yield Hostile("empty", lambda: b"", damaged)
    yield Hostile("one byte", lambda: b"%", damaged)
    yield Hostile("nothing but the header", lambda: b"%PDF-1.7\n", damaged)
    yield Hostile("web page", lambda: b"<!DOCTYPE html><html><body>Please log in</body></html>", damaged)
    yield Hostile("plain text", lambda: b"not a PDF at all\n" * 100, damaged)
    yield Hostile("zeros", lambda: bytes(100_000), damaged)
    yield Hostile("zip", lambda: b"PK\x03\x04" + bytes(5000), damaged)
    yield Hostile("header and zeros", lambda: b"%PDF-1.4\n" + bytes(200_000), damaged)
    yield Hostile("header and end only", lambda: b"%PDF-1.7\nstartxref\n0\n%%EOF\n", damaged)
    yield Hostile("header late", lambda: bytes(900) + sound())
    yield Hostile("header too late", lambda: bytes(5000) + sound(), damaged)
    yield Hostile("two files in one", lambda: sound() + sound(2))
    yield Hostile("zeros behind", lambda: sound() + bytes(1_000_000))
    for seed in range(6):
        yield Hostile(f"random {seed}", lambda seed=seed: b"%PDF-1.6\n" + random.Random(seed).randbytes(20_000))


def _broken() -> Iterator[Hostile]:
    for step in range(1, 20):
        yield Hostile(f"cut at {step}/20", lambda step=step: sound()[: len(sound()) * step // 20])
    for cut in (1, 7, 20, 200):
        yield Hostile(f"cut {cut} before the end", lambda cut=cut: sound()[:-cut])
    for seed in range(16):
        yield Hostile(f"flipped bits {seed}", lambda seed=seed: _flipped(sound(), seed, 1 + 12 * seed))
    for seed in range(4):
        yield Hostile(f"shuffled blocks {seed}", lambda seed=seed: _shuffled(sound(), seed))
    yield Hostile("a hole of NULs", lambda: sound()[:900] + bytes(300) + sound()[1200:])
    yield Hostile("line ends changed", lambda: sound().replace(b"\n", b"\r\n"))
    yield Hostile("no end of objects", lambda: one_page().replace(b"endobj", b"      "))
    yield Hostile("no end of streams", lambda: one_page().replace(b"endstream", b"         "))


def _flipped(data: bytes, seed: int, count: int) -> bytes:
    out, chance = bytearray(data), random.Random(seed)
    for _ in range(count):
        out[chance.randrange(10, len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _shuffled(data: bytes, seed: int) -> bytes:
    blocks = [data[at : at + 256] for at in range(0, len(data), 256)]
    tail = blocks[1:]
    random.Random(seed).shuffle(tail)
    return b"".join([blocks[0], *tail])


def _tables() -> Iterator[Hostile]:
    base = one_page
    where = lambda data: int(data.rpartition(b"startxref\n")[2].split()[0])  # noqa: E731
    yield Hostile("table elsewhere", lambda: base().replace(b"startxref\n", b"startxref\n9"))
    yield Hostile("table at a negative place", lambda: base().replace(b"startxref\n", b"startxref\n-"))
    yield Hostile("table beyond all numbers", lambda: base().replace(b"startxref\n", b"startxref\n" + b"9" * 40))
    yield Hostile(
        "table with wrong places", lambda: base().replace(b" 00000 n", b" 00007 n").replace(b"00000000", b"00")
    )
    yield Hostile("table of a billion rows", lambda: base().replace(b"xref\n0 6", b"xref\n0 999999999"))
    yield Hostile("table is its own previous", lambda: _with_previous(where(base())))
    yield Hostile("previous table is negative", lambda: _with_previous(-5))
    yield Hostile("two tables, each the previous of the other", _previous_loop)
    yield Hostile("table stream of itself", _stream_table)
    yield Hostile("no root", lambda: written([CATALOG, PAGES], b""), frozenset({"damaged", TEXT}))
    yield Hostile("root is missing", lambda: written([CATALOG, PAGES], b"/Root 77 0 R"), frozenset({"damaged", TEXT}))
    yield Hostile("root is itself a page", lambda: written([b"<</Type/Page/Pages 1 0 R>>"]))
    yield Hostile("objects refer to one another", lambda: written([b"2 0 R", b"1 0 R"]), frozenset({"damaged"}))
    yield Hostile("size of the table is huge", lambda: base().replace(b"/Size 6", b"/Size 2147483647"))


def _with_previous(place: int) -> bytes:
    return written([CATALOG, PAGES, _page(), stream(WORDS), FONT], b"/Root 1 0 R/Prev %d" % place)


def _page(extra: bytes = b"") -> bytes:
    return b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>%b>>" % extra


def _previous_loop() -> bytes:
    first = _with_previous(0)
    place = int(first.rpartition(b"startxref\n")[2].split()[0])
    second = b"xref\n0 0\ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (place, len(first) + 9)
    longer = _with_previous(len(first) + 9)
    return longer + b"\n" * (len(first) + 9 - len(longer)) + second


def _stream_table() -> bytes:
    head = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    table = b"3 0 obj\n<</Type/XRef/Size 9/W[1 2 2]/Root 1 0 R/Prev %d/Length 20>>stream\n%b\nendstream\nendobj\n"
    return head + table % (len(head), bytes(20)) + b"startxref\n%d\n%%%%EOF" % len(head)


def _page_trees() -> Iterator[Hostile]:
    def tree(pages: bytes, *more: bytes) -> Callable[[], bytes]:
        return lambda: written([CATALOG, pages, *more])

    page = _page()
    rest = (page, stream(WORDS), FONT)
    lying = frozenset({"damaged", TEXT})
    yield Hostile("kids of itself", tree(b"<</Type/Pages/Kids[2 0 R]/Count 1>>"), lying)
    yield Hostile("kids of itself, and a page", tree(b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>", *rest))
    yield Hostile(
        "parent below child", tree(b"<</Type/Pages/Kids[3 0 R]/Count 3>>", b"<</Type/Pages/Kids[2 0 R]/Count 3>>")
    )
    yield Hostile("no kids", tree(b"<</Type/Pages/Count 3>>"), lying)
    yield Hostile("kids that are numbers", tree(b"<</Type/Pages/Kids[1 2 3]/Count 3>>"), lying)
    yield Hostile("kids that are missing", tree(b"<</Type/Pages/Kids[7 0 R 8 0 R]/Count 2>>"), frozenset({"damaged"}))
    yield Hostile("count of zero", tree(b"<</Type/Pages/Kids[]/Count 0>>"), frozenset({"damaged"}))
    yield Hostile("count below zero", tree(b"<</Type/Pages/Kids[3 0 R]/Count -4>>", *rest))
    yield Hostile("count of a thousand, one page", tree(b"<</Type/Pages/Kids[3 0 R]/Count 1000>>", *rest), lying)
    yield Hostile("count of a million, one page", tree(b"<</Type/Pages/Kids[3 0 R]/Count 1000000>>", *rest))
    yield Hostile("count beyond numbers", tree(b"<</Type/Pages/Kids[3 0 R]/Count 99999999999999>>", *rest))
    yield Hostile(
        "the same page 50,000 times",
        tree(b"<</Type/Pages/Count 50000/Kids[%b]>>" % (b"3 0 R " * 50_000), *rest),
        frozenset({"too-large"}),
    )
    yield Hostile("100,000 pages", _many_pages, frozenset({"too-large"}))
    yield Hostile("a tree of 20,000 levels", _deep_tree)
    yield Hostile("a page without a box", lambda: one_page(box=b""))
    yield Hostile("a box of words", lambda: one_page(box=b"/a /b (c) null"))
    yield Hostile("a box beyond measure", lambda: one_page(box=b"-1e38 -1e38 1e38 1e38"), frozenset({TEXT}))
    yield Hostile("a box of no size", lambda: one_page(box=b"5 5 5 5"))
    yield Hostile("rotated by 7 degrees", lambda: one_page(page=b"/Rotate 7/UserUnit 1e30"), frozenset({TEXT}))
    yield Hostile(
        "contents of itself",
        lambda: written([CATALOG, PAGES, b"<</Type/Page/Contents[3 0 R 3 0 R 2 0 R]/Parent 2 0 R>>"]),
    )


def _many_pages() -> bytes:
    count = 100_000
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    pages = [b"<</Type/Page/Parent 2 0 R>>"] * count
    return (
        b"%PDF-1.7\n"
        + b"".join(
            b"%d 0 obj%bendobj\n" % (number, body)
            for number, body in enumerate([CATALOG, b"<</Type/Pages/Count %d/Kids[%b]>>" % (count, kids), *pages], 1)
        )
        + b"trailer<</Root 1 0 R>>"
    )


def _deep_tree() -> bytes:
    levels = 20_000
    nodes = [b"<</Type/Pages/Count 1/Parent %d 0 R/Kids[%d 0 R]>>" % (n - 1, n + 1) for n in range(2, levels)]
    return written([CATALOG, *nodes, b"<</Type/Page/MediaBox[0 0 9 9]>>"])


def _nesting() -> Iterator[Hostile]:
    depth = 100_000
    yield Hostile("arrays in arrays", lambda: one_page(page=b"/X " + b"[" * depth + b"]" * depth))
    yield Hostile("arrays in arrays, never closed", lambda: one_page(page=b"/X " + b"[" * depth))
    yield Hostile("dictionaries in dictionaries", lambda: one_page(page=b"/X " + b"<</X " * depth + b">>" * depth))
    yield Hostile("arrays in the catalog", lambda: one_page(catalog=b"/Names " + b"[" * depth + b"]" * depth))
    yield Hostile("arrays in the content", lambda: one_page(stream(b"[" * depth + b"]" * depth + WORDS)))
    yield Hostile("states saved without end", lambda: one_page(stream(b"q " * 500_000 + WORDS)))
    yield Hostile("texts begun without end", lambda: one_page(stream(b"BT " * 500_000 + WORDS)))
    yield Hostile("marks without end", lambda: one_page(stream(b"/A BMC " * 200_000 + WORDS)))
    yield Hostile("a name of a megabyte", lambda: one_page(page=b"/" + b"N" * 1_000_000 + b" 1"))
    yield Hostile("brackets in a string", lambda: one_page(stream(b"BT /F1 9 Tf (" + b"(" * depth + b" Tj ET")))
    yield Hostile("an outline of 100,000 levels", _deep_outline)


def _deep_outline() -> bytes:
    count = 100_000
    marks = [b"<</Title(t)/First %d 0 R/Dest[3 0 R/Fit]>>" % number for number in range(8, count)]
    return one_page(catalog=b"/Outlines 6 0 R", more=[b"<</First 7 0 R>>", *marks])


def _streams() -> Iterator[Hostile]:
    flate = b"/Filter/FlateDecode"
    yield Hostile("length below zero", lambda: one_page(stream(WORDS, length=b"-17")))
    yield Hostile("length too large", lambda: one_page(stream(WORDS, length=b"999999999")))
    yield Hostile("length is itself", lambda: one_page(stream(WORDS, length=b"4 0 R")))
    yield Hostile("length is a loop", lambda: one_page(stream(WORDS, length=b"6 0 R"), more=[b"7 0 R", b"6 0 R"]))
    yield Hostile("not what its filter says", lambda: one_page(stream(WORDS, flate)), frozenset({TEXT}))
    yield Hostile("unknown filter", lambda: one_page(stream(WORDS, b"/Filter/NoSuchDecode")), frozenset({TEXT}))
    yield Hostile("a thousand filters", lambda: one_page(stream(WORDS, b"/Filter[" + b"/ASCIIHexDecode" * 1000 + b"]")))
    yield Hostile("filter of itself", lambda: one_page(stream(WORDS, b"/Filter 4 0 R/DecodeParms 4 0 R")))
    yield Hostile(
        "predictor of a huge row",
        lambda: one_page(
            stream(
                zlib.compress(b"x" * 9000),
                flate + b"/DecodeParms<</Predictor 12/Columns 2147483647/Colors 32/BitsPerComponent 16>>",
            )
        ),
    )
    yield Hostile(
        "a picture of no end",
        lambda: one_page(
            resources=b"/XObject<</I 6 0 R>>",
            content=stream(b"/I Do " + WORDS),
            more=[
                stream(
                    b"",
                    b"/Type/XObject/Subtype/Image/Width 2000000000/Height 2000000000/BitsPerComponent 16"
                    b"/ColorSpace/DeviceCMYK",
                )
            ],
        ),
    )
    yield Hostile(
        "a broken JPEG 2000",
        lambda: one_page(
            resources=b"/XObject<</I 6 0 R>>",
            content=stream(b"/I Do " + WORDS),
            more=[
                stream(b"\0\0\0\x0cjP  " + bytes(900), b"/Type/XObject/Subtype/Image/Width 9/Height 9/Filter/JPXDecode")
            ],
        ),
    )
    yield Hostile(
        "a broken JBIG2",
        lambda: one_page(
            resources=b"/XObject<</I 6 0 R>>",
            content=stream(b"/I Do " + WORDS),
            more=[stream(bytes(range(256)), b"/Type/XObject/Subtype/Image/Width 9/Height 9/Filter/JBIG2Decode")],
        ),
    )
    yield Hostile("an object stream in itself", _object_stream_loop)
    yield Hostile("an object stream that unpacks to little", lambda: _object_stream(b" ", 1), frozenset({TEXT}))
    yield Hostile("an object stream that unpacks to much", lambda: _object_stream(b" ", 500), BOMB, 2)


def _object_stream(padding: bytes, megabytes: int) -> bytes:
    """The catalog and the page in a stream of objects, behind much that is nothing."""
    bodies = [CATALOG, PAGES, _page()]
    starts = [sum(len(body) + 1 for body in bodies[:at]) for at in range(3)]
    head = b"".join(b"%d %d " % (at + 1, start) for at, start in enumerate(starts))
    packer = zlib.compressobj(9)
    inside = packer.compress(head + b" ".join(bodies)) + packer.flush(zlib.Z_FULL_FLUSH)
    inside += (packer.compress(padding * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * megabytes + packer.flush()
    held = stream(inside, b"/Type/ObjStm/N 3/First %d/Filter/FlateDecode" % len(head))
    out, rows = b"%PDF-1.7\n", [b"\0\0\0\0\0"] + [b"\2\0\0\6" + bytes([at]) for at in range(3)]
    for number, body in ((4, stream(WORDS)), (5, FONT), (6, held)):
        rows.append(b"\1" + len(out).to_bytes(3, "big") + b"\0")
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = stream(b"".join(rows), b"/Type/XRef/Size 7/W[1 3 1]/Root 1 0 R")
    return out + b"7 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF" % (table, len(out))


def _object_stream_loop() -> bytes:
    out, places = b"%PDF-1.7\n", {}
    held = stream(b"6 0 1 9 <</Type/ObjStm>> <</Type/Catalog>>", b"/Type/ObjStm/N 2/First 8/Extends 6 0 R")
    places[6] = len(out)
    out += b"6 0 obj\n" + held + b"\nendobj\n"
    rows = b"".join(b"\x02" + (6).to_bytes(3, "big") + bytes([at]) for at in range(7))
    table = stream(rows, b"/Type/XRef/Size 7/W[1 3 1]/Root 1 0 R")
    return out + b"8 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF" % len(out)


def _bombs() -> Iterator[Hostile]:
    flate = b"/Filter/FlateDecode"
    yield Hostile("3 GB of zeros", lambda: one_page(stream(deflated(bytes(1), 3000), flate)), BOMB, 2)
    yield Hostile("100 MB of blanks", lambda: one_page(stream(deflated(b" ", 100), flate)), BOMB, 2)
    yield Hostile(
        "packed twice",
        lambda: one_page(stream(zlib.compress(deflated(bytes(1), 1500), 9), b"/Filter[/FlateDecode/FlateDecode]")),
        BOMB,
        2,
    )
    yield Hostile(
        "packed three times",
        lambda: one_page(
            stream(
                zlib.compress(zlib.compress(deflated(b" ", 1500), 9), 9),
                b"/Filter[/FlateDecode/FlateDecode/FlateDecode]",
            )
        ),
        BOMB,
        2,
    )
    yield Hostile(
        "runs of one byte", lambda: one_page(stream(b"\x81 " * 500_000 + b"\x80", b"/Filter/RunLengthDecode")), BOMB, 2
    )
    yield Hostile(
        "letters without end",
        lambda: one_page(stream(zlib.compress(b"BT /F1 9 Tf " + b"1 0 0 1 9 9 Tm (a) Tj " * 3_000_000, 9), flate)),
        BOMB,
        2,
    )
    yield Hostile(
        "lines without end",
        lambda: one_page(stream(zlib.compress(b"0 0 m " + b"1 1 l 2 3 l " * 3_000_000 + b"S", 9), flate)),
        BOMB,
        2,
    )
    yield Hostile(
        "one string of 30 MB",
        lambda: one_page(stream(zlib.compress(b"BT /F1 9 Tf (" + b"a" * 30_000_000 + b") Tj ET", 9), flate)),
        BOMB,
        2,
    )
    yield Hostile(
        "one content, a thousand times",
        lambda: one_page(stream(deflated(b"(a) Tj ", 1), flate), page=b"/Contents[" + b"4 0 R " * 1000 + b"]"),
        BOMB,
        2,
    )
    yield Hostile("forms that double 40 times", _doubling_forms, BOMB, 2)
    yield Hostile(
        "a form of itself",
        lambda: one_page(
            stream(b"/X Do " + WORDS),
            resources=b"/XObject<</X 6 0 R>>",
            more=[
                stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>")
            ],
        ),
        BOMB,
        2,
    )
    yield Hostile(
        "two forms of one another",
        lambda: one_page(
            stream(b"/X Do " + WORDS),
            resources=b"/XObject<</X 6 0 R>>",
            more=[
                stream(b"/Y Do", b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Y 7 0 R>>>>"),
                stream(b"/X Do", b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"),
            ],
        ),
        frozenset({TEXT}),
    )
    yield Hostile(
        "a pattern of itself",
        lambda: one_page(
            stream(b"/Pattern cs /P scn 0 0 9 9 re f " + WORDS),
            resources=b"/Pattern<</P 6 0 R>>",
            more=[
                stream(
                    b"/Pattern cs /P scn 0 0 9 9 re f",
                    b"/PatternType 1/PaintType 1/BBox[0 0 1 1]/XStep 1e-9/YStep 1e-9/Resources<</Pattern<</P 6 0 R>>>>",
                )
            ],
        ),
        frozenset({TEXT}),
    )


def _doubling_forms() -> bytes:
    forms = [
        stream(b"/X Do /X Do", b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (number + 1))
        for number in range(6, 46)
    ]
    last = stream(WORDS, b"/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>>>")
    return one_page(stream(b"/X Do"), resources=b"/XObject<</X 6 0 R>>", more=[*forms, last])


def _fonts() -> Iterator[Hostile]:
    def font(entries: bytes, *more: bytes) -> Callable[[], bytes]:
        return lambda: one_page(font=b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%b>>" % entries, more=more)

    fine = frozenset({TEXT})
    yield Hostile(
        "letters mapped to garbage", font(b"/ToUnicode 6 0 R", stream(random.Random(7).randbytes(3000))), fine
    )
    yield Hostile(
        "letters mapped over a huge range",
        font(b"/ToUnicode 6 0 R", stream(b"begincmap 1 beginbfrange <00> <FFFFFFFF> <0041> endbfrange endcmap")),
    )
    yield Hostile(
        "letters mapped to halves of characters",
        font(b"/ToUnicode 6 0 R", stream(b"begincmap 1 beginbfrange <00> <FF> <D800> endbfrange endcmap")),
        fine,
    )
    yield Hostile(
        "letters mapped to controls",
        font(b"/ToUnicode 6 0 R", stream(b"begincmap 1 beginbfrange <00> <FF> <0000> endbfrange endcmap")),
        fine,
    )
    yield Hostile(
        "letters mapped to a book",
        font(
            b"/ToUnicode 6 0 R", stream(b"begincmap 1 beginbfchar <65> <" + b"0041" * 500_000 + b"> endbfchar endcmap")
        ),
    )
    yield Hostile("a map that uses itself", font(b"/ToUnicode 6 0 R", stream(WORDS, b"/UseCMap 6 0 R")), fine)
    yield Hostile(
        "a font of itself",
        lambda: one_page(font=b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[5 0 R]>>"),
    )
    yield Hostile(
        "a drawn font that draws with itself",
        lambda: one_page(
            font=b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]"
            b"/FirstChar 0/LastChar 255/Widths[]/Encoding<</Differences[72/a]>>"
            b"/CharProcs<</a 6 0 R>>/Resources<</Font<</F1 5 0 R>>>>>>",
            more=[stream(WORDS)],
        ),
    )
    yield Hostile(
        "a font file of noise",
        font(
            b"/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 6 0 R/FontFile 6 0 R>>",
            stream(b"\0\1\0\0" + random.Random(3).randbytes(9000)),
        ),
        fine,
    )
    yield Hostile("widths beyond measure", font(b"/FirstChar -2147483648/LastChar 2147483647/Widths[1e38 -1e38]"))
    yield Hostile(
        "letters larger than the world",
        lambda: one_page(stream(b"BT /F1 1e38 Tf 1e38 0 0 1e38 1e38 1e38 Tm (Hello) Tj ET")),
        fine,
    )
    yield Hostile("letters of no size", lambda: one_page(stream(b"BT /F1 0 Tf 0 0 0 0 0 0 Tm (Hello) Tj ET")), fine)


def _outlines() -> Iterator[Hostile]:
    def marks(*marks: bytes) -> Callable[[], bytes]:
        return lambda: one_page(catalog=b"/Outlines 6 0 R", more=[b"<</First 7 0 R/Last 7 0 R/Count 99>>", *marks])

    fine = frozenset({TEXT})
    yield Hostile("an outline that follows itself", marks(b"<</Title(a)/Next 7 0 R/Dest[3 0 R/Fit]>>"), fine)
    yield Hostile("an outline below itself", marks(b"<</Title(a)/First 7 0 R/Dest[3 0 R/Fit]>>"), fine)
    yield Hostile(
        "an outline in a ring",
        marks(b"<</Title(a)/Next 8 0 R>>", b"<</Title(b)/First 9 0 R>>", b"<</Title(c)/Next 7 0 R>>"),
        fine,
    )
    yield Hostile(
        "an outline that is its own root", lambda: one_page(catalog=b"/Outlines 1 0 R/First 1 0 R/Title(x)"), fine
    )
    yield Hostile(
        "an outline of 50,000",
        marks(*[b"<</Title(a)/Dest[3 0 R/Fit]/Next %d 0 R>>" % n for n in range(8, 50_000)]),
        fine,
    )
    yield Hostile("an outline of huge titles", marks(b"<</Title(" + b"long " * 200_000 + b")/Dest[3 0 R/Fit]>>"), fine)
    yield Hostile("an outline to nowhere", marks(b"<</Title(a)/Dest[99 0 R/Fit]>>"), fine)
    yield Hostile(
        "named places in a ring",
        lambda: one_page(
            catalog=b"/Outlines 6 0 R/Names<</Dests 8 0 R>>",
            more=[b"<</First 7 0 R>>", b"<</Title(a)/Dest(x)>>", b"<</Kids[8 0 R 8 0 R]/Limits[(a)(z)]>>"],
        ),
        fine,
    )
    yield Hostile(
        "labels of themselves",
        lambda: one_page(catalog=b"/PageLabels 6 0 R", more=[b"<</Kids[6 0 R 6 0 R]/Limits[0 9]>>"]),
        frozenset({TEXT, "crashed"}),
    )
    yield Hostile(
        "labels of a huge start", lambda: one_page(catalog=b"/PageLabels<</Nums[0<</S/r/St 2147483647>>]>>"), fine
    )
    yield Hostile(
        "labels of a huge prefix",
        lambda: one_page(catalog=b"/PageLabels<</Nums[0<</P(" + b"p" * 300_000 + b")>>]>>"),
        fine,
    )
    yield Hostile(
        "labels in letters, far on", lambda: one_page(catalog=b"/PageLabels<</Nums[0<</S/A/St 2000000000>>]>>")
    )


def _actions() -> Iterator[Hostile]:
    fine = frozenset({TEXT})
    open_ = lambda action: lambda: one_page(catalog=b"/OpenAction " + action)  # noqa: E731
    yield Hostile("a script on opening", open_(b"<</S/JavaScript/JS(while(true){})>>"), fine)
    yield Hostile("a program on opening", open_(b"<</S/Launch/F(/bin/sh)/Unix<</F(touch)/P(PWNED)>>>>"), fine)
    yield Hostile("an address on opening", open_(b"<</S/URI/URI(http://127.0.0.1:9/x)>>"), fine)
    yield Hostile("a form sent on opening", open_(b"<</S/SubmitForm/F(http://127.0.0.1:9/x)>>"), fine)
    yield Hostile("another file on opening", open_(b"<</S/GoToR/F(/etc/passwd)/D[0/Fit]>>"), fine)
    yield Hostile(
        "actions in a ring",
        lambda: one_page(catalog=b"/OpenAction 6 0 R", more=[b"<</S/JavaScript/JS(x)/Next 6 0 R>>"]),
        fine,
    )
    yield Hostile("a script at every page", lambda: one_page(page=b"/AA<</O<</S/JavaScript/JS(app.alert(1))>>>>"), fine)
    yield Hostile(
        "a file inside",
        lambda: one_page(
            catalog=b"/Names<</EmbeddedFiles<</Names[(x.exe)<</Type/Filespec/F(x.exe)/EF<</F 6 0 R>>>>]>>>>",
            more=[stream(b"MZ" + bytes(9000), b"/Type/EmbeddedFile")],
        ),
        fine,
    )
    yield Hostile(
        "content from another file", lambda: one_page(stream(b"", b"/F(/etc/passwd)/FFilter/FlateDecode")), fine
    )
    yield Hostile(
        "content from an address", lambda: one_page(stream(b"", b"/F<</FS/URL/F(http://127.0.0.1:9/x)>>")), fine
    )
    yield Hostile(
        "a form from another file",
        lambda: one_page(
            stream(b"/X Do " + WORDS),
            resources=b"/XObject<</X 6 0 R>>",
            more=[stream(b"", b"/Subtype/Form/Ref<</F(/etc/passwd)/Page 0>>/BBox[0 0 9 9]")],
        ),
        fine,
    )
    yield Hostile(
        "an XFA form",
        lambda: one_page(
            catalog=b"/AcroForm<</XFA 6 0 R/Fields[]>>",
            more=[stream(b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>")],
        ),
        fine,
    )
    yield Hostile(
        "fields of themselves",
        lambda: one_page(
            catalog=b"/AcroForm<</Fields[6 0 R]>>",
            page=b"/Annots[6 0 R]",
            more=[b"<</Subtype/Widget/FT/Tx/T(a)/Kids[6 0 R]/Parent 6 0 R/Rect[0 0 9 9]>>"],
        ),
        fine,
    )


def _locked() -> Iterator[Hostile]:
    locked = frozenset({"encrypted"})
    yield Hostile("needs a password", lambda: sound(2, "secret"), locked)
    yield Hostile(
        "an unknown lock",
        lambda: written(
            [CATALOG, PAGES, _page(), stream(WORDS), FONT, b"<</Filter/NoSuch/V 99>>"], b"/Root 1 0 R/Encrypt 6 0 R"
        ),
        frozenset({"encrypted", "damaged"}),
    )
    yield Hostile(
        "a lock of itself",
        lambda: written(
            [b"<</Filter/Standard/V 4/R 4/CF 1 0 R/O 1 0 R/U 1 0 R/P -1/Type/Catalog>>"], b"/Root 1 0 R/Encrypt 1 0 R"
        ),
        frozenset({"encrypted", "damaged"}),
    )
    yield Hostile(
        "a lock with an endless key",
        lambda: written(
            [
                CATALOG,
                PAGES,
                _page(),
                stream(WORDS),
                FONT,
                b"<</Filter/Standard/V 5/R 6/Length 2147483640/O(x)/U(y)/P -1>>",
            ],
            b"/Root 1 0 R/Encrypt 6 0 R",
        ),
        frozenset({"encrypted", "damaged"}),
    )


def hostile() -> list[Hostile]:
    """All of them."""
    groups = (
        _not_a_pdf,
        _broken,
        _tables,
        _page_trees,
        _nesting,
        _streams,
        _bombs,
        _fonts,
        _outlines,
        _actions,
        _locked,
    )
    return [one for group in groups for one in group()]
