"""What a file defines, language by language: name, kind, line of the name, first and last line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pincite.symbols import language_of, lookup, outline


@pytest.fixture(scope="module", autouse=True)
def in_this_process() -> Iterator[None]:
    """Hundreds of small texts are not worth a process each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "run_in_child", lambda work, memory, seconds: work())
        yield


SOURCES = {
    "a.py": """\
import os

LIMIT = 10
first, SECOND = 1, 2
app: object = None


def outer(a):
    local = 1

    def inner():
        return local

    return inner


@decorated(
    by=1,
)
class Server(Base):
    \"\"\"Text.\"\"\"

    PORT = 80
    host: str = "x"

    @property
    def name(self):
        return 1

    @name.setter
    def name(self, value):
        pass

    async def start(self):
        self.x = 1

    class Inner:
        def run(self): ...


if os.name == "posix":
    def platform(): pass
else:
    def platform(): pass

type Pair = tuple[int, int]
handler = lambda event: event
""",
    "a.js": """\
"use strict";
const LIMIT = 10, OTHER = 2;
let count = 0;
const { parse, format } = require("x");

export async function load(path) {
  const local = 1;
  function helper() {}
}

export const save = async (path) => {
  return path;
};

function* walk() {}

export default class Store extends Base {
  static size = 1;
  #secret = 2;
  constructor() { super(); }
  get value() { return 1; }
  set value(v) {}
  #hidden() {}
  onClick = () => {};
}

const api = {
  get() {},
  post: function () {},
  nested: { deep: () => 1 },
};

exports.run = function () {};
Store.prototype.flush = function () {};
describe("x", () => { const inTest = 1; });
""",
    "a.ts": """\
export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: any): any {
  return a;
}

@Component({ selector: "x" })
export class View<T> {
  @Input() title: string = "";
  private items: T[] = [];
  draw(a: string): void;
  draw(a: any) {}
}

export abstract class Shape {
  abstract area(): number;
}

export interface Point {
  x: number;
  move(dx: number): void;
}

export type Name = string | number;

enum Color {
  Red,
  Green = "g",
}

namespace Geo.Plane {
  export const ORIGIN = 0;
  export function dist() {}
}

declare function ambient(): void;
""",
    "a.tsx": """\
export const Button: React.FC<Props> = ({ label }) => {
  return <button>{label}</button>;
};
""",
    "a.go": """\
package p

const Limit = 10

const (
	A = iota
	B
)

var count, total int

type Server struct {
	Addr string
	http.Handler
}

type (
	ID    int
	Alias = string
)

type Runner interface {
	Run(ctx context.Context) error
}

func (s *Server) Start() error {
	const local = 1
	return nil
}

func (Stack[T]) Push(x T) {}

func Map[T any](f func(T)) {}
""",
    "a.rs": """\
//! docs
use std::fmt;

pub const LIMIT: u8 = 1;
static NAME: &str = "x";

#[derive(Debug)]
#[serde(rename_all = "camelCase")]
/// A point.
pub struct Point<T> {
    pub x: T,
}

pub enum Shape {
    Circle(f64),
    Empty,
}

impl<T> Point<T> {
    const ZERO: u8 = 0;

    #[inline]
    pub fn new() -> Self { Self {} }
}

impl<T> fmt::Display for Point<T> {
    fn fmt(&self) {}
}

pub trait Draw {
    type Out;
    fn draw(&self);
    fn twice(&self) {}
}

mod inner {
    pub fn deep() { fn local() {} }
}

macro_rules! square {
    ($x:expr) => { $x * $x };
}

type Short = u8;
""",
    "a.java": """\
package a.b;

@Deprecated
public class Server<T> extends Base {
    private static final int LIMIT = 1;
    int a, b;

    public Server() {}

    @Override
    public void start(int port) {
        int local = 1;
        Runnable r = new Runnable() { public void run() {} };
    }

    static class Inner {
        void run() {}
    }

    enum State { ON, OFF }

    record Pair(int x) {}

    interface Hook { void call(); }
}
""",
    "a.c": """\
#include <stdio.h>
#define LIMIT 10
#define SQUARE(x) ((x) * (x))

typedef struct {
    int x;
} Point;

typedef struct node {
    struct node *next;
} node;

struct plain {
    int a, *b;
};

enum color { RED, GREEN };

static int helper(int a);
extern int shared;
static const char *names[] = {"a"};
int (*callback)(int);

static int
helper(int a)
{
    int local = 1;
    return a;
}

#ifdef X
int variant(void) { return 1; }
#else
int variant(void) { return 2; }
#endif
""",
    "a.cpp": """\
namespace net::http {

class Server : public Base {
public:
    Server(int port);
    ~Server();
    void start() const;
    int size() { return 1; }
    bool operator==(const Server& o) const;
    static constexpr int LIMIT = 1;
    enum class State { On };
    struct Inner { void run(); };
};

}  // namespace

namespace { int hidden = 1; }

net::http::Server::Server(int port) {}
net::http::Server::~Server() {}
void net::http::Server::start() const {
    auto f = [] { int x = 1; };
}
bool net::http::Server::operator==(const Server& o) const { return true; }
void net::http::Server::Inner::run() {}

template <typename T>
class Stack {
    void push(T x);
};

template <typename T>
void Stack<T>::push(T x) {}

using Alias = int;
""",
    "a.cs": """\
using System;

namespace Net.Http;

[Serializable]
public class Server : Base
{
    public const int Limit = 1;
    private int a, b;
    public string Name { get; set; }
    public event Action Changed;

    public Server() { }

    [Test]
    public void Start(int port)
    {
        int Local() { return 1; }
    }

    public class Inner { void Run() { } }
}

public interface IHook { void Call(); }
public struct Point { public int X; }
public enum State { On, Off }
public record Pair(int X);
public delegate void Handler(int x);
""",
    "a.rb": """\
module Net
  LIMIT = 1

  class Server < Base
    attr_reader :port

    def initialize(port)
      @port = port
    end

    def self.build; end

    class << self
      def other; end
    end

    def ready?; true; end

    private def hidden; end
  end

  class Http::Client
  end
end

def top
  LOCAL = 1
end
""",
    "a.php": """\
<?php
namespace App\\Net;

const LIMIT = 1;

#[Attribute]
final class Server extends Base
{
    use Logs;
    public const PORT = 80, OTHER = 1;
    private ?string $name = null;

    public function __construct(private int $x) {}

    public static function build(): self
    {
        $f = function () {};
        return new class { public function inner() {} };
    }
}

trait Logs { public function log() {} }
interface Hook { public function call(); }
enum State: string { case On = 'on'; }
function top() {}
""",
    "a.sh": """\
#!/bin/sh
LIMIT=10
name=x
readonly HOME_DIR=/tmp

build() {
  local inner=1
  LOCAL=2
}

function run-all {
  build
}

function clean() (
  rm x
)

DEBUG=1 build
""",
}

