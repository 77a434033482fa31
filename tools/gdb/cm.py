"""CM's vectors, matrices and references to them in gdb: gdb -x cm.py PROGRAM (docs/guide/debugging.md).

They are printed as elements, a matrix as rows. Expressions may have parts of them: v(3), v[3], m(2, 3), m[2][3],
m.row(1), m.column(1), v.select<4, 2>(1), m.select<2, 1, 2, 1>(0, 1), v.format<short>(), and parts of these. For the
CPU target, and for kernels under gensim --gdb.
"""
import re
import struct

import gdb
import gdb.printing
import gdb.xmethod

KIND = re.compile(r"^(vector|matrix)(_ref)?<(.*)>$")


def tag(type_):
    return type_.strip_typedefs().unqualified().tag or ""


class Elements:
    """The elements of one of CM's objects, row by row."""

    def __init__(self, value):
        if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
        self.value = value
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:  # the object that a method is called for
            value = value.dereference()
        kind = value.type.strip_typedefs()
        sizes = re.findall(r", (\d+)", tag(kind))
        self.rows, self.columns = (1, int(sizes[0])) if len(sizes) == 1 else map(int, sizes)
        self.is_matrix = tag(kind).startswith("matrix")
        self.is_address = any(field.name == "base_" for field in kind.fields())
        self.element = kind.template_argument(0) if self.is_address else value["data_"].type.target()

    def at(self, k):
        if not self.is_address:
            return self.value["data_"][k]
        address = self.value["base_"] + int(self.value["lane_"][k])
        return address.cast(self.element.pointer()).dereference()

    def of_row(self, r):
        return [self.at(r * self.columns + c) for c in range(self.columns)]


