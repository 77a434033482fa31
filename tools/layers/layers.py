#!/usr/bin/env python3
"""Checks the direction of includes and calls between folders against tools/layers/layers.txt.

layers.py [--root DIR] BUILD-FOLDER [AREA...]   check these areas of the list (default: all); status 1 names each wrong
                                                arrow
layers.py --circles BUILD-FOLDER AREA           print the files of each layer that call each other in a circle
layers.py --table AREA                          print the area's layers as rows of a Markdown table
layers.py --documented AREA FILE                check that FILE has these rows, in this order

An arrow is an #include line (read from the sources) or a call or use of a variable (read with nm from the objects that
compile_commands.json of the build folder names; objects that are not built have no calls). layers.txt explains the
format.
"""
import collections
import ctypes
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIST = "tools/layers/layers.txt"
SOURCES = (".c", ".h", ".cpp", ".def", ".inc")
MOST_IN_CIRCLE = 3
INTERPOSES = "sim/gensim/"  # replaces functions of the C library and of loaders in other programs


class Layer:
    def __init__(self, name, uses, sentence):
        self.name, self.uses, self.sentence = name, uses, sentence


class Area:
    def __init__(self, folder):
        self.folder, self.layers = folder, []

    def layer_of(self, path):
        """The layer of a file: the longest name that is its folder or, without ending, the file itself; '*' takes the
        rest.
        """
        if self.folder != ".":
            if not path.startswith(self.folder + "/"):
                return None
            path = path[len(self.folder) + 1:]
        stem = os.path.splitext(path)[0]
        fits = [(len(name) if name != "*" else 0, l) for l in self.layers for name in l.name.split("+")
                if name == "*" or stem == name or path.startswith(name + "/")]
        return max(fits, key=lambda fit: fit[0], default=(0, None))[1]

    def holds(self, path):
        return self.folder != "." and path.startswith(self.folder + "/")

    def may_use(self, user, used):
        if used.name in user.uses if user.uses is not None else user is used:
            return True
        return user is used or (user.uses is None and self.layers.index(used) < self.layers.index(user))


def read_list():
    areas = []
    with open(os.path.join(ROOT, LIST)) as rows:
        lines = rows.read().split("\n")
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        header = re.fullmatch(r"\[(\S+)\]", line)
        row = re.fullmatch(r"(\S+?)(?: +uses +([^:]*?))? *: +(.+)", line)
        if header:
            areas.append(Area(header[1]))
        elif row and areas:
            names = {l.name for l in areas[-1].layers}
            uses = None if row[2] is None else set(row[2].split()) - {"nothing"}
            if row[1] in names or (uses and uses - names):
                sys.exit(f"{LIST}:{number}: '{row[1]}' twice, or it uses a layer that does not stand above it")
            areas[-1].layers.append(Layer(row[1], uses, row[3]))
        else:
            sys.exit(f"{LIST}:{number}: neither '[AREA]' nor 'LAYER: sentence' nor 'LAYER uses LAYER...: sentence'")
    return areas


def source_files():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                             text=True)
    if tracked.returncode == 0:
        names = tracked.stdout.split("\n")
    else:  # an unpacked archive
        names = [os.path.relpath(os.path.join(d, f), ROOT) for d, _, files in os.walk(ROOT) for f in files]
    return [n for n in names if n and (n.endswith(SOURCES) or n.startswith("include/"))
            and os.path.isfile(os.path.join(ROOT, n))]


def includes(files):
    known, arrows = set(files), {}
    for path in files:
        with open(os.path.join(ROOT, path), errors="replace") as source:
            for number, line in enumerate(source, 1):
                found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
                if not found:
                    continue
                for base in (os.path.dirname(path), "", "include"):
                    target = os.path.normpath(os.path.join(base, found[1]))
                    if target in known:
                        arrows.setdefault((path, target), f"{path}:{number} includes {target}")
                        break
    return arrows


def objects(build):
    """Returns the object file of each source file that has been built."""
    result = {}
    with open(os.path.join(build, "compile_commands.json")) as commands:
        for entry in json.load(commands):
            path = os.path.relpath(os.path.realpath(entry["file"]), os.path.realpath(ROOT))
            output = re.search(r" -o (\S+)", entry["command"])
            output = output and os.path.join(entry["directory"], output[1])
            if output and os.path.exists(output):
                result.setdefault(path, output)
    return result