EXPECTED = {
    "a.py": """\
LIMIT constant 3 3 3
first variable 4 4 4
SECOND constant 4 4 4
app variable 5 5 5
outer function 8 8 14
outer.inner function 11 11 12
Server class 20 17 38
Server.PORT constant 23 23 23
Server.host variable 24 24 24
Server.name method 27 26 28
Server.name method 31 30 32
Server.start method 34 34 35
Server.Inner class 37 37 38
Server.Inner.run method 38 38 38
platform function 42 42 42
platform function 44 44 44
Pair type 46 46 46
handler variable 47 47 47
""",
    "a.js": """\
LIMIT constant 2 2 2
OTHER constant 2 2 2
count variable 3 3 3
parse constant 4 4 4
format constant 4 4 4
load function 6 6 9
load.helper function 8 8 8
save function 11 11 13
walk function 15 15 15
Store class 17 17 25
Store.size constant 18 18 18
Store.#secret constant 19 19 19
Store.constructor method 20 20 20
Store.value method 21 21 21
Store.value method 22 22 22
Store.#hidden method 23 23 23
Store.onClick method 24 24 24
api constant 27 27 31
api.get method 28 28 28
api.post method 29 29 29
api.nested.deep method 30 30 30
run function 33 33 33
Store.flush method 34 34 34
""",
    "a.ts": """\
pick function 1 1 1
pick function 2 2 2
pick function 3 3 5
View class 8 7 13
View.title constant 9 9 9
View.items constant 10 10 10
View.draw method 11 11 11
View.draw method 12 12 12
Shape class 15 15 17
Shape.area method 16 16 16
Point type 19 19 22
Point.x field 20 20 20
Point.move method 21 21 21
Name type 24 24 24
Color type 26 26 29
Color.Red constant 27 27 27
Color.Green constant 28 28 28
Geo.Plane module 31 31 34
Geo.Plane.ORIGIN constant 32 32 32
Geo.Plane.dist function 33 33 33
ambient function 36 36 36
""",
    "a.tsx": """\
Button function 1 1 3
""",
    "a.go": """\
Limit constant 3 3 3
A constant 6 6 6
B constant 7 7 7
count constant 10 10 10
total constant 10 10 10
Server type 12 12 15
Server.Addr field 13 13 13
ID type 18 18 18
Alias type 19 19 19
Runner type 22 22 24
Runner.Run method 23 23 23
Server.Start method 26 26 29
Stack.Push method 31 31 31
Map function 33 33 33
""",
    "a.rs": """\
LIMIT constant 4 4 4
NAME constant 5 5 5
Point type 10 7 12
Point.x field 11 11 11
Shape type 14 14 17
Shape.Circle constant 15 15 15
Shape.Empty constant 16 16 16
Point.ZERO constant 20 20 20
Point.new method 23 22 23
Point.fmt method 27 27 27
Draw type 30 30 34
Draw.Out type 31 31 31
Draw.draw method 32 32 32
Draw.twice method 33 33 33
inner module 36 36 38
inner.deep function 37 37 37
inner.deep.local function 37 37 37
square function 40 40 42
Short type 44 44 44
""",
    "a.java": """\
Server class 4 3 25
Server.LIMIT constant 5 5 5
Server.a constant 6 6 6
Server.b constant 6 6 6
Server.Server method 8 8 8
Server.start method 11 10 14
Server.start.run method 13 13 13
Server.Inner class 16 16 18
Server.Inner.run method 17 17 17
Server.State type 20 20 20
Server.State.ON constant 20 20 20
Server.State.OFF constant 20 20 20
Server.Pair class 22 22 22
Server.Hook type 24 24 24
Server.Hook.call method 24 24 24
""",
    "a.c": """\
LIMIT constant 2 2 2
SQUARE function 3 3 3
Point type 7 5 7
Point.x field 6 6 6
node type 11 9 11
node type 9 9 11
node.next field 10 10 10
plain type 13 13 15
plain.a field 14 14 14
plain.b field 14 14 14
color type 17 17 17
color.RED constant 17 17 17
color.GREEN constant 17 17 17
helper function 19 19 19
shared constant 20 20 20
names constant 21 21 21
callback constant 22 22 22
helper function 25 24 29
variant function 32 32 32
variant function 34 34 34
""",
    "a.cpp": """\
net.http module 1 1 15
net.http.Server class 3 3 13
net.http.Server.Server method 5 5 5
net.http.Server.~Server method 6 6 6
net.http.Server.start method 7 7 7
net.http.Server.size method 8 8 8
net.http.Server.operator== method 9 9 9
net.http.Server.LIMIT field 10 10 10
net.http.Server.State type 11 11 11
net.http.Server.State.On constant 11 11 11
net.http.Server.Inner type 12 12 12
net.http.Server.Inner.run method 12 12 12
hidden constant 17 17 17
net.http.Server.Server method 19 19 19
net.http.Server.~Server method 20 20 20
net.http.Server.start method 21 21 23
net.http.Server.operator== method 24 24 24
net.http.Server.Inner.run method 25 25 25
Stack class 28 27 30
Stack.push method 29 29 29
Stack.push method 33 32 33
Alias type 35 35 35
""",
    "a.cs": """\
Net.Http module 3 3 3
Net.Http.Server class 6 5 22
Net.Http.Server.Limit constant 8 8 8
Net.Http.Server.a constant 9 9 9
Net.Http.Server.b constant 9 9 9
Net.Http.Server.Name constant 10 10 10
Net.Http.Server.Changed constant 11 11 11
Net.Http.Server.Server method 13 13 13
Net.Http.Server.Start method 16 15 19
Net.Http.Server.Start.Local function 18 18 18
Net.Http.Server.Inner class 21 21 21
Net.Http.Server.Inner.Run method 21 21 21
Net.Http.IHook type 24 24 24
Net.Http.IHook.Call method 24 24 24
Net.Http.Point type 25 25 25
Net.Http.Point.X constant 25 25 25
Net.Http.State type 26 26 26
Net.Http.State.On constant 26 26 26
Net.Http.State.Off constant 26 26 26
Net.Http.Pair class 27 27 27
Net.Http.Handler type 28 28 28
""",
    "a.rb": """\
Net module 1 1 24
Net.LIMIT constant 2 2 2
Net.Server class 4 4 20
Net.Server.initialize method 7 7 9
Net.Server.build method 11 11 11
Net.Server.other method 14 14 14
Net.Server.ready? method 17 17 17
Net.Server.hidden method 19 19 19
Net.Http.Client class 22 22 23
top function 26 26 28
""",
    "a.php": """\
App.Net module 2 2 2
App.Net.LIMIT constant 4 4 4
App.Net.Server class 7 6 20
App.Net.Server.PORT constant 10 10 10
App.Net.Server.OTHER constant 10 10 10
App.Net.Server.name field 11 11 11
App.Net.Server.__construct method 13 13 13
App.Net.Server.build method 15 15 19
App.Net.Server.build.inner method 18 18 18
App.Net.Logs class 22 22 22
App.Net.Logs.log method 22 22 22
App.Net.Hook type 23 23 23
App.Net.Hook.call method 23 23 23
App.Net.State type 24 24 24
App.Net.State.On constant 24 24 24
App.Net.top function 25 25 25
""",
    "a.sh": """\
LIMIT constant 2 2 2
name variable 3 3 3
HOME_DIR constant 4 4 4
build function 6 6 9
run-all function 11 11 13
clean function 15 15 17
""",
}