class Array(Elements):
    """The elements of what a method gives: an array of numbers, or of rows."""

    def __init__(self, value):
        kind = value.type.strip_typedefs()
        row = kind.target().strip_typedefs()
        self.value, self.is_address = value, False
        self.is_matrix = row.code == gdb.TYPE_CODE_ARRAY
        self.rows = kind.range()[1] + 1 if self.is_matrix else 1
        self.columns = (row if self.is_matrix else kind).range()[1] + 1
        self.element = row.target() if self.is_matrix else row

    def at(self, k):
        return self.value[k // self.columns][k % self.columns] if self.is_matrix else self.value[k]


class Printer:
    """The elements, a matrix as rows of them."""

    def __init__(self, value):
        self.elements = Elements(value)

    def row(self, r):
        form = {"format": "d"} if self.elements.element.sizeof == 1 else {}  # numbers, no letters
        return ", ".join(element.format_string(**form) for element in self.elements.of_row(r))

    def to_string(self):
        if self.elements.value.is_optimized_out:
            return "<optimized out>"
        rows = [self.row(r) for r in range(self.elements.rows)]
        return "{" + (rows[0] if self.elements.rows == 1 else ", ".join("{" + row + "}" for row in rows)) + "}"


class HandlePrinter:
    """The number of a surface or sampler."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(int(self.value))


def packed(elements):
    """The bytes of numbers."""
    kind = elements[0].type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_FLT:
        letter = {2: "e", 4: "f", 8: "d"}[kind.sizeof]
        return b"".join(struct.pack("<" + letter, float(element)) for element in elements)
    return b"".join((int(element) % (1 << 8 * kind.sizeof)).to_bytes(kind.sizeof, "little") for element in elements)


def lost(elements):
    """The first element that is optimized out; None: all are there."""
    return next((element for element in elements if element.is_optimized_out), None)


def row_of(elements, kind=None):
    if lost(elements) is not None:
        return lost(elements)
    kind = kind or elements[0].type
    data = packed(elements)
    return gdb.Value(data, kind.array(len(data) // kind.sizeof - 1))


def grid_of(rows):
    missing = lost([element for row in rows for element in row])
    if missing is not None:
        return missing
    data = b"".join(packed(row) for row in rows)
    return gdb.Value(data, rows[0][0].type.array(len(rows[0]) - 1).array(len(rows) - 1))


def inside(k, count):
    if not 0 <= k < count:
        raise gdb.GdbError(f"element {k} of {count}")
    return k


def select(elements, numbers, at):
    """v.select<SIZE, STRIDE>(I), m.select<ROWS, STEP, COLUMNS, STEP>(I, J)."""
    at = list(at) + [0] * (len(numbers) // 2 - len(at))
    if len(numbers) == 2:
        size, step = numbers
        count = elements.rows * elements.columns
        return row_of([elements.at(inside(at[0] + k * step, count)) for k in range(size)])
    rows, down, columns, step = numbers
    return grid_of([[elements.at(inside(at[0] + r * down, elements.rows) * elements.columns +
                                 inside(at[1] + c * step, elements.columns)) for c in range(columns)]
                    for r in range(rows)])


def call(elements, at):
    """v(I), m(I, J)."""
    if len(at) == 1:
        return elements.at(inside(at[0], elements.rows * elements.columns))
    return elements.at(inside(at[0], elements.rows) * elements.columns + inside(at[1], elements.columns))


def subscript(elements, at):
    """v[I], m[I]."""
    if elements.is_matrix:
        return row_of(elements.of_row(inside(at[0], elements.rows)))
    return call(elements, at)


def column(elements, at):
    return row_of([elements.of_row(r)[inside(at[0], elements.columns)] for r in range(elements.rows)])


def every(elements):
    return [elements.at(k) for k in range(elements.rows * elements.columns)]


class Worker(gdb.xmethod.XMethodWorker):
    """A method whose arguments are integers."""

    def __init__(self, count, compute):
        self.count, self.compute = count, compute

    def get_arg_types(self):
        return [gdb.lookup_type("int")] * self.count

    def get_result_type(self, obj, *args):
        return self(obj, *args).type

    def __call__(self, obj, *args):
        return self.compute(Elements(obj), [int(arg) for arg in args])


class Matcher(gdb.xmethod.XMethodMatcher):
    """Finds the methods by their names; templates by name and arguments."""

    def __init__(self):
        super().__init__("cm")
        self.methods = [gdb.xmethod.XMethod("cm")]

    def match(self, class_type, method_name):
        if not self.methods[0].enabled or not KIND.match(tag(class_type)):
            return None
        name, _, rest = method_name.replace(" ", "").partition("<")
        arguments = rest.rstrip(">").split(",") if rest else []
        if name == "operator[]":
            return Worker(1, subscript)
        if name == "at":
            return [Worker(1, call), Worker(2, call)]
        if name == "row":
            return Worker(1, lambda e, at: row_of(e.of_row(inside(at[0], e.rows))))
        if name == "column":
            return Worker(1, column)
        if name == "select" and len(arguments) in (2, 4):
            numbers = [int(argument, 0) for argument in arguments]
            return [Worker(count, lambda e, at: select(e, numbers, at)) for count in range(len(arguments) // 2 + 1)]
        if name == "format" and arguments:
            return Worker(0, lambda e, at: row_of(every(e), gdb.lookup_type(arguments[0])))
        return None



class Function(gdb.Function):
    """A method as a function of gdb's, $cm_NAME(OBJECT, ...): it takes objects that have no address, too, such as those
    of optimized code, and what a method gives."""

    def __init__(self, name, compute):
        super().__init__("cm_" + name)
        self.compute = compute

    def invoke(self, value, *at):
        of = Array if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else Elements
        try:
            return value if value.is_optimized_out else self.compute(of(value), at)
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from error


def select_counted(elements, at):
    numbers = [int(number) for number in at]
    return select(elements, numbers[1:1 + numbers[0]], numbers[1 + numbers[0]:])


FUNCTIONS = {
    "at": lambda e, at: call(e, [int(k) for k in at]),
    "subscript": lambda e, at: subscript(e, [int(k) for k in at]),
    "row": lambda e, at: row_of(e.of_row(inside(int(at[0]), e.rows))),
    "column": lambda e, at: column(e, [int(k) for k in at]),
    "select": select_counted,
    "format": lambda e, at: row_of(every(e), at[0].type),
}


def is_operand(name):
    try:
        kind = gdb.parse_and_eval(name).type.strip_typedefs()
        kind = kind.target() if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) else kind
        return bool(KIND.match(tag(kind)))
    except gdb.error:
        return False


NAME = re.compile(r"(?<![\w.>:$])([A-Za-z_]\w*)")


def spelled_out(text):
    """The expression with NAME(...) of CM's objects as NAME.at(...): gdb knows no operator()."""
    for found in reversed(list(re.finditer(NAME.pattern + r"\s*\(", text))):
        if is_operand(found[1]):
            text = text[:found.end(1)] + ".at" + text[found.end(1):]
    return text


def closing(text, at):
    """The place of the bracket that closes the one at a place; -1: it is missing."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([") - (text[k] in ")]")
        if not depth:
            return k
    return -1


def as_functions(text):
    """The expression with methods of CM's objects as functions: m.row(1)(2) is $cm_at($cm_row(m, 1), 2)."""
    for found in reversed(list(NAME.finditer(text))):
        made, at = found[1], found.end(1)
        while is_operand(found[1]):
            method = re.compile(r"\s*(?:\.\s*(at|row|column|select|format)\s*(?:<([^<>]*)>)?\s*)?([(\[])").match(text, at)
            end = closing(text, method.end() - 1) if method else -1
            if end < 0 or (not method[1] and method[2]):
                break
            name, given = method[1] or {"(": "at", "[": "subscript"}[method[3]], as_functions(text[method.end():end])
            words = [made]
            if name == "select":
                words += [str(len((method[2] or "").split(","))), method[2] or ""]
            elif name == "format":
                words += [f"({method[2]})0"]
            made = f"$cm_{name}({', '.join(words + [given] * bool(given.strip()))})"
            at = end + 1
        if at > found.end(1):
            text = text[:found.start(1)] + made + text[at:]
    return text


class Print(gdb.Command):
    """print [/FORMAT] EXPRESSION: gdb's own print, with elements of CM's objects as the source has them: m(2, 3)."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, text, from_tty):
        try:
            gdb.execute("call " + spelled_out(text), from_tty)
        except gdb.error as error:
            other = as_functions(text)
            try:
                if other == text:
                    raise error
                gdb.execute("call " + other, from_tty)
            except gdb.error as last:
                text = str(last)
                if "take address of" in text and last is not error:
                    text = "value has been optimized out"
                raise gdb.GdbError(text) from last


printers = gdb.printing.RegexpCollectionPrettyPrinter("cm")
printers.add_printer("operand", KIND.pattern, Printer)
printers.add_printer("handle", r"^(Surface|Sampler)Index$", HandlePrinter)
gdb.printing.register_pretty_printer(None, printers, replace=True)
gdb.xmethod.register_xmethod_matcher(None, Matcher(), replace=True)
for function in FUNCTIONS.items():
    Function(*function)
Print("print")
Print("p")
