"""Runs inside gdb: stops at every line of a kernel's source and writes down what gdb knows of its variables.

gdb.cm_record = {"kernel": NAME, "source": FILE, "output": FILE, "fill": BYTE or None, "library": NAME or None} comes
first. `fill` fills the stack of a kernel that runs on the CPU, so that two runs tell which variables have a value.
"""
import json
import re

import gdb

wanted = gdb.cm_record
source = wanted["source"].rsplit("/", 1)[-1]
MOST_STOPS = 400


def numbers(value):
    """A value as a list of its numbers; None stands for a part that gdb cannot show."""
    kind = value.type.strip_typedefs()
    name = kind.unqualified().tag or ""
    if re.match(r"(Surface|Sampler)Index$", name) or kind.code == gdb.TYPE_CODE_PTR:
        return []
    parts = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
    if value.is_optimized_out and kind.code not in parts:  # of those, gdb says so if a part is
        return [None]
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return numbers(value.referenced_value())
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [number for k in range(low, high + 1) for number in numbers(value[k])]
    if re.match(r"(vector|matrix)_ref<", name) and any(field.name == "base_" for field in kind.fields()):
        count = 1
        for size in re.findall(r", (\d+)", name):
            count *= int(size)
        element = kind.template_argument(0)
        base, lanes = value["base_"], value["lane_"]
        return [number for k in range(count)
                for number in numbers((base + int(lanes[k])).cast(element.pointer()).dereference())]
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return [number for field in kind.fields() if not field.is_base_class and hasattr(field, "bitpos")
                and field.type.code != gdb.TYPE_CODE_REF for number in numbers(value[field])]
    if kind.code == gdb.TYPE_CODE_FLT:
        return [repr(float(value))]
    return [int(value)]


def is_of_source(name):
    return name and not re.match(r"cm_|__", name)  # not of a macro, not the compiler's


def variables(frame):
    """The variables of a frame by name, and the line that each is declared in; inner blocks hide outer ones."""
    found, block = {}, frame.block()
    while block:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and is_of_source(symbol.name) and symbol.name not in found:
                try:
                    found[symbol.name] = (symbol.line, numbers(symbol.value(frame)))
                except gdb.error as error:
                    found[symbol.name] = (symbol.line, [f"error: {error}"])
        if block.function:
            break
        block = block.superblock
    return found


def stop():
    """One stop: the frames in the source, innermost first."""
    frames, frame = [], gdb.newest_frame()
    while frame:
        where = frame.find_sal()
        if where.symtab and where.symtab.filename.endswith(source):
            name = re.sub(r"[<(].*", "", (frame.name() or "").rsplit("::", 1)[-1])
            frames.append({"function": name, "line": where.line, "variables": variables(frame)})
        frame = frame.older()
    return frames


def start():
    gdb.execute("set pagination off")
    if not wanted["library"]:
        return
    gdb.execute("set breakpoint pending on")
    gdb.execute(f"catch load {wanted['library']}")
    gdb.execute("run")
    gdb.execute("delete")
    gdb.execute(f"tbreak *{wanted['kernel']}")
    gdb.execute("continue")
    below = 1 << 17
    top = int(gdb.parse_and_eval("$rsp"))
    gdb.selected_inferior().write_memory(top - below, bytes([wanted["fill"]]) * below)


def main():
    start()
    symtab = gdb.newest_frame().find_sal().symtab
    for line in sorted(symtab.linetable().source_lines()):
        if line:
            gdb.execute(f"break {source}:{line}", to_string=True)
    stops = []
    while len(stops) < MOST_STOPS:
        try:
            gdb.execute("continue", to_string=True)
            frames = stop()
        except gdb.error as error:
            if "not being run" not in str(error) and "No frame" not in str(error):
                stops.append([{"function": f"error: {error}", "line": 0, "variables": {}}])
            break
        if frames:
            stops.append(frames)
    with open(wanted["output"], "w") as file:
        json.dump(stops, file)


main()