def calls(built):
    """Arrows from the file that names an external symbol to the file that defines it."""
    by_output = {output: path for path, output in built.items()}
    lines = subprocess.run(["nm", "-A", "-P"] + sorted(by_output), capture_output=True, text=True, check=True).stdout
    definers, wanted, c_library = collections.defaultdict(set), [], ctypes.CDLL(None)
    for line in lines.splitlines():
        output, symbol, kind = re.match(r"(.*?): (\S+) (\S)", line).groups()
        if kind in "TDBRC":
            definers[symbol].add(by_output[output])
        elif kind == "U":
            wanted.append((by_output[output], symbol))
    arrows = {}
    for user, symbol in wanted:
        top = user.split("/")[0]
        # Programs have namesakes (main, usage): the one in the same top folder is meant; of several there, none is
        # sure.
        # A function of the C library is that of the C library, also where gensim's preloaded library replaces it.
        candidates = {d for d in definers[symbol] if d.split("/")[0] == top}
        if hasattr(c_library, symbol):
            candidates = {d for d in candidates if not d.startswith(INTERPOSES)}
        if not candidates and not hasattr(c_library, symbol):
            candidates = {d for d in definers[symbol] if not d.startswith(INTERPOSES) or top == "sim"}
        if len(candidates) == 1:
            arrows.setdefault((user, next(iter(candidates))), f"{user} uses {symbol} of {next(iter(candidates))}")
    return arrows


def circles(arrows):
    """Strongly connected components of more than one file (Tarjan), largest first."""
    graph = collections.defaultdict(list)
    for user, used in arrows:
        graph[user].append(used)
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for used in graph[node]:
            if used not in index:
                visit(used)
                low[node] = min(low[node], low[used])
            elif used in on_stack:
                low[node] = min(low[node], index[used])
        if low[node] == index[node]:
            component = set()
            while node not in component:
                component.add(stack.pop())
            on_stack.difference_update(component)
            if len(component) > 1:
                found.append(component)

    for node in list(graph):
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def check(area, files, include_arrows, call_arrows):
    errors = []
    for path in files:
        if area.holds(path) and not area.layer_of(path):
            errors.append(f"{path}: no layer of [{area.folder}] holds this file")
    for (user, used), words in sorted(include_arrows.items()) + sorted(call_arrows.items()):
        from_layer, to_layer = area.layer_of(user), area.layer_of(used)
        if from_layer and to_layer and not area.may_use(from_layer, to_layer):
            errors.append(f"{words}: [{area.folder}] {from_layer.name} -> {to_layer.name} runs the wrong way")
    if area.folder != ".":
        errors += check_circles(area, call_arrows)
    return errors


def calls_inside_layers(area, call_arrows):
    return {(user, used): words for (user, used), words in call_arrows.items()
            if area.layer_of(user) and area.layer_of(user) is area.layer_of(used) and user != used}


def check_circles(area, call_arrows):
    errors, inside = [], calls_inside_layers(area, call_arrows)
    for circle in circles(inside):
        if len(circle) > MOST_IN_CIRCLE:
            errors.append(f"[{area.folder}] {len(circle)} files call each other in a circle: {' '.join(sorted(circle))}")
            errors += sorted(f"    {words}" for (a, b), words in inside.items() if a in circle and b in circle)
    return errors


def print_circles(area, call_arrows):
    inside = calls_inside_layers(area, call_arrows)
    for circle in circles(inside):
        print(f"{len(circle)} files: {' '.join(sorted(circle))}")
        for words in sorted(words for (a, b), words in inside.items() if a in circle and b in circle):
            print(f"    {words}")


def main():
    global ROOT
    sys.setrecursionlimit(10000)
    arguments = sys.argv[1:]
    if arguments[:1] == ["--root"]:
        ROOT, arguments = os.path.abspath(arguments[1]), arguments[2:]
    option = arguments.pop(0) if arguments and arguments[0].startswith("--") else None
    if not arguments or option not in (None, "--circles", "--table", "--documented"):
        sys.exit(__doc__)
    areas = {area.folder: area for area in read_list()}
    if option in ("--table", "--documented"):
        rows = "\n".join(f"| `{layer.name}` | {layer.sentence} |" for layer in areas[arguments[0]].layers)
        if option == "--table":
            print(rows)
            return 0
        with open(os.path.join(ROOT, arguments[1])) as page:
            if rows in page.read():
                return 0
        print(f"{arguments[1]} lacks these rows:\n{rows}")
        return 1
    files, built = source_files(), objects(arguments[0])
    include_arrows, call_arrows = includes(files), calls(built)
    if option == "--circles":
        print_circles(areas[arguments[1]], call_arrows)
        return 0
    failed = 0
    for name in arguments[1:] or areas:
        for error in check(areas[name], files, include_arrows, call_arrows):
            print(error)
            failed = 1
    missing = [f for f in files if f.endswith((".c", ".cpp")) and f not in built
               and any(a.holds(f) for a in areas.values())]
    print(f"{len(files)} files, {len(include_arrows)} includes, {len(call_arrows)} calls between files"
          + (f"; not built: {' '.join(missing)}" if missing else ""))
    return failed


if __name__ == "__main__":
    sys.exit(main())