def rows(path: str, data: bytes) -> list[str]:
    return [f"{one.name} {one.kind} {one.line} {one.first} {one.last}" for one in outline(path, data)]


@pytest.mark.parametrize("path", SOURCES)
def test_definitions_are_listed_in_order(path: str) -> None:
    assert rows(path, SOURCES[path].encode()) == EXPECTED[path].splitlines()


@pytest.mark.parametrize("path", SOURCES)
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_make_no_difference(path: str, end: str) -> None:
    data = SOURCES[path].replace("\n", end).encode()
    assert rows(path, b"\xef\xbb\xbf" + data) == EXPECTED[path].splitlines()


@pytest.mark.parametrize("path", SOURCES)
def test_broken_code_has_definitions_within_its_bounds(path: str) -> None:
    """Cut anywhere, with a line doubled or swallowed: nothing is raised, and every line exists."""
    text = SOURCES[path]
    for at in range(0, len(text), 37):
        for broken in (text[:at], text[at:], text[:at] + "\0({[<" + text[at:], text[:at] + text[at + 9 :]):
            lines = broken.count("\n") + (not broken.endswith("\n"))
            for one in outline(path, broken.encode()):
                assert 1 <= one.first <= one.line <= one.last <= lines
                assert one.name and one.kind


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("b.PYI", "python"),
        *((f"a.{ending}", "javascript") for ending in ("js", "mjs", "cjs", "jsx")),
        *((f"a.{ending}", "typescript") for ending in ("ts", "tsx", "mts", "d.ts")),
        ("x.h", "c"),
        ("x.hpp", "cpp"),
        ("x.cs", "csharp"),
        ("x.bash", "shell"),
        *((path, "") for path in ("a.lua", "py", ".py", "a.py/b", "a.", "", "a.py.txt")),
    ],
)
def test_the_ending_says_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


