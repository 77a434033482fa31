"""CM's vectors, matrices and references to them in gdb: gdb -x cm.py PROGRAM (docs/guide/cmrun.md)."""
import re

import gdb
import gdb.printing


class Printer:
    """One of CM's objects as its elements, a matrix as rows of them; all are in memory, as the CPU target has them."""

    def __init__(self, value):
        self.value = value
        self.element = value.type.strip_typedefs().template_argument(0)
        sizes = re.findall(r", (\d+)", value.type.strip_typedefs().unqualified().tag)
        self.rows, self.columns = (1, int(sizes[0])) if len(sizes) == 1 else map(int, sizes)

    def at(self, k):
        if "_ref<" not in self.value.type.strip_typedefs().unqualified().tag:
            return self.value["data_"][k]
        address = self.value["base_"] + int(self.value["lane_"][k])
        return address.cast(self.element.pointer()).dereference()

    def row(self, r):
        form = {"format": "d"} if self.element.sizeof == 1 else {}  # numbers, no letters
        return ", ".join(self.at(r * self.columns + c).format_string(**form) for c in range(self.columns))

    def to_string(self):
        rows = [self.row(r) for r in range(self.rows)]
        return "{" + (rows[0] if self.rows == 1 else ", ".join("{" + row + "}" for row in rows)) + "}"


class HandlePrinter:
    """The number of a surface or sampler."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(int(self.value))


printers = gdb.printing.RegexpCollectionPrettyPrinter("cm")
printers.add_printer("operand", r"^(vector|matrix)(_ref)?<.*>$", Printer)
printers.add_printer("handle", r"^(Surface|Sampler)Index$", HandlePrinter)
gdb.printing.register_pretty_printer(None, printers)