def test_what_is_no_code_has_no_outline() -> None:
    assert outline("notes.txt", b"def f(): pass") == []


def test_a_header_may_be_of_either_language() -> None:
    assert rows("x.h", b"struct a { int class; };\nint f(int new);\n") == [
        *("a type 1 1 1", "a.class field 1 1 1", "f function 2 2 2")
    ]
    assert rows("x.h", b"class A {\npublic:\n  void f();\n};\n") == ["A class 1 1 4", "A.f method 3 3 3"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "# \U0001f600\n\tx = 1\ndef f():\n\treturn '\U0001f600'\n", "f function 3 3 4"),
        ("a.py", "class Größe:\n  def öffne(self): ...", "Größe class 1 1 2; Größe.öffne method 2 2 2"),
        ("a.js", "\t/* \U0001f600 */ function f() {\n\t}\n", "f function 1 1 2"),
        ("a.js", "(function () { const x = 1; function inner() {} })();", "inner function 1 1 1"),
        ("a.js", "class A { [computed]() {} 'quoted'() {} }", "A class 1 1 1; A.quoted method 1 1 1"),
        ("a.ts", "export namespace A { class B {} }", "A module 1 1 1; A.B class 1 1 1"),
        ("a.ts", "declare module 'x' { function f(): void }", "f function 1 1 1"),
        ("a.rs", "#[a]\nuse x;\nfn f() {}", "f function 3 3 3"),
        ("a.rs", "#[a] // why\n#[b]\nfn f() {}", "f function 3 1 3"),
        ("a.cpp", 'extern "C" {\nint f(void);\n}', "f function 2 2 2"),
        ("a.cpp", "Foo::operator bool() const { return 1; }", "Foo.operator bool method 1 1 1"),
        ("a.cs", "namespace A { class B { void I.M() {} } }", "A module 1 1 1; A.B class 1 1 1; A.B.M method 1 1 1"),
        (
            "a.php",
            "<?php namespace A; class X {}\nnamespace B;\nclass Y {}",
            "A module 1 1 1; A.X class 1 1 1; B module 2 2 2; B.Y class 3 3 3",
        ),
        ("a.go", "package p\nfunc (s (*T)) M() {}", "T.M method 2 2 2"),
        ("a.py", "", ""),
        ("a.py", "\n\n", ""),
        ("a.php", "plain text", ""),
    ],
)
def test_odd_shapes(path: str, text: str, expected: str) -> None:
    found = [row for row in rows(path, text.encode()) if not row.startswith("x ")]
    assert "; ".join(found) == expected


def test_bytes_that_are_no_text_are_read_all_the_same() -> None:
    assert rows("a.py", b"def f():\n    return b'\xff\xfe'\n\0\ndef g(): ...\n")[0] == "f function 1 1 2"
